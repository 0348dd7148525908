//! The ground of a battle: what the map holds. Terrain areas, heights, roads, obstacles, buildings and named places.
//!
//! Owns the map as plain data, fixed for the battle except where a rule destroys something. It never knows a unit.
//! Start with [`GroundIndex`], which prepares a [`Ground`] once, and [`GroundNow`], which answers: terrain, height,
//! roads and obstacles at a point, under a unit and along a straight leg. [`PathCost`] prices a path.
//! Lines of sight stand in [`crate::sight`].

mod across;
mod bent;
mod chain;
mod changes;
mod index;
pub(crate) mod lines;
mod obstacles;
mod path;
mod prices;
mod query;
mod relief;
#[cfg(test)]
pub(crate) mod tests;
mod trees;

use protocol::ids::FeatureId;
use protocol::place::Point;
use serde::{Deserialize, Serialize};

pub use self::across::{Across, AcrossKind};
pub use self::bent::Bend;
pub use self::chain::{Nearest, Outward, part_of_line};
pub use self::changes::{GroundChanges, Stretch};
pub use self::index::GroundIndex;
pub use self::obstacles::{Claim, Covering, Crossing};
pub use self::path::{
    CrossingPrice, CrossingPrices, FencePayment, Halt, PathCost, PathLeg, Pricing, Rates, Step, TURN_POINTS, points_for,
};
pub use self::query::{Footing, GroundNow, Piece};
pub use self::relief::Relief;
pub(crate) use self::trees::Trees;

/// A kind of ground. The order is that of hardness, so that the hardest of several is the greatest. SCALE-04
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Terrain {
    /// Fields, at most rolling.
    Open,
    /// Scrub, farms, easy slopes.
    Broken,
    /// Unbroken trees.
    Woods,
    /// Dense woods, boulders, steep slopes, swamp.
    Rough,
}

/// How thick the trees of an area stand, for sight. SCALE-04, VIS-03
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wooded {
    /// No trees.
    None,
    /// Light woods.
    Light,
    /// Heavy or rough woods.
    Heavy,
}

/// A polygon of one kind of ground. Where areas overlap the hardest wins. SCALE-04
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// Its kind of ground.
    pub terrain: Terrain,
    /// Its trees. Broken ground with light trees is what HID-34 calls obscuring: light woods for sight alone.
    pub wooded: Wooded,
    /// The outline, in order, not closed by a repeated point; thousandths of an inch.
    pub outline: Vec<Point>,
}

/// A contour: inside the outline the ground is at least `feet` above the lowest ground of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contour {
    /// Height in feet above the lowest ground of the table.
    pub feet: i32,
    /// The closed line, in order, not closed by a repeated point.
    pub outline: Vec<Point>,
}

/// Kinds of ways. FORM-20
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WayKind {
    /// A firm surface, as wide as a column on the march: the road rate.
    Road,
    /// A trail: the broken rate, for march columns only.
    Trail,
}

/// A road or trail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// Road or trail.
    pub kind: WayKind,
    /// Its middle line.
    pub line: Vec<Point>,
    /// Full width, thousandths of an inch.
    pub width: i32,
}

/// A stream or other water that is only drawn; its banks are areas of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stream {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// Its middle line.
    pub line: Vec<Point>,
}

/// Kinds of linear obstacles and works that a map may hold. COVER-03 to COVER-15, OBS-01
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObstacleKind {
    /// A rail or plank fence.
    Fence,
    /// A stone wall.
    StoneWall,
    /// A sunken road, railway cut or bank that serves as cover.
    Bank,
    /// Hasty works.
    HastyWorks,
    /// Medium works.
    MediumWorks,
    /// Heavy works.
    HeavyWorks,
    /// Abatis.
    Abatis,
    /// Fraise.
    Fraise,
    /// Chevaux-de-frise.
    ChevauxDeFrise,
}

impl ObstacleKind {
    /// What it is called in a sentence.
    pub const fn name(self) -> &'static str {
        match self {
            ObstacleKind::Fence => "fence",
            ObstacleKind::StoneWall => "stone wall",
            ObstacleKind::Bank => "bank",
            ObstacleKind::HastyWorks => "hasty works",
            ObstacleKind::MediumWorks => "medium works",
            ObstacleKind::HeavyWorks => "heavy works",
            ObstacleKind::Abatis => "abatis",
            ObstacleKind::Fraise => "fraise",
            ObstacleKind::ChevauxDeFrise => "chevaux-de-frise",
        }
    }

    /// WORKS-01 Whether it is a work of one of the three grades, which faces one way.
    pub const fn is_works(self) -> bool {
        matches!(self, ObstacleKind::HastyWorks | ObstacleKind::MediumWorks | ObstacleKind::HeavyWorks)
    }

    /// MV-06 Whether it is a fence, a wall or the like, crossed for extra inches in open ground.
    pub const fn is_fence(self) -> bool {
        matches!(self, ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank)
    }
}

/// A fence, wall or work along a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obstacle {
    /// The map's word for it.
    pub id: FeatureId,
    /// What it is.
    pub kind: ObstacleKind,
    /// Its line. Works face to the left of the line's direction.
    pub line: Vec<Point>,
}

/// What a building is made of. COVER-11
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuildingKind {
    /// Wood.
    Wood,
    /// Stone or brick.
    Stone,
}

/// A building or town block. COVER-11, COVER-12
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Building {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// What it is made of.
    pub kind: BuildingKind,
    /// Its outline.
    pub outline: Vec<Point>,
}

/// A named place: an objective, a deployment zone, the target of a special rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The map's word for it.
    pub id: FeatureId,
    /// What players call it.
    pub name: String,
    /// Its outline.
    pub outline: Vec<Point>,
    /// Whether it is drawn and named on the map.
    pub shown: bool,
}

/// The whole ground of a battle.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ground {
    /// East-west extent, thousandths of an inch.
    pub width: i32,
    /// North-south extent, thousandths of an inch.
    pub height: i32,
    /// Terrain; open where no area lies.
    pub areas: Vec<Area>,
    /// Heights, any order.
    pub contours: Vec<Contour>,
    /// Roads and trails.
    pub ways: Vec<Way>,
    /// Water that is only drawn.
    pub streams: Vec<Stream>,
    /// Fences, walls, works.
    pub obstacles: Vec<Obstacle>,
    /// Buildings.
    pub buildings: Vec<Building>,
    /// Named places.
    pub places: Vec<Place>,
    /// Trees of areas as sight has them, where a special rule says so: by the area's place in `areas`. SCNS-07
    #[serde(default)]
    pub seen_as: Vec<(usize, Wooded)>,
}
