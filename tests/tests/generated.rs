//! The generated files are what the code says they are.

use tests::generated::{files, repository};

#[test]
fn no_generated_file_is_stale() {
    let files = files().expect("the catalogue can be read");
    let stale: Vec<&str> = files.iter().filter(|file| file.is_stale()).map(|file| file.path).collect();
    assert!(stale.is_empty(), "stale: {stale:?}; run `make gen`");
}

#[test]
fn the_pictures_are_those_that_are_drawn() {
    let drawn = gallery::pages().expect("the scenes are sound");
    let is_stale = |page: &&gallery::Page| {
        std::fs::read_to_string(repository().join(&page.path)).ok().as_ref() != Some(&page.text)
    };
    let stale: Vec<&str> = drawn.iter().filter(is_stale).map(|page| page.path.as_str()).collect();
    assert!(stale.is_empty(), "stale: {stale:?}; run `make gen`");
    for folder in ["docs/gallery", "docs/tables"] {
        let files = std::fs::read_dir(repository().join(folder)).expect("the folder is there");
        for file in files.map(|file| file.expect("the folder can be read").file_name()) {
            let path = format!("{folder}/{}", file.to_string_lossy());
            assert!(drawn.iter().any(|page| page.path == path), "{path} is drawn by nobody");
        }
    }
}
