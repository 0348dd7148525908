//! Reading one table of a scenario file, value by value.
//!
//! Owns the step from TOML to checked values: every value is asked for by key, with its kind and limits, and what
//! was not asked for is unknown. A wrong value is noted and a stand-in returned, so that one reading finds all
//! faults; a file with faults loads nothing, so no stand-in reaches a game. Decimals are read digit by digit:
//! no float is involved. It never compares one table with another.

use std::cell::RefCell;
use std::ops::{Range, RangeInclusive};

use protocol::place::Point;
use serde::de::value::{Error as WordError, StrDeserializer};
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::fault::{Faults, nearest, quoted};
use crate::house::{Chart, HouseRules, Switch};

/// Any value of the file with its place in it.
pub(super) type Value<'t> = Spanned<DeValue<'t>>;

/// What a name in the file must name. Checked when all names are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    /// A unit, battery or commander.
    Who,
    /// A commander.
    Commander,
    /// Something on the map.
    Feature,
    /// A way, stream or obstacle.
    Line,
    /// A rule of the catalogue.
    Rule,
}

/// A name used in the file, and where.
pub(super) struct Reference {
    pub(super) names: Names,
    pub(super) name: String,
    pub(super) at: usize,
}

/// What the tables of one file share.
pub(super) struct Shared<'t> {
    pub(super) faults: Faults<'t>,
    pub(super) references: RefCell<Vec<Reference>>,
    /// East-west and north-south extent of the table, thousandths of an inch; set once the head is read.
    pub(super) table: std::cell::Cell<(i32, i32)>,
}

impl<'t> Shared<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Shared {
            faults: Faults::new(text),
            references: RefCell::new(Vec::new()),
            table: std::cell::Cell::new((200_000, 200_000)),
        }
    }

    pub(super) fn refer(&self, names: Names, name: &str, at: usize) {
        self.references.borrow_mut().push(Reference { names, name: name.to_owned(), at });
    }
}

/// One table of the file while it is read.
pub(super) struct Entry<'a, 't> {
    table: &'a DeTable<'t>,
    /// Where the table stands.
    pub(super) at: usize,
    /// What complaints call it, such as "unit `me20`".
    pub(super) label: String,
    asked: Vec<&'static str>,
    pub(super) shared: &'a Shared<'t>,
}

impl<'a, 't> Entry<'a, 't> {
    pub(super) fn new(table: &'a DeTable<'t>, span: Range<usize>, kind: &str, shared: &'a Shared<'t>) -> Self {
        let id = table.get("id").and_then(|id| id.get_ref().as_str());
        let label = id.map_or_else(|| kind.to_owned(), |id| format!("{kind} `{}`", shorten(id)));
        Entry { table, at: span.start, label, asked: Vec::new(), shared }
    }

    /// Notes a fault at a byte.
    pub(super) fn fault(&self, at: usize, what: impl AsRef<str>, cure: impl Into<String>) {
        self.shared.faults.add(at, format!("{}: {}", self.label, what.as_ref()), cure);
    }

    /// The value at a key, if the table has it.
    pub(super) fn get(&mut self, key: &'static str) -> Option<&'a Value<'t>> {
        self.asked.push(key);
        self.table.get(key)
    }

    /// Whether the table has a key; asks for nothing.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// Where the value of a key stands, else the table.
    pub(super) fn place_of(&self, key: &str) -> usize {
        self.table.get(key).map_or(self.at, |value| value.span().start)
    }

    /// The line at which the table stands, from 1.
    pub(super) fn line(&self) -> usize {
        self.shared.faults.line(self.at)
    }

    /// Every key with its value; asks for nothing.
    pub(super) fn all(&self) -> impl Iterator<Item = (&'a str, &'a Value<'t>)> + use<'a, 't> {
        self.table.iter().map(|(key, value)| (key.get_ref().as_ref(), value))
    }

    /// The value at a key that must be there; its lack is a fault.
    pub(super) fn need(&mut self, key: &'static str, wanted: &str) -> Option<&'a Value<'t>> {
        let value = self.get(key);
        if value.is_none() {
            self.fault(self.at, format!("`{key}` is missing"), format!("add `{key} = ...`, {wanted}"));
        }
        value
    }

