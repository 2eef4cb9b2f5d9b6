export type Row = [number, number, number];
export function edgeRows(triangles: ArrayLike<number>): Row[];
export function sortRows(rows: Row[]): Row[];
export function findTriNeighbors(triangles: ArrayLike<number>, skip?: number): Int32Array;
export function getTriPairIds(triangles: ArrayLike<number>, neighbors: ArrayLike<number>): Int32Array;
export function project(x2: number[], x3: number[], w2: number, w3: number, d: number, compliance: number, dt: number, before?: number):
  { C: number; n: number[]; lambda: number; dx2: number[]; dx3: number[] };
export function chainStretch(method: "xpbd" | "pbd", iterations: number): number;
export function colourEdges(edges: [number, number][]): number[];
export function projectHeight(b0: number[], b1: number[], v: number[], w: number[], h0: number, kappa: number, relation?: "equal" | "at_most" | "at_least"):
  { C: number; h: number; n: number[]; acts: boolean; db0: number[]; db1: number[]; dv: number[] };
export function signedHeight(b0: number[], b1: number[], v: number[], normal: number[], rest: number): number;
