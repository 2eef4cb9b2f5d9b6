export type Triple = [number, number, number];
export function ringsOf(edges: ArrayLike<number>, count: number): number[][];
export function straightest(positions: ArrayLike<number>, ring: number[], v: number, bound: number, tolerance: number): number[];
export function triples(positions: ArrayLike<number>, rings: number[][]): Triple[];
export function triplesByIndex(positions: ArrayLike<number>, rings: number[][]): Triple[];
export function triplesByMap(positions: ArrayLike<number>, rings: number[][]): Triple[];
export function sharedEdges(offsets: ArrayLike<number>, vertices: ArrayLike<number>): number;
export function sticks(positions: ArrayLike<number>, rings: number[][]): number;
