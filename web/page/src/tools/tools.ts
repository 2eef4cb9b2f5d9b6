// What a hand can do, one row a tool. A tool acts on one or more sessions in step: side by side, one hand pulls in all of them.
import type { RayHit } from "pliant";
import { add, clamp, cross, distance, dot, scale, sub, triple, unit, type V3 } from "../base/math.ts";
import { short } from "../base/text.ts";
import type { Session } from "../engine/session.ts";
import type { Stage } from "../draw/stage.ts";
import type { History } from "../state/history.ts";
import { paint } from "./paint.ts";

export interface Bench {
  sessions: Session[];
  stage: Stage;
  history: History;
  /** Factor on the radius of each tool. */
  radius: number;
  strength: number;
  say: (text: string) => void;
  changed: () => void;
}

/** A finger or the mouse while it is down. */
export interface Touch {
  id: number;
  bench: Bench;
  /** Where the ray from the eye goes now. */
  eye: V3;
  direction: V3;
  /** What it met when it came down. */
  hit: RayHit | null;
  deformable: number;
  since: number;
  x: number;
  y: number;
  moved: boolean;
  secondary: boolean;
  /** What a tool keeps while it is down. */
  data: Record<string, unknown>;
}

export interface Tool {
  id: string;
  label: string;
  key: string;
  icon: string;
  /** What to do, in a sentence. */
  tip: string;
  /** Works beside a surface too. */
  anywhere?: boolean;
  /** Acts on the surface within this distance of the pointer [m]. */
  radius?: (session: Session, deformable: number, factor: number) => number;
  /** The larger circle of a grab: the distance at which its pull reaches the limit [m]. */
  outer?: (session: Session, deformable: number) => number;
  /** Shows nothing until time runs. */
  needsTime?: boolean;
  available?: (session: Session) => boolean;
  down: (touch: Touch) => void;
  move?: (touch: Touch) => void;
  /** Before each step while it is down. */
  hold?: (touch: Touch) => void;
  wheel?: (touch: Touch, notches: number) => void;
  up: (touch: Touch) => void;
}

/** Diagonal of a piece of cloth at rest [m]. */
export function diagonal(session: Session, deformable: number): number {
  const { bounds_min: low, bounds_max: high } = session.deformables[deformable].mesh.report;
  return distance(triple(high), triple(low));
}

/** Where a ray meets the plane through `point` across `normal`. */
export function onPlane(eye: V3, direction: V3, point: V3, normal: V3): V3 | null {
  const slope = dot(direction, normal);
  const t = dot(sub(point, eye), normal) / slope;
  return Math.abs(slope) < 1e-6 || t < 0 ? null : add(eye, scale(direction, t));
}

const forward = (touch: Touch): V3 => {
  const { camera } = touch.bench.stage.rig, e = camera.matrixWorld.elements;
  return [-e[8], -e[9], -e[10]];
};

/** Radius of a grab as an event has it: 0 is the library's default. */
export const grabRadius = ({ sessions, radius }: Bench, deformable: number): number => (radius === 1 ? 0 : grab.radius!(sessions[0], deformable, radius));

