//! Units that a charge will strike, and those that may go and meet one. CHG-28, CF-09, CF-10, CC-02, CC-04, ARTY-23

use protocol::event::{FlankClass, Note};
use protocol::message::OddsFate;
use protocol::needs::{ChargeOdds, Need, NeedAnswer, NeedKind};
use protocol::orders::{Canister, Countercharge, IfCharged, Instructions, Order, Stage};
use protocol::words::{Arm, Formation};

use super::{Looking, answer, is_conditional, riders, wind, with_odds};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::{
    ARTY_23, CAVC_05, CC_02, CC_04, CF_05, CF_09, CF_10, CHG_08, CHG_28, CHG_40, CHG_42, CHG_50, CHG_51, DIS_16, RuleId,
};
use crate::chance::Chance;
use crate::charge::prospect::outcome::{Asked, End, Outcome};
use crate::charge::prospect::{self, Coming};
use crate::explain::{Reckoning, called, named};
use crate::fire::{Wishes, inches, listed};

/// Two charges of a single canister are what doubling takes. ARTY-23
const DOUBLE: u32 = 2;

/// The charges that would strike a unit, the nearest first; only the nearest is answered: what is said holds for all.
pub(super) fn charged(looking: &Looking<'_>, ix: UnitIx) -> Vec<Need> {
    let mut on_it: Vec<&Coming> = looking.coming.iter().filter(|coming| coming.struck == ix).collect();
    on_it.sort_by_key(|coming| (!coming.reaches.is_possible(), coming.gap, coming.point));
    let needs = on_it.into_iter().enumerate().map(|(n, coming)| {
        let answers = match n {
            0 if coming.reaches.is_possible() => answers(looking, ix, coming),
            _ => Vec::new(),
        };
        need(looking, ix, coming, answers)
    });
    needs.collect()
}

fn need(looking: &Looking<'_>, ix: UnitIx, coming: &Coming, answers: Vec<NeedAnswer>) -> Need {
    let field = looking.field;
    let id = |ix: UnitIx| field.unit(ix).id.clone();
    let aspect = coming.aspect(field);
    let bearing = looking.bearing(ix, coming.point);
    let with = match coming.supports.len() {
        0 => String::new(),
        _ => {
            let names: Vec<String> = coming.supports.iter().map(|ix| looking.name(*ix)).collect();
            format!(" with {} in support", listed(&names))
        }
    };
    let verb = if coming.declared == ix { "is charged by" } else { "stands in the way of" };
    let side = match aspect {
        FlankClass::Front => "",
        FlankClass::Partial | FlankClass::Full => ", in its flank",
        FlankClass::Rear => ", in its rear",
    };
    let comes = match coming.reaches {
        Chance::CERTAIN => "it comes so far in any case".to_owned(),
        reaches if reaches.is_possible() => format!("it comes so far in {}", reaches.percent()),
        _ => "over this ground it cannot come so far".to_owned(),
    };
    let sentence = format!(
        "{} {verb} {}{with}, {} off to the {}{side}; {comes}.",
        named(&field.unit(ix).name),
        looking.name(coming.point),
        inches(coming.gap),
        wind(bearing),
    );
    let what = NeedKind::Charged {
        by: id(coming.point),
        supports: coming.supports.iter().map(|ix| id(*ix)).collect(),
        declared_at: (coming.declared != ix).then(|| id(coming.declared)),
        bearing,
        distance: coming.gap.unsigned_abs(),
        aspect,
        reaches: coming.reaches.shown(),
    };
    Need { unit: id(ix), what, sentence, rule: CHG_28.into(), answers }
}

