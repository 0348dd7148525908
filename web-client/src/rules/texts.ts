// Rule texts by number, fetched when somebody asks and kept for the page's life.

import { rest, type RuleText } from "../net/rest";

const known = new Map<string, Promise<RuleText>>();

export function ruleText(
  id: string,
  fetchRule: (id: string) => Promise<RuleText> = rest.rule,
): Promise<RuleText> {
  let text = known.get(id);
  if (!text) {
    text = fetchRule(id);
    known.set(id, text);
    // A failure is not kept: the next click asks again.
    text.catch(() => known.delete(id));
  }
  return text;
}

/** The rules that a text names, to be opened from it. */
export function splitRules(text: string): { text: string; rule: boolean }[] {
  return text
    .split(/\b([A-Z]{2,}(?:-[A-Z]+)?-\d{2,})\b/)
    .map((piece, i) => ({ text: piece, rule: i % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
