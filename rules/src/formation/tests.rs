//! Layouts computed by hand, the catalogue's vectors, and symmetries.

mod organisation;

use proptest::prelude::*;
use protocol::event::Morale;
use protocol::ids::Side;
use protocol::place::{Bearing, Corners, Point};
use protocol::words::{Flank, Formation};

use super::*;
use crate::geometry::{Frame, bearing_between, between_polygons, contains_within_eps};
use crate::testing;

const fn p(x: i32, y: i32) -> Point {
    Point::new(x, y)
}

/// Four-figure stands at the origin, facing north.
fn drawn(formation: Formation, stands: u32) -> Drawn<'static> {
    Drawn::new(formation, stands, 875, 625)
}

/// Corners of an upright rectangle that faces north.
fn upright(left: i32, right: i32, front: i32, rear: i32) -> Corners {
    [p(left, front), p(right, front), p(right, rear), p(left, rear)]
}

#[test]
fn org_02_stand_widths() {
    assert_eq!([1, 2, 3, 4, 5].map(infantry_stand_width), [500, 625, 750, 875, 1_000]);
}

#[test]
fn org_03_odd_regiments_are_shared_and_lost_by_turns() {
    assert_eq!(stand_figures(16), [4, 4, 4, 4]);
    assert_eq!(stand_figures(13), [3, 4, 3, 3]);
    assert_eq!(stand_figures(14), [4, 3, 3, 4]);
    assert_eq!(stand_figures(15), [4, 3, 4, 4]);
    assert_eq!(loss_order(&[4, 3, 3, 4]), [1, 0, 2, 3]);
    assert_eq!(loss_totals(&[4, 3, 3, 4]), [3, 7, 10, 14]);
    assert_eq!(loss_totals(&[4, 4, 4, 4]), [4, 8, 12, 16]);
    assert_eq!(loss_totals(&[4, 3, 4, 4]), [3, 7, 11, 15]);
}

#[test]
fn org_05_a_stand_is_lost_when_its_figures_are_gone() {
    let lost = |casualties| stands_lost(&[4, 3, 3, 4], casualties);
    assert_eq!([0, 2, 3, 6, 7, 13, 14].map(lost), [0, 0, 1, 1, 2, 3, 4]);
}

#[test]
fn form_02_formed_is_every_order_but_skirmishers_disorder_and_rout() {
    for formation in Formation::ALL {
        let unit = || testing::infantry("u", Side::Union).formation(formation);
        assert_eq!(unit().unit().is_formed(), formation != Formation::SkirmishLine, "{formation}");
        assert!(unit().morale(Morale::Shaken).unit().is_formed() || formation == Formation::SkirmishLine);
        assert!(!unit().disordered().unit().is_formed(), "{formation} in disorder");
        assert!(!unit().morale(Morale::Routed).unit().is_formed(), "{formation}, routed");
    }
    for guns in [Formation::Limbered, Formation::Unlimbered] {
        assert!(testing::battery("u", Side::Union).formation(guns).unit().is_formed(), "{guns}");
    }
    for horse in [Formation::SingleLine, Formation::DoubleLine, Formation::MarchColumn, Formation::SkirmishLine] {
        let formed = testing::cavalry("u", Side::Union).formation(horse).unit().is_formed();
        assert_eq!(formed, horse != Formation::SkirmishLine, "mounted {horse}");
    }
}

#[test]
fn form_03_front_and_rear_lines() {
    let lines = |drawn: Drawn| {
        let edges = drawn.layout().as_target;
        [edges.front.left, edges.front.right, edges.rear_left, edges.rear_right]
    };
    // The gaps belong to the front: 3 x 875 + 2 x 438 = 3501 wide, and 3 x 875 + 2 x 1313 = 5251.
    let extended = lines(drawn(Formation::ExtendedLine, 3));
    assert_eq!(extended, [p(-1_751, 0), p(1_751, 0), p(-1_751, -625), p(1_751, -625)]);
    let skirmishers = lines(drawn(Formation::SkirmishLine, 3));
    assert_eq!(skirmishers, [p(-2_626, 0), p(2_626, 0), p(-2_626, -625), p(2_626, -625)]);
    // Of a line with reserve the three stands of the line alone: 3 x 875 = 2625.
    assert_eq!(lines(drawn(Formation::LineWithReserve, 4)), lines(drawn(Formation::SingleLine, 3)));
    // Of a column the tail stand: 4 x 625 deep touching, and 4 x 625 + 3 x 875 apart.
    assert_eq!(lines(drawn(Formation::MarchColumn, 4))[2..], [p(-438, -2_500), p(438, -2_500)]);
    assert_eq!(lines(drawn(Formation::AttackColumn, 4))[2..], [p(-438, -5_125), p(438, -5_125)]);
    // A refused stand is left out of a firer's front, and counts as straight when it is fired at.
    let refused = Drawn { refused: Some(Flank::Left), ..drawn(Formation::SingleLine, 4) }.layout();
    assert_eq!((refused.as_firer.front.left, refused.as_firer.front.right), (p(-875, 0), p(1_750, 0)));
    assert_eq!((refused.as_target.front.left, refused.as_target.rear_left), (p(-1_750, 0), p(-1_750, -625)));
}

