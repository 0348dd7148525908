// Stages of a game in their order.

import type { StageAt } from "../protocol/types";

export function sameStage(a: StageAt | null | undefined, b: StageAt | null | undefined): boolean {
  return !!a && !!b && a.line === b.line && a.turn === b.turn && a.stage === b.stage;
}

export function sameTurn(a: StageAt | null | undefined, b: StageAt | null | undefined): boolean {
  return !!a && !!b && a.line === b.line && a.turn === b.turn;
}

const stageOrder = ["orders", "reactions", "charges", "movement"] as const;

/** Before, after or the same, by line, turn and stage. */
export function compareStages(a: StageAt, b: StageAt): number {
  return a.line - b.line || a.turn - b.turn || stageOrder.indexOf(a.stage) - stageOrder.indexOf(b.stage);
}
