//! Reading the map: what ground a place is, how high, what covers it, what sees it, how fast one crosses it.
//!
//! Owns the bot's picture of [`MapView`], made once for a battle. The pace of each ground is the share of
//! the open rate that the printed movement chart gives, as a player knows it by heart; the exact cost of a
//! move is the server's to say (`Preview`).

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use protocol::view::{MapView, View};

use crate::geometry::{Outline, Vector, distance_to_segment, segments_cross};

/// The kind of ground, easiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Terrain {
    /// Fields.
    Open,
    /// Broken ground.
    Broken,
    /// Woods.
    Woods,
    /// Rocks.
    Rough,
}

/// How a body of troops goes: it decides how much the ground costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gait {
    /// Foot in line, or a column of attack.
    Line,
    /// Foot or horse in march column, or riders in general.
    Column,
    /// Skirmishers and sharpshooters.
    Loose,
    /// Guns behind their teams.
    Limbered,
    /// Guns pushed by hand.
    ByHand,
    /// A leader and his horse.
    Rider,
}

impl Gait {
    /// Share of the open rate on this ground; 0 where it may not go.
    pub fn share(self, terrain: Terrain, on_road: bool) -> f64 {
        // [road, open, broken, woods, rough]
        let row = match self {
            Gait::Line => [1.0, 1.0, 0.67, 0.33, 0.17],
            Gait::Column => [1.2, 1.0, 0.8, 0.4, 0.2],
            Gait::Loose => [1.0, 1.0, 0.7, 0.4, 0.3],
            Gait::Limbered => [1.5, 1.0, 0.75, 0.06, 0.0],
            Gait::ByHand => [2.0, 1.0, 0.5, 0.25, 0.0],
            Gait::Rider => [1.33, 1.0, 0.67, 0.25, 0.08],
        };
        let uses_roads = !matches!(self, Gait::Line | Gait::Loose);
        if on_road && uses_roads {
            return row[0];
        }
        match terrain {
            Terrain::Open => row[1],
            Terrain::Broken => row[2],
            Terrain::Woods => row[3],
            Terrain::Rough => row[4],
        }
    }
}

#[derive(Clone, Debug)]
struct Area {
    terrain: Terrain,
    /// Inches of light woods that an inch of it counts for; 0 without trees.
    woods: f64,
    outline: Outline,
}

#[derive(Clone, Debug)]
struct Line {
    points: Vec<Vector>,
    /// Half its width, or how far beside it one still profits.
    reach: f64,
    /// What it is worth as cover, in points of the fire chart.
    cover: f64,
}

impl Line {
    fn distance(&self, place: Vector) -> f64 {
        self.points.windows(2).map(|pair| distance_to_segment(place, pair[0], pair[1])).fold(f64::INFINITY, f64::min)
    }

    fn crossed_by(&self, a: Vector, b: Vector) -> bool {
        self.points.windows(2).any(|pair| segments_cross(pair[0], pair[1], a, b))
    }
}

/// A place that counts, or has a name.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its identifier on the map.
    pub id: String,
    /// Its outline.
    pub outline: Outline,
}

/// The map as the bot reads it.
#[derive(Clone, Debug)]
pub struct Ground {
    /// East-west extent, inches.
    pub width: f64,
    /// North-south extent, inches.
    pub height: f64,
    areas: Vec<Area>,
    contours: Vec<(f64, Outline)>,
    roads: Vec<Line>,
    walls: Vec<Line>,
    /// The walls that the map prints, with their names.
    printed: Vec<(String, Line)>,
    buildings: Vec<(Outline, f64)>,
    places: Vec<Place>,
    grid: Grid,
}

