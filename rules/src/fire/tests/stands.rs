//! Which stands fire and which are struck, where a test of a whole fire would not show the difference.

use protocol::event::Fact;
use protocol::ids::Side;
use protocol::words::{Flank, Formation};

use super::{HOLD, Occasion, Officers, blue, fired, grey, laid, lay, reckoned, shot, volley_dice};
use crate::catalogue::{AMMO_01, AMMO_07, FIRE_23, FORM_18, TAC_04, TAC_18, TAC_22, TAC_26};
use crate::dice::Purpose;
use crate::field::Field;
use crate::fire::{Stands, may_fire};
use crate::ruleset::{Ruleset, Strength};
use crate::settle::Happening;
use crate::testing::{Maker, battery, ix, open_ground, table};

/// Sixteen figures in line, the right stand bent back to face north-east: its front runs from (31317, 29817) to
/// (31936, 29198), and the front of the line ends at x = 30875.
fn refused() -> Maker {
    blue("a", 16).with(|unit| unit.footing.refused = Some(Flank::Right))
}

#[test]
fn enf_12_a_refused_stand_joins_a_fire_and_does_not_open_one() {
    // Due east at y = 30 lies outside the line's ray, and between the bent stand's rays, which run north and east.
    let east = battery("b", Side::Confederate).at(36_500, 30_000).facing(27_000);
    let table = table(open_ground(), [refused(), east]);
    let field = Field::before_dice(Ruleset::standard(), &table);
    let refusal = lay(&field, &shot(&table, "a", "b", &HOLD, Occasion::Hold), &Officers::Present).err();
    assert_eq!(refusal.map(|reason| reason.rule), Some(FIRE_23));
}

#[test]
fn enf_12_a_refused_stand_fires_only_into_its_own_zones() {
    // Straight ahead the centres of the enemy's stands lie at x = 28.875 to 31.125, west of the bent stand's ray: three
    // stands of four fire. Two and a half inches farther east they lie beyond it: all fire.
    let figures = |x: i32| reckoned(vec![refused(), grey("b", 12, 0).at(x, 33_000)], "a", "b").2;
    assert_eq!(figures(30_000), Strength::Figures(12));
    assert_eq!(figures(32_500), Strength::Figures(16));
}

#[test]
fn form_22_a_column_fires_to_its_side_from_its_whole_length() {
    // Twelve figures in column are 2.5 inches long; guns stand close beside the tail, at y = 27.6. From the head alone the
    // ray would have come no farther south than y = 28.2 there. Half of the figures fire to a side.
    let column = blue("a", 12).formation(Formation::MarchColumn);
    let beside = battery("b", Side::Confederate).at(31_000, 27_600).facing(27_000);
    assert_eq!(reckoned(vec![column, beside], "a", "b").2, Strength::Figures(6));
}

#[test]
fn form_17_skirmishers_do_not_screen_skirmishers() {
    // One skirmish line before another, an inch and a half apart: the one behind stays the target.
    let line = |id: &str, north: i32| grey(id, 16, north).formation(Formation::SkirmishLine);
    let field = table(open_ground(), [blue("a", 12), line("s", 3_500), line("t", 3_500 + 625 + 1_500)]);
    let one = laid(&field, &shot(&field, "a", "t", &HOLD, Occasion::Hold));
    assert_eq!(field[one.shot.target].id.as_str(), "t");
}

