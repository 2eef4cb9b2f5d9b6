// A deformable as a picture: its triangles, subdivided once (Loop 1987) where they are few, with smooth normals.
//
// Subdivision is for the picture only. It is a sparse matrix over the particles, made when the faces change: each drawn vertex is a
// sum of at most twelve particles or so, and a frame is one product.
import * as THREE from "three";
import type { Deformable } from "pliant";
import { fabric, ramp, THREAD, type SurfaceLook } from "./looks.ts";

const FEW = 3200;

interface Stencils { offsets: Int32Array; sources: Int32Array; weights: Float32Array; triangles: Uint32Array; count: number }

/** Edges of triangles: both ends of each, the corners opposite to it (-1: none), and the edge that starts at each corner of each triangle. */
interface Edges { count: number; ends: Int32Array; opposite: Int32Array; ofCorner: Int32Array }

function edgesOf(triangles: ArrayLike<number>, vertices: number): Edges {
  const known = new Map<number, number>(), corners = triangles.length, ends = new Int32Array(2 * corners), opposite = new Int32Array(2 * corners).fill(-1), ofCorner = new Int32Array(corners);
  let count = 0;
  for (let t = 0; t < corners; t += 3)
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k], b = triangles[t + ((k + 1) % 3)], c = triangles[t + ((k + 2) % 3)], key = Math.min(a, b) * vertices + Math.max(a, b);
      let edge = known.get(key);
      if (edge === undefined) {
        known.set(key, (edge = count++));
        ends[2 * edge] = a;
        ends[2 * edge + 1] = b;
        opposite[2 * edge] = c;
      } else if (opposite[2 * edge + 1] < 0) opposite[2 * edge + 1] = c;
      ofCorner[t + k] = edge;
    }
  return { count, ends: ends.subarray(0, 2 * count), opposite: opposite.subarray(0, 2 * count), ofCorner };
}

/** Both ends of each edge that has one triangle. */
function borderOf(triangles: ArrayLike<number>, vertices: number): Uint32Array {
  const { count, ends, opposite } = edgesOf(triangles, vertices), found: number[] = [];
  for (let e = 0; e < count; e++) if (opposite[2 * e + 1] < 0) found.push(ends[2 * e], ends[2 * e + 1]);
  return Uint32Array.from(found);
}

class Rows {
  private offsets = [0];
  private sources: number[] = [];
  private weights: number[] = [];
  /** Sources and weights in turns. */
  row(entries: number[]): void {
    for (let i = 0; i < entries.length; i += 2) { this.sources.push(entries[i]); this.weights.push(entries[i + 1]); }
    this.offsets.push(this.sources.length);
  }
  done(triangles: Uint32Array): Stencils {
    return { offsets: Int32Array.from(this.offsets), sources: Int32Array.from(this.sources), weights: Float32Array.from(this.weights), triangles, count: this.offsets.length - 1 };
  }
}

function plain(triangles: ArrayLike<number>, count: number): Stencils {
  const rows = new Rows();
  for (let i = 0; i < count; i++) rows.row([i, 1]);
  return rows.done(Uint32Array.from(triangles));
}

function loop(triangles: ArrayLike<number>, count: number): Stencils {
  const edges = edgesOf(triangles, count), { ends, opposite, ofCorner } = edges, rows = new Rows();
  const ring: number[][] = Array.from({ length: count }, () => []), border: number[][] = Array.from({ length: count }, () => []);
  for (let e = 0; e < edges.count; e++) {
    const a = ends[2 * e], b = ends[2 * e + 1];
    ring[a].push(b); ring[b].push(a);
    if (opposite[2 * e + 1] < 0) { border[a].push(b); border[b].push(a); }
  }
  for (let i = 0; i < count; i++) {
    const n = ring[i].length;
    if (border[i].length === 2) rows.row([i, 0.75, border[i][0], 0.125, border[i][1], 0.125]);
    else if (border[i].length > 0 || n < 3) rows.row([i, 1]);
    else {
      const beta = n === 3 ? 3 / 16 : 3 / (8 * n), row = [i, 1 - n * beta];
      for (const j of ring[i]) row.push(j, beta);
      rows.row(row);
    }
  }
  for (let e = 0; e < edges.count; e++) {
    const a = ends[2 * e], b = ends[2 * e + 1], c = opposite[2 * e], d = opposite[2 * e + 1];
    rows.row(d < 0 ? [a, 0.5, b, 0.5] : [a, 0.375, b, 0.375, c, 0.125, d, 0.125]);
  }
  const out = new Uint32Array(4 * triangles.length);
  for (let t = 0, o = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]], [p, q, r] = [count + ofCorner[t], count + ofCorner[t + 1], count + ofCorner[t + 2]];
    for (const i of [a, p, r, b, q, p, c, r, q, p, q, r]) out[o++] = i;
  }
  return rows.done(out);
}

