// The CPU's step in rounded JavaScript, one particle and one constraint after the other: what the simulation on the graphics
// card is held against. Where the library is at hand too, it is held against that as well (engine.test.ts).
import { DEFAULT_SETTINGS, type GpuDescription, type GpuSettings, type Triple } from "../../src/description.js";
import type { Sweep } from "../../src/projector.js";
import { findHold, meanEdgeOf, shapeOf, type Hold } from "../../src/shape.js";
import * as t from "../../src/tables.js";
import { typeNamed } from "../../src/types/type_table.js";
import { actsBefore, forceNumbers, isDamped, isWindy } from "../../src/forces.js";
import { findContact, rub, type TwinContact, type TwinShape } from "./contact.js";
import * as m from "./float3.js";
import { accelerate, blow, damp } from "./forces.js";
import { PROJECTIONS, projectPull, type TwinConstraint } from "./projection.js";

const { f } = m;

interface TwinSet {
  project: (k: TwinConstraint) => void;
  constraints: TwinConstraint[];
}

/** A hand of include/pliant/grab.h. */
export class TwinHand {
  share: number;
  active = true;
  acting = 0;
  next: m.V;
  from: m.V = [0, 0, 0];
  to: m.V = [0, 0, 0];
  readonly locals: m.V[];
  readonly lambda: Float32Array;

  constructor(
    private readonly twin: Twin,
    readonly hold: Hold,
    private readonly ramp: number,
  ) {
    this.share = this.ramp = f(1 / ramp);
    this.next = this.mean(twin.x);
    this.from = this.to = this.next;
    this.locals = [...hold.particles].map((i) => m.vsub(this.twin.at(twin.x, i), this.next));
    this.lambda = new Float32Array(3 * hold.particles.length);
  }

  private mean(of: Float32Array): m.V {
    const sum = [0, 0, 0];
    for (const i of this.hold.particles) for (let k = 0; k < 3; k++) sum[k]! += of[4 * i + k]!;
    return sum.map((value) => f(value / this.hold.particles.length)) as unknown as m.V;
  }

  private cut(v: m.V): m.V {
    const length = m.length(v);
    return length > this.hold.reach ? m.vscale(v, f(this.hold.reach / length)) : v;
  }

  update(target: Triple, dt: number, holds = true): void {
    if (!this.active) return;
    if (!holds && this.share <= this.ramp) {
      this.active = false;
      return;
    }
    const now = this.mean(this.twin.x);
    const then = m.vadd(now, m.vscale(this.mean(this.twin.v), f(dt)));
    this.from = m.vadd(now, this.cut(m.vsub(this.next, now)));
    this.to = this.next = m.vadd(then, this.cut(m.vsub(target.map(f) as unknown as m.V, then)));
    this.acting = this.share;
    this.share = holds ? Math.min(f(this.share + this.ramp), 1) : f(this.share - this.ramp);
  }
}

export class Twin {
  readonly count: number;
  readonly x: Float32Array;
  readonly v: Float32Array;
  readonly start: Float32Array;
  readonly lost: Float32Array;
  readonly settings: GpuSettings;
  readonly courses: t.Course[];
  private readonly sets: TwinSet[];
  private readonly meanEdge: number;
  private hands: TwinHand[] = [];
  private shapes: TwinShape[] = [];
  private contacts: (TwinContact | null)[][] = [];
  private pace: t.Pace;

  constructor(private readonly description: GpuDescription) {
    this.count = description.inverseMasses.length;
    this.settings = { ...DEFAULT_SETTINGS, ...description.settings };
    this.meanEdge = meanEdgeOf(shapeOf(description));
    this.pace = t.paceOf(this.settings, 1 / 60);
    const place = (from: ArrayLike<number> | undefined, i: number): number[] => [0, 1, 2].map((k) => from?.[3 * i + k] ?? 0);
    this.x = new Float32Array(4 * this.count);
    this.v = new Float32Array(4 * this.count);
    for (let i = 0; i < this.count; i++) {
      this.x.set([...place(description.positions, i), description.inverseMasses[i]!], 4 * i);
      this.v.set(place(description.velocities, i), 4 * i);
    }
    this.start = this.x.slice();
    this.lost = new Float32Array(4 * this.count);
    this.courses = (description.colliders ?? []).map((c) => ({ collider: c, pose: t.fullPose(c), next: t.fullPose(c) }));
    this.sets = description.sets.map((_, i) => this.makeSet(i));
  }

