//! Small hand-made battles for tests of the rules.
//!
//! Owns builders with plain defaults: a veteran regiment of sixteen figures in single line, facing north, in command, on open
//! ground. It never states a number of a rule.

use std::sync::Arc;

use protocol::event::Morale;
use protocol::ids::{BrigadeId, BySide, LeaderId, PicketNumber, SeatId, Side, UnitId};
use protocol::orders::{Hides, Instructions, Order, Stage};
use protocol::place::{Bearing, Point};
use protocol::view::Presence;
use protocol::words::{Arm, Formation, Quality};

use crate::battle::{
    Battle, Brigade, Carried, Footing, Guns, Leader, LeaderMarks, Picket, Post, Secret, SideSecrets, Stand, Table,
    Theatre, TurnMarks, Under, Unit, UnitIx, UnitOrders,
};
use crate::formation;
use crate::ground::Ground;
use crate::house::{Edition, HouseRules};
use crate::scenario::Scenario;

/// A unit under construction.
#[derive(Clone, Debug)]
pub struct Maker(Unit);

/// A veteran regiment of sixteen figures with rifle muskets.
pub fn infantry(id: &str, side: Side) -> Maker {
    Maker(Unit {
        id: UnitId::new(id),
        name: id.to_owned(),
        side,
        brigade: None,
        seat: seat(side),
        arm: Arm::Infantry,
        quality: Quality::Veteran,
        weapon: "rifle_musket".to_owned(),
        bmp: None,
        presence: Presence::Table,
        picket: None,
        arrives: None,
        stands: Vec::new(),
        stands_at_start: 4,
        figures_at_start: 16,
        stand_width: 875,
        stand_depth: 625,
        footing: Footing {
            anchor: Point::default(),
            facing: Bearing::NORTH,
            formation: Formation::SingleLine,
            gap: 0,
            refused: None,
            prone: false,
            trail: Vec::new(),
            disorder: false,
            screen_back: false,
        },
        last_formed: Formation::SingleLine,
        morale: Morale::Good,
        first_casualty_taken: false,
        mounted: false,
        guns: None,
        sharpshooters: None,
        ammunition_out_since: None,
        opening_volley_used: false,
        engineers: false,
        located: false,
        column: None,
        carried: Carried::default(),
        marks: TurnMarks { in_command: true, ..TurnMarks::default() },
    })
    .figures(16)
}

/// A veteran mounted battalion of twelve figures, in line.
pub fn cavalry(id: &str, side: Side) -> Maker {
    let mut maker = infantry(id, side).figures(12);
    maker.0.arm = Arm::Cavalry;
    maker.0.weapon = "muzzle_carbine".to_owned();
    maker.0.mounted = true;
    (maker.0.stand_width, maker.0.stand_depth) = (1000, 1333);
    maker
}

/// A veteran battery of two sections of Napoleons, unlimbered.
pub fn battery(id: &str, side: Side) -> Maker {
    let mut maker = infantry(id, side).formation(Formation::Unlimbered);
    maker.0.arm = Arm::Artillery;
    maker.0.weapon = "napoleon_12".to_owned();
    maker.0.stands = vec![Stand { figures: 2, full: 2, loss_rank: 0 }];
    (maker.0.stands_at_start, maker.0.figures_at_start) = (1, 2);
    (maker.0.stand_width, maker.0.stand_depth) = (1000, 1000);
    maker.0.guns = Some(Guns {
        horses: 2,
        horse_lost_in: None,
        canister: 6,
        spiked: false,
        unmanned: false,
        ship: None,
        manned: None,
    });
    maker
}

impl Maker {
    /// Of so many figures on four stands.
    pub fn figures(mut self, figures: u32) -> Self {
        let shares = formation::stand_figures(figures);
        let order = formation::loss_order(&shares);
        let rank = |stand: usize| order.iter().position(|&lost| lost == stand).unwrap_or(0) as u32;
        self.0.stands = (0..4).map(|n| Stand { figures: shares[n], full: shares[n], loss_rank: rank(n) }).collect();
        self.0.figures_at_start = figures;
        self.0.stand_width = formation::infantry_stand_width(shares.into_iter().max().unwrap_or(1));
        self
    }

