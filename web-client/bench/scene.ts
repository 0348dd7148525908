// The scene that the measurement draws: 400 units of four stands, 300 terrain polygons, contours, labels.
// Deterministic, so that two runs draw the same.

export interface Shape {
  kind: "woods" | "rough" | "broken" | "contour";
  points: [number, number][];
}
export interface Stand {
  side: 0 | 1;
  corners: [number, number][];
  figures: number;
}
export interface Scene {
  width: number;
  height: number;
  shapes: Shape[];
  stands: Stand[];
  labels: { x: number; y: number; text: string }[];
}

/** A small generator (mulberry32), since the measurement must not depend on chance. */
function generator(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function blob(next: () => number, x: number, y: number, radius: number, corners: number): [number, number][] {
  return Array.from({ length: corners }, (_, i) => {
    const angle = (i / corners) * Math.PI * 2;
    const r = radius * (0.7 + 0.5 * next());
    return [x + Math.cos(angle) * r, y + Math.sin(angle) * r];
  });
}

export function makeScene(): Scene {
  const next = generator(7);
  const width = 120;
  const height = 80;
  const shapes: Shape[] = [];
  const kinds = ["woods", "rough", "broken"] as const;
  for (let i = 0; i < 300; i++) {
    shapes.push({
      kind: kinds[i % 3] ?? "woods",
      points: blob(next, next() * width, next() * height, 1 + next() * 5, 24),
    });
  }
  for (let hill = 0; hill < 12; hill++) {
    const x = next() * width;
    const y = next() * height;
    for (let ring = 0; ring < 6; ring++)
      shapes.push({ kind: "contour", points: blob(next, x, y, 12 - 2 * ring, 60) });
  }
  const stands: Stand[] = [];
  for (let unit = 0; unit < 400; unit++) {
    const x = 4 + next() * (width - 8);
    const y = 4 + next() * (height - 8);
    const angle = next() * Math.PI * 2;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    for (let stand = 0; stand < 4; stand++) {
      const left = (stand - 2) * 0.75;
      const corner = (a: number, b: number): [number, number] => [x + a * c - b * s, y + a * s + b * c];
      stands.push({
        side: unit % 2 === 0 ? 0 : 1,
        corners: [corner(left, 0), corner(left + 0.75, 0), corner(left + 0.75, 0.625), corner(left, 0.625)],
        figures: 3,
      });
    }
  }
  const labels = Array.from({ length: 60 }, (_, i) => ({
    x: next() * width,
    y: next() * height,
    text: `Place ${i}`,
  }));
  return { width, height, shapes, stands, labels };
}
