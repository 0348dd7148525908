//! The order of battle of a scenario: commanders, units, batteries, wagons, and where they stand at the start.
//!
//! Owns these tables of the file and the checks that one of them needs by itself. It never compares tables with
//! each other: that is `check`. Losses before the start, formations and states are given here (SCN-08, SCN-09).

use protocol::ids::{LeaderId, Side, UnitId};
use protocol::place::{Bearing, Point};
use protocol::words::{Arm, Formation, Quality};
use serde::{Deserialize, Serialize};

use super::entry::{Entry, Names, shorten};
use super::fault::{nearest, quoted};
use crate::battle::Post;
use crate::ruleset::{GunKind, Ruleset};

/// Small arms that a unit may carry, as `small_arm` of the tables names them. SCN-09
pub const WEAPONS: [&str; 12] = [
    "rifle_musket",
    "smoothbore",
    "mixed_musket",
    "flintlock",
    "pistol",
    "shotgun",
    "muzzle_carbine",
    "breech_carbine",
    "sharpshooter_rifle",
    "breech_rifle",
    "repeating_rifle",
    "repeating_carbine",
];

/// Guns that a battery may have, as `gun` of the tables names them.
pub const GUNS: [&str; 28] = [
    "napoleon_12",
    "gun_6",
    "rifle_20",
    "mixed",
    "siege_parrott_30",
    "siege_rifle_4_5in",
    "siege_smooth_18",
    "siege_smooth_24",
    "siege_howitzer_8in",
    "siege_mixed",
    "fort_smooth_32",
    "fort_smooth_42",
    "fort_columbiad_8in",
    "fort_columbiad_10in",
    "fort_columbiad_15in",
    "rifle_10_or_3in",
    "whitworth_12",
    "whitworth_6",
    "james_12",
    "wiard_6",
    "wiard_10",
    "blakely_12",
    "armstrong_3in",
    "howitzer_12",
    "howitzer_24",
    "mountain_howitzer",
    "fort_parrott_100",
    "fort_parrott_200",
];

/// The arm that a commander helps. LEAD-10
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaderArm {
    /// Helps foot.
    Infantry,
    /// Helps horse.
    Cavalry,
    /// Helps guns.
    Artillery,
    /// A division or corps commander: counts as infantry.
    General,
}

/// A commander of the order of battle. ORG-11, LEAD-10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commander {
    /// His post's word, which outlives him.
    pub id: LeaderId,
    /// His side.
    pub side: Side,
    /// The man who holds the post at the start.
    pub name: String,
    /// What he commands.
    pub post: Post,
    /// What his command is called, such as "Vincent's Brigade".
    pub command: String,
    /// His level, 0 to 3. LEAD-02
    pub level: u8,
    /// The arm he helps.
    pub arm: LeaderArm,
    /// His superior, if one is on the table.
    pub under: Option<LeaderId>,
    /// Where he stands at the start; none when he comes with an arrival.
    pub at: Option<Point>,
    /// Units of his division or corps need no link to him. CMD-08, SCN-10
    pub out_of_command: bool,
}

/// Where a unit stands at the start: the anchor, the middle of its front. FORM-03
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// The anchor.
    pub at: Point,
    /// Where it faces.
    pub facing: Bearing,
}

/// The morale a unit starts in. SCN-08
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StartMorale {
    /// As all units unless the file says otherwise.
    #[default]
    Good,
    /// Shaken.
    Shaken,
    /// Routed.
    Routed,
}

/// What a unit begins with that is not the default. SCN-08
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StartState {
    /// Its morale.
    pub morale: StartMorale,
    /// Whether it is in disorder.
    pub disorder: bool,
    /// Stands or sections lost already, which count as lost for morale. MOR-18
    pub lost: u32,
    /// Whether it lies down.
    pub prone: bool,
    /// Whether cavalry is in the saddle.
    pub mounted: bool,
    /// Whether its opening volley is spent. FIRE-20
    pub opening_volley_used: bool,
    /// Whether it has had its first casualty. MOR-10
    pub first_casualty_taken: bool,
    /// Whether it begins out of ammunition. AMMO-01
    pub out_of_ammunition: bool,
    /// Whether it is of engineers or pioneers, or has a company of them with it. OBS-05
    #[serde(default)]
    pub engineers: bool,
}

