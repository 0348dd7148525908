use protocol::words::{Formation, Quality};

use super::*;
use crate::ground::Terrain;

fn rules() -> &'static Ruleset {
    Ruleset::standard()
}

/// The complaints about the standard text with one passage replaced.
fn complaints(before: &str, after: &str) -> Vec<Complaint> {
    assert!(STANDARD_TEXT.contains(before), "the tables do not hold {before:?}");
    Ruleset::parse(&STANDARD_TEXT.replacen(before, after, 1)).expect_err("it should be refused")
}

/// The line, from 1, on which a passage stands.
fn line_of(passage: &str) -> usize {
    let start = STANDARD_TEXT.find(passage).expect("the tables hold the passage");
    STANDARD_TEXT[..start].matches('\n').count() + 1
}

#[test]
fn the_embedded_tables_are_sound() {
    if let Err(complaints) = Ruleset::parse(STANDARD_TEXT) {
        let told: Vec<String> = complaints.iter().map(Complaint::to_string).collect();
        panic!("{}", told.join("\n"));
    }
}

#[test]
fn move_01_rates_of_a_line_a_column_and_a_mounted_column() {
    let rate = |branch, row, terrain| rules().rates(branch, row).and_then(|rates| rates.at(terrain));
    let line = FormationRow::from(Formation::SingleLine);
    assert_eq!(rate(Branch::Infantry, line, Terrain::Open), Some(Inches(6_000)));
    assert_eq!(rate(Branch::Infantry, line, Terrain::Rough), Some(Inches(1_000)));
    assert_eq!(rate(Branch::Artillery, FormationRow::Unlimbered, Terrain::Woods), Some(Inches(500)));
    let column = rules().rates(Branch::CavalryMounted, FormationRow::MarchColumn).expect("a row");
    assert_eq!(column.all().map(|rate| rate.map(Inches::thousandths)), [24, 16, 12, 4, 1].map(|n| Some(n * 1000)));
}

#[test]
fn move_01_what_is_absent_is_not_allowed() {
    let line = rules().rates(Branch::CavalryMounted, FormationRow::SingleLine).expect("a row");
    assert_eq!((line.road, line.rough), (None, None));
    let fortress = rules().rates(Branch::ArtilleryFortress, FormationRow::Emplaced).expect("a row");
    assert_eq!(fortress.all(), [None; 5]);
    assert!(rules().rates(Branch::Infantry, FormationRow::Limbered).is_none());
}

#[test]
fn decimals_are_exact() {
    assert_eq!(rules().scale.cavalry_stand_depth, Inches(1_333));
    assert_eq!(rules().scale.infantry_stand_width.at(2), Inches(625));
    assert_eq!(rules().small_arm["pistol"].close, Inches(250));
    assert_eq!(Inches(1_333).to_string(), "1.333");
    assert_eq!(Inches(-500).to_string(), "-0.5");
    assert_eq!(Inches(12_000).to_string(), "12");
}

#[test]
fn org_02_stand_width_is_three_eighths_and_an_eighth_a_figure() {
    for figures in 1..=5 {
        assert_eq!(rules().scale.infantry_stand_width.at(figures), Inches(375 + 125 * figures));
    }
}

#[test]
fn fire_05_a_share_is_rounded_down_once() {
    assert_eq!(Factor(500).floor_of(13), 6);
    assert_eq!(Factor(250).floor_of(13), 3);
    assert_eq!(Factor(500).of(Inches(1_333)), Inches(667));
    assert_eq!(Factor(500).of(Inches(-1_333)), Inches(-667));
}

#[test]
fn ranges_and_drms_of_weapons() {
    let rifle = &rules().small_arm["rifle_musket"];
    assert_eq!((rifle.close, rifle.normal, rifle.long), (Inches(2_000), Inches(4_000), Inches(12_000)));
    assert_eq!(rules().small_arm["smoothbore"].close_drm, 1);
    assert_eq!(rules().gun["gun_6"].drm, -1);
    assert_eq!(rules().gun["napoleon_12"].canister, Inches(3_000));
    assert_eq!(rules().weapon_trait.at(Loading::Repeater).extra_dice, 1);
    assert_eq!(rules().weapon_trait.at(Loading::Breechloader).out_of_ammo_faces, [5, 6]);
    assert_eq!(rules().gun_class.at(GunKind::Field).double_canister_dice, Some(3));
    assert_eq!(rules().gun_class.at(GunKind::Fortress).double_canister_dice, None);
}