  at(from: Float32Array, i: number): m.V {
    return [from[4 * i]!, from[4 * i + 1]!, from[4 * i + 2]!];
  }

  private makeSet(index: number): TwinSet {
    const set = this.description.sets[index]!;
    const row = typeNamed(set.type)!;
    const rest = Float32Array.from(set.rest);
    const lambda = new Float32Array((rest.length / row.restCount) * row.dimension);
    const isZeroRest = (j: number): boolean => rest.every((value, i) => i % row.restCount !== j || value === 0);
    const zeros = Array.from({ length: row.restCount }, (_, j) => isZeroRest(j));
    const c = t.coefficientsOf(set.parameters ?? {}, set.type, this.settings, this.pace);
    const one = (i: number): TwinConstraint => ({
      particles: { x: this.x, start: this.start, lost: null },
      places: Array.from({ length: row.cardinality }, (_, k) => set.particles[row.cardinality * i + k]!),
      rest: [...rest.subarray(row.restCount * i, row.restCount * (i + 1))],
      scale: f(set.scales?.[i] ?? 0),
      lambda: { values: lambda, at: row.dimension * i },
      isFirst: true,
      c,
      parameters: set.parameters ?? {},
      isZeroRest: (j) => zeros[j]!,
    });
    return { project: PROJECTIONS[set.type]!, constraints: Array.from({ length: lambda.length / row.dimension }, (_, i) => one(i)) };
  }

  /** Begins a step, whose stages may also be run one by one. */
  begin(dt: number): void {
    this.pace = t.paceOf(this.settings, dt);
    this.sets.forEach(({ constraints }, i) => {
      const set = this.description.sets[i]!;
      const c = t.coefficientsOf(set.parameters ?? {}, set.type, this.settings, this.pace);
      for (const k of constraints) {
        k.c = c;
        k.particles.lost = this.pace.keepsLost ? this.lost : null;
      }
    });
    this.hands = this.hands.filter((hand) => hand.active);
  }

  /** Air and damping, where there are any. */
  forces(): void {
    const { settings } = this;
    if (!actsBefore(settings)) return;
    const numbers = forceNumbers(settings, this.pace);
    const isPinned = this.x.some((w, i) => i % 4 === 3 && w === 0);
    if (isPinned && isDamped(settings)) damp(this, numbers.share, (w) => Number(w === 0), 1e-6);
    accelerate(this, numbers.change);
    if (isWindy(settings)) {
      blow(this, this.description.triangles ?? [], numbers);
      accelerate(this, numbers.change);
    }
    if (!isPinned && isDamped(settings)) damp(this, numbers.share);
  }

  predict(substep: number): void {
    const { pace, settings } = this;
    const falls = !actsBefore(settings);
    this.shapes = this.courses.map((course) => {
      const thickness = f(f(this.description.thickness ?? 0.005) + f(course.collider.thickness ?? 0));
      const recovery = t.recoveryOf(thickness, this.meanEdge, pace.step);
      return { ...t.moveShape(course, substep, pace.substeps), collider: course.collider, thickness, recovery };
    });
    this.contacts = [];
    for (let i = 0; i < this.count; i++) {
      const x = this.at(this.x, i);
      const isMoving = this.x[4 * i + 3] !== 0;
      let v = this.at(this.v, i);
      if (isMoving && falls) v = m.vadd(v, pace.change);
      const speed = m.length(v);
      if (isMoving && speed > settings.speed_limit) v = m.vscale(v, f(f(settings.speed_limit) / speed));
      const to = isMoving ? m.vadd(x, m.vscale(v, pace.step)) : x;
      this.start.set(x, 4 * i);
      this.v.set(v, 4 * i);
      this.x.set(to, 4 * i);
      this.lost.fill(0, 4 * i, 4 * i + 4);
      this.contacts.push(this.shapes.map((shape) => (isMoving ? findContact(shape, x, to, pace.perSecond) : null)));
    }
  }