    /// Complains of every key that nobody asked for. Called last.
    pub(super) fn finish(self) {
        for (key, _) in self.table.iter() {
            let name: &str = key.get_ref();
            if !self.asked.contains(&name) {
                let cure = nearest(name, self.asked.iter().copied());
                self.fault(key.span().start, format!("unknown key `{}`", shorten(name)), cure);
            }
        }
    }

    fn wrong(&self, key: &str, value: &Value<'t>, wanted: &str) {
        let what = format!("`{key}` is {}", describe(value.get_ref()));
        self.fault(value.span().start, what, format!("wanted is {wanted}"));
    }

    // ------------------------------------------------------------------------------------------ text

    /// Text that may lack.
    pub(super) fn opt_text(&mut self, key: &'static str) -> Option<String> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.wrong(key, value, "text in quotes");
                Some(String::new())
            }
        }
    }

    /// Text that may lack: then empty.
    pub(super) fn text_or_empty(&mut self, key: &'static str) -> String {
        self.opt_text(key).unwrap_or_default()
    }

    /// Text that must be there and not be empty.
    pub(super) fn text(&mut self, key: &'static str) -> String {
        if self.need(key, "text in quotes").is_none() {
            return String::new();
        }
        let text = self.text_or_empty(key);
        if text.is_empty() {
            self.fault(self.place_of(key), format!("`{key}` is empty"), "say it in some words");
        }
        text
    }

    /// A list of texts; absent is empty.
    pub(super) fn texts(&mut self, key: &'static str) -> Vec<String> {
        self.list(key, "a list of texts", |entry, value| match value.get_ref() {
            DeValue::String(text) => Some(text.trim().to_owned()),
            _ => {
                entry.wrong(key, value, "a list of texts");
                None
            }
        })
    }

    /// An identifier of small letters, digits and underscores.
    pub(super) fn id(&mut self, key: &'static str) -> String {
        let id = self.text(key);
        let sound = id.len() <= 64 && id.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !sound {
            let what = format!("`{}` is no identifier", shorten(&id));
            self.fault(self.place_of(key), what, "use small letters, digits and `_`, at most 64");
        }
        id
    }

    /// The name of something else in the file.
    pub(super) fn opt_name(&mut self, key: &'static str, names: Names) -> Option<String> {
        let name = self.opt_text(key)?;
        self.shared.refer(names, &name, self.place_of(key));
        Some(name)
    }

    /// The name of something else in the file, which must be given.
    pub(super) fn name(&mut self, key: &'static str, names: Names) -> String {
        if self.need(key, "the id of something in this file").is_none() {
            return String::new();
        }
        self.opt_name(key, names).unwrap_or_default()
    }

    /// Names of other things in the file; absent is empty.
    pub(super) fn names(&mut self, key: &'static str, names: Names) -> Vec<String> {
        self.list(key, "a list of ids", |entry, value| match value.get_ref() {
            DeValue::String(text) => {
                entry.shared.refer(names, text, value.span().start);
                Some(text.to_string())
            }
            _ => {
                entry.wrong(key, value, "a list of ids in quotes");
                None
            }
        })
    }

    // ------------------------------------------------------------------------------------------ words

    /// A word of a closed list that may lack.
    pub(super) fn opt_word<T: DeserializeOwned>(&mut self, key: &'static str) -> Option<T> {
        let value = self.get(key)?;
        self.as_word(key, value)
    }

    /// A word of a closed list, with its default.
    pub(super) fn word_or<T: DeserializeOwned>(&mut self, key: &'static str, default: T) -> T {
        self.opt_word(key).unwrap_or(default)
    }

    /// A word of a closed list that must be there.
    pub(super) fn word<T: DeserializeOwned>(&mut self, key: &'static str) -> T {
        let known = variants::<T>();
        let wanted = format!("one of {}", quoted(known.iter().copied()));
        let read = self.need(key, &wanted).and_then(|value| self.as_word(key, value));
        read.unwrap_or_else(|| parse_word(known[0]).expect("the first word of a closed list is of that list"))
    }

    /// A list of words of a closed list; absent is empty.
    pub(super) fn words<T: DeserializeOwned>(&mut self, key: &'static str) -> Vec<T> {
        self.list(key, "a list of words", |entry, value| entry.as_word(key, value))
    }

    fn as_word<T: DeserializeOwned>(&self, key: &str, value: &Value<'t>) -> Option<T> {
        let known = variants::<T>();
        let DeValue::String(text) = value.get_ref() else {
            self.wrong(key, value, &format!("one of {}", quoted(known.iter().copied())));
            return None;
        };
        let word = parse_word(text);
        if word.is_none() {
            let what = format!("`{key}` knows no word `{}`", shorten(text));
            self.fault(value.span().start, what, nearest(text, known.iter().copied()));
        }
        word
    }

    // ------------------------------------------------------------------------------------------ numbers

    /// Yes or no, with its default.
    pub(super) fn flag(&mut self, key: &'static str, default: bool) -> bool {
        let Some(value) = self.get(key) else { return default };
        match value.get_ref() {
            DeValue::Boolean(flag) => *flag,
            _ => {
                self.wrong(key, value, "true or false");
                default
            }
        }
    }

    /// The `[chart]` of the file, a club's own, that may lack. SCN-20
    pub(super) fn chart(&mut self) -> Option<Chart> {
        let value = self.get("chart")?;
        let DeValue::Table(spans) = value.get_ref() else {
            self.wrong("chart", value, "a table, [chart]");
            return None;
        };
        let Ok(values) = toml::Table::deserialize(ValueDeserializer::from(value.clone())) else {
            self.wrong("chart", value, "a table of cells, [chart]");
            return None;
        };
        match Chart::read_part(spans, &values) {
            Ok(chart) => Some(chart),
            Err(faults) => {
                for (at, what) in faults {
                    let at = if at == 0 { value.span().start } else { at };
                    self.fault(at, format!("`chart`: {what}"), "docs/house-rules.md says the form");
                }
                None
            }
        }
    }

    /// A choice of the house-rules sheet that may lack; switches of on and off may be `true` and `false` too. SCN-20
    pub(super) fn choice(&mut self, switch: &'static Switch, house: &mut HouseRules) {
        let Some(value) = self.get(switch.id) else { return };
        let word = match value.get_ref() {
            DeValue::Boolean(on) => switch.flag(*on),
            DeValue::String(text) => switch.choice(text.trim()).map(|choice| choice.word),
            _ => None,
        };
        if word.is_none_or(|word| house.set(switch.id, word).is_err()) {
            let known = quoted(switch.choices.iter().map(|choice| choice.word));
            self.wrong(switch.id, value, &format!("one of {known}"));
        }
    }

    /// A whole number that may lack.
    pub(super) fn opt_int(&mut self, key: &'static str, range: RangeInclusive<i32>) -> Option<i32> {
        let value = self.get(key)?;
        Some(self.as_int(key, value, range))
    }

    /// A whole number that must be there.
    pub(super) fn int(&mut self, key: &'static str, range: RangeInclusive<i32>) -> i32 {
        let wanted = format!("a whole number from {} to {}", range.start(), range.end());
        match self.need(key, &wanted) {
            Some(value) => self.as_int(key, value, range),
            None => *range.start(),
        }
    }

    /// A list of whole numbers; absent is empty.
    pub(super) fn ints(&mut self, key: &'static str, range: RangeInclusive<i32>) -> Vec<i32> {
        self.list(key, "a list of whole numbers", |entry, value| Some(entry.as_int(key, value, range.clone())))
    }

    fn as_int(&self, key: &str, value: &Value<'t>, range: RangeInclusive<i32>) -> i32 {
        let read = match value.get_ref() {
            DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok(),
            _ => None,
        };
        match read {
            Some(number) if range.contains(&number) => number,
            _ => {
                self.wrong(key, value, &format!("a whole number from {} to {}", range.start(), range.end()));
                *range.start()
            }
        }
    }

    /// A decimal in thousandths that may lack: `2.5` is 2500. Limits in thousandths.
    pub(super) fn opt_decimal(&mut self, key: &'static str, range: RangeInclusive<i32>) -> Option<i32> {
        let value = self.get(key)?;
        Some(self.as_decimal(key, value, range))
    }

    /// A decimal in thousandths that must be there.
    pub(super) fn decimal(&mut self, key: &'static str, range: RangeInclusive<i32>) -> i32 {
        match self.need(key, "a number with at most three decimals") {
            Some(value) => self.as_decimal(key, value, range),
            None => *range.start(),
        }
    }

    pub(super) fn as_decimal(&self, key: &str, value: &Value<'t>, range: RangeInclusive<i32>) -> i32 {
        match thousandths(value.get_ref()) {
            Some(number) if range.contains(&number) => number,
            _ => {
                let wanted = format!(
                    "a number from {} to {} with at most three decimals",
                    decimal_text(*range.start()),
                    decimal_text(*range.end())
                );
                self.wrong(key, value, &wanted);
                *range.start()
            }
        }
    }

    /// A pair of turns `[first, last]` that may lack.
    pub(super) fn opt_turns(&mut self, key: &'static str) -> Option<(u32, u32)> {
        let value = self.get(key)?;
        let DeValue::Array(list) = value.get_ref() else {
            self.wrong(key, value, "a pair of turns, [first, last]");
            return None;
        };
        let numbers: Vec<i32> = list.iter().map(|turn| self.as_int(key, turn, 1..=200)).collect();
        match numbers.as_slice() {
            [first, last] if first <= last => Some((first.unsigned_abs(), last.unsigned_abs())),
            _ => {
                self.wrong(key, value, "a pair of turns, [first, last]");
                None
            }
        }
    }

    // ------------------------------------------------------------------------------------------ points

    /// A point on the table, in inches, that may lack.
    pub(super) fn opt_point(&mut self, key: &'static str) -> Option<Point> {
        let value = self.get(key)?;
        Some(self.as_point(key, value, 0))
    }

    /// A list of points, in inches, that may lie outside of the table by `beyond` thousandths.
    pub(super) fn opt_points(&mut self, key: &'static str, beyond: i32) -> Option<Vec<Point>> {
        self.has(key).then(|| {
            self.list(key, "a list of points, [[x, y], ...]", |entry, value| Some(entry.as_point(key, value, beyond)))
        })
    }

    /// One point `[x, y]`, in inches, that may lie outside of the table by `beyond` thousandths.
    pub(super) fn as_point(&self, key: &str, value: &Value<'t>, beyond: i32) -> Point {
        let (width, height) = self.shared.table.get();
        let DeValue::Array(pair) = value.get_ref() else {
            self.wrong(key, value, "a point [x, y] in inches");
            return Point::default();
        };
        match pair.iter().collect::<Vec<_>>().as_slice() {
            [x, y] => Point::new(
                self.as_decimal(key, x, -beyond..=width + beyond),
                self.as_decimal(key, y, -beyond..=height + beyond),
            ),
            _ => {
                self.wrong(key, value, "a point [x, y] in inches");
                Point::default()
            }
        }
    }

    // ------------------------------------------------------------------------------------------ inner parts

    /// The entries of an array, each read by `read`; absent is empty.
    pub(super) fn list<T>(
        &mut self,
        key: &'static str,
        wanted: &str,
        read: impl Fn(&Self, &'a Value<'t>) -> Option<T>,
    ) -> Vec<T> {
        let Some(value) = self.get(key) else { return Vec::new() };
        match value.get_ref() {
            DeValue::Array(list) => list.iter().filter_map(|value| read(self, value)).collect(),
            _ => {
                self.wrong(key, value, wanted);
                Vec::new()
            }
        }
    }

    /// An inner table, if it is there.
    pub(super) fn table(&mut self, key: &'static str) -> Option<Entry<'a, 't>> {
        let value = self.get(key)?;
        match value.get_ref() {
            DeValue::Table(table) => {
                let mut inner = Entry::new(table, value.span(), key, self.shared);
                inner.at = value.span().start;
                Some(inner)
            }
            _ => {
                self.wrong(key, value, &format!("a table, [{key}]"));
                None
            }
        }
    }

    /// The tables of an array of tables, `[[key]]`.
    pub(super) fn tables(&mut self, key: &'static str) -> Vec<Entry<'a, 't>> {
        let shared = self.shared;
        self.list(key, &format!("tables, [[{key}]]"), |entry, value| match value.get_ref() {
            DeValue::Table(table) => Some(Entry::new(table, value.span(), key, shared)),
            _ => {
                entry.wrong(key, value, &format!("a table, [[{key}]]"));
                None
            }
        })
    }
}

