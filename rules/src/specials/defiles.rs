//! Cuts and lanes that bind who stands in them. SCNS-14
//!
//! Owns the direction of such a place at a unit. What a bound unit may fire is [`crate::fire`]'s affair.

use protocol::place::{Bearing, Point};

use super::{in_force, is_in_its_place};
use crate::battle::UnitIx;
use crate::field::Field;
use crate::geometry;
use crate::places;
use crate::scenario::{PlaceTerm, Special, SpecialKind};

/// SCNS-14 The place in which a unit stands bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defile {
    /// The term.
    pub term: String,
    /// The bearing of the line at the unit; the other way is along it too.
    pub along: Bearing,
    /// So many stands fire over its lip.
    pub lip_stands: u32,
}

/// SCNS-14 The place that binds a unit where it stands; of several the one that leaves it the fewest stands.
pub fn defile_of(field: &Field<'_>, unit: UnitIx) -> Option<Defile> {
    let terms = in_force(field.table, field.unit(unit)).filter(|special| is_in_its_place(field, special, unit));
    let bound = terms.filter_map(|special| {
        let SpecialKind::RestrictedPlace { lip_stands, .. } = special.kind else { return None };
        let along = direction(field, special.place.as_ref()?, field.center(unit))?;
        Some(Defile { term: special.id.clone(), along, lip_stands })
    });
    bound.min_by_key(|defile| defile.lip_stands)
}

/// SCNS-14 Whether a unit that is charged where it stands counts as charged on its full flank, whatever the angle.
pub fn is_charged_in_a_defile(field: &Field<'_>, unit: UnitIx) -> bool {
    let binds = |special: &Special| {
        matches!(special.kind, SpecialKind::RestrictedPlace { charged_full_flank: true, .. })
            && is_in_its_place(field, special, unit)
    };
    in_force(field.table, field.unit(unit)).any(binds)
}

/// The bearing of a place at a point: of a line that of its nearest part, of an area that between its two corners farthest
/// apart.
fn direction(field: &Field<'_>, place: &PlaceTerm, at: Point) -> Option<Bearing> {
    let ground = field.ground().ground();
    if let Some(line) = places::line(ground, place) {
        let legs = line.windows(2).filter(|leg| leg[0] != leg[1]);
        let nearest = legs.min_by_key(|leg| geometry::point_to_segment(at, leg[0], leg[1]))?;
        return geometry::bearing_between(nearest[0], nearest[1]);
    }
    let outline = places::outline(ground, place)?;
    let pairs = outline.iter().flat_map(|from| outline.iter().map(move |to| (*from, *to)));
    let (from, to) = pairs.max_by_key(|(from, to)| (geometry::between_points(*from, *to), *from, *to))?;
    geometry::bearing_between(from, to)
}