#[test]
fn form_04_a_line_of_four_is_three_and_a_half_inches_wide() {
    let layout = drawn(Formation::SingleLine, 4).layout();
    let corners = layout.corners();
    assert_eq!(corners[0], upright(-1_750, -875, 0, -625));
    assert_eq!(corners[3], upright(875, 1_750, 0, -625));
    assert_eq!((layout.as_target.front.left, layout.as_target.front.right), (p(-1_750, 0), p(1_750, 0)));
    assert_eq!((layout.as_target.rear_left, layout.as_target.rear_right), (p(-1_750, -625), p(1_750, -625)));
    assert_eq!(layout.as_firer, layout.as_target);
    assert!(layout.as_target.is_behind_rear(p(9_000, -623)) && !layout.as_target.is_behind_rear(p(0, -622)));
}

#[test]
fn form_05_and_09_gaps_and_their_limits() {
    assert_eq!(gaps_between_stands(Formation::ExtendedLine, 875, false), Some(1..=875));
    assert_eq!(gaps_between_stands(Formation::SkirmishLine, 875, false), Some(875..=1_750));
    assert_eq!(default_gap(Formation::ExtendedLine, 875, false), 438);
    assert_eq!(default_gap(Formation::SkirmishLine, 875, false), 1_313);
    let skirmishers = Drawn { gap: 1_000, ..drawn(Formation::SkirmishLine, 3) }.layout().corners();
    assert_eq!(skirmishers[0], upright(-2_313, -1_438, 0, -625));
    assert_eq!(skirmishers[1], upright(-438, 438, 0, -625));
}

#[test]
fn form_06_the_front_rank_holds_half_rounded_up() {
    let layout = drawn(Formation::DoubleLine, 3).layout();
    assert_eq!(
        layout.corners(),
        [upright(-875, 0, 0, -625), upright(0, 875, 0, -625), upright(-438, 438, -625, -1_250)]
    );
    assert_eq!((layout.as_target.front.left, layout.as_target.front.right), (p(-875, 0), p(875, 0)));
    assert_eq!((layout.as_target.rear_left, layout.as_target.rear_right), (p(-438, -1_250), p(438, -1_250)));
    assert_eq!(layout.front_rank().count(), 2);
}

#[test]
fn form_07_an_attack_column_is_5125_deep() {
    let layout = drawn(Formation::AttackColumn, 4).layout();
    assert_eq!(layout.corners()[1], upright(-438, 438, -1_500, -2_125));
    assert_eq!(layout.as_target.rear_left, p(-438, -5_125));
    assert_eq!(layout.front_rank().count(), 1);
}

#[test]
fn form_19_a_straight_column_is_four_depths_long() {
    let layout = drawn(Formation::MarchColumn, 4).layout();
    assert_eq!(layout.corners()[3], upright(-438, 438, -1_875, -2_500));
    assert_eq!((layout.as_target.rear_left, layout.as_target.rear_right), (p(-438, -2_500), p(438, -2_500)));
}

#[test]
fn form_19_a_bent_column_lies_along_its_way() {
    // The head went east, then 1250 north to the origin. Depth 600: centres 300, 900, 1500, 2100 from the head.
    let trail = [p(0, -1_250), p(-5_000, -1_250)];
    let column = Drawn { depth: 600, trail: &trail, ..drawn(Formation::MarchColumn, 4) };
    let stands = column.layout().stands;
    assert_eq!(
        stands.iter().map(|stand| stand.rect.center).collect::<Vec<_>>(),
        [p(0, -300), p(0, -900), p(-250, -1_250), p(-850, -1_250)]
    );
    let facings: Vec<u32> = stands.iter().map(|stand| stand.rect.facing.hundredths()).collect();
    assert_eq!(facings, [0, 0, 9_000, 9_000]);
    let edges = column.layout().as_target;
    assert_eq!((edges.rear_left, edges.rear_right), (p(-1_150, -812), p(-1_150, -1_688)));
}

