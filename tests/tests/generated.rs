//! The generated files are what the code says they are.

use tests::generated::files;

#[test]
fn no_generated_file_is_stale() {
    let files = files().expect("the catalogue can be read");
    let stale: Vec<&str> = files.iter().filter(|file| file.is_stale()).map(|file| file.path).collect();
    assert!(stale.is_empty(), "stale: {stale:?}; run `make gen`");
}