/** Rest coordinates of a mesh that is flat at rest [threads]; null for others, which have no weave. */
function flatCoordinates(rest: Float32Array): Float32Array | null {
  const n = rest.length / 3, low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], rest[3 * i + k]); high[k] = Math.max(high[k], rest[3 * i + k]); }
  const size = low.map((x, k) => high[k] - x), thin = size.indexOf(Math.min(...size));
  if (size[thin] > 0.02 * Math.max(...size)) return null;
  const [a, b] = [0, 1, 2].filter((k) => k !== thin), out = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) { out[2 * i] = rest[3 * i + a] / THREAD; out[2 * i + 1] = rest[3 * i + b] / THREAD; }
  return out;
}

/** Distance of each vertex from the border at rest [m]. */
function fromBorder(rest: Float32Array, triangles: Int32Array): Float32Array {
  const n = rest.length / 3, { count, ends, opposite } = edgesOf(triangles, n), far = new Float32Array(n).fill(1);
  for (let e = 0; e < count; e++) {
    if (opposite[2 * e + 1] >= 0) continue;
    const a = 3 * ends[2 * e], b = 3 * ends[2 * e + 1], d = [0, 1, 2].map((k) => rest[b + k] - rest[a + k]), square = d[0] ** 2 + d[1] ** 2 + d[2] ** 2 || 1;
    for (let i = 0; i < n; i++) {
      const p = 3 * i, x = rest[p] - rest[a], y = rest[p + 1] - rest[a + 1], z = rest[p + 2] - rest[a + 2], t = Math.min(1, Math.max(0, (x * d[0] + y * d[1] + z * d[2]) / square));
      far[i] = Math.min(far[i], Math.hypot(x - t * d[0], y - t * d[1], z - t * d[2]));
    }
  }
  return far;
}

export class Surface {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  readonly wire: THREE.LineSegments;
  /** Edges of one triangle, drawn where the cloth is cut. */
  readonly border: THREE.LineSegments;
  private stencils!: Stencils;
  private positions!: Float32Array;
  private normals!: Float32Array;
  private particles = 0;
  private faces: Int32Array = new Int32Array();

