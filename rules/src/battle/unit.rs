//! A unit: regiment, battalion, battery, sharpshooter detachment, gun crew.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Morale, OrderShown};
use protocol::ids::{BrigadeId, FeatureId, PicketNumber, SeatId, Side, UnitId};
use protocol::orders::Work;
use protocol::place::{Bearing, Point};
use protocol::view::Presence;
use protocol::words::{Arm, Flank, Formation, Quality};
use serde::{Deserialize, Serialize};

use super::Column;
use crate::ruleset::Ruleset;

/// A unit, as it may be seen by anybody who sees it. What its side keeps to itself stands in [`super::SideSecrets`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The scenario's word for it.
    pub id: UnitId,
    /// What players call it.
    pub name: String,
    /// Its side.
    pub side: Side,
    /// Its brigade or gun battalion.
    pub brigade: Option<BrigadeId>,
    /// The seat that commands it.
    pub seat: SeatId,
    /// Its arm.
    pub arm: Arm,
    /// Its quality.
    pub quality: Quality,
    /// The key of its row in `small_arm` or `gun` of the tables.
    pub weapon: String,
    /// A base morale point of its own; none: that of its arm and quality. MOR-41
    pub bmp: Option<i32>,
    /// Where it is.
    ///
    /// On the table of a [`super::Battle`] a hidden unit is only a name that holds its place in the list: it stands there as
    /// the scenario prints it, whatever becomes of it under its picket. What it really is, [`super::Under`] has.
    pub presence: Presence,
    /// The picket under which it was until it was revealed, and the turn of that; public from then on. HID-37, HID-49
    #[serde(default)]
    pub picket: Option<(PicketNumber, u32)>,
    /// Turn of arrival, while it is still to come. SCN-11
    pub arrives: Option<u32>,
    /// Stands left, from left to right in a line, from the head in a column; a stand lost never comes back. ORG-05, ORG-06
    pub stands: Vec<Stand>,
    /// Stands at the start.
    pub stands_at_start: u32,
    /// Figures at the start (sections of a battery). ORG-01, ORG-08
    pub figures_at_start: u32,
    /// Width of each stand, thousandths of an inch. ORG-02, SCN-05
    pub stand_width: i32,
    /// Depth of each stand, thousandths of an inch.
    pub stand_depth: i32,
    /// Where and how it stands.
    pub footing: Footing,
    /// The formation it takes when it forms again. MOR-05
    pub last_formed: Formation,
    /// Its morale. MOR-01
    pub morale: Morale,
    /// Has taken its first casualty. MOR-10
    pub first_casualty_taken: bool,
    /// Cavalry in the saddle. CAV-13
    pub mounted: bool,
    /// Guns, horses and canister; batteries only.
    pub guns: Option<Guns>,
    /// The detachment of sharpshooters that has joined it. SHARP-11
    #[serde(default)]
    pub sharpshooters: Option<UnitId>,
    /// Out of ammunition since this turn. AMMO-01
    pub ammunition_out_since: Option<u32>,
    /// Has used its opening volley. FIRE-20
    pub opening_volley_used: bool,
    /// Is an engineer or pioneer unit, or has a company of them with it. OBS-05
    #[serde(default)]
    pub engineers: bool,
    /// Is known to be where it is by an enemy who cannot see it. VIS-11
    pub located: bool,
    /// The brigade column in which it stands; of a regiment that is lost the one in which it stood. TAC-27
    #[serde(default)]
    pub column: Option<Column>,
    /// Counters that run over several turns.
    pub carried: Carried,
    /// Marks of this turn, cleared at its end.
    pub marks: TurnMarks,
}

/// One stand of figures; a battery has a single one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stand {
    /// Figures left (sections of a battery).
    pub figures: u32,
    /// Figures at the start.
    pub full: u32,
    /// Its turn in the order of loss, from 0. ORG-03
    pub loss_rank: u32,
}

/// Where and how a unit stands: the input of [`crate::formation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Footing {
    /// Centre of the front edge. FORM-03
    pub anchor: Point,
    /// Bearing of the front.
    pub facing: Bearing,
    /// The formation; disorder lies over it. FORM-26
    pub formation: Formation,
    /// Gap between stands, thousandths of an inch, where the formation has one. FORM-05, FORM-09
    pub gap: i32,
    /// The end stand that is bent back. ENF-12
    pub refused: Option<Flank>,
    /// Prone. TAC-07
    pub prone: bool,
    /// The way a march column lies along, from the anchor backward, the anchor left out; empty: straight behind. FORM-19
    pub trail: Vec<Point>,
    /// In disorder. FORM-26
    pub disorder: bool,
    /// The screen of a line with skirmishers has fallen back behind the line. TAC-20
    #[serde(default)]
    pub screen_back: bool,
}

