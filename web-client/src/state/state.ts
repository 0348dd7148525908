// The client's whole state as one value, and the messages that change it: those of the server and the player's own.
// `apply` is pure: it never sends, waits or draws. Who sends is `net/session.ts`; who draws are the panels and the map.

import type {
  Draft,
  ErrorMessage,
  Event,
  GroupDraft,
  Hiding,
  LeaderDraft,
  Placement,
  Preview,
  Receipt,
  Refusal,
  SealedOrders,
  ServerMessage,
  StageAt,
  UnitDraft,
  View,
} from "../protocol/types";
import type { Needs } from "../protocol/types";
import { askedOf, type Asked } from "./asked";
import { firstBeatOf } from "./reel";
import { compareStages, sameStage, sameTurn } from "./stages";
import { volleyOf, type Volley } from "./volley";

export type Welcome = Extract<ServerMessage, { type: "welcome" }>;
export type Standing = Extract<ServerMessage, { type: "state" }>["status"];

/** How the line to the server stands. */
export type Link =
  | { kind: "closed" }
  | { kind: "connecting" }
  | { kind: "open" }
  /** Lost; tried again by itself. */
  | { kind: "waiting"; attempt: number; seconds: number }
  /** Refused for good: another version, a seat that is not ours. */
  | { kind: "refused"; why: string };

export type Selection =
  | { kind: "unit"; id: string }
  | { kind: "leader"; id: string }
  | { kind: "brigade"; id: string }
  | { kind: "picket"; number: number };

export type Tab = "orders" | "forces" | "turns" | "log" | "battle";

/** A resolved stage, kept to be read and played again. */
export interface StageRecord {
  at: StageAt;
  events: Event[];
  before: View | null;
}

export interface Playback {
  /** The turn played, by one of its stages. */
  at: StageAt;
  /** The beat shown, counted over the whole turn; 0 is the battle before the first event. */
  beat: number;
  playing: boolean;
  /** Beats run so many times as fast. */
  speed: number;
}

export interface Notice {
  id: number;
  text: string;
  bad: boolean;
}

export interface State {
  /** Somebody watches here: nothing is edited, and nothing asked but earlier stages. */
  watching: "umpire" | "spectator" | null;
  link: Link;
  welcome: Welcome | null;
  status: Standing | null;
  view: View | null;
  /** The draft as the player has it here. */
  draft: Draft;
  /** Whether the server has this draft: `changed` here, `sent`, or `saved` there. */
  saving: "saved" | "changed" | "sent";
  refusals: Refusal[];
  withoutOrder: string[];
  /** Legality was told for this window at least once. */
  checked: boolean;
  sealed: Receipt | null;
  /** What has been sealed for the open window, for the umpire. */
  envelopes: SealedOrders[];
  /** A seal or its withdrawal was sent and not yet answered. */
  sealing: boolean;
  /** The server refused to seal because of illegal orders; these. */
  sealRefusals: Refusal[];
  previews: Record<string, Preview>;
  /** The volley that is asked about: an own unit was selected, then an enemy. */
  volley: Volley | null;
  /** How the selected unit stands. */
  asked: Asked | null;
  /** What needs the player in the open window, once the server has told. */
  needs: Needs | null;
  stages: StageRecord[];
  /** The first stage of the newest turn that was resolved and not yet looked at. */
  unwatched: StageAt | null;
  playback: Playback | null;
  /** The speed last played at. */
  speed: number;
  selected: Selection | null;
  tab: Tab;
  /** A path is being drawn for the selected unit. */
  drawing: boolean;
  measuring: boolean;
  /** Shown on the map besides the troops. */
  shown: { orders: boolean; ranges: boolean; radii: boolean };
  rule: string | null;
  notices: Notice[];
  noticed: number;
}

/** What happens on this side of the wire. */
export type LocalMessage =
  | { type: "link_changed"; link: Link }
  /** A watcher begins to look, or through other eyes: nothing that other eyes have seen is kept. LEAK-73 */
  | { type: "watch_as"; role: "umpire" | "spectator" }
  | { type: "select"; what: Selection | null }
  | { type: "open_tab"; tab: Tab }
  | { type: "edit_unit"; unit: string; draft: UnitDraft | null }
  | { type: "edit_brigade"; brigade: string; draft: GroupDraft | null }
  | { type: "edit_leader"; leader: string; draft: LeaderDraft | null }
  /** Where a unit begins; null: as printed. */
  | { type: "edit_placement"; unit: string; place: Placement | null }
  /** What a picket is told, dummy or not. HID-19 */
  | { type: "edit_picket"; picket: number; draft: UnitDraft | null }
  /** What begins under pickets, all of it. HID-05 */
  | { type: "edit_hiding"; hiding: Hiding[] }
  /** Postures and standing instructions of the turn before, offered again. */
  | { type: "edit_carried"; draft: Draft }
  /** All units and leaders stand as printed again. */
  | { type: "edit_deployment"; draft: null }
  | { type: "draft_sent" }
  | { type: "seal_sent" }
  | { type: "draw"; drawing: boolean }
  | { type: "measure"; measuring: boolean }
  | { type: "show"; what: keyof State["shown"]; on: boolean }
  | { type: "watch"; at: StageAt; playing: boolean }
  | { type: "leave_playback" }
  | { type: "seen" }
  | { type: "beat"; beat: number }
  | { type: "play"; playing: boolean }
  | { type: "speed"; speed: number }
  | { type: "open_rule"; rule: string | null }
  | { type: "notice"; text: string; bad: boolean }
  | { type: "dismiss"; id: number };

