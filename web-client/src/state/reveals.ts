// Pickets in the playback: how they travel, and how one turns into troops. It repeats what the server reported; between two reported
// places it draws a straight way.

import { bearingTo, middle, partOf } from "../map/geometry";
import type { Effect } from "../map/overlay";
import type { Revealed } from "../map/pickets";
import { capital } from "./orders";
import type {
  Event,
  Fact,
  PicketEnd,
  PicketLine,
  PicketView,
  Point,
  UnitView,
  View,
} from "../protocol/types";

type Changed = Extract<Fact, { type: "pickets_changed" }>;

/** A marker that is replaced in the course of a march: it is drawn on its way to that place until then. */
export interface Ending {
  picket: number;
  at: Point;
  segment: number;
}

/** Segments of a phase of movement. */
const segments = 120;

/** Whether an event has pickets travel; one that only turns does not. */
export const travels = (event: Event): boolean =>
  event.fact.type === "pickets_moved" && event.fact.lines.some((line) => line.line.length > 1);

/** Whether an event shows what a picket hid, or that it hid something. */
export const finds = (event: Event | undefined): boolean => event?.fact.type === "pickets_changed";

/** The pickets that a fact is about, by number. */
export function picketsIn(fact: Fact): number[] {
  switch (fact.type) {
    case "picket_ordered":
      return [fact.picket];
    case "sighting_rolled": {
      const other = /^picket (\d+)$/.exec(fact.other)?.[1];
      return other ? [fact.picket, Number(other)] : [fact.picket];
    }
    case "pickets_moved":
      return fact.lines.map((line) => line.picket);
    case "pickets_changed":
      return [...new Set([...fact.placed, ...fact.gone].map((one) => one.picket)), ...fact.confirmed];
    default:
      return [];
  }
}

/** Markers that are replaced in the midst of a phase with marches. */
export function endingsOf(events: readonly Event[]): Ending[] {
  return events.flatMap(({ fact, segment }) => {
    if (fact.type !== "pickets_changed" || segment === null) return [];
    return [...new Set(fact.placed.map((one) => one.picket))].map((picket) => ({
      picket,
      at: middle(fact.placed.filter((one) => one.picket === picket).map((one) => one.after.anchor)),
      segment,
    }));
  });
}

export function movedPicket(picket: PicketView, lines: readonly PicketLine[]): PicketView {
  const line = lines.find((one) => one.picket === picket.number);
  const at = line?.line.at(-1);
  return line && at ? { ...picket, at, facing: line.facing, travelled: line.line } : picket;
}

/** The markers at a segment of a march, each on its line at one pace. HID-24 */
export function marchedPickets(
  view: View,
  start: View,
  moves: readonly Event[],
  ends: readonly Ending[],
  segment: number,
): PicketView[] {
  const lines = moves.flatMap(({ fact }) => (fact.type === "pickets_moved" ? fact.lines : []));
  if (lines.length === 0 && ends.length === 0) return view.pickets;
  return view.pickets.map((picket) => {
    const line = lines.find((one) => one.picket === picket.number);
    const from = start.pickets.find((other) => other.number === picket.number)?.at ?? picket.at;
    const end = ends.find((one) => one.picket === picket.number);
    const whole = line?.line ?? (end ? [from, end.at] : undefined);
    if (!whole || whole.length < 2) return picket;
    const share = line ? segment / segments : segment / Math.max(1, end?.segment ?? segments);
    if (line && share >= 1) return movedPicket(picket, lines);
    const travelled = partOf(whole, share);
    const [before, at] = [travelled.at(-2), travelled.at(-1)];
    return at && before ? { ...picket, at, facing: bearingTo(before, at), travelled } : picket;
  });
}

/** A unit that takes the place of its picket. HID-49 */
function placed(unit: UnitView, now: Changed["placed"][number]): UnitView {
  const stands = now.left.map((figures, n) => ({ figures, full: unit.stands[n]?.full ?? figures }));
  return { ...unit, stance: now.after, stands, shown: now.shown, presence: "table", picket: now.picket };
}

