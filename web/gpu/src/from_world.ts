// A description of one deformable in a world of the package `pliant`.
import { type GpuCollider, type GpuConstraintSet, type GpuDescription, type GpuSettings, isShapeKnown, type Quadruple, type Triple } from "./description.js";
import { type DescriptorsLike, findDifferences, type WorldDifference } from "./differences.js";
import { demand } from "./errors.js";
import type { GpuParameters } from "./types/type_row.js";
import { typeNamed } from "./types/type_table.js";
import { type ColliderLike, type ConstraintSetLike, type DeformableLike, readParameter, touches, type VectorLike, type WorldLike } from "./world_like.js";

export interface DescribedWorld {
  description: GpuDescription;
  /** Empty where the GPU computes the same as the world. */
  differences: WorldDifference[];
}

const vector = (v: VectorLike): Triple => ("x" in v ? [v.x, v.y, v.z] : [v[0]!, v[1]!, v[2]!]);

/** The first three numbers of each particle of a view. */
function packed(view: ArrayLike<number>, stride: number, count: number): Float32Array {
  const to = new Float32Array(3 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 3; k++) to[3 * i + k] = view[stride * i + k]!;
  return to;
}

const CHOICES = { relation: ["equal", "at_most", "at_least"], weights: ["exact", "printed"] } as const;

/** Parameters of a set that the GPU implements. */
export function parametersOf(set: ConstraintSetLike): GpuParameters {
  const found: Record<string, unknown> = {};
  for (const name of typeNamed(set.type)?.parameters ?? []) {
    const value = readParameter(set, name);
    const choices = CHOICES[name as keyof typeof CHOICES];
    if (value !== undefined) found[name] = choices && typeof value === "number" ? choices[value] : value;
  }
  return found as GpuParameters;
}

function describeSet(set: ConstraintSetLike): GpuConstraintSet {
  const { particles, rest, scales } = set.sequence();
  return { type: set.type, particles, rest, scales, parameters: parametersOf(set) };
}

/** Colliders that a deformable touches and whose shape the GPU implements, in their current state. */
export function collidersOf(world: WorldLike, deformable: DeformableLike): { collider: ColliderLike; gpu: GpuCollider }[] {
  const found = world.colliders.filter((one) => isShapeKnown(one.properties.shape) && touches(deformable, one));
  return found.map((collider) => {
    const { shape, radius, half_height, thickness, friction, restitution } = collider.properties;
    const [position, rotation] = [Array.from(collider.pose.position), Array.from(collider.pose.rotation)] as unknown as [Triple, Quadruple];
    return { collider, gpu: { shape: shape as GpuCollider["shape"], radius, half_height, thickness, friction, restitution, position, rotation } };
  });
}

/** Settings of a world that the GPU implements. */
export function settingsOf(world: WorldLike): GpuSettings {
  const { method, substeps, iterations, sweeps, gravity, wind, speed_limit, damping, air_density, air_friction } = world.settings;
  const forces = { gravity: vector(gravity), wind: vector(wind), damping, air_density, air_friction };
  return { method, substeps, iterations, sweeps, speed_limit: speed_limit ?? Infinity, ...forces };
}

/**
 * The current state of a world for the GPU, with its first deformable or another one, and how the GPU will differ from the world.
 * `descriptors` come from `pliant/descriptors`. Sets of types that the GPU does not project are omitted.
 */
export function describeWorld(world: WorldLike, descriptors: DescriptorsLike, deformable: DeformableLike | undefined = world.deformables[0]): DescribedWorld {
  demand(deformable !== undefined, "the world has no deformable");
  const sets = deformable.constraintSets.filter((set) => typeNamed(set.type)).map(describeSet);
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
  return { description, differences: findDifferences(world, descriptors, deformable) };
}