/// What a charged unit may still be told, by its order. CF-09, CC-04
fn answers(looking: &Looking<'_>, ix: UnitIx, coming: &Coming) -> Vec<NeedAnswer> {
    let (field, order, wishes) = (looking.field, looking.order(ix), looking.wishes(ix));
    let unit = field.unit(ix);
    let asked = Asked { field, coming, unit: ix, order: &order, wishes: &wishes };
    let holds = is_conditional(unit);
    match &order {
        _ if unit.arm == Arm::Artillery => guns(looking, &asked),
        Order::Hold { .. } | Order::Special { .. } | Order::Move(_) | Order::Form { .. } if unit.mounted => {
            riders::charged(looking, &asked)
        }
        Order::Hold { .. } | Order::Special { .. } => holding(looking, &asked, !holds),
        Order::Move(_) | Order::Form { .. } | Order::Charge { .. } if holds => holding(looking, &asked, false),
        Order::Move(_) => marching(looking, &asked),
        Order::FirstFire {} => vec![as_ordered("fires as it is ordered", with(&asked, asked.stands()), CF_09)],
        Order::Charge { .. } => vec![as_ordered("goes on with its own charge", None, CHG_51)],
        Order::Form { .. } => vec![as_ordered("is caught as it forms", None, CF_05)],
        // DIS-16 Until it has gone its way nobody knows where it will be struck.
        Order::Disengage { .. } if looking.stage == Stage::Charges => {
            vec![as_ordered("turns its back", with(&asked, asked.stands()), DIS_16)]
        }
        Order::Disengage { .. } => vec![as_ordered("turns its back", None, DIS_16)],
    }
}

pub(super) fn as_ordered(label: &str, odds: Option<ChargeOdds>, rule: RuleId) -> NeedAnswer {
    NeedAnswer { in_force: true, odds, ..answer(label, Instructions::default(), rule) }
}

fn if_charged(said: IfCharged) -> Instructions {
    Instructions { if_charged: Some(said), ..Instructions::default() }
}

/// CF-09 A unit on HOLD, or on Conditional Hold, where it may no longer go and meet the charge.
fn holding(looking: &Looking<'_>, asked: &Asked<'_>, on_hold: bool) -> Vec<NeedAnswer> {
    let Asked { field, coming, unit: ix, .. } = *asked;
    let unit = field.unit(ix);
    let may_form = may_form(asked);
    let comes = comes(asked).filter(|_| on_hold);
    let mut answers = vec![said_with(IfCharged::Stand, "stand", CF_09, with(asked, asked.stands()))];
    if may_form {
        answers.push(forms(looking, asked));
    }
    if let Some(travel) = comes {
        let odds = with(asked, asked.meets(travel));
        answers.push(said_with(IfCharged::Countercharge, "countercharge", CC_02, odds));
    }
    let flanked = coming.aspect(field) != FlankClass::Front;
    let chosen = looking.said(ix).into_iter().find_map(|said| match said.if_charged? {
        IfCharged::Stand => Some(IfCharged::Stand),
        IfCharged::Form => may_form.then_some(IfCharged::Form),
        IfCharged::FormIfFlanked => (may_form && flanked).then_some(IfCharged::Form),
        IfCharged::FormIfDisordered => (may_form && unit.footing.disorder).then_some(IfCharged::Form),
        IfCharged::Countercharge => comes.map(|_| IfCharged::Countercharge),
        // Whether the attacker will be in disorder is up to the dice.
        IfCharged::CounterchargeIfAttackerDisordered => None,
    });
    let chosen = chosen.unwrap_or(IfCharged::Stand);
    looking.in_force(ix, answers, |said| said.if_charged, &chosen)
}

/// REV-12, CC-04 A marching unit.
fn marching(looking: &Looking<'_>, asked: &Asked<'_>) -> Vec<NeedAnswer> {
    let Asked { field, coming, unit: ix, .. } = *asked;
    let unit = field.unit(ix);
    let must_form = must_form(unit, coming.aspect(field));
    let holds = match must_form && may_form(asked) {
        true => forms(looking, asked),
        false => {
            said_with(IfCharged::Form, "halt and hold as it stands", CF_10, with(asked, asked.holds_as_it_stands()))
        }
    };
    let mut answers = vec![holds];
    let comes = comes(asked);
    if let Some(travel) = comes {
        let odds = with(asked, asked.meets(travel));
        answers.push(said_with(IfCharged::Countercharge, "countercharge, in disorder", CC_04, odds));
    }
    let chosen = looking.said(ix).into_iter().find_map(|said| match said.if_charged? {
        IfCharged::Countercharge => comes.map(|_| IfCharged::Countercharge),
        IfCharged::Form => Some(IfCharged::Form),
        _ => None,
    });
    let chosen = chosen.unwrap_or(IfCharged::Form);
    looking.in_force(ix, answers, |said| said.if_charged, &chosen)
}

