//! How a line of the sheet is written, and what is made of it.

/// Makes of each entry an enum, a field of [`HouseRules`] and a line of [`SHEET`], so that none can be without the others.
macro_rules! sheet {
    ($(
        $(#[doc = $about:literal])+
        $kind:ident $field:ident: $type:ident [$($rule:ident),+] {
            $(#[doc = $first_about:literal])+
            $first:ident = $first_word:literal,
            $($(#[doc = $other_about:literal])+ $other:ident = $other_word:literal,)+
        }
    )+) => {
        $(
            $(#[doc = $about])+
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
            pub enum $type {
                $(#[doc = $first_about])+
                #[default]
                $first,
                $($(#[doc = $other_about])+ $other,)+
            }

            impl $type {
                /// Its word in files and messages.
                pub const fn word(self) -> &'static str {
                    match self {
                        $type::$first => $first_word,
                        $($type::$other => $other_word,)+
                    }
                }

                /// The choice of a word.
                pub fn of(word: &str) -> Option<$type> {
                    match word {
                        $first_word => Some($type::$first),
                        $($other_word => Some($type::$other),)+
                        _ => None,
                    }
                }
            }
        )+

        /// What a game plays, a choice for each switch; the default is our ruling throughout.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct HouseRules {
            $($(#[doc = $about])+ pub $field: $type,)+
        }

        /// The house-rules sheet: the single source of documents, cards, checks and the client.
        pub static SHEET: &[Switch] = &[
            $(Switch {
                id: stringify!($field),
                kind: Kind::$kind,
                rules: &[$($rule),+],
                about: concat!($($about),+),
                choices: &[
                    Choice { word: $first_word, about: concat!($($first_about),+) },
                    $(Choice { word: $other_word, about: concat!($($other_about),+) },)+
                ],
            },)+
        ];

        impl HouseRules {
            /// The word of what is played of a switch.
            pub fn word(&self, id: &str) -> Option<&'static str> {
                match id {
                    $(stringify!($field) => Some(self.$field.word()),)+
                    _ => None,
                }
            }

            /// Plays a switch so.
            ///
            /// # Errors
            /// When the sheet has no such switch or no such choice.
            pub fn set(&mut self, id: &str, word: &str) -> Result<(), NoChoice> {
                let unknown = |id| NoChoice::Word(id, word.to_owned());
                match id {
                    $(stringify!($field) => {
                        self.$field = $type::of(word).ok_or_else(|| unknown(stringify!($field)))?;
                    })+
                    _ => return Err(NoChoice::Switch(id.to_owned())),
                }
                Ok(())
            }
        }
    };
}
