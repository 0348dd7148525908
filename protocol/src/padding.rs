//! Blanks after a message, so that its length on the wire tells nobody how much was said. LEAK-09, LEAK-18, LEAK-97
//!
//! Owns the sizes. Drafts, seals, questions and their answers are followed by blanks up to the next of them, which JSON allows; a
//! reader need know nothing of it.

/// The sizes of padded messages, bytes; beyond the last its multiples.
pub const SIZES: [usize; 4] = [4 << 10, 16 << 10, 64 << 10, 256 << 10];

/// A message with blanks after it, up to the next size.
pub fn padded(mut message: String) -> String {
    let length = message.len();
    let [.., most] = SIZES;
    let size = SIZES.into_iter().find(|size| length <= *size).unwrap_or(length.div_ceil(most) * most);
    message.extend(std::iter::repeat_n(' ', size - length));
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leak_09_and_leak_18_messages_of_different_lengths_have_one_size() {
        for (length, size) in [(2, 4_096), (4_096, 4_096), (4_097, 16_384), (262_144, 262_144), (262_145, 524_288)] {
            let message = padded("x".repeat(length));
            assert_eq!((message.len(), message.trim_end().len()), (size, length));
        }
    }
}