/// CF-10
fn must_form(unit: &Unit, aspect: FlankClass) -> bool {
    crate::charge::answer::needs_to_form(unit, aspect)
}

/// CF-07 Not if it has formed already, nor if the charge begins too near.
fn may_form(asked: &Asked<'_>) -> bool {
    let unit = asked.field.unit(asked.unit);
    let up = !unit.footing.prone && unit.footing.formation != Formation::Square;
    up && !unit.mounted && !unit.marks.changed_formation && asked.coming.leaves_time_to_form(asked.field)
}

/// CC-02 The travel at which a unit would go and meet the charge; none: it may not.
fn comes(asked: &Asked<'_>) -> Option<i32> {
    let Asked { field, coming, unit: ix, order, .. } = *asked;
    let able = prospect::may_meet(field, ix, order, coming);
    able.then(|| coming.comes_near(field, ix)).flatten()
}

fn said_with(said: IfCharged, label: &str, rule: RuleId, odds: Option<ChargeOdds>) -> NeedAnswer {
    NeedAnswer { odds, ..answer(label, if_charged(said), rule) }
}

/// CF-05 The answer to form and to face the charge, in the formation that its owner has said.
fn forms(looking: &Looking<'_>, asked: &Asked<'_>) -> NeedAnswer {
    let unit = asked.field.unit(asked.unit);
    let default = if unit.arm == Arm::Cavalry { Formation::DismountedLine } else { Formation::SingleLine };
    let said = looking.said(asked.unit).into_iter().find_map(|said| said.form_if_charged);
    let formation = said.unwrap_or(default);
    let mut forms = said_with(IfCharged::Form, "form and face it", CF_05, with(asked, asked.forms(formation)));
    let text = format!("{} of forming in time; if it fails it is in disorder", asked.passes_competence().percent());
    forms.notes.push(Note { rule: CF_05.into(), text });
    forms
}

/// ARTY-23 Guns on HOLD stand; their owner says how much canister they load.
fn guns(looking: &Looking<'_>, asked: &Asked<'_>) -> Vec<NeedAnswer> {
    let left = asked.field.unit(asked.unit).guns.as_ref().map_or(0, |guns| guns.canister);
    let loads = |wishes: &Wishes| with(asked, Asked { wishes, ..*asked }.stands());
    let wishes = looking.wishes(asked.unit);
    if left < DOUBLE {
        return vec![as_ordered("stand, and fire what they have", loads(&wishes), CF_09)];
    }
    let of = |canister: Canister, label: &str| {
        let said = Instructions { canister: Some(canister), ..Instructions::default() };
        let odds = loads(&Wishes { canister, ..wishes.clone() });
        NeedAnswer { odds, ..answer(label, said, ARTY_23) }
    };
    let answers = vec![
        of(Canister::Single, "stand, with single canister"),
        of(Canister::DoubleIfCharged, "stand, with double canister"),
    ];
    let chosen = match wishes.canister {
        Canister::Double => Canister::DoubleIfCharged,
        other => other,
    };
    looking.in_force(asked.unit, answers, |said| said.canister, &chosen)
}

