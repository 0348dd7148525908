// Paints what stands on the ground: units with their stands, leaders, pickets, with their states and names.
// It draws what the view says and decides nothing. Two sides differ in lightness, hatching and letter.

import type {
  AbandonedGunsView,
  GhostView,
  LeaderView,
  Point,
  Side,
  UnitView,
  View,
  WagonView,
} from "../protocol/types";
import { columnsOf } from "../state/column";
import { along, cornersOf, hull, middle, type Corners } from "./geometry";
import { ink, paper, sans } from "./palette";
import { paintNames, type Rect } from "./names";
import { paintPickets, paintTruths } from "./pickets";
import { fill, onPaper, stroke, trace, type Pen } from "./pen";
import { toScreen } from "./viewport";

/** What the painter is told beyond the view itself. */
export interface Emphasis {
  units: ReadonlySet<string>;
  leaders: ReadonlySet<string>;
  pickets?: ReadonlySet<number>;
  /** Own units that still lack an order. */
  without: ReadonlySet<string>;
  /** Own units of whose orders something was refused. */
  refused: ReadonlySet<string>;
}

const hatches = new Map<Side, CanvasPattern | null>();

/** Diagonal lines in the side's ink, made once. */
function hatch(to: CanvasRenderingContext2D, side: Side): CanvasPattern | null {
  const known = hatches.get(side);
  if (known !== undefined) return known;
  const tile = document.createElement("canvas");
  tile.width = tile.height = 12;
  const pen = tile.getContext("2d");
  if (!pen) return null;
  pen.fillStyle = ink[side].fill;
  pen.fillRect(0, 0, 12, 12);
  pen.strokeStyle = ink[side].line;
  pen.globalAlpha = 0.55;
  pen.lineWidth = 2;
  for (const shift of [-12, 0, 12]) {
    pen.beginPath();
    pen.moveTo(shift - 1, 13);
    pen.lineTo(shift + 13, -1);
    pen.stroke();
  }
  const pattern = to.createPattern(tile, "repeat");
  // The tile is drawn at double size and shrunk, so that it is sharp on fine screens.
  pattern?.setTransform(new DOMMatrix([0.5, 0, 0, 0.5, 0, 0]));
  hatches.set(side, pattern);
  return pattern;
}

/** A blend of the four corners: (0,0) front left, (1,0) front right, (0,1) rear left. */
function within(
  [fl, fr, rr, rl]: readonly [Point, Point, Point, Point],
  across: number,
  back: number,
): Point {
  const front = { x: fl.x + (fr.x - fl.x) * across, y: fl.y + (fr.y - fl.y) * across };
  const rear = { x: rl.x + (rr.x - rl.x) * across, y: rl.y + (rr.y - rl.y) * across };
  return { x: front.x + (rear.x - front.x) * back, y: front.y + (rear.y - front.y) * back };
}

function onScreen(pen: Pen, corners: Corners): [Point, Point, Point, Point] {
  return corners.map((corner) => toScreen(pen.view, corner)) as [Point, Point, Point, Point];
}

function line(to: CanvasRenderingContext2D, ...points: Point[]): void {
  to.beginPath();
  points.forEach(({ x, y }, i) => (i === 0 ? to.moveTo(x, y) : to.lineTo(x, y)));
  to.stroke();
}

/** Dots for the figures left, rings for those lost, along the middle of a stand. */
function paintFigures(pen: Pen, unit: UnitView, index: number, corners: [Point, Point, Point, Point]): void {
  const stand = unit.stands[index];
  if (!stand) return;
  const width = Math.hypot(corners[1].x - corners[0].x, corners[1].y - corners[0].y);
  const count = Math.max(stand.full, stand.figures);
  const radius = Math.min(4.2, (width / Math.max(3, count)) * 0.3);
  if (radius < 1.1) return;
  const { to } = pen;
  const colours = ink[unit.side];
  for (let i = 0; i < count; i++) {
    const { x, y } = within(corners, (i + 0.5) / count, 0.55);
    to.beginPath();
    to.arc(x, y, radius, 0, Math.PI * 2);
    if (i < stand.figures) {
      to.fillStyle = colours.figure;
      to.fill();
      if (colours.hatched) {
        to.strokeStyle = colours.fill;
        to.lineWidth = 0.8;
        to.stroke();
      }
    } else {
      to.strokeStyle = colours.lost;
      to.lineWidth = 0.9;
      to.stroke();
    }
  }
}

