// What a hand takes hold of: particles around one of them along edges at rest, and the piece that it is of (src/world/grab.c).
import type { GpuDescription } from "./description.js";
import { demand } from "./errors.js";

const f = Math.fround;

/** Edges of a surface and how far apart their ends are at rest. */
export interface Shape {
  positions: ArrayLike<number>;
  edges: ArrayLike<number>;
}

/** Edges by particle: those of particle i are between offsets[i] and offsets[i + 1]. */
interface Neighbours {
  offsets: Uint32Array;
  others: Uint32Array;
  lengths: Float32Array;
}

function lengthBetween(shape: Shape, a: number, b: number): number {
  const d = [0, 1, 2].map((k) => f(f(shape.positions[3 * a + k]!) - f(shape.positions[3 * b + k]!))) as [number, number, number];
  return f(Math.sqrt(f(f(f(d[0] * d[0]) + f(d[1] * d[1])) + f(d[2] * d[2]))));
}

export function shapeOf(description: GpuDescription): Shape {
  if (description.shape) return description.shape;
  const edges = description.sets.filter((set) => set.type === "distance").flatMap((set) => Array.from(set.particles));
  return { positions: description.positions, edges };
}

/** The mean length of edges at rest [m], 0 without any. */
export function meanEdgeOf(shape: Shape): number {
  let sum = 0;
  for (let e = 0; e < shape.edges.length; e += 2) sum += lengthBetween(shape, shape.edges[e]!, shape.edges[e + 1]!);
  return shape.edges.length > 0 ? f(sum / (shape.edges.length / 2)) : 0;
}

function neighboursOf(shape: Shape, count: number): Neighbours {
  const offsets = new Uint32Array(count + 1);
  for (let i = 0; i < shape.edges.length; i++) offsets[shape.edges[i]! + 1]!++;
  for (let i = 0; i < count; i++) offsets[i + 1]! += offsets[i]!;
  const places = offsets.slice();
  const others = new Uint32Array(shape.edges.length);
  const lengths = new Float32Array(shape.edges.length);
  for (let e = 0; e < shape.edges.length; e += 2) {
    const ends = [shape.edges[e]!, shape.edges[e + 1]!] as const;
    const length = lengthBetween(shape, ...ends);
    for (const k of [0, 1] as const) {
      const at = places[ends[k]]!++;
      others[at] = ends[1 - k]!;
      lengths[at] = length;
    }
  }
  return { offsets, others, lengths };
}

/** Distances along edges from a particle, as far as the radius; infinite beyond. */
function spread(n: Neighbours, from: number, radius: number): Float32Array {
  const distances = new Float32Array(n.offsets.length - 1).fill(Infinity);
  distances[from] = 0;
  for (let wave = [from]; wave.length > 0; ) {
    const next: number[] = [];
    for (const a of wave)
      for (let e = n.offsets[a]!; e < n.offsets[a + 1]!; e++) {
        const b = n.others[e]!;
        const there = f(distances[a]! + n.lengths[e]!);
        if (there > radius || there >= distances[b]!) continue;
        distances[b] = there;
        next.push(b);
      }
    wave = next;
  }
  return distances;
}

/** Mass of what can move [kg], and diagonal of the rest box [m], of the connected piece that a particle is of. */
function measurePiece(shape: Shape, n: Neighbours, from: number, inverseMasses: ArrayLike<number>): { mass: number; size: number } {
  const seen = new Uint8Array(n.offsets.length - 1);
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  const waiting = [from];
  seen[from] = 1;
  const piece: number[] = [];
  while (waiting.length > 0) {
    const a = waiting.pop()!;
    piece.push(a);
    for (let e = n.offsets[a]!; e < n.offsets[a + 1]!; e++) {
      const b = n.others[e]!;
      if (!seen[b]) waiting.push(b);
      seen[b] = 1;
    }
  }
  let mass = 0;
  for (const a of piece.sort((x, y) => x - y)) {
    const w = f(inverseMasses[a]!);
    mass += w > 0 ? 1 / w : 0;
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k]!, f(shape.positions[3 * a + k]!));
      high[k] = Math.max(high[k]!, f(shape.positions[3 * a + k]!));
    }
  }
  const d = high.map((x, k) => f(x - low[k]!)) as [number, number, number];
  return { mass, size: f(Math.sqrt(f(f(f(d[0] * d[0]) + f(d[1] * d[1])) + f(d[2] * d[2])))) };
}

/** What a hand holds, and with what force at which distance. */
export interface Hold {
  particles: Uint32Array;
  /** [N] and [m]. */
  limit: number;
  reach: number;
}

export interface HoldWish {
  vertex: number;
  radius: number;
  strength: number;
  reach: number;
}

/** `masses` are the inverse masses before any was held, `moving` those of now. */
export function findHold(shape: Shape, wish: HoldWish, masses: ArrayLike<number>, moving: ArrayLike<number>): Hold {
  const n = neighboursOf(shape, masses.length);
  const piece = measurePiece(shape, n, wish.vertex, masses);
  let edges = 0;
  for (let e = 0; e < shape.edges.length; e += 2) edges += lengthBetween(shape, shape.edges[e]!, shape.edges[e + 1]!);
  const meanEdge = shape.edges.length > 0 ? edges / (shape.edges.length / 2) : 0;
  const radius = wish.radius > 0 ? f(wish.radius) : f(Math.max(0.04 * piece.size, 2.5 * meanEdge));
  const distances = spread(n, wish.vertex, radius);
  const particles = Uint32Array.from(distances.keys()).filter((i) => distances[i]! <= radius && moving[i]! > 0);
  demand(particles.length > 0, `grab: nothing around vertex ${wish.vertex} can move`);
  const weight = f(f(f(f(1.5) * f(9.81)) * f(piece.mass)) * f(wish.strength));
  const reach = wish.reach > 0 ? f(wish.reach) : f(Math.max(0.06 * piece.size, 1e-6));
  return { particles, limit: Math.max(weight, f(0.01)), reach };
}