/// CC-02, CAVC-05 A charge on another comes near a unit on HOLD, or near horse under any order that lets it come.
pub(super) fn may_countercharge(looking: &Looking<'_>, ix: UnitIx) -> Option<Need> {
    let (field, order, wishes) = (looking.field, looking.order(ix), looking.wishes(ix));
    let mounted = field.unit(ix).mounted;
    let rule = if mounted { CAVC_05 } else { CC_02 };
    let may = |coming: &Coming| match mounted {
        true => prospect::may_ride_along(field, ix, &order, coming).is_some(),
        false => !matches!(order, Order::Move(_)) && prospect::may_meet(field, ix, &order, coming),
    };
    let near = looking.coming.iter().filter(|coming| coming.reaches.is_possible() && may(coming));
    let (travel, coming) = near
        .filter_map(|coming| Some((coming.comes_near(field, ix)?, coming)))
        .min_by_key(|(travel, coming)| (*travel, coming.point))?;
    let asked = Asked { field, coming, unit: ix, order: &order, wishes: &wishes };
    let said = |countercharge| Instructions { countercharge: Some(countercharge), ..Instructions::default() };
    let goes = answer("countercharge", said(Countercharge::Always {}), rule);
    let goes = match with(&asked, asked.meets(travel)) {
        Some(odds) => with_odds(goes, odds),
        None if mounted => NeedAnswer { notes: riders::notes(&asked), ..goes },
        None => goes,
    };
    let answers = vec![
        answer("stay", said(Countercharge::Never {}), rule),
        answer("countercharge if it is in disorder", said(Countercharge::IfAttackerDisordered {}), rule),
        goes,
    ];
    let chosen = match looking.said(ix).into_iter().find_map(|said| said.countercharge) {
        None | Some(Countercharge::Never {}) => Countercharge::Never {},
        Some(Countercharge::IfAttackerDisordered {}) => Countercharge::IfAttackerDisordered {},
        Some(Countercharge::IfFriendCharged {} | Countercharge::Within { .. } | Countercharge::Always {}) => {
            Countercharge::Always {}
        }
    };
    let answers = looking.in_force(ix, answers, |said| said.countercharge, &chosen);
    let distance = field.distance(ix, coming.point).rounded();
    let bearing = looking.bearing(ix, coming.point);
    let sentence = format!(
        "{} may go and meet {}, which charges {}; it is {} off to the {}.",
        named(&field.unit(ix).name),
        looking.name(coming.point),
        called(&field.unit(coming.struck).name),
        inches(distance),
        wind(bearing),
    );
    let what = NeedKind::MayCountercharge {
        charger: field.unit(coming.point).id.clone(),
        target: field.unit(coming.struck).id.clone(),
        bearing,
        distance: distance.unsigned_abs(),
    };
    Some(Need { unit: field.unit(ix).id.clone(), what, sentence, rule: rule.into(), answers })
}

/// An outcome as it goes over the wire; none where horse is charged, or charges where it may lose its order, which is not reckoned.
fn with(asked: &Asked<'_>, outcome: Outcome) -> Option<ChargeOdds> {
    let field = asked.field;
    if field.unit(asked.unit).mounted || !asked.coming.needs_no_roll(field) {
        return None;
    }
    let thrown_back = outcome.of(End::ThrownBack);
    let fates = outcome.fates.iter().filter(|_| thrown_back.is_possible());
    let fates = fates.map(|(fate, chance)| OddsFate { fate: *fate, chance: chance.out_of(thrown_back).shown() });
    let shown = |sum: &Reckoning| sum.shown();
    Some(ChargeOdds {
        falls_short: outcome.of(End::FallsShort).shown(),
        halted: outcome.of(End::Halted).shown(),
        beaten_off: outcome.of(End::BeatenOff).shown(),
        melee: outcome.of(End::Melee).shown(),
        thrown_back: thrown_back.shown(),
        fates: fates.collect(),
        attacker: outcome.contact.as_ref().map(|(_, attacker, _)| shown(attacker)),
        defender: outcome.contact.as_ref().map(|(_, _, defender)| shown(defender)),
        notes: notes(asked, outcome.of(End::Halted).is_possible()),
    })
}

/// Where the reckoning stops.
fn notes(asked: &Asked<'_>, fires: bool) -> Vec<Note> {
    let note = |rule: RuleId, text: &str| Note { rule: rule.into(), text: text.to_owned() };
    let mut notes = vec![note(CHG_50, "fire of others at this charge is not reckoned")];
    if fires {
        notes.push(note(CHG_40, "it fires the volley that it has now; fire before the charge may use it up"));
        if !asked.coming.supports.is_empty() {
            notes.push(note(CHG_42, "what the volley costs its supports is not reckoned"));
        }
    }
    notes.push(note(CHG_08, "it is taken to run the shortest way"));
    notes
}