/// What a unit is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Strength {
    /// Foot, horse and sharpshooters.
    Stands {
        /// Men, for reading and for the campaign's record.
        men: u32,
        /// Figures on each stand in the order in which the stands are lost. ORG-03
        stands: Vec<u32>,
        /// The small arm, a name of [`WEAPONS`].
        weapon: String,
        /// Cavalry: pistols. CAV-31
        pistols: bool,
        /// Cavalry: shotguns. CAV-32
        shotguns: bool,
    },
    /// Guns.
    Guns {
        /// Guns at full strength.
        guns: u32,
        /// Sections at full strength. ORG-08
        sections: u32,
        /// Sections at the start, fewer when some were lost before the battle. SCN-08
        start_sections: u32,
        /// The gun, a name of [`GUNS`].
        gun: String,
        /// The pieces in words.
        pieces: String,
        /// Canister charges. AMMO-10
        canister: u32,
        /// The ship on which they stand. ARTY-56
        #[serde(default)]
        ship: Option<String>,
    },
}

/// A regiment, battalion, detachment or battery of the order of battle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Force {
    /// Its word.
    pub id: UnitId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its arm.
    pub arm: Arm,
    /// Its commander. The brigade is that of the commander, if his post is a brigade.
    pub under: LeaderId,
    /// The regiment of which it is a battalion, with that regiment's men. ORG-04
    pub regiment: Option<(String, u32)>,
    /// Its quality. MOR-41
    pub quality: Quality,
    /// Its basic morale point where it is not that of its quality. MOR-42
    pub bmp: Option<u8>,
    /// Stands or guns.
    pub strength: Strength,
    /// Who led it, for reading.
    pub leader: String,
    /// Where it stands at the start; none when it comes with an arrival.
    pub standing: Option<Standing>,
    /// The formation it starts or arrives in.
    pub formation: Formation,
    /// What else it begins with.
    pub state: StartState,
    /// Takes part only when the game says so. SCN-12
    pub optional: bool,
    /// The regiment that these sharpshooters have joined. SHARP-11
    #[serde(default)]
    pub attached_to: Option<UnitId>,
}

impl Force {
    /// Figures at full strength; none for guns.
    pub fn figures(&self) -> u32 {
        match &self.strength {
            Strength::Stands { stands, .. } => stands.iter().sum(),
            Strength::Guns { .. } => 0,
        }
    }

    /// Men, as the file gives them; none for guns.
    pub fn men(&self) -> u32 {
        match &self.strength {
            Strength::Stands { men, .. } => *men,
            Strength::Guns { .. } => 0,
        }
    }

    /// Sections at full strength; none for foot and horse.
    pub fn sections(&self) -> u32 {
        match &self.strength {
            Strength::Stands { .. } => 0,
            Strength::Guns { sections, .. } => *sections,
        }
    }
}

/// An ammunition wagon. AMMO-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wagon {
    /// Its word.
    pub id: UnitId,
    /// Its side.
    pub side: Side,
    /// Where it stands.
    pub at: Point,
}

/// Figures on the stands in the order in which they are lost: smaller, larger, smaller ..., then the rest. ORG-03
pub fn loss_order(figures: u32, stands: u32) -> Vec<u32> {
    let Some(small) = figures.checked_div(stands) else { return Vec::new() };
    let (mut larger, mut smaller) = (figures % stands, stands - figures % stands);
    let mut order = Vec::new();
    let mut smaller_next = true;
    while 0 < smaller + larger {
        let take_smaller = if smaller == 0 || larger == 0 { 0 < smaller } else { smaller_next };
        if take_smaller {
            smaller -= 1;
            order.push(small);
        } else {
            larger -= 1;
            order.push(small + 1);
        }
        smaller_next = !take_smaller;
    }
    order
}

