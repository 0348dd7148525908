//! The test of one instant: who is seen, touched, or in mutual sight, and what comes of it. HID-31, HID-38 to HID-46
//!
//! Owns the rounds of HID-46. All pairs are tested on one table, then all that follows from them is done at once; units that
//! were placed look in their turn, until nothing is found. All of it is told as one fact. Where nothing is found nothing is
//! told (HID-76), and a battle without markers pays nothing.

use std::collections::{BTreeMap, BTreeSet};

use protocol::event::{Fact, PicketEnd};
use protocol::ids::{BySide, PicketNumber, Side};

use super::change::{Changes, Made};
use super::sighting::{self, Asked, Eye, Glimpse, Other};
use super::{touch, will, woods, works};
use crate::battle::UnitIx;
use crate::catalogue::{HID_31, HID_37, HID_39, HID_41, HID_46, HID_48, HID_64, RuleId, SCNS_13};
use crate::dice::{Purpose, throw};
use crate::explain::{Explain, called, named, sentence};
use crate::geometry::Rect;
use crate::los;
use crate::play::Play;

/// Where a unit is about to stand.
pub(crate) type Step = (UnitIx, Vec<Rect>);

/// HID-38 On longer ways every such length is tested, thousandths of an inch.
pub(crate) const EACH: i32 = 500;