impl Ground {
    /// Reads a map.
    pub fn new(map: &MapView) -> Self {
        let line = |points: &[protocol::place::Point], reach: f64, cover: f64| Line {
            points: points.iter().copied().map(Vector::from).collect(),
            reach,
            cover,
        };
        let mut ground = Ground {
            width: f64::from(map.width.max(0)) / 1000.0,
            height: f64::from(map.height.max(0)) / 1000.0,
            areas: map
                .areas
                .iter()
                .map(|area| Area {
                    terrain: match area.terrain.as_str() {
                        "rough" => Terrain::Rough,
                        "woods" => Terrain::Woods,
                        "broken" => Terrain::Broken,
                        _ => Terrain::Open,
                    },
                    woods: match area.wooded.as_str() {
                        "heavy" => 2.0,
                        "light" => 1.0,
                        _ if area.terrain == "woods" => 1.0,
                        _ => 0.0,
                    },
                    outline: Outline::new(&area.outline),
                })
                .collect(),
            contours: map.contours.iter().map(|c| (f64::from(c.feet), Outline::new(&c.outline))).collect(),
            roads: map
                .ways
                .iter()
                .filter(|way| way.kind == "road")
                .map(|way| line(&way.line, (f64::from(way.width) / 2000.0).max(0.3), 0.0))
                .collect(),
            walls: Vec::new(),
            printed: map
                .obstacles
                .iter()
                .map(|wall| (wall.id.to_string(), line(&wall.line, 1.0, obstacle_cover(&wall.kind))))
                .collect(),
            buildings: map
                .buildings
                .iter()
                .map(|b| (Outline::new(&b.outline), if b.kind == "stone" { 2.0 } else { 1.0 }))
                .collect(),
            places: map
                .places
                .iter()
                .map(|place| Place { id: place.id.to_string(), outline: Outline::new(&place.outline) })
                .collect(),
            grid: Grid::default(),
        };
        ground.walls = ground.printed.iter().map(|(_, wall)| wall.clone()).collect();
        ground.grid = Grid::new(&ground);
        ground
    }

    /// Takes note of what was built and of what is gone since the map was printed. OBS-01
    pub fn see_works(&mut self, view: &View) {
        let gone = |name: &str| view.destroyed.iter().any(|gone| gone.as_str() == name);
        self.walls = self.printed.iter().filter(|(name, _)| !gone(name)).map(|(_, wall)| wall.clone()).collect();
        for built in &view.obstacles {
            self.walls.extend(built.lines.iter().map(|line| Line {
                points: line.iter().copied().map(Vector::from).collect(),
                reach: 1.0,
                cover: obstacle_cover(&built.kind),
            }));
        }
    }

    /// Whether a place lies on the table, so far from its edge.
    pub fn on_table(&self, place: Vector, margin: f64) -> bool {
        margin <= place.x && place.x <= self.width - margin && margin <= place.y && place.y <= self.height - margin
    }

    /// The place brought onto the table.
    pub fn clamped(&self, place: Vector, margin: f64) -> Vector {
        let bring = |value: f64, extent: f64| value.min(extent - margin).max(margin.min(extent / 2.0));
        Vector::new(bring(place.x, self.width), bring(place.y, self.height))
    }

