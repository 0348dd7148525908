// Which seats and watchers' places this browser holds, and what an address asks for. A token is kept in this browser and sent
// to its own server alone.

const prefix = "picket.seat.";

export type Route =
  | { kind: "door" }
  | { kind: "join"; invitation: string }
  | { kind: "game"; game: string }
  | { kind: "watch"; link: string }
  | { kind: "watching"; game: string }
  | { kind: "fixture" };

export function routeOf(address: URL): Route {
  if (address.searchParams.has("fixture")) return { kind: "fixture" };
  const [first, second] = address.pathname.split("/").filter(Boolean);
  if (first === "join" && second) return { kind: "join", invitation: decodeURIComponent(second) };
  if (first === "watch" && second) return { kind: "watch", link: decodeURIComponent(second) };
  if (first === "watching" && second) return { kind: "watching", game: decodeURIComponent(second) };
  if (first === "game" && second) return { kind: "game", game: decodeURIComponent(second) };
  return { kind: "door" };
}

export function seatOf(game: string): string | null {
  return localStorage.getItem(prefix + game);
}

export function keepSeat(game: string, token: string): void {
  localStorage.setItem(prefix + game, token);
}

/** Games of which this browser holds a seat. */
export function keptGames(): string[] {
  return keptUnder(prefix);
}

function keptUnder(start: string): string[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(start))
    .map((key) => key.slice(start.length));
}

/** The tokens of all seats of this browser, the latest hundred. */
export function seatTokens(): string[] {
  return keptGames()
    .flatMap((game) => seatOf(game) ?? [])
    .slice(-mostTokens);
}

/** So many may be named to the server. */
const mostTokens = 100;

/** A place from which this browser watches a game. */
export interface WatcherPlace {
  role: "umpire" | "spectator";
  token: string;
  /** What the game is called, once known. */
  name?: string;
}

const watching = "picket.watch.";

export function placeOf(game: string): WatcherPlace | null {
  const kept = localStorage.getItem(watching + game);
  return kept ? (JSON.parse(kept) as WatcherPlace) : null;
}

export function keepPlace(game: string, place: WatcherPlace): void {
  localStorage.setItem(watching + game, JSON.stringify(place));
}

/** Games that this browser watches. */
export function watchedGames(): string[] {
  return keptUnder(watching);
}

/** The tokens of all watchers' places of this browser, the latest hundred. */
export function watcherTokens(): string[] {
  return watchedGames()
    .flatMap((game) => placeOf(game)?.token ?? [])
    .slice(-mostTokens);
}

const invitations = "picket.invitation.";

/** The game into which an invitation, or a link to watch, has led this browser before. */
export function gameOf(invitation: string): string | null {
  return localStorage.getItem(invitations + invitation);
}

/** Remembers into which game an invitation led: opened again, it goes there without asking for a name. */
export function keepInvitation(invitation: string, game: string): void {
  localStorage.setItem(invitations + invitation, game);
}
