// The arithmetic of src/base/simd/wide.h and src/base/vector.h in WGSL: the same operations in the same order, one lane.
// WGSL has no word against fused multiply-add or against a division that is off by 2.5 ULP, so that a real graphics card may
// differ from these in the last place; docs/webgpu.md says by how much that was.

/** A number as WGSL reads it back to the same float. */
export function literal(value: number): string {
  const text = String(Math.fround(value));
  return /[.e]/.test(text) ? `${text}f` : `${text}.0f`;
}

export const WIDE = /* wgsl */ `
fn min_of(a: f32, b: f32) -> f32 { return select(b, a, a < b); }
fn max_of(a: f32, b: f32) -> f32 { return select(a, b, a < b); }
fn abs_of(a: f32) -> f32 { return max_of(a, -a); }

// 1 / a where a exceeds least >= 0, and 0 elsewhere. The divisor is never 0, whose quotient WGSL leaves open.
fn inverse_above(a: f32, least: f32) -> f32 {
  let above = least < a;
  return select(0.0, 1.0 / select(1.0, a, above), above);
}

fn dot_of(a: vec3f, b: vec3f) -> f32 { return a.x * b.x + a.y * b.y + a.z * b.z; }
fn cross_of(a: vec3f, b: vec3f) -> vec3f {
  return vec3f(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
fn length_of(a: vec3f) -> f32 { return sqrt(dot_of(a, a)); }

fn rotate(axis: vec3f, real: f32, v: vec3f) -> vec3f {
  let t = cross_of(axis, v) * 2.0;
  return v + (t * real + cross_of(axis, t));
}

// The number of an invocation of a dispatch in two dimensions, which goes beyond 65535 workgroups.
fn number_of(workgroup: vec3u, groups: vec3u, local: u32) -> u32 {
  return (workgroup.y * groups.x + workgroup.x) * 64u + local;
}
`;

/** atan2 as of src/base/simd/wide_angle.h. */
export const ANGLE = /* wgsl */ `
const PI = ${literal(3.14159265358979)};
const HALF_PI = ${literal(0.5 * Math.fround(3.14159265358979))};
const TWO_PI = ${literal(2 * Math.fround(3.14159265358979))};

fn arc_tangent(q: f32) -> f32 {
  let z = q * q;
  let z2 = z * z;
  let low = (${literal(-0.33332987)} + ${literal(0.199903962)} * z) +
            (${literal(-0.14185972)} + ${literal(0.105739199)} * z) * z2;
  let high = (${literal(-0.0736668124)} + ${literal(0.041121577)} * z) +
             (${literal(-0.0151323675)} + ${literal(0.00262220344)} * z) * z2;
  return q + q * z * (low + high * (z2 * z2));
}

fn angle_of(y: f32, x: f32) -> f32 {
  let ax = abs_of(x);
  let ay = abs_of(y);
  let steep = ax < ay;
  let behind = x < 0.0;
  let longer = select(ax, ay, steep);
  let shorter = select(ay, ax, steep);
  let turn = select(select(0.0, PI, behind), HALF_PI, steep);
  let side = select(1.0, -1.0, steep) * select(1.0, -1.0, behind);
  let above = select(1.0, -1.0, y < 0.0);
  let angle = arc_tangent(shorter / select(1.0, longer, 0.0 < longer));
  return above * turn + (above * side) * angle;
}
`;
