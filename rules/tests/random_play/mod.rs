//! Random legal players over Little Round Top, and the stages they play.

use std::sync::Arc;

use protocol::ids::{BySide, LeaderId, SeatId, Side, UnitId};
use protocol::orders::Stage;
use protocol::place::{Bearing, Point};
use rules::battle::{Battle, Post, Theatre, known};
use rules::dice::{KeyedDice, SealedOrders, TurnSeed};
use rules::ground::Ground;
use rules::orders::legal_part;
use rules::ruleset::Ruleset;
use rules::scenario::{Scenario, Standing};
pub use rules::secrecy::Chance;
use rules::secrecy::random_draft;
use rules::setup::{self, Seating};
use rules::stage::{Envelopes, Outcome, resolve};

/// A theatre and who sits at it.
pub struct Table {
    pub theatre: Arc<Theatre>,
    seating: Seating,
}

impl Table {
    pub fn little_round_top() -> Table {
        let text = include_str!("../../../scenarios/little_round_top.toml");
        let scenario = rules::scenario::read(text).expect("the scenario is sound");
        Table::of(scenario)
    }

    /// A theatre of any scenario, one seat a side.
    pub fn of(scenario: Scenario) -> Table {
        Table { theatre: Theatre::new(Arc::new(scenario)), seating: Seating::one_each() }
    }

    /// A made-up battle: 100 regiments a side.
    pub fn two_hundred_units() -> Table {
        Table::side_by_side(5)
    }

    /// The ground of Little Round Top so many times side by side, on each 20 regiments a side in two lines, in brigades of
    /// five: as dense whatever their number.
    pub fn side_by_side(grounds: i32) -> Table {
        let text = include_str!("../../../scenarios/little_round_top.toml");
        let mut scenario = rules::scenario::read(text).expect("the scenario is sound");
        let model = scenario.forces.iter().find(|force| force.name == "83rd Pennsylvania").expect("it fought").clone();
        let leader = scenario.commanders.iter().find(|leader| leader.post == Post::Brigade).expect("he led").clone();
        let ground = std::mem::take(&mut scenario.ground);
        scenario.ground = side_by_side(&ground, grounds);
        scenario.arrivals.clear();
        scenario.forces.clear();
        scenario.commanders.clear();
        scenario.victory.clear();
        scenario.specials.clear();
        for (ground_number, side, n) in (0..grounds)
            .flat_map(|number| Side::BOTH.map(|side| (number, side)))
            .flat_map(|(number, side)| (0..20).map(move |n| (number, side, n)))
        {
            let (row, column) = (n / 10, n % 10);
            let (y, facing) = match side {
                Side::Union => (16_000 - 3_000 * row, Bearing::NORTH),
                Side::Confederate => (26_000 + 3_000 * row, Bearing::SOUTH),
            };
            let at = Point::new(ground_number * ground.width + 8_000 + 4_100 * column, y);
            let letter = if side == Side::Union { "u" } else { "c" };
            let mut force = model.clone();
            force.id = UnitId::new(format!("{letter}{:03}", 20 * ground_number + n));
            force.name = format!("{side} {}", 20 * ground_number + n);
            force.side = side;
            force.under = LeaderId::new(format!("{letter}{}", (20 * ground_number + n) / 5));
            force.standing = Some(Standing { at, facing });
            if n % 5 == 2 {
                let mut leader = leader.clone();
                leader.id = force.under.clone();
                leader.side = side;
                leader.name = force.under.to_string();
                leader.command = leader.name.clone();
                leader.under = None;
                leader.at = Some(at);
                scenario.commanders.push(leader);
            }
            scenario.forces.push(force);
        }
        Table::of(scenario)
    }

    pub fn seat(&self, side: Side) -> SeatId {
        self.seating.otherwise.get(side).clone()
    }

    pub fn start(&self) -> Battle {
        let nothing = BySide::default();
        setup::start(&self.theatre, Ruleset::standard(), &self.seating, &Default::default(), &nothing)
    }

    /// What both seats seal: random orders, the illegal ones left out.
    pub fn random_envelopes(&self, battle: &Battle, stage: Stage, chance: &mut Chance) -> Envelopes {
        let sealed = Side::BOTH.map(|side| {
            let known = known(battle, side);
            let seat = self.seat(side);
            let draft = random_draft(&known, &seat, stage, chance);
            let (legal, _) = legal_part(&known, Ruleset::standard(), &seat, stage, &draft);
            (seat, legal)
        });
        sealed.into_iter().collect()
    }

    pub fn resolve(&self, stage: Stage, battle: Battle, envelopes: &Envelopes, seed: u64) -> Outcome {
        let dice = self.dice(battle.table.turn, seed);
        resolve(Ruleset::standard(), stage, battle, envelopes, &dice)
    }

    /// The dice of a turn.
    pub fn dice(&self, turn: u32, seed: u64) -> KeyedDice {
        let mut secret = [0u8; 32];
        secret[..8].copy_from_slice(&seed.to_be_bytes());
        KeyedDice::new(TurnSeed(secret).turn_key("test", turn, &[SealedOrders::ABSENT, SealedOrders::ABSENT]))
    }
}

/// A ground so many times, each east of the one before.
fn side_by_side(one: &Ground, times: i32) -> Ground {
    let mut all = Ground { width: one.width * times, height: one.height, ..Ground::default() };
    for n in 0..times {
        let shift = |line: &mut Vec<Point>| line.iter_mut().for_each(|point| point.x += n * one.width);
        let mut next = one.clone();
        next.areas.iter_mut().for_each(|area| shift(&mut area.outline));
        next.contours.iter_mut().for_each(|contour| shift(&mut contour.outline));
        next.buildings.iter_mut().for_each(|building| shift(&mut building.outline));
        next.ways.iter_mut().for_each(|way| shift(&mut way.line));
        next.obstacles.iter_mut().for_each(|obstacle| shift(&mut obstacle.line));
        all.areas.extend(next.areas);
        all.contours.extend(next.contours);
        all.buildings.extend(next.buildings);
        all.ways.extend(next.ways);
        all.obstacles.extend(next.obstacles);
    }
    all
}

/// Plays a battle to its end; `look` sees it before each stage.
pub fn play_to_the_end(table: &Table, seed: u64, mut look: impl FnMut(&Battle, Stage)) -> Battle {
    let mut chance = Chance::new(seed);
    let mut battle = table.start();
    for _ in 0..40 {
        for stage in Stage::ALL {
            look(&battle, stage);
            let envelopes = table.random_envelopes(&battle, stage, &mut chance);
            battle = table.resolve(stage, battle, &envelopes, seed).battle;
            if battle.table.ended.is_some() {
                return battle;
            }
        }
    }
    battle
}
