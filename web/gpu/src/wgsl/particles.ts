// Kernels over all particles: prediction with the search for contacts, contacts, and velocities with friction.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 5 to 8 and 12 to 16, as in src/particles/integrate_kernels.c,
//   src/shapes/contact_kernel.h and src/collision/shape_contact/shape_kernels.c. A contact is three vectors: normal and offset,
//   velocity of the surface and approach, and the sum of its corrections with the overlap that recovers in the substep.
import { WIDE } from "./wide.js";

/** Most colliders of a simulation. */
export const COLLIDERS_MAX = 20;
/** Bytes of the uniform block Substep, and the distance of one from the next, which is a multiple of 256. */
export const SUBSTEP_BYTES = 48 + 96 * COLLIDERS_MAX;
export const SUBSTEP_STRIDE = 2048;
/** Bytes of a contact. */
export const CONTACT_BYTES = 48;
export const KIND = { plane: 0, sphere: 1, capsule: 2 } as const;

const BINDINGS = /* wgsl */ `
struct Collider {
  from_position: vec3f, kind: u32,
  from_rotation: vec4f,
  to_position: vec3f, radius: f32,
  to_rotation: vec4f,
  thickness: f32, friction: f32, restitution: f32, rests: u32,
  square_of_way: f32, half_height: f32, reach: f32, recovery: f32,
}
struct Substep {
  change: vec3f, speed_limit: f32,
  step: f32, per_second: f32, share: f32, bounce: f32,
  count: u32, collider_count: u32, keeps_lost: u32, limits_speed: u32,
  colliders: array<Collider, ${COLLIDERS_MAX}>,
}
@group(0) @binding(0) var<uniform> substep: Substep;
@group(0) @binding(1) var<storage, read_write> particles: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> starts: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> velocities: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> lost: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> contacts: array<vec4f>;
`;

