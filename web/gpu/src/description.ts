// What is simulated: particles, constraint sets in their order of projection, colliders and settings, as plain arrays. Words
// and keys are those of the library and of the package `pliant`; from_world.ts makes one from a world.
import { demand } from "./errors.js";
import type { GpuParameters } from "./types/type_row.js";
import { typeNamed, TYPES } from "./types/type_table.js";
import { COLLIDERS_MAX, KIND } from "./wgsl/particles.js";

export type Triple = readonly [number, number, number];
export type Quadruple = readonly [number, number, number, number];

/** Constraints of one type. */
export interface GpuConstraintSet {
  /** A row of types/type_table.ts, such as "distance". */
  type: string;
  /** Particles of each constraint, one constraint after the other, in the order of a forward sweep. */
  particles: ArrayLike<number>;
  /** Rest values of each, in the same order. */
  rest: ArrayLike<number>;
  /** Scale s of the compliance s / B of a rigidity B, of each; needed where `rigidity` is used. */
  scales?: ArrayLike<number>;
  parameters?: GpuParameters;
}

export interface GpuPose {
  position: Triple;
  /** Unit quaternion x, y, z, w. Default: none. */
  rotation?: Quadruple;
}

/** A ball, a plane (the half-space below local y = 0), or a capsule along local y. */
export interface GpuCollider extends Partial<GpuPose> {
  shape: "sphere" | "plane" | "capsule";
  /** [m] */
  radius?: number;
  /** Of a capsule: half the length of its axis [m]. */
  half_height?: number;
  /** Distance kept beyond that of the particles [m]. Default 0. */
  thickness?: number;
  /** Default 0.3. */
  friction?: number;
  /** 0..1. Default 0. */
  restitution?: number;
}

export interface GpuSettings {
  method: "xpbd" | "pbd";
  substeps: number;
  iterations: number;
  sweeps: "back_and_forth" | "forward";
  /** [m/s2] */
  gravity: Triple;
  /** [m/s]; Infinity for none. */
  speed_limit: number;
  /** Rate at which what a body does beside its rigid motion dies away [1/s], 0..1e6. */
  damping: number;
  /** [kg/m3]; 0 for no air. It acts on the triangles of the description. */
  air_density: number;
  air_friction: number;
  /** Velocity of the air [m/s]. */
  wind: Triple;
}

export const DEFAULT_SETTINGS: GpuSettings = {
  method: "xpbd",
  substeps: 10,
  iterations: 1,
  sweeps: "back_and_forth",
  gravity: [0, -9.81, 0],
  speed_limit: Infinity,
  damping: 0,
  air_density: 0,
  air_friction: 0,
  wind: [0, 0, 0],
};

export interface GpuDescription {
  /** 3 numbers a particle [m]. */
  positions: ArrayLike<number>;
  /** 3 numbers a particle [m/s]. Default 0. */
  velocities?: ArrayLike<number>;
  /** One a particle [1/kg]; 0 holds it in place. */
  inverseMasses: ArrayLike<number>;
  /** In the order of projection. */
  sets: readonly GpuConstraintSet[];
  colliders?: readonly GpuCollider[];
  /** Three particles a triangle, in the order of the mesh: what the air blows on. */
  triangles?: ArrayLike<number>;
  /** Distance that particles keep from colliders [m]. Default 0.005. */
  thickness?: number;
  settings?: Partial<GpuSettings>;
  /** What a hand measures along: edges, two particles each, and positions at rest. Default: the distances, where they are now. */
  shape?: { positions: ArrayLike<number>; edges: ArrayLike<number> };
}

function isFinite3(values: ArrayLike<number>): boolean {
  return values.length === 3 && [0, 1, 2].every((k) => Number.isFinite(values[k]));
}

function checkNumbers(values: ArrayLike<number>, length: number, what: string): void {
  demand(values.length === length, `${what} has ${values.length} numbers; ${length} belong there`);
  for (let i = 0; i < length; i++) demand(Number.isFinite(values[i]), `${what}[${i}] is ${values[i]}, which is not finite`);
}

function checkSet(set: GpuConstraintSet, index: number, particleCount: number): void {
  const row = typeNamed(set.type);
  const known = TYPES.map((type) => type.name).join(", ");
  demand(row !== undefined, `sets[${index}] is of the type '${set.type}', which the GPU does not project; it has ${known}`);
  const count = set.particles.length / row.cardinality;
  demand(Number.isInteger(count), `sets[${index}].particles has ${set.particles.length} numbers; '${row.name}' takes ${row.cardinality} each`);
  for (let i = 0; i < set.particles.length; i++) {
    const particle = set.particles[i]!;
    const isOne = Number.isInteger(particle) && particle >= 0 && particle < particleCount;
    demand(isOne, `sets[${index}].particles[${i}] is ${particle}; particles are 0..${particleCount - 1}`);
  }
  checkNumbers(set.rest, count * row.restCount, `sets[${index}].rest`);
  if (set.scales) checkNumbers(set.scales, count, `sets[${index}].scales`);
  checkParameters(set.parameters ?? {}, set, `sets[${index}]`);
}

