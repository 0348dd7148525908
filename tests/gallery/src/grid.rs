//! A grid of spots, each with a colour, asked sparingly: a question to the rules costs more than a cell of a picture.

use std::collections::BTreeSet;

/// What a spot may have.
pub(crate) type Colour = Option<&'static str>;

/// The colours of a grid, row by row from the north-west.
pub(crate) struct Grid {
    columns: i32,
    rows: i32,
    cells: Vec<Option<Colour>>,
}

/// The side of a block, in cells: its corners are always asked, its inside only where the colours change. An area that lies
/// wholly inside one block is missed.
const BLOCK: i32 = 4;

impl Grid {
    /// Asks for the colours. Blocks whose corners differ are asked cell by cell, and so is every block into which a change of
    /// colour runs on, so that a boundary is followed to its end.
    pub(crate) fn asked(columns: i32, rows: i32, mut ask: impl FnMut(i32, i32) -> Colour) -> Grid {
        let size = usize::try_from(columns * rows).unwrap_or(0);
        let mut grid = Grid { columns, rows, cells: vec![None; size] };
        let (across, down) = ((columns + BLOCK - 2) / BLOCK, (rows + BLOCK - 2) / BLOCK);
        let blocks = || (0..down).flat_map(move |y| (0..across).map(move |x| (x, y)));
        let mut waiting: Vec<(i32, i32)> =
            blocks().filter(|block| !grid.is_one(&grid.span(*block).corners(), &mut ask)).collect();
        let mut done = BTreeSet::new();
        while let Some((x, y)) = waiting.pop() {
            let exists = (0..across).contains(&x) && (0..down).contains(&y);
            if !exists || !done.insert((x, y)) {
                continue;
            }
            let span = grid.span((x, y));
            for cell in span.all() {
                grid.colour(cell, &mut ask);
            }
            for (side, neighbour) in span.sides().into_iter().zip([(x, y - 1), (x, y + 1), (x - 1, y), (x + 1, y)]) {
                if !grid.is_one(&side, &mut ask) {
                    waiting.push(neighbour);
                }
            }
        }
        for block in blocks().filter(|block| !done.contains(block)) {
            let span = grid.span(block);
            let colour = grid.colour((span.west, span.north), &mut ask);
            for (column, row) in span.all() {
                let place = grid.place((column, row));
                grid.cells[place].get_or_insert(colour);
            }
        }
        grid
    }

    /// The colour of a cell; none outside the grid.
    pub(crate) fn at(&self, column: i32, row: i32) -> Colour {
        if column < self.columns && row < self.rows { self.cells[self.place((column, row))].flatten() } else { None }
    }

    fn place(&self, (column, row): (i32, i32)) -> usize {
        usize::try_from(row * self.columns + column).unwrap_or(0)
    }

    fn colour(&mut self, cell: (i32, i32), ask: &mut impl FnMut(i32, i32) -> Colour) -> Colour {
        let place = self.place(cell);
        *self.cells[place].get_or_insert_with(|| ask(cell.0, cell.1))
    }

    fn is_one(&mut self, cells: &[(i32, i32)], ask: &mut impl FnMut(i32, i32) -> Colour) -> bool {
        let colours: BTreeSet<Colour> = cells.iter().map(|cell| self.colour(*cell, ask)).collect();
        colours.len() <= 1
    }

    /// The cells of a block; neighbours share their border.
    fn span(&self, (x, y): (i32, i32)) -> Span {
        let (west, north) = (x * BLOCK, y * BLOCK);
        Span { west, north, east: (west + BLOCK).min(self.columns - 1), south: (north + BLOCK).min(self.rows - 1) }
    }
}

/// The first and last column and row of a block.
struct Span {
    west: i32,
    north: i32,
    east: i32,
    south: i32,
}

impl Span {
    fn corners(&self) -> [(i32, i32); 4] {
        [(self.west, self.north), (self.east, self.north), (self.west, self.south), (self.east, self.south)]
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let (west, east) = (self.west, self.east);
        (self.north..=self.south).flat_map(move |row| (west..=east).map(move |column| (column, row)))
    }

    /// North, south, west, east.
    fn sides(&self) -> [Vec<(i32, i32)>; 4] {
        let row = |row: i32| (self.west..=self.east).map(|column| (column, row)).collect();
        let column = |column: i32| (self.north..=self.south).map(|row| (column, row)).collect();
        [row(self.north), row(self.south), column(self.west), column(self.east)]
    }
}