    /// A named place by its identifier.
    pub fn place(&self, id: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.id == id)
    }

    /// The hardest ground at a place.
    pub fn terrain(&self, place: Vector) -> Terrain {
        let hardest = self.areas.iter().filter(|area| area.outline.holds(place)).map(|area| area.terrain).max();
        hardest.unwrap_or(Terrain::Open)
    }

    /// Height in feet: the highest contour around a place.
    pub fn feet(&self, place: Vector) -> f64 {
        let around = self.contours.iter().filter(|(_, outline)| outline.holds(place));
        around.map(|(feet, _)| *feet).fold(0.0, f64::max)
    }

    /// Whether a place is on a road.
    pub fn on_road(&self, place: Vector) -> bool {
        self.roads.iter().any(|road| road.distance(place) <= road.reach)
    }

    /// What covers troops at a place against fire from elsewhere, in points of the fire chart: more is better.
    pub fn cover(&self, place: Vector, from: Vector) -> f64 {
        let wooded = self.areas.iter().any(|area| 0.0 < area.woods && area.outline.holds(place));
        let trees = if wooded { 2.0 } else { 0.0 };
        // Only what stands within an inch in front of the place covers it.
        let front = place.plus(from.minus(place).unit().times(1.0));
        let wall =
            self.walls.iter().filter(|wall| wall.crossed_by(place, front)).map(|wall| wall.cover).fold(0.0, f64::max);
        let house = self
            .buildings
            .iter()
            .filter(|(outline, _)| outline.holds(place))
            .map(|(_, cover)| *cover)
            .fold(0.0, f64::max);
        // Rocks are no cover on the chart, but nobody charges through them in order.
        let rocks = if self.terrain(place) == Terrain::Rough { 0.5 } else { 0.0 };
        trees + wall.max(house) + rocks
    }

    /// Fences, walls and works that a straight way crosses.
    pub fn walls_crossed(&self, from: Vector, to: Vector) -> f64 {
        self.walls.iter().filter(|wall| wall.crossed_by(from, to)).count() as f64
    }

    /// Whether a fence, a wall or works stand so near to a place, inches.
    pub fn wall_within(&self, place: Vector, inches: f64) -> bool {
        self.walls.iter().any(|wall| wall.distance(place) <= inches)
    }

    /// Whether troops at one place would likely see those at another: ground, houses and depth of woods between
    /// them. Not the same both ways: out of woods one sees farther than into them. VIS-06, VIS-14
    pub fn sees(&self, one: Vector, other: Vector) -> bool {
        const STEP: f64 = 0.5;
        let distance = one.distance(other);
        let steps = (distance / STEP).ceil().max(1.0);
        // Within woods a die decides: three inches are seen half of the time. From outside only the edge is seen.
        let deepest = if 0.0 < self.woods(one) { 3.0 } else { 1.0 };
        let mut depth = 0.0;
        for step in 1..steps as u32 {
            let place = one.toward(other, f64::from(step) / steps);
            depth += self.woods(place) * distance / steps;
            if deepest < depth || self.buildings.iter().any(|(outline, _)| outline.holds(place)) {
                return false;
            }
        }
        let (here, there) = (self.feet(one), self.feet(other));
        if here < there { self.looks_down(other, there, one, here) } else { self.looks_down(one, here, other, there) }
    }

    /// Whether no ground hides the lower of two places from the higher. VIS-14
    fn looks_down(&self, high: Vector, high_feet: f64, low: Vector, low_feet: f64) -> bool {
        const STEP: f64 = 0.5;
        let distance = high.distance(low);
        // A tenth more than an inch back from the crest, and one does not see down.
        if low_feet < high_feet && 1.1 < distance && self.is_flat_to(high, high_feet, high.toward(low, 1.1 / distance))
        {
            return false;
        }
        let steps = (distance / STEP).ceil().max(1.0);
        let mut on_the_top = true;
        let mut deepest = high_feet;
        for step in 1..steps as u32 {
            let part = f64::from(step) / steps;
            let feet = self.feet(high.toward(low, part));
            if high_feet < feet {
                return false;
            }
            // Back from the crest one does not see down.
            on_the_top = on_the_top && feet == high_feet;
            if on_the_top && low_feet < high_feet && 1.25 < part * distance {
                return false;
            }
            // Dead ground behind a lower ridge.
            if deepest < feet && low_feet < feet && 0.5 < part {
                return false;
            }
            deepest = deepest.min(feet);
        }
        true
    }

    /// Whether the ground keeps its height along a short way.
    fn is_flat_to(&self, from: Vector, feet: f64, to: Vector) -> bool {
        (1..=4).all(|step| self.feet(from.toward(to, f64::from(step) / 4.0)) == feet)
    }

    /// Whether a place lies in woods.
    pub fn is_wooded(&self, place: Vector) -> bool {
        0.0 < self.woods(place)
    }

    fn woods(&self, place: Vector) -> f64 {
        let around = self.areas.iter().filter(|area| area.outline.holds(place));
        around.map(|area| area.woods).fold(0.0, f64::max)
    }

    /// Share of the open rate at a place; 0 where this gait may not go.
    pub fn pace(&self, gait: Gait, place: Vector) -> f64 {
        gait.share(self.terrain(place), self.on_road(place))
    }

    /// How far along a path so many inches of open-ground movement carry; also where that is.
    pub fn reach(&self, gait: Gait, path: &[Vector], budget: f64) -> Vec<Vector> {
        const STEP: f64 = 0.5;
        let mut left = budget;
        let Some(&first) = path.first() else { return Vec::new() };
        let mut gone = vec![first];
        for pair in path.windows(2) {
            let length = pair[0].distance(pair[1]);
            let steps = (length / STEP).ceil().max(1.0);
            for step in 0..steps as u32 {
                let from = pair[0].toward(pair[1], f64::from(step) / steps);
                let share = self.pace(gait, from);
                let cost = if 0.0 < share { length / steps / share } else { f64::INFINITY };
                if left < cost {
                    let rest = if share <= 0.0 { 0.0 } else { left / cost };
                    gone.push(from.toward(pair[1], rest / (steps - f64::from(step))));
                    return gone;
                }
                left -= cost;
            }
            gone.push(pair[1]);
        }
        gone
    }

    /// What a straight march costs in inches of open ground; infinite over ground where the gait may not go.
    pub fn cost(&self, gait: Gait, from: Vector, to: Vector) -> f64 {
        const STEP: f64 = 1.0;
        let length = from.distance(to);
        let steps = (length / STEP).ceil().max(1.0);
        let mut cost = 0.0;
        for step in 0..steps as u32 {
            let share = self.pace(gait, from.toward(to, (f64::from(step) + 0.5) / steps));
            if share <= 0.0 {
                return f64::INFINITY;
            }
            cost += length / steps / share;
        }
        cost
    }

    /// A way around hard ground, from a place to another, start included; straight where that is as good.
    pub fn way(&self, gait: Gait, from: Vector, to: Vector, avoid: &[(Vector, f64)]) -> Vec<Vector> {
        let straight = self.cost(gait, from, to);
        let near = |place: Vector| avoid.iter().any(|(middle, radius)| middle.distance(place) < *radius);
        let blocked = (1..8).any(|part| near(from.toward(to, f64::from(part) / 8.0)));
        // Nothing beats a straight way over good ground.
        if !blocked && straight <= from.distance(to) * 1.2 {
            return vec![from, to];
        }
        let Some((cost, mut cells)) = self.grid.search(gait, from, to, avoid) else { return vec![from, to] };
        // The grid counts in whole cells: it has to win clearly.
        if !blocked && straight <= cost * 1.3 + 2.0 {
            return vec![from, to];
        }
        // The middle of the first square may lie behind: nobody marches back for it.
        let far = cells.iter().position(|cell| 2.5 <= cell.distance(from)).unwrap_or(cells.len());
        cells.drain(..far);
        // Pull the string tight: drop what a straight leg passes as cheaply.
        let mut way = vec![from];
        let mut index = 0;
        while index < cells.len() {
            let here = way[way.len() - 1];
            // What each cell costs when reached over those before it.
            let mut over = vec![self.cost(gait, here, cells[index])];
            for ahead in index + 1..cells.len() {
                over.push(over[ahead - index - 1] + self.cost(gait, cells[ahead - 1], cells[ahead]));
            }
            let skips = |ahead: usize| {
                let to = cells[ahead];
                !(1..6).any(|part| near(here.toward(to, f64::from(part) / 6.0)))
                    && self.cost(gait, here, to) <= over[ahead - index] * 1.1
            };
            let next = (index + 1..cells.len()).rev().find(|ahead| skips(*ahead)).unwrap_or(index);
            way.push(cells[next]);
            index = next + 1;
        }
        way.push(to);
        way.dedup_by(|a, b| a.distance(*b) < 0.2);
        way
    }
}

