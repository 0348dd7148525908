//! The stands of a regiment: how figures are shared among them and in what order they are lost.

/// ORG-02 The width of an infantry stand that holds at most so many figures at full strength, thousandths of an inch.
pub fn infantry_stand_width(most_figures: u32) -> i32 {
    375 + 125 * i32::try_from(most_figures).unwrap_or(i32::MAX / 1_000)
}

/// ORG-03 The figures on each of the four stands of a regiment, from left to right.
pub fn stand_figures(figures: u32) -> [u32; 4] {
    let few = figures / 4;
    let many = few + 1;
    match figures % 4 {
        0 => [few, few, few, few],
        1 => [few, many, few, few],
        2 => [many, few, few, many],
        _ => [many, few, many, many],
    }
}

/// ORG-03 The order in which stands are lost, as indices: smaller and larger by turns, beginning with a smaller, until
/// one kind is used up; within a kind from the left.
pub fn loss_order(figures: &[u32]) -> Vec<usize> {
    let least = figures.iter().min().copied().unwrap_or(0);
    let (smaller, larger): (Vec<usize>, Vec<usize>) = (0..figures.len()).partition(|&index| figures[index] == least);
    let (mut smaller, mut larger) = (smaller.into_iter(), larger.into_iter());
    let mut order = Vec::with_capacity(figures.len());
    while order.len() < figures.len() {
        order.extend(smaller.next());
        order.extend(larger.next());
    }
    order
}

/// ORG-03, ORG-05 The cumulative casualties at which each further stand is lost.
pub fn loss_totals(figures: &[u32]) -> Vec<u32> {
    loss_order(figures)
        .into_iter()
        .scan(0, |total, index| {
            *total += figures[index];
            Some(*total)
        })
        .collect()
}

/// ORG-05 How many stands so many casualties have cost.
pub fn stands_lost(figures: &[u32], casualties: u32) -> usize {
    loss_totals(figures).into_iter().filter(|&total| total <= casualties).count()
}
