//! The tables in the order of the chapters, with a heading and the rules that use them.

/// A chapter of the page.
pub(super) struct Chapter {
    pub(super) title: &'static str,
    pub(super) subjects: &'static [Subject],
}

/// A table and what it is about.
pub(super) struct Subject {
    /// Its name in the tables.
    pub(super) table: &'static str,
    pub(super) title: &'static str,
    /// The rules that use it most.
    pub(super) rules: &'static [&'static str],
    /// What a reader must know of it; may be empty.
    pub(super) note: &'static str,
}

const fn about(table: &'static str, title: &'static str, rules: &'static [&'static str]) -> Subject {
    Subject { table, title, rules, note: "" }
}

const fn noted(
    table: &'static str,
    title: &'static str,
    rules: &'static [&'static str],
    note: &'static str,
) -> Subject {
    Subject { table, title, rules, note }
}

/// The chapters, in reading order.
pub(super) const CHAPTERS: [Chapter; 12] = [
    Chapter {
        title: "Scales and organisation",
        subjects: &[
            about(
                "scale",
                "Scales, stands and figures",
                &["SCALE-01", "SCALE-02", "SCALE-03", "ORG-01", "ORG-02", "ORG-08", "ORG-09", "ORG-11", "ORG-14"],
            ),
            about("bmp", "Base morale point by quality", &["MOR-41", "MOR-42"]),
        ],
    },
    Chapter {
        title: "Movement",
        subjects: &[
            noted(
                "movement",
                "Rates of movement",
                &["MOVE-01", "MOVE-16", "MV-03", "CAV-04", "ARTY-01"],
                "Inches a turn by terrain.",
            ),
            about(
                "movement_limits",
                "Limits of movement",
                &["FORM-10", "ARTY-04", "MV-17", "MV-19", "MV-21", "MV-22", "MV-26"],
            ),
            about(
                "bonus_movement",
                "Bonus movement and quick march",
                &["MOVE-11", "MOVE-12", "MOVE-13", "ROUT-03", "ROUT-04"],
            ),
            noted(
                "cost",
                "Costs by quality",
                &["FORM-32", "FORM-33", "FORM-34", "FORM-36", "MOVE-08", "MOVE-10", "MV-07", "ARTY-02"],
                "In turns: the share of the turn's movement that it takes (1.0 is all of it). In inches: inches of movement.",
            ),
        ],
    },
    Chapter {
        title: "Formations",
        subjects: &[
            noted(
                "formation_effect",
                "What a formation does",
                &["FIRE-03", "FIRE-29", "FORM-14", "FORM-15", "FORM-25", "FORM-28", "IMP-03", "MEL-07"],
                "`melee` and `fire` are factors of the figures; `target_drm` is added by those who fire at it; `casualties` is a factor \
                 of its losses from fire; `impact` is its formation modifier in the dice down, and without one it surrenders.",
            ),
            about("brigade_column", "Brigade column", &["TAC-27", "TAC-34"]),
            about("skirmish_screen", "Skirmish screen", &["TAC-16", "TAC-18", "TAC-19", "FORM-18"]),
            about("reserve_stand", "Line with reserve", &["TAC-11"]),
            about("prone", "Prone", &["TAC-08"]),
            about("square", "Square", &["TAC-40", "TAC-42"]),
            about("sharpshooter", "Sharpshooters", &["SHARP-01", "SHARP-06", "SHARP-07", "SHARP-09", "SHARP-11"]),
        ],
    },
    Chapter {
        title: "Small arms",
        subjects: &[
            noted("small_arm", "Ranges of small arms", &["FIRE-11", "FIRE-12", "SHARP-02"], "Ranges are upper limits."),
            about("weapon_trait", "Loading", &["TAC-02", "TAC-03", "TAC-04", "AMMO-01", "AMMO-03"]),
        ],
    },
    Chapter {
        title: "Artillery",
        subjects: &[
            noted(
                "gun",
                "Guns",
                &["FIRE-11", "ARTY-22", "ARTY-50", "ARTY-51", "ARTY-52", "ARTY-54"],
                "Ranges are upper limits.",
            ),
            about("gun_class", "Classes of guns", &["ARTY-23", "ARTY-53", "ARTY-55", "AMMO-10"]),
            about(
                "gun_rules",
                "Rules for guns",
                &["ARTY-16", "ARTY-17", "ARTY-24", "ARTY-29", "ARTY-32", "ARTY-36", "ARTY-48"],
            ),
            about("artillery_support", "Supported batteries", &["ARTY-10", "ARTY-11", "ARTY-12"]),
        ],
    },
    Chapter {
        title: "Fire",
        subjects: &[
            about("dice", "Dice of a fire", &["FIRE-06", "FIRE-07", "FIRE-08", "FIRE-09", "MEL-02"]),
            about("firer_drm", "Modifiers of the firer", &["FIRE-19", "FIRE-20", "FIRE-21", "FIRE-27", "ARTY-19"]),
            about("target_drm", "Modifiers of the target", &["FIRE-30", "FIRE-31"]),
            about("cover_drm", "Cover", &["COVER-03", "COVER-06", "COVER-11"]),
            about("cover_limits", "Who is covered", &["COVER-01", "COVER-02"]),
            about("fire_zone", "Fire zones", &["FIRE-22", "FIRE-23", "ENF-03", "ENF-13"]),
            about("flank_drm", "Flank and rear", &["ENF-01", "ENF-10", "ENF-18"]),
            noted(
                "crt",
                "Combat results",
                &["FIRE-14", "FIRE-15", "FIRE-16", "FIRE-17", "FIRE-18"],
                "A row is used from its number of figures, or sections, up to the next; a column from its roll up to the next; a roll under \
                 the first has no effect. MC: a morale check only, by artillery and sharpshooters. 1\\*: perhaps one killed.",
            ),
            about("casualty", "Losses", &["FIRE-17", "FIRE-32", "FIRE-33", "COVER-12", "RALLY-22"]),
            about("penetration", "Penetration", &["PEN-01", "PEN-03", "PEN-05"]),
            about("visibility", "Sight in woods", &["VIS-01", "VIS-04", "VIS-06"]),
        ],
    },
    Chapter {
        title: "Morale",
        subjects: &[
            about(
                "morale_check",
                "Morale checks",
                &["MOR-03", "MOR-05", "MOR-06", "MOR-12", "MOR-20", "TC-01", "TC-02"],
            ),
            about(
                "morale_modifier",
                "Modifiers of the morale point",
                &["MOR-43", "MOR-46", "MOR-47", "MOR-48", "MOR-50", "MOR-51", "MOR-52", "MOR-55"],
            ),
            about(
                "morale_if_hit",
                "Fired on and charged",
                &["MOR-56", "MOR-57", "MOR-58", "MOR-62", "IMP-07", "IMP-09"],
            ),
            about("fallback", "Falling back", &["SHK-02", "SHK-12", "SHK-13", "SHK-15", "SHK-16"]),
            about("rally", "Rally", &["RALLY-10", "RALLY-13", "RALLY-15", "RALLY-16"]),
        ],
    },
    Chapter {
        title: "Charges and melee",
        subjects: &[
            about(
                "charge",
                "Charges",
                &["CHG-09", "CHG-16", "CHG-21", "CHG-26", "CF-07", "CC-02", "CAVC-05", "CAVC-24"],
            ),
            about("defensive_volley", "Defensive volley", &["CHG-30", "CHG-31", "CHG-32", "CHG-33"]),
            about("impact", "The dice down", &["IDD-03", "IDD-05", "IDD-11", "IDD-17", "IDD-18", "CAVC-42", "CAVC-46"]),
            about("melee", "Melee", &["MEL-04", "MEL-10", "MEL-14", "MEL-17", "MEL-18"]),
        ],
    },
    Chapter {
        title: "Command",
        subjects: &[
            about("leader_level", "Leader levels", &["LEAD-02", "LEAD-03", "LEAD-04", "CMD-12"]),
            about("leaders", "Leaders", &["LEAD-05", "LEAD-08", "LEAD-17", "LEAD-20"]),
            about("command", "Command radius", &["CMD-01", "CMD-05", "CMD-11"]),
            about("command_points", "Command points", &["LVL-01", "LVL-03", "LVL-04", "LVL-05"]),
            about("officer_casualty", "Officers hit", &["OFF-02", "OFF-04", "OFF-05", "OFF-06"]),
            about("officer_wound", "What the hit was", &["OFF-07", "OFF-10"]),
        ],
    },
    Chapter {
        title: "Works and obstacles",
        subjects: &[
            about(
                "works",
                "Works",
                &[
                    "WORKS-01", "WORKS-02", "WORKS-05", "WORKS-10", "WORKS-17", "COVER-03", "COVER-09", "FIRE-28",
                    "PEN-03",
                ],
            ),
            about(
                "obstacle",
                "Obstacles",
                &["OBS-04", "OBS-05", "OBS-10", "OBS-11", "OBS-15", "OBS-18", "OBS-19", "OBS-21", "OBS-27"],
            ),
        ],
    },
    Chapter {
        title: "Guns against works",
        subjects: &[
            about("works_destruction", "Breaking works", &["COVER-13", "WORKS-19", "WORKS-20"]),
            about("works_destruction_drm", "Modifiers for breaking works", &["COVER-14", "WORKS-21"]),
        ],
    },
    Chapter {
        title: "Hidden units",
        subjects: &[about("hidden_movement", "Pickets", &["HID-02", "HID-03", "HID-06", "HID-39"])],
    },
];
