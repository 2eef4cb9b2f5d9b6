// Vectors, rotations and poses as callers may give them: arrays, or objects with x, y, z such as those of three.js.

import { given } from "./errors.js";

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

interface XYZ {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w?: number;
}

/** The numbers of a vector, for a call that puts them into memory. */
export function vectorOf(vector: VectorLike): Vector {
  given(vector, "a vector");
  if ("x" in vector) return [vector.x, vector.y, vector.z];
  return [vector[0] as number, vector[1] as number, vector[2] as number];
}

function rotationOf(rotation: RotationLike | object | undefined): Rotation {
  if (!rotation) return [0, 0, 0, 1];
  if ("w" in rotation) {
    const { x, y, z, w } = rotation as Required<XYZ>;
    return [x, y, z, w];
  }
  const [x, y, z, w] = Array.from(rotation as ArrayLike<number>);
  return [x, y, z, w] as Rotation;
}

/** Seven numbers: position and rotation. */
export function poseOf(pose: PoseLike | undefined): number[] {
  const position = pose?.position ? vectorOf(pose.position) : [0, 0, 0];
  return [...position, ...rotationOf(pose?.quaternion ?? pose?.rotation)];
}
