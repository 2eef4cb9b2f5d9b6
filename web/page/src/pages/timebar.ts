// The time bar: play, step, back, start over, a slider over the frames, and the hash of the run.
import { h } from "../base/dom.ts";
import { milliseconds } from "../base/text.ts";
import type { SceneSession } from "../engine/session.ts";
import { keyOf } from "../play/keymap.ts";
import { SPEEDS, type Player } from "../time/player.ts";
import { icon } from "./shell.ts";

const PLAY = "M7 5v14l12-7z", PAUSE = "M8 5v14 M16 5v14";

export interface TimeHost {
  session: () => SceneSession;
  player: Player;
  toggle: () => void;
  step: (frames: number) => void;
  reset: () => void;
  goTo: (frame: number) => void;
  copyHash: () => void;
}

export class TimeBar {
  readonly element: HTMLElement;
  private play = h("button", { class: "icon", type: "button", "data-testid": "time-pause", "aria-label": "Pause", title: "Pause (Space)" });
  private scrub = h("input", { type: "range", class: "scrub", min: 0, max: 1, step: 1, value: 0, "data-testid": "time-scrub", "aria-label": "Frame" });
  private rate = h("span", { title: "Pictures a second" });
  private cost = h("span", { class: "ms", title: "Simulation of one frame" });
  private number = h("span", { class: "frame-no", title: "Frame" });
  private hash = h("button", { class: "hash", type: "button", "data-testid": "run-hash" });
  private speed: HTMLSelectElement;
  private playing: boolean | null = null;

  constructor(private host: TimeHost) {
    const held = (name: string, label: string, path: string, by: number, act: "step" | "back"): HTMLButtonElement => {
      const button = h("button", { class: "icon", type: "button", "data-testid": name, "aria-label": label, title: `${label}${keyOf(act)}; with Shift ten frames` }, icon(path));
      let timer = 0;
      const stop = (): void => window.clearInterval(timer);
      button.addEventListener("click", (event) => host.step(event.shiftKey ? 10 * by : by));
      button.addEventListener("pointerdown", () => { timer = window.setTimeout(() => { timer = window.setInterval(() => host.step(by), 100); }, 400); });
      for (const name of ["pointerup", "pointerleave", "pointercancel"]) button.addEventListener(name, stop);
      return button;
    };
    this.play.addEventListener("click", () => host.toggle());
    this.hash.addEventListener("click", () => host.copyHash());
    this.scrub.addEventListener("input", () => host.goTo(Number(this.scrub.value)));
    this.speed = h("select", { class: "speed", "data-testid": "time-speed", "aria-label": "Speed", title: "Speed (+ -)" }, ...SPEEDS.map((one) => h("option", { value: one }, one < 1 ? `1/${1 / one}` : `${one}x`)));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => { host.player.speed = Number(this.speed.value); });
    const reset = h("button", { class: "icon", type: "button", "data-testid": "time-reset", "aria-label": "Start over", title: "Start over (Backspace)" }, icon("M4 4v6h6 M4.5 10A8 8 0 1 1 4 14"));
    reset.addEventListener("click", () => host.reset());
    this.element = h("div", { class: "time", role: "toolbar", "aria-label": "Time" }, this.play,
      held("time-back", "Back one frame", "M6 5v14 M19 5v14L9 12z", -1, "back"), held("time-step", "Step", "M18 5v14 M5 5v14l10-7z", 1, "step"), reset,
      this.scrub, this.speed, h("div", { class: "readout" }, this.number, this.rate, this.cost), this.hash);
  }

  showSpeed(speed: number): void { this.speed.value = String(speed); }

  /** `hash` is a new one, or null for as it was. */
  show(hash: string | null): void {
    const { player } = this.host, session = this.host.session();
    if (this.playing !== player.playing) {
      this.playing = player.playing;
      this.play.replaceChildren(icon(player.playing ? PAUSE : PLAY));
      this.play.setAttribute("aria-label", player.playing ? "Pause" : "Play");
      this.play.title = player.playing ? "Pause (Space)" : "Play (Space)";
    }
    const most = Math.max(1, session.end);
    if (this.scrub.max !== String(most)) this.scrub.max = String(most);
    if (document.activeElement !== this.scrub || player.playing) this.scrub.value = String(session.frame);
    this.scrub.style.setProperty("--filled", String(session.frame / most));
    this.scrub.setAttribute("aria-valuetext", `frame ${session.frame} of ${session.end}`);
    this.number.textContent = `f ${session.frame}`;
    this.rate.textContent = `${Math.round(player.fps)} fps`;
    this.cost.textContent = milliseconds(player.step);
    if (hash === null) return;
    this.hash.textContent = `${hash.slice(0, 4)}..${hash.slice(-4)}`;
    this.hash.dataset.hash = hash;
    this.hash.classList.toggle("same", session.repeatable);
    this.hash.title = session.repeatable
      ? `State hash ${hash} at frame ${session.frame}. "pliant run ${session.source.file} --frames ${session.frame}" prints the same. Press to copy.`
      : `State hash ${hash}. You changed this run, so the command prints another one. Press to copy.`;
    this.hash.setAttribute("aria-label", `State hash ${hash}. Copy it.`);
  }
}
