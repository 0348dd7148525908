// The clock of the playback: which frame is shown, how far its march has come, and on to the next one. It owns the time; what a
// frame is comes from `reel.ts`.

import { arrowOf, chargeAt, concerned } from "./charges";
import { afterBeat, effectsOf, lengthOfBeat } from "./playback";
import { finds } from "./reveals";
import { reelOf, touchedBy, trailsOf } from "./reel";
import { store } from "./store.svelte";
import type { View } from "../protocol/types";

/** Made once, while the page that plays is set up: it keeps an effect of that page. */
export function playbackClock(still: boolean) {
  const game = $derived(store.state);
  // Folded once for a turn: none of these three changes from beat to beat.
  const stages = $derived(game.stages);
  const played = $derived(game.playback?.at);
  const now = $derived(game.view);
  const roster = $derived(game.welcome?.card.roster);
  const reel = $derived(played ? reelOf(stages, played, now, roster) : undefined);
  const frames = $derived(reel?.frames ?? []);
  let share = $state(1);
  const number = $derived(Math.min(game.playback?.beat ?? 0, frames.length));
  const frame = $derived(number > 0 ? frames[number - 1] : undefined);
  const charge = $derived(chargeAt(frames, number));
  /** A marker that is about to be replaced is still seen, for the first part of its beat. */
  const finding = $derived(frame?.beat.kind === "events" && frame.beat.events.some(finds) && share < 0.4);
  const view = $derived.by<View | null>(() => {
    if (!game.playback || !reel?.start) return game.view;
    if (!frame) return reel.start;
    if (finding) return frame.before;
    if (frame.beat.kind !== "march" || share >= 1) return frame.after;
    return afterBeat(frame.before, frame.beat, share, frame.phaseStart);
  });
  const effects = $derived(
    frame && view
      ? [
          ...trailsOf(frames, number - 1, share),
          ...(charge ? arrowOf(frames, charge, number, view) : []),
          ...effectsOf(frame.beat, view, frame.before, finding),
        ]
      : [],
  );
  const touched = $derived(charge ? concerned(frames, charge, number) : touchedBy(frame?.beat));

  // On to the next beat when this one has been looked at long enough.
  $effect(() => {
    const playback = game.playback;
    if (!playback?.playing || frames.length === 0) {
      share = 1;
      return;
    }
    if (playback.beat >= frames.length) {
      store.tell({ type: "play", playing: false });
      return;
    }
    const current = playback.beat > 0 ? frames[playback.beat - 1]?.beat : undefined;
    const length = current ? lengthOfBeat(current) / playback.speed : 200;
    const march = (current?.kind === "march" || current?.events.some(finds)) && !still;
    share = march ? 0 : 1;
    const start = performance.now();
    let waited = 0;
    const tick = (now: number) => {
      const gone = (now - start) / length;
      if (march) share = Math.min(1, Math.max(0, gone));
      if (gone < 1) waited = requestAnimationFrame(tick);
      else store.tell({ type: "beat", beat: playback.beat + 1 });
    };
    waited = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(waited);
  });

  return {
    /** The frames of the turn that is played. */
    get frames() {
      return frames;
    },
    /** The frame shown; none before the first. */
    get frame() {
      return frame;
    },
    /** Stages that the server still has to send. */
    get missing() {
      return reel?.missing ?? [];
    },
    /** The battle as it is shown: played, or as it stands. */
    get view() {
      return view;
    },
    get effects() {
      return effects;
    },
    /** Whom the frame is about. */
    get touched() {
      return touched;
    },
  };
}
