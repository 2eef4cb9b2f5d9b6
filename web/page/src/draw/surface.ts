// A deformable as a picture: its triangles, subdivided once (Loop 1987) where they are few, with smooth normals.
//
// Subdivision is for the picture only. It is a sparse matrix over the particles, made when the faces change: each drawn vertex is a
// sum of at most twelve particles or so, and a frame is one product.
import * as THREE from "three";
import type { Deformable } from "pliant";
import { fabric, ramp, type SurfaceLook } from "./looks.ts";

const FEW = 3200;
const THREAD = 0.004;

interface Stencils { offsets: Int32Array; sources: Int32Array; weights: Float32Array; triangles: Uint32Array; count: number }

/** Two triangles by edge, as the corners opposite to it. */
function edgesOf(triangles: ArrayLike<number>, count: number): Map<number, { id: number; ends: [number, number]; opposite: number[] }> {
  const edges = new Map<number, { id: number; ends: [number, number]; opposite: number[] }>();
  for (let t = 0; t < triangles.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const a = triangles[t + k], b = triangles[t + ((k + 1) % 3)], c = triangles[t + ((k + 2) % 3)];
      const key = Math.min(a, b) * count + Math.max(a, b);
      const edge = edges.get(key);
      if (edge) edge.opposite.push(c);
      else edges.set(key, { id: edges.size, ends: [a, b], opposite: [c] });
    }
  return edges;
}

class Rows {
  private offsets = [0];
  private sources: number[] = [];
  private weights: number[] = [];
  row(entries: [number, number][]): void {
    for (const [source, weight] of entries) { this.sources.push(source); this.weights.push(weight); }
    this.offsets.push(this.sources.length);
  }
  done(triangles: Uint32Array): Stencils {
    return { offsets: Int32Array.from(this.offsets), sources: Int32Array.from(this.sources), weights: Float32Array.from(this.weights), triangles, count: this.offsets.length - 1 };
  }
}

function plain(triangles: ArrayLike<number>, count: number): Stencils {
  const rows = new Rows();
  for (let i = 0; i < count; i++) rows.row([[i, 1]]);
  return rows.done(Uint32Array.from(triangles));
}

function loop(triangles: ArrayLike<number>, count: number): Stencils {
  const edges = edgesOf(triangles, count), rows = new Rows();
  const ring: Set<number>[] = Array.from({ length: count }, () => new Set()), border: number[][] = Array.from({ length: count }, () => []);
  for (const { ends: [a, b], opposite } of edges.values()) {
    ring[a].add(b); ring[b].add(a);
    if (opposite.length === 1) { border[a].push(b); border[b].push(a); }
  }
  for (let i = 0; i < count; i++) {
    const n = ring[i].size;
    if (border[i].length === 2) rows.row([[i, 0.75], [border[i][0], 0.125], [border[i][1], 0.125]]);
    else if (border[i].length > 0 || n < 3) rows.row([[i, 1]]);
    else {
      const beta = n === 3 ? 3 / 16 : 3 / (8 * n);
      rows.row([[i, 1 - n * beta], ...[...ring[i]].map((j): [number, number] => [j, beta])]);
    }
  }
  for (const { ends: [a, b], opposite } of edges.values())
    rows.row(opposite.length === 2 ? [[a, 0.375], [b, 0.375], [opposite[0], 0.125], [opposite[1], 0.125]] : [[a, 0.5], [b, 0.5]]);
  const out = new Uint32Array(4 * triangles.length);
  for (let t = 0, o = 0; t < triangles.length; t += 3) {
    const v = [0, 1, 2].map((k) => triangles[t + k]);
    const e = v.map((a, k) => { const b = v[(k + 1) % 3]; return count + edges.get(Math.min(a, b) * count + Math.max(a, b))!.id; });
    for (const i of [v[0], e[0], e[2], v[1], e[1], e[0], v[2], e[2], e[1], e[0], e[1], e[2]]) out[o++] = i;
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

export class Surface {
  readonly mesh: THREE.Mesh<THREE.BufferGeometry, THREE.Material>;
  readonly wire: THREE.LineSegments;
  private stencils!: Stencils;
  private positions!: Float32Array;
  private normals!: Float32Array;
  private wireIndex: Uint32Array | null = null;
  private particles = 0;
  private faces: Int32Array = new Int32Array();

  constructor(look: SurfaceLook, plain = false) {
    this.mesh = new THREE.Mesh(new THREE.BufferGeometry(), fabric(look, plain));
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.wire = new THREE.LineSegments(new THREE.BufferGeometry(), new THREE.LineBasicMaterial({ color: 0x1d2327, transparent: true, opacity: 0.45 }));
    this.wire.frustumCulled = false;
    this.wire.visible = false;
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
    fresh.setAttribute("weave", new THREE.BufferAttribute(this.restCoordinates(one), 2));
    fresh.setAttribute("measured", new THREE.BufferAttribute(new Float32Array(3 * stencils.count), 3).setUsage(THREE.DynamicDrawUsage));
    fresh.setIndex(new THREE.BufferAttribute(stencils.triangles, 1));
    this.wireIndex = Uint32Array.from([...edgesOf(triangles, count).values()].flatMap(({ ends }) => ends));
    this.wire.geometry.dispose();
    this.wire.geometry = new THREE.BufferGeometry();
    this.wire.geometry.setAttribute("position", fresh.getAttribute("position"));
    this.wire.geometry.setIndex(new THREE.BufferAttribute(this.wireIndex, 1));
  }

  private restCoordinates(one: Deformable): Float32Array {
    const rest = flatCoordinates(one.mesh.topology.positions), out = new Float32Array(2 * this.stencils.count);
    const uniforms = this.mesh.material.userData.uniforms as { weaveDepth: { value: number } };
    if (!rest || one.vertexCount !== one.mesh.vertexCount) { if (!rest) uniforms.weaveDepth.value = 0; return out; }
    this.sum(rest, 2, out, 2);
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
  }
}

/** Sums of face normals, by area. */
function smoothNormals(p: Float32Array, triangles: Uint32Array, out: Float32Array): void {
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
