// Vectors, rotations and poses as callers may give them: arrays, or objects with x, y, z such as those of three.js.

/** A vector or point [m, unless said otherwise]: three numbers, or an object with x, y and z. */
export type VectorLike = ArrayLike<number> | { readonly x: number; readonly y: number; readonly z: number };

/** A rotation: a unit quaternion as x, y, z, w, or an object with these. */
export type RotationLike =
  | ArrayLike<number>
  | { readonly x: number; readonly y: number; readonly z: number; readonly w: number };

/**
 * A rigid pose: rotate, then translate. What is missing is 0 and the identity. Objects of three.js are poses:
 * where `quaternion` is given it counts and `rotation` (there three angles) is not read.
 */
export interface PoseLike {
  readonly position?: VectorLike;
  readonly rotation?: RotationLike | object;
  readonly quaternion?: RotationLike;
}

/** Three numbers x, y, z, as results have them. */
export type Vector = [x: number, y: number, z: number];

/** A unit quaternion x, y, z, w, as results have it. */
export type Rotation = [x: number, y: number, z: number, w: number];

/** A rigid pose, as results have it. */
export interface Pose {
  position: Vector;
  rotation: Rotation;
}