#[test]
fn form_19_a_short_trail_goes_on_straight() {
    let trail = [p(0, -100), p(-100, -100)];
    let column = Drawn { depth: 600, trail: &trail, ..drawn(Formation::MarchColumn, 3) };
    let last = column.layout().stands[2].rect;
    assert_eq!((last.center, last.facing), (p(-1_400, -100), Bearing::EAST));
}

#[test]
fn form_19_a_straight_trail_changes_nothing() {
    let straight = drawn(Formation::MarchColumn, 4).at(p(500, 500), Bearing::EAST);
    let trail = [p(-9_000, 500)];
    // Half depths make the centre of a stand a half: it may differ by a thousandth, not more.
    for (one, other) in straight.layout().rects().zip(Drawn { trail: &trail, ..straight }.layout().rects()) {
        assert!((one.center.x - other.center.x).abs() <= 1 && one.center.y == other.center.y);
        assert_eq!(one.facing, other.facing);
    }
}

#[test]
fn enf_12_a_refused_stand_turns_about_its_inner_rear_corner() {
    let right = Drawn { refused: Some(Flank::Right), ..drawn(Formation::SingleLine, 4) }.layout();
    let bent = right.stands[3];
    assert!(bent.refused);
    assert_eq!(bent.rect.corners, [p(1_317, -183), p(1_936, -802), p(1_494, -1_244), p(875, -625)]);
    assert_eq!(bent.rect.facing, Bearing::wrapping(4_500));
    assert_eq!(right.as_firer.front.right, p(875, 0));
    assert_eq!(right.as_target.front.right, p(1_750, 0));
    let left = Drawn { refused: Some(Flank::Left), ..drawn(Formation::SingleLine, 4) }.layout();
    assert_eq!(left.stands[0].rect.corners, [p(-1_936, -802), p(-1_317, -183), p(-875, -625), p(-1_494, -1_244)]);
    assert_eq!(left.stands[0].rect.facing, Bearing::wrapping(31_500));
}

#[test]
fn org_06_two_stands_left_are_straightened() {
    let two = Drawn { refused: Some(Flank::Right), ..drawn(Formation::SingleLine, 2) };
    assert_eq!(two.layout(), two.straightened().layout());
    let column = Drawn { refused: Some(Flank::Right), ..drawn(Formation::AttackColumn, 4) };
    assert_eq!(column.layout(), column.straightened().layout());
}

#[test]
fn org_06_a_smaller_layout_lies_inside_the_old_one() {
    for formation in Formation::ALL.into_iter().filter(|&formation| formation != Formation::Square) {
        for stands in 2..=4 {
            let old = drawn(formation, stands).layout().hull();
            let fewer = drawn(formation, stands - 1).layout();
            for corner in fewer.rects().flat_map(|rect| rect.corners) {
                assert!(contains_within_eps(&old, corner), "{formation} of {stands}: {corner:?}");
            }
        }
    }
}

#[test]
fn org_09_unlimbering_keeps_the_centre() {
    let limbered = Drawn::new(Formation::Limbered, 1, 1_000, 2_000).at(p(100, 200), Bearing::EAST);
    let unlimbered = Drawn::new(Formation::Unlimbered, 1, 1_000, 1_000).at(p(0, 0), Bearing::wrapping(12_345));
    let anchor = form_on(&limbered, &unlimbered, None, None).expect("a battery has one stand");
    assert_eq!(unlimbered.at(anchor, unlimbered.facing).layout().stands[0].rect.center, p(-900, 200));
}

#[test]
fn tac_11_the_reserve_stands_behind_three() {
    let layout = drawn(Formation::LineWithReserve, 4).layout();
    assert_eq!(layout.corners()[0], upright(-1_313, -438, 0, -625));
    assert_eq!(layout.corners()[3], upright(-438, 438, -1_625, -2_250));
    assert_eq!(layout.stands[3].part, Part::Reserve);
    assert_eq!((layout.as_target.rear_left, layout.as_target.front.left), (p(-1_313, -625), p(-1_313, 0)));
}

#[test]
fn tac_14_without_its_reserve_it_is_a_single_line() {
    let without = drawn(Formation::LineWithReserve, 3).layout();
    assert_eq!(without.corners(), drawn(Formation::SingleLine, 3).layout().corners());
}

