// Time: one frame of the simulation for each frame of the picture at speed 1; never catches up after a pause.
import type { SceneSession } from "../engine/session.ts";

export const SPEEDS = [0.125, 0.25, 0.5, 1, 2];

export class Player {
  playing = true;
  speed = 1;
  /** Pictures a second, smoothed. */
  fps = 60;
  /** Milliseconds a step, smoothed. */
  step = 0;
  frames = 0;
  /** Milliseconds between pictures, of the last two seconds: their median says whether the machine is slow. */
  private gaps: number[] = [];
  private owed = 0;
  private before = 0;
  private waiting: { at: number; done: () => void }[] = [];

  constructor(
    private sessions: () => SceneSession[], private beforeStep: () => void, private afterStep: () => void, private draw: (stepped: boolean) => void, private troubled: (session: SceneSession) => void,
    readonly manual = false,
  ) {
    document.addEventListener("visibilitychange", () => { this.before = 0; this.gaps = []; });
    requestAnimationFrame((now) => this.tick(now));
  }

  private tick(now: number): void {
    requestAnimationFrame((next) => this.tick(next));
    const gap = this.before > 0 ? now - this.before : 1000 / 60;
    this.before = now;
    if (document.hidden) return;
    this.gaps.push(gap);
    if (this.gaps.length > 120) this.gaps.shift();
    this.fps += (1000 / Math.max(gap, 1) - this.fps) * 0.05;
    let stepped = false;
    if (this.playing && !this.manual) {
      this.owed = Math.min(this.owed + (Math.min(gap, 50) / 1000) * this.speed * 60, 2 * Math.max(1, this.speed));
      while (this.owed >= 0.98) {
        this.owed = Math.max(0, this.owed - 1);
        if (!this.advance()) break;
        stepped = true;
      }
    }
    this.draw(stepped);
    this.frames++;
    for (const one of this.waiting.filter((item) => item.at <= this.frames)) one.done();
    this.waiting = this.waiting.filter((item) => item.at > this.frames);
  }

  /** One frame of all sessions. */
  advance(): boolean {
    this.beforeStep();
    for (const session of this.sessions()) {
      if (!session.step()) { this.playing = false; this.troubled(session); return false; }
    }
    this.afterStep();
    const time = this.sessions().reduce((sum, session) => sum + session.stepTime, 0);
    this.step += (time - this.step) * 0.1;
    return true;
  }

  /** The next speed up or down. */
  faster(by: number): void { this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(this.speed) + by))]; }

  /** Resolves after that many pictures. */
  pictures(count: number): Promise<void> {
    return new Promise((done) => this.waiting.push({ at: this.frames + count, done }));
  }

  /** Median milliseconds between pictures, once there are two seconds of them. */
  get medianGap(): number | null {
    return this.gaps.length < 120 ? null : [...this.gaps].sort((a, b) => a - b)[60];
  }
  forgetGaps(): void { this.gaps = []; }
}
