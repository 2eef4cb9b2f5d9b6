// Contacts of one particle with a ball, a capsule or a plane in rounded JavaScript, from the formulas of src/shapes/contact_kernel.h and
// src/collision/shape_contact/shape_kernels.c.
import type { GpuCollider } from "../../src/description.js";
import type { FullPose, MovingShape } from "../../src/tables.js";
import * as m from "./float3.js";

const { f } = m;

export interface TwinContact {
  normal: m.V;
  offset: number;
  velocity: m.V;
  approach: number;
  push: number;
  /** What of the overlap at the start recovers in the substep [m]. */
  recovered: number;
}

export interface TwinShape extends MovingShape {
  collider: GpuCollider;
  /** With that of the particles [m]. */
  thickness: number;
  /** The most that an overlap recovers in a substep [m]. */
  recovery: number;
}

interface Barrier {
  stands: boolean;
  point: m.V;
  normal: m.V;
}

function rotate(axis: m.V, real: number, v: m.V): m.V {
  const t = m.vscale(m.cross(axis, v), 2);
  return m.vadd(v, m.vadd(m.vscale(t, real), m.cross(axis, t)));
}
const axisOf = (pose: FullPose): m.V => pose.rotation.slice(0, 3) as unknown as m.V;
const outOf = (pose: FullPose, point: m.V): m.V => m.vadd(rotate(axisOf(pose), pose.rotation[3], point), pose.position);
const into = (pose: FullPose, point: m.V): m.V =>
  rotate(m.vneg(axisOf(pose)), pose.rotation[3], m.vsub(point, pose.position));

function distanceOf(collider: GpuCollider, point: m.V): { distance: number; normal: m.V } {
  if (collider.shape === "plane") return { distance: point[1], normal: [0, 1, 0] };
  const isCapsule = collider.shape === "capsule";
  const half = isCapsule ? f(collider.half_height!) : 0;
  const out: m.V = [point[0], f(point[1] - m.minimum(m.maximum(point[1], -half), half)), point[2]];
  const length = m.length(out);
  const other: m.V = isCapsule ? [1, 0, 0] : [0, 1, 0];
  const normal: m.V = length > 0 ? m.vscale(out, m.inverseAbove(length, 0)) : other;
  return { distance: f(length - f(collider.radius!)), normal };
}

function enter(shape: TwinShape, from: m.V, to: m.V, length: number, start: number, first: m.V): Barrier {
  const close = f(f(1e-3) * length);
  const direction = m.vscale(m.vsub(to, from), m.inverseAbove(length, 0));
  const barrier: Barrier = { stands: false, point: from, normal: first };
  let clear = start;
  let gone = 0;
  for (let i = 0; i < 16; i++) {
    const gradient = m.dot(barrier.normal, direction);
    if (!(gradient < 0)) return barrier;
    gone = f(gone + f(clear / -gradient));
    if (!(gone < length)) return barrier;
    const point = m.vaddScaled(from, direction, gone);
    const reached = distanceOf(shape.collider, point);
    clear = f(reached.distance - shape.thickness);
    barrier.point = m.vsub(point, m.vscale(reached.normal, clear));
    barrier.normal = reached.normal;
    if (!(close < clear)) break;
  }
  barrier.stands = true;
  return barrier;
}

function barrierOf(shape: TwinShape, from: m.V, to: m.V): Barrier | null {
  const length = m.length(m.vsub(to, from));
  const first = distanceOf(shape.collider, from);
  const start = f(first.distance - shape.thickness);
  const margin = f(length + f(0.5 * shape.thickness));
  if (f(length + margin) < start) return null;
  const last = distanceOf(shape.collider, to);
  const end = f(last.distance - shape.thickness);
  const beside = !(0 < start) && 0 < f(start + shape.thickness);
  if (!shape.rests && beside && m.dot(first.normal, last.normal) < 0)
    return { stands: true, point: m.vsub(from, m.vscale(first.normal, start)), normal: first.normal };
  if (margin < end) return null;
  if (0 < start && start < length) {
    const met = enter(shape, from, to, length, start, first.normal);
    if (met.stands) return met;
  }
  return { stands: true, point: m.vsub(to, m.vscale(last.normal, end)), normal: last.normal };
}

function isNear(shape: TwinShape, before: m.V, after: m.V): boolean {
  if (shape.collider.shape === "plane") return true;
  const moved = m.vsub(after, before);
  const apart = m.vsub(after, shape.to.position);
  const square = f(m.dot(moved, moved) + shape.squareOfWay);
  const { radius = 0, half_height = 0 } = shape.collider;
  const reach = f(f(radius) + (shape.collider.shape === "capsule" ? f(half_height) : 0));
  const near = f(reach + f(2 * shape.thickness));
  return m.dot(apart, apart) < f(f(f(1.125 * near) * near) + f(144 * square));
}

/** The contact of a particle that goes from `before` to `after` in a substep, or null. */
export function findContact(shape: TwinShape, before: m.V, after: m.V, perSecond: number): TwinContact | null {
  if (!isNear(shape, before, after)) return null;
  const barrier = barrierOf(shape, into(shape.from, before), into(shape.to, after));
  if (!barrier) return null;
  const touched = outOf(shape.to, barrier.point);
  const normal = rotate(axisOf(shape.to), shape.to.rotation[3], barrier.normal);
  const carried: m.V = shape.rests ? [0, 0, 0] : m.vsub(touched, outOf(shape.from, barrier.point));
  const moved = m.vsub(after, before);
  const overlap = m.maximum(f(0 - f(distanceOf(shape.collider, into(shape.from, before)).distance - shape.thickness)), 0);
  const left = m.maximum(f(overlap - shape.recovery), 0);
  return {
    normal,
    offset: f(m.dot(normal, touched) - left),
    velocity: m.vscale(carried, perSecond),
    approach: m.dot(normal, m.vscale(m.vsub(moved, carried), perSecond)),
    push: 0,
    recovered: f(overlap - left),
  };
}

/** Friction and restitution: the position and velocity after them. */
export function rub(contact: TwinContact, collider: GpuCollider, x: m.V, v: m.V, step: number, bounce: number): [m.V, m.V] {
  const relative = m.vsub(v, contact.velocity);
  const along = m.dot(relative, contact.normal);
  const tangent = m.vsub(relative, m.vscale(contact.normal, along));
  const gone = f(m.minimum(contact.recovered, contact.push) / step);
  const recovery = m.minimum(m.maximum(f(along - m.maximum(contact.approach, 0)), 0), gone);
  const normalSpeed = f(along - recovery);
  const rebound = f(-f(collider.restitution ?? 0) * contact.approach);
  const bounces = contact.approach < -bounce && normalSpeed < rebound;
  const kick = bounces ? f(rebound - normalSpeed) : 0;
  const speed = m.length(tangent);
  const stopped = f(f(collider.friction ?? 0.3) * f(m.maximum(f(f(contact.push / step) - recovery), 0) + kick));
  const share = stopped < speed ? f(stopped / speed) : 1;
  let change = m.vscale(tangent, -share);
  const place = m.vaddScaled(x, change, step);
  change = m.vaddScaled(change, contact.normal, f(kick - recovery));
  return [place, m.vadd(v, change)];
}
