//! A sheet to draw on: SVG with whole tenths of a pixel, so that the bytes are the same everywhere.

use std::fmt::Write as _;

/// A place on the sheet, tenths of a pixel to the right and down.
pub(crate) type Spot = (i32, i32);

/// A drawing in the making.
pub(crate) struct Sheet {
    width: i32,
    height: i32,
    body: String,
}

/// Where a text is held.
#[derive(Clone, Copy)]
pub(crate) enum Hold {
    Start,
    Middle,
    End,
}

impl Sheet {
    /// A white sheet, in pixels, with a heading and the rules that it shows.
    pub(crate) fn new(width: i32, height: i32, title: &str, rules: &[&str]) -> Sheet {
        let mut sheet = Sheet { width, height, body: String::new() };
        sheet.text((140, 240), 17, Hold::Start, "font-weight=\"bold\"", title);
        sheet.text((10 * width - 140, 240), 12, Hold::End, "fill=\"#666\"", &rules.join(", "));
        sheet
    }

    /// A filled or stroked polygon.
    pub(crate) fn polygon(&mut self, spots: &[Spot], style: &str) {
        let _ = writeln!(self.body, "<path d=\"{}z\" {style}/>", way(spots));
    }

    /// A line of one or more legs.
    pub(crate) fn line(&mut self, spots: &[Spot], style: &str) {
        let _ = writeln!(self.body, "<path d=\"{}\" fill=\"none\" {style}/>", way(spots));
    }

    /// Upright boxes of one style, each from a corner with width and height.
    pub(crate) fn boxes(&mut self, boxes: &[(Spot, i32, i32)], style: &str) {
        let mut path = String::new();
        for &((x, y), width, height) in boxes {
            let (x, y, width, height) = (tenths(x), tenths(y), tenths(width), tenths(height));
            let _ = write!(path, "M{x} {y}h{width}v{height}h-{width}z");
        }
        let _ = writeln!(self.body, "<path d=\"{path}\" {style}/>");
    }

    /// A disc or circle.
    pub(crate) fn circle(&mut self, (x, y): Spot, radius: i32, style: &str) {
        let _ =
            writeln!(self.body, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {style}/>", tenths(x), tenths(y), tenths(radius));
    }

    /// A text; `size` in pixels.
    pub(crate) fn text(&mut self, (x, y): Spot, size: i32, hold: Hold, style: &str, text: &str) {
        let hold = match hold {
            Hold::Start => "",
            Hold::Middle => " text-anchor=\"middle\"",
            Hold::End => " text-anchor=\"end\"",
        };
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        let (x, y) = (tenths(x), tenths(y));
        let _ = writeln!(self.body, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{hold} {style}>{text}</text>");
    }

    /// A label on a map: dark letters with a light rim.
    pub(crate) fn label(&mut self, spot: Spot, hold: Hold, text: &str) {
        let style = "stroke=\"#fff\" stroke-width=\"3\" stroke-linejoin=\"round\" paint-order=\"stroke\"";
        self.text(spot, 12, hold, style, text);
    }

    /// Keys of colours in a row, each with its words; gives the height of a row, tenths.
    pub(crate) fn legend(&mut self, (x, y): Spot, step: i32, keys: &[(&str, &str)]) {
        for (place, (colour, words)) in (0..).zip(keys) {
            let x = x + place * step;
            self.boxes(&[((x, y - 110), 140, 140)], &format!("fill=\"{colour}\" stroke=\"#555\" stroke-width=\".5\""));
            self.text((x + 200, y), 12, Hold::Start, "", words);
        }
    }

    /// The file's text.
    pub(crate) fn finish(self, title: &str) -> String {
        let Sheet { width, height, body } = self;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
             font-family=\"Helvetica,Arial,sans-serif\" fill=\"#222\" role=\"img\">\n<title>{title}</title>\n\
             <path d=\"M0 0h{width}v{height}H0z\" fill=\"#fff\"/>\n{body}</svg>\n"
        )
    }
}

fn way(spots: &[Spot]) -> String {
    let mut way = String::new();
    for (place, (x, y)) in spots.iter().enumerate() {
        let _ = write!(way, "{}{} {}", if place == 0 { "M" } else { "L" }, tenths(*x), tenths(*y));
    }
    way
}

/// Tenths of a pixel as pixels.
fn tenths(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    match (value.abs() / 10, value.abs() % 10) {
        (whole, 0) => format!("{sign}{whole}"),
        (whole, part) => format!("{sign}{whole}.{part}"),
    }
}
