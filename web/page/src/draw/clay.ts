// One smooth surface around capsules: their distances, blended (Quilez, smooth minimum), and surface nets (Gibson 1998) over a grid.
import * as THREE from "three";

export interface Bone { a: [number, number, number]; b: [number, number, number]; ra: number; rb: number }

const CELL = 0.02, BLEND = 0.035;

function distanceToBone({ a, b, ra, rb }: Bone, x: number, y: number, z: number): number {
  const dx = b[0] - a[0], dy = b[1] - a[1], dz = b[2] - a[2];
  const px = x - a[0], py = y - a[1], pz = z - a[2];
  const t = Math.min(1, Math.max(0, (px * dx + py * dy + pz * dz) / (dx * dx + dy * dy + dz * dz || 1)));
  const qx = px - t * dx, qy = py - t * dy, qz = pz - t * dz;
  return Math.sqrt(qx * qx + qy * qy + qz * qz) - (ra + t * (rb - ra));
}

function distanceTo(bones: Bone[], x: number, y: number, z: number): number {
  let total = 1e9;
  for (const bone of bones) {
    const d = distanceToBone(bone, x, y, z), h = Math.max(0, BLEND - Math.abs(d - total)) / BLEND;
    total = Math.min(d, total) - h * h * BLEND * 0.25;
  }
  return total;
}

/** Cells along a block. A block whose middle is five cells from the surface or more has none of it, nor has a cell beside it. */
const BLOCK = 4, FAR = 5 * CELL;

/** Distances on a grid, known where the surface is near; elsewhere their sign is. */
class Field {
  readonly low: number[];
  readonly n: number[];
  readonly step: number[];
  readonly values: Float32Array;
  /** First cells of the blocks that the surface may be in. */
  private near: number[][] = [];

  constructor(private bones: Bone[]) {
    this.low = [0, 1, 2].map((k) => Math.min(...bones.flatMap((o) => [o.a[k] - o.ra, o.b[k] - o.rb])) - 2 * CELL);
    const high = [0, 1, 2].map((k) => Math.max(...bones.flatMap((o) => [o.a[k] + o.ra, o.b[k] + o.rb])) + 2 * CELL);
    this.n = [0, 1, 2].map((k) => Math.ceil((high[k] - this.low[k]) / CELL) + 1);
    this.step = [1, this.n[0], this.n[0] * this.n[1]];
    this.values = new Float32Array(this.n[0] * this.n[1] * this.n[2]);
    for (let z = 0; z < this.n[2]; z += BLOCK) for (let y = 0; y < this.n[1]; y += BLOCK) for (let x = 0; x < this.n[0]; x += BLOCK) this.measure(x, y, z);
  }

  private measure(bx: number, by: number, bz: number): void {
    const { low, n, step, values, bones } = this, half = BLOCK / 2;
    const mx = low[0] + (bx + half) * CELL, my = low[1] + (by + half) * CELL, mz = low[2] + (bz + half) * CELL, middle = distanceTo(bones, mx, my, mz);
    const isNear = Math.abs(middle) < FAR;
    // Bones beyond this reach blend with nothing in the block.
    const close = isNear ? bones.filter((bone) => distanceToBone(bone, mx, my, mz) < middle + 8 * CELL + 2 * BLEND) : [];
    const [ex, ey, ez] = [Math.min(bx + BLOCK, n[0]), Math.min(by + BLOCK, n[1]), Math.min(bz + BLOCK, n[2])];
    if (isNear) this.near.push([bx, by, bz]);
    for (let z = bz; z < ez; z++) for (let y = by; y < ey; y++) {
      const row = step[1] * y + step[2] * z;
      if (!isNear) values.fill(middle, row + bx, row + ex);
      else for (let x = bx; x < ex; x++) values[row + x] = distanceTo(close, low[0] + x * CELL, low[1] + y * CELL, low[2] + z * CELL);
    }
  }

  /** Calls with each cell that the surface may be in, from `from` on. */
  each(from: number, call: (at: number, x: number, y: number, z: number) => void): void {
    const { n, step } = this;
    for (const [bx, by, bz] of this.near)
      for (let z = Math.max(from, bz); z < Math.min(bz + BLOCK, n[2] - 1); z++) for (let y = Math.max(from, by); y < Math.min(by + BLOCK, n[1] - 1); y++)
        for (let x = Math.max(from, bx); x < Math.min(bx + BLOCK, n[0] - 1); x++) call(x + step[1] * y + step[2] * z, x, y, z);
  }
}

export function clay(bones: Bone[]): THREE.BufferGeometry {
  const field = new Field(bones), { values, step, low } = field, positions: number[] = [], cellVertex = new Int32Array(values.length).fill(-1);
  const corner = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [0, 1, 2].reduce((sum, k) => sum + ((i >> k) & 1) * step[k], 0)), sum = [0, 0, 0];
  field.each(0, (at, x, y, z) => {
    const inside = values[at] < 0;
    if (corner.every((offset) => values[at + offset] < 0 === inside)) return;
    let crossings = 0;
    sum.fill(0);
    for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) {
      if (i & (1 << k)) continue;
      const v0 = values[at + corner[i]], v1 = values[at + corner[i | (1 << k)]];
      if (v0 < 0 === v1 < 0) continue;
      for (let m = 0; m < 3; m++) sum[m] += (i >> m) & 1;
      sum[k] += v0 / (v0 - v1);
      crossings++;
    }
    cellVertex[at] = positions.length / 3;
    positions.push(low[0] + (x + sum[0] / crossings) * CELL, low[1] + (y + sum[1] / crossings) * CELL, low[2] + (z + sum[2] / crossings) * CELL);
  });
  const triangles: number[] = [];
  field.each(1, (at) => {
    for (let k = 0; k < 3; k++) {
      const inside = values[at] < 0;
      if (inside === values[at + step[k]] < 0) continue;
      const u = step[(k + 1) % 3], v = step[(k + 2) % 3], a = cellVertex[at - u - v], b = cellVertex[at - v], c = cellVertex[at], d = cellVertex[at - u];
      if (inside) triangles.push(a, b, c, a, c, d);
      else triangles.push(a, c, b, a, d, c);
    }
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
