// Inks and papers of the map. Two sides differ in lightness, hatching and letter, never in hue alone.

import type { Side } from "../protocol/types";

export interface SideInk {
  fill: string;
  line: string;
  front: string;
  figure: string;
  lost: string;
  hatched: boolean;
  letter: string;
  text: string;
}

export const ink: Record<Side, SideInk> = {
  union: {
    fill: "#2d5891",
    line: "#12284a",
    front: "#0b1a33",
    figure: "#ffffff",
    lost: "#9db4d3",
    hatched: false,
    letter: "U",
    text: "#143a6e",
  },
  confederate: {
    fill: "#f0cdb9",
    line: "#6e1d17",
    front: "#4d100c",
    figure: "#5c1510",
    lost: "#b98378",
    hatched: true,
    letter: "C",
    text: "#7d1f18",
  },
};

export const paper = {
  table: "#f1ead2",
  beyond: "#d9cfb4",
  frame: "#4a3b28",
  contour: "#9b6a3c",
  contourText: "#7a4f27",
  woods: "#bcd29a",
  woodsHeavy: "#a3c183",
  woodsLine: "#6f8f52",
  tree: "#54773f",
  treeLight: "#8cad6b",
  rough: "#ddcfb4",
  roughLine: "#8b7c62",
  boulder: "#8f8472",
  boulderLight: "#d3c8b3",
  broken: "#e3e2ad",
  brokenLine: "#a3a062",
  tuft: "#7f8247",
  water: "#5f93b8",
  waterText: "#2b5f86",
  road: "#fbf3dc",
  roadLine: "#7a5634",
  trail: "#7a5634",
  wall: "#77706a",
  wallLight: "#cfc8bc",
  fence: "#6b4a2a",
  works: "#5b3b1e",
  wood: "#4b3a2c",
  stone: "#8d4438",
  text: "#2b2218",
  halo: "rgba(247, 240, 220, 0.88)",
  place: "#8a2b63",
  placeText: "#6b1d4b",
  selection: "#f5b921",
  selectionLine: "#5b3d00",
  shaken: "#f7cf3c",
  routed: "#c4251c",
  good: "#2f6b3a",
} as const;

export const serif =
  '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "URW Palladio L", Georgia, serif';
export const sans =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif';