/// Reads one `[[commander]]`.
pub(super) fn commander(mut e: Entry<'_, '_>) -> Commander {
    let id = e.id("id");
    let post: Post = e.word("post");
    let default_arm = match post {
        Post::Brigade => LeaderArm::Infantry,
        Post::Division | Post::Corps | Post::Army => LeaderArm::General,
    };
    let commander = Commander {
        side: e.word("side"),
        name: e.text("name"),
        command: e.text("command"),
        level: e.int("level", 0..=3).unsigned_abs() as u8,
        arm: e.word_or("arm", default_arm),
        under: e.opt_name("under", Names::Commander).map(LeaderId::new),
        at: e.opt_point("at"),
        out_of_command: e.flag("out_of_command", false),
        id: LeaderId::new(id),
        post,
    };
    e.opt_text("note");
    e.finish();
    commander
}

/// Reads one `[[unit]]`.
pub(super) fn unit(mut e: Entry<'_, '_>) -> Force {
    let id = e.id("id");
    let arm: Arm = match e.word::<FootOrHorse>("arm") {
        FootOrHorse::Infantry => Arm::Infantry,
        FootOrHorse::Cavalry => Arm::Cavalry,
        FootOrHorse::Sharpshooter => Arm::Sharpshooter,
    };
    let men = e.int("men", 1..=3000).unsigned_abs();
    let figures = e.int("figures", 1..=20).unsigned_abs();
    let stands = stands(&mut e, arm, figures);
    if 30 <= men.abs_diff(figures * 30) {
        let what = format!("{men} men are not {figures} figures");
        e.fault(e.place_of("figures"), what, "a figure is thirty men (ORG-01)");
    }
    let regiment = e.opt_text("regiment");
    let regiment_men = e.opt_int("regiment_men", 1..=9000).map(i32::unsigned_abs);
    if regiment.is_some() != regiment_men.is_some() {
        e.fault(e.at, "`regiment` and `regiment_men` belong together", "give both, or neither");
    }
    let weapon = known_name(&mut e, "weapon", &WEAPONS);
    let strength = Strength::Stands {
        men,
        stands,
        weapon,
        pistols: e.flag("pistols", arm == Arm::Cavalry),
        shotguns: e.flag("shotguns", false),
    };
    let (standing, formation) = standing(&mut e, default_formation(arm));
    let fits = match arm {
        // A brigade column is formed in play. TAC-27
        Arm::Infantry => !matches!(
            formation,
            Formation::DismountedLine | Formation::Limbered | Formation::Unlimbered | Formation::BrigadeColumn
        ),
        Arm::Cavalry => matches!(
            formation,
            Formation::SingleLine
                | Formation::DoubleLine
                | Formation::SkirmishLine
                | Formation::MarchColumn
                | Formation::DismountedLine
        ),
        _ => formation == Formation::SkirmishLine,
    };
    if !fits {
        let what = format!("no {arm} stands in {formation}");
        e.fault(e.place_of("formation"), what, "use a formation of its arm (FORM-01, CAV-01, CAV-02)");
    }
    let mounted = formation != Formation::DismountedLine;
    let state = state(&mut e, arm, mounted, 3);
    finish_force(e, id, arm, regiment.zip(regiment_men), strength, standing, formation, state)
}

