//! What only the whole file can tell: names that must exist, places that must fit, sums that must agree.
//!
//! Owns the checks between tables, and the defaults of SCN-04, which need all units. It never reads a value.

use std::collections::{BTreeMap, BTreeSet};

use protocol::ids::{BySide, Side, UnitId};
use protocol::place::{Bearing, Point};
use protocol::words::Arm;

use super::entry::{Names, Shared};
use super::fault::nearest;
use super::map::Named;
use super::terms::{Arrival, Edge, ResultRule, Special, SpecialKind, Stretch, VictoryKind, VictoryTerm, When};
use super::{BrigadeTotal, Commander, Force, SideTerms, Told, Wagon, Zone, shape};

/// Tables of the file, each with where it stands.
pub(super) type Placed<T> = [(usize, T)];

/// All that the checks compare.
pub(super) struct Parts<'p, 't> {
    pub(super) shared: &'p Shared<'t>,
    pub(super) turns: u32,
    pub(super) named: &'p [Named],
    pub(super) commanders: &'p Placed<Commander>,
    pub(super) forces: &'p Placed<Force>,
    pub(super) wagons: &'p Placed<Wagon>,
    pub(super) zones: &'p Placed<Zone>,
    pub(super) arrivals: &'p Placed<Arrival>,
    pub(super) victory: &'p Placed<VictoryTerm>,
    pub(super) results: &'p Placed<ResultRule>,
    pub(super) specials: &'p Placed<Special>,
    pub(super) sums: &'p Placed<BrigadeTotal>,
    pub(super) min_distance: i32,
}

impl Parts<'_, '_> {
    pub(super) fn check(&self) {
        self.names_are_given_once();
        self.names_are_known();
        self.command_is_a_tree();
        self.everybody_has_a_place();
        self.battalions_make_up_their_regiments();
        self.sharpshooters_join_infantry();
        self.turns_are_played();
        self.one_term_says_who_has_won();
        self.terms_do_not_contradict();
        self.zones_are_apart();
        self.sums_agree();
    }

    fn fault(&self, at: usize, what: String, cure: impl Into<String>) {
        self.shared.faults.add(at, what, cure);
    }

    fn who(&self) -> impl Iterator<Item = (usize, &str)> {
        let commanders = self.commanders.iter().map(|(at, c)| (*at, c.id.as_str()));
        commanders.chain(self.forces.iter().map(|(at, f)| (*at, f.id.as_str())))
    }

    fn names_are_given_once(&self) {
        let mut seen = BTreeSet::new();
        let wagons = self.wagons.iter().map(|(at, w)| (*at, w.id.as_str()));
        let troops = self.who().chain(wagons).collect::<Vec<_>>();
        let features = self.named.iter().map(|n| (n.at, n.id.as_str())).collect::<Vec<_>>();
        let victory = self.victory.iter().map(|(at, t)| (*at, t.id.as_str())).collect();
        let specials = self.specials.iter().map(|(at, t)| (*at, t.id.as_str())).collect();
        let arrivals = self.arrivals.iter().map(|(at, t)| (*at, t.id.as_str())).collect();
        let zones = self.zones.iter().map(|(at, z)| (*at, z.id.as_str())).collect();
        for group in [troops, features, victory, specials, arrivals, zones] {
            seen.clear();
            for (at, id) in group {
                if !seen.insert(id) {
                    self.fault(at, format!("`{id}` is given twice"), "give each its own id");
                }
            }
        }
    }