#[test]
fn form_18_whoever_shares_a_loss_is_not_struck_again_behind_the_target() {
    // At 1.9 inches muskets pass two inches beyond a target, and the line an inch behind the skirmishers shares their loss.
    // 4 dice of HOLD at close range: 16 is three, halved to one for each; a second hit would be half of three.
    let skirmishers = grey("s", 16, 1_900).formation(Formation::SkirmishLine);
    let field = table(open_ground(), [blue("a", 12), skirmishers, grey("t", 16, 1_900 + 625 + 1_000)]);
    let reckoned = laid(&field, &shot(&field, "a", "s", &HOLD, Occasion::Hold));
    assert_eq!((reckoned.sharers.len(), reckoned.dice_count()), (1, 4));
    let came = fired(field, 7, volley_dice("a", &[4, 4, 4, 4]), &[("a", "s", HOLD, Occasion::Hold)]);
    assert_eq!((came.left("s"), came.left("t")), (15, 15));
    let hits = |unit: &str| {
        let unit = ix(&came.battle.table, unit);
        came.happenings.iter().filter(|it| matches!(it, Happening::FiredOn(fire) if fire.unit == unit)).count()
    };
    assert_eq!((hits("s"), hits("t")), (1, 1));
}

#[test]
fn arty_36_a_horse_lost_behind_the_target_forces_a_check_as_a_figure_does() {
    // Shot at ten inches: 15 of two sections kills two, half of it is one for the limbers an inch behind, and a die of 1
    // makes it a horse. FIRE-16
    let limbers = battery("c", Side::Confederate).formation(Formation::Limbered).at(30_000, 41_625).facing(18_000);
    let guns = battery("a", Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true);
    let dice =
        volley_dice("a", &[5, 5, 5]).with(Purpose::PenDepth, &["a"], &[3]).with(Purpose::ArtyHorse, &["a", "c"], &[1]);
    let field = table(open_ground(), [guns, grey("b", 12, 10_000), limbers]);
    let came = fired(field, 7, dice, &[("a", "b", HOLD, Occasion::Hold)]);
    let unit = ix(&came.battle.table, "c");
    let hit = came.happenings.iter().find_map(|happening| match happening {
        Happening::FiredOn(fire) if fire.unit == unit => Some((fire.figures, fire.horses, fire.forces_hit_check)),
        _ => None,
    });
    assert_eq!(hit, Some((0, 1, true)));
    // RALLY-26 asks in the next turn whether it was lost in this one.
    let guns = came.battle.table[unit].guns.as_ref().expect("a battery has guns");
    assert_eq!((guns.horses, guns.horse_lost_in), (1, Some(came.battle.table.turn)));
}

#[test]
fn form_29_a_target_in_disorder_is_named_so() {
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000).disordered()]);
    let laid = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
    assert!(laid.modifiers.terms().iter().any(|term| term.1 == "target in disorder"), "{:?}", laid.modifiers);
}

/// The rules that the notes of a volley of `a` name.
fn notes(units: Vec<Maker>, target: &str, stands: Stands, faces: &[u8]) -> Vec<String> {
    let table = table(open_ground(), units);
    let mut one = shot(&table, "a", target, &HOLD, Occasion::Hold);
    one.firers[0].stands = stands;
    let dice = volley_dice("a", faces);
    let mut play = crate::play::Play::new(
        Ruleset::standard(),
        &dice,
        crate::testing::battle(table),
        protocol::orders::Stage::Movement,
    );
    play.phase = 7;
    super::shoot(&mut play, vec![one]);
    play.events[0].explanation.notes.iter().map(|note| note.rule.to_string()).collect()
}

#[test]
fn tac_26_and_form_18_are_named_by_the_volley() {
    let screened = blue("a", 16).formation(Formation::LineWithSkirmishers);
    let by_screen = notes(vec![screened, grey("b", 12, 5_000)], "b", Stands::Screen, &[1, 1]);
    assert!(by_screen.contains(&TAC_26.to_string()), "{by_screen:?}");
    let skirmishers = grey("s", 16, 8_000).formation(Formation::SkirmishLine);
    let shared = vec![blue("a", 12), skirmishers, grey("t", 16, 8_000 + 625 + 1_500)];
    let shared = notes(shared, "s", Stands::All, &[1, 1]);
    assert!(shared.contains(&FORM_18.to_string()), "{shared:?}");
    let unshared = notes(vec![blue("a", 12), grey("b", 12, 8_000)], "b", Stands::All, &[1, 1]);
    assert!(!unshared.contains(&FORM_18.to_string()) && !unshared.contains(&TAC_26.to_string()), "{unshared:?}");
}

