// The standing instructions as a form shows them: each key with its choices in words. A list of the wire's vocabulary;
// which of them a unit can use, and what they do, the server says.

import type { Arm, Instructions, Point } from "../protocol/types";

type Key = keyof Instructions;

/** What a choice still asks for. `field` is the key of the choice's value that holds it. */
export type Param =
  | { kind: "inches" | "count"; field: string }
  | { kind: "bearing"; field: string; none: string | null }
  | { kind: "enemy" | "enemies" | "point"; field: string }
  /** A picket of the enemy, by its number. */
  | { kind: "marker"; field: string };

export interface Choice {
  label: string;
  /** With a parameter: the value that it begins with. */
  value: unknown;
  param?: Param;
  /** It is about pickets of the enemy, and offered where he has some. */
  markers?: true;
}

export interface KeyForm {
  key: Key;
  label: string;
  rule: string;
  group: "When charged" | "Fire" | "Guns" | "Cavalry" | "March" | "Rallying" | "Conditional Hold" | "Picket";
  choices: Choice[];
  /** Whom it can concern; left out, everybody. */
  arms?: readonly Arm[];
  /** The last choice is open: it stands for every value that no other one is, and has a form of its own. */
  open?: "hold_fire";
}

const yesNo: Choice[] = [
  { label: "yes", value: true },
  { label: "no", value: false },
];
const choice = (label: string, value: unknown): Choice => ({ label, value });
export const tagged = (label: string, type: string, more: object = {}): Choice => ({
  label,
  value: { type, ...more },
});

export const asking = (label: string, value: object, param: Param): Choice => ({ label, value, param });