    fn names_are_known(&self) {
        let commanders: BTreeSet<&str> = self.commanders.iter().map(|(_, c)| c.id.as_str()).collect();
        let who: BTreeSet<&str> = self.who().map(|(_, id)| id).collect();
        let features: BTreeSet<&str> = self.named.iter().map(|n| n.id.as_str()).collect();
        let lines: BTreeSet<&str> = self.named.iter().filter(|n| n.line).map(|n| n.id.as_str()).collect();
        for reference in self.shared.references.borrow().iter() {
            let (known, kind) = match reference.names {
                Names::Who => (&who, "unit, battery or commander"),
                Names::Commander => (&commanders, "commander"),
                Names::Feature => (&features, "feature of the map"),
                Names::Line => (&lines, "way, stream or obstacle of the map"),
                Names::Rule => {
                    let sound = reference.name.split_once('-').is_some_and(|(chapter, number)| {
                        chapter.bytes().all(|b| b.is_ascii_uppercase()) && number.bytes().all(|b| b.is_ascii_digit())
                    });
                    if !sound {
                        self.fault(
                            reference.at,
                            format!("`{}` is no rule", short(&reference.name)),
                            "cite it as `CAVC-25`",
                        );
                    }
                    continue;
                }
            };
            if !known.contains(reference.name.as_str()) {
                let what = format!("no {kind} is called `{}`", short(&reference.name));
                self.fault(reference.at, what, nearest(&reference.name, known.iter().copied()));
            }
        }
    }

    fn command_is_a_tree(&self) {
        let by_id: BTreeMap<&str, &Commander> = self.commanders.iter().map(|(_, c)| (c.id.as_str(), c)).collect();
        for (at, commander) in self.commanders {
            let Some(superior) = commander.under.as_ref().and_then(|id| by_id.get(id.as_str())) else { continue };
            if superior.side != commander.side {
                self.fault(*at, format!("`{}` is under an enemy", commander.id), "name a superior of his own side");
            }
            // A brigade is above nobody and every other superior has a higher post, so no ring closes.
            let higher = commander.post < superior.post;
            if !higher {
                let what = format!("`{}` is under `{}`, whose post is not higher", commander.id, superior.id);
                self.fault(*at, what, "a superior is of a higher post (LVL-01)");
            }
        }
        for (at, force) in self.forces {
            if by_id.get(force.under.as_str()).is_some_and(|superior| superior.side != force.side) {
                self.fault(*at, format!("`{}` is under an enemy", force.id), "name a commander of its own side");
            }
        }
        for side in Side::BOTH {
            if !self.forces.iter().any(|(_, force)| force.side == side && !force.optional) {
                self.fault(0, format!("no unit fights for the {side}"), "a battle has two sides");
            }
        }
    }

    /// SHARP-11 Sharpshooters join an infantry regiment of their side, one detachment each, and stand nowhere else.
    fn sharpshooters_join_infantry(&self) {
        let mut joined: BTreeSet<&UnitId> = BTreeSet::new();
        for (at, force) in self.forces {
            let Some(regiment) = &force.attached_to else { continue };
            let host = self.forces.iter().map(|(_, host)| host).find(|host| host.id == *regiment);
            if host.is_none_or(|host| host.arm != Arm::Infantry || host.side != force.side) {
                let what = format!("`{}` cannot join `{regiment}`", force.id);
                self.fault(*at, what, "name an infantry regiment of its side (SHARP-11)");
            }
            if !joined.insert(regiment) {
                let what = format!("`{regiment}` has two detachments of sharpshooters");
                self.fault(*at, what, "a regiment takes one (SHARP-11)");
            }
            if force.standing.is_some() {
                let what = format!("`{}` has joined a regiment and stands by itself", force.id);
                self.fault(*at, what, "leave out `at` and `facing`, or `attached_to` (SHARP-11)");
            }
        }
    }

