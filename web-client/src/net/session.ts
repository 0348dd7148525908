// A player at the table: joins the store to the socket. It sends what the player changed, and never seals by itself.

import type { Draft, Order, StageAt } from "../protocol/types";
import { sameStage } from "../state/stages";
import type { Message, State } from "../state/state";
import { store } from "../state/store.svelte";
import { foreseeable } from "../state/orders";
import { foreseeablePicket } from "../state/pickets";
import { carriedOver, lastingKey, lastingOf } from "../state/postures";
import type { Connection } from "./socket";

/** A random identifier. */
export function newId(): string {
  return crypto.randomUUID();
}

/** So many random bytes, in hexadecimal. */
export function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

export interface Session {
  seal: (dropIllegal: boolean) => void;
  unseal: () => void;
  /** Fetches an earlier stage's events. */
  replay: (at: StageAt) => void;
  /** Tries a lost line at once. */
  again: () => void;
  end: () => void;
}

/** Who watches asks for earlier stages, and the umpire, through a seat's eyes, how units stand and what a volley would do. */
export function watchSession(connection: Connection): Session {
  const silent = () => undefined;
  const { askOdds, askStanding } = questions(connection, silent);
  let window: StageAt | null = null;
  const stop = store.watch((state, message) => {
    const seat = state.view?.viewer.type === "seat";
    if (message.type === "select" && seat) {
      askOdds();
      askStanding();
    }
    if (message.type === "state" && state.status && !sameStage(window, state.status.at)) {
      window = state.status.at;
      if (seat) askStanding();
    }
  });
  return {
    seal: silent,
    unseal: silent,
    replay: (at) => askReplay(connection, at),
    again: () => connection.again(),
    end: () => {
      stop();
      connection.close();
    },
  };
}

/** What is asked about units as they stand. What was changed of the draft is saved first: the answers are of what it says. */
function questions(connection: Connection, save: () => void) {
  /** The odds are those of the order that the draft gives. */
  const askOdds = () => {
    const { status, volley, saving, playback } = store.state;
    if (status?.phase !== "window" || status.at.turn === 0 || !volley || volley.odds || playback) return;
    if (saving === "changed") save();
    const { firer, target } = volley;
    connection.ask({ type: "odds", request: newId(), at: status.at, firer, target, fire: null }, "odds");
  };
  /** Whom a leader helps first is said in the draft too. */
  const askStanding = () => {
    const { status, asked, saving, playback } = store.state;
    if (status?.phase !== "window" || status.at.turn === 0 || !asked || playback) return;
    if (saving === "changed") save();
    connection.ask({ type: "standing", request: newId(), at: status.at, unit: asked.unit }, "standing");
  };
  return { askOdds, askStanding };
}

function askReplay(connection: Connection, at: StageAt): void {
  connection.ask({ type: "replay", request: newId(), at }, `replay ${at.line} ${at.turn} ${at.stage}`);
}

const saveAfter = 400;
const previewAfter = 120;