/// Reads one `[[battery]]`.
pub(super) fn battery(mut e: Entry<'_, '_>) -> Force {
    let id = e.id("id");
    let guns = e.int("guns", 1..=12).unsigned_abs();
    let sections = e.int("sections", 1..=6).unsigned_abs();
    if sections != guns.div_ceil(2) {
        let what = format!("{guns} guns are not {sections} sections");
        e.fault(e.place_of("sections"), what, format!("two guns are a section: {} (ORG-08)", guns.div_ceil(2)));
    }
    let start_sections = e.opt_int("start_sections", 1..=6).map_or(sections, i32::unsigned_abs);
    if sections < start_sections {
        e.fault(e.place_of("start_sections"), "more sections at the start than it has", "give fewer, or leave it out");
    }
    let gun = known_name(&mut e, "gun", &GUNS);
    let ship = e.opt_text("ship");
    let is_fortress_gun = Ruleset::standard().gun.get(&gun).is_some_and(|row| row.class == GunKind::Fortress);
    if ship.is_some() && !gun.is_empty() && !is_fortress_gun {
        let what = format!("`{}` is no gun of a ship", shorten(&gun));
        e.fault(e.place_of("gun"), what, "give a fortress gun, which stands for naval guns (ARTY-56)");
    }
    let strength = Strength::Guns {
        guns,
        sections,
        start_sections,
        gun,
        pieces: e.text_or_empty("pieces"),
        canister: e.opt_int("canister", 0..=20).map_or(2, i32::unsigned_abs),
        ship,
    };
    let limbered = e.flag("limbered", false);
    let standing = place(&mut e);
    let formation = if limbered { Formation::Limbered } else { Formation::Unlimbered };
    let state = state(&mut e, Arm::Artillery, false, 5);
    finish_force(e, id, Arm::Artillery, None, strength, standing, formation, state)
}

/// Reads one `[[wagon]]`.
pub(super) fn wagon(mut e: Entry<'_, '_>) -> Wagon {
    let wagon = Wagon {
        id: UnitId::new(e.id("id")),
        side: e.word("side"),
        at: e.need("at", "its place [x, y]").map(|_| ()).and_then(|()| e.opt_point("at")).unwrap_or_default(),
    };
    e.finish();
    wagon
}

/// The arms of a `[[unit]]`; guns are a `[[battery]]`.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum FootOrHorse {
    Infantry,
    Cavalry,
    Sharpshooter,
}

#[expect(clippy::too_many_arguments, reason = "the two kinds of force share their last step and nothing else")]
fn finish_force(
    mut e: Entry<'_, '_>,
    id: String,
    arm: Arm,
    regiment: Option<(String, u32)>,
    strength: Strength,
    standing: Option<Standing>,
    formation: Formation,
    state: StartState,
) -> Force {
    let force = Force {
        id: UnitId::new(id),
        name: e.text("name"),
        side: e.word("side"),
        arm,
        under: LeaderId::new(e.name("under", Names::Commander)),
        regiment,
        quality: e.word("quality"),
        bmp: e.opt_int("bmp", 1..=6).map(|bmp| bmp.unsigned_abs() as u8),
        strength,
        leader: e.text_or_empty("leader"),
        standing,
        formation,
        state,
        optional: e.flag("optional", false),
        attached_to: match arm {
            Arm::Sharpshooter => e.opt_name("attached_to", Names::Who).map(UnitId::new),
            _ => None,
        },
    };
    e.opt_text("note");
    e.opt_text("source");
    e.finish();
    force
}

/// ORG-02, ORG-04, ORG-12, SHARP-01 The stands, in the order of loss.
fn stands(e: &mut Entry<'_, '_>, arm: Arm, figures: u32) -> Vec<u32> {
    let given: Vec<u32> = e.ints("stands", 1..=5).into_iter().map(i32::unsigned_abs).collect();
    let count = if arm == Arm::Sharpshooter { 1 } else { figures.min(4) };
    let wanted = loss_order(figures, count);
    if !given.is_empty() && given != wanted {
        let what = format!("`stands` does not share out {figures} figures");
        e.fault(e.place_of("stands"), what, format!("in the order of loss they are {wanted:?} (ORG-03)"));
    }
    let most = match arm {
        Arm::Cavalry => 3,
        Arm::Sharpshooter => Ruleset::standard().sharpshooter.max_figures.unsigned_abs(),
        _ => 5,
    };
    if wanted.iter().any(|stand| most < *stand) {
        let what = format!("{figures} figures are more than {most} on a stand");
        let remedy = match arm {
            Arm::Sharpshooter => "split it into detachments of one or two companies (SHARP-01)",
            _ => "split it into battalions (ORG-04, ORG-12)",
        };
        e.fault(e.place_of("figures"), what, remedy);
    }
    let least = Ruleset::standard().sharpshooter.min_figures.unsigned_abs();
    if arm == Arm::Sharpshooter && figures < least {
        let what = format!("a detachment of sharpshooters has at least {least} figures, not {figures}");
        e.fault(e.place_of("figures"), what, "give it one or two companies (SHARP-01)");
    }
    wanted
}

