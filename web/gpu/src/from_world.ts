// A description from a world of the package `pliant`, of one deformable with what acts on it. Types are by structure, so that this
// package needs nothing of the other.
import { type GpuCollider, type GpuConstraintSet, type GpuDescription, type GpuSettings, isShapeKnown, type Quadruple, type Triple } from "./description.js";
import { demand } from "./errors.js";
import type { GpuParameters } from "./types/type_row.js";
import { typeNamed } from "./types/type_table.js";

type VectorLike = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** What is read of a ConstraintSet of `pliant`. */
export interface ConstraintSetLike {
  readonly type: string;
  readonly constraintCount: number;
  read(name: never): unknown;
  at(index: number): { particles: ArrayLike<number>; rest: ArrayLike<number> };
  /** The order of projection (pli_constraints_sequence); without it the order of creation is taken. */
  sequence?(): { particles: ArrayLike<number>; rest: ArrayLike<number>; scales: ArrayLike<number> };
}

/** What is read of a Deformable. */
export interface DeformableLike {
  readonly vertexCount: number;
  readonly stride: number;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  readonly mesh: { readonly topology: Readonly<Record<"positions" | "edges" | "triangles", ArrayLike<number>>> };
  readonly properties: {
    readonly thickness: number;
    readonly self_collision: boolean;
    readonly stretch: string;
    readonly air_drag?: number;
    readonly air_lift?: number;
    readonly air_friction?: number;
    readonly layer?: number;
    readonly collides_with?: readonly number[] | null;
  };
  readonly plate?: { readonly rigidity: number };
  readonly constraintSets: readonly ConstraintSetLike[];
  copyInverseMasses(): ArrayLike<number>;
}

/** What is read of a Collider. */
export interface ColliderLike {
  readonly pose: { readonly position: ArrayLike<number>; readonly rotation: ArrayLike<number> };
  readonly properties: {
    readonly shape: string;
    readonly radius: number;
    readonly half_height: number;
    readonly thickness: number;
    readonly friction: number;
    readonly restitution: number;
    readonly rolling_friction: number;
    readonly layer?: number;
    readonly collides_with?: readonly number[] | null;
  };
}

/** What is read of a World. */
export interface WorldLike {
  readonly settings: {
    readonly method: "xpbd" | "pbd";
    readonly substeps: number;
    readonly iterations: number;
    readonly sweeps: "back_and_forth" | "forward";
    readonly integrator?: "euler" | "bdf2";
    readonly gravity: VectorLike;
    readonly speed_limit: number;
    readonly damping: number;
    readonly air_density: number;
    readonly air_friction: number;
    readonly wind: VectorLike;
    readonly gust_strength?: number;
    readonly keep_momentum: boolean;
    readonly sleep_speed: number;
  };
  readonly deformables: readonly DeformableLike[];
  readonly colliders: readonly ColliderLike[];
}

/** A property of the world which, set to a value, makes both alike. */
export interface Alike {
  /** As of World.write: "settings.air_density". */
  path: string;
  value: unknown;
  /** What the world goes without then: "air". */
  what: string;
}

/** How a world and the graphics card differ. */
export interface Differences {
  /** What the world does and the graphics card does not, a sentence each. Empty: both do the same. */
  leftOut: string[];
  /** Those of the sentences that no property mends: the card cannot run this world. */
  apart: string[];
  /** What mends the others. */
  alike: Alike[];
}

export interface DescribedWorld extends Differences {
  description: GpuDescription;
}

const vector = (v: VectorLike): Triple => ("x" in v ? [v.x, v.y, v.z] : [v[0]!, v[1]!, v[2]!]);

/** The first three numbers of each particle of a view. */
function packed(view: ArrayLike<number>, stride: number, count: number): Float32Array {
  const to = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) to[3 * i + k] = view[stride * i + k]!;
  return to;
}

