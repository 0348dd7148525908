// The signs for fences, walls and works along their lines. Works face to the left of the line's direction.

import type { LineView } from "../protocol/types";
import { paper } from "./palette";
import { stepsAlong, stroke, type Pen } from "./pen";

export function paintObstacle(pen: Pen, obstacle: LineView): void {
  const { to, view } = pen;
  const size = Math.max(3, Math.min(9, view.scale * 0.2));
  to.lineCap = "butt";
  switch (obstacle.kind) {
    case "fence":
      // A worm fence: rails with crossed posts.
      stroke(pen, obstacle.line, paper.fence, 1);
      signs(pen, obstacle, size * 2, () => {
        to.moveTo(-size * 0.35, -size * 0.35);
        to.lineTo(size * 0.35, size * 0.35);
        to.moveTo(-size * 0.35, size * 0.35);
        to.lineTo(size * 0.35, -size * 0.35);
      });
      break;
    case "stone_wall":
      // A row of stones.
      to.lineCap = "round";
      stroke(pen, obstacle.line, "#4f4943", size * 0.85, false, [size * 0.5, size * 0.95]);
      stroke(pen, obstacle.line, paper.wallLight, size * 0.5, false, [size * 0.5, size * 0.95]);
      break;
    case "bank":
      stroke(pen, obstacle.line, paper.contour, 1.4);
      signs(pen, obstacle, size, () => {
        to.moveTo(0, 0);
        to.lineTo(0, -size * 0.7);
      });
      break;
    case "hasty_works":
    case "medium_works":
    case "heavy_works": {
      const weight = obstacle.kind === "hasty_works" ? 2 : obstacle.kind === "medium_works" ? 3 : 4.5;
      stroke(pen, obstacle.line, paper.works, weight);
      signs(
        pen,
        obstacle,
        size * 2,
        () => {
          to.moveTo(-size * 0.55, 0);
          to.lineTo(0, -size * 0.9);
          to.lineTo(size * 0.55, 0);
        },
        true,
      );
      break;
    }
    case "abatis":
      // Felled trees, points toward the enemy.
      signs(pen, obstacle, size * 1.5, () => {
        to.moveTo(0, size * 0.6);
        to.lineTo(0, -size * 0.8);
        to.moveTo(0, 0);
        to.lineTo(-size * 0.5, -size * 0.6);
        to.moveTo(0, 0);
        to.lineTo(size * 0.5, -size * 0.6);
      });
      break;
    case "fraise":
      stroke(pen, obstacle.line, paper.works, 1.2);
      signs(pen, obstacle, size * 0.9, () => {
        to.moveTo(0, size * 0.3);
        to.lineTo(0, -size * 0.8);
      });
      break;
    case "chevaux_de_frise":
      signs(pen, obstacle, size * 1.3, () => {
        to.moveTo(-size * 0.5, -size * 0.5);
        to.lineTo(size * 0.5, size * 0.5);
        to.moveTo(-size * 0.5, size * 0.5);
        to.lineTo(size * 0.5, -size * 0.5);
        to.moveTo(-size * 0.65, 0);
        to.lineTo(size * 0.65, 0);
      });
      break;
    default:
      stroke(pen, obstacle.line, paper.fence, 1.4, false, [4, 2]);
  }
}

/** Repeats a sign along the line; up is the left of the line's direction. */
function signs(pen: Pen, obstacle: LineView, step: number, draw: () => void, filled = false): void {
  const { to } = pen;
  to.save();
  to.beginPath();
  for (const { x, y, turn } of stepsAlong(pen, obstacle.line, step)) {
    to.save();
    to.translate(x, y);
    to.rotate(turn);
    draw();
    to.restore();
  }
  to.strokeStyle = to.fillStyle = paper.works;
  to.lineWidth = 1.1;
  if (filled) to.fill();
  else to.stroke();
  to.restore();
}