#[test]
fn three_guns_are_heavy() {
    let heavy: Vec<&str> = rules().gun.iter().filter(|(_, gun)| gun.heavy).map(|(id, _)| id.as_str()).collect();
    assert_eq!(heavy, ["blakely_12", "james_12", "whitworth_12"]);
}

#[test]
fn dice_and_drms_of_a_fire() {
    let dice = &rules().dice;
    assert_eq!((dice.hold, dice.first_fire, dice.moved, dice.long_range, dice.blind_fire), (3, 3, 2, -1, -2));
    assert_eq!(*rules().firer_drm.quality.at(Quality::Elite), 1);
    assert_eq!(*rules().target_drm.quality.at(Quality::Militia), 1);
    assert_eq!(rules().flank_drm.full_flank.values().at(Chart::Musketry), 4);
    assert_eq!(rules().flank_drm.full_flank.values().at(Chart::Shot), 6);
    assert_eq!(rules().works.at(WorksGrade::Medium).target_drm.at(Chart::Shot), -5);
    let disorder = rules().effect(Branch::Infantry, FormationRow::Disorder).expect("a row");
    assert_eq!(
        (disorder.target_drm.at(Chart::Musketry), disorder.impact, disorder.fire),
        (3, Some(4), Some(Factor(500)))
    );
    let limbered = rules().effect(Branch::Artillery, FormationRow::Limbered).expect("a row");
    assert_eq!((limbered.fire, limbered.impact), (None, None));
}

#[test]
fn cover_against_shot_is_one_less() {
    let cover = &rules().cover_drm;
    let rows = [cover.wood_fence.values(), cover.stone_wall.values(), cover.woods.values()];
    let grades = [WorksGrade::Hasty, WorksGrade::Medium, WorksGrade::Heavy].map(|grade| rules().works.at(grade));
    for values in rows.into_iter().chain(grades.iter().flat_map(|works| [works.target_drm, works.wrong_side_drm])) {
        assert_eq!(values.shot, (values.musketry + 1).min(0));
    }
}

#[test]
fn crt_cells_that_the_book_shows() {
    let read = |figures, roll| rules().crt.read(Strength::Figures(figures), roll).map(|cell| cell.result);
    assert_eq!(read(32, 1), Some(CombatResult::MoraleCheck));
    assert_eq!(read(32, 3), Some(CombatResult::Star));
    assert_eq!(read(12, 13), Some(CombatResult::Killed(2)));
    assert_eq!(read(12, 10), Some(CombatResult::Killed(1)));
    assert_eq!(read(12, 16), Some(CombatResult::Killed(3)));
}

#[test]
fn crt_reads_down_to_the_row_and_column_it_reaches() {
    let crt = &rules().crt;
    let cell = crt.read(Strength::Figures(15), 21).expect("somebody fires");
    assert_eq!((cell.row, cell.column, cell.result), (14, 20, CombatResult::Killed(8)));
    let cell = crt.read(Strength::Figures(99), 40).expect("somebody fires");
    assert_eq!((cell.row, cell.column, cell.result), (32, 24, CombatResult::Killed(24)));
    assert_eq!(crt.read(Strength::Figures(12), 0), None);
    assert_eq!(crt.read(Strength::Figures(0), 9), None);
    assert_eq!(crt.read(Strength::Sections(0), 9), None);
}

#[test]
fn crt_sections_skip_the_row_without_a_number() {
    let read = |sections| rules().crt.read(Strength::Sections(sections), 12).map(|cell| (cell.row, cell.result));
    assert_eq!(read(2), Some((2, CombatResult::Killed(1))));
    assert_eq!(read(1), Some((1, CombatResult::Star)));
    assert_eq!(rules().crt.rows[9].sections, None);
}

#[test]
fn morale_numbers() {
    let bmp = [Quality::Elite, Quality::Veteran, Quality::Green, Quality::Militia].map(|q| rules().bmp.at(q));
    assert_eq!(bmp, [2, 3, 4, 5]);
    assert_eq!(rules().morale_modifier.behind_friendlies, -4);
    assert_eq!((rules().morale_if_hit.rear.fire, rules().morale_if_hit.rear.charge), (6, Some(9)));
    assert_eq!(rules().morale_if_hit.in_disorder.charge, None);
    assert_eq!(rules().works.heavy.morale, -3);
}

#[test]
fn lead_a_level_gives_as_much_morale_units_and_radius() {
    for level in 0..=3_u8 {
        let row = rules().leader_level.at(level);
        let number = i32::from(level);
        assert_eq!(
            (row.morale, row.units, row.radius, row.orders),
            (-number, number, Inches::whole(number), number.max(1))
        );
    }
}