  constructor(look: SurfaceLook, plain = false) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), fabric(look, plain));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.wire = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x1d2327, transparent: true, opacity: 0.45 }));
    this.wire.frustumCulled = false;
    this.wire.visible = false;
    this.border = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: new THREE.Color(look.front).multiplyScalar(0.25) }));
    this.border.frustumCulled = this.border.visible = false;
  }

  /** Whether it was shaped for these faces. */
  fits(one: Deformable): boolean {
    const { triangles } = one;
    return this.particles === one.vertexCount && this.faces.length === triangles.length && this.faces.every((v, i) => v === triangles[i]);
  }

  /** Takes the faces that the deformable has now. */
  shape(one: Deformable): void {
    const triangles = one.triangles, count = one.vertexCount;
    this.particles = count;
    this.faces = Int32Array.from(triangles);
    const stencils = (this.stencils = count < FEW ? loop(triangles, count) : plain(triangles, count));
    this.positions = new Float32Array(3 * stencils.count);
    this.normals = new Float32Array(3 * stencils.count);
    const geometry = this.mesh.geometry;
    geometry.dispose();
    const fresh = (this.mesh.geometry = new THREE.BufferGeometry());
    fresh.setAttribute("position", new THREE.BufferAttribute(this.positions, 3).setUsage(THREE.DynamicDrawUsage));
    fresh.setAttribute("normal", new THREE.BufferAttribute(this.normals, 3).setUsage(THREE.DynamicDrawUsage));
    fresh.setAttribute("weave", new THREE.BufferAttribute(this.restCoordinates(one), 3));
    fresh.setAttribute("measured", new THREE.BufferAttribute(new Float32Array(3 * stencils.count), 3).setUsage(THREE.DynamicDrawUsage));
    fresh.setIndex(new THREE.BufferAttribute(stencils.triangles, 1));
    this.wire.geometry.dispose();
    this.wire.geometry = new THREE.BufferGeometry();
    if (this.wire.visible) this.wires(true);
    this.border.geometry.dispose();
    this.border.geometry = new THREE.BufferGeometry();
    if (this.border.visible) this.borders(true);
  }

  /** Shows or hides the border, which is found when it is first shown. */
  borders(on: boolean): void {
    this.border.visible = on;
    const { geometry } = this.border;
    if (!on || geometry.index) return;
    geometry.setAttribute("position", this.mesh.geometry.getAttribute("position"));
    geometry.setIndex(new THREE.BufferAttribute(borderOf(this.stencils.triangles, this.stencils.count), 1));
  }

  /** The tool's circle around a point; null for none. */
  ring(point: readonly [number, number, number] | null, radius: number, outer: number): void {
    const { ringAt, ringSize } = this.mesh.material.userData.uniforms as { ringAt: { value: THREE.Vector3 }; ringSize: { value: THREE.Vector2 } };
    ringSize.value.set(point ? radius : 0, outer);
    if (point) ringAt.value.set(...point);
  }

  /** Shows or hides the edges, which are found when they are first asked for. */
  wires(on: boolean): void {
    this.wire.visible = on;
    const { geometry } = this.wire;
    if (!on || geometry.index) return;
    geometry.setAttribute("position", this.mesh.geometry.getAttribute("position"));
    geometry.setIndex(new THREE.BufferAttribute(Uint32Array.from(edgesOf(this.faces, this.particles).ends), 1));
  }

  /** Rest coordinates of the weave [threads] and the distance from the border at rest [m]. */
  private restCoordinates(one: Deformable): Float32Array {
    const rest = one.mesh.topology.positions, flat = flatCoordinates(rest), uniforms = this.mesh.material.userData.uniforms as { weaveDepth: { value: number }; hem: { value: THREE.Vector4 }; print: { value: THREE.Vector2 } };
    const joined = new Float32Array(3 * this.particles).fill(1), out = new Float32Array(3 * this.stencils.count);
    if (!flat) uniforms.weaveDepth.value = uniforms.print.value.x = 0;
    if (one.vertexCount !== one.mesh.vertexCount) { uniforms.hem.value.w = 0; return out; }
    const far = uniforms.hem.value.w > 0 ? fromBorder(rest, this.faces) : null;
    for (let i = 0; i < this.particles; i++) { joined[3 * i] = flat?.[2 * i] ?? 0; joined[3 * i + 1] = flat?.[2 * i + 1] ?? 0; joined[3 * i + 2] = far?.[i] ?? 1; }
    this.sum(joined, 3, out, 3);
    return out;
  }

  private sum(values: Float32Array, stride: number, out: Float32Array, size: number): void {
    const { offsets, sources, weights, count } = this.stencils;
    for (let i = 0; i < count; i++)
      for (let k = 0; k < size; k++) {
        let total = 0;
        for (let e = offsets[i]; e < offsets[i + 1]; e++) total += weights[e] * values[stride * sources[e] + k];
        out[size * i + k] = total;
      }
  }

  /** Takes the positions of now. */
  update(one: { positions: Float32Array; stride: number }): void {
    const view = one.positions, stride = one.stride, { offsets, sources, weights, count } = this.stencils, out = this.positions;
    for (let i = 0; i < count; i++) {
      let x = 0, y = 0, z = 0;
      for (let e = offsets[i]; e < offsets[i + 1]; e++) {
        const s = stride * sources[e], w = weights[e];
        x += w * view[s]; y += w * view[s + 1]; z += w * view[s + 2];
      }
      out[3 * i] = x; out[3 * i + 1] = y; out[3 * i + 2] = z;
    }
    smoothNormals(out, this.stencils.triangles, this.normals);
    this.mesh.geometry.attributes.position.needsUpdate = true;
    this.mesh.geometry.attributes.normal.needsUpdate = true;
  }

  /** Colours by a value a particle; null for the cloth's own. */
  colour(values: Float32Array | null, low: number, high: number, signed: boolean): void {
    const uniforms = this.mesh.material.userData.uniforms as { measuring: { value: number } };
    uniforms.measuring.value = values ? 1 : 0;
    if (!values) return;
    const attribute = this.mesh.geometry.attributes.measured as THREE.BufferAttribute, out = attribute.array as Float32Array;
    const smooth = new Float32Array(this.stencils.count), colour = new THREE.Color();
    this.sum(values, 1, smooth, 1);
    for (let i = 0; i < smooth.length; i++) {
      colour.setRGB(...ramp((smooth[i] - low) / (high - low || 1), signed), THREE.SRGBColorSpace);
      out[3 * i] = colour.r; out[3 * i + 1] = colour.g; out[3 * i + 2] = colour.b;
    }
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
    this.wire.geometry.dispose();
    (this.wire.material as THREE.Material).dispose();
    this.border.geometry.dispose();
    (this.border.material as THREE.Material).dispose();
  }
}

/** Sums of face normals, by area. */
export function smoothNormals(p: Float32Array, triangles: Uint32Array, out: Float32Array): void {
  out.fill(0);
  for (let t = 0; t < triangles.length; t += 3) {
    const a = 3 * triangles[t], b = 3 * triangles[t + 1], c = 3 * triangles[t + 2];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    out[a] += nx; out[a + 1] += ny; out[a + 2] += nz;
    out[b] += nx; out[b + 1] += ny; out[b + 2] += nz;
    out[c] += nx; out[c + 1] += ny; out[c + 2] += nz;
  }
  for (let i = 0; i < out.length; i += 3) {
    const l = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    out[i] /= l; out[i + 1] /= l; out[i + 2] /= l;
  }
}
