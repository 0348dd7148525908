// Draws one scene in four ways and moves it: as SVG, as canvas drawn whole, as canvas with the ground kept in a bitmap,
// and as a canvas larger than the screen that is moved as a picture.
// `run.mjs` calls `measure` from outside and reads the browser's own counters around it.

import { makeScene, type Scene } from "./scene";

type View = { x: number; y: number; scale: number };
type Painter = { paint: (view: View) => void; remove: () => void };

const fills = { woods: "#b9cf9f", rough: "#d8cdb8", broken: "#e6dcae", contour: "none" } as const;
const sides = ["#27508a", "#a8483c"] as const;
const svgNamespace = "http://www.w3.org/2000/svg";

function svgPainter(scene: Scene): Painter {
  const create = (name: string, attributes: Record<string, string | number>) => {
    const element = document.createElementNS(svgNamespace, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
    return element;
  };
  const root = create("svg", { width: innerWidth, height: innerHeight });
  const definitions = create("defs", {});
  for (const kind of ["woods", "rough", "broken"] as const) {
    const pattern = create("pattern", { id: kind, width: 0.5, height: 0.5, patternUnits: "userSpaceOnUse" });
    pattern.append(
      create("rect", { width: 0.5, height: 0.5, fill: fills[kind] }),
      create("circle", { cx: 0.25, cy: 0.25, r: 0.1, fill: "#6d8a55" }),
    );
    definitions.append(pattern);
  }
  const world = create("g", {});
  for (const shape of scene.shapes) {
    world.append(
      create("polygon", {
        points: shape.points.map((p) => p.join(",")).join(" "),
        fill: shape.kind === "contour" ? "none" : `url(#${shape.kind})`,
        stroke: "#a0754a",
        "stroke-width": 0.04,
      }),
    );
  }
  for (const stand of scene.stands) {
    const [a, b] = stand.corners as [[number, number], [number, number]];
    world.append(
      create("polygon", {
        points: stand.corners.map((p) => p.join(",")).join(" "),
        fill: sides[stand.side],
        stroke: "#222",
        "stroke-width": 0.03,
      }),
      create("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], stroke: "#fff", "stroke-width": 0.08 }),
    );
    for (let i = 0; i < stand.figures; i++) {
      const t = (i + 0.5) / stand.figures;
      world.append(
        create("circle", {
          cx: a[0] + (b[0] - a[0]) * t,
          cy: a[1] + (b[1] - a[1]) * t,
          r: 0.06,
          fill: "#fff",
        }),
      );
    }
  }
  for (const label of scene.labels) {
    const text = create("text", { x: label.x, y: label.y, "font-size": 0.9, "font-family": "serif" });
    text.textContent = label.text;
    world.append(text);
  }
  root.append(definitions, world);
  document.body.append(root);
  return {
    paint: (view) =>
      world.setAttribute(
        "transform",
        `translate(${-view.x * view.scale} ${-view.y * view.scale}) scale(${view.scale})`,
      ),
    remove: () => root.remove(),
  };
}

function canvasPainter(scene: Scene, keepGround: boolean, size = 1): Painter {
  const ratio = devicePixelRatio;
  const canvas = document.createElement("canvas");
  canvas.width = innerWidth * size * ratio;
  canvas.height = innerHeight * size * ratio;
  canvas.style.width = `${innerWidth * size}px`;
  canvas.style.height = `${innerHeight * size}px`;
  document.body.append(canvas);
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("this browser draws no canvas");

  const trace = (target: CanvasRenderingContext2D, points: [number, number][]) => {
    target.beginPath();
    points.forEach(([x, y], i) => (i === 0 ? target.moveTo(x, y) : target.lineTo(x, y)));
    target.closePath();
  };
  const tiles = Object.fromEntries(
    (["woods", "rough", "broken"] as const).map((kind) => {
      const tile = document.createElement("canvas");
      tile.width = tile.height = 12;
      const pen = tile.getContext("2d");
      if (!pen) throw new Error("this browser draws no canvas");
      pen.fillStyle = fills[kind];
      pen.fillRect(0, 0, 12, 12);
      pen.fillStyle = "#6d8a55";
      pen.arc(6, 6, 2.4, 0, 7);
      pen.fill();
      return [kind, pen.createPattern(tile, "repeat")];
    }),
  );
  const place = (target: CanvasRenderingContext2D, view: View) =>
    target.setTransform(
      view.scale * ratio,
      0,
      0,
      view.scale * ratio,
      -view.x * view.scale * ratio,
      -view.y * view.scale * ratio,
    );
  const drawGround = (target: CanvasRenderingContext2D) => {
    for (const shape of scene.shapes) {
      trace(target, shape.points);
      if (shape.kind !== "contour") {
        const pattern = tiles[shape.kind];
        if (pattern) {
          pattern.setTransform(new DOMMatrix([1 / 24, 0, 0, 1 / 24, 0, 0]));
          target.fillStyle = pattern;
          target.fill();
        }
      }
      target.strokeStyle = "#a0754a";
      target.lineWidth = 0.04;
      target.stroke();
    }
    target.fillStyle = "#000";
    target.font = "0.9px serif";
    for (const label of scene.labels) target.fillText(label.text, label.x, label.y);
  };
  // One path for each colour, not one for each stand: a stroke has a price of its own, however short.
  const drawStands = (target: CanvasRenderingContext2D) => {
    for (const side of [0, 1] as const) {
      const stands = scene.stands.filter((stand) => stand.side === side);
      target.beginPath();
      for (const { corners } of stands) {
        corners.forEach(([x, y], i) => (i === 0 ? target.moveTo(x, y) : target.lineTo(x, y)));
        target.closePath();
      }
      target.fillStyle = sides[side];
      target.fill();
      target.strokeStyle = "#222";
      target.lineWidth = 0.03;
      target.stroke();
    }
    target.beginPath();
    for (const stand of scene.stands) {
      const [a, b] = stand.corners as [[number, number], [number, number]];
      target.moveTo(a[0], a[1]);
      target.lineTo(b[0], b[1]);
    }
    target.strokeStyle = "#fff";
    target.lineWidth = 0.08;
    target.stroke();
    target.fillStyle = "#fff";
    for (const stand of scene.stands) {
      const [a, b] = stand.corners as [[number, number], [number, number]];
      for (let i = 0; i < stand.figures; i++) {
        const t = (i + 0.5) / stand.figures;
        target.fillRect(a[0] + (b[0] - a[0]) * t - 0.06, a[1] + (b[1] - a[1]) * t - 0.06, 0.12, 0.12);
      }
    }
  };

  // The ground, drawn once over the whole table at the starting scale; a real map draws it again when the hand rests.
  let kept: HTMLCanvasElement | undefined;
  const keptScale = 16 * ratio;
  if (keepGround) {
    kept = document.createElement("canvas");
    kept.width = scene.width * keptScale;
    kept.height = scene.height * keptScale;
    const pen = kept.getContext("2d", { alpha: false });
    if (!pen) throw new Error("this browser draws no canvas");
    pen.fillStyle = "#f2ead6";
    pen.fillRect(0, 0, kept.width, kept.height);
    pen.setTransform(keptScale, 0, 0, keptScale, 0, 0);
    drawGround(pen);
  }
  return {
    paint: (view) => {
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = "#f2ead6";
      context.fillRect(0, 0, canvas.width, canvas.height);
      place(context, view);
      if (kept) context.drawImage(kept, 0, 0, scene.width, scene.height);
      else drawGround(context);
      drawStands(context);
    },
    remove: () => canvas.remove(),
  };
}

/**
 * The canvas is larger than the screen by a margin and is moved as a picture, by the compositor; it is drawn again only when
 * the margin is used up or the scale has left what a stretched picture can bear.
 */
function movedPainter(scene: Scene): Painter {
  const margin = 0.2;
  const inner = canvasPainter(scene, false, 1 + 2 * margin);
  const canvas = document.body.lastElementChild as HTMLCanvasElement;
  canvas.style.transformOrigin = "0 0";
  canvas.style.willChange = "transform";
  let drawn: View | undefined;
  return {
    paint: (view) => {
      const stretch = drawn ? view.scale / drawn.scale : 0;
      const left = drawn ? (drawn.x - view.x) * view.scale : 1;
      const top = drawn ? (drawn.y - view.y) * view.scale : 1;
      const covers =
        left <= 0 &&
        top <= 0 &&
        left + canvas.offsetWidth * stretch >= innerWidth &&
        top + canvas.offsetHeight * stretch >= innerHeight;
      if (!covers || stretch < 0.75 || stretch > 1.6) {
        drawn = {
          x: view.x - (innerWidth * margin) / view.scale,
          y: view.y - (innerHeight * margin) / view.scale,
          scale: view.scale,
        };
        inner.paint(drawn);
        canvas.style.transform = `translate(${-innerWidth * margin}px, ${-innerHeight * margin}px)`;
      } else canvas.style.transform = `translate(${left}px, ${top}px) scale(${stretch})`;
    },
    remove: inner.remove,
  };
}

export interface Figures {
  frames: number;
  scriptMean: number;
  script95: number;
  intervalMean: number;
  interval95: number;
}

const painters = {
  svg: (scene: Scene) => svgPainter(scene),
  canvas: (scene: Scene) => canvasPainter(scene, false),
  "canvas, ground kept": (scene: Scene) => canvasPainter(scene, true),
  "canvas, moved as a picture": (scene: Scene) => movedPainter(scene),
};
let painter: Painter | undefined;

const nextFrame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percentile95 = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;

async function prepare(name: keyof typeof painters): Promise<void> {
  painter?.remove();
  painter = painters[name](makeScene());
  painter.paint({ x: 0, y: 0, scale: innerWidth / 120 });
  for (let i = 0; i < 10; i++) await nextFrame();
}

async function measure(gesture: "pan" | "zoom", frames: number): Promise<Figures> {
  if (!painter) throw new Error("prepare first");
  const script: number[] = [];
  const interval: number[] = [];
  // The whole table just fits: all 1,600 stands are on the screen, the worst case.
  const fit = innerWidth / 120;
  let last = await nextFrame();
  for (let i = 0; i < frames; i++) {
    const t = i / frames;
    const scale = gesture === "zoom" ? fit * (1 + 2 * Math.abs(Math.sin(t * Math.PI * 4))) : fit;
    const view = {
      x: gesture === "pan" ? Math.sin(t * Math.PI * 4) * 10 : 10 * t,
      y: 5 * Math.sin(t * 6),
      scale,
    };
    const before = performance.now();
    painter.paint(view);
    script.push(performance.now() - before);
    const now = await nextFrame();
    interval.push(now - last);
    last = now;
  }
  return {
    frames,
    scriptMean: mean(script),
    script95: percentile95(script),
    intervalMean: mean(interval),
    interval95: percentile95(interval),
  };
}

Object.assign(globalThis, { prepare, measure });