/** A gun seen from above, muzzle to the front; limbered, the team goes before it. */
function paintGuns(pen: Pen, unit: UnitView, corners: [Point, Point, Point, Point]): void {
  const { to } = pen;
  const width = Math.hypot(corners[1].x - corners[0].x, corners[1].y - corners[0].y);
  if (width < 6) return;
  const colours = ink[unit.side];
  const limbered = unit.stance?.formation === "limbered";
  const sections = Math.max(1, unit.sections ?? 1);
  to.save();
  to.strokeStyle = colours.figure;
  to.lineCap = "round";
  for (let i = 0; i < sections; i++) {
    const across = (i + 0.5) / sections;
    const [top, bottom] = limbered ? [0.95, 0.6] : [0.1, 0.8];
    to.lineWidth = Math.max(1.4, width * 0.07);
    line(to, within(corners, across, top), within(corners, across, bottom));
    const half = 0.3 / sections;
    const axle = limbered ? 0.78 : 0.5;
    to.lineWidth = Math.max(1.2, width * 0.05);
    line(to, within(corners, across - half, axle), within(corners, across + half, axle));
  }
  if (limbered) {
    to.fillStyle = colours.figure;
    for (let i = 0; i < (unit.horses ?? 2); i++) {
      const { x, y } = within(corners, 0.34 + 0.32 * i, 0.25);
      to.beginPath();
      to.ellipse(x, y, Math.max(1.5, width * 0.08), Math.max(1.5, width * 0.08), 0, 0, Math.PI * 2);
      to.fill();
    }
  }
  to.restore();
}

function paintStands(pen: Pen, unit: UnitView): void {
  const { to } = pen;
  const colours = ink[unit.side];
  const stance = unit.stance;
  if (!stance) return;
  const routed = unit.morale === "routed";
  for (const corners of stance.stands) {
    to.save();
    to.globalAlpha = routed ? 0.75 : 1;
    to.shadowColor = "rgba(40, 28, 12, 0.4)";
    to.shadowBlur = 2;
    to.shadowOffsetX = to.shadowOffsetY = 1.2;
    fill(pen, corners, colours.fill);
    to.restore();
    if (colours.hatched && pen.view.scale > 7) {
      const pattern = hatch(to, unit.side);
      if (pattern) fill(pen, corners, pattern);
    }
  }
  to.lineJoin = "round";
  to.beginPath();
  for (const corners of stance.stands) trace(pen, corners, true);
  to.strokeStyle = colours.line;
  to.lineWidth = Math.max(0.9, Math.min(1.8, pen.view.scale * 0.045));
  // Disorder: the edge is broken, and the badge says so.
  to.setLineDash(stance.disorder ? [3, 2.4] : []);
  to.stroke();
  to.setLineDash([]);
  // The front edge is heavy: that is where the muskets point.
  to.lineCap = "butt";
  to.strokeStyle = colours.front;
  to.lineWidth = Math.max(1.8, Math.min(6, pen.view.scale * 0.13));
  to.beginPath();
  for (const corners of stance.stands) trace(pen, [corners[0], corners[1]], false);
  to.stroke();
  stance.stands.forEach((corners, index) => {
    const screen = onScreen(pen, corners);
    if (unit.arm === "artillery") paintGuns(pen, unit, screen);
    else {
      if (unit.arm === "cavalry" && pen.view.scale > 8) {
        to.strokeStyle = colours.figure;
        to.lineWidth = 1.2;
        line(to, within(screen, 0.08, 0.92), within(screen, 0.92, 0.08));
      }
      paintFigures(pen, unit, index, screen);
    }
  });
}

/** A small arrow head before the middle of the front. */
function paintFacing(pen: Pen, unit: UnitView): void {
  if (!unit.stance || pen.view.scale < 6) return;
  const { anchor, facing } = unit.stance;
  const reach = Math.max(4.5, Math.min(11, pen.view.scale * 0.26));
  const at = toScreen(pen.view, anchor);
  const { to } = pen;
  to.save();
  to.translate(at.x, at.y);
  to.rotate((facing / 100) * (Math.PI / 180));
  to.beginPath();
  to.moveTo(-reach * 0.7, -1.5);
  to.lineTo(0, -1.5 - reach);
  to.lineTo(reach * 0.7, -1.5);
  to.closePath();
  to.fillStyle = ink[unit.side].front;
  to.strokeStyle = paper.halo;
  to.lineWidth = 1.2;
  to.stroke();
  to.fill();
  to.restore();
}