/// Cover of a linear obstacle against musketry.
fn obstacle_cover(kind: &str) -> f64 {
    match kind {
        "heavy_works" => 4.0,
        "medium_works" | "hasty_works" => 3.0,
        "stone_wall" | "bank" => 2.0,
        "fence" => 1.0,
        _ => 0.0,
    }
}

/// The map in squares of two inches, for finding ways.
#[derive(Clone, Debug, Default)]
struct Grid {
    columns: usize,
    rows: usize,
    cells: Vec<(Terrain, bool)>,
}

impl Grid {
    const SIZE: f64 = 2.0;

    fn new(ground: &Ground) -> Self {
        let count = |extent: f64| ((extent / Self::SIZE).ceil() as usize).clamp(1, 200);
        let (columns, rows) = (count(ground.width), count(ground.height));
        let mut cells = Vec::with_capacity(columns * rows);
        for row in 0..rows {
            for column in 0..columns {
                let middle = Self::middle(column, row);
                cells.push((ground.terrain(middle), ground.on_road(middle)));
            }
        }
        Grid { columns, rows, cells }
    }

    fn middle(column: usize, row: usize) -> Vector {
        Vector::new((column as f64 + 0.5) * Self::SIZE, (row as f64 + 0.5) * Self::SIZE)
    }

