// The house-rules sheet as it is shown: which lines differ, in what chapters, and what a host has chosen.
// It knows no rule: lines, choices and their words come from the server.

import type { HouseRuleCard } from "../protocol/types";

/** The chapters of the sheet, in reading order: the server's word for the sort of doubt, and a heading. */
const CHAPTERS: [kind: string, title: string][] = [
  ["optional", "Optional rules of the book"],
  ["number", "Two numbers in the book"],
  ["ruling", "Two readings of the book"],
];

export interface Chapter {
  title: string;
  lines: HouseRuleCard[];
}

/** The sheet by chapters; a sort of doubt that this client does not know comes last. */
export function chapters(sheet: HouseRuleCard[]): Chapter[] {
  const known = CHAPTERS.map(([kind, title]) => ({
    title,
    lines: sheet.filter((line) => line.kind === kind),
  }));
  const others = sheet.filter((line) => !CHAPTERS.some(([kind]) => kind === line.kind));
  return [...known, { title: "Others", lines: others }].filter((chapter) => chapter.lines.length > 0);
}

/** The lines that are played otherwise than the server rules. */
export function differing(sheet: HouseRuleCard[]): HouseRuleCard[] {
  return sheet.filter((line) => line.chosen !== line.default);
}

/** What a choice of a line means, in plain words. */
export function meaning(line: HouseRuleCard, word: string): string {
  return line.choices.find((choice) => choice.word === word)?.meaning ?? word;
}

/** What a host has chosen otherwise than the scenario has it; this alone is sent. */
export function asked(sheet: HouseRuleCard[], chosen: Record<string, string>): Record<string, string> {
  const changed = sheet.filter((line) => (chosen[line.id] ?? line.chosen) !== line.chosen);
  return Object.fromEntries(changed.map((line) => [line.id, chosen[line.id] ?? line.chosen]));
}

/** How many cells a club's own chart changes, in words. */
export function cells(count: number): string {
  return count === 1 ? "1 cell differs" : `${count} cells differ`;
}