/** The markers that are left, and who has come from under them. */
export function changedPickets(view: View, fact: Changed): View {
  const units = view.units.map((unit) => {
    const now = fact.placed.find((one) => one.unit === unit.id);
    return now ? placed(unit, now) : unit;
  });
  const ended = new Set([...fact.placed, ...fact.gone].map((one) => one.picket));
  const pickets = view.pickets
    .filter((picket) => !ended.has(picket.number))
    .map((picket) =>
      fact.confirmed.includes(picket.number)
        ? { ...picket, confirmed: picket.confirmed ?? view.turn }
        : picket,
    );
  return { ...view, units, pickets };
}

/** So many at one instant can each have a word on the map. */
const worded = 8;

/** What flashes where markers turn into troops; `finding`: the instant before, when only the place is known. */
export function revealEffects(fact: Changed, before: View, after: View, finding: boolean): Effect[] {
  const numbers = picketsIn(fact);
  return numbers.flatMap((number): Revealed[] => {
    const here = fact.placed.filter((one) => one.picket === number);
    const marker = before.pickets.find((picket) => picket.number === number);
    const unit = after.units.find((other) => other.id === here[0]?.unit);
    const at = here.length === 1 ? here[0]?.after.anchor : (marker?.at ?? here[0]?.after.anchor);
    const side = marker?.side ?? unit?.side;
    if (!at || !side) return [];
    const how = fact.gone.find((one) => one.picket === number)?.how;
    const what =
      here.length > 1
        ? `${here.length} units`
        : here.length === 1
          ? (unit?.name ?? "troops")
          : how === "left_table"
            ? "leaves the table"
            : how
              ? "a dummy"
              : "declared real";
    return [
      {
        kind: "revealed",
        number,
        side,
        at,
        facing: marker?.facing ?? here[0]?.after.facing ?? 0,
        stances: finding ? [] : here.map((one) => one.after),
        gone: !finding && (here.length > 0 || how !== undefined),
        text: finding || numbers.length > worded ? "" : `${number}: ${what}`,
      },
    ];
  });
}

/** Why pickets were changed, by the rule of the event. */
const causes: Record<string, string> = {
  "HID-11": "A leader steps out",
  "HID-31": "Found by sight",
  "HID-39": "Found by touch",
  "HID-41": "Pickets in sight of each other",
  "HID-46": "Found in several ways at one instant",
  "HID-48": "By the will of its side",
  "HID-52": "To open fire",
  "HID-59": "Losses have told",
  "HID-64": "Works have come to light",
  "SCNS-13": "Out of the woods",
};

/** What is so of one picket, or of several. */
function grouped(numbers: readonly number[], one: string, many: string): string[] {
  const [last, ...others] = [...numbers].reverse();
  if (last === undefined) return [];
  if (others.length === 0) return [`picket ${last} ${one}`];
  return [`pickets ${others.reverse().join(", ")} and ${last} ${many}`];
}

/** What became of pickets at one instant, and why. */
export function picketsWords(rule: string, fact: Changed, nameOf: (id: string) => string): string {
  const over = rule === "HID-66" && fact.gone.every((one) => one.how !== "left_table");
  const numbers = picketsIn(fact);
  const dummies = fact.gone.length;
  if (over && numbers.length > worded)
    return `The battle is over, and all pickets are opened: ${numbers.length - dummies} hid troops, ${dummies} were dummies.`;
  const ends = (how: PicketEnd) => fact.gone.filter((one) => one.how === how).map((one) => one.picket);
  const placed = numbers.flatMap((number) => {
    const units = fact.placed.filter((one) => one.picket === number).map((one) => nameOf(one.unit));
    if (units.length > 1) return `picket ${number} is ${units.length} units: ${units.join(", ")}`;
    return units[0] ? `picket ${number} is ${units[0]}` : [];
  });
  const all = [
    ...placed,
    ...grouped(
      [...ends("dummy"), ...ends("placed")],
      "was a dummy and is taken off",
      "were dummies and are taken off",
    ),
    ...grouped(ends("withdrawn"), "was a dummy and is withdrawn", "were dummies and are withdrawn"),
    ...grouped(ends("left_table"), "leaves the table", "leave the table"),
    ...grouped(fact.confirmed, "is declared real, and stays", "are declared real, and stay"),
  ];
  const why = over ? "The battle is over" : causes[rule];
  const what = all.join("; ");
  return `${why ? `${why}: ${what}` : capital(what)}.`;
}