const grab: Tool = {
  id: "grab", label: "Grab", key: "g", icon: "M8 13V6a2 2 0 0 1 4 0v6V4a2 2 0 0 1 4 0v8V6a2 2 0 0 1 4 0v10c0 5-3 8-7 8-4 0-5-1-7-4l-4-6c-1-2 1-4 3-2l3 3",
  tip: "Press on the cloth and pull. The pull is soft and limited.",
  needsTime: true,
  // The library's own default (grab.h), so that the circle shows the patch.
  radius: (session, deformable, factor) => factor * Math.max(0.04 * diagonal(session, deformable), 2.5 * session.deformables[deformable].mesh.report.edge_length_mean),
  outer: (session, deformable) => 0.06 * diagonal(session, deformable),
  down(touch) {
    if (!touch.hit) return;
    const ids = touch.bench.sessions.map((session) => session.newId()), target = triple(touch.hit.position);
    Object.assign(touch.data, { ids, plane: target, target });
    touch.bench.sessions.forEach((session, i) => session.act({
      kind: "grab", id: ids[i], deformable: touch.deformable, vertex: touch.hit!.vertex, radius: grabRadius(touch.bench, touch.deformable), strength: touch.bench.strength, target,
    }));
  },
  move(touch) {
    if (!touch.data.ids) return;
    const target = onPlane(touch.eye, touch.direction, touch.data.plane as V3, forward(touch));
    if (target) Object.assign(touch.data, { target, fresh: true });
  },
  hold(touch) {
    if (!touch.data.fresh) return;
    touch.data.fresh = false;
    touch.bench.sessions.forEach((session, i) => session.act({ kind: "hand", id: (touch.data.ids as number[])[i], target: touch.data.target as V3 }));
  },
  wheel(touch, notches) {
    if (!touch.data.ids) return;
    touch.data.plane = add(touch.data.plane as V3, scale(forward(touch), notches * 0.02 * touch.bench.stage.rig.size));
    grab.move!(touch);
  },
  up(touch) {
    const ids = touch.data.ids as number[] | undefined;
    if (!ids) return;
    const limit = touch.bench.sessions[0].holds.get(ids[0])?.grab.limit ?? 0;
    touch.bench.sessions.forEach((session, i) => session.act({ kind: "release", id: ids[i] }));
    if (touch.moved && limit > 0) touch.bench.say(`That was a soft pull of at most ${short(limit, 2)} N, one and a half times its weight.`);
  },
};

/** Vertices around one, by the length of edges at rest. */
export function patch(session: Session, deformable: number, vertex: number, radius: number): number[] {
  const one = session.deformables[deformable], { edges, positions } = one.mesh.topology;
  const near = new Map<number, number>([[vertex, 0]]), across: Map<number, [number, number][]> = new Map();
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [edges[e], edges[e + 1]];
    const l = Math.hypot(positions[3 * a] - positions[3 * b], positions[3 * a + 1] - positions[3 * b + 1], positions[3 * a + 2] - positions[3 * b + 2]);
    for (const [p, q] of [[a, b], [b, a]]) across.set(p, [...(across.get(p) ?? []), [q, l]]);
  }
  const queue = [vertex];
  for (let at = queue.shift(); at !== undefined; at = queue.shift())
    for (const [next, l] of across.get(at) ?? []) {
      const d = near.get(at)! + l;
      if (d <= radius && d < (near.get(next) ?? Infinity)) { near.set(next, d); queue.push(next); }
    }
  const free = one.copyInverseMasses();
  return [...near.keys()].filter((i) => free[i] > 0).sort((a, b) => a - b);
}

/** Pins the particles around a vertex where they are. */
export function pinAt({ sessions, history, say, changed, radius }: Bench, deformable: number, vertex: number): void {
  if (sessions[0].pins.length >= 64) { say("64 pins are as many as the page takes."); return; }
  const id = sessions[0].newId(), all = sessions.map((session) => patch(session, deformable, vertex, pin.radius!(session, deformable, radius)));
  const put = (): void => sessions.forEach((session, i) => { if (all[i].length > 0) session.act({ kind: "pin", pin: { id, deformable, particles: all[i], shift: [0, 0, 0] } }); });
  if (all[0].length === 0) { say("That is pinned already."); return; }
  put();
  history.add({ label: "Pin", undo: () => { for (const session of sessions) session.act({ kind: "unpin", id }); }, redo: put });
  say("Pinned. Press on the pin to free it.");
  changed();
}

