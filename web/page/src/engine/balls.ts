// Thrown balls: colliders without mass from a pool that is made with the world, so that a throw changes no list of colliders.
import type { Collider, World } from "pliant";
import { add, scale, type V3 } from "../base/math.ts";
import type { Ball } from "./events.ts";

/** Balls at a time, and frames after which one is gone. */
export const BALLS = 4, BALL_FRAMES = 180;
const away = (place: number): V3 => [place, -500, 0];
/** Layers that a ball meets which waits, and which flies: a collider that can be met changes the bits of cloth however far it is. */
const NOTHING: number[] = [], ALL = Array.from({ length: 32 }, (_, layer) => layer);

/** Where a thrown ball is: a flight with some drag that bounces on the ground. */
export function flight(ball: Ball, age: number, fps: number, ground: number | null): V3 {
  const dt = 1 / fps;
  let p = ball.from, v = ball.velocity;
  for (let i = 0; i < age; i++) {
    v = scale([v[0], v[1] - 9.81 * dt, v[2]], 0.995);
    p = add(p, scale(v, dt));
    if (ground !== null && p[1] < ground + ball.radius && v[1] < 0) {
      p = [p[0], ground + ball.radius, p[2]];
      v = [v[0] * 0.9, -v[1] * 0.5, v[2] * 0.9];
    }
  }
  return p;
}

export class ThrownBalls {
  /** All that were thrown, in order; the last BALLS of them may fly. */
  thrown: Ball[] = [];
  private pool: Collider[];

  constructor(world: World, private fps: number, private ground: number | null) {
    this.pool = Array.from({ length: BALLS }, (_, i) => world.createCollider({ shape: "sphere", radius: 0.1, friction: 0.2, collides_with: NOTHING, pose: { position: away(i) } }));
  }

  throw(ball: Ball): void {
    const collider = this.pool[this.thrown.length % BALLS];
    collider.set({ radius: ball.radius, collides_with: ALL });
    collider.teleport({ position: ball.from });
    this.thrown.push(ball);
  }

  /** Takes over what flies in another world, where it is. */
  adopt(thrown: Ball[], frame: number): void {
    this.thrown = [...thrown];
    for (const ball of this.active(frame)) {
      const collider = this.pool[thrown.indexOf(ball) % BALLS];
      collider.set({ radius: ball.radius, collides_with: ALL });
      if (thrown.indexOf(ball) >= thrown.length - BALLS) collider.teleport({ position: this.position(ball, frame) });
    }
  }

  active(frame: number): Ball[] { return this.thrown.filter((ball) => frame - ball.frame < BALL_FRAMES); }
  position(ball: Ball, frame: number): V3 { return flight(ball, frame - ball.frame, this.fps, this.ground); }
  /** The ball that a collider of the pool stands for, or null. */
  of(collider: Collider): Ball | null {
    const place = this.pool.indexOf(collider), last = this.thrown.length - 1;
    for (let i = last; place >= 0 && i > last - BALLS && i >= 0; i--) if (i % BALLS === place) return this.thrown[i];
    return null;
  }

  /** Before the step from `frame`: moves those that fly to where they are at its end. */
  move(frame: number): void {
    this.thrown.forEach((ball, i) => {
      const age = frame + 1 - ball.frame;
      if (i < this.thrown.length - BALLS || age < 1 || age > BALL_FRAMES) return;
      const collider = this.pool[i % BALLS];
      if (age === BALL_FRAMES) {
        collider.set({ collides_with: NOTHING });
        collider.teleport({ position: away(i % BALLS) });
      } else collider.setPose({ position: flight(ball, age, this.fps, this.ground) });
    });
  }
}
