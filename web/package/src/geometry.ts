// Geometries of three.js, and objects of the same shape: read with vertices welded, and written back.
import { PliantError } from "./errors.js";

/** What of a three.js BufferAttribute is read. */
export interface AttributeLike {
  readonly count: number;
  getX(index: number): number;
  getY(index: number): number;
  getZ(index: number): number;
}

/** What of a three.js BufferGeometry is read; plain objects of this shape do too. */
export interface GeometryLike {
  readonly attributes: { readonly position?: AttributeLike } | Record<string, unknown>;
  readonly index?: { readonly array: ArrayLike<number>; readonly count: number } | null;
}

/** What of a three.js BufferAttribute is written. */
export interface WritableAttribute {
  readonly count: number;
  readonly itemSize: number;
  needsUpdate: boolean;
  setXYZ(index: number, x: number, y: number, z: number): unknown;
  /** The numbers, which are written at once where the attribute is not interleaved. */
  readonly array?: ArrayLike<number>;
  readonly isInterleavedBufferAttribute?: boolean;
}

/** What of a three.js BufferGeometry is written. */
export interface WritableGeometry {
  readonly attributes: { readonly position?: unknown; readonly normal?: unknown } | Record<string, unknown>;
}

export interface WeldedGeometry {
  positions: Float32Array;
  faces: Int32Array;
  /** Welded vertex of each vertex of the geometry. */
  vertexMap: Int32Array;
  /** The geometry has no index, so that its vertices are the corners of its triangles. */
  byCorner: boolean;
  weld: WeldReport;
}

/** What welding did to a geometry. */
export interface WeldReport {
  /** Vertices merged into another one. */
  mergedVertices: number;
  /** Triangles that lost their area by that, and were dropped. */
  droppedTriangles: number;
}

const NEAR = 1e-6; // Of the diagonal of the bounding box, as in io/soup/soup_weld.c.
const CELL = 4; // The width of a cell, in distances within which vertices are one.

/**
 * Merges each vertex into the lowest one that remains within a millionth of the size, by a grid of cells: three.js rounds the
 * end of a circle to other bits than its beginning, sin(2 pi) to -2.4e-16. Vertices that are not finite remain.
 */
function weldVertices(positions: Float32Array): { vertexMap: Int32Array; kept: number[] } {
  const count = positions.length / 3;
  const at = (i: number, k: number): number => positions[3 * i + k] as number;
  const finite = (i: number): boolean => Number.isFinite(at(i, 0)) && Number.isFinite(at(i, 1)) && Number.isFinite(at(i, 2));
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 3 && finite(i); k++) {
      low[k] = Math.min(low[k] as number, at(i, k));
      high[k] = Math.max(high[k] as number, at(i, k));
    }
  const sides = low.map((x, k) => (high[k] as number) - x);
  const distance = NEAR * Math.sqrt(sides.reduce((sum, x) => sum + x * x, 0));
  const size = CELL * distance;
  const cell = (x: number, k: number): number => (size > 0 ? Math.floor((x - (low[k] as number)) / size) : 0);
  const hash = (i: number, j: number, k: number): number => {
    let h = Math.imul(i, 0x9e3779b1) ^ Math.imul(j, 0x85ebca77) ^ Math.imul(k, 0xc2b2ae3d);
    h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
    return (h ^ (h >>> 13)) & mask;
  };
  let mask = 15;
  while (mask < 2 * count) mask = 2 * mask + 1;
  const heads = new Int32Array(mask + 1).fill(-1); // Vertices that remain, by bucket.
  const next = new Int32Array(count);
  const vertexMap = new Int32Array(count);
  const kept: number[] = [];
  const numbers = new Int32Array(count); // Of vertices that remain.
  for (let v = 0; v < count; v++) {
    const [x, y, z] = [at(v, 0), at(v, 1), at(v, 2)];
    let lowest = v;
    if (finite(v)) {
      const [endX, endY, endZ] = [cell(x + distance, 0), cell(y + distance, 1), cell(z + distance, 2)];
      for (let i = cell(x - distance, 0); i <= endX; i++)
        for (let j = cell(y - distance, 1); j <= endY; j++)
          for (let k = cell(z - distance, 2); k <= endZ; k++)
            for (let w = heads[hash(i, j, k)] as number; w >= 0; w = next[w] as number)
              if (w < lowest && (at(w, 0) - x) ** 2 + (at(w, 1) - y) ** 2 + (at(w, 2) - z) ** 2 <= distance * distance) lowest = w;
    }
    if (lowest === v) {
      const bucket = hash(cell(x, 0), cell(y, 1), cell(z, 2));
      next[v] = heads[bucket] as number;
      heads[bucket] = v;
      numbers[v] = kept.push(v) - 1;
    }
    vertexMap[v] = numbers[lowest] as number;
  }
  return { vertexMap, kept };
}

