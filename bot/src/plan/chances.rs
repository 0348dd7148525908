//! Chances of dice, as a player reckons them at the table: two against two, a check on two, a charge's bonus, a volley.
//!
//! Rough where the rules are long: the server throws the dice, the bot only wants to know whether to ask for them.

use crate::ground::Terrain;

/// How two dice a side and a difference come out. IDD-03
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Clash {
    /// The attacker has the lower total.
    pub(crate) won: f64,
    /// The totals are equal: melee.
    pub(crate) tied: f64,
    /// The defender has the lower total.
    pub(crate) lost: f64,
}

/// The dice down for an attacker whose Impact Morale is `edge` lower than the defender's.
pub(crate) fn clash(edge: i32) -> Clash {
    let (mut won, mut tied, mut lost) = (0.0, 0.0, 0.0);
    for attack in 2..=12 {
        for defence in 2..=12 {
            let chance = two_dice(attack) * two_dice(defence);
            match (attack - defence).cmp(&edge) {
                std::cmp::Ordering::Less => won += chance,
                std::cmp::Ordering::Equal => tied += chance,
                std::cmp::Ordering::Greater => lost += chance,
            }
        }
    }
    Clash { won, tied, lost }
}

/// How likely two dice show a total.
fn two_dice(total: i32) -> f64 {
    f64::from((6 - (total - 7).abs()).max(0)) / 36.0
}

/// How likely a morale check on two dice fails: they have to come above the morale point. MOR-03
pub(crate) fn check_fails(point: i32) -> f64 {
    (2..=12).filter(|total| *total <= point).map(two_dice).sum()
}

/// The bonus of a charge from this ground, inches with their chances. CHG-24
pub(crate) fn bonus(terrain: Terrain) -> Vec<(f64, f64)> {
    let (dice, factor) = match terrain {
        Terrain::Open => (3, 1.0),
        Terrain::Broken => (2, 1.0),
        Terrain::Woods => (1, 1.0),
        Terrain::Rough => (1, 0.5),
    };
    let mut totals = vec![1.0];
    for _ in 0..dice {
        let mut next = vec![0.0; totals.len() + 6];
        for (total, chance) in totals.iter().enumerate() {
            for face in 1..=6 {
                next[total + face] += chance / 6.0;
            }
        }
        totals = next;
    }
    let all = totals.into_iter().enumerate().filter(|(_, chance)| 0.0 < *chance);
    all.map(|(total, chance)| (total as f64 * factor, chance)).collect()
}

/// What a volley takes off on the mean, figures: by the mean of its dice with all modifiers, and the figures that fire.
pub(crate) fn volley(total: f64, figures: f64) -> f64 {
    (0.36 * (total - 6.5)).max(0.0) * figures / 12.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn even_dice_are_even_and_four_points_win_five_times_in_six() {
        let even = clash(0);
        // Of 1296 ways 146 are equal.
        assert!((even.tied - 146.0 / 1296.0).abs() < 1e-9);
        assert!((even.won - even.lost).abs() < 1e-9);
        // Differences above 3 fall in 206 ways, 4 among them in 80.
        let four = clash(4);
        assert!((four.won - 1090.0 / 1296.0).abs() < 1e-9, "{four:?}");
        assert!((four.tied - 80.0 / 1296.0).abs() < 1e-9, "{four:?}");
    }

    #[test]
    fn a_check_against_seven_fails_in_21_of_36_ways() {
        assert!((check_fails(7) - 21.0 / 36.0).abs() < 1e-9);
        assert!(check_fails(1).abs() < 1e-9);
    }

    #[test]
    fn the_bonus_has_three_dice_in_the_open_and_half_a_die_among_rocks() {
        let mean = |terrain| bonus(terrain).iter().map(|(inches, chance)| inches * chance).sum::<f64>();
        assert!((mean(Terrain::Open) - 10.5).abs() < 1e-9);
        assert!((mean(Terrain::Rough) - 1.75).abs() < 1e-9);
    }
}
