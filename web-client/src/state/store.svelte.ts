// Holds the one state value where the page can see it change. Nothing else of the client is mutable across panels.

import { apply, start, type Message, type State } from "./state";

let current = $state.raw<State>(start);
type Watcher = (state: State, message: Message) => void;
let watchers: readonly Watcher[] = [];

export const store = {
  get state(): State {
    return current;
  },
  /** Applies a message and tells those who act on it, such as the session. */
  tell(message: Message): void {
    current = apply(current, message);
    for (const watcher of watchers) watcher(current, message);
  },
  /** Calls back after each message; returns what stops that. */
  watch(watcher: Watcher): () => void {
    watchers = [...watchers, watcher];
    return () => {
      watchers = watchers.filter((other) => other !== watcher);
    };
  },
};
