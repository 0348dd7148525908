// What the eye begins with: one's own troops with some ground around them. The whole table is one press away.

import { boxOf, cornersOf, type Box } from "../map/geometry";
import type { View } from "../protocol/types";

/** None: the whole table. On a phone less ground is shown around them, or nothing could be read. */
export function beginning(view: View | null, phone: boolean): Box | undefined {
  const shown = view?.units.filter((unit) => unit.presence === "table" && unit.stance) ?? [];
  const own = shown.filter((unit) => unit.own);
  const zones = view?.deployment?.zones.filter((zone) => zone.units.length > 0) ?? [];
  const corners = [
    ...(own.length > 0 ? own : shown).flatMap((unit) => cornersOf(unit.stance?.stands ?? [])),
    ...zones.flatMap((zone) => zone.outline),
  ];
  if (corners.length === 0) return undefined;
  const around = zones.length > 0 ? 1500 : phone ? 2500 : 6000;
  const box = boxOf(corners);
  return {
    left: box.left - around,
    bottom: box.bottom - around,
    right: box.right + around,
    top: box.top + around,
  };
}
