use std::sync::Arc;

use protocol::ids::Side;
use protocol::orders::{Order, Stage, UnitDraft};
use protocol::place::Bearing;

use super::*;

/// Little Round Top before its sides have placed anything.
fn mustered() -> Battle {
    mustered_on(|_| {})
}

fn mustered_on(change: impl FnOnce(&mut Scenario)) -> Battle {
    let mut scenario = crate::scenario::read(include_str!("../../../../scenarios/little_round_top.toml")).unwrap();
    change(&mut scenario);
    let theatre = Theatre::new(Arc::new(scenario));
    muster(&theatre, Ruleset::standard(), &Seating::one_each(), &options())
}

/// Optional troops that begin on the table in zones of their own.
fn options() -> BTreeSet<String> {
    ["usss2", "reilly"].map(str::to_owned).into()
}

fn seat(side: Side) -> SeatId {
    Seating::one_each().otherwise.get(side).clone()
}

/// Where a unit stands as printed.
fn printed(battle: &Battle, id: &str) -> orders::Placement {
    let Footing { anchor, facing, formation, .. } = battle.table.unit(&id.into()).unwrap().footing;
    orders::Placement { anchor, facing, formation, gap: None }
}

/// So far to the east and north of the printed place.
fn moved(battle: &Battle, id: &str, east: i32, north: i32) -> orders::Placement {
    let mut place = printed(battle, id);
    place.anchor = Point::new(place.anchor.x + east, place.anchor.y + north);
    place
}

fn placing<const N: usize>(places: [(&str, orders::Placement); N]) -> Draft {
    let deployment = places.into_iter().map(|(id, place)| (id.into(), place)).collect();
    Draft { deployment, ..Draft::default() }
}

/// What is refused of a draft, and the units of which a word is left.
fn told(battle: &Battle, side: Side, draft: &Draft) -> (Vec<String>, Vec<String>) {
    let known = known(battle, side);
    let (legal, refusals) = crate::orders::legal_part(&known, Ruleset::standard(), &seat(side), Stage::Orders, draft);
    let left = legal.deployment.keys().map(ToString::to_string);
    let left = left.chain(legal.leaders.keys().map(ToString::to_string)).collect();
    (refusals.into_iter().map(|refusal| format!("{}: {}", refusal.subject, refusal.message)).collect(), left)
}

fn deployed(battle: &Battle, envelopes: Envelopes) -> Battle {
    deploy(Ruleset::standard(), battle, &Seating::one_each(), &options(), &envelopes, &setup_dice())
}

fn setup_dice() -> KeyedDice {
    KeyedDice::for_setup(&crate::dice::TurnSeed([7; 32]), "a game")
}

#[test]
fn scn_06_who_seals_nothing_stands_as_printed() {
    let battle = mustered();
    let begun = deployed(&battle, Envelopes::new());
    let printed =
        start(&battle.table.theatre, Ruleset::standard(), &Seating::one_each(), &options(), &BySide::default());
    assert_eq!(begun, printed);
    assert_eq!((battle.table.turn, begun.table.turn), (0, 1));
}

#[test]
fn scn_06_a_side_has_only_its_own_before_it() {
    let battle = mustered();
    for side in Side::BOTH {
        let known = known(&battle, side);
        assert!(known.table.all_units().all(|(_, unit)| unit.side == side));
        assert!(known.table.leaders.values().all(|leader| leader.side == side));
        let viewer = Viewer::Seat { side, seat: seat(side) };
        let view = crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &viewer);
        assert!(!view.units.is_empty() && view.units.iter().all(|unit| unit.side == side));
        assert!(!view.leaders.is_empty() && view.leaders.iter().all(|leader| leader.side == side));
        let choices = view.deployment.expect("there is something to place");
        let own: Vec<&str> = if side == Side::Union { vec!["vincent", "usss"] } else { vec!["hood", "guns"] };
        assert_eq!(choices.zones.iter().map(|zone| zone.id.as_str()).collect::<Vec<_>>(), own);
    }
    let public = crate::view::view(Ruleset::standard(), &battle, Stage::Orders, &Viewer::Public {});
    assert!(public.units.is_empty() && public.leaders.is_empty() && public.deployment.is_none());
}