  /** One sweep over a set, in its order or backward. */
  sweepSet(index: number, sweep: Sweep): void {
    const { project, constraints } = this.sets[index]!;
    const n = constraints.length;
    for (let i = 0; i < n; i++) {
      const k = constraints[sweep.backward ? n - 1 - i : i]!;
      k.isFirst = sweep.first || !k.c.keepsMultipliers;
      project(k);
    }
  }

  private sweepHand(hand: TwinHand, substep: number, sweep: Sweep): void {
    const { particles } = hand.hold;
    const force = f(hand.hold.limit * Math.max(hand.acting || hand.share, f(1e-3)));
    const parameters = { compliance: (particles.length * hand.hold.reach) / force, stiffness: 0.2 };
    const c = t.coefficientsOf(parameters, "attachment", this.settings, this.pace);
    const share = f((substep + 1) / this.pace.substeps);
    const position = m.vadd(m.vscale(hand.from, f(1 - share)), m.vscale(hand.to, share));
    particles.forEach((place, i) => {
      const lost = this.pace.keepsLost ? this.lost : null;
      const rest = [...m.vadd(hand.locals[i]!, position)];
      const isFirst = sweep.first || !c.keepsMultipliers;
      const lambda = { values: hand.lambda, at: 3 * i };
      projectPull({ particles: { x: this.x, start: this.start, lost }, places: [place], rest, scale: 0, lambda, isFirst, c, parameters, isZeroRest: () => false });
    });
  }

  touch(): void {
    this.contacts.forEach((found, i) => {
      for (const contact of found) {
        if (!contact) continue;
        const x = this.at(this.x, i);
        const depth = f(contact.offset - m.dot(contact.normal, x));
        if (!(0 < depth)) continue;
        this.x.set(m.vaddScaled(x, contact.normal, depth), 4 * i);
        contact.push = f(contact.push + depth);
      }
    });
  }

  settle(): void {
    const { step, perSecond, bounce, keepsLost } = this.pace;
    for (let i = 0; i < this.count; i++) {
      const isMoving = this.x[4 * i + 3] !== 0;
      const kept: m.V = isMoving ? this.at(this.v, i) : [0, 0, 0];
      let x = this.at(this.x, i);
      let correction = m.vsub(x, m.vadd(this.at(this.start, i), m.vscale(kept, step)));
      if (keepsLost) correction = m.vadd(correction, this.at(this.lost, i));
      let v = m.vadd(kept, m.vscale(correction, perSecond));
      this.contacts[i]!.forEach((contact, c) => {
        if (contact && contact.push > 0) [x, v] = rub(contact, this.courses[c]!.collider, x, v, step, bounce);
      });
      this.x.set(x, 4 * i);
      this.v.set(v, 4 * i);
    }
  }

  step(dt: number): void {
    this.begin(dt);
    const { settings } = this;
    for (let substep = 0; substep < settings.substeps; substep++) {
      this.forces();
      this.predict(substep);
      for (let iteration = 0; iteration < settings.iterations; iteration++) {
        for (let k = t.sweepsBefore(settings, iteration); k < t.sweepsBefore(settings, iteration + 1); k++)
          this.sweep(substep, { first: k === 0, backward: t.isBackward(settings, k) });
        this.touch();
      }
      this.settle();
    }
    for (const course of this.courses) course.pose = course.next;
  }

  private sweep(substep: number, sweep: Sweep): void {
    const all = [
      ...this.sets.map((_, i) => () => this.sweepSet(i, sweep)),
      ...this.hands.map((hand) => () => this.sweepHand(hand, substep, sweep)),
    ];
    for (const one of sweep.backward ? all.reverse() : all) one();
  }

  grab(def: { vertex: number; radius?: number; strength?: number; reach?: number; ramp?: number }): TwinHand {
    const { radius = 0, strength = 1, reach = 0, ramp = 6 } = def;
    const edges = this.description.sets.filter((set) => set.type === "distance").flatMap((set) => Array.from(set.particles));
    const shape = this.description.shape ?? { positions: this.description.positions, edges };
    const masses = Float32Array.from(this.description.inverseMasses);
    const hand = new TwinHand(this, findHold(shape, { vertex: def.vertex, radius, strength, reach }, masses, masses), ramp);
    this.hands.push(hand);
    return hand;
  }
}