/// A decimal number of the file in thousandths, if it has at most three decimals and fits.
fn thousandths(value: &DeValue<'_>) -> Option<i32> {
    match value {
        DeValue::Integer(number) => i32::from_str_radix(number.as_str(), number.radix()).ok()?.checked_mul(1000),
        DeValue::Float(number) => {
            let text = number.as_str();
            let (negative, text) = match text.as_bytes().first()? {
                b'-' => (true, &text[1..]),
                b'+' => (false, &text[1..]),
                _ => (false, text),
            };
            let (whole, decimals) = text.split_once('.')?;
            let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
            if !digits(whole) || !digits(decimals) || 6 < whole.len() {
                return None;
            }
            let (kept, rest) = decimals.split_at(decimals.len().min(3));
            if rest.bytes().any(|b| b != b'0') {
                return None;
            }
            let thousands: i32 = format!("{kept:0<3}").parse().ok()?;
            let number = whole.parse::<i32>().ok()?.checked_mul(1000)?.checked_add(thousands)?;
            Some(if negative { -number } else { number })
        }
        _ => None,
    }
}

/// Thousandths as a decimal number: 2500 is `2.5`.
pub(super) fn decimal_text(thousandths: i32) -> String {
    let sign = if thousandths < 0 { "-" } else { "" };
    let size = thousandths.unsigned_abs();
    let text = format!("{sign}{}.{:03}", size / 1000, size % 1000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A value as complaints name it.
fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text `{}`", shorten(text)),
        DeValue::Integer(number) => shorten(number.as_str()),
        DeValue::Float(number) => shorten(number.as_str()),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(list) => format!("a list of {}", list.iter().count()),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

/// At most forty characters of a text of the file.
pub(super) fn shorten(text: &str) -> String {
    let mut short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

/// A word of a closed list.
pub(super) fn parse_word<T: DeserializeOwned>(text: &str) -> Option<T> {
    T::deserialize(StrDeserializer::<WordError>::new(text)).ok()
}

/// The words of a closed list: the variants of a plain enum, as serde spells them.
pub(super) fn variants<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut found: &'static [&'static str] = &["?"];
    // The answer is in `found`; the reading itself always fails.
    let _unread = T::deserialize(VariantsOf(&mut found));
    found
}

struct VariantsOf<'f>(&'f mut &'static [&'static str]);