/// What `a` did to `b`, a line with skirmishers five inches off, of whose screen so many figures are left: the figures told,
/// and the rules named by the notes of the volley and of the loss.
fn at_a_screen(screen: u32, faces: &[u8]) -> (u32, Vec<String>, Vec<String>) {
    let target =
        grey("b", 16, 5_000).formation(Formation::LineWithSkirmishers).with(|unit| unit.stands[3].figures = screen);
    let table = table(open_ground(), [blue("a", 12), target]);
    let one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    let dice = volley_dice("a", faces);
    let battle = crate::testing::battle(table);
    let mut play = crate::play::Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
    play.phase = 7;
    super::shoot(&mut play, vec![one]);
    let named = |n: usize| play.events[n].explanation.notes.iter().map(|note| note.rule.to_string()).collect();
    let Fact::Volley { figures, .. } = play.events[0].fact else { panic!("the volley is told first") };
    (figures, named(0), named(1))
}

#[test]
fn tac_18_and_tac_22_a_volley_at_a_screen_tells_who_takes_it_and_whether_it_is_gone() {
    // The screen is three to four inches off: three dice. 12 kills two, halved to one of four.
    let (figures, volley, loss) = at_a_screen(4, &[4, 4, 4]);
    assert!(figures == 1 && volley.contains(&TAC_18.to_string()), "{figures} {volley:?}");
    assert!(!loss.contains(&TAC_22.to_string()), "{loss:?}");
    // 17 kills four, halved to two; the screen has one left, and is gone with it.
    let (figures, volley, loss) = at_a_screen(1, &[6, 6, 5]);
    assert!(figures == 1 && volley.contains(&TAC_18.to_string()), "{figures} {volley:?}");
    assert!(loss.contains(&TAC_22.to_string()), "{loss:?}");
    // A volley at the body of a plain line tells nothing of the kind.
    assert!(
        !notes(vec![blue("a", 12), grey("b", 12, 3_000)], "b", Stands::All, &[1, 1, 2]).contains(&TAC_18.to_string())
    );
}

#[test]
fn tac_04_only_fast_loaders_as_a_target_are_a_modifier() {
    let named = |weapon: &str| {
        let table = table(open_ground(), [blue("a", 12), grey("b", 12, 3_000).weapon(weapon)]);
        let laid = laid(&table, &shot(&table, "a", "b", &HOLD, Occasion::Hold));
        laid.modifiers.terms().iter().any(|term| term.0 == TAC_04)
    };
    assert_eq!((named("breech_rifle"), named("rifle_musket")), (true, false));
}

#[test]
fn fire_17_the_die_of_a_possible_casualty_is_shown() {
    // 8 of twelve figures is 1*.
    let table = table(open_ground(), [blue("a", 12), grey("b", 12, 2_000)]);
    let one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    let dice = volley_dice("a", &[2, 2, 2, 2]).with(Purpose::FireConfirm, &["a", "b"], &[4]);
    let battle = crate::testing::battle(table);
    let mut play = crate::play::Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
    play.phase = 7;
    super::shoot(&mut play, vec![one]);
    let shown: Vec<_> = play.events.iter().flat_map(|event| &event.explanation.dice).map(|dice| &dice.faces).collect();
    assert!(shown.contains(&&vec![2, 2, 2, 2]) && shown.contains(&&vec![4]), "{shown:?}");
}

