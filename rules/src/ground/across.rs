//! Obstacles and works that throw a charge into disorder, on a straight leg. OBS-01, OBS-25, OBS-26, WORKS-11, WORKS-18
//!
//! Owns what counts as one: an abatis, a fraise, a single line of chevaux, a double row of them, works. Fences cost inches
//! (MV-06).

use protocol::ids::FeatureId;
use protocol::place::Point;

use super::ObstacleKind;
use super::path::DOUBLE_ROW;
use super::query::GroundNow;

/// What a charge meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AcrossKind {
    /// An abatis.
    Abatis,
    /// A fraise.
    Fraise,
    /// One line of chevaux-de-frise, which counts as an abatis.
    OneLine,
    /// Two lines of them within two inches, which count as a fraise.
    DoubleRow,
    /// Hasty works.
    HastyWorks,
    /// Medium works.
    MediumWorks,
    /// Heavy works.
    HeavyWorks,
}

impl AcrossKind {
    /// In words, with an article where it has one.
    pub const fn what(self) -> &'static str {
        match self {
            AcrossKind::Abatis => "an abatis",
            AcrossKind::Fraise => "a fraise",
            AcrossKind::OneLine => "chevaux-de-frise",
            AcrossKind::DoubleRow => "a double row of chevaux-de-frise",
            AcrossKind::HastyWorks => "hasty works",
            AcrossKind::MediumWorks => "medium works",
            AcrossKind::HeavyWorks => "heavy works",
        }
    }

    const fn of(kind: ObstacleKind) -> Option<AcrossKind> {
        match kind {
            ObstacleKind::Abatis => Some(AcrossKind::Abatis),
            ObstacleKind::Fraise => Some(AcrossKind::Fraise),
            ObstacleKind::ChevauxDeFrise => Some(AcrossKind::OneLine),
            ObstacleKind::HastyWorks => Some(AcrossKind::HastyWorks),
            ObstacleKind::MediumWorks => Some(AcrossKind::MediumWorks),
            ObstacleKind::HeavyWorks => Some(AcrossKind::HeavyWorks),
            ObstacleKind::Fence | ObstacleKind::StoneWall | ObstacleKind::Bank => None,
        }
    }
}

/// An obstacle across a leg.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Across {
    /// Along the leg, thousandths of an inch; of a double row the first line.
    pub travel: i32,
    /// What it counts as.
    pub kind: AcrossKind,
    /// The lines that are crossed, one or two, and where along each.
    pub lines: Vec<(FeatureId, i32)>,
}

impl Across {
    /// The first line that is crossed.
    pub fn first(&self) -> &FeatureId {
        &self.lines[0].0
    }
}

impl GroundNow<'_> {
    /// OBS-24, OBS-25, OBS-26, WORKS-16 What a charge along a straight leg meets, in order: its anchor alone counts, so that any
    /// opening lets it through; lines of chevaux are paired from the first on.
    pub fn across(&self, from: Point, to: Point) -> Vec<Across> {
        let mut met: Vec<Across> = Vec::new();
        for crossing in self.barriers(from, to, 0) {
            let Some(kind) = AcrossKind::of(crossing.obstacle.kind) else { continue };
            let line = (crossing.obstacle.id.clone(), crossing.along);
            let open_row = met.iter_mut().rev().find(|one| one.kind == AcrossKind::OneLine);
            match open_row.filter(|one| kind == AcrossKind::OneLine && crossing.travel - one.travel <= DOUBLE_ROW) {
                Some(first) => {
                    first.kind = AcrossKind::DoubleRow;
                    first.lines.push(line);
                }
                None => met.push(Across { travel: crossing.travel, kind, lines: vec![line] }),
            }
        }
        met
    }
}