    fn cell(&self, place: Vector) -> usize {
        let index = |value: f64, count: usize| ((value / Self::SIZE).max(0.0) as usize).min(count - 1);
        index(place.y, self.rows) * self.columns + index(place.x, self.columns)
    }

    /// Cheapest way over the squares: its cost in inches of open ground, and the middles between start and end.
    fn search(&self, gait: Gait, from: Vector, to: Vector, avoid: &[(Vector, f64)]) -> Option<(f64, Vec<Vector>)> {
        if self.cells.is_empty() {
            return None;
        }
        let (start, goal) = (self.cell(from), self.cell(to));
        let middle_of = |cell: usize| Self::middle(cell % self.columns, cell / self.columns);
        // A road is the fastest there is: dividing by it keeps the estimate below the truth.
        let estimate = |cell: usize| middle_of(cell).distance(middle_of(goal)) / 1.5;
        let mut best = vec![f64::INFINITY; self.cells.len()];
        let mut came = vec![usize::MAX; self.cells.len()];
        let mut open = BinaryHeap::new();
        best[start] = 0.0;
        open.push(Reached { total: estimate(start), cost: 0.0, cell: start });
        while let Some(Reached { cost, cell, .. }) = open.pop() {
            if cell == goal {
                let mut cells = Vec::new();
                let mut back = came[goal];
                while back != usize::MAX && back != start {
                    cells.push(middle_of(back));
                    back = came[back];
                }
                cells.reverse();
                return Some((cost, cells));
            }
            if best[cell] < cost {
                continue;
            }
            let (column, row) = (cell % self.columns, cell / self.columns);
            for (dx, dy) in [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)] {
                let (Some(x), Some(y)) = (column.checked_add_signed(dx), row.checked_add_signed(dy)) else { continue };
                if self.columns <= x || self.rows <= y {
                    continue;
                }
                let next = y * self.columns + x;
                let (terrain, road) = self.cells[next];
                let share = gait.share(terrain, road);
                if share <= 0.0 && next != goal {
                    continue;
                }
                let step = if dx != 0 && dy != 0 { Self::SIZE * std::f64::consts::SQRT_2 } else { Self::SIZE };
                let place = middle_of(next);
                let danger = avoid.iter().filter(|(middle, radius)| middle.distance(place) < *radius).count();
                let reached = cost + step / share.max(0.05) * (1.0 + 4.0 * danger as f64);
                if reached < best[next] {
                    best[next] = reached;
                    came[next] = cell;
                    open.push(Reached { total: reached + estimate(next), cost: reached, cell: next });
                }
            }
        }
        None
    }
}

/// A square that was reached, ordered for the heap: cheapest first, then by number, so that ties are settled.
#[derive(Clone, Copy, PartialEq)]
struct Reached {
    total: f64,
    cost: f64,
    cell: usize,
}

impl Eq for Reached {}

impl Ord for Reached {
    fn cmp(&self, other: &Self) -> Ordering {
        other.total.total_cmp(&self.total).then(other.cell.cmp(&self.cell))
    }
}

impl PartialOrd for Reached {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::ids::FeatureId;
    use protocol::place::Point;
    use protocol::view::{AreaView, ContourView, LineView};

    fn square(x: i32, y: i32, side: i32) -> Vec<Point> {
        vec![Point::new(x, y), Point::new(x + side, y), Point::new(x + side, y + side), Point::new(x, y + side)]
    }