export type Message = ServerMessage | LocalMessage;

export const emptyDraft: Draft = { units: {}, brigades: {}, leaders: {}, deployment: {} };

export const start: State = {
  watching: null,
  link: { kind: "closed" },
  welcome: null,
  status: null,
  view: null,
  draft: emptyDraft,
  saving: "saved",
  refusals: [],
  withoutOrder: [],
  checked: false,
  sealed: null,
  envelopes: [],
  sealing: false,
  sealRefusals: [],
  previews: {},
  volley: null,
  asked: null,
  needs: null,
  stages: [],
  unwatched: null,
  playback: null,
  speed: 1,
  selected: null,
  tab: "orders",
  drawing: false,
  measuring: false,
  shown: { orders: true, ranges: true, radii: true },
  rule: null,
  notices: [],
  noticed: 0,
};

/** The next state. Never changes the one it is given. */
export function apply(state: State, message: Message): State {
  if (state.watching && (message.type === "draw" || message.type.startsWith("edit_"))) return state;
  switch (message.type) {
    case "watch_as":
      return { ...start, watching: message.role, tab: state.tab, shown: state.shown, speed: state.speed };
    case "welcome":
      return { ...state, welcome: message };
    case "state":
      return applyState(state, message);
    case "events":
      return applyEvents(state, message);
    case "saved":
      // Something was changed while the answer was on its way: it will be sent again.
      return {
        ...state,
        saving: state.saving === "sent" ? "saved" : state.saving,
        refusals: message.refusals,
        withoutOrder: message.without_order,
        checked: true,
      };
    case "checked":
      return { ...state, refusals: message.refusals, withoutOrder: message.without_order, checked: true };
    case "sealed":
      return { ...state, sealed: message.receipt, sealing: false, sealRefusals: [], drawing: false };
    case "unsealed":
      return { ...state, sealed: null, sealing: false };
    case "previewed":
      return { ...state, previews: { ...state.previews, [message.preview.unit]: message.preview } };
    case "odds":
      return message.odds.firer === state.volley?.firer && message.odds.target === state.volley.target
        ? { ...state, volley: { ...state.volley, odds: message.odds } }
        : state;
    case "standing":
      return message.standing.unit === state.asked?.unit
        ? { ...state, asked: { ...state.asked, told: message.standing } }
        : state;
    case "needs":
      // The list has the place of whatever was selected, unless a way is being drawn.
      return {
        ...state,
        needs: message.needs,
        selected: message.needs.needs.length > 0 && !state.drawing ? null : state.selected,
      };
    case "pong":
      return state;
    case "error":
      return applyError(state, message);
    case "link_changed":
      return { ...state, link: message.link };
    case "select":
      return {
        ...state,
        selected: message.what,
        volley: volleyOf(state, message.what),
        asked: askedOf(state.view, message.what),
        drawing: false,
        // Lists that are gone through unit by unit stay open.
        ...(message.what && state.tab !== "forces" && state.tab !== "turns"
          ? { tab: "orders" as const }
          : {}),
      };
    case "open_tab":
      return { ...state, tab: message.tab };
    case "edit_unit":
      return {
        ...edited(state, { ...state.draft, units: changed(state.draft.units, message.unit, message.draft) }),
        previews: without(state.previews, message.unit),
      };
    case "edit_brigade":
      return {
        ...edited(state, {
          ...state.draft,
          brigades: changed(state.draft.brigades, message.brigade, message.draft),
        }),
        previews: {},
      };
    case "edit_leader":
      return edited(state, {
        ...state.draft,
        leaders: changed(state.draft.leaders, message.leader, message.draft),
      });
    case "edit_placement":
      return edited(state, {
        ...state.draft,
        deployment: changed(state.draft.deployment, message.unit, message.place),
      });
    case "edit_picket":
      return {
        ...edited(state, {
          ...state.draft,
          pickets: changed(state.draft.pickets ?? {}, `${message.picket}`, message.draft),
        }),
        previews: without(state.previews, `${message.picket}`),
      };
    case "edit_hiding":
      return edited(state, { ...state.draft, hiding: message.hiding });
    case "edit_carried":
      return noticed(
        { ...edited(state, message.draft), previews: {} },
        "The postures and standing instructions of last turn are kept; the orders are to be given.",
        false,
      );
    case "edit_deployment":
      return edited(state, emptyDraft);
    case "draft_sent":
      return { ...state, saving: "sent" };
    case "seal_sent":
      return { ...state, sealing: true, sealRefusals: [] };
    case "draw":
      return { ...state, drawing: message.drawing, measuring: false };
    case "measure":
      return { ...state, measuring: message.measuring, drawing: false };
    case "show":
      return { ...state, shown: { ...state.shown, [message.what]: message.on } };
    case "watch":
      return {
        ...state,
        unwatched: sameTurn(state.unwatched, message.at) ? null : state.unwatched,
        playback: {
          at: message.at,
          beat: firstBeatOf(state.stages, message.at),
          playing: message.playing,
          speed: state.playback?.speed ?? state.speed,
        },
        drawing: false,
      };
    case "leave_playback":
      return { ...state, playback: null, speed: state.playback?.speed ?? state.speed };
    case "seen":
      return { ...state, unwatched: null };
    case "beat":
      return state.playback ? { ...state, playback: { ...state.playback, beat: message.beat } } : state;
    case "play":
      return state.playback ? { ...state, playback: { ...state.playback, playing: message.playing } } : state;
    case "speed":
      return state.playback ? { ...state, playback: { ...state.playback, speed: message.speed } } : state;
    case "open_rule":
      return { ...state, rule: message.rule };
    case "notice":
      return noticed(state, message.text, message.bad);
    case "dismiss":
      return { ...state, notices: state.notices.filter((notice) => notice.id !== message.id) };
  }
}

