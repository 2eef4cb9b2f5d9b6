// Sheets for tests: particles on a grid, flat or bent, with constraints of any type whose rest values come from the formulas of
// docs/constraints.md in double. No library is needed.
import { findLevels } from "../../src/levels.js";
import type { GpuConstraintSet, GpuDescription, GpuSettings } from "../../src/description.js";
import type { GpuParameters } from "../../src/types/type_row.js";
import { typeNamed } from "../../src/types/type_table.js";

type P = [number, number, number];
const sub = (a: P, b: P): P => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const add = (a: P, b: P): P => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scale = (a: P, s: number): P => [a[0] * s, a[1] * s, a[2] * s];
const dot = (a: P, b: P): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: P, b: P): P => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const norm = (a: P): number => Math.hypot(...a);

/** Random numbers in 0..1 that are the same everywhere (Marsaglia's xorshift). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export interface SheetOptions {
  columns?: number;
  rows?: number;
  /** Constraint types and their parameters. */
  sets?: [type: string, parameters?: GpuParameters][];
  /** A bent rest shape. */
  isBent?: boolean;
  /** Height of the middle over the ground [m]. */
  height?: number;
  /** Particles that are held. */
  pins?: number[];
  /** Random displacement of each particle from its place at rest, in edges. */
  noise?: number;
  /** Random masses from half to double. */
  isUneven?: boolean;
  settings?: Partial<GpuSettings>;
  rest?: Omit<GpuDescription, "positions" | "inverseMasses" | "sets">;
}

interface Grid {
  columns: number;
  rows: number;
  places: P[];
}

/** The stencils of a type on a grid whose squares have one diagonal. */
function stencilsOf(type: string, { columns, rows }: Grid): number[][] {
  const found: number[][] = [];
  const at = (x: number, y: number): number => y * columns + x;
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const [right, down, both] = [x + 1 < columns, y + 1 < rows, x + 1 < columns && y + 1 < rows];
      if (type === "distance") {
        if (right) found.push([at(x, y), at(x + 1, y)]);
        if (down) found.push([at(x, y), at(x, y + 1)]);
        if (both) found.push([at(x + 1, y), at(x, y + 1)]);
      } else if (type === "stick") {
        if (x + 2 < columns) found.push([at(x, y), at(x + 2, y)]);
        if (y + 2 < rows) found.push([at(x, y), at(x, y + 2)]);
      } else if (type === "triangle") {
        if (x > 0 && right) found.push([at(x - 1, y), at(x + 1, y), at(x, y)]);
        if (y > 0 && down) found.push([at(x, y - 1), at(x, y + 1), at(x, y)]);
      } else {
        if (both) found.push([at(x + 1, y), at(x, y + 1), at(x, y), at(x + 1, y + 1)]);
        if (right && y > 0 && down) found.push([at(x, y), at(x + 1, y), at(x + 1, y - 1), at(x, y + 1)]);
        if (down && x > 0 && right) found.push([at(x, y + 1), at(x, y), at(x - 1, y + 1), at(x + 1, y)]);
      }
    }
  return type === "opposite_distance" ? found.map((hinge) => hinge.slice(2)) : found;
}

/** Cotangent weights of p2, p3, p4, and s0 along the normal of the stencil. */
function restOfIsometric(p: P[]): { rest: number[]; scale: number } {
  const edge = sub(p[1]!, p[0]!);
  const doubles = [2, 3].map((k) => norm(cross(edge, sub(p[k]!, p[0]!))));
  const at1 = [2, 3].map((k, i) => dot(edge, sub(p[k]!, p[0]!)) / doubles[i]!);
  const at2 = [2, 3].map((k, i) => -dot(edge, sub(p[k]!, p[1]!)) / doubles[i]!);
  const weights = [at1[0]! + at1[1]!, -at1[0]! - at2[0]!, -at1[1]! - at2[1]!].map(Math.fround);
  const side = (k: number): P => sub(p[k]!, p[0]!);
  const sum = [1, 2, 3].reduce<P>((s, k) => add(s, scale(side(k), weights[k - 1]!)), [0, 0, 0]);
  const b = sub(scale(side(3), weights[2]!), scale(side(2), weights[1]!));
  const normal = cross(edge, b);
  const isFlat = norm(sum) <= 1e-4 * norm(edge);
  return { rest: [...weights, isFlat ? 0 : dot(sum, normal) / norm(normal), 0.25 * norm(normal)], scale: 0.5 * (doubles[0]! + doubles[1]!) };
}

function restOfDihedral(p: P[]): { rest: number[]; scale: number } {
  const edge = sub(p[1]!, p[0]!);
  const normals = [cross(edge, sub(p[2]!, p[0]!)), cross(sub(p[3]!, p[0]!), edge)] as [P, P];
  const sine = dot(cross(...normals), edge) / norm(edge);
  return { rest: [Math.atan2(sine, dot(...normals))], scale: (0.5 * (norm(normals[0]) + norm(normals[1]))) / dot(edge, edge) };
}

function restOf(type: string, p: P[]): { rest: number[]; scale: number } {
  if (type === "isometric") return restOfIsometric(p);
  if (type === "dihedral") return restOfDihedral(p);
  if (type !== "triangle") return { rest: [norm(sub(p[0]!, p[1]!))], scale: 0 };
  const height = scale(add(sub(p[2]!, p[0]!), sub(p[2]!, p[1]!)), 1 / 3);
  const base = norm(sub(p[1]!, p[0]!));
  return { rest: [norm(height)], scale: base ** 4 / (144 * 0.25 * base * base) };
}

function makeSet(type: string, parameters: GpuParameters, grid: Grid): GpuConstraintSet {
  const cardinality = typeNamed(type)!.cardinality;
  const stencils = stencilsOf(type, grid);
  const { order } = findLevels(stencils.flat(), cardinality, grid.places.length, "coloured");
  const sorted = Array.from(order, (i) => stencils[i]!);
  const rests = sorted.map((stencil) => restOf(type, stencil.map((i) => grid.places[i]!)));
  const scales = rests.map((r) => r.scale);
  return { type, particles: sorted.flat(), rest: rests.flatMap((r) => r.rest), scales, parameters };
}

/** A sheet of 1 m and 0.2 kg in the xz plane. */
export function makeSheet(options: SheetOptions = {}): GpuDescription {
  const { columns = 64, rows = columns, height = 0, noise = 0, pins = [], isBent = false } = options;
  const random = randomFrom(20100615);
  const grid: Grid = { columns, rows, places: [] };
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) {
      const [u, v] = [x / (columns - 1) - 0.5, y / (columns - 1) - 0.5];
      grid.places.push([u, isBent ? 0.1 - 0.3 * u * u + 0.05 * u * v : 0, v]);
    }
  const edge = noise / (columns - 1);
  const jitter = (): number => edge * (2 * random() - 1);
  const positions = grid.places.flatMap((p) => add(p, [jitter(), height + jitter(), jitter()]));
  const inverseMass = (columns * rows) / 0.2;
  const masses = grid.places.map(() => inverseMass * (options.isUneven ? 0.5 + 1.5 * random() : 1));
  for (const pin of pins) masses[pin] = 0;
  const sets = (options.sets ?? [["distance"]]).map(([type, parameters = {}]) => makeSet(type, parameters, grid));
  return { ...options.rest, positions, inverseMasses: masses, sets, ...(options.settings ? { settings: options.settings } : {}) };
}
