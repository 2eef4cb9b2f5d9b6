// How the GPU differs from a world of the package `pliant`: properties of the descriptors that it does not implement, and facts of
// the world that are no properties.
import { isShapeKnown } from "./description.js";
import { KNOWN, type Known } from "./known.js";
import { typeNamed } from "./types/type_table.js";
import { type ColliderLike, type DeformableLike, readParameter, touches, type WorldLike } from "./world_like.js";

/** The part of the descriptors (`pliant/descriptors`) that is read. */
export interface PropertyLike {
  readonly name: string;
  readonly label: string;
  readonly default: unknown;
  readonly when?: readonly { readonly path: string; readonly is?: readonly unknown[]; readonly is_not?: readonly unknown[] }[];
}
export interface DescriptorsLike {
  readonly groups: readonly { readonly id: string; readonly label: string; readonly target: string | null; readonly properties: readonly PropertyLike[] }[];
  readonly types: readonly { readonly name: string; readonly parameters: readonly PropertyLike[] }[];
}

export interface WorldDifference {
  /** Names the property or fact that the GPU does not implement. */
  sentence: string;
  /** A property of the world and the value that removes the difference; missing where no value does. */
  fix?: {
    /** As of World.write: "settings.sleep_speed". */
    path: string;
    value: unknown;
    /** Name of the property in panels. */
    label: string;
  };
}

