// A card's scene, running in the card while the pointer or the focus is on it: one at a time, over the card's picture.
import { h } from "../base/dom.ts";
import { Studio, themeNow } from "../draw/studio.ts";
import { Stage } from "../draw/stage.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library } from "../engine/library.ts";
import { SceneSession } from "../engine/session.ts";
import { Player } from "../time/player.ts";

export class LiveCard {
  private canvas = h("canvas", { class: "live", "aria-hidden": "true" });
  private studio = new Studio(this.canvas);
  private player: Player;
  private shown: { id: string; session: SceneSession; stage: Stage } | null = null;
  private wanted: string | null = null;

  constructor() {
    this.player = new Player(() => (this.shown ? [this.shown.session] : []), () => undefined, () => undefined, (stepped) => { if (stepped) this.draw(); }, () => this.hide());
    this.player.playing = false;
  }

  /** Runs a scene over the picture in `place`; what ran before ends. */
  async show(id: string, place: HTMLElement): Promise<void> {
    const row = sceneById(id);
    if (!row || this.wanted === id) return;
    this.hide();
    this.wanted = id;
    const [engine, source] = await Promise.all([library(), fetchScene(row)]);
    if (this.wanted !== id) return;
    place.append(this.canvas);
    this.studio.resize();
    const session = new SceneSession(engine, source), stage = new Stage(this.studio, session, themeNow());
    session.onRebuild = () => stage.build();
    stage.fit(this.canvas.getBoundingClientRect());
    this.shown = { id, session, stage };
    this.draw();
    this.canvas.classList.add("on");
    this.player.playing = true;
  }

  hide(): void {
    this.wanted = null;
    this.player.playing = false;
    this.canvas.classList.remove("on");
    this.canvas.remove();
    this.shown?.stage.dispose();
    this.shown?.session.dispose();
    this.shown = null;
  }

  /** Frames of what runs now; null where nothing runs. */
  get running(): { id: string; frame: number } | null { return this.shown && { id: this.shown.id, frame: this.shown.session.frame }; }

  private draw(): void {
    if (!this.shown) return;
    const { stage, session } = this.shown;
    if (session.frame >= 600) session.reset();
    stage.update();
    stage.draw({ x: 0, y: 0, width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 });
  }
}
