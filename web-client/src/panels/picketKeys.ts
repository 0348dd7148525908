// The standing instructions of a picket, as a form shows them. A dummy may be told all of them, in the same words. HID-19

import { asking, tagged, type KeyForm } from "./keys";

/** When it is given up, at what it opens fire, where it stops. `ordering`: the orders are not yet revealed. HID-48, HID-52, HID-81 */
export function picketForms(dummy: boolean, ordering: boolean): KeyForm[] {
  return [
    {
      key: "reveal",
      label: dummy ? "Take it off" : "Reveal it",
      rule: "HID-48",
      group: "Picket",
      choices: [
        ...(ordering ? [tagged("with the reveal of orders", "with_orders")] : []),
        tagged("when the reactions are closed", "with_reactions"),
        tagged("when the charges are closed", "with_charges"),
        tagged("when the movement is closed", "with_movement"),
        asking(
          "when an enemy comes near",
          { type: "enemy_within", distance: 4000 },
          { kind: "inches", field: "distance" },
        ),
        asking("at the end of a leg", { type: "at_leg", leg: 1 }, { kind: "count", field: "leg" }),
        tagged("at the end of the turn", "end_of_turn"),
      ],
    },
    {
      key: "open_fire",
      label: "Open fire",
      rule: "HID-52",
      group: "Picket",
      choices: [
        tagged("at nothing", "never"),
        tagged("in close range", "at_close"),
        tagged("in normal range", "at_normal"),
        tagged("in long range", "at_long"),
        asking("at this unit alone", { type: "on_unit", unit: "" }, { kind: "enemy", field: "unit" }),
      ],
    },
    {
      key: "stop",
      label: "Stop",
      rule: "HID-81",
      group: "Picket",
      choices: [
        tagged("when it is seen", "on_sight"),
        asking("before an enemy", { type: "before", distance: 4000 }, { kind: "inches", field: "distance" }),
      ],
    },
  ];
}

/** What holds of each where nothing is said. */
export const unsaidOfPicket: Record<string, string> = {
  reveal: "of its own will never",
  open_fire: "as its order has it",
  stop: "nowhere",
};