interface Badge {
  letter: string;
  fill: string;
  text: string;
  square: boolean;
}

/** The states that a player must see at a glance, worst first, each with a letter of its own. */
function badgesOf(unit: UnitView, emphasis: Emphasis): Badge[] {
  const badges: Badge[] = [];
  if (emphasis.refused.has(unit.id))
    badges.push({ letter: "!", fill: paper.routed, text: "#ffffff", square: true });
  if (unit.morale === "routed")
    badges.push({ letter: "R", fill: paper.routed, text: "#ffffff", square: false });
  if (unit.morale === "shaken")
    badges.push({ letter: "S", fill: paper.shaken, text: "#3a2b00", square: false });
  if (unit.stance?.disorder) badges.push({ letter: "D", fill: "#ffffff", text: "#5a2b00", square: true });
  if (unit.stance?.prone) badges.push({ letter: "P", fill: "#ffffff", text: "#2b2218", square: true });
  if (unit.ammunition_out) badges.push({ letter: "A", fill: "#3a3330", text: "#ffffff", square: true });
  if (!unit.in_command) badges.push({ letter: "C", fill: "#ffffff", text: "#8a2b63", square: true });
  if (emphasis.without.has(unit.id))
    badges.push({ letter: "?", fill: "#fff6d6", text: "#5b3d00", square: false });
  return badges;
}

/** Paints them, and tells the room that they take. */
function paintBadges(pen: Pen, unit: UnitView, emphasis: Emphasis): Rect[] {
  const badges = badgesOf(unit, emphasis);
  if (!unit.stance || badges.length === 0 || pen.view.scale < 6) return [];
  const { to } = pen;
  const radius = Math.max(5, Math.min(9, pen.view.scale * 0.3));
  // Behind the unit, in a row along its rear.
  const depth = rearDepth(unit);
  const behind = toScreen(
    pen.view,
    along(unit.stance.anchor, unit.stance.facing + 18000, depth + (radius / pen.view.scale) * 1500),
  );
  return badges.map((badge, i) => {
    const x = behind.x + (i - (badges.length - 1) / 2) * radius * 2.2;
    to.beginPath();
    if (badge.square) to.roundRect(x - radius, behind.y - radius, radius * 2, radius * 2, radius * 0.35);
    else to.arc(x, behind.y, radius, 0, Math.PI * 2);
    to.fillStyle = badge.fill;
    to.fill();
    to.strokeStyle = "#2b2218";
    to.lineWidth = 1;
    to.stroke();
    to.fillStyle = badge.text;
    to.font = `700 ${radius * 1.35}px ${sans}`;
    to.textAlign = "center";
    to.textBaseline = "middle";
    to.fillText(badge.letter, x, behind.y + radius * 0.08);
    return { left: x - radius, right: x + radius, top: behind.y - radius, bottom: behind.y + radius };
  });
}

/** How far a unit reaches behind its front, thousandths. */
function rearDepth(unit: UnitView): number {
  if (!unit.stance) return 0;
  const { anchor, facing, stands } = unit.stance;
  const angle = (facing / 100) * (Math.PI / 180);
  return Math.max(
    0,
    ...cornersOf(stands).map(
      (p) => -((p.x - anchor.x) * Math.sin(angle) + (p.y - anchor.y) * Math.cos(angle)),
    ),
  );
}

/** A broad band of light about what is selected, with a dark line to part it from any ground. */
function paintSelection(pen: Pen, outlines: readonly (readonly Point[])[]): void {
  for (const [colour, width] of [
    [paper.selectionLine, 8],
    [paper.selection, 5.5],
  ] as const) {
    for (const outline of outlines) stroke(pen, outline, colour, width, true);
  }
}

function star(to: CanvasRenderingContext2D, x: number, y: number, radius: number): void {
  to.beginPath();
  for (let i = 0; i < 10; i++) {
    const reach = i % 2 === 0 ? radius : radius * 0.42;
    const angle = (i / 10) * Math.PI * 2 - Math.PI / 2;
    to.lineTo(x + Math.cos(angle) * reach, y + Math.sin(angle) * reach);
  }
  to.closePath();
  to.fill();
}

