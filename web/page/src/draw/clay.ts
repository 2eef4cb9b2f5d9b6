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

export function clay(bones: Bone[]): THREE.BufferGeometry {
  const low = [0, 1, 2].map((k) => Math.min(...bones.flatMap((o) => [o.a[k] - o.ra, o.b[k] - o.rb])) - 2 * CELL);
  const high = [0, 1, 2].map((k) => Math.max(...bones.flatMap((o) => [o.a[k] + o.ra, o.b[k] + o.rb])) + 2 * CELL);
  const n = [0, 1, 2].map((k) => Math.ceil((high[k] - low[k]) / CELL) + 1);
  const values = new Float32Array(n[0] * n[1] * n[2]);
  // Blocks of four cells far from the surface are left at their centre's sign.
  for (let bz = 0; bz < n[2]; bz += 4) for (let by = 0; by < n[1]; by += 4) for (let bx = 0; bx < n[0]; bx += 4) {
    const [mx, my, mz] = [low[0] + (bx + 2) * CELL, low[1] + (by + 2) * CELL, low[2] + (bz + 2) * CELL], middle = distanceTo(bones, mx, my, mz);
    const near = Math.abs(middle) < 5 * CELL;
    // Bones beyond this reach blend with nothing in the block.
    const close = near ? bones.filter((bone) => distanceToBone(bone, mx, my, mz) < middle + 8 * CELL + 2 * BLEND) : [];
    for (let z = bz; z < Math.min(bz + 4, n[2]); z++) for (let y = by; y < Math.min(by + 4, n[1]); y++) for (let x = bx; x < Math.min(bx + 4, n[0]); x++)
      values[x + n[0] * (y + n[1] * z)] = near ? distanceTo(close, low[0] + x * CELL, low[1] + y * CELL, low[2] + z * CELL) : middle;
  }
  const positions: number[] = [], cellVertex = new Int32Array(values.length).fill(-1);
  const step = [1, n[0], n[0] * n[1]];
  const corner = [0, 1, n[0], n[0] + 1, n[0] * n[1], n[0] * n[1] + 1, n[0] * n[1] + n[0], n[0] * n[1] + n[0] + 1];
  for (let z = 0; z + 1 < n[2]; z++) for (let y = 0; y + 1 < n[1]; y++) for (let x = 0; x + 1 < n[0]; x++) {
    const at = x + n[0] * (y + n[1] * z), sum = [0, 0, 0];
    let crossings = 0;
    for (let i = 0; i < 8; i++) for (let k = 0; k < 3; k++) {
      if (i & (1 << k)) continue;
      const v0 = values[at + corner[i]], v1 = values[at + corner[i | (1 << k)]];
      if (v0 < 0 === v1 < 0) continue;
      const t = v0 / (v0 - v1);
      for (let m = 0; m < 3; m++) sum[m] += (i >> m) & 1;
      sum[k] += t;
      crossings++;
    }
    if (!crossings) continue;
    cellVertex[at] = positions.length / 3;
    [x, y, z].forEach((c, m) => positions.push(low[m] + (c + sum[m] / crossings) * CELL));
  }
  const triangles: number[] = [];
  for (let z = 1; z + 1 < n[2]; z++) for (let y = 1; y + 1 < n[1]; y++) for (let x = 1; x + 1 < n[0]; x++) {
    const at = x + n[0] * (y + n[1] * z);
    for (let k = 0; k < 3; k++) {
      const inside = values[at] < 0;
      if (inside === values[at + step[k]] < 0) continue;
      const u = step[(k + 1) % 3], v = step[(k + 2) % 3];
      const q = [at - u - v, at - v, at, at - u].map((i) => cellVertex[i]);
      triangles.push(...(inside ? [q[0], q[1], q[2], q[0], q[2], q[3]] : [q[0], q[2], q[1], q[0], q[3], q[2]]));
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(positions, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