const SEARCH = /* wgsl */ `
const STEPS_MAX = 16u;
const NOWHERE = -3.0e38;

struct Reached { distance: f32, normal: vec3f }
struct Trajectory { from_point: vec3f, to_point: vec3f, length: f32 }
// overlap is missing of the distance kept at the start, and left of it at the end.
struct Barrier { stands: bool, point: vec3f, normal: vec3f, overlap: f32, left: f32 }

// The signed distance of a point from the surface, and the normal there, in the shape's frame.
fn distance_of(c: u32, point: vec3f) -> Reached {
  if (substep.colliders[c].kind == ${KIND.plane}u) { return Reached(point.y, vec3f(0.0, 1.0, 0.0)); }
  // A ball is a capsule whose axis has no length.
  let half = substep.colliders[c].half_height;
  let out = vec3f(point.x, point.y - min_of(max_of(point.y, -half), half), point.z);
  let other = select(vec3f(0.0, 1.0, 0.0), vec3f(1.0, 0.0, 0.0), substep.colliders[c].kind == ${KIND.capsule}u);
  let length = length_of(out);
  let normal = select(other, out * inverse_above(length, 0.0), 0.0 < length);
  return Reached(length - substep.colliders[c].radius, normal);
}

fn into_frame(position: vec3f, rotation: vec4f, p: vec3f) -> vec3f { return rotate(-rotation.xyz, rotation.w, p - position); }
fn out_of_frame(position: vec3f, rotation: vec4f, p: vec3f) -> vec3f { return rotate(rotation.xyz, rotation.w, p) + position; }

// The tangent plane where a trajectory from outside first reaches the surface, by Newton's method.
fn enter(c: u32, w: Trajectory, distance: f32, first: vec3f) -> Barrier {
  let thickness = substep.colliders[c].thickness;
  let close = 1.0e-3 * w.length;
  let direction = (w.to_point - w.from_point) * inverse_above(w.length, 0.0);
  var clear = distance;
  var gone = 0.0;
  var going = true;
  var barrier = Barrier(false, w.from_point, first, 0.0, 0.0);
  for (var i = 0u; i < STEPS_MAX && going; i++) {
    let gradient = dot_of(barrier.normal, direction);
    let nears = gradient < 0.0;
    gone = gone + clear / select(1.0, -gradient, nears);
    going = nears && gone < w.length;
    if (!going) { break; }
    let point = w.from_point + direction * gone;
    let reached = distance_of(c, point);
    clear = reached.distance - thickness;
    barrier.point = point - reached.normal * clear;
    barrier.normal = reached.normal;
    going = close < clear;
    barrier.stands = barrier.stands || !going;
  }
  barrier.stands = barrier.stands || going;
  return barrier;
}

// Particles that end near the surface get a plane too, since projections may still move them into it.
fn barrier_of(c: u32, w: Trajectory) -> Barrier {
  let thickness = substep.colliders[c].thickness;
  let first = distance_of(c, w.from_point);
  let start = first.distance - thickness;
  let margin = w.length + 0.5 * thickness;
  if (w.length + margin < start) { return Barrier(false, w.to_point, w.to_point, 0.0, 0.0); }
  let last = distance_of(c, w.to_point);
  let end = last.distance - thickness;
  let overlap = max_of(0.0 - start, 0.0);
  let left = max_of(overlap - substep.colliders[c].recovery, 0.0);
  var ends = Barrier(!(margin < end), w.to_point - last.normal * end, last.normal, overlap, left);
  // A particle that starts beside a moving shape and ends beyond its middle has been gone through.
  let beside = !(0.0 < start) && 0.0 < start + thickness;
  if (substep.colliders[c].rests == 0u && beside && dot_of(first.normal, last.normal) < 0.0) {
    ends = Barrier(true, w.from_point - first.normal * start, first.normal, overlap, left);
  }
  if (!(0.0 < start && start < w.length)) { return ends; }
  var met = enter(c, w, start, first.normal);
  if (!met.stands) { return ends; }
  met.stands = ends.stands;
  return met;
}

// Whether a particle ends near enough to a bounded shape to be looked at.
fn is_near(c: u32, before: vec3f, after: vec3f) -> bool {
  if (substep.colliders[c].kind == ${KIND.plane}u) { return true; }
  let moved = after - before;
  let apart = after - substep.colliders[c].to_position;
  let square = dot_of(moved, moved) + substep.colliders[c].square_of_way;
  let near = substep.colliders[c].reach + 2.0 * substep.colliders[c].thickness;
  return dot_of(apart, apart) < 1.125 * near * near + 144.0 * square;
}

fn find_contact(c: u32, i: u32, before: vec3f, after: vec4f) {
  let to_position = substep.colliders[c].to_position;
  let to_rotation = substep.colliders[c].to_rotation;
  let from_position = substep.colliders[c].from_position;
  let from_rotation = substep.colliders[c].from_rotation;
  let at = 3u * (c * substep.count + i);
  contacts[at] = vec4f(0.0, 0.0, 0.0, NOWHERE);
  contacts[at + 2u] = vec4f(0.0);
  if (!(0.0 < after.w) || !is_near(c, before, after.xyz)) { return; }
  var w = Trajectory(into_frame(from_position, from_rotation, before), into_frame(to_position, to_rotation, after.xyz), 0.0);
  w.length = length_of(w.to_point - w.from_point);
  let barrier = barrier_of(c, w);
  if (!barrier.stands) { return; }
  let moved = after.xyz - before;
  let touched = out_of_frame(to_position, to_rotation, barrier.point);
  let normal = rotate(to_rotation.xyz, to_rotation.w, barrier.normal);
  var carried = vec3f(0.0);
  if (substep.colliders[c].rests == 0u) { carried = touched - out_of_frame(from_position, from_rotation, barrier.point); }
  let approach = dot_of(normal, (moved - carried) * substep.per_second);
  contacts[at] = vec4f(normal, dot_of(normal, touched) - barrier.left);
  contacts[at + 1u] = vec4f(carried * substep.per_second, approach);
  contacts[at + 2u].y = barrier.overlap - barrier.left;
}
`;

const ENTRY = "@builtin(workgroup_id) workgroup: vec3u, @builtin(num_workgroups) groups: vec3u,\n  @builtin(local_invocation_index) local: u32";

