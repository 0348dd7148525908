// The fogs in words, and in the fog `line_of_sight` those whom a view does not have: names of the order of battle, and what is
// remembered of them. Who is seen, and how good a memory is, came from the server. Chapter LOS

import type { Fog, GhostView, RosterLeader, RosterUnit, UnitView, View } from "../protocol/types";
import type { State } from "./state";

/** A way to play what is seen, with a sentence for who chooses. */
export interface FogChoice {
  fog: Fog;
  name: string;
  sentence: string;
}

/** The two fogs as a new game of a scenario offers them. */
export function fogChoices(pickets: boolean): FogChoice[] {
  return [
    {
      fog: "tabletop",
      name: pickets
        ? "All that stands on the table; troops begin under pickets"
        : "All that stands on the table",
      sentence: pickets
        ? "Both sides see every marker, but not what hides under the enemy’s until it is found."
        : "Both sides see every unit, as players at one table do.",
    },
    {
      fog: "line_of_sight",
      name: "Only what one’s own troops see",
      sentence: `An enemy whom none of your units sees is not on your map; where he was last seen stays as a pale outline with its turn.${pickets ? " There are no pickets." : ""}`,
    },
  ];
}

/** What is seen in a game, for its players and for those who watch it. */
export function fogWords(fog: Fog | undefined, viewer: View["viewer"] | undefined): string {
  if (fog !== "line_of_sight") return "";
  if (viewer?.type === "public")
    return "In this fog those who watch are shown nobody until the battle is over.";
  if (viewer?.type === "umpire")
    return "In this fog each side has before it only the enemies whom its own troops see. You see all.";
  return "You have before you only the enemies whom your own troops see, and the works, points and places as they know them. A pale broken outline is where one was last seen: nobody need be there now.";
}

const confidences: Record<GhostView["confidence"], string> = {
  fresh: "fresh",
  doubtful: "doubtful",
  old: "old",
};

/** How good a memory is, in a few words: `seen in turn 3, doubtful`. */
export const ghostWords = (ghost: Pick<GhostView, "turn" | "confidence">): string =>
  `seen in turn ${ghost.turn}, ${confidences[ghost.confidence]}`;

/** What is said of a name of which nothing is remembered. To the public nobody is shown. LOS-21 */
export const nameOnlyWords = (viewer: View["viewer"] | undefined): string =>
  viewer?.type === "public" ? "not shown" : "not in sight";

/** An enemy who is a name, and the memory of him if there is one. */
export interface Unseen {
  unit: RosterUnit;
  ghost: GhostView | undefined;
}

/** Whom the view does not have, in the order of battle. Nobody in another fog. */
export function unseenOf(state: Pick<State, "welcome" | "view">): Unseen[] {
  const roster = state.welcome?.card.roster ?? [];
  const shown = new Set(state.view?.units.map((unit) => unit.id));
  const ghosts = new Map(state.view?.ghosts?.map((ghost) => [ghost.unit, ghost]));
  return roster
    .filter((unit) => !shown.has(unit.unit))
    .map((unit) => ({ unit, ghost: ghosts.get(unit.unit) }));
}

/** Leaders whom the view does not have. */
export function unseenLeaders(state: Pick<State, "welcome" | "view">): RosterLeader[] {
  const shown = new Set(state.view?.leaders.map((leader) => leader.id));
  return (state.welcome?.card.officers ?? []).filter((leader) => !shown.has(leader.leader));
}

/** A unit of the order of battle as a view would have it, before anything is seen of it. */
export function asUnit(named: RosterUnit): UnitView {
  return {
    id: named.unit,
    name: named.name,
    side: named.side,
    brigade: named.brigade,
    arm: named.arm,
    quality: named.quality,
    weapon: named.weapon,
    stance: null,
    stands: [],
    figures_at_start: named.figures,
    stands_at_start: named.stands,
    sections: null,
    horses: null,
    morale: "good",
    ammunition_out: false,
    in_command: true,
    shown: null,
    fires: 0,
    presence: "to_come",
    own: null,
  };
}