impl Footing {
    /// TAC-16 Whether the last stand is out as a skirmish screen: it has not fallen back, and disorder has not drawn it in.
    pub fn screen_is_out(&self) -> bool {
        self.formation == Formation::LineWithSkirmishers && !self.screen_back && !self.disorder
    }
}

/// What a battery has beside its stand. ORG-08, ORG-10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guns {
    /// Horses left, 2 at the start. ARTY-36
    pub horses: u32,
    /// Turn in which the last horse was lost, for the replacement roll. RALLY-25
    pub horse_lost_in: Option<u32>,
    /// Canister charges left. AMMO-10
    pub canister: u32,
    /// Spiked. ARTY-47
    pub spiked: bool,
    /// Left by its crew, which is a unit of its own or gone. ROUT-08
    pub unmanned: bool,
    /// The ship on which they stand. ARTY-56
    #[serde(default)]
    pub ship: Option<String>,
    /// Manned by a stand of infantry, whose men are the figures of the unit: the sections of the guns themselves. ARTY-48
    #[serde(default)]
    pub manned: Option<u32>,
}

/// Guns that their crew has left on the field; the battery's unit goes on as the crew. ROUT-08, IDD-23
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AbandonedGuns {
    /// The side whose guns they were.
    pub side: Side,
    /// The key of their row in `gun` of the tables.
    pub weapon: String,
    /// Where and how they stand.
    pub footing: Footing,
    /// Width of their stand, thousandths of an inch.
    pub stand_width: i32,
    /// Depth of their stand, thousandths of an inch.
    pub stand_depth: i32,
    /// Sections that were left when they were abandoned.
    pub sections: u32,
    /// Horses, canister and the rest, as they were left.
    pub guns: Guns,
}

/// Counters that run over several turns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carried {
    /// Turns running in which it charged. ORD-13, ORD-14
    pub charge_turns: u32,
    /// Turns running in which it disengaged. DIS-14
    pub disengage_turns: u32,
    /// Fought a melee last turn. MEL-21
    pub melee_last_turn: bool,
    /// Full turns spent in one place without moving. SCNS (cover while `held_turns`)
    pub held_turns: u32,
    /// Fires made in the whole battle, for special rules. SCNS-04
    pub fires: u32,
    /// Morale checks passed in the whole battle, for special rules.
    pub checks_passed: u32,
    /// Morale checks taken in the whole battle. SCNS-04
    #[serde(default)]
    pub checks: u32,
    /// Fires of canister in the whole battle, which no limit of ammunition counts. SCNS-11
    #[serde(default)]
    pub canister_fires: u32,
    /// How often it has crossed the lines of special rules, by term. SCNS-04
    #[serde(default)]
    pub crossed: BTreeMap<String, u32>,
    /// Whole turns in which it has formed out of the formation of the start. SCNS-15
    #[serde(default)]
    pub leaving: u32,
    /// The regiment from which it is a stand that mans guns. ARTY-48
    #[serde(default)]
    pub stand_of: Option<UnitId>,
    /// The shots in a row of siege or fortress guns. ARTY-53
    #[serde(default)]
    pub aim: Option<SameAim>,
    /// Turns in which its guns have still to be silent. ARTY-55
    #[serde(default)]
    pub silent_turns: u32,
    /// Has had the one turn in which a unit that must withdraw may form. LVL-05
    #[serde(default)]
    pub formed_to_withdraw: bool,
    /// The work that it has in hand. OBS-06
    #[serde(default)]
    pub labour: Option<Labour>,
}

/// Work in hand: the task, where the unit stood when it began, and the turns that count. OBS-05, OBS-06
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Labour {
    /// What is built or destroyed.
    pub work: Work,
    /// Where, as it was ordered.
    pub at: Vec<Point>,
    /// The obstacle or works that are destroyed or turned; none: the work is on new ground.
    pub obstacle: Option<FeatureId>,
    /// Its anchor when the work began. OBS-09
    pub anchor: Point,
    /// Its facing when the work began.
    pub facing: Bearing,
    /// Turns that count, without engineers.
    pub turns: u32,
    /// Turns that count, with engineers.
    pub turns_with_engineers: u32,
    /// It was in order before it took up the work, and is so again when it is done.
    pub was_in_order: bool,
}

