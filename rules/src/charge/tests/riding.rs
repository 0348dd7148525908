//! A mounted charge on its way: its distances, bad ground, fences. CAVC-19, CAVC-23 to CAVC-25, CAVC-39

use protocol::ids::FeatureId;
use protocol::place::Point;
use protocol::words::{Formation, Quality};

use super::*;
use crate::ground::{Area, Ground, Obstacle, ObstacleKind, Terrain, Wooded};

/// One kind of ground between two heights, from side to side.
fn band(terrain: Terrain, from: i32, to: i32) -> Area {
    let outline = vec![Point::new(0, from), Point::new(60_000, from), Point::new(60_000, to), Point::new(0, to)];
    Area { id: FeatureId::new(format!("{from}")), name: "band".to_owned(), terrain, wooded: Wooded::None, outline }
}

fn ground(areas: Vec<Area>) -> Ground {
    Ground { areas, ..open_ground() }
}

fn fenced(y: i32) -> Ground {
    let line = vec![Point::new(0, y), Point::new(60_000, y)];
    Ground {
        obstacles: vec![Obstacle { id: FeatureId::new("fence"), kind: ObstacleKind::Fence, line }],
        ..open_ground()
    }
}

/// The horse A charges silent infantry at that height.
fn at(ground: Ground, a: Maker, y: i32) -> Field {
    Field::of(vec![a, confederate("x", 30_000, y)]).on(ground).charges("a", "x").silent("x")
}

fn a() -> Maker {
    rider("a", 30_000, 10_000)
}

fn began(played: &Played) -> String {
    played.story().into_iter().find(|told| told.starts_with("a charges")).expect("A charges")
}

#[test]
fn cavc_23_where_horse_falls_into_disorder() {
    // The example: line in the open, move 10, bonus 7: veteran from 13.5 inches, green from 8.5.
    let disorder = |a: Maker| began(&at(open_ground(), a, 35_000).bonus("a", &[2, 2, 3]).play());
    assert_eq!(disorder(a()), "a charges 17000 disorder 13500");
    assert_eq!(disorder(a().quality(Quality::Elite)), "a charges 17000 disorder 13500");
    assert_eq!(disorder(a().quality(Quality::Green)), "a charges 17000 disorder 8500");
    assert_eq!(disorder(a().quality(Quality::Militia)), "a charges 17000 disorder 8500");
    // CHG-27: without a bonus veterans have no such point.
    let tired = a().with(|unit| unit.carried.charge_turns = 1);
    assert_eq!(began(&at(open_ground(), tired, 35_000).play()), "a charges 10000");
    // A double line goes twelve.
    let double = a().formation(Formation::DoubleLine);
    assert_eq!(
        began(&at(open_ground(), double, 36_000).bonus("a", &[2, 2, 3]).play()),
        "a charges 19000 disorder 15500"
    );
}

#[test]
fn cavc_23_reaching_the_point_exactly_counts() {
    // 13.5 inches to contact.
    let contact = |y: i32| {
        at(open_ground(), a(), y).bonus("a", &[2, 2, 3]).ends(Ending::Fought).play().unit("a").footing.disorder
    };
    assert!(contact(23_500));
    assert!(!contact(23_490));
}

#[test]
fn cavc_19_one_row_of_bonus_dice_serves_all_arms() {
    // Broken ground: six inches and two dice. Rough: an inch as disorder, half a die.
    let broken = at(ground(vec![band(Terrain::Broken, 0, 60_000)]), a(), 35_000);
    let played = broken.bonus("a", &[2, 3]).die(Purpose::ChargeGround, &["a"], &[4]).play();
    assert_eq!(began(&played), "a charges 11000 disorder 8500");
    let played = at(ground(vec![band(Terrain::Rough, 0, 60_000)]), a(), 35_000).bonus("a", &[5]).play();
    assert_eq!(began(&played), "a charges 3500 disorder 0");
}

#[test]
fn cavc_24_over_broken_ground_it_rolls_and_gains_nothing_by_failing() {
    // The example: the normal move is six either way, though disorder would go eight.
    let over = |a: Maker, die: u8| {
        let field = at(ground(vec![band(Terrain::Broken, 0, 60_000)]), a, 35_000);
        began(&field.bonus("a", &[3, 3]).die(Purpose::ChargeGround, &["a"], &[die]).play())
    };
    assert_eq!(over(a(), 4), "a charges 12000 disorder 9000");
    assert_eq!(over(a(), 3), "a charges 12000 disorder 0");
    // A march column goes twelve there in order, in disorder no more than disorder's eight.
    let column = || a().formation(Formation::MarchColumn);
    assert_eq!(over(column(), 4), "a charges 18000 disorder 15000");
    assert_eq!(over(column(), 3), "a charges 14000 disorder 0");
}

#[test]
fn cavc_24_rough_ground_on_its_way_is_disorder_from_the_start_without_a_roll() {
    // Rough from 17 on; the enemy stands beyond its edge.
    let field = at(ground(vec![band(Terrain::Rough, 17_000, 17_500)]), a(), 19_000);
    let played = field.bonus("a", &[3, 3, 3]).ends(Ending::Fought).play();
    assert_eq!(began(&played), "a charges 19000 disorder 0");
    assert!(played.unit("a").footing.disorder);
    // Behind the enemy it does not count, nor beyond the reach.
    let field = at(ground(vec![band(Terrain::Rough, 21_000, 22_000)]), a(), 19_000);
    assert_eq!(began(&field.bonus("a", &[3, 3, 3]).ends(Ending::Fought).play()), "a charges 19000 disorder 14500");
    let field = at(ground(vec![band(Terrain::Rough, 30_000, 31_000)]), a(), 35_000);
    assert_eq!(began(&field.bonus("a", &[3, 3, 3]).play()), "a charges 19000 disorder 14500");
}

