// What is said of those who watch, and to them: who may, through whose eyes, and what the umpire reads of sealed orders.

import type { SealedOrders, SeatView, SettingsView, Spectators, Viewer } from "../protocol/types";
import { orderWords, words } from "./orders";
import { picketOrderWords } from "./pickets";

/** What a new game says of watchers. */
export interface Watchers {
  umpire: boolean;
  spectators: Spectators;
  spectator_delay_turns: number;
}

export const unwatched: Watchers = { umpire: false, spectators: "off", spectator_delay_turns: 0 };

/** The longest delay that a game may have, turns. */
export const longestDelay = 20;

export function lateWords(turns: number): string {
  if (turns === 0) return "as it goes on";
  return turns === 1 ? "1 turn late" : `${turns} turns late`;
}

/** Who sees a game besides its players, for them to know. */
export function watchedBy(settings: SettingsView): string {
  const said = [
    ...(settings.umpire ? ["An umpire sees all but drafts."] : []),
    ...(settings.spectators === "open"
      ? [
          `Others may watch what both sides know, ${lateWords(settings.spectator_delay_turns ?? 0).replace("late", "behind the game")}.`,
        ]
      : []),
  ];
  return said.join(" ");
}

/** Eyes through which the umpire may look. */
export interface Eyes {
  key: string;
  name: string;
  /** None: his own. */
  viewer: Viewer | null;
}

export const sideName = (side: SeatView["side"]): string => (side === "union" ? "Union" : "Confederate");

export function eyesOf(seats: SeatView[]): Eyes[] {
  const seatName = (seat: SeatView) =>
    `${sideName(seat.side)}${seat.bot ? " (a bot)" : seat.player ? ` (${seat.player})` : ""}`;
  return [
    { key: "umpire", name: "the umpire", viewer: null },
    ...seats.map((seat) => ({
      key: `seat ${seat.seat}`,
      name: seatName(seat),
      viewer: { type: "seat" as const, side: seat.side, seat: seat.seat },
    })),
    { key: "public", name: "the public", viewer: { type: "public" as const } },
  ];
}

/** What a seat has sealed, a line for each who is told something. */
export function sealedLines(sealed: SealedOrders, nameOf: (id: string) => string): string[] {
  const { units, brigades, leaders, deployment, pickets, hiding } = sealed.content;
  const lines: string[] = [];
  const tell = (
    name: string,
    order: string | undefined,
    posture: string | null | undefined,
    instructions: object,
  ) => {
    const more = Object.values(instructions).some((value) => value !== null && value !== undefined);
    const said = [order, posture ? words(posture) : undefined, more ? "instructions" : undefined];
    const told = said.filter((one) => one !== undefined);
    if (told.length > 0) lines.push(`${name}: ${told.join("; ")}`);
  };
  for (const [brigade, group] of Object.entries(brigades)) {
    const order = group.order ? orderWords(group.order) : undefined;
    tell(`The brigade of ${nameOf(`brigade ${brigade}`)}`, order, group.posture, group.instructions);
  }
  for (const [unit, told] of Object.entries(units))
    tell(nameOf(unit), told.order ? orderWords(told.order) : undefined, told.posture, told.instructions);
  for (const [number, told] of Object.entries(pickets ?? {}))
    tell(
      `Picket ${number}`,
      told.order ? picketOrderWords(told.order, told.instructions) : undefined,
      told.posture,
      told.instructions,
    );
  for (const [leader, told] of Object.entries(leaders)) {
    const ride = told.ride;
    const rides = !ride
      ? undefined
      : ride.type === "attach"
        ? `rides with ${nameOf(ride.unit)}`
        : ride.type === "path"
          ? "rides along a path"
          : "stays";
    tell(nameOf(leader), rides, null, { ...told, ride: null });
  }
  const placed = Object.keys(deployment).length;
  if (placed > 0) lines.push(`${placed} ${placed === 1 ? "unit" : "units"} placed`);
  const hidden = hiding?.length ?? 0;
  if (hidden > 0) lines.push(`${hidden} ${hidden === 1 ? "picket" : "pickets"} set up`);
  return lines;
}