    /// Each unit and commander stands on the table or comes with one arrival.
    fn everybody_has_a_place(&self) {
        let mut arrives: BTreeMap<&str, usize> = BTreeMap::new();
        let sides: BTreeMap<&str, Side> = self
            .commanders
            .iter()
            .map(|(_, c)| (c.id.as_str(), c.side))
            .chain(self.forces.iter().map(|(_, f)| (f.id.as_str(), f.side)))
            .collect();
        for (at, arrival) in self.arrivals {
            for who in &arrival.who {
                if arrives.insert(who, *at).is_some() {
                    self.fault(*at, format!("`{who}` arrives twice"), "name it in one arrival");
                }
                if sides.get(who.as_str()).is_some_and(|side| *side != arrival.side) {
                    self.fault(*at, format!("`{who}` is not of the arrival's side"), "name troops of that side");
                }
            }
        }
        let standing = self.commanders.iter().map(|(at, c)| (*at, c.id.as_str(), c.at.is_some()));
        let standing = standing.chain(self.forces.iter().map(|(at, f)| {
            // SHARP-11 Who has joined a regiment is where that is.
            (*at, f.id.as_str(), f.standing.is_some() || f.attached_to.is_some())
        }));
        for (at, id, stands) in standing {
            match (stands, arrives.contains_key(id)) {
                (true, true) => {
                    self.fault(at, format!("`{id}` stands on the table and arrives"), "leave out `at` or the arrival");
                }
                (false, false) => {
                    let cure = "give `at = [x, y]` (units also `facing`), or name it in an arrival";
                    self.fault(at, format!("`{id}` is nowhere"), cure);
                }
                _ => {}
            }
        }
    }

    /// ORG-04 The battalions of a regiment add up to it and are of one brigade.
    fn battalions_make_up_their_regiments(&self) {
        let mut regiments: BTreeMap<&str, Vec<(usize, &Force, u32)>> = BTreeMap::new();
        for (at, force) in self.forces {
            if let Some((regiment, men)) = &force.regiment {
                regiments.entry(regiment).or_default().push((*at, force, *men));
            }
        }
        for (regiment, battalions) in regiments {
            let [(at, first, men), ..] = battalions.as_slice() else { continue };
            let alike = battalions.iter().all(|(_, b, total)| total == men && b.under == first.under);
            if !alike || battalions.len() < 2 {
                let cure = "two or three battalions share brigade and `regiment_men`";
                self.fault(*at, format!("the battalions of `{}` do not belong together", short(regiment)), cure);
            }
            let sum: u32 = battalions.iter().map(|(_, b, _)| b.men()).sum();
            if sum != *men {
                let what = format!("the battalions of `{}` have {sum} men, the regiment {men}", short(regiment));
                self.fault(*at, what, "let them add up (ORG-04)");
            }
        }
    }

    fn turns_are_played(&self) {
        let late = |at: usize, id: &str, turn: u32| {
            if self.turns < turn {
                let cure = format!("the last turn is {} (SCN-03)", self.turns);
                self.fault(at, format!("`{id}` speaks of turn {turn}"), cure);
            }
        };
        for (at, arrival) in self.arrivals {
            late(*at, &arrival.id, arrival.turn);
        }
        for (at, term) in self.victory {
            match term.when {
                When::End => {}
                When::Turn(turn) | When::Turns(_, turn) => late(*at, &term.id, turn),
            }
            match &term.kind {
                VictoryKind::Control { turns, .. } | VictoryKind::Deny { turns, .. } => late(*at, &term.id, turns.1),
                VictoryKind::Reach { turns: Some(turns), .. } => late(*at, &term.id, turns.1),
                _ => {}
            }
        }
        for (at, special) in self.specials {
            if let Some((_, last)) = special.turns {
                late(*at, &special.id, last);
            }
        }
    }

    fn one_term_says_who_has_won(&self) {
        match self.results {
            [_] => {}
            [] => self.fault(0, "no victory term of kind `result`".into(), "add one: it says who has won (SCNV-14)"),
            [_, (at, _), ..] => self.fault(*at, "a second result".into(), "keep one (SCNV-01)"),
        }
    }

