//! Names that people give: made fit to be shown to others.

use super::Refused;

/// The most characters of a name.
pub const LONGEST_NAME: usize = 40;

/// A name without control and direction characters, its blanks single, at most [`LONGEST_NAME`] characters long.
pub fn clean(name: &str) -> Result<String, Refused> {
    let shown: String =
        name.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_unseen(*c)).collect();
    let shown = shown.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    if shown.is_empty() {
        return Err(Refused::new("bad_name", "the name is empty; write at least one letter"));
    }
    if LONGEST_NAME < shown.chars().count() {
        return Err(Refused::new("bad_name", format!("the name is longer than {LONGEST_NAME} characters")));
    }
    Ok(shown)
}

/// Characters that show nothing themselves but change how others are shown.
fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{ad}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_keeps_its_letters_and_loses_its_tricks() {
        assert_eq!(clean("  Ann\t O'Neill ").expect("a good name"), "Ann O'Neill");
        assert_eq!(clean("a\u{202e}b\u{0}c").expect("letters are left"), "abc");
        assert_eq!(clean("Jürgen 李").expect("letters of all scripts"), "Jürgen 李");
        assert!(clean("\u{200b}\n").is_err());
        assert!(clean(&"x".repeat(41)).is_err());
    }
}