    fn area(terrain: &str, wooded: &str, outline: Vec<Point>) -> AreaView {
        AreaView {
            id: FeatureId::from(terrain),
            name: String::new(),
            terrain: terrain.to_owned(),
            wooded: wooded.to_owned(),
            outline,
        }
    }

    fn map() -> MapView {
        MapView {
            width: 40_000,
            height: 40_000,
            areas: vec![
                area("woods", "light", square(10_000, 10_000, 10_000)),
                area("rough", "none", square(15_000, 15_000, 3_000)),
            ],
            contours: vec![ContourView { feet: 60, outline: square(30_000, 18_000, 4_000) }],
            obstacles: vec![LineView {
                id: FeatureId::from("wall"),
                name: String::new(),
                kind: "stone_wall".to_owned(),
                line: vec![Point::new(4_000, 5_000), Point::new(8_000, 5_000)],
                width: 0,
            }],
            ..MapView::default()
        }
    }

    #[test]
    fn the_hardest_ground_and_the_highest_contour_count() {
        let ground = Ground::new(&map());
        assert_eq!(ground.terrain(Vector::new(2.0, 2.0)), Terrain::Open);
        assert_eq!(ground.terrain(Vector::new(12.0, 12.0)), Terrain::Woods);
        assert_eq!(ground.terrain(Vector::new(16.0, 16.0)), Terrain::Rough);
        assert_eq!(ground.feet(Vector::new(31.0, 19.0)), 60.0);
        assert_eq!(ground.feet(Vector::new(20.0, 30.0)), 0.0);
    }

    #[test]
    fn a_wall_covers_only_against_fire_from_beyond_it() {
        let ground = Ground::new(&map());
        let behind = Vector::new(6.0, 4.5);
        assert_eq!(ground.cover(behind, Vector::new(6.0, 12.0)), 2.0);
        assert_eq!(ground.cover(behind, Vector::new(6.0, 0.5)), 0.0);
    }

    #[test]
    fn hills_and_deep_woods_hide() {
        let ground = Ground::new(&map());
        assert!(ground.sees(Vector::new(25.0, 5.0), Vector::new(35.0, 5.0)));
        assert!(!ground.sees(Vector::new(25.0, 20.0), Vector::new(38.0, 20.0)), "the hill is in the way");
        assert!(ground.sees(Vector::new(33.5, 20.0), Vector::new(38.0, 20.0)), "from the crest one looks down");
        assert!(!ground.sees(Vector::new(31.5, 20.0), Vector::new(38.0, 20.0)), "from behind the crest one does not");
        assert!(!ground.sees(Vector::new(12.0, 8.0), Vector::new(12.0, 22.0)), "ten inches of woods");
        let (inside, outside) = (Vector::new(12.0, 12.0), Vector::new(12.0, 8.0));
        assert!(ground.sees(inside, outside) && !ground.sees(outside, inside), "only the edge is seen from outside");
    }

    #[test]
    fn guns_go_around_woods_and_rocks() {
        let ground = Ground::new(&map());
        let (from, to) = (Vector::new(5.0, 16.0), Vector::new(25.0, 16.0));
        let way = ground.way(Gait::Limbered, from, to, &[]);
        assert!(2 < way.len(), "{way:?}");
        let cost: f64 = way.windows(2).map(|leg| ground.cost(Gait::Limbered, leg[0], leg[1])).sum();
        assert!(cost < 45.0, "{cost} {way:?}");
        assert_eq!(ground.way(Gait::Line, Vector::new(2.0, 2.0), Vector::new(2.0, 9.0), &[]).len(), 2);
    }

    #[test]
    fn reach_ends_where_the_budget_does() {
        let ground = Ground::new(&map());
        let path = [Vector::new(12.0, 7.0), Vector::new(12.0, 19.0)];
        let end = ground.reach(Gait::Line, &path, 6.0)[1];
        // Three inches of open ground, then the rest at a third.
        assert!((end.y - 11.0).abs() < 0.3, "{end:?}");
    }
}