export const keyForms: KeyForm[] = [
  {
    key: "if_charged",
    label: "If charged",
    rule: "CF-09",
    group: "When charged",
    choices: [
      choice("stand", "stand"),
      choice("form and face it", "form"),
      choice("form if taken in flank", "form_if_flanked"),
      choice("form if in disorder", "form_if_disordered"),
      choice("countercharge", "countercharge"),
      choice("countercharge if the attacker is in disorder", "countercharge_if_attacker_disordered"),
    ],
  },
  {
    key: "form_if_charged",
    label: "Then form",
    rule: "CF-10",
    group: "When charged",
    choices: ["single_line", "extended_line", "double_line"].map((word) =>
      choice(word.replaceAll("_", " "), word),
    ),
  },
  {
    key: "countercharge",
    label: "Countercharge for others",
    rule: "CC-02",
    group: "When charged",
    choices: [
      tagged("never", "never"),
      tagged("a charger in disorder", "if_attacker_disordered"),
      tagged("when a friend is charged", "if_friend_charged"),
      asking(
        "a charge within so many inches",
        { type: "within", distance: 3000 },
        { kind: "inches", field: "distance" },
      ),
      tagged("always", "always"),
    ],
  },
  {
    key: "countercharge_if_disordered",
    label: "Countercharge in disorder, if the roll fails",
    rule: "CAVC-07",
    group: "Cavalry",
    choices: yesNo,
  },
  {
    key: "countercharge_target",
    label: "Countercharge for others: ride at",
    rule: "CAVC-05",
    group: "Cavalry",
    choices: [choice("the nearest", "nearest"), choice("the point", "point"), choice("a support", "support")],
  },
  {
    key: "support_countercharge",
    label: "Support a countercharge",
    rule: "CAVC-28",
    group: "Cavalry",
    choices: [tagged("never", "never"), tagged("of the own brigade", "any_in_brigade")],
  },
  {
    key: "refuse",
    label: "Bend back an end",
    rule: "ENF-12",
    group: "When charged",
    choices: [
      choice("the threatened end", "threatened"),
      choice("left", "left"),
      choice("right", "right"),
      choice("never", "never"),
    ],
  },
  {
    key: "square",
    label: "Form square",
    rule: "TAC-40",
    group: "When charged",
    arms: ["infantry"],
    choices: [
      choice("if cavalry charges it", "if_cavalry_charges_me"),
      choice("if cavalry threatens it", "if_cavalry_threatens"),
      choice("never", "never"),
    ],
  },
  { key: "fire", label: "Fire at all", rule: "FIRE-02", group: "Fire", choices: yesNo },
  {
    key: "screen_fire",
    label: "Fire of its skirmishers",
    rule: "TAC-26",
    group: "Fire",
    arms: ["infantry"],
    choices: yesNo,
  },
  {
    key: "fall_back_after_fire",
    label: "Fall back after its fire",
    rule: "SCNS-09",
    group: "Fire",
    choices: yesNo,
  },
  {
    key: "square_fire",
    label: "Fire of a square",
    rule: "TAC-39",
    group: "Fire",
    arms: ["infantry"],
    choices: [choice("at two targets", "both"), choice("at the nearest", "nearest")],
  },
  {
    key: "first_fire",
    label: "First fire",
    rule: "FF-06",
    group: "Fire",
    choices: [
      choice("at any range", "always"),
      choice("normal or closer", "not_at_long"),
      choice("close only", "only_close"),
    ],
  },
  {
    key: "hold_fire",
    label: "Hold fire until",
    rule: "FIRE-35",
    group: "Fire",
    choices: [
      choice("target at long range", {
        any_of: [[{ type: "at", band: "long" }]],
        only_if_charged: false,
        wait_for: null,
      }),
      choice("target at normal range", {
        any_of: [[{ type: "at", band: "normal" }]],
        only_if_charged: false,
        wait_for: null,
      }),
      choice("target at close range", {
        any_of: [[{ type: "at", band: "close" }]],
        only_if_charged: false,
        wait_for: null,
      }),
      choice("target’s flank", { any_of: [[{ type: "on_flank" }]], only_if_charged: false, wait_for: null }),
      choice("only if charged", {
        any_of: [[{ type: "at", band: "close" }]],
        only_if_charged: true,
        wait_for: null,
      }),
      choice("in words of your own …", {
        any_of: [[{ type: "on_flank" }, { type: "at", band: "normal" }], [{ type: "after_move" }]],
        only_if_charged: false,
        wait_for: null,
      }),
    ],
    open: "hold_fire",
  },
  {
    key: "oblique",
    label: "Targets beside its front",
    rule: "FIRE-26",
    group: "Fire",
    choices: [
      tagged("the nearest", "nearest"),
      asking("these, in this order", { type: "units", units: [] }, { kind: "enemies", field: "units" }),
      tagged("none", "none"),
    ],
  },
  {
    key: "stands",
    label: "Stands that fire",
    rule: "FIRE-04",
    group: "Fire",
    choices: [choice("all", "all"), choice("the rear stands only", "rear_only")],
  },
  {
    key: "rapid_fire",
    label: "Rapid fire",
    rule: "TAC-01",
    group: "Fire",
    choices: [
      choice("always", "always"),
      choice("at close range", "close"),
      choice("when charged", "charged"),
      choice("never", "never"),
    ],
  },
  {
    key: "unseen_fire",
    label: "Fire at what is not seen",
    rule: "VIS-12",
    group: "Fire",
    choices: [
      tagged("no", "none"),
      asking("where this unit was", { type: "area", unit: "" }, { kind: "enemy", field: "unit" }),
      asking("at this place", { type: "point", at: { x: 0, y: 0 } }, { kind: "point", field: "at" }),
      {
        ...asking("at this picket", { type: "picket", number: 0 }, { kind: "marker", field: "number" }),
        markers: true,
      },
      {
        ...asking(
          "at the nearest picket within",
          { type: "pickets", distance: 8000 },
          { kind: "inches", field: "distance" },
        ),
        markers: true,
      },
    ],
  },
  {
    key: "fire_on_charges",
    label: "Fire at passing charges",
    rule: "CHG-50",
    group: "Fire",
    choices: ["nearest", "close", "normal", "long", "never"].map((word) => choice(word, word)),
  },
  {
    key: "extra_fire",
    label: "Additional fires",
    rule: "ADDF-14",
    group: "Fire",
    choices: [
      tagged("always", "always"),
      tagged("only when charged", "charged_only"),
      asking("with so many dice or more", { type: "min_dice", dice: 2 }, { kind: "count", field: "dice" }),
      tagged("never", "never"),
    ],
  },
  {
    key: "moving_fire",
    label: "Fire after a move",
    rule: "MFIRE-08",
    group: "Fire",
    choices: [
      choice("at any range", "always"),
      choice("normal or closer", "not_at_long"),
      choice("close only", "only_close"),
      choice("never", "never"),
    ],
  },
  { key: "past_skirmishers", label: "Aim past skirmishers", rule: "FORM-17", group: "Fire", choices: yesNo },
  {
    key: "column_fire",
    label: "Fire from attack column",
    rule: "FORM-08",
    group: "Fire",
    arms: ["infantry"],
    choices: [choice("never", "never"), choice("if charged", "if_charged"), choice("always", "always")],
  },
  {
    key: "target",
    label: "Targets",
    rule: "ARTY-25",
    group: "Guns",
    choices: [
      ...["nearest", "artillery", "infantry", "cavalry"].map((word) => tagged(word, word)),
      asking("these, in this order", { type: "units", units: [] }, { kind: "enemies", field: "units" }),
    ],
  },
  {
    key: "canister",
    label: "Canister",
    rule: "ARTY-23",
    group: "Guns",
    choices: [
      choice("never", "never"),
      choice("single", "single"),
      choice("double", "double"),
      choice("double if charged", "double_if_charged"),
    ],
  },
  {
    key: "group",
    label: "Fire together",
    rule: "ARTY-21",
    group: "Guns",
    choices: [choice("as a battalion", "battalion"), choice("each battery alone", "single")],
  },
  {
    key: "pivot",
    label: "Turn the guns",
    rule: "ARTY-27",
    group: "Guns",
    choices: [
      tagged("if charged", "if_charged"),
      asking(
        "to this direction",
        { type: "to", bearing: 0 },
        { kind: "bearing", field: "bearing", none: null },
      ),
      asking("at this unit", { type: "at", unit: "" }, { kind: "enemy", field: "unit" }),
      tagged("never", "never"),
    ],
  },
  {
    key: "overhead_risk",
    label: "Fire over friends at risk",
    rule: "ARTY-32",
    group: "Guns",
    choices: yesNo,
  },
  {
    key: "if_halted",
    label: "When halted",
    rule: "ARTY-43",
    group: "Guns",
    choices: [
      asking(
        "unlimber",
        { type: "unlimber", bearing: null },
        { kind: "bearing", field: "bearing", none: "toward what halted it" },
      ),
      tagged("stay limbered", "stay"),
    ],
  },
  {
    key: "battery_when_shaken",
    label: "When shaken, limbered",
    rule: "SHK-13",
    group: "Guns",
    choices: [choice("unlimber", "unlimber"), choice("stay limbered", "stay_limbered")],
  },
  {
    key: "cavalry_when_shaken",
    label: "When shaken, dismounted",
    rule: "SHK-16",
    group: "Cavalry",
    choices: [choice("stay dismounted", "stay_dismounted"), choice("take to the horses", "remount")],
  },
  {
    key: "stop",
    label: "Stop the march",
    rule: "MV-27",
    group: "March",
    choices: [
      tagged("never", "never"),
      tagged("at the first enemy seen", "on_sight"),
      tagged("outside close range", "before_close"),
      asking(
        "so many inches from any enemy",
        { type: "before", distance: 4000 },
        { kind: "inches", field: "distance" },
      ),
      tagged("when fired on", "if_fired_on"),
      asking("after so many inches", { type: "after", travel: 4000 }, { kind: "inches", field: "travel" }),
    ],
  },
  {
    key: "press_on",
    label: "If its point is halted, press on",
    rule: "CHG-45",
    group: "March",
    choices: [choice("no", "no"), choice("if it has lost nobody", "if_no_losses"), choice("yes", "yes")],
  },
  {
    key: "disengage_toward",
    label: "Disengage toward",
    rule: "DIS-03",
    group: "March",
    choices: [
      asking("this point", { type: "point", at: { x: 0, y: 0 } }, { kind: "point", field: "at" }),
      asking(
        "this direction",
        { type: "bearing", bearing: 0 },
        { kind: "bearing", field: "bearing", none: null },
      ),
    ],
  },
  {
    key: "path",
    label: "Now march",
    rule: "MV-31",
    group: "March",
    choices: [
      tagged("as ordered", "as_ordered"),
      tagged("without the push", "no_push"),
      asking("only so many inches", { type: "shorten", travel: 3000 }, { kind: "inches", field: "travel" }),
      tagged("not a step", "halt"),
    ],
  },
  { key: "rally", label: "Try to rally", rule: "RALLY-09", group: "Rallying", choices: yesNo },
  {
    key: "reform",
    label: "Reform in",
    rule: "RALLY-19",
    group: "Rallying",
    choices: [
      "single_line",
      "extended_line",
      "double_line",
      "attack_column",
      "skirmish_line",
      "march_column",
      "none",
    ].map((word) => choice(word === "none" ? "stay as it is" : word.replaceAll("_", " "), word)),
  },
  {
    key: "reform_facing",
    label: "Face",
    rule: "RALLY-23",
    group: "Rallying",
    choices: [
      tagged("the enemy", "enemy"),
      tagged("as it stands", "keep"),
      asking(
        "this direction",
        { type: "bearing", bearing: 0 },
        { kind: "bearing", field: "bearing", none: null },
      ),
    ],
  },
  {
    key: "conditional_hold_if",
    label: "Go to Conditional Hold if",
    rule: "REV-05",
    group: "Conditional Hold",
    choices: [
      choice("never", "never"),
      choice("an enemy declares a charge on it", "enemy_charge_declared_on_me"),
      choice("the threat is marked charge", "threat_marked_charge"),
      choice("the threat is marked move", "threat_marked_move"),
      choice("the threat is marked hold", "threat_marked_hold"),
      choice("the threat is marked first fire", "threat_marked_first_fire"),
    ],
  },
  {
    key: "conditional_hold",
    label: "Go to Conditional Hold now",
    rule: "REV-05",
    group: "Conditional Hold",
    choices: yesNo,
  },
  {
    key: "ch_form",
    label: "And then form",
    rule: "REV-11",
    group: "Conditional Hold",
    choices: [
      "single_line",
      "extended_line",
      "double_line",
      "attack_column",
      "skirmish_line",
      "march_column",
    ].map((word) =>
      asking(
        word.replaceAll("_", " "),
        { formation: word, facing: null },
        { kind: "bearing", field: "facing", none: "toward the threat" },
      ),
    ),
  },
];