#[test]
fn tac_16_the_screen_stands_three_wide_before_the_body() {
    let layout = drawn(Formation::LineWithSkirmishers, 4).layout();
    let screen = layout.screen().expect("it is out");
    assert_eq!(screen.corners, upright(-1_313, 1_313, 3_625, 3_000));
    assert_eq!((layout.body().count(), layout.as_target.front.left), (3, p(-1_313, 0)));
    let body_lost_one = Drawn { stands: 3, detached: true, ..drawn(Formation::LineWithSkirmishers, 4) }.layout();
    assert_eq!((body_lost_one.body().count(), body_lost_one.screen().is_some()), (2, true));
}

#[test]
fn tac_34_regiments_follow_at_a_stand_width() {
    let frames = brigade_column(Frame::new(p(0, 0), Bearing::NORTH), 875, &[625, 625, 625]);
    let anchors: Vec<Point> = frames.into_iter().map(|frame| frame.anchor).collect();
    assert_eq!(anchors, [p(0, 0), p(0, -1_500), p(0, -3_000)]);
}

#[test]
fn tac_43_a_square_has_four_faces() {
    let layout = drawn(Formation::Square, 4).layout();
    let facings: Vec<u32> = layout.rects().map(|rect| rect.facing.hundredths()).collect();
    assert_eq!(facings, [0, 9_000, 27_000, 18_000]);
    let corners = layout.corners();
    assert_eq!(corners[0], upright(-438, 438, 0, -625));
    // x from w/2 to w/2 + d, depth d to d + w; the front of this face is its east side.
    assert_eq!(corners[1], [p(1_063, -625), p(1_063, -1_500), p(438, -1_500), p(438, -625)]);
    assert_eq!(corners[2], [p(-1_063, -1_500), p(-1_063, -625), p(-438, -625), p(-438, -1_500)]);
    assert_eq!(corners[3], [p(438, -2_125), p(-438, -2_125), p(-438, -1_500), p(438, -1_500)]);
    assert_eq!((layout.as_target.rear_left, layout.as_target.rear_right), (p(-438, -2_125), p(438, -2_125)));
    let parts = |stands| drawn(Formation::Square, stands).layout().stands.into_iter().map(|stand| stand.part);
    assert!(!parts(3).any(|part| part == Part::RearFace));
    assert!(!parts(2).any(|part| part == Part::LeftFace));
}

#[test]
fn tac_43_forming_square_keeps_the_centre_of_the_hull() {
    let line = drawn(Formation::SingleLine, 4).layout();
    // The line's hull is centred at (0, -312.5), the square's 1062.5 behind its front: 750 apart, rounded.
    let anchor = square_anchor(&line, &drawn(Formation::Square, 4));
    assert!(anchor.x == 0 && (anchor.y - 750).abs() <= 1, "{anchor:?}");
    // A reserve or a screen comes to the line, not the line to it.
    for told_off in [Formation::LineWithReserve, Formation::LineWithSkirmishers] {
        assert_eq!(square_anchor(&drawn(told_off, 4).layout(), &drawn(Formation::Square, 4)), anchor, "{told_off}");
    }
}

#[test]
fn form_35_one_stand_stands_still() {
    let line = drawn(Formation::SingleLine, 4);
    // Silent: the right one of the two middle stands, centre (437.5, -312.5), becomes the head.
    let column = drawn(Formation::MarchColumn, 4);
    assert_eq!(form_on(&line, &column, None, None), Ok(p(438, 0)));
    // Named: the left end stand becomes the right end of a line facing east.
    let turned = drawn(Formation::SingleLine, 4).at(p(0, 0), Bearing::EAST);
    let anchor = form_on(&line, &turned, Some(0), Some(3)).expect("both exist");
    assert_eq!(turned.at(anchor, Bearing::EAST).layout().stands[3].rect.center, line.layout().stands[0].rect.center);
    assert_eq!(form_on(&line, &turned, Some(4), None), Err(NoSuchStand));
    assert_eq!(form_on(&line, &turned, None, Some(4)), Err(NoSuchStand));
}

#[test]
fn form_35_slides_the_least_distance_right_before_left() {
    assert_eq!(least_slide(875, |_| true), Some(0));
    assert_eq!(least_slide(875, |slide| 300 <= slide.abs()), Some(300));
    assert_eq!(least_slide(875, |slide| slide <= -200 || 300 <= slide), Some(-200));
    assert_eq!(least_slide(875, |slide| slide.abs() == 876), None);
}

