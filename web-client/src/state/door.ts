// What the door says of battles and games, in words.

import type { GameCard } from "../net/rest";

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A day as people write it: 2 July 1863. What is no day is left as it is. */
export function dayWords(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return year && day && name ? `${Number(day)} ${name} ${year}` : date;
}

/** How a game stands: the own side, the turn, and whether it is over. */
export function gameWords(game: GameCard): string {
  const side = game.side === "union" ? "Union" : "Confederate";
  if (game.phase === "ended") return `${side} · over`;
  if (game.phase === "gathering") return `${side} · waiting for players`;
  return game.at.turn === 0 ? `${side} · deployment` : `${side} · turn ${game.at.turn}`;
}
