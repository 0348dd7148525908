//! The prepared ground: a grid of cells that knows which outlines and lines pass where.
//!
//! Owns what is worked out once for a map and shared by all who ask. Never changes after it is built; what a battle
//! destroys or builds comes with each question as `GroundChanges`.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::place::Point;

use super::changes::GroundChanges;
use super::lines::{self, FINE, Leg};
use super::query::GroundNow;
use super::{Contour, Ground, Obstacle, ObstacleKind, Terrain, Wooded};
use crate::geometry::{self, EPS, Extent};

/// The ground of a battle, prepared for questions. Build once, share by `Arc`.
#[derive(Clone, Debug)]
pub struct GroundIndex {
    ground: Arc<Ground>,
    pub(super) areas: Outlines,
    /// The contours, the highest first.
    pub(super) contours: Outlines,
    /// Their heights, feet.
    heights: Vec<i32>,
    pub(super) buildings: Outlines,
    /// For each cell the height that all of it reaches, feet.
    floors: Vec<i32>,
    /// The greatest of these heights.
    summit: i32,
    pub(super) ways: Lines,
    pub(super) obstacles: Lines,
    /// For each obstacle the number of its chain: joined obstacles of one kind count as one. COVER-01
    pub(super) chains: Vec<usize>,
    /// The kinds of obstacles that the map has.
    pub(super) kinds: BTreeSet<ObstacleKind>,
}

impl Default for GroundIndex {
    /// An empty table without extent.
    fn default() -> Self {
        GroundIndex::new(Ground::default())
    }
}

impl PartialEq for GroundIndex {
    /// Equal maps are prepared equally.
    fn eq(&self, other: &Self) -> bool {
        self.ground == other.ground
    }
}

impl GroundIndex {
    /// Prepares a ground.
    pub fn new(ground: impl Into<Arc<Ground>>) -> Self {
        let ground = ground.into();
        let grid = Grid::over(&ground);
        let areas = Outlines::new(grid, ground.areas.iter().map(|area| area.outline.as_slice()));
        let mut falling: Vec<&Contour> = ground.contours.iter().collect();
        falling.sort_by_key(|contour| Reverse(contour.feet));
        let contours = Outlines::new(grid, falling.iter().map(|contour| contour.outline.as_slice()));
        let heights: Vec<i32> = falling.iter().map(|contour| contour.feet).collect();
        let floor =
            |cell: usize| contours.wholly.of(cell).first().map_or(0, |highest| heights[*highest as usize].max(0));
        let floors: Vec<i32> = (0..grid.count()).map(floor).collect();
        let summit = floors.iter().copied().max().unwrap_or(0);
        let buildings = Outlines::new(grid, ground.buildings.iter().map(|building| building.outline.as_slice()));
        let ways = Lines::new(grid, ground.ways.iter().map(|way| (way.line.as_slice(), way.width / 2)));
        let obstacles = Lines::new(grid, ground.obstacles.iter().map(|obstacle| (obstacle.line.as_slice(), 0)));
        let chains = chains(&ground.obstacles);
        let kinds = ground.obstacles.iter().map(|obstacle| obstacle.kind).collect();
        GroundIndex { ground, areas, contours, heights, buildings, floors, summit, ways, obstacles, chains, kinds }
    }

