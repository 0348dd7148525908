//! Two worlds over battles of the shelf.

use std::sync::Arc;

use super::*;
use crate::battle::Theatre;
use crate::scenario::read;

fn theatre(text: &str) -> Arc<Theatre> {
    Theatre::new(Arc::new(read(text).expect("a battle of the shelf can be read")))
}

#[test]
fn hid_14_two_worlds_that_look_alike_to_a_side_give_it_the_same_bytes() {
    let battles =
        [include_str!("../../../scenarios/little_round_top.toml"), include_str!("../../../scenarios/wilderness.toml")];
    let mut ran = 0;
    for text in battles {
        let theatre = theatre(text);
        for seed in 0..4 {
            match two_worlds(&theatre, seed, 4) {
                Ok(Ran { stages, .. }) => ran += stages,
                Err(leak) => panic!("{leak}"),
            }
        }
    }
    assert!(40 <= ran, "only {ran} stages were played");
}
