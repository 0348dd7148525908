// What all have seen of a marker, gathered from the events that its viewer was sent: where it was first, where it went, what was
// shown, thrown and declared. Nothing is inferred of what it hides. HID-12, HID-29

import { bearingTo, distance, lengthOf } from "../map/geometry";
import { inches } from "../map/overlay";
import type { Event, PicketNumber, Point, View } from "../protocol/types";
import { wind } from "./orders";
import { shownPicketWords } from "./pickets";
import type { StageRecord } from "./state";

/** One thing seen of it. */
export interface Seen {
  turn: number;
  rule: string;
  words: string;
  /** It changes what is known of what the marker hides. */
  strong: boolean;
  /** It is the order that it showed. */
  isOrder: boolean;
  /** How many dice of sight it tells of. */
  dice?: number;
}

export interface Walk {
  turn: number;
  line: Point[];
  length: number;
}

export interface Record {
  /** The first turn at whose beginning it is known to have stood on the table; none: not known. */
  since: number | null;
  first: Point | null;
  lines: Seen[];
  walks: Walk[];
}

/** A shot is at a marker that stands at its aim, within the grid to which points are told. */
const atAim = 20;

/** The face of the first die of an event. */
const face = (event: Event): number | undefined => event.explanation.dice[0]?.faces[0];

/** What is known of a marker by the stages that are here, oldest first. */
export function recordOf(
  stages: readonly StageRecord[],
  view: View | null,
  number: PicketNumber,
  nameOf: (id: string) => string,
): Record {
  const record: Record = { since: null, first: null, lines: [], walks: [] };
  let at: Point | null = null;
  for (const stage of stages) {
    const { turn } = stage.at;
    const stood = stage.before?.pickets.find((picket) => picket.number === number);
    if (stood) {
      at = stood.at;
      record.since ??= turn;
      record.first ??= stood.at;
    }
    const dice: { rule: string; words: string }[] = [];
    const from = record.lines.length;
    for (const event of stage.events) {
      const say = (words: string, strong = false) =>
        record.lines.push({
          turn,
          rule: event.rule,
          words,
          strong,
          isOrder: event.fact.type === "picket_ordered",
        });
      const { fact } = event;
      switch (fact.type) {
        case "picket_ordered":
          if (fact.picket === number) say(`Order shown: ${shownPicketWords(fact.shown)}.`);
          break;
        case "pickets_moved": {
          const moved = fact.lines.find((line) => line.picket === number);
          if (!moved) break;
          const [from, to] = [moved.line[0], moved.line.at(-1)];
          if (from && to && moved.line.length > 1) {
            const length = lengthOf(moved.line);
            say(`It went ${inches(length)} to the ${wind(bearingTo(from, to))}.`);
            record.walks.push({ turn, line: moved.line, length });
            record.first ??= from;
            record.since ??= turn;
            at = to;
          } else say(`It faces ${wind(moved.facing)} now.`);
          break;
        }
        case "sighting_rolled": {
          if (fact.picket !== number && fact.other !== `picket ${number}`) break;
          const other = (fact.picket === number ? fact.other : `picket ${fact.picket}`).replaceAll("`", "");
          dice.push({ rule: event.rule, words: `${face(event) ?? "?"} with ${other}` });
          break;
        }
        case "fired_at_picket":
          if (at && distance(at, fact.to) <= atAim)
            say(`${nameOf(fact.unit)} fired at it at ${inches(fact.range)}: no effect observed.`);
          break;
        case "pickets_changed": {
          const placed = fact.placed.filter((one) => one.picket === number);
          const ended = fact.gone.find((one) => one.picket === number);
          const [first] = placed;
          if (first) {
            const more = placed.length > 1 ? ` and ${placed.length - 1} more` : "";
            say(`It was ${nameOf(first.unit)}${more}.`, true);
          }
          if (ended) say(ended.how === "left_table" ? "It left the table." : "It was a dummy.", true);
          if (fact.confirmed.includes(number)) say("Declared real: it hides something.", true);
          break;
        }
        default:
      }
    }
    // All dice of a stage in one line, after the order and before what came of them.
    const [first] = dice;
    if (first) {
      const words = `Dice of sight: ${dice.map((die) => die.words).join(", ")}.`;
      const place = from + (record.lines[from]?.isOrder ? 1 : 0);
      record.lines.splice(place, 0, {
        turn,
        rule: first.rule,
        words,
        strong: false,
        isOrder: false,
        dice: dice.length,
      });
    }
  }
  const now = view?.pickets.find((picket) => picket.number === number);
  record.first ??= now?.at ?? null;
  return record;
}