#[test]
fn ammo_07_batteries_that_fired_as_one_run_out_as_one() {
    let rules = |both: bool| {
        let guns =
            |id: &str, x: i32| battery(id, Side::Union).at(x, 30_000).with(|unit| unit.opening_volley_used = true);
        let table = table(open_ground(), [guns("a", 30_000), guns("c", 31_500), grey("b", 16, 10_000)]);
        let mut one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
        if both {
            one.firers.extend(shot(&table, "c", "b", &HOLD, Occasion::Hold).firers);
        }
        let dice = volley_dice("a", &[6, 6, 6]).with(Purpose::PenDepth, &["a"], &[1]);
        let battle = crate::testing::battle(table);
        let mut play = crate::play::Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
        play.phase = 7;
        super::shoot(&mut play, vec![one]);
        let out = play.events.iter().filter(|event| matches!(event.fact, Fact::Ammunition { out: true, .. }));
        out.map(|event| event.rule).collect::<Vec<_>>()
    };
    assert_eq!((rules(false), rules(true)), (vec![AMMO_01], vec![AMMO_07, AMMO_07]));
}

#[test]
fn fire_02_who_is_able_to_fire_at_all() {
    let refused = |change: fn(&mut crate::battle::Unit)| {
        let unit = blue("a", 12).with(change).unit();
        may_fire(&unit, &HOLD, Occasion::Hold).err().map(|reason| reason.rule.to_string())
    };
    assert_eq!(refused(|_| ()), None);
    assert_eq!(refused(|unit| unit.morale = protocol::event::Morale::Shaken), None);
    assert_eq!(refused(|unit| unit.morale = protocol::event::Morale::Routed).as_deref(), Some("FIRE-02"));
    assert_eq!(refused(|unit| unit.footing.prone = true).as_deref(), Some("TAC-09"));
    assert_eq!(refused(|unit| unit.marks.in_melee = true).as_deref(), Some("MEL-21"));
    assert_eq!(refused(|unit| unit.marks.beaten = true).as_deref(), Some("MEL-21"));
    assert_eq!(refused(|unit| unit.marks.fires = 1).as_deref(), Some("HOLDF-05"));
}

/// The rocks of Little Round Top are a stone wall for Vincent's men who have held their ground a turn, and a morale check
/// counts them as cover. MOR-54
#[test]
fn scns_08_cover_by_a_special_rule_is_cover_for_morale_too() {
    let text = include_str!("../../../../scenarios/little_round_top.toml");
    let scenario = crate::scenario::read(text).expect("the scenario is sound");
    let theatre = crate::battle::Theatre::new(std::sync::Arc::new(scenario));
    let seating = crate::setup::Seating::one_each();
    let nothing = protocol::ids::BySide::default();
    let mut table = crate::setup::start(&theatre, Ruleset::standard(), &seating, &Default::default(), &nothing).table;
    let unit = ix(&table, "ny44");
    // The bare summit, well above 99 feet and in no woods, faced to the west.
    let summit = protocol::place::Point::new(38_800, 25_200);
    table[unit].footing.anchor = summit;
    table[unit].footing.facing = protocol::place::Bearing::WEST;
    let west = protocol::place::Point::new(summit.x - 8_000, summit.y);
    for held_turns in [0, 1] {
        table[unit].carried.held_turns = held_turns;
        let field = Field::before_dice(Ruleset::standard(), &table);
        let cover = crate::fire::cover::cover(&field, unit, west, crate::ruleset::Chart::Musketry, 0);
        assert_eq!(cover.behind, held_turns == 1);
    }
}

#[test]
fn pen_01_the_die_of_the_depth_is_shown() {
    let guns = battery("a", Side::Union).at(30_000, 30_000).with(|unit| unit.opening_volley_used = true);
    let table = table(open_ground(), [guns, grey("b", 12, 10_000)]);
    let one = shot(&table, "a", "b", &HOLD, Occasion::Hold);
    let dice = volley_dice("a", &[3, 3, 2]).with(Purpose::PenDepth, &["a"], &[5]);
    let battle = crate::testing::battle(table);
    let mut play = crate::play::Play::new(Ruleset::standard(), &dice, battle, protocol::orders::Stage::Movement);
    play.phase = 7;
    super::shoot(&mut play, vec![one]);
    let shown: Vec<_> = play.events.iter().flat_map(|event| &event.explanation.dice).map(|dice| &dice.faces).collect();
    assert!(shown.contains(&&vec![5]), "{shown:?}");
}