/** A parameter, or undefined of a type that has none of that name. */
function readParameter(set: ConstraintSetLike, name: string): unknown {
  try {
    return set.read(name as never);
  } catch {
    return undefined;
  }
}

const CHOICES = { relation: ["equal", "at_most", "at_least"], weights: ["exact", "printed"] } as const;

/** Parameters of a set, as the card takes them. */
export function parametersOf(set: ConstraintSetLike): GpuParameters {
  const found: Record<string, unknown> = {};
  for (const name of ["compliance", "damping", "rigidity", "stiffness", "kappa", "change_limit"]) {
    const value = readParameter(set, name);
    if (typeof value === "number") found[name] = value;
  }
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = readParameter(set, name);
    if (value !== undefined) found[name] = typeof value === "number" ? choices[value] : value;
  }
  return found as GpuParameters;
}

function describeSet(set: ConstraintSetLike, leftOut: string[]): GpuConstraintSet {
  const parameters = parametersOf(set);
  if (set.sequence) {
    const { particles, rest, scales } = set.sequence();
    return { type: set.type, particles, rest, scales, parameters };
  }
  const particles: number[] = [];
  const rest: number[] = [];
  for (let i = 0; i < set.constraintCount; i++) {
    const one = set.at(i);
    particles.push(...Array.from(one.particles));
    rest.push(...Array.from(one.rest));
  }
  demand(!((parameters.rigidity ?? 0) > 0), `'${set.type}' has a rigidity, whose scales this version of the package does not hand out; give a compliance`);
  leftOut.push(`'${set.type}' is projected in order of creation, which is the CPU's in worlds of sequential order.`);
  return { type: set.type, particles, rest, parameters };
}

/** Whether particles of the deformable touch a collider at all, by their layers. */
function touches(deformable: DeformableLike, collider: ColliderLike): boolean {
  const sees = (list: readonly number[] | null | undefined, layer = 0): boolean => !list || list.includes(layer);
  const { properties: one } = deformable;
  const { properties: other } = collider;
  return sees(one.collides_with, other.layer) && sees(other.collides_with, one.layer);
}

/** Colliders that a deformable touches and the card knows, as they are now, with the world's own beside each. */
export function collidersOf(world: WorldLike, deformable: DeformableLike): { collider: ColliderLike; gpu: GpuCollider }[] {
  const found = world.colliders.filter((one) => isShapeKnown(one.properties.shape) && touches(deformable, one));
  return found.map((collider) => {
    const { shape, radius, half_height, thickness, friction, restitution } = collider.properties;
    const [position, rotation] = [Array.from(collider.pose.position), Array.from(collider.pose.rotation)] as unknown as [Triple, Quadruple];
    return { collider, gpu: { shape: shape as GpuCollider["shape"], radius, half_height, thickness, friction, restitution, position, rotation } };
  });
}

/** [whether it is so, what is said, and what makes both alike: path, value, what the world goes without]. */
type Row = [isSo: boolean, sentence: string, path?: string, value?: unknown, what?: string];

/** The longest side of a triangle at rest [m]; 0 without triangles. */
function longestSide(deformable: DeformableLike): number {
  const { positions, triangles } = deformable.mesh.topology;
  let longest = 0;
  for (let i = 0; i < triangles.length; i++) {
    const [a, b] = [3 * triangles[i]!, 3 * triangles[i % 3 === 2 ? i - 2 : i + 1]!] as const;
    longest = Math.max(longest, Math.hypot(...[0, 1, 2].map((k) => positions[b + k]! - positions[a + k]!)));
  }
  return longest;
}

/** Shapes that fit between the corners of a triangle, which the CPU therefore meets as surfaces (src/shapes/contact_group.h). */
function narrowShapes(deformable: DeformableLike, colliders: readonly ColliderLike[]): Set<string> {
  const longest = longestSide(deformable);
  const isNarrow = ({ properties: { shape, radius } }: ColliderLike): boolean => isShapeKnown(shape) && shape !== "plane" && 2 * radius < longest;
  return new Set(colliders.filter(isNarrow).map((one) => one.properties.shape));
}

