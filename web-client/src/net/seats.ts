// Which seats this browser holds, and what an address asks for. A seat's token is kept in this browser and sent nowhere else.

const prefix = "picket.seat.";

export type Route =
  | { kind: "door" }
  | { kind: "join"; invitation: string }
  | { kind: "game"; game: string }
  | { kind: "fixture" };

export function routeOf(address: URL): Route {
  if (address.searchParams.has("fixture")) return { kind: "fixture" };
  const [first, second] = address.pathname.split("/").filter(Boolean);
  if (first === "join" && second) return { kind: "join", invitation: decodeURIComponent(second) };
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
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length));
}

const invitations = "picket.invitation.";

/** The game into which an invitation has led this browser before. */
export function gameOf(invitation: string): string | null {
  return localStorage.getItem(invitations + invitation);
}

/** Remembers into which game an invitation led: opened again, it goes there without asking for a name. */
export function keepInvitation(invitation: string, game: string): void {
  localStorage.setItem(invitations + invitation, game);
}