/** An object that has the properties of a group, and the path of its properties. */
interface Owner {
  values: Readonly<Record<string, unknown>>;
  path: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** The objects in `world` with the properties of a group whose target is "settings", "deformables[].plate", "colliders[]" and the like. */
function ownersOf(world: WorldLike, deformable: DeformableLike, target: string): Owner[] {
  let found: { object: Fields; path: string }[] = [{ object: world as unknown as Fields, path: "" }];
  for (const segment of target.split(".")) {
    const name = segment.replace("[]", "");
    found = found.flatMap(({ object, path }) => {
      const at = path ? `${path}.${name}` : name;
      if (!segment.endsWith("[]")) {
        // The world of JavaScript has the properties of contact among its settings.
        const inner = object[name] ?? (object === (world as unknown) ? world.settings : undefined);
        return inner === undefined ? [] : [{ object: inner as Fields, path: object[name] === undefined ? "settings" : at }];
      }
      return Array.from((object[name] ?? []) as ArrayLike<unknown>, (one, i) => ({ object: one as Fields, path: `${at}[${i}]` })).filter(({ object: one }) => isUsed(one, name));
    });
  }
  return found.map(({ object, path }) => ({ values: (object["properties"] ?? object) as Fields, path }));

  function isUsed(one: Fields, name: string): boolean {
    if (name === "deformables") return one === (deformable as unknown);
    if (name === "attachments") return (one["properties"] as Fields)["enabled"] !== false;
    if (name !== "colliders") return true;
    const collider = one as unknown as ColliderLike;
    return isShapeKnown(collider.properties.shape) && touches(deformable, collider);
  }
}

const LAYER_COUNT = 32;

/** Whether a property has a value, which is null for "none", "no limit" and "all layers". */
function hasValue(value: unknown, wanted: unknown): boolean {
  if (wanted === null) return value === null || value === Infinity || (Array.isArray(value) && value.length === LAYER_COUNT);
  if (typeof wanted === "number") return Math.fround(Number(value)) === Math.fround(wanted);
  if (typeof wanted !== "object") return value === wanted;
  const v = value as { x: number; y: number; z: number } | ArrayLike<number>;
  const numbers = v && "x" in v ? [v.x, v.y, v.z] : Array.from((v ?? []) as ArrayLike<number>);
  const others = Array.from(wanted as ArrayLike<number>);
  return numbers.length === others.length && numbers.every((x, k) => hasValue(x, others[k]));
}

/** Whether the other properties allow this one an effect (`when` of the descriptors). */
function isEffective(world: WorldLike, owner: Owner, property: PropertyLike): boolean {
  return (property.when ?? []).every(({ path, is, is_not }) => {
    const [scope, name] = path.split(".") as [string, string?];
    const value = name === undefined ? owner.values[scope] : scope === "settings" ? (world.settings as unknown as Fields)[name] : undefined;
    if (value === undefined) return true;
    return (!is || is.some((one) => hasValue(value, one))) && !(is_not ?? []).some((one) => hasValue(value, one));
  });
}

const shown = (value: unknown): string => (typeof value === "string" ? `"${value}"` : Array.isArray(value) ? `[${value.join(", ")}]` : String(value));

/** Groups whose properties World.write can change without changing the model of the deformable. */
const FIXABLE = ["settings", "contact", "deformable"];

function differenceOf(property: PropertyLike, owner: Owner, known: Known | undefined, isFixable: boolean): WorldDifference | null {
  if (typeof known === "string") return null;
  const value = owner.values[property.name], wanted = known ? known.only : property.default;
  if (value !== undefined && hasValue(value, wanted)) return null;
  const path = `${owner.path}.${property.name}`;
  const sentence = known
    ? `The GPU implements ${property.label} (${path}) only as ${shown(wanted)}; it is ${shown(value)}.`
    : `The GPU does not implement ${property.label} (${path}), which ${value === undefined ? "cannot be read" : `is ${shown(value)}`}.`;
  return isFixable ? { sentence, fix: { path, value: wanted, label: property.label } } : { sentence };
}

function unknownProperties(world: WorldLike, descriptors: DescriptorsLike, deformable: DeformableLike): WorldDifference[] {
  return descriptors.groups.flatMap((group) => {
    const known = KNOWN[group.id] ?? {};
    if (typeof known === "string") return [];
    const owners = group.target ? ownersOf(world, deformable, group.target) : [{ values: {}, path: group.id }];
    return group.properties.flatMap((property) => {
      const one = known[property.name];
      if (typeof one === "object" && one.unless?.(world, deformable)) return [];
      const effective = owners.filter((owner) => isEffective(world, owner, property));
      return effective.flatMap((owner) => differenceOf(property, owner, one, FIXABLE.includes(group.id)) ?? []);
    });
  });
}

/** Parameters of constraints of a type that the GPU projects. */
function unknownParameters(descriptors: DescriptorsLike, deformable: DeformableLike): WorldDifference[] {
  return deformable.constraintSets.flatMap((set, i) => {
    const known: readonly string[] | undefined = typeNamed(set.type)?.parameters;
    const parameters = descriptors.types.find((type) => type.name === set.type)?.parameters ?? [];
    if (!known) return [{ sentence: `The GPU does not project constraints of the type "${set.type}".` }];
    return parameters.flatMap((property) => {
      // Hardening has no effect without yielding, which is reported.
      if (known.includes(property.name) || property.name === "hardening") return [];
      const read = readParameter(set, property.name);
      const value = typeof property.default === "boolean" ? Boolean(read) : read;
      return differenceOf(property, { values: { [property.name]: value }, path: `constraintSets[${i}], "${set.type}"` }, undefined, false) ?? [];
    });
  });
}

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

/** Shapes that fit between the corners of a triangle, which the CPU therefore treats as surfaces (src/shapes/contact_group.h). */
function narrowShapes(deformable: DeformableLike, colliders: readonly ColliderLike[]): Set<string> {
  const longest = longestSide(deformable);
  const isNarrow = ({ properties: { shape, radius } }: ColliderLike): boolean => isShapeKnown(shape) && shape !== "plane" && 2 * radius < longest;
  return new Set(colliders.filter(isNarrow).map((one) => one.properties.shape));
}

/** Whether a free particle is inside a sphere, a capsule or a plane. */
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

/** Whether faces and constraints connect all vertices (src/sweep/connected_pieces.c). */
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

type Fact = [isSo: boolean, sentence: string, fix?: WorldDifference["fix"]];

/** Facts that no property states. */
function factsOf(world: WorldLike, deformable: DeformableLike): Fact[] {
  const colliders = world.colliders.filter((one) => touches(deformable, one));
  const shapes = new Set(colliders.map((one) => one.properties.shape).filter((shape) => !isShapeKnown(shape)));
  return [
    [world.settings.damping > 0 && !isOnePiece(deformable), "The GPU damps disconnected pieces as one body while any of them is pinned, not separately.", { path: "settings.damping", value: 0, label: "Damping" }],
    [world.deformables.length > 1, "The GPU simulates one deformable; the others are missing."],
    [(world.rigidBodies?.length ?? 0) > 0, "The GPU has no rigid bodies."],
    [deformable.mesh.topology.positions.length !== 3 * deformable.vertexCount, "The surface has been cut; grabs on the GPU still use the original surface."],
    ...[...shapes].map((shape): Fact => [true, `The GPU has no colliders of the shape "${shape}"; it has spheres, capsules and planes.`]),
    ...[...narrowShapes(deformable, colliders)].map((shape): Fact => [true, `A ${shape} is narrower than a triangle: the CPU treats it as a surface, the GPU only tests particles.`]),
    [beginsInside(deformable, colliders), "A particle is inside a collider, which the CPU corrects at a limited speed."],
  ];
}

/** How the GPU differs from a world, for its first deformable or another one; empty where both compute the same. */
export function findDifferences(world: WorldLike, descriptors: DescriptorsLike, deformable: DeformableLike = world.deformables[0]!): WorldDifference[] {
  const facts = factsOf(world, deformable).filter(([isSo]) => isSo);
  return [
    ...unknownProperties(world, descriptors, deformable),
    ...unknownParameters(descriptors, deformable),
    ...facts.map(([, sentence, fix]) => (fix ? { sentence, fix } : { sentence })),
  ];
}