impl Labour {
    /// Turns that count so far.
    pub fn counted(&self) -> u32 {
        self.turns + self.turns_with_engineers
    }
}

/// Shots in a row at one target, with all that would break the row. ARTY-53
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SameAim {
    /// The unit fired at.
    pub target: UnitId,
    /// Where that stood at the last shot.
    pub target_at: Point,
    /// Where the guns stood.
    pub at: Point,
    /// How they were laid.
    pub facing: Bearing,
    /// The shots so far.
    pub shots: u32,
}

/// What is marked on a unit during a turn and cleared at its end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnMarks {
    /// In command, as judged in phase one. CMD-06
    pub in_command: bool,
    /// Its order as the reveal showed it; none before. REV-02
    pub shown: Option<OrderShown>,
    /// On Conditional Hold. REV-05, REV-12
    pub conditional_hold: bool,
    /// Has formed this turn by the attempt of REV-11 or CF-05. REV-08
    pub formed_on_hold: bool,
    /// Its order is carried out, lapsed or void. ORD-15
    pub order_spent: bool,
    /// Fires made: F of the fire ledger. ADDF-04
    pub fires: u32,
    /// Enemy units fired at. ADDF-04
    pub fired_at: BTreeSet<UnitId>,
    /// Figures killed by a sharpshooter stand. SHARP-09
    pub kills: u32,
    /// Enemies that stood within its close range when phase 7 began. FF-09
    pub close_at_start: BTreeSet<UnitId>,
    /// Fires no more this turn, by a special rule. SCNS-04
    #[serde(default)]
    pub ceased: bool,
    /// Draws off this turn, by a special rule. SCNS-10
    #[serde(default)]
    pub draws_off: bool,
    /// Stays where it is this turn, by a special rule. SCNS-04
    #[serde(default)]
    pub stays: bool,
    /// Has been fired on this turn, with losses or without.
    pub fired_on: bool,
    /// Enemies who fired at it without knowing of it. VIS-08, LOS-13
    #[serde(default)]
    pub fired_on_blind_by: BTreeSet<UnitId>,
    /// Seen by firing. VIS-08
    pub seen_by_firing: bool,
    /// Kept its FIRST FIRE for want of a target. FF-06
    pub shot_kept: bool,
    /// Fired rapidly this turn. TAC-01
    pub rapid_fire: bool,
    /// Its skirmish screen fired this turn in place of the body. TAC-26
    #[serde(default)]
    pub screen_fired: bool,
    /// Lost its skirmish screen this turn: the stand counts against its morale from the next one. TAC-21, TAC-22
    #[serde(default)]
    pub screen_lost: bool,
    /// Changed formation this turn. CF-08
    pub changed_formation: bool,
    /// Is busy changing formation until the change is done. MOR-58
    pub forming: bool,
    /// Moved by its own order this turn.
    pub moved: bool,
    /// Guns that were limbered this turn, or stopped to clear a dead team: no fire. ARTY-03, ARTY-43
    pub guns_silent: bool,
    /// A crew that stood at its guns when the turn began. ARTY-49
    #[serde(default)]
    pub at_its_guns: bool,
    /// Is at work in phase 7: begun by a roll, or gone on with. OBS-02, OBS-06
    #[serde(default)]
    pub at_work: bool,
    /// Draws ammunition at a wagon that may serve. AMMO-05
    #[serde(default)]
    pub draws_ammunition: bool,
    /// Pivoted beyond its arc. ARTY-27
    pub pivoted: bool,
    /// Lost its order in trying to form square. TAC-41
    #[serde(default)]
    pub square_failed: bool,
    /// Rose from lying prone. TAC-09
    pub risen: bool,
    /// Fell back this turn. SHK-09
    pub fell_back: bool,
    /// Has had its one bonus move. MOVE-12
    pub bonus_taken: bool,
    /// Failed a check after the extra fires of phase 8. ADDF-09
    pub failed_in_phase_8: bool,
    /// Charged this turn, by whom. CHG-28
    pub charged_by: Option<UnitId>,
    /// Moved in a charge or countercharge, as point or support. ORD-14
    pub charged: bool,
    /// Countercharged. CC-14
    pub countercharged: bool,
    /// Has thrown for its order over bad ground in a mounted charge. CAVC-24
    #[serde(default)]
    pub ground_rolled: bool,
    /// Lost an impact. IDD-22
    pub beaten: bool,
    /// Fought hand to hand. MEL-20
    pub in_melee: bool,
    /// Routed out of skirmish line this turn. MOR-27
    pub routed_skirmishing: bool,
    /// Least distance this turn to an enemy neither routed nor disengaging, thousandths of an inch; none beyond 12 inches. OFF-02
    pub closest_enemy: Option<i32>,
}

