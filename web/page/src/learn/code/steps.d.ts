import type { ConstraintTypeName, Deformable, Mesh, World } from "pliant";
export interface Made { world: World; mesh: Mesh; cloth: Deformable }
export function neighborsOf(triangles: ArrayLike<number>, vertexCount: number): Int32Array;
export function pairsOf(triangles: ArrayLike<number>, vertexCount: number): Int32Array;
export function tipConstraint(restPositions: number[], positions: number[]): { C: number; gradients: Float64Array };
export function swatch(type: ConstraintTypeName, parameters: Record<string, number | string>, substeps: number): Made;
export function square(method: "xpbd" | "pbd", substeps: number, iterations: number): Made;