/** Whether a free particle is inside of a ball, a capsule or a plane. */
function beginsInside(deformable: DeformableLike, colliders: readonly ColliderLike[]): boolean {
  const [masses, at] = [deformable.copyInverseMasses(), deformable.positions];
  return colliders.some(({ pose, properties: { shape, radius, half_height } }) => {
    if (!isShapeKnown(shape)) return false;
    const [x, y, z, w] = Array.from(pose.rotation) as [number, number, number, number];
    const up = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    for (let i = 0; i < deformable.vertexCount; i++) {
      const from = up.map((_, k) => at[deformable.stride * i + k]! - pose.position[k]!);
      const height = from.reduce((sum, d, k) => sum + d * up[k]!, 0);
      const along = shape === "capsule" ? Math.max(-half_height, Math.min(half_height, height)) : 0;
      const distance = shape === "plane" ? height : Math.hypot(...from.map((d, k) => d - along * up[k]!)) - radius;
      if (masses[i]! > 0 && distance < 0) return true;
    }
    return false;
  });
}

/** Whether faces and constraints connect all vertices to one piece (src/sweep/connected_pieces.c). */
function isOnePiece(deformable: DeformableLike): boolean {
  const { triangles } = deformable.mesh.topology;
  const parents = Int32Array.from({ length: deformable.vertexCount }, (_, i) => i);
  let pieces = deformable.vertexCount;
  const root = (i: number): number => {
    while (parents[i] !== i) i = parents[i] = parents[parents[i]!]!;
    return i;
  };
  const join = (particles: ArrayLike<number>, first: number, count: number): void => {
    for (let k = 1; k < count; k++) {
      const [a, b] = [root(particles[first]!), root(particles[first + k]!)];
      pieces -= Number(a !== b);
      parents[b] = a;
    }
  };
  for (let i = 0; i < triangles.length; i += 3) join(triangles, i, 3);
  for (const set of deformable.constraintSets)
    for (let i = 0; i < set.constraintCount && pieces > 1; i++) {
      const { particles } = set.at(i);
      join(particles, 0, particles.length);
    }
  return pieces === 1;
}

function keepsBends(set: ConstraintSetLike): boolean {
  return Number(readParameter(set, "yield")) > 0;
}

