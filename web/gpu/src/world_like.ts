// The parts of the classes of the package `pliant` that this package reads. They are structural, so it compiles without the other.

export type VectorLike = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** The part of a ConstraintSet of `pliant` that is read. */
export interface ConstraintSetLike {
  readonly type: string;
  readonly constraintCount: number;
  read(name: never): unknown;
  at(index: number): { particles: ArrayLike<number>; rest: ArrayLike<number> };
  /** The order of projection (pli_constraint_set_sequence). */
  sequence(): { particles: ArrayLike<number>; rest: ArrayLike<number>; scales: ArrayLike<number> };
}

/** The part of a Deformable that is read. */
export interface DeformableLike {
  readonly vertexCount: number;
  readonly stride: number;
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
  readonly mesh: { readonly topology: Readonly<Record<"positions" | "edges" | "triangles", ArrayLike<number>>> };
  readonly properties: {
    readonly thickness: number;
    readonly layer?: number;
    readonly collides_with?: readonly number[] | null;
  };
  readonly attachments?: readonly { readonly properties: { readonly enabled: boolean } }[];
  readonly constraintSets: readonly ConstraintSetLike[];
  copyInverseMasses(): ArrayLike<number>;
}

/** The part of a Collider that is read. */
export interface ColliderLike {
  readonly pose: { readonly position: ArrayLike<number>; readonly rotation: ArrayLike<number> };
  readonly properties: {
    readonly shape: string;
    readonly radius: number;
    readonly half_height: number;
    readonly thickness: number;
    readonly friction: number;
    readonly restitution: number;
    readonly layer?: number;
    readonly collides_with?: readonly number[] | null;
  };
}

/** The part of a World that is read. */
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
    readonly air_friction: number;
    readonly wind: VectorLike;
  };
  readonly deformables: readonly DeformableLike[];
  readonly colliders: readonly ColliderLike[];
  readonly rigidBodies?: ArrayLike<unknown>;
}

/** A parameter, or undefined if the type has none of that name. */
export function readParameter(set: ConstraintSetLike, name: string): unknown {
  try {
    return set.read(name as never);
  } catch {
    return undefined;
  }
}

/** Whether particles of the deformable touch a collider at all, by their layers. */
export function touches(deformable: DeformableLike, collider: ColliderLike): boolean {
  const sees = (list: readonly number[] | null | undefined, layer = 0): boolean => !list || list.includes(layer);
  const { properties: one } = deformable;
  const { properties: other } = collider;
  return sees(one.collides_with, other.layer) && sees(other.collides_with, one.layer);
}
