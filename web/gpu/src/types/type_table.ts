// The constraint types that the graphics card projects, one line each.
import { dihedral } from "./dihedral.js";
import { distance, oppositeDistance, stick } from "./distance.js";
import { isometric } from "./isometric.js";
import { triangle } from "./triangle.js";
import type { GpuTypeRow } from "./type_row.js";

export const TYPES: readonly GpuTypeRow[] = [distance, stick, oppositeDistance, isometric, triangle, dihedral];

/** The row of that name, or undefined. */
export const typeNamed = (name: string): GpuTypeRow | undefined => TYPES.find((row) => row.name === name);