const PREDICT = /* wgsl */ `
// v = v + h g, unless that has been done;  p = x + h v;  contacts along x -> p. A held particle whose velocity has a negative fourth number is led: it goes with it.
@compute @workgroup_size(64)
fn predict(${ENTRY}) {
  let i = number_of(workgroup, groups, local);
  if (i >= substep.count) { return; }
  let x = particles[i];
  let moves = x.w != 0.0;
  var v = velocities[i];
  if (moves) { v = vec4f(v.xyz + substep.change, v.w); }
  let speed = length_of(v.xyz);
  if (moves && substep.limits_speed != 0u && speed > substep.speed_limit) {
    v = vec4f(v.xyz * (substep.speed_limit / speed), v.w);
  }
  var p = x;
  if (moves || v.w < 0.0) { p = vec4f(x.xyz + substep.step * v.xyz, x.w); }
  velocities[i] = v;
  starts[i] = x;
  particles[i] = p;
  if (substep.keeps_lost != 0u) { lost[i] = vec4f(0.0); }
  for (var c = 0u; c < substep.collider_count; c++) { find_contact(c, i, x.xyz, p); }
}
`;

const TOUCH = /* wgsl */ `
// Projects the contacts of a particle, in the order of the colliders.
@compute @workgroup_size(64)
fn touch(${ENTRY}) {
  let i = number_of(workgroup, groups, local);
  if (i >= substep.count) { return; }
  var p = particles[i];
  for (var c = 0u; c < substep.collider_count; c++) {
    let at = 3u * (c * substep.count + i);
    let plane = contacts[at];
    let depth = plane.w - dot_of(plane.xyz, p.xyz);
    if (!(0.0 < depth)) { continue; }
    p = vec4f(p.xyz + plane.xyz * depth, p.w);
    contacts[at + 2u].x = contacts[at + 2u].x + depth;
  }
  particles[i] = p;
}
`;

const SETTLE = /* wgsl */ `
// The change of velocity and, with it, of position by friction and restitution at a contact. The part of the speed that moved an
// overlap out goes.
fn rub(c: u32, plane: vec4f, surface: vec4f, push: f32, recovered: f32, p: ptr<function, vec4f>, v: ptr<function, vec4f>) {
  let normal = plane.xyz;
  let relative = (*v).xyz - surface.xyz;
  let speed_along = dot_of(relative, normal);
  let tangent = relative - normal * speed_along;
  let recovery = min_of(max_of(speed_along - max_of(surface.w, 0.0), 0.0), min_of(recovered, push) / substep.step);
  let normal_speed = speed_along - recovery;
  let rebound = -substep.colliders[c].restitution * surface.w;
  let bounces = surface.w < -substep.bounce && normal_speed < rebound;
  let kick = select(0.0, rebound - normal_speed, bounces);
  let speed = length_of(tangent);
  let stopped = substep.colliders[c].friction * (max_of(push / substep.step - recovery, 0.0) + kick);
  let slides = stopped < speed;
  let share = select(1.0, stopped / select(1.0, speed, slides), slides);
  var change = tangent * -share;
  *p = vec4f((*p).xyz + change * substep.step, (*p).w);
  change = change + normal * (kick - recovery);
  *v = vec4f((*v).xyz + change, (*v).w);
}

// v = v + (p - (x + h v)) / h, then friction.
@compute @workgroup_size(64)
fn settle(${ENTRY}) {
  let i = number_of(workgroup, groups, local);
  if (i >= substep.count) { return; }
  var p = particles[i];
  let x = starts[i].xyz;
  var v = velocities[i];
  let moves = p.w != 0.0;
  let moved = select(vec3f(0.0), substep.step * v.xyz, moves);
  var correction = p.xyz - (x + moved);
  if (substep.keeps_lost != 0u) { correction = correction + lost[i].xyz; }
  v = vec4f(select(vec3f(0.0), v.xyz, moves) + correction * substep.per_second, v.w);
  for (var c = 0u; c < substep.collider_count; c++) {
    let at = 3u * (c * substep.count + i);
    let pushed = contacts[at + 2u];
    if (0.0 < pushed.x) { rub(c, contacts[at], contacts[at + 1u], pushed.x, pushed.y, &p, &v); }
  }
  particles[i] = p;
  velocities[i] = v;
}
`;

export const PARTICLES = WIDE + BINDINGS + SEARCH + PREDICT + TOUCH + SETTLE;