#[test]
fn form_37_a_column_faces_left_or_right() {
    let column = Drawn::new(Formation::MarchColumn, 4, 800, 600);
    // The head's centre is (0, -300). Facing west it is the right, northern end; its front edge lies at x = -300.
    let left = column_into_line(&column, Flank::Left).expect("a straight column");
    assert_eq!(left, Frame::new(p(-300, -1_500), Bearing::WEST));
    let line = Drawn::new(Formation::SingleLine, 4, 800, 600).at(left.anchor, left.facing).layout();
    assert_eq!(line.stands[3].rect.center, p(0, -300));
    assert_eq!(line.stands[0].rect.center, p(0, -2_700));
    let right = column_into_line(&column, Flank::Right).expect("a straight column");
    assert_eq!(right, Frame::new(p(300, -1_500), Bearing::EAST));
    let bent = [p(0, -700), p(500, -700)];
    assert_eq!(column_into_line(&Drawn { trail: &bent, ..column }, Flank::Left), None);
    assert_eq!(column_into_line(&drawn(Formation::SingleLine, 4), Flank::Left), None);
}

#[test]
fn form_37_a_line_marches_off_to_a_flank() {
    let line = Drawn::new(Formation::SingleLine, 4, 800, 600);
    // The right end's centre is (1200, -300); as head facing east its front edge lies at x = 1500.
    assert_eq!(line_into_column(&line, Flank::Right), Some(Frame::new(p(1_500, -300), Bearing::EAST)));
    assert_eq!(line_into_column(&line, Flank::Left), Some(Frame::new(p(-1_500, -300), Bearing::WEST)));
    assert_eq!(line_into_column(&Drawn { refused: Some(Flank::Left), ..line }, Flank::Right), None);
}

fn any_drawn() -> impl Strategy<Value = Drawn<'static>> {
    let formation = prop::sample::select(Formation::ALL.to_vec());
    let refused = prop::option::of(prop::sample::select(Flank::BOTH.to_vec()));
    let place = (-50_000..50_000, -50_000..50_000, 0..36_000);
    (formation, 1..5_u32, 500..1_200, 500..1_500, refused, place).prop_map(
        |(formation, stands, width, depth, refused, (x, y, facing))| Drawn {
            refused,
            ..Drawn::new(formation, stands, width, depth).at(p(x, y), Bearing::wrapping(facing))
        },
    )
}

/// A head and the way behind it: three legs of one to three inches.
fn any_trail() -> impl Strategy<Value = (Point, Vec<Point>)> {
    let leg = (1_000..3_000_i32, 0..36_000_i32);
    ((-50_000..50_000, -50_000..50_000), prop::collection::vec(leg, 3)).prop_map(|((x, y), legs)| {
        let mut here = p(x, y);
        let mut trail = Vec::new();
        for (length, bearing) in legs {
            here = Frame::new(here, Bearing::wrapping(bearing)).at(length, 0);
            trail.push(here);
        }
        (p(x, y), trail)
    })
}

/// A march column whose head has come along the first leg of its trail.
fn bent_column(head: Point, trail: &[Point], stands: u32) -> Drawn<'_> {
    let facing = bearing_between(trail[0], head).expect("a leg has a length");
    Drawn { anchor: head, facing, trail, ..drawn(Formation::MarchColumn, stands) }
}

/// Every stand's corners as a set, so that layouts compare whatever the order of stands and corners.
fn corner_sets(drawn: &Drawn, change: impl Fn(Point) -> Point) -> Vec<Vec<Point>> {
    let mut sets: Vec<Vec<Point>> = drawn
        .layout()
        .rects()
        .map(|rect| {
            let mut corners: Vec<Point> = rect.corners.iter().map(|&corner| change(corner)).collect();
            corners.sort();
            corners
        })
        .collect();
    sets.sort();
    sets
}