const pin: Tool = {
  id: "pin", label: "Pin", key: "p", icon: "M12 22v-7 M8 3h8l-1 6 3 4H6l3-4z",
  tip: "Press to pin the cloth where it is. Press on a pin to free it, drag it to move it.",
  anywhere: true,
  radius: (session, deformable, factor) => factor * 0.015 * diagonal(session, deformable),
  down(touch) {
    const { sessions, stage } = touch.bench, box = stage.studio.canvas.getBoundingClientRect(), session = sessions[0];
    const place = (deformable: number, particle: number): V3 => { const d = session.deformables[deformable], k = d.stride * particle; return [d.positions[k], d.positions[k + 1], d.positions[k + 2]]; };
    const near = (deformable: number, particle: number): boolean => {
      const at = stage.project(place(deformable, particle), (touch.data.region as { width: number; height: number }) ?? box);
      return Math.hypot(at.x - touch.x, at.y - touch.y) < 18;
    };
    // The head of a pin, or a particle that it holds.
    const here = session.pins.find((one) => near(one.deformable, stage.headOf(one)) || (touch.hit !== null && one.deformable === touch.deformable && one.particles.includes(touch.hit.vertex)));
    if (!here) return;
    touch.data.pin = { id: here.id, start: place(here.deformable, stage.headOf(here)), shift: here.shift };
  },
  move(touch) {
    const held = touch.data.pin as { id: number; start: V3; shift: V3 } | undefined;
    const target = held && touch.moved ? onPlane(touch.eye, touch.direction, held.start, forward(touch)) : null;
    if (held && target) touch.data.shift = add(held.shift, sub(target, held.start));
  },
  hold(touch) {
    const held = touch.data.pin as { id: number } | undefined, shift = touch.data.shift as V3 | undefined;
    if (held && shift) for (const session of touch.bench.sessions) session.act({ kind: "move", id: held.id, shift });
    touch.data.shift = undefined;
  },
  up(touch) {
    const { sessions, history, say, changed } = touch.bench, held = touch.data.pin as { id: number } | undefined;
    if (touch.moved) return;
    if (held) {
      const old = sessions.map((session) => session.pins.find((one) => one.id === held.id));
      const free = (): void => { for (const session of sessions) session.act({ kind: "unpin", id: held.id }); };
      const back = (): void => sessions.forEach((session, i) => { const o = old[i]; if (o) session.act({ kind: "pin", pin: { id: o.id, deformable: o.deformable, particles: o.particles, shift: [0, 0, 0] } }); });
      free();
      history.add({ label: "Free a pin", undo: back, redo: free });
      say("Freed.");
      changed();
      return;
    }
    if (touch.hit) pinAt(touch.bench, touch.deformable, touch.hit.vertex);
  },
};

const cut: Tool = {
  id: "cut", label: "Cut", key: "c", icon: "M6 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M6 21a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M8 8l13 10 M8 16L21 6",
  tip: "Draw a stroke over the cloth; it is cut along the stroke when you release.",
  anywhere: true,
  down(touch) { touch.data.stroke = [{ eye: touch.eye, direction: touch.direction, hit: touch.hit, deformable: touch.deformable }]; },
  move(touch) {
    const stroke = touch.data.stroke as { eye: V3; direction: V3; hit: RayHit | null }[], session = touch.bench.sessions[0];
    const hit = session.world.ray(touch.eye, touch.direction);
    stroke.push({ eye: touch.eye, direction: touch.direction, hit });
    touch.bench.stage.preview(stroke.filter((one) => one.hit).map((one) => triple(one.hit!.position)));
  },
  up(touch) {
    const { sessions, stage, say, history, changed } = touch.bench;
    stage.preview(null);
    const hits = (touch.data.stroke as { direction: V3; hit: RayHit | null }[]).filter((one) => one.hit);
    if (hits.length < 2) { if (touch.moved) say("The stroke met no cloth."); return; }
    const first = hits[0], last = hits.at(-1)!, from = triple(first.hit!.position), to = triple(last.hit!.position);
    const deformable = sessions[0].deformables.indexOf(first.hit!.deformable), index = Math.max(0, deformable);
    const mean = sessions[0].deformables[index].mesh.report.edge_length_mean;
    if (distance(from, to) < 3 * mean) { say("A cut is at least three edges long."); return; }
    if (sessions[0].cuts >= 32) { say("32 cuts are as many as the page takes."); return; }
    const normal = unit(cross(first.direction, last.direction)), point = scale(add(from, to), 0.5), frame = sessions[0].frame;
    const make = (): void => { for (const session of sessions) session.act({ kind: "cut", deformable: index, point, normal, reach: 0.5 * distance(from, to) + 0.5 * mean }); };
    make();
    history.add({ label: "Cut", undo: () => { for (const session of sessions) session.undoCut(frame); }, redo: make });
    say("Cut. Ctrl+Z, or Undo, mends it.");
    changed();
  },
};