#[test]
fn scn_06_units_on_the_table_are_placed_in_the_zones_that_are_for_them() {
    let battle = mustered();
    let known = known(&battle, Side::Union);
    let viewer = Viewer::Seat { side: Side::Union, seat: seat(Side::Union) };
    let choices = choices(&known, Ruleset::standard(), &viewer).unwrap();
    let units: Vec<&str> = choices.units.iter().map(|unit| unit.unit.as_str()).collect();
    assert_eq!(units, ["me20", "mi16", "ny44", "pa83", "usss2"], "who arrives later is not placed");
    let of = |zone: usize| choices.zones[zone].units.iter().map(UnitId::as_str).collect::<Vec<_>>();
    assert_eq!((of(0), of(1)), (units.clone(), vec!["usss2"]));
    // The sharpshooters are directly under Sykes: their zone is for him, and not for Vincent.
    assert_eq!(choices.zones[1].leaders, ["sykes".into()]);
    let guns = super::choices(
        &super::known(&battle, Side::Confederate),
        Ruleset::standard(),
        &Viewer::Side { side: Side::Confederate },
    );
    let of_guns: Vec<Formation> = guns
        .unwrap()
        .units
        .iter()
        .filter(|unit| unit.unit.as_str() == "reilly")
        .flat_map(|unit| unit.stances.iter().map(|stance| stance.formation))
        .collect();
    assert_eq!(of_guns.len(), 2, "limbered and unlimbered: {of_guns:?}");
    let maine = &choices.units[0].stances;
    assert_eq!(
        maine.iter().map(|stance| stance.formation).collect::<Vec<_>>(),
        [
            Formation::SingleLine,
            Formation::ExtendedLine,
            Formation::DoubleLine,
            Formation::AttackColumn,
            Formation::SkirmishLine,
            Formation::MarchColumn,
            Formation::LineWithReserve,
            Formation::LineWithSkirmishers,
        ]
    );
    assert!(maine.iter().all(|stance| stance.anchor == maine[0].anchor && stance.stands.len() == 4));
    // Another seat of the side places nothing of this one's.
    let other = Viewer::Seat { side: Side::Union, seat: "weed".into() };
    let nothing = super::choices(&known, Ruleset::standard(), &other).unwrap();
    assert!(nothing.units.is_empty() && nothing.leaders.is_empty() && nothing.zones.is_empty());
}

#[test]
fn scn_06_the_printed_places_are_legal_and_change_nothing() {
    let battle = mustered();
    let mut envelopes = Envelopes::new();
    for side in Side::BOTH {
        let units = battle.table.units_of(side).map(|(_, unit)| unit.id.clone());
        let deployment = units.map(|id| (id.clone(), printed(&battle, id.as_str()))).collect();
        let draft = Draft { deployment, ..Draft::default() };
        assert_eq!(told(&battle, side, &draft).0, Vec::<String>::new());
        envelopes.insert(seat(side), draft);
    }
    assert_eq!(deployed(&battle, envelopes), deployed(&battle, Envelopes::new()));
}

#[test]
fn scn_06_a_placed_unit_begins_where_and_as_it_was_placed() {
    let battle = mustered();
    // On the shelf behind the line of the 83rd Pennsylvania.
    let mut place = moved(&battle, "me20", -1_400, 2_400);
    place.facing = Bearing::SOUTH;
    place.formation = Formation::ExtendedLine;
    place.gap = Some(200);
    let draft = placing([("me20", place.clone())]);
    assert_eq!(told(&battle, Side::Union, &draft), (vec![], vec!["me20".to_owned()]));
    let begun = deployed(&battle, [(seat(Side::Union), draft)].into());
    let footing = &begun.table.unit(&"me20".into()).unwrap().footing;
    assert_eq!((footing.anchor, footing.facing, footing.formation), (place.anchor, place.facing, place.formation));
    assert_eq!(footing.gap, 200);
}

