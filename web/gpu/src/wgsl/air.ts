// Gravity and the air before a prediction, and the world's damping: src/particles/wind_kernels.c and damping.c.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.5, for the damping.
//
// The library adds up mass, momentum and inertia in double. Workgroups do it here in pairs of floats with some 48 bits (pairs.ts).
import { PAIRS } from "./pairs.js";
import { WIDE } from "./wide.js";

/** Bytes of the uniform block Forces. */
export const FORCES_BYTES = 64;
/** Most rows of sums, one of a workgroup, and the bytes of a row and of the motion that is made of them. */
export const SUM_ROWS = 64;
export const SUM_BYTES = 192;
export const MOTION_BYTES = 96;

const FORCES = /* wgsl */ `
struct Forces {
  change: vec3f, per_mass: f32,
  wind: vec3f, friction: f32,
  count: u32, triangle_count: u32, is_windy: u32, share: f32,
  rows: u32, is_pinned: u32, pad1: u32, pad2: u32,
}
@group(0) @binding(0) var<uniform> forces: Forces;
@group(0) @binding(1) var<storage, read> particles: array<vec4f>;
`;

const ENTRY = "@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) groups: vec3u,\n  @builtin(local_invocation_index) local: u32";

/** Twice the area times the unit normal of each triangle, and one over twice the area. */
export const FACES =
  WIDE +
  FORCES +
  /* wgsl */ `
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read_write> faces: array<vec4f>;

@compute @workgroup_size(64)
fn face(${ENTRY}) {
  let t = number_of(workgroup, groups, local);
  if (t >= forces.triangle_count) { return; }
  let a = particles[corners[3u * t]].xyz;
  let b = particles[corners[3u * t + 1u]].xyz;
  let c = particles[corners[3u * t + 2u]].xyz;
  let doubled = cross_of(b - a, c - a);
  faces[t] = vec4f(doubled, inverse_above(length_of(doubled), 0.0));
}
`;

/** Half of gravity, the air, and the other half; all of gravity where there is no air. `rings` has offsets, then triangles around. */
export const ACCELERATE =
  WIDE +
  FORCES +
  /* wgsl */ `
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> faces: array<vec4f>;
@group(0) @binding(4) var<storage, read> rings: array<u32>;

fn blown(i: u32, w: f32, v: vec3f) -> vec3f {
  let relative = forces.wind - v;
  let squared = dot_of(relative, relative);
  var pressure = vec3f(0.0);
  var lift = vec3f(0.0);
  var pressed = 0.0;
  var rubbed = 0.0;
  for (var k = rings[i]; k < rings[i + 1u]; k++) {
    let around = faces[rings[k]];
    let flux = dot_of(relative, around.xyz);
    let speed = flux * around.w;
    pressure = pressure + around.xyz * (abs_of(speed) * speed);
    pressed = pressed + abs_of(flux);
    let slide = max_of(squared * dot_of(around.xyz, around.xyz) - flux * flux, 0.0);
    let rub = forces.friction * sqrt(slide);
    lift = lift + around.xyz * (rub * around.w * speed);
    rubbed = rubbed + rub;
  }
  let per_area = forces.per_mass * w;
  let pushed = v + pressure * (per_area / (1.0 + per_area * pressed));
  if (!(0.0 < forces.friction)) { return pushed; }
  return pushed + (relative * rubbed - lift) * (per_area / (1.0 + per_area * rubbed));
}

@compute @workgroup_size(64)
fn accelerate(${ENTRY}) {
  let i = number_of(workgroup, groups, local);
  if (i >= forces.count) { return; }
  let w = particles[i].w;
  if (w == 0.0) { return; }
  let before = velocities[i];
  var v = before.xyz + forces.change;
  if (forces.is_windy != 0u) { v = blown(i, w, v) + forces.change; }
  velocities[i] = vec4f(v, before.w);
}
`;

const MOTION = /* wgsl */ `
struct Sums { mass: Pair, position: Pair, momentum: Pair, angular: Pair, squares: Pair, products: Pair }
struct Motion { centre: Pair, velocity: Pair, spin: Pair }
`;

