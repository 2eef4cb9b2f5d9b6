import type { Deformable, Mesh, World } from "pliant";
type Point = [number, number];
export interface System { x: Point[]; v: Point[]; p: Point[]; w: number[]; constraints: { a: number; b: number; d: number }[]; floor: number[]; stiffness: number; iterations: number; dt: number }
/** Where a step has stopped: a line of Algorithm 1, and on line 10 the constraint that was projected. */
export interface Stop { line: number; iteration?: number; constraint?: number; floor?: number; C?: number; s?: number }
export function makeSystem(positions: Point[], masses: number[], fixed: number, edges: Point[], stiffness: number, iterations: number, dt: number): System;
export function perIteration(k: number, n: number): number;
export function step(system: System): Generator<Stop, void, void>;
export function makeWorld(positions: Point[], masses: number[], fixed: number, triangles: number[], edges: Point[], stiffness: number, iterations: number): { world: World; body: Deformable; mesh: Mesh };