#[test]
fn scn_06_outside_of_its_zones_a_unit_is_refused_wherever_that_is() {
    let battle = mustered();
    let told_at = |point: Point| {
        let place = orders::Placement { anchor: point, ..printed(&battle, "me20") };
        told(&battle, Side::Union, &placing([("me20", place)]))
    };
    let refused = "me20: refused (SCN-06): `20th Maine` does not stand whole in a zone that is for it; place all its \
                   stands inside of one";
    let far = [
        // A zone of its side, but for others; the enemy's; off the table; as far as a number goes.
        Point::new(43_000, 11_000),
        Point::new(26_000, 17_000),
        Point::new(-1, 20_000),
        Point::new(i32::MAX, i32::MIN),
    ];
    for point in far {
        assert_eq!(told_at(point), (vec![refused.to_owned()], vec![]), "{point:?}");
    }
    let leader = |point| {
        let said = LeaderDraft { place: Some(point), ..LeaderDraft::default() };
        told(&battle, Side::Union, &Draft { leaders: [("vincent".into(), said)].into(), ..Draft::default() })
    };
    for point in far {
        let refused = "vincent: refused (SCN-06): `Col. Strong Vincent` stands in no zone of his side; place him inside \
                       of one";
        // The sharpshooters are not Vincent's: their zone is not for him.
        assert_eq!(leader(point), (vec![refused.to_owned()], vec![]), "{point:?}");
    }
}

#[test]
fn scn_06_of_strangers_enemies_and_late_comers_nothing_is_placed() {
    let battle = mustered();
    let place = printed(&battle, "me20");
    let draft = placing([("al15", place.clone()), ("nobody", place.clone()), ("ny140", place)]);
    let refused = [
        "al15: refused (SCN-06): you have no unit `al15` to place",
        "nobody: refused (SCN-06): you have no unit `nobody` to place",
        "ny140: refused (SCN-11): `140th New York` arrives later and is not placed; leave it out",
    ];
    assert_eq!(told(&battle, Side::Union, &draft), (refused.map(str::to_owned).to_vec(), vec![]));
}

#[test]
fn form_01_a_unit_begins_in_a_formation_of_its_arm() {
    let battle = mustered();
    for formation in [Formation::Limbered, Formation::Square, Formation::DismountedLine] {
        let place = orders::Placement { formation, ..printed(&battle, "me20") };
        let refused = format!(
            "me20: refused (FORM-01): `20th Maine` does not begin in {formation}; choose one of: single line, extended \
             line, double line, attack column, skirmish line, march column, line with reserve, line \
             with skirmishers"
        );
        assert_eq!(told(&battle, Side::Union, &placing([("me20", place)])), (vec![refused], vec![]));
    }
}

#[test]
fn form_05_a_gap_is_at_most_a_stand_wide() {
    let battle = mustered();
    // The stands of the 5th Texas are 656 wide.
    let with = |gap| {
        let place = orders::Placement {
            formation: Formation::ExtendedLine,
            gap: Some(gap),
            ..moved(&battle, "tx05", -1500, 0)
        };
        told(&battle, Side::Confederate, &placing([("tx05", place)])).0
    };
    assert_eq!(with(656), Vec::<String>::new());
    let refused = "tx05: refused (FORM-05): `5th Texas` cannot stand so: cannot take that gap: in extended line it lies between 1 \
                   and 656 thousandths of an inch";
    assert_eq!(with(657), [refused]);
}

#[test]
fn mv_29_a_unit_that_is_refused_goes_back_and_others_make_way_for_it() {
    let battle = mustered();
    let texas = |id, on| (id, printed(&battle, on));
    // They are equally strong and change places: nobody stands on anybody.
    let changed = told(&battle, Side::Confederate, &placing([texas("tx04", "tx05"), texas("tx05", "tx04")]));
    assert_eq!(changed, (vec![], vec!["tx04".to_owned(), "tx05".to_owned()]));
    // The 5th may not go where it is sent: it stands as printed, and the 4th cannot have its place.
    let draft = placing([texas("tx04", "tx05"), ("tx05", moved(&battle, "tx05", 9_000, 0))]);
    let refused = [
        "tx05: refused (SCN-06): `5th Texas` does not stand whole in a zone that is for it; place all its stands inside \
         of one",
        "tx04: refused (MV-29): `4th Texas` stands on `5th Texas`, which stands as printed; move one of them",
    ];
    assert_eq!(told(&battle, Side::Confederate, &draft), (refused.map(str::to_owned).to_vec(), vec![]));
    // Both on one new place: the later by identifier is refused, the earlier stays.
    let spot = moved(&battle, "tx04", -1_500, 1_000);
    let both = told(&battle, Side::Confederate, &placing([("tx04", spot.clone()), ("tx05", spot)]));
    let refused = "tx05: refused (MV-29): `5th Texas` stands on `4th Texas`; move one of them";
    assert_eq!(both, (vec![refused.to_owned()], vec!["tx04".to_owned()]));
}