impl Unit {
    /// Whether it stands on the table.
    pub fn on_table(&self) -> bool {
        self.presence == Presence::Table
    }

    /// HID-18 Whether it was under a picket when this turn began, and has been revealed since.
    pub fn began_hidden(&self, turn: u32) -> bool {
        self.picket.is_some_and(|(_, revealed)| revealed == turn)
    }

    /// Living figures (sections of a battery).
    pub fn figures(&self) -> u32 {
        self.stands.iter().map(|stand| stand.figures).sum()
    }

    /// ARTY-48 Guns that a stand of infantry mans.
    pub fn is_manned_by_infantry(&self) -> bool {
        self.guns.as_ref().is_some_and(|guns| guns.manned.is_some())
    }

    /// Sections that fire: of guns that infantry mans one for the whole battery. ORG-08, ARTY-48
    pub fn sections(&self, rules: &Ruleset) -> u32 {
        match self.is_manned_by_infantry() {
            true => rules.gun_rules.manned_by_infantry_sections.unsigned_abs(),
            false => self.figures(),
        }
    }

    /// MOR-18 Whether each figure counts as a stand: sections of guns, sharpshooters, gunners.
    pub fn counts_by_figure(&self) -> bool {
        matches!(self.arm, Arm::Artillery | Arm::Sharpshooter | Arm::GunCrew) && !self.is_manned_by_infantry()
    }

    /// Stands lost.
    pub fn stands_lost(&self) -> u32 {
        self.stands_at_start - self.stands.len() as u32
    }

    /// In formed order. FORM-02
    pub fn is_formed(&self) -> bool {
        self.morale != Morale::Routed
            && !self.footing.disorder
            && self.footing.formation != Formation::SkirmishLine
            && self.arm != Arm::Sharpshooter
    }

    /// Skirmishers: a skirmish line in order, or a sharpshooter stand.
    pub fn is_skirmishing(&self) -> bool {
        self.arm == Arm::Sharpshooter || (self.footing.formation == Formation::SkirmishLine && !self.footing.disorder)
    }

    /// Good or shaken.
    pub fn is_unrouted(&self) -> bool {
        self.morale != Morale::Routed
    }

    /// MOR-58 While forming: from the reveal of a change of formation until it is done, or will not be.
    pub fn is_forming(&self) -> bool {
        let marks = &self.marks;
        let announced = matches!(
            &marks.shown,
            Some(OrderShown::Form { formation: Some(_), .. } | OrderShown::Move { formation: Some(_), .. })
        );
        let settled = marks.changed_formation || marks.order_spent || marks.conditional_hold;
        marks.forming || (announced && !settled)
    }

    /// Guns hitched to their horses.
    pub fn is_limbered(&self) -> bool {
        self.footing.formation == Formation::Limbered
    }

    /// Two or fewer of four stands left (a battery: half of its sections or fewer). ORD-10
    pub fn is_half_strength(&self) -> bool {
        if self.arm == Arm::Artillery && !self.is_manned_by_infantry() {
            2 * self.figures() <= self.figures_at_start
        } else {
            2 * self.stands.len() as u32 <= self.stands_at_start
        }
    }

    /// Out of ammunition. AMMO-01
    pub fn ammunition_out(&self) -> bool {
        self.ammunition_out_since.is_some()
    }

    /// The basic morale point: its own, else that of its quality. MOR-41, MOR-42
    pub fn base_morale_point(&self, rules: &Ruleset) -> i32 {
        self.bmp.unwrap_or_else(|| rules.bmp.at(self.quality))
    }

    /// Quality as most rules read it: militia counts as green. MOR-42
    pub fn drill(&self) -> Quality {
        match self.quality {
            Quality::Militia => Quality::Green,
            other => other,
        }
    }
}