    /// The map itself.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    pub(super) fn shared_ground(&self) -> &Arc<Ground> {
        &self.ground
    }

    /// The ground as the battle has left it: the place to ask questions.
    pub fn now<'a>(&'a self, changes: &'a GroundChanges) -> GroundNow<'a> {
        GroundNow::new(self, changes)
    }

    /// Points along a leg, a cell's width apart.
    pub(super) fn steps(&self, leg: &Leg) -> impl Iterator<Item = Point> {
        let (leg, width) = (*leg, self.contours.grid.size * FINE);
        (1..=leg.length / width).map(move |step| leg.at(step * width))
    }

    /// A height that the ground has at least at a point, feet: that of its whole cell.
    pub(super) fn floor(&self, point: Point) -> i32 {
        self.floors[self.contours.grid.cell(point)]
    }

    /// VIS-14 The height of the highest contour that holds a point, feet; no less than 0.
    pub(super) fn level(&self, point: Point) -> i32 {
        let cell = self.contours.grid.cell(point);
        let (floor, inside) = (self.floors[cell], lines::clamped(point));
        let height = |number: &u32| self.heights[*number as usize];
        let mut higher = self.contours.partly.of(cell).iter().take_while(|number| floor < height(number));
        higher.find(|number| self.contours.holds(**number, cell, inside)).map_or(floor, height)
    }

    /// VIS-14 Whether the ground surely blocks a line from its higher end, told from whole cells: it rises above both ends, or
    /// hides the lower one behind a rise in the farther half. `beyond`: so far from there the farther half begins, fine.
    pub(super) fn hides(&self, leg: &Leg, (top, low): (i32, i32), beyond: i64) -> bool {
        let mut dip = top;
        self.cells_along(leg).any(|(travel, cell)| {
            let floor = self.floors[cell];
            let rises = dip < floor && low < floor && beyond < travel;
            if self.contours.passing.of(cell).is_empty() {
                dip = dip.min(floor);
            }
            rises || top < floor
        })
    }

    /// Cells that a leg passes, with a travel at which it is in each: one for each cell's width.
    fn cells_along(&self, leg: &Leg) -> impl Iterator<Item = (i64, usize)> {
        /// Binary places after the thousandth: the places add up, and stay far within the margin of the cells.
        const PLACES: u32 = 20;
        let grid = self.contours.grid;
        let width = grid.size * FINE;
        let step = |from: i32, to: i32| ((i64::from(to) - i64::from(from)) << PLACES) * width / leg.length.max(1);
        let (dx, dy) = (step(leg.from.x, leg.to.x), step(leg.from.y, leg.to.y));
        let (mut x, mut y) = (i64::from(leg.from.x) << PLACES, i64::from(leg.from.y) << PLACES);
        (1..=leg.length / width).map(move |number| {
            (x, y) = (x + dx, y + dy);
            let cell = grid.row(y >> PLACES) * grid.columns + grid.column(x >> PLACES);
            (number * width, cell as usize)
        })
    }

    /// A height that no whole cell lies above, feet.
    pub(super) fn summit(&self) -> i32 {
        self.summit
    }

    /// Whether all of a box surely lies above a level, in feet: every cell that it touches does as a whole.
    pub(super) fn is_above(&self, about: Extent, level: i32) -> bool {
        let grid = self.contours.grid;
        let (low, high) = about.corners();
        let (first, last) = (grid.column(i64::from(low.x)) as usize, grid.column(i64::from(high.x)) as usize);
        let mut rows = grid.row(i64::from(low.y))..=grid.row(i64::from(high.y));
        rows.all(|row| {
            let west = (row * grid.columns) as usize;
            self.floors[west + first..=west + last].iter().all(|floor| level < *floor)
        })
    }

    /// Boxes that hold all lines from one box to another, each at one part of its way, a cell's width apart.
    pub(super) fn steps_between(&self, one: Extent, other: Extent) -> impl Iterator<Item = Extent> {
        let ((x, y), (u, v)) = (one.middle(), other.middle());
        let apart = i64::from(x.abs_diff(u).max(y.abs_diff(v)));
        let parts = (apart / self.contours.grid.size) as i32;
        (1..parts).map(move |part| one.on_the_way(other, part, parts))
    }

    /// Terrain and trees of the areas at a point. SCALE-04
    pub(super) fn cover_at(&self, point: Point) -> (Terrain, Wooded) {
        let mut terrain = Terrain::Open;
        let mut wooded = Wooded::None;
        self.areas.holding_one_by_one(point, |number, holds| {
            let area = &self.ground.areas[number];
            // Whether it holds the point is asked only where that tells something.
            if (terrain < area.terrain || wooded < area.wooded) && holds() {
                terrain = terrain.max(area.terrain);
                wooded = wooded.max(area.wooded);
            }
        });
        // Rough that is wooded is heavy woods, whichever of the overlapping areas brings the trees.
        if terrain == Terrain::Rough && wooded == Wooded::Light {
            wooded = Wooded::Heavy;
        }
        (terrain, wooded)
    }

    /// VIS-03, SCNS-07 The trees at a point as sight has them.
    pub(super) fn trees_at(&self, point: Point) -> Wooded {
        if self.ground.seen_as.is_empty() {
            return self.cover_at(point).1;
        }
        let mut terrain = Terrain::Open;
        let mut wooded = Wooded::None;
        let mut as_told = false;
        self.areas.holding(point, |number| {
            let area = &self.ground.areas[number];
            let told = self.ground.seen_as.iter().find(|(of, _)| *of == number).map(|(_, seen)| *seen);
            as_told |= told.is_some();
            terrain = terrain.max(area.terrain);
            wooded = wooded.max(told.unwrap_or(area.wooded));
        });
        // Of ground that is rough a term may say how thick its trees are; else they are heavy.
        if !as_told && terrain == Terrain::Rough && wooded == Wooded::Light {
            wooded = Wooded::Heavy;
        }
        wooded
    }
}