const starsOf: Record<string, number> = { brigade: 1, division: 2, corps: 3, army: 4 };

/** A roundel with a star for each step of rank, in the leader's own size. */
function paintLeader(pen: Pen, leader: LeaderView, selected: boolean): void {
  if (!leader.at || !leader.corners || !onPaper(pen, leader.corners)) return;
  const { to, view } = pen;
  const colours = ink[leader.side];
  const [fl, fr] = leader.corners;
  const size = (Math.hypot(fr.x - fl.x, fr.y - fl.y) / 1000) * view.scale;
  const radius = Math.max(6, size / 2);
  const { x, y } = toScreen(view, leader.at);
  to.save();
  if (selected) {
    to.beginPath();
    to.arc(x, y, radius + 4, 0, Math.PI * 2);
    to.fillStyle = paper.selectionLine;
    to.fill();
    to.beginPath();
    to.arc(x, y, radius + 3, 0, Math.PI * 2);
    to.fillStyle = paper.selection;
    to.fill();
  }
  to.beginPath();
  // The Union's roundels are round, the Confederate ones have eight corners.
  if (colours.hatched) {
    for (let i = 0; i < 8; i++) {
      const angle = ((i + 0.5) / 8) * Math.PI * 2;
      to.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
    }
    to.closePath();
  } else to.arc(x, y, radius, 0, Math.PI * 2);
  to.fillStyle = colours.hatched ? "#fbeee0" : "#eef3fb";
  to.globalAlpha = 0.9;
  to.fill();
  to.globalAlpha = 1;
  to.strokeStyle = colours.line;
  to.lineWidth = Math.max(1.3, radius * 0.12);
  to.stroke();
  to.fillStyle = colours.line;
  const stars = starsOf[leader.post] ?? 1;
  const reach = Math.min(radius * 0.62, (radius * 1.7) / (stars * 1.5));
  for (let i = 0; i < stars; i++)
    star(to, x + (i - (stars - 1) / 2) * reach * 1.5, y, reach * (stars === 1 ? 1 : 0.8));
  if (leader.wounded_until !== null) {
    to.strokeStyle = paper.routed;
    to.lineWidth = 2;
    line(to, { x: x - radius, y: y + radius }, { x: x + radius, y: y - radius });
  }
  to.restore();
}

/** Guns without a crew: a pale stand with a broken edge, and a wheel and barrel for each section, crossed out when spiked. */
function paintAbandoned(pen: Pen, guns: AbandonedGunsView): void {
  if (!onPaper(pen, guns.corners)) return;
  const { to } = pen;
  const screen = onScreen(pen, guns.corners);
  const width = Math.hypot(screen[1].x - screen[0].x, screen[1].y - screen[0].y);
  const colours = ink[guns.side];
  to.save();
  to.globalAlpha = 0.55;
  fill(pen, guns.corners, paper.halo);
  to.globalAlpha = 1;
  to.beginPath();
  trace(pen, guns.corners, true);
  to.strokeStyle = colours.line;
  to.lineWidth = Math.max(0.9, Math.min(1.8, pen.view.scale * 0.045));
  to.setLineDash([3, 2.4]);
  to.stroke();
  to.setLineDash([]);
  const sections = Math.max(1, guns.sections);
  to.strokeStyle = colours.line;
  to.lineCap = "round";
  for (let i = 0; i < sections && width >= 6; i++) {
    const across = (i + 0.5) / sections;
    const half = 0.3 / sections;
    to.lineWidth = Math.max(1.2, width * 0.05);
    line(to, within(screen, across, 0.1), within(screen, across, 0.8));
    line(to, within(screen, across - half, 0.5), within(screen, across + half, 0.5));
  }
  if (guns.spiked) line(to, within(screen, 0.1, 0.9), within(screen, 0.9, 0.1));
  to.restore();
}

/** An ammunition wagon: a pale box with two wheels on its long sides. */
function paintWagon(pen: Pen, wagon: WagonView): void {
  if (!onPaper(pen, wagon.corners)) return;
  const { to } = pen;
  const screen = onScreen(pen, wagon.corners);
  to.save();
  fill(pen, wagon.corners, paper.halo);
  stroke(pen, wagon.corners, ink[wagon.side].line, 1.4, true);
  to.strokeStyle = ink[wagon.side].line;
  to.lineWidth = 1.4;
  for (const along of [0.25, 0.75]) line(to, within(screen, 0.05, along), within(screen, 0.95, along));
  line(to, within(screen, 0.3, 0.5), within(screen, 0.7, 0.5));
  to.restore();
}

