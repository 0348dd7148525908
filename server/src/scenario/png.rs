//! The drawing of a scenario as PNG.
//!
//! Owns the fonts: the picture asks for DejaVu Serif, Georgia or any serif font, as SVG does, and takes those that are
//! installed on this machine, or that are named with `--font`. None is carried in the binary.

use std::path::PathBuf;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Family, Query};
use resvg::usvg::{Options, Tree};

/// Draws an SVG document so many pixels wide.
pub(super) fn png(svg: &str, width: u32, fonts: &[PathBuf]) -> Result<Vec<u8>, String> {
    let mut options = Options::default();
    let known = options.fontdb_mut();
    known.load_system_fonts();
    for font in fonts {
        known.load_font_file(font).map_err(|error| format!("`{}` is no font: {error}", font.display()))?;
    }
    if svg.contains("<text") {
        choose_families(known)?;
    }
    let tree = Tree::from_str(svg, &options).map_err(|error| format!("the drawing cannot be read: {error}"))?;
    let scale = width as f32 / tree.size().width();
    let height = (tree.size().height() * scale).round() as u32;
    let mut picture = Pixmap::new(width, height).ok_or("the picture would be too large: give a smaller --width")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().map_err(|error| format!("the picture cannot be written: {error}"))
}

/// Lets some font stand in for the serif and the sans-serif ones that are not installed, so that no name is left out.
fn choose_families(known: &mut Database) -> Result<(), String> {
    let family = known.faces().find_map(|face| face.families.first().map(|(name, _)| name.clone()));
    let family =
        family.ok_or("no font is installed on this machine, and the map has names: give one with --font FILE")?;
    let has = |known: &Database, family: Family<'_>| {
        known.query(&Query { families: &[family], ..Query::default() }).is_some()
    };
    let stands_in = |known: &Database, names: &[&str]| {
        names
            .iter()
            .find(|name| has(known, Family::Name(name)))
            .map_or_else(|| family.clone(), |name| (*name).to_owned())
    };
    if !has(known, Family::Serif) {
        let serif = stands_in(known, &["DejaVu Serif", "Georgia", "Liberation Serif", "Noto Serif"]);
        known.set_serif_family(serif);
    }
    if !has(known, Family::SansSerif) {
        let sans = stands_in(known, &["DejaVu Sans", "Liberation Sans", "Noto Sans"]);
        known.set_sans_serif_family(sans);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_without_names_needs_no_font() {
        let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 40 20\"><rect width=\"40\" height=\"20\" fill=\"#ff0000\"/></svg>";
        let bytes = png(svg, 80, &[]).expect("it is drawn");
        let picture = Pixmap::decode_png(&bytes).expect("it is a picture");
        assert_eq!((picture.width(), picture.height()), (80, 40));
        let middle = picture.pixel(40, 20).expect("it lies inside");
        assert_eq!((middle.red(), middle.green(), middle.blue(), middle.alpha()), (255, 0, 0, 255));
    }

    #[test]
    fn what_is_no_font_is_refused_by_name() {
        let refusal = png("<svg/>", 80, &[PathBuf::from("no/such/font.ttf")]).expect_err("there is none");
        assert!(refusal.starts_with("`no/such/font.ttf` is no font"), "{refusal}");
    }
}