    /// SCNS-01 Two terms that set the same thing for the same unit. What adds up may stand beside each other.
    fn terms_do_not_contradict(&self) {
        let mut set: BTreeMap<(&'static str, &str), &str> = BTreeMap::new();
        for (at, special) in self.specials {
            let what = match special.kind {
                SpecialKind::Ammunition { .. } => "ammunition",
                SpecialKind::Start { .. } => "its start",
                SpecialKind::AttachedCommand { .. } => "its command",
                SpecialKind::Weapon { .. } => "its weapon",
                SpecialKind::HiddenStart { .. } => "a hidden start",
                _ => continue,
            };
            for force in self.units_of(&special.who) {
                if let Some(other) = set.insert((what, force), &special.id) {
                    let told = format!("`{}` and `{other}` both set {what} of `{force}`", special.id);
                    self.fault(*at, told, "leave one of them to it (SCNS-01)");
                }
            }
        }
    }

    /// The units that a list of names means, a commander's id meaning all under him.
    fn units_of(&self, who: &[String]) -> Vec<&str> {
        let under: BTreeMap<&str, Option<&str>> = self
            .commanders
            .iter()
            .map(|(_, c)| (c.id.as_str(), c.under.as_ref().map(|under| under.as_str())))
            .collect();
        let named = |id: &str| who.iter().any(|who| who == id);
        let chosen = self.forces.iter().map(|(_, force)| force).filter(|force| {
            let mut above = Some(force.under.as_str());
            let mut found = named(force.id.as_str());
            // Posts rise towards the top, so five steps reach it; a faulty file may have a ring.
            for _ in 0..5 {
                let Some(id) = above else { break };
                found |= named(id);
                above = under.get(id).copied().flatten();
            }
            found
        });
        chosen.map(|force| force.id.as_str()).collect()
    }

    /// SCN-06 No enemy zone is nearer than `min_distance`, judged between their corners and edges.
    fn zones_are_apart(&self) {
        for (index, (_, zone)) in self.zones.iter().enumerate() {
            for (at, other) in self.zones.iter().skip(index + 1).filter(|(_, other)| other.side != zone.side) {
                if zone.outline.len() < 3 || other.outline.len() < 3 {
                    continue;
                }
                if zones_nearer_than(&zone.outline, &other.outline, self.min_distance) {
                    let what = format!("the zones `{}` and `{}` are too near to each other", zone.id, other.id);
                    let cure =
                        format!("keep them {} inches apart (SCN-06)", super::entry::decimal_text(self.min_distance));
                    self.fault(*at, what, cure);
                }
            }
        }
        for side in Side::BOTH {
            let zones = self.zones.iter().filter(|(_, zone)| zone.side == side).count();
            if zones == 0 && !self.zones.is_empty() {
                self.fault(0, format!("the {side} has no zone, the enemy has"), "give both sides zones, or neither");
            }
        }
    }

    fn sums_agree(&self) {
        for (at, total) in self.sums {
            let men: u32 =
                self.forces.iter().filter(|(_, f)| f.under.as_str() == total.under).map(|(_, f)| f.men()).sum();
            if total.tolerance < men.abs_diff(total.men) {
                let what = format!("the units under `{}` have {men} men, not {}", short(&total.under), total.men);
                self.fault(*at, what, "mend the units, or the total");
            }
        }
    }
}

fn short(text: &str) -> String {
    super::entry::shorten(text)
}

/// Whether two outlines overlap or come nearer to each other than a distance.
fn zones_nearer_than(a: &[Point], b: &[Point], distance: i32) -> bool {
    if shape::crossing(a, b).is_some() || shape::inside(a, b[0]) || shape::inside(b, a[0]) {
        return true;
    }
    let near = |points: &[Point], outline: &[Point]| {
        points.iter().any(|p| shape::edges(outline).any(|edge| nearer_than(*p, edge, distance)))
    };
    near(a, b) || near(b, a)
}

/// Whether a point is nearer to a segment than a distance; exact, in whole numbers.
fn nearer_than(p: Point, (a, b): (Point, Point), distance: i32) -> bool {
    let (dx, dy) = (i128::from(b.x) - i128::from(a.x), i128::from(b.y) - i128::from(a.y));
    let (px, py) = (i128::from(p.x) - i128::from(a.x), i128::from(p.y) - i128::from(a.y));
    let (length2, along) = (dx * dx + dy * dy, px * dx + py * dy);
    let limit2 = i128::from(distance) * i128::from(distance);
    if along <= 0 || length2 == 0 {
        return px * px + py * py < limit2;
    }
    if length2 <= along {
        return (px - dx) * (px - dx) + (py - dy) * (py - dy) < limit2;
    }
    let across = px * dy - py * dx;
    across * across < limit2 * length2
}

/// SCN-04 The middle of each side's printed deployment: the mean of the places of its units on the table.
pub(super) fn middles(commanders: &Placed<Commander>, forces: &Placed<Force>) -> BySide<Option<Point>> {
    BySide::from_fn(|side| {
        let units: Vec<Point> =
            forces.iter().filter(|(_, f)| f.side == side).filter_map(|(_, f)| f.standing.map(|s| s.at)).collect();
        // A side with nobody but leaders on the table is where they are.
        let leaders = commanders.iter().filter(|(_, c)| c.side == side).filter_map(|(_, c)| c.at);
        let places = if units.is_empty() { leaders.collect() } else { units };
        let count = i64::try_from(places.len()).ok().filter(|count| 0 < *count)?;
        let mean = |sum: i64| i32::try_from(sum / count).unwrap_or_default();
        Some(Point::new(
            mean(places.iter().map(|p| i64::from(p.x)).sum()),
            mean(places.iter().map(|p| i64::from(p.y)).sum()),
        ))
    })
}

/// SCN-04 What a side has by itself: told by the file, else by the middles of both deployments.
pub(super) fn side_terms(
    side: Side,
    middles: &BySide<Option<Point>>,
    told: Option<&BySide<Told>>,
    width: i32,
    height: i32,
) -> SideTerms {
    let told = told.map(|told| told.get(side));
    let table_middle = Point::new(width / 2, height / 2);
    let own = middles.get(side).unwrap_or(table_middle);
    let enemy = middles.get(side.enemy()).unwrap_or(table_middle);
    let enemy_bearing = told.and_then(|told| told.enemy_bearing).unwrap_or_else(|| {
        crate::geometry::bearing_between(own, enemy).unwrap_or(if side == Side::Union {
            Bearing::SOUTH
        } else {
            Bearing::NORTH
        })
    });
    let exit_edge = told.and_then(|told| told.exit_edge).unwrap_or_else(|| {
        let edge = edge_behind(enemy_bearing, own, width, height);
        let to = if matches!(edge, Edge::North | Edge::South) { width } else { height };
        Stretch { edge, from: 0, to }
    });
    SideTerms { enemy_bearing, exit_edge, hasty_works: told.map_or(0, |told| told.hasty_works) }
}

/// SCN-04 The edge that the ray from the table's middle against the bearing meets first; at a corner the edge nearer
/// to the own middle.
fn edge_behind(enemy_bearing: Bearing, own: Point, width: i32, height: i32) -> Edge {
    let away = crate::geometry::forward(enemy_bearing).reversed();
    let sideways = if 0 < away.x { Edge::East } else { Edge::West };
    let lengthwise = if 0 < away.y { Edge::North } else { Edge::South };
    let to_side = i64::from(width) * away.y.abs();
    let to_end = i64::from(height) * away.x.abs();
    match to_side.cmp(&to_end) {
        std::cmp::Ordering::Less => sideways,
        std::cmp::Ordering::Greater => lengthwise,
        std::cmp::Ordering::Equal => {
            let from_side = if sideways == Edge::East { width - own.x } else { own.x };
            let from_end = if lengthwise == Edge::North { height - own.y } else { own.y };
            if from_side < from_end { sideways } else { lengthwise }
        }
    }
}
