// Facts in a line of words, for those whose explanation has no sentence of its own, and where on the table they were.

import type { Event, Explanation, Fact, Point, Sum, View } from "../protocol/types";
import { inches } from "../map/overlay";
import { shownWords, words } from "./orders";
import { phaseNames } from "./playback";
import { picketsIn, picketsWords } from "./reveals";

export function signed(value: number): string {
  return value < 0 ? `−${-value}` : `+${value}`;
}

/** A sum as one line that a player can add up. Limits are the server's: where the terms do not give the total, it says so. */
export function sumWords(sum: Sum): string {
  const terms = sum.terms.map(({ value }, i) =>
    i === 0 ? `${value < 0 ? "−" : ""}${Math.abs(value)}` : `${value < 0 ? "−" : "+"} ${Math.abs(value)}`,
  );
  const added = sum.terms.reduce((so, term) => so + term.value, 0);
  const total = sum.total < 0 ? `−${-sum.total}` : `${sum.total}`;
  if (sum.terms.length === 0) return total;
  if (added !== sum.total)
    return `${terms.join(" ")} = ${added < 0 ? `−${-added}` : added}, limited to ${total}`;
  return terms.length === 1 ? total : `${terms.join(" ")} = ${total}`;
}

/** A message of the server without the marks about names. */
export function plain(message: string): string {
  const text = message.replaceAll("`", "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a throw was for, in words: `fire.volley` is a volley. */
export function purposeWords(purpose: string): string {
  return words(purpose.split(".").pop() ?? purpose);
}

const tableNames: Record<string, string> = { crt: "combat results" };
export const tableWords = (table: string): string => tableNames[table] ?? words(table);

/**
 * A fire in one line, from the dice through the modifiers to the cell, as a player adds it up at the table. Absent where
 * the explanation is no reading of a table by dice.
 */
export function readingWords(why: Explanation): string | undefined {
  const [table] = why.tables;
  const [thrown] = why.dice;
  const modifiers = why.sums.find((sum) => sum.label === "modifiers");
  if (!table || !thrown || !modifiers) return undefined;
  const pips = thrown.faces.reduce((sum, face) => sum + face, 0);
  const { total } = modifiers;
  const sum = `${thrown.faces.join(" + ")} ${total < 0 ? "−" : "+"} ${Math.abs(total)} = ${pips + total}`;
  return `${sum}: row ${table.row}, column ${table.column} gives ${table.value}`;
}

/** What the server says in the place of a reason that names somebody out of sight. */
const outOfSight = "The reason is out of sight.";

export function sentenceOf(event: Event, nameOf: (id: string) => string): string {
  if (event.fact.type === "phase_began") return `Phase ${event.phase}: ${phaseNames[event.phase] ?? ""}`;
  // Its own sentence has the word of the wire for the key.
  if (event.fact.type === "choice") return factWords(event.fact, nameOf);
  // And here its own does not say why.
  if (event.fact.type === "pickets_changed") return picketsWords(event.rule, event.fact, nameOf);
  const sentence = plain(event.explanation.sentence);
  // What names somebody out of sight is told without its reason. LOS-12
  if (sentence === outOfSight) {
    const told = factWords(event.fact, nameOf);
    return told.includes("out of sight") ? told : `${told} ${sentence}`;
  }
  return sentence || factWords(event.fact, nameOf);
}

function factWords(fact: Fact, nameOf: (id: string) => string): string {
  switch (fact.type) {
    case "phase_began":
      return "A phase begins.";
    case "order_revealed":
      return `${nameOf(fact.unit)}: ${shownWords(fact.shown, nameOf)}.`;
    case "command":
      return `${nameOf(fact.unit)} is ${fact.in_command ? "in" : "out of"} command.`;
    case "conditional_hold":
      return `${nameOf(fact.unit)} goes to Conditional Hold${fact.forced ? ", forced" : ""}.`;
    case "order_void":
      return `The order of ${nameOf(fact.unit)} lapses.`;
    case "volley":
      return `${fact.firers.map(nameOf).join(" and ")} ${fact.firers.length > 1 ? "fire" : "fires"} at ${fact.target ? nameOf(fact.target) : "what it cannot see"} at ${inches(fact.range)}: ${fact.figures === 0 ? "no loss" : `${fact.figures} lost`}.`;
    case "fire_withheld":
      return `${nameOf(fact.unit)} holds its fire.`;
    case "ammunition":
      return `${nameOf(fact.unit)} ${fact.out ? "is out of ammunition" : "has ammunition again"}.`;
    case "losses":
      return `${nameOf(fact.unit)} loses ${fact.figures}${fact.stands > 0 ? `, and ${fact.stands} ${fact.stands === 1 ? "stand" : "stands"}` : ""}.`;
    case "morale_check":
      return `${nameOf(fact.unit)} ${fact.passed ? "stands its check" : `fails its check and is ${fact.after}`} (${fact.because}).`;
    case "competence":
      return `${nameOf(fact.unit)} ${fact.passed ? "passes" : "fails"} its competence roll (${fact.because}).`;
    case "disorder":
      return `${nameOf(fact.unit)} is ${fact.disorder ? "in disorder" : "in order again"}.`;
    case "morale_changed":
      return `${nameOf(fact.unit)} is ${fact.after}.`;
    case "fell_back":
      return `${nameOf(fact.unit)} falls back ${inches(fact.distance)}.`;
    case "ran":
      return `${nameOf(fact.unit)} runs ${inches(fact.distance)}.`;
    case "impact":
      return `${nameOf(fact.attacker)} strikes ${nameOf(fact.defender)}: ${words(fact.result)}.`;
    case "melee_round":
      return `${nameOf(fact.attacker.unit)} and ${nameOf(fact.defender.unit)} fight hand to hand, round ${fact.round}.`;
    case "melee_ended":
      return `The melee is over.`;
    case "removed":
      return `${nameOf(fact.unit)}: ${fact.how}.`;
    case "rally":
      return fact.after === fact.before
        ? `${nameOf(fact.unit)} does not rally.`
        : `${nameOf(fact.unit)} is ${fact.after} again.`;
    case "moved":
      return `${nameOf(fact.unit)} marches${fact.halted ? `; it halts: ${fact.halted}` : ""}.`;
    case "disengages":
      return `${nameOf(fact.unit)} turns its back and goes ${inches(fact.total)}.`;
    case "charge_began":
      return `${nameOf(fact.unit)} charges${fact.target ? ` ${nameOf(fact.target)}` : ""}: ${inches(fact.total)} in all.`;
    case "charged":
      return `${nameOf(fact.unit)} is charged by ${nameOf(fact.by)}.`;
    case "volley_distance":
      return `${nameOf(fact.unit)} fires at ${inches(fact.distance)}${fact.wasted ? ", too soon" : ""}.`;
    case "countercharges":
      return `${nameOf(fact.unit)} countercharges ${nameOf(fact.charger)}.`;
    case "square_approached":
      return fact.broken
        ? `${nameOf(fact.unit)} breaks the square of ${nameOf(fact.square)}.`
        : `${nameOf(fact.unit)} turns away from the square of ${nameOf(fact.square)}.`;
    case "contact":
      return `${nameOf(fact.unit)} strikes ${nameOf(fact.target)}.`;
    case "charge_ended":
      return `The charge of ${nameOf(fact.unit)} is over: ${fact.how}.`;
    case "formed":
      return `${nameOf(fact.unit)} forms ${words(fact.after.formation)}.`;
    case "leader_moved":
      return `${nameOf(fact.leader)} rides.`;
    case "leader_hit":
      return `${nameOf(fact.leader)}: ${fact.outcome}.`;
    case "replaced":
      return `${fact.name} takes the place.`;
    case "arrived":
      return `${nameOf(fact.unit)} arrives.`;
    case "leader_arrived":
      return `${nameOf(fact.leader)} arrives.`;
    case "command_level":
      return `${nameOf(`brigade ${fact.brigade}`)} has lost ${fact.percent} % of its command points.`;
    case "points":
      return `${fact.side === "union" ? "Union" : "Confederate"}: ${signed(fact.points)} ${Math.abs(fact.points) === 1 ? "point" : "points"}.`;
    case "worked":
      return fact.left > 0 && fact.turns > 0
        ? `${nameOf(fact.unit)} is at work: ${fact.turns} turns done, ${fact.left} to come.`
        : fact.turns > 0
          ? `${nameOf(fact.unit)} has done its work.`
          : `The work of ${nameOf(fact.unit)} comes to nothing.`;
    case "obstacle_changed":
      return `${words(fact.obstacle)}: ${words(fact.change)}.`;
    case "obstacle_met":
      return `${nameOf(fact.unit)} crosses an obstacle and loses ${inches(fact.lost)}${fact.stops ? "; it comes no farther" : ""}.`;
    case "special":
      return "A special rule acts.";
    case "choice":
      return `${nameOf(fact.unit)}: ${words(fact.key)}, by ${fact.source === "answer" ? "your answer" : fact.source === "standing" ? "your standing instruction" : "the rule’s default"}.`;
    case "picket_ordered":
      return `Picket ${fact.picket}: ${words(fact.shown.type)}.`;
    case "pickets_changed":
      return picketsWords("", fact, nameOf);
    case "pickets_moved":
      return `${fact.lines.length === 1 ? "A picket moves" : `${fact.lines.length} pickets move`}.`;
    case "sighting_rolled":
      return `Picket ${fact.picket} and ${fact.other}: the die of sight is thrown.`;
    case "fired_at_picket":
      return `${nameOf(fact.unit)} fires at a picket at ${inches(fact.range)}: no effect observed.`;
    case "sighted":
      return sightedWords(fact, nameOf);
    case "ended":
      return "The battle is over.";
  }
}

/** Who comes in sight, and who is lost from it. LOS-05 */
function sightedWords(fact: Extract<Fact, { type: "sighted" }>, nameOf: (id: string) => string): string {
  const all = [
    ...fact.came.map((came) => `${nameOf(came.unit)} comes in sight`),
    ...fact.leaders.map((came) => `${nameOf(came.leader)} comes in sight`),
    ...[...fact.lost, ...fact.leaders_lost].map((id) => `${nameOf(id)} is lost from sight`),
  ].join("; ");
  return `${all.charAt(0).toUpperCase()}${all.slice(1)}.`;
}

/** Where on the table it happened, and whom it touched. */
export function placeOf(fact: Fact, view: View | null): { at: Point; unit: string | undefined } | undefined {
  const standing = (id: string) => view?.units.find((unit) => unit.id === id)?.stance?.anchor;
  if (fact.type === "volley") return { at: fact.to, unit: fact.target ?? fact.firers[0] };
  if (fact.type === "sighted") {
    const [came] = fact.came;
    return came && { at: came.after.anchor, unit: came.unit };
  }
  if ("after" in fact && typeof fact.after === "object") return { at: fact.after.anchor, unit: fact.unit };
  if (fact.type === "leader_moved") {
    const at = fact.path[fact.path.length - 1];
    return at ? { at, unit: undefined } : undefined;
  }
  if (fact.type === "fired_at_picket") return { at: fact.to, unit: fact.unit };
  if (fact.type === "pickets_changed" && fact.placed[0])
    return { at: fact.placed[0].after.anchor, unit: fact.placed[0].unit };
  const [picket] = picketsIn(fact);
  if (picket !== undefined) {
    const marker = view?.pickets.find((other) => other.number === picket);
    const at = marker?.at ?? view?.units.find((unit) => unit.picket === picket)?.stance?.anchor;
    return at && { at, unit: undefined };
  }
  if (fact.type === "leader_arrived") return { at: fact.at, unit: undefined };
  if ("unit" in fact && fact.unit) {
    const at = standing(fact.unit);
    return at ? { at, unit: fact.unit } : undefined;
  }
  return undefined;
}