/** The game as it stands; the latest wins. A draft changed here and not yet sent outlives a state of the same window. */
function applyState(state: State, message: Extract<ServerMessage, { type: "state" }>): State {
  const sameWindow = sameStage(state.status?.at, message.status.at);
  const keep = sameWindow && state.saving !== "saved";
  return {
    ...state,
    status: message.status,
    view: message.view,
    sealed: message.sealed,
    envelopes: message.envelopes ?? [],
    sealing: sameWindow && state.sealing && message.sealed === null && message.status.phase === "window",
    // What is sealed is what counts, on whatever device it was sealed.
    draft: message.sealed ? message.sealed.content : keep ? state.draft : (message.draft ?? emptyDraft),
    saving: keep && !message.sealed ? state.saving : "saved",
    ...(sameWindow
      ? {}
      : {
          refusals: [],
          withoutOrder: [],
          checked: false,
          sealRefusals: [],
          previews: {},
          volley: null,
          asked: askedOf(message.view, state.selected),
          needs: null,
          drawing: false,
        }),
  };
}

/** What a stage produced: kept in order, each stage once; a repeat replaces what was there. */
function applyEvents(state: State, message: Extract<ServerMessage, { type: "events" }>): State {
  // Of turn 0 there is nothing to read or to play: both sides have placed their units, and the table shows it.
  if (message.at.turn === 0) {
    const placing = state.status?.at.turn === 0;
    // But what stood in clear sight was revealed at once. HID-05
    const found = message.events
      .filter(({ fact }) => fact.type === "pickets_changed")
      .map(({ explanation }) => ` In clear sight of the enemy: ${explanation.sentence}`);
    const text = `Both sides have placed their units. Turn 1 begins.${found.join("")}`;
    return placing ? noticed(state, text, false) : state;
  }
  const record: StageRecord = { at: message.at, events: message.events, before: message.before };
  const known = state.stages.find((other) => sameStage(other.at, message.at));
  const stages = [
    ...state.stages.filter((other) => other !== known),
    { ...record, before: record.before ?? known?.before ?? null },
  ];
  stages.sort((a, b) => compareStages(a.at, b.at));
  const fresh = !known && message.request === null;
  if (!fresh) return { ...state, stages };
  // Only the newest turn is offered; what came before it is in the list of turns.
  const offered = state.unwatched;
  const newer = !offered || (!sameTurn(offered, message.at) && compareStages(offered, message.at) < 0);
  const unwatched =
    newer || (sameTurn(offered, message.at) && compareStages(message.at, offered) < 0) ? message.at : offered;
  // Whoever sat at the table when the orders were opened sees them side by side; a page just loaded begins with its orders.
  const opened = state.view !== null && message.at.stage === "orders" && !state.playback;
  return { ...state, stages, unwatched, tab: opened ? "turns" : state.tab };
}

function applyError(state: State, error: ErrorMessage): State {
  const next = noticed(state, error.message, true);
  return {
    ...next,
    sealing: false,
    sealRefusals: error.code === "illegal_orders" ? error.refusals : next.sealRefusals,
    // What was not saved is still changed here.
    saving: next.saving === "sent" ? "changed" : next.saving,
  };
}

function edited(state: State, draft: Draft): State {
  return { ...state, draft, saving: "changed", sealRefusals: [] };
}

function changed<T>(entries: Record<string, T>, key: string, value: T | null): Record<string, T> {
  return value === null ? without(entries, key) : { ...entries, [key]: value };
}

function without<T>(entries: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== key));
}

function noticed(state: State, text: string, bad: boolean): State {
  const id = state.noticed + 1;
  return {
    ...state,
    noticed: id,
    notices: [...state.notices.filter((n) => n.text !== text), { id, text, bad }].slice(-3),
  };
}