/// COVER-01 Numbers obstacles so that those of one kind that share an end have one number.
fn chains(obstacles: &[Obstacle]) -> Vec<usize> {
    let mut chains: Vec<usize> = (0..obstacles.len()).collect();
    for later in 0..obstacles.len() {
        for earlier in 0..later {
            if joined(&obstacles[earlier], &obstacles[later]) {
                let (kept, lost) = (chains[earlier].min(chains[later]), chains[earlier].max(chains[later]));
                for chain in &mut chains {
                    if *chain == lost {
                        *chain = kept;
                    }
                }
            }
        }
    }
    chains
}

fn joined(one: &Obstacle, other: &Obstacle) -> bool {
    let ends = |obstacle: &Obstacle| obstacle.line.first().copied().into_iter().chain(obstacle.line.last().copied());
    one.kind == other.kind && ends(one).any(|a| ends(other).any(|b| geometry::between_points(a, b).within(0)))
}

/// About so many cells at most.
const MOST_CELLS: i64 = 1 << 16;

/// The cells that cover the table. The outermost ones reach to infinity, so that every point has its cell.
#[derive(Clone, Copy, Debug)]
struct Grid {
    size: i64,
    columns: i64,
    rows: i64,
}

impl Grid {
    /// An inch a cell, larger on very large tables.
    fn over(ground: &Ground) -> Self {
        let (width, height) = (i64::from(ground.width).max(1), i64::from(ground.height).max(1));
        let size = (width * height / MOST_CELLS).isqrt().max(1_000);
        Grid { size, columns: width.div_euclid(size) + 1, rows: height.div_euclid(size) + 1 }
    }

    fn count(self) -> usize {
        (self.columns * self.rows) as usize
    }

    fn column(self, x: i64) -> i64 {
        x.div_euclid(self.size).clamp(0, self.columns - 1)
    }

    fn row(self, y: i64) -> i64 {
        y.div_euclid(self.size).clamp(0, self.rows - 1)
    }

    fn cell(self, point: Point) -> usize {
        (self.row(i64::from(point.y)) * self.columns + self.column(i64::from(point.x))) as usize
    }

    /// Visits every cell within `margin` thousandths of a line, and perhaps a few more, each once.
    fn along(self, a: Point, b: Point, margin: i64, mut visit: impl FnMut(usize)) {
        let (low, high) = if a.y <= b.y { (a, b) } else { (b, a) };
        let (dx, dy) = lines::from_to(low, high);
        let (low_x, low_y, high_y) = (i64::from(low.x), i64::from(low.y), i64::from(high.y));
        let x_at = |y: i64| if dy == 0 { low_x } else { low_x + dx * (y.clamp(low_y, high_y) - low_y) / dy };
        let (first, last) = (self.row(low_y - margin), self.row(high_y + margin));
        for row in first..=last {
            let from_y = if row == 0 { low_y } else { row * self.size - margin };
            let to_y = if row == self.rows - 1 { high_y } else { (row + 1) * self.size + margin };
            let (one, other) = if dy == 0 { (low_x, low_x + dx) } else { (x_at(from_y), x_at(to_y)) };
            // Division cuts off less than a thousandth.
            let (left, right) = (one.min(other) - margin - 1, one.max(other) + margin + 1);
            for column in self.column(left)..=self.column(right) {
                visit((row * self.columns + column) as usize);
            }
        }
    }
}

