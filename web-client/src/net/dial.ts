// The line from the store to a game's socket, whoever sits at it.

import { compareStages } from "../state/stages";
import { store } from "../state/store.svelte";
import { rest } from "./rest";
import { browserWire, connect, type Connection } from "./socket";

/** Opens the line. Each time it is dialled, `ticket` fetches a ticket. */
export function dial(game: string, ticket: () => Promise<string>): Connection {
  return connect(
    {
      ticket,
      open: (events) => browserWire(rest.socket(game), events),
      after: (milliseconds, then) => {
        const timer = setTimeout(then, milliseconds);
        return () => clearTimeout(timer);
      },
      chance: Math.random,
    },
    {
      have: () =>
        store.state.stages
          .map((record) => record.at)
          .sort(compareStages)
          .at(-1) ?? null,
      message: (message) => store.tell(message),
      link: (link) => store.tell({ type: "link_changed", link }),
    },
  );
}