    /// With so many stands left of those it had.
    pub fn stands_left(mut self, stands: usize) -> Self {
        self.0.stands.truncate(stands);
        self
    }

    /// Of that quality.
    pub fn quality(mut self, quality: Quality) -> Self {
        self.0.quality = quality;
        self
    }

    /// Green.
    pub fn green(self) -> Self {
        self.quality(Quality::Green)
    }

    /// With its anchor there, thousandths of an inch.
    pub fn at(mut self, x: i32, y: i32) -> Self {
        self.0.footing.anchor = Point::new(x, y);
        self
    }

    /// Facing so many hundredths of a degree.
    pub fn facing(mut self, hundredths: i32) -> Self {
        self.0.footing.facing = Bearing::wrapping(hundredths);
        self
    }

    /// In that formation, with its default gap.
    pub fn formation(mut self, formation: Formation) -> Self {
        self.0.footing.formation = formation;
        self.0.footing.gap = formation::default_gap(formation, self.0.stand_width, self.0.mounted);
        self
    }

    /// In disorder.
    pub fn disordered(mut self) -> Self {
        self.0.footing.disorder = true;
        self
    }

    /// Prone.
    pub fn prone(mut self) -> Self {
        self.0.footing.prone = true;
        self
    }

    /// In that morale.
    pub fn morale(mut self, morale: Morale) -> Self {
        self.0.morale = morale;
        self
    }

    /// Armed with that row of the tables.
    pub fn weapon(mut self, weapon: &str) -> Self {
        self.0.weapon = weapon.to_owned();
        self
    }

    /// Changed in any other way.
    pub fn with(mut self, change: impl FnOnce(&mut Unit)) -> Self {
        change(&mut self.0);
        self
    }

    /// The unit.
    pub fn unit(self) -> Unit {
        self.0
    }
}

/// A brigade commander of level 1 who stands there.
pub fn leader(id: &str, side: Side, x: i32, y: i32) -> Leader {
    let at = Point::new(x, y);
    Leader {
        id: LeaderId::new(id),
        name: id.to_owned(),
        side,
        seat: seat(side),
        post: Post::Brigade,
        arm: None,
        level: 1,
        superior: None,
        brigade: None,
        took_over: None,
        at,
        facing: Bearing::NORTH,
        at_turn_start: at,
        attached: None,
        presence: Presence::Table,
        arrives: None,
        wounded_until: None,
        lost_in: None,
        replacement_attempts: 0,
        marks: LeaderMarks::default(),
    }
}

/// The one seat of a side.
pub fn seat(side: Side) -> SeatId {
    SeatId::new(match side {
        Side::Union => "union",
        Side::Confederate => "confederate",
    })
}

/// Open ground of sixty by sixty inches.
pub fn open_ground() -> Ground {
    Ground { width: 60_000, height: 60_000, ..Ground::default() }
}

/// The rules with these choices of the house-rules sheet.
pub fn edition(choices: &[(&str, &str)]) -> Edition {
    let choices = choices.iter().map(|(id, word)| ((*id).to_owned(), (*word).to_owned())).collect();
    let house = HouseRules::default().with(&choices).expect("the sheet has these choices");
    Edition::new(house, None).expect("the numbers make sense")
}

/// The same table, played by these choices of the house-rules sheet.
pub fn played_by(mut table: Table, choices: &[(&str, &str)]) -> Table {
    let scenario = Scenario { edition: edition(choices), ..table.scenario().clone() };
    table.theatre = Theatre::new(Arc::new(scenario));
    table
}

/// A table of units on that ground.
pub fn table(ground: Ground, units: impl IntoIterator<Item = Maker>) -> Table {
    let scenario = Scenario { ground, ..Scenario::default() };
    Table::new(Theatre::new(Arc::new(scenario)), units.into_iter().map(Maker::unit).collect())
}