/** The triangles of a geometry over welded vertices, without those that lost their area. */
export function weldGeometry(geometry: GeometryLike, scale: number): WeldedGeometry {
  const position = geometry.attributes.position as AttributeLike | undefined;
  if (!position) throw new PliantError("invalid mesh", "the geometry has no attribute 'position'");
  const all = new Float32Array(3 * position.count);
  for (let i = 0; i < position.count; i++) // Adding 0 makes one zero of both.
    all.set([scale * position.getX(i) + 0, scale * position.getY(i) + 0, scale * position.getZ(i) + 0], 3 * i);
  const { vertexMap, kept } = weldVertices(all);
  const positions = new Float32Array(3 * kept.length);
  kept.forEach((vertex, i) => positions.set(all.subarray(3 * vertex, 3 * vertex + 3), 3 * i));
  const index = geometry.index ?? null;
  const corners = index ? index.count : position.count;
  if (corners % 3 !== 0)
    throw new PliantError("invalid mesh", `the geometry has ${corners} corners; triangles have 3 each`);
  const faces = new Int32Array(corners);
  let used = 0;
  for (let i = 0; i < corners; i += 3) {
    const given = [0, 1, 2].map((k) => (index ? (index.array[i + k] as number) : i + k));
    given.forEach((vertex, k) => {
      if (!(vertex < position.count))
        throw new PliantError("invalid mesh", `index ${i + k} of the geometry is ${vertex}; it has ${position.count} vertices`);
      faces[used + k] = vertexMap[vertex] as number;
    });
    const lost = given.some((vertex, k) => {
      const other = (k + 1) % 3;
      return faces[used + k] === faces[used + other] && vertex !== given[other];
    });
    if (!lost) used += 3;
  }
  const weld = { mergedVertices: position.count - kept.length, droppedTriangles: (corners - used) / 3 };
  return { positions, faces: faces.slice(0, used), vertexMap, byCorner: !index && used === corners, weld };
}

/** Copies strided vectors to packed ones: vector i of `to` is that of map[i], or of i. */
export function copyVectors(
  from: Float32Array,
  stride: number,
  to: { [index: number]: number },
  count: number,
  map: ArrayLike<number> | null,
): void {
  for (let i = 0, at = 0; i < count; i++) {
    let k = stride * (map ? (map[i] as number) : i);
    to[at++] = from[k++] as number;
    to[at++] = from[k++] as number;
    to[at++] = from[k] as number;
  }
}

/** Writes vectors into an attribute and marks it as changed. */
export function writeAttribute(
  attribute: WritableAttribute,
  from: Float32Array,
  stride: number,
  count: number,
  map: ArrayLike<number> | null,
): void {
  if (attribute.array && attribute.itemSize === 3 && !attribute.isInterleavedBufferAttribute) {
    copyVectors(from, stride, attribute.array as unknown as { [index: number]: number }, count, map);
  } else {
    for (let i = 0; i < count; i++) {
      const k = stride * (map ? (map[i] as number) : i);
      attribute.setXYZ(i, from[k] as number, from[k + 1] as number, from[k + 2] as number);
    }
  }
  attribute.needsUpdate = true;
}