#[test]
fn costs_are_shares_of_a_turn_or_inches() {
    let cost = &rules().cost;
    assert_eq!(cost.change_formation.of(Quality::Veteran), Price::Turn(Factor(500)));
    assert_eq!(cost.change_formation.of(Quality::Green), Price::Turn(Factor::ONE));
    assert_eq!(cost.front_to_flank.of(Quality::Elite), Price::Inch(Inches(2_000)));
    assert_eq!(cost.limber_or_unlimber_siege.of(Quality::Elite), Price::Turn(Factor(3_000)));
}

#[test]
fn off_10_each_face_is_one_wound() {
    let kinds = [1, 2, 3, 4, 5, 6].map(|face| rules().officer_wound.by_face(face).0);
    use WoundKind::{Dead, Minor, Serious};
    assert_eq!(kinds, [Minor, Serious, Serious, Dead, Dead, Dead]);
}

#[test]
fn provenance_of_a_cell_a_row_and_a_column_entry() {
    let militia = rules().provenance("firer_drm.quality.militia").expect("an origin");
    assert_eq!(militia.kind, Kind::Reconstructed);
    let elite = rules().provenance("firer_drm.quality.elite").expect("an origin");
    assert_eq!((elite.kind, elite.lines.as_deref()), (Kind::Printed, Some("186-190,732,1069-1072")));
    let pistol = rules().provenance("small_arm.pistol.close").expect("an origin");
    assert_eq!((pistol.kind, pistol.source.as_deref()), (Kind::Public, Some("custom_qrs")));
    let melee = rules().provenance("formation_effect.infantry.attack_column.melee").expect("an origin");
    assert_eq!(melee.kind, Kind::Reconstructed);
    assert!(rules().provenance("no_such_table.cell").is_none());
}

#[test]
fn a_conflict_tells_the_reading_that_is_played() {
    let conflict = rules().conflict_of("movement_limits.wheel_measure").expect("the book contradicts itself");
    assert_eq!(conflict.chosen, "chord");
    assert_eq!(rules().movement_limits.wheel_measure, WheelMeasure::Chord);
    assert!(rules().conflict_of("dice.hold").is_none());
}

#[test]
fn an_unknown_key_is_refused_with_line_and_column() {
    let found = complaints("hold = 3\n", "hold = 3\n  ambush = 3\n");
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].line, found[0].column), (line_of("hold = 3\n") + 1, 3), "{}", found[0]);
    assert!(found[0].text.contains("unknown field `ambush`"), "{}", found[0]);
}

#[test]
fn an_unknown_formation_is_refused() {
    let found = complaints("[movement.infantry.march_column]", "[movement.infantry.conga_line]");
    assert_eq!(found[0].line, line_of("[movement.infantry.march_column]"), "{}", found[0]);
    assert!(found[0].text.contains("conga_line"), "{}", found[0]);
}

#[test]
fn a_wrong_type_is_refused_with_line_and_column() {
    let found = complaints("close_range = 1 ", "close_range = \"one\" ");
    assert_eq!((found[0].line, found[0].column), (line_of("close_range = 1 "), 15), "{}", found[0]);
    assert!(found[0].text.contains("invalid type"), "{}", found[0]);
}

#[test]
fn a_length_without_its_decimal_point_or_with_too_many_places_is_refused() {
    let whole = complaints("primary_depth = 12.0", "primary_depth = 12");
    assert!(whole[0].text.contains("decimal"), "{}", whole[0]);
    let fine = complaints("primary_depth = 12.0", "primary_depth = 12.00001");
    assert!(fine[0].text.contains("decimal"), "{}", fine[0]);
    assert_eq!(fine[0].line, line_of("primary_depth = 12.0"));
}

#[test]
fn a_missing_key_is_refused_where_its_table_stands() {
    let found = complaints("first_fire = 3\n", "");
    assert!(found[0].text.contains("missing field `first_fire`"), "{}", found[0]);
    assert_eq!(found[0].line, line_of("[dice]\n"), "{}", found[0]);
}

#[test]
fn bad_toml_is_refused_with_its_line() {
    let found = complaints("hold = 3\n", "hold = = 3\n");
    assert_eq!(found[0].line, line_of("hold = 3\n"), "{}", found[0]);
}

