// The REST side of the server: scenarios, games, seats, tickets, rule texts. All its addresses stand in this file.

import type {
  BySide,
  ChartCard,
  Deployment,
  Fog,
  GamePhase,
  HouseRuleCard,
  Side,
  Spectators,
  Stage,
  StageAt,
  Viewer,
} from "../protocol/types";

export interface ScenarioCard {
  id: string;
  title: string;
  date: string;
  turns: number;
  units: BySide<number>;
  story: string;
  /** Whether a game of it may let the players place their units. */
  free_setup: boolean;
  /** Whether a game of it has pickets, unless it says otherwise. */
  hidden_movement: boolean;
  /** What is seen of the table, unless the game says otherwise. */
  fog: Fog;
  /** The house-rules sheet, with what the scenario plays of each line. */
  house_rules: HouseRuleCard[];
  /** The club's own chart that it comes with. */
  chart: ChartCard | null;
}
export interface CreateGame {
  scenario: string;
  name?: string;
  bot?: Side;
  windows?: Stage[];
  deployment?: Deployment;
  /** What is seen of the table; absent: as the scenario has it. */
  fog?: Fog;
  /** Choices of the house-rules sheet, line and word. */
  house_rules?: Record<string, string>;
  /** The text of a club's own chart. */
  chart?: string;
  /** Whether it has an umpire, who sees all. */
  umpire?: boolean;
  spectators?: Spectators;
  /** So many turns behind the game spectators are. */
  spectator_delay_turns?: number;
}
export interface Invitation {
  seat: string;
  side: Side;
  title: string;
  link: string;
}
export interface GameCreated {
  game: string;
  invitations: Invitation[];
  /** Links for those who watch, where the game has them. */
  umpire?: string;
  spectators?: string;
}
export interface Joined {
  game: string;
  seat: string;
  token: string;
}
export interface Watching {
  game: string;
  role: "umpire" | "spectator";
  token: string;
}
/** A game in which the bearer of a token sits. */
export interface GameCard {
  game: string;
  name: string;
  scenario: string;
  seat: string;
  side: Side;
  at: StageAt;
  phase: GamePhase;
}
export interface RuleText {
  id: string;
  title: string;
  text: string;
  ruling: string | null;
  status: string;
}

/** An answer that was not the one asked for; the message is for the player. */
export class Refused extends Error {
  readonly code: string;
  readonly status: number;
  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

async function ask<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await answer(path, init);
  return (await response.json().catch(() => undefined)) as T;
}

/** An answer that is one that was asked for; else it throws what was said instead. */
async function answer(path: string, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch {
    throw new Refused("unreachable", "the server cannot be reached; try again in a moment", 0);
  }
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const error = body as { code?: string; message?: string } | undefined;
  throw new Refused(
    error?.code ?? "failed",
    error?.message ?? `the server answered ${response.status}; try again in a moment`,
    response.status,
  );
}

const post = (body: unknown, token?: string): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: JSON.stringify(body),
});

export const rest = {
  scenarios: () => ask<ScenarioCard[]>("/api/scenarios"),
  create: (game: CreateGame) => ask<GameCreated>("/api/games", post(game)),
  /** `held`: what this browser has of watchers' tokens. Who watches a game does not play in it. */
  join: (invitation: string, name: string, held: string[]) =>
    ask<Joined>("/api/join", post({ invitation, name, held })),
  /** `held`: what this browser has of seats' tokens. Who plays in a game does not watch it. */
  watch: (link: string, name: string, held: string[]) =>
    ask<Watching>("/api/watch", post({ link, name, held })),
  games: (token: string) => ask<GameCard[]>("/api/games", { headers: { authorization: `Bearer ${token}` } }),
  /** Good once, for half a minute. */
  ticket: async (game: string, token: string) =>
    (await ask<{ ticket: string }>(`/api/games/${encodeURIComponent(game)}/ticket`, post({}, token))).ticket,
  /** A ticket through somebody's eyes, for the umpire. */
  eyes: async (game: string, token: string, viewer: Viewer) =>
    (
      await ask<{ ticket: string }>(
        `/api/games/${encodeURIComponent(game)}/eyes`,
        post({ as: viewer }, token),
      )
    ).ticket,
  /** What was secret in a game that is over, byte for byte as the server says it: a file to be checked. HID-72 */
  record: async (game: string, token: string) =>
    (
      await answer(`/api/games/${encodeURIComponent(game)}/record`, {
        headers: { authorization: `Bearer ${token}` },
      })
    ).blob(),
  rule: (id: string) => ask<RuleText>(`/api/rules/${encodeURIComponent(id)}`),
  socket: (game: string) =>
    `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/games/${encodeURIComponent(game)}/socket`,
};