/// Puts regiments in one brigade column behind the first, which stays where it is. TAC-34
pub fn in_column(table: &mut Table, regiments: &[&str]) {
    let list: Vec<UnitId> = regiments.iter().map(|id| UnitId::new(*id)).collect();
    let plan = crate::column::forming::plan(table, &list);
    crate::column::forming::place_all(table, &plan);
}

/// A battle on a table, nothing ordered yet.
pub fn battle(table: Table) -> Battle {
    Battle { table, secrets: BySide::from_fn(|_| Secret::new(SideSecrets::default())) }
}

/// Gives a unit an order, and standing instructions with it.
pub fn give(battle: &mut Battle, unit: &str, order: Order, standing: Instructions) {
    let side = battle.table.unit(&UnitId::new(unit)).expect("the test has this unit").side;
    let orders = UnitOrders { order, by_group: false, said: [(Stage::Orders, standing)].into() };
    battle.secrets.get_mut(side).open_mut().orders.insert(UnitId::new(unit), orders);
}

/// Puts a picket on the table, with a regiment under it or nothing; a name on the list holds the regiment's place, as the scenario
/// would have printed it. HID-01
pub fn hide(battle: &mut Battle, number: PicketNumber, unit: Option<Maker>, at: (i32, i32), side: Side) {
    let at = Point::new(at.0, at.1);
    let unit = unit.map(|maker| Unit { presence: Presence::Hidden, ..maker.unit() });
    let facing = unit.as_ref().map_or(Bearing::NORTH, |unit| unit.footing.facing);
    let (confirmed, shown, travelled, commitment) = (None, None, Vec::new(), String::new());
    let picket = Picket { number, side, at, facing, confirmed, shown, travelled, commitment };
    battle.table.pickets.insert(number, picket);
    let hides = unit.as_ref().map_or(Hides::Dummy {}, |unit| Hides::Unit {
        unit: unit.id.clone(),
        formation: unit.footing.formation,
        gap: None,
    });
    if let Some(unit) = &unit {
        let printed = infantry(unit.id.as_str(), side).unit();
        battle.table.insert(Unit { presence: Presence::Hidden, ..printed });
    }
    let under =
        Under { seat: seat(side), hides, units: unit.into_iter().collect(), leaders: Vec::new(), salt: [0; 16] };
    battle.secrets.get_mut(side).open_mut().pickets.insert(number, under);
}

/// Gives a picket an order, and standing instructions with it.
pub fn tell_picket(battle: &mut Battle, number: PicketNumber, order: Order, standing: Instructions) {
    let side = battle.table.pickets[&number].side;
    let orders = UnitOrders { order, by_group: false, said: [(Stage::Orders, standing)].into() };
    battle.secrets.get_mut(side).open_mut().picket_orders.insert(number, orders);
}

/// The index of a unit.
pub fn ix(table: &Table, unit: &str) -> UnitIx {
    table.find(&UnitId::new(unit)).expect("the test has this unit")
}

/// Puts a commander of level 1 on the table, with his brigade if that is his post; units join it by their own `brigade`.
pub fn commander(table: &mut Table, id: &str, post: Post, at: (i32, i32), superior: Option<&str>) {
    commander_of(table, Side::Union, id, post, at, superior);
}

/// As [`commander`], for a side.
pub fn commander_of(table: &mut Table, side: Side, id: &str, post: Post, at: (i32, i32), superior: Option<&str>) {
    let mut leader = leader(id, side, at.0, at.1);
    leader.post = post;
    leader.superior = superior.map(LeaderId::new);
    if post == Post::Brigade {
        let brigade = Brigade {
            id: BrigadeId::new(id),
            name: id.to_owned(),
            side,
            guns: false,
            commander: Some(leader.id.clone()),
            superior: leader.superior.clone(),
            units: Vec::new(),
            points: 0,
            points_lost: 0,
            regiments_lost_before: 0,
            regiments_lost_now: 0,
            commander_lost: false,
            level: 0,
            withdrawal_counted: false,
        };
        leader.brigade = Some(brigade.id.clone());
        table.brigades.insert(brigade.id.clone(), brigade);
    }
    table.leaders.insert(leader.id.clone(), leader);
}