/** What is remembered of an enemy out of sight: pale, with the turn in which he was last seen. LOS-07, LOS-08 */
function paintGhost(pen: Pen, ghost: GhostView): void {
  const { to } = pen;
  to.save();
  to.globalAlpha = ghost.confidence === "fresh" ? 0.7 : ghost.confidence === "doubtful" ? 0.5 : 0.3;
  for (const stand of ghost.stance.stands) stroke(pen, stand, ink[ghost.side].line, 1.2, true, [2, 3]);
  const at = toScreen(pen.view, middle(cornersOf(ghost.stance.stands)));
  to.font = `600 10px ${sans}`;
  to.textAlign = "center";
  to.textBaseline = "middle";
  to.lineWidth = 3;
  to.strokeStyle = paper.halo;
  to.fillStyle = ink[ghost.side].line;
  const words = `${ghost.name}, turn ${ghost.turn}`;
  to.strokeText(words, at.x, at.y);
  to.fillText(words, at.x, at.y);
  to.restore();
}

/** A frame about the regiments of a brigade column, and a line from its head to its tail: one body. */
function paintColumn(pen: Pen, column: readonly UnitView[]): void {
  const lead = column[0];
  const tail = column[column.length - 1];
  if (!lead?.stance || !tail?.stance) return;
  const outline = hull(column.flatMap((unit) => cornersOf(unit.stance?.stands ?? [])));
  const colour = ink[lead.side].line;
  const { to } = pen;
  to.save();
  to.lineJoin = "round";
  stroke(pen, outline, "rgba(255, 250, 235, 0.9)", 6, true);
  stroke(pen, outline, colour, 1.6, true, [7, 3]);
  stroke(pen, [lead.stance.anchor, tail.stance.anchor], colour, 2.2);
  to.restore();
}

/** Paints everything that stands on the table. Its names keep clear of what is taken, and of those of the ground if they can. */
export function paintTroops(
  pen: Pen,
  view: View,
  emphasis: Emphasis,
  rooms: { taken: readonly Rect[]; ground: readonly Rect[] },
): void {
  const units = view.units.filter(
    (unit) => unit.presence === "table" && unit.stance && onPaper(pen, cornersOf(unit.stance.stands)),
  );
  const leaders = view.leaders.filter((leader) => leader.presence === "table" && leader.at !== null);
  const { to } = pen;
  to.lineJoin = "round";
  paintSelection(
    pen,
    units.filter((unit) => emphasis.units.has(unit.id)).flatMap((unit) => unit.stance?.stands ?? []),
  );
  for (const unit of units) {
    if (unit.morale === "good") continue;
    const colour = unit.morale === "shaken" ? paper.shaken : paper.routed;
    for (const stand of unit.stance?.stands ?? []) stroke(pen, stand, colour, 5, true);
  }
  for (const guns of view.abandoned) paintAbandoned(pen, guns);
  for (const wagon of view.wagons) paintWagon(pen, wagon);
  for (const ghost of view.ghosts ?? []) paintGhost(pen, ghost);
  for (const column of columnsOf(units)) paintColumn(pen, column);
  for (const unit of units) paintStands(pen, unit);
  for (const unit of units) paintFacing(pen, unit);
  for (const leader of leaders) paintLeader(pen, leader, emphasis.leaders.has(leader.id));
  const chosen = emphasis.pickets ?? new Set<number>();
  paintPickets(pen, view, chosen);
  const badges = units.flatMap((unit) => paintBadges(pen, unit, emphasis));
  const taken = [...badges, ...rooms.taken];
  const truths = paintTruths(pen, view, chosen, { taken, ground: rooms.ground });
  paintNames(pen, { units, leaders, emphasis, taken: [...taken, ...truths], ground: rooms.ground });
}

/** The middle of a unit's body, for markers. */
export function bodyOf(unit: UnitView): Point | undefined {
  return unit.stance ? middle(cornersOf(unit.stance.stands)) : undefined;
}