/// For each cell a list of numbers.
#[derive(Clone, Debug, Default)]
struct CellLists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl CellLists {
    fn new(cells: usize, mut pairs: Vec<(u32, u32)>) -> Self {
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = Vec::with_capacity(cells + 1);
        let mut next = 0;
        for cell in 0..=cells as u32 {
            while next < pairs.len() && pairs[next].0 < cell {
                next += 1;
            }
            starts.push(next as u32);
        }
        CellLists { starts, items: pairs.into_iter().map(|(_, item)| item).collect() }
    }

    fn of(&self, cell: usize) -> &[u32] {
        &self.items[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

/// SCALE-07's tolerance and a little more, so that no edge is missed at the border of a cell.
const MARGIN: i64 = EPS as i64 + 2;

/// Closed outlines of one kind.
#[derive(Clone, Debug)]
pub(super) struct Outlines {
    grid: Grid,
    edges: Vec<(Point, Point)>,
    /// The number of the outline to which an edge belongs.
    outline_of: Vec<u32>,
    /// For each outline and row of cells the edges whose height lies in the row, wherever they are east or west: those
    /// which a line from a point of the row straight east may meet.
    in_row: CellLists,
    /// Edges that pass a cell.
    passing: CellLists,
    /// Outlines with an edge in a cell.
    partly: CellLists,
    /// Outlines that hold a whole cell.
    wholly: CellLists,
}

impl Outlines {
    fn new<'a>(grid: Grid, shapes: impl Iterator<Item = &'a [Point]>) -> Self {
        let (mut edges, mut outline_of) = (Vec::new(), Vec::new());
        let (mut in_row, mut outlines) = (Vec::new(), 0);
        let (mut passing, mut partly, mut wholly) = (Vec::new(), Vec::new(), Vec::new());
        for (number, shape) in shapes.enumerate() {
            let first = partly.len();
            for (a, b) in lines::edges(shape) {
                grid.along(a, b, MARGIN, |cell| {
                    passing.push((cell as u32, edges.len() as u32));
                    partly.push((cell as u32, number as u32));
                });
                for row in grid.row(i64::from(a.y.min(b.y)))..=grid.row(i64::from(a.y.max(b.y))) {
                    in_row.push((number as u32 * grid.rows as u32 + row as u32, edges.len() as u32));
                }
                edges.push((a, b));
                outline_of.push(number as u32);
            }
            let mut bordering: Vec<u32> = partly[first..].iter().map(|&(cell, _)| cell).collect();
            bordering.sort_unstable();
            bordering.dedup();
            let inner = cells_inside(grid, shape);
            wholly
                .extend(inner.filter(|cell| bordering.binary_search(cell).is_err()).map(|cell| (cell, number as u32)));
            outlines = number + 1;
        }
        let cells = grid.count();
        Outlines {
            grid,
            edges,
            outline_of,
            in_row: CellLists::new(outlines * grid.rows as usize, in_row),
            passing: CellLists::new(cells, passing),
            partly: CellLists::new(cells, partly),
            wholly: CellLists::new(cells, wholly),
        }
    }

    /// Visits the number of each outline that holds the point.
    pub(super) fn holding(&self, point: Point, mut visit: impl FnMut(usize)) {
        self.holding_one_by_one(point, |number, holds| {
            if holds() {
                visit(number);
            }
        });
    }

    /// Visits each outline that may hold the point, with whether it does, for those who need not know it of all.
    fn holding_one_by_one(&self, point: Point, mut visit: impl FnMut(usize, &dyn Fn() -> bool)) {
        let cell = self.grid.cell(point);
        for &number in self.wholly.of(cell) {
            visit(number as usize, &|| true);
        }
        for &number in self.partly.of(cell) {
            visit(number as usize, &|| self.holds(number, cell, lines::clamped(point)));
        }
    }

    /// Whether an outline with an edge in the point's cell holds the point; its border, with SCALE-07's tolerance, counts as
    /// inside.
    fn holds(&self, number: u32, cell: usize, point: Point) -> bool {
        let edge = |edge: &u32| self.edges[*edge as usize];
        let mut own = self.passing.of(cell).iter().filter(|edge| self.outline_of[**edge as usize] == number);
        if own.any(|near| lines::touches(edge(near).0, edge(near).1, point)) {
            return true;
        }
        let row = self.grid.row(i64::from(point.y)) as usize;
        let beside = self.in_row.of(number as usize * self.grid.rows as usize + row).iter();
        beside.filter(|far| lines::lies_east(edge(far).0, edge(far).1, point)).count() % 2 == 1
    }

    /// Whether no outline comes near a line: all of it lies within or without each of them.
    pub(super) fn are_far_from(&self, from: Point, to: Point) -> bool {
        let mut far = true;
        self.grid.along(from, to, MARGIN, |cell| far &= self.passing.of(cell).is_empty());
        far
    }

    /// Adds the travels at which the leg meets outlines.
    pub(super) fn meetings(&self, leg: &Leg, out: &mut Vec<i64>) {
        self.grid.along(leg.from, leg.to, 0, |cell| {
            for &edge in self.passing.of(cell) {
                let (a, b) = self.edges[edge as usize];
                leg.meetings(a, b, out);
            }
        });
    }
}

/// Cells whose middle lies inside the outline, found row by row.
fn cells_inside(grid: Grid, shape: &[Point]) -> impl Iterator<Item = u32> {
    let (mut low, mut high) = (i64::MAX, i64::MIN);
    for point in shape {
        low = low.min(i64::from(lines::clamped(*point).y));
        high = high.max(i64::from(lines::clamped(*point).y));
    }
    let mut inside = Vec::new();
    if low <= high {
        for row in grid.row(low)..=grid.row(high) {
            let y = row * grid.size + grid.size / 2;
            let mut meets: Vec<i64> = lines::edges(shape)
                .filter(|(a, b)| (i64::from(a.y) > y) != (i64::from(b.y) > y))
                .map(|(a, b)| {
                    let (dx, dy) = lines::from_to(a, b);
                    i64::from(a.x) + dx * (y - i64::from(a.y)) / dy
                })
                .collect();
            meets.sort_unstable();
            for pair in meets.chunks_exact(2) {
                for column in grid.column(pair[0])..=grid.column(pair[1]) {
                    let x = column * grid.size + grid.size / 2;
                    if pair[0] <= x && x <= pair[1] {
                        inside.push((row * grid.columns + column) as u32);
                    }
                }
            }
        }
    }
    inside.into_iter()
}

/// One straight part of a line of the map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    /// The number of its line.
    pub(super) line: usize,
    pub(super) from: Point,
    pub(super) to: Point,
    /// How far along its line it begins, fine.
    pub(super) begins: i64,
}

/// Open lines of one kind.
#[derive(Clone, Debug)]
pub(super) struct Lines {
    grid: Grid,
    parts: Vec<Part>,
    passing: CellLists,
}

impl Lines {
    fn new<'a>(grid: Grid, shapes: impl Iterator<Item = (&'a [Point], i32)>) -> Self {
        let mut parts = Vec::new();
        let mut passing = Vec::new();
        for (line, (shape, half_width)) in shapes.enumerate() {
            for part in parts_of(line, shape) {
                // A band with square ends reaches 3/2 of its half width out of its middle line.
                let margin = MARGIN + i64::from(half_width.clamp(0, 1_000_000)) * 3 / 2;
                grid.along(part.from, part.to, margin, |cell| passing.push((cell as u32, parts.len() as u32)));
                parts.push(part);
            }
        }
        Lines { grid, parts, passing: CellLists::new(grid.count(), passing) }
    }

    /// The parts that the leg may meet, each once, in the map's order.
    pub(super) fn beside(&self, leg: &Leg, margin: i64) -> impl Iterator<Item = &Part> {
        let mut numbers: Vec<u32> = Vec::new();
        self.grid.along(leg.from, leg.to, margin, |cell| numbers.extend_from_slice(self.passing.of(cell)));
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().map(|number| &self.parts[number as usize])
    }
}

/// The straight parts of a line.
pub(super) fn parts_of(line: usize, shape: &[Point]) -> impl Iterator<Item = Part> + '_ {
    let mut begins = 0;
    lines::steps(shape).map(move |(from, to)| {
        let part = Part { line, from, to, begins };
        begins += Leg::new(from, to).length;
        part
    })
}