impl<'de> Deserializer<'de> for VariantsOf<'_> {
    type Error = WordError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, WordError> {
        Err(WordError::custom("only the variants are asked for"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, WordError> {
        *self.0 = variants;
        Err(WordError::custom("only the variants are asked for"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<i32> {
        let text = format!("x = {text}");
        let table = DeTable::parse(&text).ok()?;
        thousandths(table.get_ref().get("x")?.get_ref())
    }

    #[test]
    fn inches_are_read_digit_by_digit() {
        assert_eq!(read("2"), Some(2000));
        assert_eq!(read("2.5"), Some(2500));
        assert_eq!(read("-0.125"), Some(-125));
        assert_eq!(read("0.1250"), Some(125));
        assert_eq!(read("0.1255"), None);
        assert_eq!(read("nan"), None);
        assert_eq!(read("-inf"), None);
        assert_eq!(read("1e3"), None);
        assert_eq!(read("9999999999"), None);
        assert_eq!(read("3000000"), None);
    }

    #[test]
    fn thousandths_are_told_as_decimals() {
        assert_eq!(decimal_text(2500), "2.5");
        assert_eq!(decimal_text(-125), "-0.125");
        assert_eq!(decimal_text(20_000), "20");
        assert_eq!(decimal_text(0), "0");
    }

    #[test]
    fn the_words_of_an_enum_are_known() {
        assert_eq!(variants::<protocol::ids::Side>(), ["union", "confederate"]);
        assert_eq!(parse_word("union"), Some(protocol::ids::Side::Union));
        assert_eq!(parse_word::<protocol::ids::Side>("Union"), None);
    }
}
