// The brush pins all vertices under a stroke by one pin, made when the brush is lifted, since each pin changes the list of
// attachments. With Shift it frees them.
import type { Session } from "../engine/session.ts";
import { triple, type V3 } from "../base/math.ts";
import { diagonal, type Tool, type Touch } from "./tools.ts";

interface Stroke { deformable: number; vertices: Set<number>; at: V3 | null }

/** Vertices of a deformable within a radius of a point [m]. */
function under(session: Session, deformable: number, point: V3, radius: number): number[] {
  const one = session.deformables[deformable], { positions: p, stride } = one, found: number[] = [];
  for (let i = 0; i < one.vertexCount; i++)
    if (Math.hypot(p[stride * i] - point[0], p[stride * i + 1] - point[1], p[stride * i + 2] - point[2]) <= radius) found.push(i);
  return found;
}

/** Goes on from where the brush was, so that a fast stroke leaves no gaps. */
function dab(touch: Touch): void {
  const { sessions, stage, radius } = touch.bench, stroke = touch.data.stroke as Stroke, size = paint.radius!(sessions[0], stroke.deformable, radius);
  const hit = sessions[0].world.ray(touch.eye, touch.direction);
  const deformable = hit ? sessions[0].deformables.indexOf(hit.deformable) : -1;
  if (!hit || deformable !== stroke.deformable) { stroke.at = null; return; }
  const point = triple(hit.position), from = stroke.at ?? point, way = Math.hypot(...point.map((x, k) => x - from[k])), steps = Math.min(64, Math.ceil(way / (0.7 * size)) || 1);
  for (let s = 1; s <= steps; s++)
    for (const i of under(sessions[0], deformable, point.map((x, k) => from[k] + ((x - from[k]) * s) / steps) as V3, size)) stroke.vertices.add(i);
  stroke.at = point;
  const one = sessions[0].deformables[deformable], k = one.stride;
  stage.dots([...stroke.vertices].map((i) => [one.positions[k * i], one.positions[k * i + 1], one.positions[k * i + 2]]));
}

function hold(touch: Touch, stroke: Stroke): void {
  const { sessions, history, say, changed } = touch.bench, free = sessions[0].deformables[stroke.deformable].copyInverseMasses();
  const particles = [...stroke.vertices].filter((i) => free[i] > 0).sort((a, b) => a - b);
  if (particles.length === 0) { say("All of that is pinned already."); return; }
  if (sessions[0].pins.length >= 64) { say("64 pins are as many as the page takes."); return; }
  const pin = { id: sessions[0].newId(), deformable: stroke.deformable, particles, shift: [0, 0, 0] as V3 };
  const put = (): void => { for (const session of sessions) session.act({ kind: "pin", pin }); };
  put();
  history.add({ label: "Brush", undo: () => { for (const session of sessions) session.act({ kind: "unpin", id: pin.id }); }, redo: put });
  say(`${particles.length} particles are pinned. With Shift the brush frees them.`);
  changed();
}

function release(touch: Touch, stroke: Stroke): void {
  const { sessions, history, say, changed } = touch.bench;
  const before = sessions[0].pins.filter((pin) => pin.deformable === stroke.deformable && pin.particles.some((i) => stroke.vertices.has(i))).map(({ attachment: _, ...pin }) => pin);
  if (before.length === 0) { say("No pin is under the stroke."); return; }
  const after = before.map((pin) => ({ ...pin, shift: [0, 0, 0] as V3, particles: pin.particles.filter((i) => !stroke.vertices.has(i)) })).filter((pin) => pin.particles.length > 0);
  const change = (from: typeof before, to: typeof before): void => {
    for (const session of sessions) {
      for (const pin of from) session.act({ kind: "unpin", id: pin.id });
      for (const pin of to) session.act({ kind: "pin", pin: { ...pin, shift: [0, 0, 0] } });
    }
  };
  change(before, after);
  history.add({ label: "Brush with Shift", undo: () => change(after, before), redo: () => change(before, after) });
  say("Freed.");
  changed();
}

export const paint: Tool = {
  id: "paint", label: "Brush", key: "n", icon: "M4 20c3 1 6 0 6-3a3 3 0 0 0-6 0c0 1-1 2-2 2 M10 15L20 4c1-1 2 0 1 1L12 17",
  tip: "Paint over the cloth to pin it; with Shift the brush frees it.",
  radius: (session, deformable, factor) => factor * 0.03 * diagonal(session, deformable),
  down(touch) {
    touch.data.stroke = { deformable: touch.deformable, vertices: new Set<number>(), at: null } satisfies Stroke;
    dab(touch);
  },
  move: dab,
  up(touch) {
    const stroke = touch.data.stroke as Stroke;
    touch.bench.stage.dots(null);
    if (stroke.vertices.size === 0) return;
    if (touch.secondary) release(touch, stroke); else hold(touch, stroke);
  },
};