/** Rows of sums over particles, about the first of them. Fixed particles have no mass here; where any are fixed, these alone count, equally. */
export const GATHER =
  WIDE +
  PAIRS +
  FORCES +
  MOTION +
  /* wgsl */ `
@group(0) @binding(2) var<storage, read> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> rows: array<Sums>;
var<workgroup> sums: array<Pair, 64>;

// The sum over the workgroup, in its first invocation.
fn add_up(own: Pair, local: u32) -> Pair {
  workgroupBarrier();
  sums[local] = own;
  for (var half = 32u; half > 0u; half = half / 2u) {
    workgroupBarrier();
    if (local < half) { sums[local] = plus(sums[local], sums[local + half]); }
  }
  workgroupBarrier();
  return sums[0];
}

@compute @workgroup_size(64)
fn gather(@builtin(workgroup_id) workgroup: vec3u, @builtin(local_invocation_index) local: u32) {
  let origin = particles[0].xyz;
  var own: Sums;
  for (var i = workgroup.x * 64u + local; i < forces.count; i += 64u * forces.rows) {
    let p = particles[i];
    let counts = select(0.0 < p.w, p.w == 0.0, forces.is_pinned != 0u);
    if (!counts) { continue; }
    let mass = over(one(vec3f(1.0)), one(vec3f(select(p.w, 1.0, forces.is_pinned != 0u))));
    let r = less(p.xyz, origin);
    let v = one(velocities[i].xyz);
    let mr = times(mass, r);
    own.mass = plus(own.mass, mass);
    own.position = plus(own.position, mr);
    own.momentum = plus(own.momentum, times(mass, v));
    own.angular = plus(own.angular, times(mass, crossed(r, v)));
    own.squares = plus(own.squares, times(mr, r));
    own.products = plus(own.products, times(next(mr), last(r)));
  }
  let mass = add_up(own.mass, local);
  let position = add_up(own.position, local);
  let momentum = add_up(own.momentum, local);
  let angular = add_up(own.angular, local);
  let squares = add_up(own.squares, local);
  let products = add_up(own.products, local);
  if (local == 0u) { rows[workgroup.x] = Sums(mass, position, momentum, angular, squares, products); }
}
`;

/** The rigid motion of best fit from the rows. */
export const FIT =
  PAIRS +
  FORCES +
  MOTION +
  /* wgsl */ `
@group(0) @binding(2) var<storage, read> rows: array<Sums>;
@group(0) @binding(3) var<storage, read_write> motion: Motion;

// Solves I x = v for the symmetric matrix with that diagonal and the others yz, zx, xy; zero where it is singular.
fn solve(diagonal: Pair, others: Pair, v: Pair) -> Pair {
  let minors = minus(times(next(diagonal), last(diagonal)), times(others, others));
  let crosses = minus(times(next(others), last(others)), times(diagonal, others));
  let a = times(diagonal, minors);
  let b = times(others, crosses);
  let determinant = plus(plus(first(a), first(last(b))), first(next(b)));
  let scale = diagonal.high.x + diagonal.high.y + diagonal.high.z;
  if (!(determinant.high.x > 1.0e-12 * scale * scale * scale)) { return one(vec3f(0.0)); }
  let x = plus(times(minors, v), plus(times(last(crosses), next(v)), times(next(crosses), last(v))));
  return over(x, determinant);
}

@compute @workgroup_size(1)
fn fit() {
  var sums = rows[0];
  for (var i = 1u; i < forces.rows; i++) {
    let row = rows[i];
    sums.mass = plus(sums.mass, row.mass);
    sums.position = plus(sums.position, row.position);
    sums.momentum = plus(sums.momentum, row.momentum);
    sums.angular = plus(sums.angular, row.angular);
    sums.squares = plus(sums.squares, row.squares);
    sums.products = plus(sums.products, row.products);
  }
  if (!(0.0 < sums.mass.high.x)) {
    motion = Motion(one(vec3f(0.0)), one(vec3f(0.0)), one(vec3f(0.0)));
    return;
  }
  let place = over(sums.position, sums.mass);
  let velocity = over(sums.momentum, sums.mass);
  // Steiner's theorem, from the origin of the sums to the centre of mass.
  let squares = minus(sums.squares, times(sums.mass, times(place, place)));
  let others = minus(times(sums.mass, times(next(place), last(place))), sums.products);
  var diagonal = plus(next(squares), last(squares));
  // Pins in a line, or a single one, show no spin about it.
  let trace = plus(plus(first(diagonal), first(next(diagonal))), first(last(diagonal)));
  if (forces.is_pinned != 0u) { diagonal = plus(diagonal, times(one(vec3f(1.0e-6)), trace)); }
  let angular = minus(sums.angular, crossed(place, sums.momentum));
  // By a power of two, so that no product leaves the range of floats.
  let unit = ldexp(1.0, -frexp(diagonal.high.x + diagonal.high.y + diagonal.high.z).exp);
  let spin = solve(scaled(diagonal, unit), scaled(others, unit), scaled(angular, unit));
  motion = Motion(plus(one(particles[0].xyz), place), velocity, spin);
}
`;

/** Takes its share from how far each velocity is from the rigid motion. */
export const APPROACH =
  WIDE +
  PAIRS +
  FORCES +
  MOTION +
  /* wgsl */ `
@group(0) @binding(2) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(3) var<storage, read> motion: Motion;

@compute @workgroup_size(64)
fn approach(${ENTRY}) {
  let i = number_of(workgroup, groups, local);
  if (i >= forces.count) { return; }
  let p = particles[i];
  if (!(0.0 < p.w)) { return; }
  let v = velocities[i];
  let rigid = plus(motion.velocity, crossed(motion.spin, minus(one(p.xyz), motion.centre)));
  let apart = minus(rigid, one(v.xyz));
  velocities[i] = vec4f(v.xyz + (apart.high + apart.low) * forces.share, v.w);
}
`;
