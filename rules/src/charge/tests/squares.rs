//! Cavalry and squares. TAC-41, TAC-42

use protocol::words::{Formation, Quality};

use super::*;

/// The horse A charges a square fifteen inches off with 19 inches. The square does not fire.
fn at_square(x: Maker) -> Field {
    Field::of(vec![rider("a", 30_000, 10_000), x.formation(Formation::Square)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 3])
}

fn x() -> Maker {
    confederate("x", 30_000, 25_000)
}

/// The distance between the two when it is over.
fn apart(played: &Played) -> i32 {
    let table = &played.battle.table;
    let ix = |id: &str| table.find(&UnitId::new(id)).expect("the test has this unit");
    super::super::volley::gap_on(table, ix("a"), ix("x"))
}

#[test]
fn tac_42_above_the_square_s_bmp_the_horse_turns_away_at_so_many_inches() {
    let played = at_square(x()).die(Purpose::SquareApproach, &["a", "x"], &[1, 3]).play();
    assert!(played.clashes.is_empty());
    assert!((apart(&played) - 4_000).abs() <= 2, "{}", apart(&played));
    assert_eq!(played.story().last().map(String::as_str), Some("a turned away from the square"));
    assert!(played.story().contains(&"a comes on to x with 4".to_owned()));
    assert!(!played.unit("a").footing.disorder && !played.unit("x").footing.disorder);
    assert_eq!(played.unit("x").marks.fires, 0, "no end-of-charge volley");
}

#[test]
fn tac_42_not_above_it_the_square_is_broken_and_hit_in_disorder() {
    let played = at_square(x()).die(Purpose::SquareApproach, &["a", "x"], &[1, 2]).ends(Ending::Fought).play();
    assert!(played.unit("x").footing.disorder);
    assert_eq!(played.clash(0), "a charging elan / x / Front");
    // Green troops break by a 4, elites hold by a 3.
    let green = x().quality(Quality::Green);
    let played = at_square(green).die(Purpose::SquareApproach, &["a", "x"], &[2, 2]).ends(Ending::Fought).play();
    assert!(played.unit("x").footing.disorder);
    let elite = x().quality(Quality::Elite);
    let played = at_square(elite).die(Purpose::SquareApproach, &["a", "x"], &[1, 2]).play();
    assert!((apart(&played) - 3_000).abs() <= 2);
}

#[test]
fn tac_42_the_roll_comes_after_the_volley_and_who_is_nearer_halts_where_it_stands() {
    // A volley at half an inch with a 1; the horse would turn away at seven, and halts where it was fired on. Two stands of
    // the square fire: eight figures, 4 dice at close range.
    let played = Field::of(vec![rider("a", 30_000, 10_000), x().formation(Formation::Square)])
        .charges("a", "x")
        .order("x", hold(), quiet())
        .bonus("a", &[3, 3, 3])
        .die(Purpose::ChargeVolleyDistance, &["x", "a"], &[1])
        .die(Purpose::FireVolley, &["x"], &[1, 1, 1, 1])
        .die(Purpose::SquareApproach, &["a", "x"], &[3, 4])
        .play();
    assert!((apart(&played) - 500).abs() <= 2, "{}", apart(&played));
    assert!(played.clashes.is_empty());
}

#[test]
fn tac_42_infantry_strikes_a_square_by_the_ordinary_rules() {
    let played = Field::of(vec![union("a", 30_000, 16_000), x().formation(Formation::Square)])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 3])
        .ends(Ending::Fought)
        .play();
    assert_eq!(played.clash(0), "a charging elan / x / Front");
}

#[test]
fn tac_42_it_keeps_its_facing() {
    // The square lies 27 degrees off its front.
    let aside = confederate("x", 37_500, 25_000).formation(Formation::Square);
    let played = Field::of(vec![rider("a", 30_000, 10_000), aside])
        .charges("a", "x")
        .silent("x")
        .bonus("a", &[3, 3, 3])
        .die(Purpose::SquareApproach, &["a", "x"], &[1, 3])
        .play();
    assert_eq!(played.unit("a").footing.facing.hundredths(), 0);
    assert!(played.unit("a").marks.charged);
}

#[test]
fn tac_41_a_failed_square_counts_as_forming_when_cavalry_strikes_it() {
    let failed = || x().disordered().with(|unit| unit.marks.square_failed = true);
    let struck = |a: Maker| {
        Field::of(vec![a, failed()]).charges("a", "x").silent("x").bonus("a", &[3, 3, 3]).ends(Ending::Fought).play()
    };
    assert_eq!(struck(rider("a", 30_000, 10_000)).clash(0), "a charging elan / x forming / Front");
    assert_eq!(struck(union("a", 30_000, 16_000)).clash(0), "a charging elan / x / Front");
}