/** The value that a choice begins with: one that names an enemy with the first of them, one that names a place with `from`. */
export function beginning(
  chosen: Choice,
  enemies: readonly { id: string }[],
  from: Point | undefined,
  markers: readonly number[] = [],
): unknown {
  const { param, value } = chosen;
  if (param?.kind === "enemy") return { ...(value as object), [param.field]: enemies[0]?.id ?? "" };
  if (param?.kind === "marker") return { ...(value as object), [param.field]: markers[0] ?? 0 };
  if (param?.kind === "point" && from) return { ...(value as object), [param.field]: from };
  return value;
}

/** The choice that a value stands for, by its content; a parameter may be anything. */
export function indexOfValue(form: KeyForm, value: unknown): number {
  if (value === null || value === undefined) return -1;
  const text = JSON.stringify(value);
  const exact = form.choices.findIndex((entry) => !entry.param && JSON.stringify(entry.value) === text);
  if (exact >= 0) return exact;
  const found = form.choices.findIndex(
    ({ param, value: begins }) => param && bare(begins, param.field) === bare(value, param.field),
  );
  return found < 0 && form.open ? form.choices.length - 1 : found;
}

function bare(value: unknown, field: string): string {
  const entries = Object.entries(value as object).filter(([key]) => key !== field);
  return JSON.stringify(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The keys that an arm is asked for: those of others are left out, unless something is said there already. */
export function formsFor(arm: Arm | undefined, given: Instructions): KeyForm[] {
  const own = { artillery: "Guns", cavalry: "Cavalry" } as Record<Arm, string | undefined>;
  return keyForms.filter(
    (form) =>
      !arm ||
      (given[form.key] !== null && given[form.key] !== undefined) ||
      ((form.arms?.includes(arm) ?? true) &&
        ((form.group !== "Guns" && form.group !== "Cavalry") || form.group === own[arm])),
  );
}
