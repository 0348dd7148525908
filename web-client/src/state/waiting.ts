// The one line that always says what the page is waiting for.

import type { State } from "./state";

export interface Waiting {
  text: string;
  /** It waits for this player. */
  mine: boolean;
  bad: boolean;
}

const windowNames = {
  orders: "orders",
  reactions: "reactions",
  charges: "answers before the charges",
  movement: "answers before the movement",
} as const;

export function waitingFor(state: State): Waiting {
  const say = (text: string, mine = false, bad = false): Waiting => ({ text, mine, bad });
  const { link, status, view, welcome } = state;
  if (link.kind === "refused") return say(`The server refused: ${link.why}.`, false, true);
  if (link.kind === "waiting") {
    return say(
      `The line to the server is lost. Trying again in ${link.seconds} s; nothing is lost.`,
      false,
      true,
    );
  }
  if (link.kind === "closed") return say("Not connected.", false, true);
  if (!status || !view) return say("Waiting for the server …");
  const nameOf = (seat: string) => {
    const found = welcome?.seats.find((other) => other.seat === seat);
    return found?.player ?? found?.title ?? seat;
  };
  switch (status.phase) {
    case "gathering": {
      const empty =
        welcome?.seats.filter((seat) => seat.player === null && !seat.bot).map((seat) => seat.title) ?? [];
      return say(
        `Waiting for players to take their seats${empty.length > 0 ? `: ${empty.join(", ")}` : ""}.`,
      );
    }
    case "held":
      return say(`The game is held: ${status.held ?? "its umpire or host must act"}.`, false, true);
    case "resolving":
      return say("All are in. The server is resolving the stage …");
    case "ended":
      return say(view.result ? resultWords(state) : "The battle is over.");
    case "window":
      break;
  }
  const what = status.at.turn === 0 ? "deployment" : windowNames[status.at.stage];
  if (state.watching || view.viewer.type !== "seat") return say(watchedWords(state, what, nameOf));
  if (state.sealing) return say("Waiting for the server to acknowledge …");
  if (state.sealed) {
    const seat = view.viewer.seat;
    const friends = status.waiting_for.filter((other) => other !== seat).map(nameOf);
    return say(
      friends.length > 0
        ? `Sealed. Waiting for ${friends.join(", ")}.`
        : "Sealed. Waiting for the enemy to seal.",
    );
  }
  if (status.at.turn === 0) return say("Waiting for you: place your units, then seal.", true);
  if (status.at.stage !== "orders") return say(`Waiting for you: give your ${what}, then seal.`, true);
  const lacking = state.withoutOrder.length;
  if (lacking === 0) return say("Waiting for you: look over your orders and seal them.", true);
  return say(`Waiting for you: ${lacking} ${lacking === 1 ? "unit has" : "units have"} no order.`, true);
}

/** What a watcher is waiting for: who has sealed is told to the umpire alone. */
function watchedWords(state: State, what: string, nameOf: (seat: string) => string): string {
  const delay = state.welcome?.settings.spectator_delay_turns ?? 0;
  if (state.watching === "spectator" && delay > 0) {
    // How late it is, the banner says.
    return "The next stage is shown when the game has gone a stage further.";
  }
  const open = state.view?.viewer.type === "umpire" ? (state.status?.waiting_for ?? []) : [];
  const who = open.length > 0 ? open.map(nameOf).join(" and ") : "all seats";
  return `Waiting for ${who} to seal their ${what}.`;
}

/** The result in a sentence. */
export function resultWords(state: State): string {
  const result = state.view?.result;
  if (!result) return "The battle is over.";
  const points = `${result.points.union} to ${result.points.confederate}`;
  return result.winner
    ? `The battle is over: the ${result.winner === "union" ? "Union" : "Confederacy"} wins, ${points}.`
    : `The battle is over: a draw, ${points}.`;
}
