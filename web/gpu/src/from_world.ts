// A description from a world of the package `pliant`, of one deformable with what acts on it. Types are by structure, so that this
// package needs nothing of the other.
import type { GpuCollider, GpuConstraintSet, GpuDescription, GpuSettings, Quadruple, Triple } from "./description.js";
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
  /** The order of projection (pli_constraint_set_sequence); without it the order of creation is taken. */
  sequence?(): { particles: ArrayLike<number>; rest: ArrayLike<number>; scales: ArrayLike<number> };
}

/** What is read of a Deformable. */
export interface DeformableLike {
  readonly vertexCount: number;
  readonly stride: number;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  readonly mesh: { readonly topology: { readonly positions: ArrayLike<number>; readonly edges: ArrayLike<number> } };
  readonly properties: { readonly thickness: number; readonly self_collision: boolean };
  readonly stretchLimit: { readonly kind: string };
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
    readonly thickness: number;
    readonly friction: number;
    readonly restitution: number;
    readonly rolling_friction: number;
  };
}

/** What is read of a World. */
export interface WorldLike {
  readonly settings: {
    readonly method: "xpbd" | "pbd";
    readonly substeps: number;
    readonly iterations: number;
    readonly sweeps: "back_and_forth" | "forward";
    readonly gravity: VectorLike;
    readonly speed_limit: number;
    readonly damping: number;
    readonly air_density: number;
    readonly keep_momentum: boolean;
    readonly refinement: number;
    readonly sleep_speed: number;
  };
  readonly deformables: readonly DeformableLike[];
  readonly colliders: readonly ColliderLike[];
}

export interface DescribedWorld {
  description: GpuDescription;
  /** What the world does and the graphics card does not, a sentence each. Empty: both do the same. */
  leftOut: string[];
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

function parametersOf(set: ConstraintSetLike): GpuParameters {
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

function describeColliders(world: WorldLike, leftOut: string[]): GpuCollider[] {
  const found: GpuCollider[] = [];
  for (const { pose, properties } of world.colliders) {
    const { shape, radius, thickness, friction, restitution } = properties;
    if (shape !== "sphere" && shape !== "plane") {
      leftOut.push(`A ${shape.replace("_", " ")} is left out; the GPU has balls and planes.`);
      continue;
    }
    if (properties.rolling_friction > 0) leftOut.push("Rolling friction is left out.");
    const [position, rotation] = [Array.from(pose.position), Array.from(pose.rotation)] as unknown as [Triple, Quadruple];
    found.push({ shape, radius, thickness, friction, restitution, position, rotation });
  }
  return found;
}

function sentencesOf(world: WorldLike, deformable: DeformableLike, isHeld: boolean): string[] {
  const s = world.settings;
  const all: [boolean, string][] = [
    [s.keep_momentum && !isHeld, "Constraints may turn a free body a little: keep_momentum is left out."],
    [s.damping > 0, "The world's damping is left out; that of the constraints acts."],
    [s.air_density > 0, "Air and wind are left out."],
    [s.refinement > 1, "Steps have as many substeps as are set, whatever the stretch."],
    [s.sleep_speed > 0, "Nothing sleeps."],
    [deformable.properties.self_collision, "Self-collision is left out."],
    [deformable.stretchLimit.kind !== "none", `The stretch limit "${deformable.stretchLimit.kind}" is left out: more substeps, or a limit "none" on the CPU, make both alike.`],
    [(deformable.plate?.rigidity ?? 0) > 0, "The plate is left out: bending that is solved is the CPU's alone."],
    [world.deformables.length > 1, "Other deformables are left out."],
  ];
  return all.filter(([isSo]) => isSo).map(([, sentence]) => sentence);
}

/**
 * What the graphics card needs to go on from where a world is, with a deformable that is its first unless given. Types that the card
 * does not project, and what else it does not do, are told in `leftOut`.
 */
export function describeWorld(world: WorldLike, deformable: DeformableLike | undefined = world.deformables[0]): DescribedWorld {
  demand(deformable !== undefined, "the world has no deformable");
  const count = deformable.vertexCount;
  const inverseMasses = deformable.copyInverseMasses();
  const held = Array.from(inverseMasses).filter((w) => w === 0).length;
  const leftOut = sentencesOf(world, deformable, held > 2);
  const sets: GpuConstraintSet[] = [];
  for (const set of deformable.constraintSets) {
    if (typeNamed(set.type)) sets.push(describeSet(set, leftOut));
    else leftOut.push(`Constraints of the type '${set.type}' are left out.`);
  }
  const { method, substeps, iterations, sweeps, gravity, speed_limit } = world.settings;
  const settings: GpuSettings = { method, substeps, iterations, sweeps, gravity: vector(gravity), speed_limit: speed_limit ?? Infinity };
  const { positions, edges } = deformable.mesh.topology;
  const description: GpuDescription = {
    positions: packed(deformable.positions, deformable.stride, count),
    velocities: packed(deformable.velocities, deformable.stride, count),
    inverseMasses,
    sets,
    colliders: describeColliders(world, leftOut),
    thickness: deformable.properties.thickness,
    settings,
    shape: { positions: Float32Array.from(positions), edges: Int32Array.from(edges) },
  };
  return { description, leftOut };
}
