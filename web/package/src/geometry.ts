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
}

/** One vertex for each position, by a hash of the bits of its three floats. */
class Welder {
  readonly #bits = new Uint32Array(3);
  readonly #floats = new Float32Array(this.#bits.buffer);
  readonly #slots: Int32Array;
  readonly #welded: Float32Array;
  count = 0;

  constructor(capacity: number) {
    let size = 16;
    while (size < 2 * capacity) size *= 2;
    this.#slots = new Int32Array(size).fill(-1);
    this.#welded = new Float32Array(3 * capacity);
  }

  /** The vertex at a position. */
  vertex(x: number, y: number, z: number): number {
    // Adding 0 makes one zero of both.
    this.#floats.set([x + 0, y + 0, z + 0]);
    const [a, b, c] = this.#floats as unknown as [number, number, number];
    const [i, j, k] = this.#bits as unknown as [number, number, number];
    const mask = this.#slots.length - 1;
    let slot = (Math.imul(i, 0x9e3779b1) ^ Math.imul(j, 0x85ebca77) ^ Math.imul(k, 0xc2b2ae3d)) & mask;
    for (; ; slot = (slot + 1) & mask) {
      const at = this.#slots[slot] as number;
      if (at < 0) break;
      if (this.#welded[3 * at] === a && this.#welded[3 * at + 1] === b && this.#welded[3 * at + 2] === c) return at;
    }
    this.#slots[slot] = this.count;
    this.#welded.set([a, b, c], 3 * this.count);
    return this.count++;
  }

  result(): Float32Array {
    return this.#welded.slice(0, 3 * this.count);
  }
}

/** The triangles of a geometry over welded vertices. */
export function weldGeometry(geometry: GeometryLike, scale: number): WeldedGeometry {
  const position = geometry.attributes.position as AttributeLike | undefined;
  if (!position) throw new PliantError("invalid mesh", "the geometry has no attribute 'position'");
  const welder = new Welder(position.count);
  const vertexMap = new Int32Array(position.count);
  for (let i = 0; i < position.count; i++)
    vertexMap[i] = welder.vertex(scale * position.getX(i), scale * position.getY(i), scale * position.getZ(i));
  const index = geometry.index ?? null;
  const corners = index ? index.count : position.count;
  if (corners % 3 !== 0)
    throw new PliantError("invalid mesh", `the geometry has ${corners} corners; triangles have 3 each`);
  const faces = new Int32Array(corners);
  for (let i = 0; i < corners; i++) {
    const vertex = index ? (index.array[i] as number) : i;
    if (!(vertex < position.count))
      throw new PliantError("invalid mesh", `index ${i} of the geometry is ${vertex}; it has ${position.count} vertices`);
    faces[i] = vertexMap[vertex] as number;
  }
  return { positions: welder.result(), faces, vertexMap, byCorner: !index };
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