export function openSession(connection: Connection): Session {
  let saveTimer: ReturnType<typeof setTimeout> | undefined;
  let previewTimer: ReturnType<typeof setTimeout> | undefined;

  const save = () => {
    const { status, draft, saving, sealed } = store.state;
    if (!status || status.phase !== "window" || sealed || saving !== "changed") return;
    store.tell({ type: "draft_sent" });
    connection.ask({ type: "save_draft", command: newId(), at: status.at, draft }, "save");
  };

  const check = () => {
    const { status, draft, sealed } = store.state;
    if (!status || status.phase !== "window" || sealed) return;
    connection.ask({ type: "check", request: newId(), at: status.at, draft }, "check");
  };

  /** Of a unit, or of a picket by its number. */
  const preview = (of: string | number, order: Order) => {
    const { status } = store.state;
    if (status?.phase !== "window") return;
    const asked = { request: newId(), at: status.at, order };
    connection.ask(
      typeof of === "number"
        ? { type: "preview_picket", ...asked, picket: of }
        : { type: "preview", ...asked, unit: of },
      `preview ${of}`,
    );
  };

  /** The selected unit's order, or the march that it is bent to after the reveal, is looked at as it is written. */
  const previewSelected = (edited: boolean) => {
    const { selected, view, previews } = store.state;
    // After an edit it is asked even if one is there: that may be a late answer about the order before.
    if (selected?.kind === "picket") {
      const picket = view?.pickets.find((other) => other.number === selected.number);
      const order = picket?.own ? foreseeablePicket(store.state, picket) : undefined;
      if (picket && order && (edited || !previews[picket.number])) preview(picket.number, order);
      return;
    }
    if (selected?.kind !== "unit" || (!edited && previews[selected.id])) return;
    const unit = view?.units.find((other) => other.id === selected.id);
    const order = unit?.own ? foreseeable(store.state, unit) : undefined;
    if (unit && order) preview(unit.id, order);
  };

  const { askOdds, askStanding } = questions(connection, save);

  /** After the reveal: the list is the same for a whole window. */
  const askNeeds = () => {
    const { status, view, needs } = store.state;
    if (status?.phase !== "window" || status.at.turn === 0 || status.at.stage === "orders") return;
    if (needs || view?.viewer.type !== "seat") return;
    connection.ask({ type: "needs", request: newId(), at: status.at }, "needs");
  };

  /** What was sealed with the orders is kept for the next turn. TURN-08 */
  const keepWords = (state: State) => {
    const { viewer } = state.view ?? {};
    if (viewer?.type !== "seat" || !state.welcome || !state.sealed || state.sealed.at.turn === 0) return;
    if (state.sealed.at.stage !== "orders") return;
    const words = { turn: state.sealed.at.turn, draft: lastingOf(state.sealed.content) };
    localStorage.setItem(lastingKey(state.welcome.game, viewer.seat), JSON.stringify(words));
  };
  /** A turn of which nothing has been said begins with the postures of the turn before. */
  const carryWords = (state: State) => {
    const { viewer } = state.view ?? {};
    if (viewer?.type !== "seat" || !state.welcome || !state.view || state.sealed) return;
    if (state.status?.phase !== "window" || state.status.at.stage !== "orders") return;
    const kept = localStorage.getItem(lastingKey(state.welcome.game, viewer.seat));
    const words = kept ? (JSON.parse(kept) as { turn: number; draft: Draft }) : undefined;
    if (words?.turn !== state.status.at.turn - 1) return;
    const draft = carriedOver(words.draft, state.view);
    if (draft) store.tell({ type: "edit_carried", draft });
  };

  let window: StageAt | null = null;
  /** What is said to leaders was changed and not yet saved: it may change whom they help. */
  let leadersChanged = false;
  const act = (state: State, message: Message) => {
    if (state.saving === "changed" && message.type.startsWith("edit_")) {
      clearTimeout(saveTimer);
      saveTimer = setTimeout(save, saveAfter);
    }
    // An answer came while something was changed again: send that too.
    if (message.type === "saved" && state.saving === "changed") save();
    const edited = message.type.startsWith("edit_");
    if (edited || message.type === "select") {
      clearTimeout(previewTimer);
      previewTimer = setTimeout(() => previewSelected(edited), previewAfter);
    }
    if (message.type === "select") {
      askOdds();
      askStanding();
    }
    leadersChanged ||= message.type === "edit_leader";
    if (message.type === "saved" && leadersChanged && state.saving === "saved") {
      leadersChanged = false;
      askStanding();
    }
    if (message.type === "state" && state.status && !sameStage(window, state.status.at)) {
      window = state.status.at;
      if (message.draft === null) carryWords(state);
      check();
      askStanding();
    }
    if (message.type === "state") askNeeds();
    if (message.type === "sealed") keepWords(state);
  };
  const stop = store.watch(act);

  return {
    seal: (dropIllegal) => {
      const { status, draft } = store.state;
      if (!status) return;
      clearTimeout(saveTimer);
      store.tell({ type: "seal_sent" });
      connection.ask(
        {
          type: "seal",
          command: newId(),
          at: status.at,
          draft,
          nonce: randomHex(32),
          drop_illegal: dropIllegal,
        },
        "seal",
      );
    },
    unseal: () => {
      const { status } = store.state;
      if (!status) return;
      store.tell({ type: "seal_sent" });
      connection.ask({ type: "unseal", command: newId(), at: status.at }, "seal");
    },
    replay: (at) => askReplay(connection, at),
    again: () => connection.again(),
    end: () => {
      clearTimeout(saveTimer);
      clearTimeout(previewTimer);
      stop();
      connection.close();
    },
  };
}