#[test]
fn every_number_that_makes_no_sense_is_told_at_once() {
    let text = STANDARD_TEXT
        .replacen("close = 2.0, normal = 4.0, long = 12.0", "close = 5.0, normal = 4.0, long = 12.0", 1)
        .replacen("double_line = { open = 7.0, broken = 5.0", "double_line = { open = 5.0, broken = 5.5", 1)
        .replacen("horse_hit_faces = [1, 2, 3, 4]", "horse_hit_faces = [1, 2, 3, 7]", 1);
    let found = Ruleset::parse(&text).expect_err("three numbers make no sense");
    let told: Vec<String> = found.iter().map(Complaint::to_string).collect();
    let expected = [
        ("double_line = { open = 7.0", "faster in harder ground"),
        ("double_line = { open = 7.0", "does not divide"),
        ("rifle_musket = ", "ranges that do not rise"),
        ("horse_hit_faces", "faces of a die"),
    ];
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for (complaint, (passage, text)) in found.iter().zip(expected) {
        assert!(complaint.text.contains(text), "{complaint}");
        assert_eq!((complaint.line, complaint.column), (line_of(passage), 1), "{complaint}");
    }
}

#[test]
fn a_crt_that_is_not_monotone_is_refused() {
    let found = complaints(r#"["MC", "1*", "1*",  "1",  "1",  "2""#, r#"["MC", "1*", "1*",  "3",  "1",  "2""#);
    assert!(
        found.iter().any(|complaint| complaint.text.contains("`crt.32.5` is 1, less than the 3 of a lower roll")),
        "{found:?}"
    );
    let found = complaints(
        "{ figures = 24, sections = 14, values = [\"--\",",
        "{ figures = 24, sections = 14, values = [\"1\",",
    );
    assert!(found.iter().any(|complaint| complaint.text.contains("lets 24 figures beat 32")), "{found:?}");
}

#[test]
fn a_row_that_the_rules_need_is_missed() {
    let line = "square = { open = 0.0, broken = 0.0, woods = 0.0, rough = 0.0, ";
    let start = STANDARD_TEXT.find(line).expect("the row");
    let end = start + STANDARD_TEXT[start..].find('\n').expect("a line's end");
    let text = format!("{}{}", &STANDARD_TEXT[..start], &STANDARD_TEXT[end..]);
    let found = Ruleset::parse(&text).expect_err("a row is missing");
    assert!(found.iter().any(|fault| fault.text == "`movement.infantry.square` is missing"), "{found:?}");
}

#[test]
fn a_conflict_that_names_no_value_is_refused() {
    let found = complaints("values = [\"cost.dismount\"]", "values = [\"cost.dismantle\"]");
    assert!(found[0].text.contains("cost.dismantle"), "{found:?}");
}

#[test]
fn the_hash_follows_the_numbers_and_nothing_else() {
    let hash = |before: &str, after: &str| {
        assert!(STANDARD_TEXT.contains(before));
        Ruleset::parse(&STANDARD_TEXT.replacen(before, after, 1)).expect("a sound ruleset").hash
    };
    let standard = &rules().hash;
    assert_eq!(standard.len(), 64);
    assert_eq!(hash("[dice]\n", "[dice] # how many dice\n"), *standard);
    assert_eq!(hash("note = \"speed of a line\"", "note = \"as a line\""), *standard);
    assert_eq!(hash("min = 1\nmax = 6\n", "max = 6\nmin = 1\n"), *standard);
    assert_ne!(hash("hold = 3\n", "hold = 4\n"), *standard);
    assert_ne!(hash("primary_depth = 12.0", "primary_depth = 12.001"), *standard);
}

#[test]
fn rows_that_the_book_makes_equal_are_equal() {
    let rates = |branch, row| rules().rates(branch, row).map(Rates::all).expect("a row");
    let foot = |row| rates(Branch::Infantry, row);
    assert_eq!(rates(Branch::OfficerMounted, FormationRow::Any), rates(Branch::CavalryMounted, FormationRow::Disorder));
    assert_eq!(rates(Branch::OfficerFoot, FormationRow::Any), foot(FormationRow::SkirmishLine));
    assert_eq!(rates(Branch::Sharpshooter, FormationRow::SkirmishLine), foot(FormationRow::SkirmishLine));
    assert_eq!(rates(Branch::CavalryDismounted, FormationRow::DismountedLine), foot(FormationRow::ExtendedLine));
    assert_eq!(rates(Branch::ArtilleryCrew, FormationRow::Routed), foot(FormationRow::Routed));
    assert_eq!(foot(FormationRow::BrigadeColumn), foot(FormationRow::SingleLine));
    assert_eq!(foot(FormationRow::AttackColumn), foot(FormationRow::DoubleLine));
}