fn known_name(e: &mut Entry<'_, '_>, key: &'static str, known: &[&str]) -> String {
    let wanted = format!("one of {}", quoted(known.iter().copied()));
    if e.need(key, &wanted).is_none() {
        return String::new();
    }
    let name = e.text_or_empty(key);
    if !known.contains(&name.as_str()) {
        let what = format!("`{key}` knows no `{}`", shorten(&name));
        e.fault(e.place_of(key), what, nearest(&name, known.iter().copied()));
    }
    name
}

fn default_formation(arm: Arm) -> Formation {
    match arm {
        Arm::Sharpshooter => Formation::SkirmishLine,
        _ => Formation::SingleLine,
    }
}

/// The place and formation of a unit on foot or horse.
fn standing(e: &mut Entry<'_, '_>, default: Formation) -> (Option<Standing>, Formation) {
    let standing = place(e);
    (standing, e.word_or("formation", default))
}

fn place(e: &mut Entry<'_, '_>) -> Option<Standing> {
    let at = e.opt_point("at");
    let facing = e.opt_decimal("facing", 0..=359_990);
    if at.is_some() != facing.is_some() {
        e.fault(e.at, "`at` and `facing` belong together", "give both, or neither and an arrival");
    }
    Some(Standing { at: at?, facing: Bearing::wrapping(facing? / 10) })
}

/// SCN-08 What it begins with.
fn state(e: &mut Entry<'_, '_>, arm: Arm, mounted: bool, most_lost: i32) -> StartState {
    StartState {
        morale: e.word_or("morale", StartMorale::Good),
        disorder: e.flag("disorder", false),
        lost: e.opt_int("lost", 0..=most_lost).map_or(0, i32::unsigned_abs),
        prone: e.flag("prone", false),
        mounted: e.flag("mounted", arm == Arm::Cavalry && mounted),
        opening_volley_used: e.flag("opening_volley_used", false),
        first_casualty_taken: e.flag("first_casualty_taken", false),
        out_of_ammunition: e.flag("out_of_ammunition", false),
        engineers: matches!(arm, Arm::Infantry | Arm::Cavalry) && e.flag("engineers", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn org_03_stands_are_lost_smaller_and_larger_in_turn() {
        assert_eq!(loss_order(14, 4), [3, 4, 3, 4]);
        assert_eq!(loss_order(13, 4), [3, 4, 3, 3]);
        assert_eq!(loss_order(15, 4), [3, 4, 4, 4]);
        assert_eq!(loss_order(16, 4), [4, 4, 4, 4]);
        assert_eq!(loss_order(3, 3), [1, 1, 1]);
        assert_eq!(loss_order(2, 1), [2]);
        assert_eq!(loss_order(2, 0), Vec::<u32>::new());
    }

    #[test]
    fn weapons_and_guns_are_those_of_the_tables() {
        let tables: toml::Table = include_str!("../../tables/tables.toml").parse().unwrap();
        let names =
            |table: &str| tables[table].as_table().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>();
        assert_eq!(names("small_arm"), WEAPONS.map(str::to_owned).into());
        assert_eq!(names("gun"), GUNS.map(str::to_owned).into());
    }
}