const ball: Tool = {
  id: "ball", label: "Ball", key: "b", icon: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M4 9c5 3 11 3 16 0",
  tip: "Press to throw a ball there. Press for up to a second for a faster one.",
  anywhere: true,
  needsTime: true,
  down() {},
  up(touch) {
    if (touch.moved) return;
    const { sessions, stage, say } = touch.bench, size = stage.rig.size / 1.7, held = Math.min(1, (performance.now() - touch.since) / 1000);
    const reach = touch.hit ? touch.hit.distance : stage.rig.aim.distance, from = add(touch.eye, scale(touch.direction, Math.max(0.3, reach - 1.1 * size)));
    const velocity = add(scale(touch.direction, (2 + 5 * held) * Math.sqrt(Math.max(0.2, size))), [0, 1.2 * Math.sqrt(size), 0]);
    for (const session of sessions) session.act({ kind: "ball", ball: { frame: session.frame, from, velocity, radius: 0.09 * size } });
    say("A ball.");
  },
};

const blow: Tool = {
  id: "blow", label: "Blow", key: "v", icon: "M3 8h11a3 3 0 1 0-3-3 M3 12h16a3 3 0 1 1-3 3 M3 16h8a3 3 0 1 1-3 3",
  tip: "Press for a while: wind blows from the camera.",
  anywhere: true,
  needsTime: true,
  down(touch) {
    const session = touch.bench.sessions[0];
    touch.data.calm = { wind: triple(session.world.settings.wind), air: session.world.settings.air_density };
    for (const one of touch.bench.sessions) if (session.world.settings.air_density < 1.2) one.act({ kind: "set", path: "settings.air_density", value: 1.2 });
  },
  hold(touch) {
    const speed = 12 * Math.min(1, (performance.now() - touch.since) / 1000), { wind } = touch.data.calm as { wind: V3 };
    const value = add(wind, scale(touch.direction, speed)).map((x) => Math.fround(x));
    for (const session of touch.bench.sessions) session.act({ kind: "set", path: "settings.wind", value });
  },
  up(touch) {
    const { wind, air } = touch.data.calm as { wind: V3; air: number };
    for (const session of touch.bench.sessions) {
      session.act({ kind: "set", path: "settings.wind", value: wind });
      session.act({ kind: "set", path: "settings.air_density", value: air });
    }
  },
};

/** Paths of the pressures of closed surfaces. */
const pressures = (session: Session): string[] => session.deformables.flatMap((one) =>
  one.constraintSets.filter((set) => set.type === "volume").map((set) => `deformables.${one.name}.constraints.${set.name}.pressure`));

const pump: Tool = {
  id: "pump", label: "Pump", key: "u", icon: "M12 3v10 M8 9l4 4 4-4 M5 17c0 6 14 6 14 0s-14-6-14 0",
  tip: "Press for a while on a closed surface to pump it up; with Shift it deflates.",
  available: (session) => pressures(session).length > 0,
  anywhere: true,
  needsTime: true,
  down() {},
  hold(touch) {
    for (const session of touch.bench.sessions)
      for (const path of pressures(session)) {
        const now = Number(session.read(path)), next = clamp(now + (touch.secondary ? -1 : 1) * (0.25 / session.fps) * 2, 0.5, 3);
        session.act({ kind: "set", path, value: Math.fround(next) });
      }
  },
  up(touch) {
    const session = touch.bench.sessions[0], path = pressures(session)[0];
    if (path) touch.bench.say(`Pressure: ${short(Number(session.read(path)))} times that at rest.`);
  },
};

export const TOOLS: Tool[] = [grab, pin, paint, cut, ball, blow, pump];
export const toolById = (id: string): Tool => TOOLS.find((tool) => tool.id === id) ?? grab;