#[test]
fn scn_06_a_leader_is_placed_or_stands_as_printed() {
    let battle = mustered();
    let said = LeaderDraft { place: Some(Point::new(41_000, 21_000)), ..LeaderDraft::default() };
    let draft = Draft { leaders: [("vincent".into(), said)].into(), ..Draft::default() };
    assert_eq!(told(&battle, Side::Union, &draft), (vec![], vec!["vincent".to_owned()]));
    let begun = deployed(&battle, [(seat(Side::Union), draft)].into());
    let at = |id: &str| begun.table.leaders[&id.into()].at;
    // Sykes stands as the file prints him.
    assert_eq!((at("vincent"), at("sykes")), (Point::new(41_000, 21_000), Point::new(46_000, 34_000)));
}

#[test]
fn scn_06_orders_wait_for_turn_1_and_places_do_not() {
    let battle = mustered();
    let hold = UnitDraft { order: Some(Order::Hold { task: None }), ..UnitDraft::default() };
    let help = LeaderDraft { help: Some(vec!["me20".into()]), ..LeaderDraft::default() };
    let draft = Draft {
        units: [("me20".into(), hold)].into(),
        leaders: [("vincent".into(), help)].into(),
        ..placing([("me20", printed(&battle, "me20"))])
    };
    let refused = [
        "me20: refused (SCN-06): orders are given from turn 1 on; before it units are placed",
        "vincent: refused (SCN-06): `Col. Strong Vincent` takes orders from turn 1 on; before it he is placed",
    ];
    assert_eq!(told(&battle, Side::Union, &draft), (refused.map(str::to_owned).to_vec(), vec!["me20".to_owned()]));
    // And in turn 1 it is the other way round.
    let begun = deployed(&battle, Envelopes::new());
    let place = LeaderDraft { place: Some(Point::new(41_000, 21_000)), ..LeaderDraft::default() };
    let draft = Draft { leaders: [("vincent".into(), place)].into(), ..placing([("me20", printed(&battle, "me20"))]) };
    let refused = [
        "vincent: refused (SCN-06): leaders are placed before turn 1; give a ride instead",
        "deployment: refused (SCN-06): units are placed before turn 1; give a MOVE order instead",
    ];
    assert_eq!(told(&begun, Side::Union, &draft), (refused.map(str::to_owned).to_vec(), vec![]));
}

#[test]
fn scn_06_a_fixed_setup_takes_no_placement() {
    let battle = mustered_on(|scenario| scenario.deployment.setup = Setup::Fixed);
    let refused = "me20: refused (SCN-06): `20th Maine` stands as printed: the setup of this scenario is fixed";
    let draft = placing([("me20", printed(&battle, "me20"))]);
    assert_eq!(told(&battle, Side::Union, &draft), (vec![refused.to_owned()], vec![]));
}

#[test]
fn scn_06_what_a_seat_may_not_seal_counts_for_nothing_when_it_is_opened() {
    let battle = mustered();
    let mut texas = moved(&battle, "tx05", -1_500, 0);
    texas.formation = Formation::DoubleLine;
    // The Union seat places a Confederate regiment, and its own far out.
    let union = placing([("tx05", texas.clone()), ("me20", moved(&battle, "me20", -9_000, 0))]);
    let begun = deployed(&battle, [(seat(Side::Union), union)].into());
    assert_eq!(begun, deployed(&battle, Envelopes::new()));
    let own = deployed(&battle, [(seat(Side::Confederate), placing([("tx05", texas.clone())]))].into());
    assert_eq!(own.table.unit(&"tx05".into()).unwrap().footing.anchor, texas.anchor);
}

