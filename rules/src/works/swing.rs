//! Swinging chevaux-de-frise aside and shut. OBS-23

use protocol::event::{Fact, ObstacleChange};
use protocol::ids::FeatureId;

use super::{Reason, may_work, reach};
use crate::battle::{Unit, UnitIx};
use crate::catalogue::OBS_23;
use crate::explain::{named, sentence};
use crate::field::Field;
use crate::geometry::Rect;
use crate::ground::{Obstacle, ObstacleKind};
use crate::play::Play;

/// OBS-23 A unit swings at most so many elements in a turn.
const MOST: usize = 2;

/// OBS-23 The elements that a unit would swing from where its stands are, each aside (true) or shut.
///
/// # Errors
/// The rule that forbids it.
pub(crate) fn swinging(
    field: &Field<'_>,
    unit: &Unit,
    stands: &[Rect],
    elements: &[FeatureId],
) -> Result<Vec<(FeatureId, bool)>, Reason> {
    may_work(unit)?;
    let no = |text: String| Err((OBS_23, text));
    if elements.is_empty() || MOST < elements.len() || (elements.len() == MOST && elements[0] == elements[1]) {
        return no("swings one or two different chevaux-de-frise in a turn; name them".to_owned());
    }
    let ground = field.ground();
    let mut swung = Vec::new();
    for id in elements {
        let element = ground.obstacle(id).filter(|obstacle| obstacle.kind == ObstacleKind::ChevauxDeFrise);
        let Some(element) = element else { return no(format!("cannot swing `{id}`: only chevaux-de-frise are swung")) };
        let open = ground.changes().open.contains(id);
        if lines_of(field, element).is_empty() {
            return no(format!("cannot swing `{id}`: it is destroyed"));
        }
        if !is_within_reach(field, stands, element) {
            return no(format!("is not within an inch of `{id}` when it would swing it; march there first"));
        }
        swung.push((id.clone(), !open));
    }
    Ok(swung)
}

/// What there is of an element, where it would stand if it were shut.
fn lines_of(field: &Field<'_>, element: &Obstacle) -> Vec<Vec<protocol::place::Point>> {
    let mut shut = field.table.changes.clone();
    shut.swing(&element.id, false);
    field.ground().after(&shut).standing_lines(element)
}

fn is_within_reach(field: &Field<'_>, stands: &[Rect], element: &Obstacle) -> bool {
    lines_of(field, element).iter().any(|line| reach::is_beside(stands, line))
}

/// OBS-23 When half a move has passed for each, the elements swing, if the unit is still beside them.
pub(crate) fn swing(play: &mut Play<'_>, ix: UnitIx, elements: &[(FeatureId, bool)]) {
    let beside: Vec<(FeatureId, bool)> = {
        let field = Field::new(play.rules, play.table(), play.dice);
        let stands = field.stands(ix);
        let is_beside = |id: &FeatureId| {
            field.ground().obstacle(id).is_some_and(|element| is_within_reach(&field, &stands, element))
        };
        elements.iter().filter(|(id, _)| is_beside(id)).cloned().collect()
    };
    for (element, open) in beside {
        play.table_mut().changes.swing(&element, open);
        let unit = &play.table()[ix];
        let (by, name) = (unit.id.clone(), named(&unit.name));
        let (change, how) = match open {
            true => (ObstacleChange::SwungOpen, "aside"),
            false => (ObstacleChange::SwungShut, "shut"),
        };
        let fact = Fact::ObstacleChanged { obstacle: element, by: Some(by), change };
        play.tell(OBS_23, fact, sentence(format!("{name} swings chevaux-de-frise {how}.")));
    }
}