/** Refuses parameters out of range. */
export function checkParameters(parameters: GpuParameters, set: GpuConstraintSet, where: string): void {
  for (const name of ["compliance", "damping", "rigidity", "stiffness", "kappa", "change_limit"] as const) {
    const value = parameters[name];
    const isFine = value === undefined || (Number.isFinite(value) && (value >= 0 || name === "kappa"));
    demand(isFine, `${where}: ${name} is ${value}; it must be finite and not negative`);
  }
  demand((parameters.stiffness ?? 1) <= 1, `${where}: stiffness is ${parameters.stiffness}; it is 0..1`);
  const needsScales = (parameters.rigidity ?? 0) > 0;
  demand(!needsScales || set.scales !== undefined, `${where}: a rigidity needs the scales of the set, which are missing`);
}

const SHAPES: readonly string[] = Object.keys(KIND);
/** Whether the graphics card has contact with a shape of that name. */
export const isShapeKnown = (shape: string): shape is GpuCollider["shape"] => SHAPES.includes(shape);

/** Refuses a collider that is none. */
export function checkCollider(collider: GpuCollider, where: string): void {
  demand(isShapeKnown(collider.shape), `${where} is a '${collider.shape}'; the GPU has ${SHAPES.join(", ")}`);
  const height = collider.half_height ?? 0;
  demand(collider.shape !== "capsule" || (height >= 0 && Number.isFinite(height)), `${where}: the half height is ${height}; it must be finite and not negative [m]`);
  demand(collider.shape === "plane" || (collider.radius ?? 0) > 0, `${where}: the radius is ${collider.radius}; it must be positive [m]`);
  checkPose(collider, where);
  const lengths = [collider.thickness ?? 0, collider.friction ?? 0, collider.restitution ?? 0];
  demand(lengths.every((value) => value >= 0 && Number.isFinite(value)), `${where}: thickness, friction and restitution must not be negative`);
}

/** Refuses a pose that is none. */
export function checkPose(pose: Partial<GpuPose>, where: string): void {
  const rotation = pose.rotation ?? [0, 0, 0, 1];
  const square = rotation.reduce((sum, value) => sum + value * value, 0);
  demand(isFinite3(pose.position ?? [0, 0, 0]), `${where}: the position must be three finite numbers`);
  demand(Math.abs(square - 1) <= 2e-3, `${where}: the rotation must be a unit quaternion`);
}

/** Refuses settings out of range. */
export function checkSettings(settings: GpuSettings): void {
  for (const name of ["substeps", "iterations"] as const) {
    const value = settings[name];
    demand(Number.isInteger(value) && value >= 1 && value <= 1000, `${name} is ${value}; it is a whole number 1..1000`);
  }
  demand(settings.method === "xpbd" || settings.method === "pbd", `the method is '${settings.method}'; it is 'xpbd' or 'pbd'`);
  const isKnown = settings.sweeps === "back_and_forth" || settings.sweeps === "forward";
  demand(isKnown, `sweeps is '${settings.sweeps}'; it is 'back_and_forth' or 'forward'`);
  demand(isFinite3(settings.gravity), "gravity must be three finite numbers [m/s2]");
  demand(isFinite3(settings.wind), "the wind must be three finite numbers [m/s]");
  demand(settings.damping >= 0 && settings.damping <= 1e6, `the damping is ${settings.damping}; it is 0..1e6 [1/s]`);
  for (const name of ["air_density", "air_friction"] as const)
    demand(settings[name] >= 0 && Number.isFinite(settings[name]), `${name} is ${settings[name]}; it must be finite and not negative`);
  demand(settings.speed_limit > 0, `speed_limit is ${settings.speed_limit}; it must be positive [m/s]`);
}

function checkTriangles(triangles: ArrayLike<number>, particleCount: number): void {
  demand(triangles.length % 3 === 0, `triangles has ${triangles.length} numbers; triangles have 3 each`);
  for (let i = 0; i < triangles.length; i++) {
    const particle = triangles[i]!;
    const isOne = Number.isInteger(particle) && particle >= 0 && particle < particleCount;
    demand(isOne, `triangles[${i}] is ${particle}; particles are 0..${particleCount - 1}`);
  }
}

/** Throws a GpuError that names the first thing that is wrong with a description. */
export function checkDescription(description: GpuDescription): void {
  const count = description.inverseMasses.length;
  demand(count > 0, "there are no particles");
  checkNumbers(description.positions, 3 * count, "positions");
  checkNumbers(description.inverseMasses, count, "inverseMasses");
  for (let i = 0; i < count; i++)
    demand(description.inverseMasses[i]! >= 0, `inverseMasses[${i}] is ${description.inverseMasses[i]}; it must not be negative [1/kg]`);
  if (description.velocities) checkNumbers(description.velocities, 3 * count, "velocities");
  description.sets.forEach((set, index) => checkSet(set, index, count));
  checkTriangles(description.triangles ?? [], count);
  const colliders = description.colliders ?? [];
  demand(colliders.length <= COLLIDERS_MAX, `there are ${colliders.length} colliders; the GPU takes ${COLLIDERS_MAX}`);
  colliders.forEach((collider, index) => checkCollider(collider, `colliders[${index}]`));
  demand((description.thickness ?? 0) >= 0, `thickness is ${description.thickness}; it must not be negative [m]`);
  checkSettings({ ...DEFAULT_SETTINGS, ...description.settings });
}