#[test]
fn scn_06_two_seats_of_a_side_place_their_own_and_make_way_as_printed_overlaps_do() {
    let mut seating = Seating::one_each();
    seating.commands.insert("robertson".into(), "hood".into());
    let scenario = crate::scenario::read(include_str!("../../../../scenarios/little_round_top.toml")).unwrap();
    let theatre = Theatre::new(Arc::new(scenario));
    let battle = muster(&theatre, Ruleset::standard(), &seating, &options());
    let spot = moved(&battle, "tx04", -1_500, 1_000);
    let alabama = orders::Placement { facing: spot.facing, ..spot.clone() };
    let envelopes: Envelopes = [
        ("hood".into(), placing([("tx04", spot.clone()), ("al04", printed(&battle, "al04"))])),
        (seat(Side::Confederate), placing([("al04", alabama)])),
    ]
    .into();
    let known = known(&battle, Side::Confederate);
    let legal = |seat: &str| legal_part(&known, Ruleset::standard(), &seat.into(), &envelopes[&seat.into()]);
    // Each is judged without the other: what one seat seals, the other may not learn from a refusal.
    assert_eq!(legal("hood").0.deployment.len(), 1);
    assert_eq!(legal("confederate").0.deployment.len(), 1);
    let begun = deploy(Ruleset::standard(), &battle, &seating, &options(), &envelopes, &setup_dice()).table;
    let (texas, alabama) = (begun.unit(&"tx04".into()).unwrap(), begun.unit(&"al04".into()).unwrap());
    assert!(!touch(&rects(texas), &rects(alabama)));
    // One has the place, the other has given way.
    let stay = [texas, alabama].iter().filter(|unit| unit.footing.anchor == spot.anchor).count();
    assert_eq!(stay, 1);
}

#[test]
fn scn_18_a_side_digs_as_many_inches_of_hasty_works_as_the_file_gives_it() {
    use protocol::orders::{FormTask, Work};
    let battle = mustered_on(|scenario| scenario.sides.union.hasty_works = 5_000);
    let dug_in = || UnitDraft {
        order: Some(Order::Form { task: FormTask::Work { work: Work::BuildHastyWorks, at: Vec::new() } }),
        ..UnitDraft::default()
    };
    let told_to =
        |ids: &[&str]| Draft { units: ids.iter().map(|id| ((*id).into(), dug_in())).collect(), ..Draft::default() };
    let known = known(&battle, Side::Union);
    let refusals = |seat: &SeatId, ids: &[&str]| {
        let (_, refusals) = legal_part(&known, Ruleset::standard(), seat, &told_to(ids));
        refusals.into_iter().map(|refusal| format!("{} {}", refusal.subject, refusal.rule)).collect::<Vec<_>>()
    };
    let union = seat(Side::Union);
    // Four stands of the 20th Maine and of the 44th New York are more than five inches together.
    assert!(refusals(&union, &["me20"]).is_empty());
    assert_eq!(refusals(&union, &["me20", "ny44"]), ["ny44 SCN-18"]);
    assert_eq!(refusals(&union, &["al15"]), ["al15 SCN-06"], "none of its own");
    let begun = deployed(&battle, [(union, told_to(&["me20"]))].into()).table;
    let unit = begun.unit(&"me20".into()).unwrap();
    let works = &begun.changes.built;
    let length = crate::geometry::polyline_length(&works[0].line);
    let frontage = unit.stand_width * unit.stands.len() as i32;
    assert_eq!(works.len(), 1);
    assert!((length - frontage).abs() <= 3, "{length} of {frontage}");
    // They face where it faces.
    let ahead = crate::geometry::Frame::new(unit.footing.anchor, unit.footing.facing).at(5_000, 0);
    let claims = begun.ground().claims(ahead, &rects(unit));
    assert!(claims.iter().any(|claim| claim.obstacle.kind.is_works() && claim.right_side));
}