function rowsOf(world: WorldLike, deformable: DeformableLike): Row[] {
  const s = world.settings;
  const held = Array.from(deformable.copyInverseMasses()).filter((w) => w === 0).length;
  const place = `deformables[${world.deformables.indexOf(deformable)}]`;
  const { stretch } = deformable.properties;
  const colliders = world.colliders.filter((one) => touches(deformable, one));
  const shapes = new Set(colliders.map((one) => one.properties.shape).filter((shape) => !isShapeKnown(shape)));
  const types = new Set(deformable.constraintSets.map((set) => set.type).filter((type) => !typeNamed(type)));
  return [
    [s.keep_momentum && held <= 2, "Constraints may turn a free body a little: keep_momentum is left out.", "settings.keep_momentum", false, "keeping of momentum"],
    [s.integrator === "bdf2", "The second order of time is left out.", "settings.integrator", "euler", "the second order of time"],
    [s.air_density > 0 && (s.gust_strength ?? 0) > 0, "Gusts are left out.", "settings.gust_strength", 0, "gusts"],
    ...(["air_drag", "air_lift", "air_friction"] as const).map((name): Row =>
      [s.air_density > 0 && (deformable.properties[name] ?? 1) !== 1, `The air acts as on any sheet: ${name} is left out.`, `${place}.${name}`, 1, "coefficients of the air"]),
    [s.damping > 0 && !isOnePiece(deformable), "Pieces that are not connected are damped as one while any of them is pinned, not each by itself.", "settings.damping", 0, "damping"],
    [s.sleep_speed > 0, "Nothing sleeps.", "settings.sleep_speed", 0, "sleep"],
    [deformable.properties.self_collision, "Self-collision is left out.", `${place}.self_collision`, false, "self-collision"],
    [stretch !== "swept", `Stretch is swept, not "${stretch}": more substeps, or "swept" on the CPU, make both alike.`, `${place}.stretch`, "swept", "solved stretch"],
    [(deformable.plate?.rigidity ?? 0) > 0, "The plate is left out: bending that is solved is the CPU's alone."],
    [deformable.constraintSets.some(keepsBends), "Bends do not stay: what yields on the CPU is elastic here."],
    [deformable.constraintSets.some((set) => [1, true].includes(readParameter(set, "solve") as never)), "Sets that are solved are swept: less of their stiffness acts."],
    [world.deformables.length > 1, "Other deformables are left out."],
    [deformable.mesh.topology.positions.length !== 3 * deformable.vertexCount, "Cuts are left out of what a hand takes hold of."],
    ...[...types].map((type): Row => [true, `Constraints of the type '${type}' are left out.`]),
    ...[...shapes].map((shape): Row => [true, `A ${shape.replace("_", " ")} is left out; the GPU has balls, capsules and planes.`]),
    ...[...narrowShapes(deformable, colliders)].map((shape): Row => [true, `A ${shape} is narrower than a triangle: the CPU meets it as a surface, the GPU at particles alone.`]),
    [beginsInside(deformable, colliders), "It begins inside a collider, which the CPU moves it out of at a limited speed."],
    [colliders.some((one) => one.properties.rolling_friction > 0), "Rolling friction is left out."],
  ];
}

/** How a world and the graphics card differ, and what makes both alike. */
export function findDifferences(world: WorldLike, deformable: DeformableLike): Differences {
  const rows = rowsOf(world, deformable).filter(([isSo]) => isSo);
  return {
    leftOut: rows.map(([, sentence]) => sentence),
    apart: rows.filter(([, , path]) => path === undefined).map(([, sentence]) => sentence),
    alike: rows.flatMap(([, , path, value, what]) => (path === undefined ? [] : [{ path, value, what: what! }])),
  };
}

/** Settings of a world, as the card takes them. */
export function settingsOf(world: WorldLike): GpuSettings {
  const { method, substeps, iterations, sweeps, gravity, wind, speed_limit, damping, air_density, air_friction } = world.settings;
  const forces = { gravity: vector(gravity), wind: vector(wind), damping, air_density, air_friction };
  return { method, substeps, iterations, sweeps, speed_limit: speed_limit ?? Infinity, ...forces };
}

/**
 * What the graphics card needs to go on from where a world is, with a deformable that is its first unless given. Types that the card
 * does not project, and what else it does not do, are told in `leftOut`.
 */
export function describeWorld(world: WorldLike, deformable: DeformableLike | undefined = world.deformables[0]): DescribedWorld {
  demand(deformable !== undefined, "the world has no deformable");
  const differences = findDifferences(world, deformable);
  const { leftOut } = differences;
  const sets = deformable.constraintSets.filter((set) => typeNamed(set.type)).map((set) => describeSet(set, leftOut));
  const { positions, edges, triangles } = deformable.mesh.topology;
  const count = deformable.vertexCount;
  const description: GpuDescription = {
    positions: packed(deformable.positions, deformable.stride, count),
    velocities: packed(deformable.velocities, deformable.stride, count),
    inverseMasses: deformable.copyInverseMasses(),
    sets,
    colliders: collidersOf(world, deformable).map((one) => one.gpu),
    triangles: Int32Array.from(triangles),
    thickness: deformable.properties.thickness,
    settings: settingsOf(world),
    shape: { positions: Float32Array.from(positions), edges: Int32Array.from(edges) },
  };
  return { description, ...differences };
}