#[test]
fn cavc_24_a_ride_after_victory_rolls_where_it_enters_bad_ground_once_a_turn() {
    // It breaks X after nine inches and comes upon broken ground at 20 and again at 23.
    let grounds = || ground(vec![band(Terrain::Broken, 20_000, 21_000), band(Terrain::Broken, 23_000, 24_000)]);
    let ride = |die: u8| {
        let field = at(grounds(), a(), 19_000).bonus("a", &[6, 6, 6]).ends(Ending::Broken);
        field.die(Purpose::ChargeGround, &["a"], &[die]).play()
    };
    assert_eq!(began(&ride(4)), "a charges 28000 disorder 19000");
    assert!(ride(4).story().iter().filter(|told| told.starts_with("a passes")).count() == 1);
    let lost = ride(2);
    let disorder = lost.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).expect("it is told");
    assert_eq!(disorder.rule, crate::catalogue::CAVC_24);
}

#[test]
fn cavc_24_against_horse_that_comes_the_ground_counts_up_to_half_way() {
    // They meet at 20. Broken ground from 24 to 26 lies on the way of X alone, who rolls for it.
    let played = Field::of(vec![a(), trooper("x", 30_000, 30_000)])
        .on(ground(vec![band(Terrain::Broken, 24_000, 26_000)]))
        .charges("a", "x")
        .order("x", hold(), Instructions::default())
        .bonus("a", &[6, 6, 6])
        .die(Purpose::CcOrder, &["x"], &[4])
        .die(Purpose::CcBonus, &["x"], &[6, 6, 6])
        .die(Purpose::ChargeGround, &["x"], &[1])
        .ends(Ending::Fought)
        .play();
    assert!(played.unit("x").footing.disorder && !played.unit("a").footing.disorder);
}

#[test]
fn cavc_25_a_fence_costs_two_inches_and_a_roll() {
    // 28 inches in all, in disorder from 19; fifteen to contact.
    let over = |die: u8| {
        let field = at(fenced(15_000), a(), 25_000).bonus("a", &[6, 6, 6]);
        field.die(Purpose::ChargeFence, &["a"], &[die]).ends(Ending::Fought).play()
    };
    assert!(!over(4).unit("a").footing.disorder);
    let fallen = over(3);
    assert!(fallen.unit("a").footing.disorder);
    let rule = fallen.events.iter().find(|event| matches!(event.fact, Fact::Disorder { .. })).map(|event| event.rule);
    assert_eq!(rule, Some(crate::catalogue::CAVC_25));
    // Thirteen inches less two: eleven.
    let field = at(fenced(15_000), a(), 26_000).bonus("a", &[1, 1, 1]).die(Purpose::ChargeFence, &["a"], &[6]);
    assert_eq!(field.play().anchor("a"), (30_000, 21_000));
    // With less than two inches left it stops at the near side.
    let field = at(fenced(22_000), a(), 30_000).bonus("a", &[1, 1, 1]);
    assert_eq!(field.play().anchor("a"), (30_000, 22_000));
    // In disorder it does not roll.
    let field = at(fenced(15_000), a().disordered(), 25_000).bonus("a", &[6, 6, 6]).ends(Ending::Fought);
    assert!(field.play().unit("a").footing.disorder);
}

#[test]
fn cavc_25_a_target_right_behind_the_fence_is_struck_across_it() {
    // Half an inch behind it. With 13 inches it strikes after nine, short of the fence; riding on costs two: 21 in all.
    let played = at(fenced(19_000), a(), 19_500)
        .bonus("a", &[1, 1, 1])
        .ends(Ending::Broken)
        .die(Purpose::ChargeFence, &["a"], &[6])
        .play();
    let strikes = played.story().iter().position(|told| told == "a strikes x").expect("it strikes");
    let rolls = played.story().iter().position(|told| told == "a passes").expect("it rolls");
    assert!(strikes < rolls);
    assert!((played.anchor("a").1 - 21_000).abs() <= 2, "{:?}", played.anchor("a"));
    // A reach that ends at the fence is enough.
    let tired = a().with(|unit| unit.carried.charge_turns = 1);
    let played = at(fenced(20_000), tired, 20_500).ends(Ending::Fought).play();
    assert!((19_980..=20_000).contains(&played.anchor("a").1), "{:?}", played.anchor("a"));
}

#[test]
fn cavc_39_a_fence_helps_to_hold_the_volley() {
    // The example: veterans behind a fence with a 6 fire at 2.5 inches, with a 5 at two, which is close.
    let volley = |die: u8, dice: &[u8]| {
        let field = Field::of(vec![a(), confederate("x", 30_000, 19_500)])
            .on(fenced(19_000))
            .charges("a", "x")
            .order("x", hold(), Instructions::default())
            .bonus("a", &[6, 6, 6])
            .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[die])
            .die(Purpose::FireVolley, &["x"], dice)
            // 5 with the half of the line's +2 on the row of sixteen: 1*, which a 1 does not confirm.
            .die(Purpose::FireConfirm, &["x", "a"], &[1]);
        field.ends(Ending::Fought).play()
    };
    let played = volley(6, &[1, 1, 2]);
    assert!(played.story().contains(&"x fires at 2500".to_owned()), "{:?}", played.story());
    assert_eq!(played.sums("dice"), [3]);
    let played = volley(5, &[1, 1, 1, 1]);
    assert!(played.story().contains(&"x fires at 2000".to_owned()));
    assert_eq!(played.sums("dice"), [4]);
}