/// Which test is made.
#[derive(Clone, Copy)]
enum Test<'s> {
    /// As all stand.
    Here,
    /// HID-39 The touch of steps that are about to be made.
    Ahead(&'s [Step]),
    /// HID-38 As all stand, but for those who are on a longer way: these stand there.
    Along(&'s [Step]),
    /// HID-05 Clear sight alone, when the setup opens.
    Setup,
}

/// What one round has found.
#[derive(Default)]
struct Found {
    /// Seen by a unit. HID-31
    seen: BTreeSet<PicketNumber>,
    /// Touched by a unit. HID-39
    touched: BTreeSet<PicketNumber>,
    /// Pairs of markers in mutual sight, or that touch. HID-41
    pairs: BTreeSet<(PicketNumber, PicketNumber)>,
    /// Given up by their owners. HID-48
    given_up: BTreeSet<PicketNumber>,
    /// Their works have come to light. HID-64
    bared: BTreeSet<PicketNumber>,
    /// They have left the woods in which a term hid them. SCNS-13
    out_of_woods: BTreeSet<PicketNumber>,
}

/// HID-38, HID-40, HID-46 Tests one instant as all stand, for both sides. Whether any unit was placed.
pub(crate) fn look(play: &mut Play<'_>) -> bool {
    los::look(play);
    instant(play, Test::Here)
}

/// HID-39 Tests the touch of steps before they are made. Whether any unit was placed.
pub(crate) fn look_ahead(play: &mut Play<'_>, steps: &[Step]) -> bool {
    instant(play, Test::Ahead(steps))
}

/// HID-38 Tests an instant in the midst of a longer way. Whether any unit was placed.
pub(crate) fn look_along(play: &mut Play<'_>, steps: &[Step]) -> bool {
    instant(play, Test::Along(steps))
}

/// HID-05 The first test, when the setup opens: clear sight alone, and no die. Whether any unit was placed.
pub(crate) fn look_at_setup(play: &mut Play<'_>) -> bool {
    instant(play, Test::Setup)
}

/// HID-46 Round after round, until nothing is found.
fn instant(play: &mut Play<'_>, test: Test<'_>) -> bool {
    if play.table().pickets.is_empty() {
        return false;
    }
    let mut made = Made::default();
    let mut causes: BTreeSet<RuleId> = BTreeSet::new();
    let mut fresh: Option<BTreeSet<UnitIx>> = None;
    loop {
        let found = find(play, test, fresh.as_ref());
        let changes = found.changes(play);
        if changes.is_empty() {
            break;
        }
        causes.extend(found.causes());
        let placed = made.make(play, &changes);
        if placed.is_empty() {
            break;
        }
        fresh = Some(placed);
    }
    let rule = if causes.len() == 1 { causes.first().copied() } else { None };
    made.tell(play, rule.unwrap_or(HID_46));
    fresh.is_some()
}

/// One round: everybody looks, or those alone who have just been placed. The dice that it asks for are entered.
fn find(play: &mut Play<'_>, test: Test<'_>, fresh: Option<&BTreeSet<UnitIx>>) -> Found {
    let (eyes, touching) = stand(play, test, fresh);
    let bared = match (test, fresh) {
        (Test::Ahead(_), None) => BTreeSet::new(),
        _ => works::bared(play, &eyes, !matches!(test, Test::Setup)),
    };
    let sights = match (test, fresh) {
        (Test::Ahead(_), None) => Vec::new(),
        _ => {
            let mut sighted = std::mem::take(&mut play.sighted);
            let glimpses = sighting::glimpses(play.table(), &eyes, fresh.is_some(), &mut sighted);
            play.sighted = sighted;
            glimpses
        }
    };
    let mut found = Found { bared, ..Found::default() };
    for Glimpse { asked, least } in sights {
        if !matches!((test, least), (Test::Setup, 2..)) && (least == 1 || least <= enter(play, &asked)) {
            match asked.other {
                Other::Unit(_) => _ = found.seen.insert(asked.picket),
                Other::Picket(other) => _ = found.pairs.insert((asked.picket, other)),
            }
        }
    }
    if matches!(test, Test::Setup) {
        return found;
    }
    let secrets = BySide::from_fn(|side| play.battle.secrets.get(side).open());
    let markers = touch::markers(play.table(), secrets);
    let limit = play.rules.hidden_movement.touch_distance.thousandths();
    found.touched = touch::touched(&markers, &touching, limit);
    if !matches!(test, Test::Ahead(_)) || fresh.is_some() {
        found.given_up = will::given_up_now(play, &markers, &touching);
    }
    if fresh.is_none() && matches!(test, Test::Here) {
        found.out_of_woods = woods::left(play);
    }
    if fresh.is_none() && !matches!(test, Test::Ahead(_)) {
        found.pairs.extend(touch::touching(&markers, limit));
    }
    found
}

/// Who looks, and who touches, from where.
fn stand(
    play: &Play<'_>,
    test: Test<'_>,
    fresh: Option<&BTreeSet<UnitIx>>,
) -> (BTreeMap<UnitIx, Eye>, BTreeMap<UnitIx, Eye>) {
    let table = play.table();
    let steps: &[Step] = match test {
        Test::Here | Test::Setup => &[],
        Test::Ahead(steps) | Test::Along(steps) => steps,
    };
    let of_steps = || {
        let steps = steps.iter().filter(|(ix, stands)| table[*ix].on_table() && !stands.is_empty());
        steps.map(|(ix, stands)| (*ix, Eye::with_stands(&table[*ix], stands.clone())))
    };
    let there = |ix: UnitIx| !table[ix].stands.is_empty() && !table[ix].guns.as_ref().is_some_and(|guns| guns.unmanned);
    let mut all: BTreeMap<UnitIx, Eye> = BTreeMap::new();
    match (fresh, test) {
        (Some(fresh), _) => all.extend(fresh.iter().map(|ix| (*ix, Eye::of(table, *ix)))),
        (None, Test::Ahead(_)) => all.extend(of_steps()),
        (None, _) => {
            all.extend(table.units().filter(|(ix, _)| there(*ix)).map(|(ix, _)| (ix, Eye::of(table, ix))));
            all.extend(of_steps());
        }
    }
    let eyes = all.iter().filter(|(ix, _)| sighting::observes(&table[**ix]));
    (eyes.map(|(ix, eye)| (*ix, eye.clone())).collect(), all)
}

/// HID-37 The die of a pair, entered in the public record when it is first asked for in the turn.
fn enter(play: &mut Play<'_>, asked: &Asked) -> u8 {
    let picket = sighting::name_of_picket(asked.picket);
    let table = play.table();
    let (name, words) = match asked.other {
        Other::Unit(ix) => (sighting::name_of(&table[ix], table.turn).into_owned(), called(&table[ix].name)),
        Other::Picket(number) => (sighting::name_of_picket(number), format!("picket {}", number.0)),
    };
    let (first, second) = if name <= picket { (&name, &picket) } else { (&picket, &name) };
    let dice = throw(play.dice, 0, Purpose::VisibilityPair, &[first, second], 1, 1);
    let face = dice.faces.first().copied().unwrap_or(0);
    if play.table_mut().sightings.insert((first.clone(), second.clone())) {
        let text = format!("Between picket {} and {words} one sees through {face} inches of woods.", asked.picket.0);
        let fact = Fact::SightingRolled { picket: asked.picket, other: words };
        play.tell(HID_37, fact, sentence(named(&text)).with_dice(dice));
    }
    face
}

impl Found {
    /// HID-31, HID-39, HID-42 to HID-44 What becomes of every marker of which something was found.
    fn changes(&self, play: &Play<'_>) -> Changes {
        let hides = |number: PicketNumber| {
            let of_side = |side: Side| play.battle.secrets.get(side).open().pickets.get(&number);
            Side::BOTH.into_iter().find_map(of_side).map(|under| !under.is_dummy())
        };
        let mut changes = Changes::default();
        let mut of = |number: PicketNumber, meets_real: bool, by_unit: bool, wished: bool| match hides(number) {
            None => {}
            Some(true) if by_unit || meets_real || wished => _ = changes.placed.insert(number),
            Some(true) => _ = changes.confirmed.insert(number),
            Some(false) => {
                let end = if wished { PicketEnd::Withdrawn } else { PicketEnd::Dummy };
                changes.gone.entry(number).or_insert(end);
            }
        };
        for number in self.seen.iter().chain(&self.touched).chain(&self.out_of_woods) {
            of(*number, false, true, false);
        }
        for (one, other) in &self.pairs {
            of(*one, hides(*other) == Some(true), false, false);
            of(*other, hides(*one) == Some(true), false, false);
        }
        for number in &self.given_up {
            of(*number, false, false, true);
        }
        changes.bared.clone_from(&self.bared);
        changes.confirmed.extend(&self.bared);
        let table = play.table();
        let is_new = |number: &PicketNumber| table.pickets.get(number).is_some_and(|picket| picket.confirmed.is_none());
        let ends = |number: &PicketNumber| changes.placed.contains(number) || changes.gone.contains_key(number);
        changes.confirmed.retain(|number| is_new(number) && !ends(number));
        changes
    }

    /// The rules by which something was found.
    fn causes(&self) -> impl Iterator<Item = RuleId> {
        let causes = [
            (self.seen.is_empty(), HID_31),
            (self.touched.is_empty(), HID_39),
            (self.pairs.is_empty(), HID_41),
            (self.given_up.is_empty(), HID_48),
            (self.bared.is_empty(), HID_64),
            (self.out_of_woods.is_empty(), SCNS_13),
        ];
        causes.into_iter().filter(|(none, _)| !none).map(|(_, rule)| rule)
    }
}
