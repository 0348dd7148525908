// Turns pointers into gestures: tap, drag, pan, pinch, wheel. It knows pixels only; what a gesture means is said elsewhere.

import type { Point } from "../protocol/types";

export interface Gestures {
  /** A press: true when a drag from here is the map's business (a handle, the ruler), not a pan. */
  grab: (at: Point) => boolean;
  drag: (at: Point) => void;
  drop: (at: Point) => void;
  /** The drag was broken off by a second finger or by the system. */
  cancel: () => void;
  pan: (dx: number, dy: number) => void;
  zoom: (factor: number, at: Point) => void;
  tap: (at: Point, touch: boolean) => void;
  hover: (at: Point | undefined) => void;
}

/** Less than this is a tap by an unsteady hand. */
const slack = { mouse: 4, touch: 10 };

/** Listens on an element; returns what stops listening. */
export function listen(element: HTMLElement, gestures: Gestures): () => void {
  const down = new Map<number, Point>();
  let start: Point | undefined;
  let moved = false;
  let grabbed = false;

  const at = (event: PointerEvent | WheelEvent): Point => {
    const frame = element.getBoundingClientRect();
    return { x: event.clientX - frame.left, y: event.clientY - frame.top };
  };
  const between = () => {
    const [a, b] = [...down.values()] as [Point, Point];
    return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, apart: Math.hypot(a.x - b.x, a.y - b.y) };
  };

  const pressed = (event: PointerEvent) => {
    // Buttons and links that lie over the map keep their own presses.
    if (event.target instanceof Element && event.target.closest("button, a, input, select")) return;
    if (event.pointerType === "mouse" && event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    const here = at(event);
    down.set(event.pointerId, here);
    if (down.size === 1) {
      start = here;
      moved = false;
      grabbed = gestures.grab(here);
    } else if (grabbed) {
      gestures.cancel();
      grabbed = false;
    }
    if (down.size > 1) moved = true;
  };

  const movedTo = (event: PointerEvent) => {
    const here = at(event);
    const before = down.get(event.pointerId);
    if (!before) {
      if (event.pointerType === "mouse") gestures.hover(here);
      return;
    }
    if (down.size === 2) {
      const old = between();
      down.set(event.pointerId, here);
      const now = between();
      gestures.pan(now.middle.x - old.middle.x, now.middle.y - old.middle.y);
      if (old.apart > 0) gestures.zoom(now.apart / old.apart, now.middle);
      return;
    }
    const limit = event.pointerType === "mouse" ? slack.mouse : slack.touch;
    if (!moved && start && Math.hypot(here.x - start.x, here.y - start.y) < limit) return;
    const first = !moved;
    moved = true;
    down.set(event.pointerId, here);
    if (grabbed) gestures.drag(here);
    else if (!first) gestures.pan(here.x - before.x, here.y - before.y);
  };

  const released = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    const here = at(event);
    if (down.size > 0) return;
    if (grabbed && moved) gestures.drop(here);
    else if (grabbed) {
      gestures.cancel();
      gestures.tap(here, event.pointerType !== "mouse");
    } else if (!moved) gestures.tap(here, event.pointerType !== "mouse");
    grabbed = false;
  };

  const cancelled = (event: PointerEvent) => {
    down.delete(event.pointerId);
    if (grabbed) gestures.cancel();
    grabbed = false;
  };

  const wheeled = (event: WheelEvent) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    gestures.zoom(Math.exp(-event.deltaY * lines * 0.0016), at(event));
  };
  const left = () => gestures.hover(undefined);

  element.addEventListener("pointerdown", pressed);
  element.addEventListener("pointermove", movedTo);
  element.addEventListener("pointerup", released);
  element.addEventListener("pointercancel", cancelled);
  element.addEventListener("pointerleave", left);
  element.addEventListener("wheel", wheeled, { passive: false });
  return () => {
    element.removeEventListener("pointerdown", pressed);
    element.removeEventListener("pointermove", movedTo);
    element.removeEventListener("pointerup", released);
    element.removeEventListener("pointercancel", cancelled);
    element.removeEventListener("pointerleave", left);
    element.removeEventListener("wheel", wheeled);
  };
}