proptest! {
    #[test]
    fn layouts_are_carried_along(drawn in any_drawn(), by_x in -90_000..90_000, by_y in -90_000..90_000) {
        let carry = |point: Point| p(point.x + by_x, point.y + by_y);
        let carried = Drawn { anchor: carry(drawn.anchor), ..drawn };
        prop_assert_eq!(corner_sets(&carried, |point| point), corner_sets(&drawn, carry));
    }

    #[test]
    fn layouts_turn_by_quarters(drawn in any_drawn()) {
        let quarter = |point: Point| p(point.y, -point.x);
        let turned = Drawn { anchor: quarter(drawn.anchor), facing: drawn.facing.turned(9_000), ..drawn };
        prop_assert_eq!(corner_sets(&turned, |point| point), corner_sets(&drawn, quarter));
    }

    #[test]
    fn layouts_are_mirrored(drawn in any_drawn()) {
        // A square of two stands has a right face and no left one: it is no mirror image of itself.
        prop_assume!(drawn.formation != Formation::Square || drawn.stands != 2);
        let mirror = |point: Point| p(-point.x, point.y);
        let mirrored = Drawn {
            anchor: mirror(drawn.anchor),
            facing: Bearing::wrapping(-(drawn.facing.hundredths() as i32)),
            refused: drawn.refused.map(Flank::other),
            ..drawn
        };
        prop_assert_eq!(corner_sets(&mirrored, |point| point), corner_sets(&drawn, mirror));
        let (own, image) = (drawn.layout().as_firer, mirrored.layout().as_firer);
        prop_assert_eq!(image.front.left, mirror(own.front.right));
        prop_assert_eq!(image.rear_right, mirror(own.rear_left));
    }

    #[test]
    fn form_19_a_bent_column_is_carried_turned_and_mirrored(
        (head, trail) in any_trail(), stands in 2..5_u32, by in (-90_000..90_000, -90_000..90_000),
    ) {
        let column = bent_column(head, &trail, stands);
        let change = |change: &dyn Fn(Point) -> Point, facing: Bearing| {
            let changed: Vec<Point> = trail.iter().map(|&point| change(point)).collect();
            let drawn = Drawn { anchor: change(head), facing, trail: &changed, ..column };
            corner_sets(&drawn, |point| point)
        };
        let carry = |point: Point| p(point.x + by.0, point.y + by.1);
        prop_assert_eq!(change(&carry, column.facing), corner_sets(&column, carry));
        let quarter = |point: Point| p(point.y, -point.x);
        prop_assert_eq!(change(&quarter, column.facing.turned(9_000)), corner_sets(&column, quarter));
        let mirror = |point: Point| p(-point.x, point.y);
        let facing = Bearing::wrapping(-(column.facing.hundredths() as i32));
        prop_assert_eq!(change(&mirror, facing), corner_sets(&column, mirror));
    }

    #[test]
    fn form_37_a_front_to_flank_change_and_its_mirror(
        stands in 1..5_u32, width in 500..1_200, depth in 500..1_500, (x, y, facing) in (0..50_000, 0..50_000, 0..36_000),
    ) {
        let mirror = |at: Frame| (p(-at.anchor.x, at.anchor.y), Bearing::wrapping(-(at.facing.hundredths() as i32)));
        let own = Frame::new(p(x, y), Bearing::wrapping(facing));
        let (anchor, turned) = mirror(own);
        for formation in [Formation::MarchColumn, Formation::SingleLine] {
            let unit = Drawn::new(formation, stands, width, depth);
            let change = |at: Frame, toward| match formation {
                Formation::MarchColumn => column_into_line(&unit.at(at.anchor, at.facing), toward),
                _ => line_into_column(&unit.at(at.anchor, at.facing), toward),
            };
            let left = change(own, Flank::Left).map(mirror);
            let right = change(Frame::new(anchor, turned), Flank::Right).map(|at| (at.anchor, at.facing));
            prop_assert!(left.is_some());
            prop_assert_eq!(left, right, "{:?}", formation);
        }
    }

    #[test]
    fn form_35_the_pivot_never_moves(old in any_drawn(), new in any_drawn(), pivot in 0..4_usize, place in 0..4_usize) {
        match form_on(&old, &new, Some(pivot), Some(place)) {
            Ok(anchor) => {
                let formed = Drawn { refused: None, ..new }.at(anchor, new.facing).layout();
                prop_assert_eq!(formed.stands[place].rect.center, old.layout().stands[pivot].rect.center);
            }
            Err(NoSuchStand) => prop_assert!(old.stands as usize <= pivot || new.stands as usize <= place),
        }
    }

    #[test]
    fn stands_do_not_overlap(drawn in any_drawn()) {
        let straight = drawn.straightened().layout();
        for (index, one) in straight.rects().enumerate() {
            for other in straight.rects().skip(index + 1) {
                // Neighbours touch; drawn in by the tolerance they must be apart.
                prop_assert!(!between_polygons(&one.shrunk(2), &other.shrunk(2)).is_zero());
            }
        }
    }
}
