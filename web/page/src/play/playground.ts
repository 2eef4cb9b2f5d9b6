// The playground: a stage, tools, time, panel; of the landing in its simplest form and of /play whole.
import { sessionQuantities, type Engine, type GuessKind } from "pliant";
import { announce, calm, copy, h, mark } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { hasWebGL, Studio, themeNow } from "../draw/studio.ts";
import { Stage, type Region } from "../draw/stage.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library, type Source } from "../engine/library.ts";
import { sceneOfMesh } from "../engine/mesh_scene.ts";
import { SceneSession } from "../engine/session.ts";
import { keyDialog } from "../pages/dialogs.ts";
import { icon } from "../pages/shell.ts";
import { TimeBar } from "../pages/timebar.ts";
import { EngineSwitch } from "../panel/engine.ts";
import { Panel } from "../panel/panel.ts";
import { SideSwitch } from "../panel/sides.ts";
import { readLink, type Linked } from "../state/link.ts";
import { expand, type Overrides } from "../state/paths.ts";
import { Sides } from "../state/sides.ts";
import { Player } from "../time/player.ts";
import { Cursor } from "../tools/cursor.ts";
import { Hands, type Cell } from "../tools/hands.ts";
import { toolsOf, type Tool } from "../tools/tools.ts";
import { Changes } from "./changes.ts";
import { Colours } from "./colours.ts";
import { Head } from "./head.ts";
import { keyOf, KEYS } from "./keymap.ts";
import { closeMenu, keys } from "./keys.ts";
import { Messages } from "./messages.ts";
import { meshSaid, sourceOfFile, takeDrops } from "./opening.ts";
import { restingState, settle } from "./settling.ts";
import { Sharing } from "./sharing.ts";
import { sheet, type Sheet } from "./sheet.ts";

const STAGE = { class: "stage", tabindex: 0, role: "application", "data-testid": "stage", "aria-label": "Cloth that you can pull. Enter puts a cursor on it, I describes it." };
/** Frame at which a file of the user is taken to rest. */
const SETTLED = 60;
/** Time that steps to a frame of the slider take in each picture [ms]. */
const SLICE = 60;
export interface PlayOptions { scene: string; landing: boolean }

export class Playground {
  session!: SceneSession;
  stage!: Stage;
  player!: Player;
  panel!: Panel;
  readonly sides = new Sides(() => this.session);
  readonly keyboard = new Cursor();
  readonly canvas: HTMLCanvasElement;
  readonly messages: Messages;
  readonly colours: Colours;
  readonly sharing: Sharing;
  readonly changes: Changes;
  readonly engineSwitch: EngineSwitch;
  readonly tools: Tool[];
  tool: Tool;
  lastHash = "";
  private hands!: Hands;
  private bar!: TimeBar;
  private head: Head | null = null;
  private side!: Sheet;
  private box: HTMLElement;
  private toolbar = h("div", { class: "tools", role: "toolbar", "aria-label": "Tools" });
  private sideSwitch: SideSwitch;
  /** The scene for which fewer substeps were offered. */
  private offered: Source | null = null;
  private dirty = true;
  private resetAt = 0;
  private grabbed = false;
  private shownFrame = -1;
  /** Frame of the slider, to which steps lead; null for none. */
  private goal: number | null = null;
  private isSettling = false;
  /** A step has been shown. */
  private moved = false;

  constructor(readonly root: HTMLElement, readonly engine: Engine, private options: PlayOptions, private studio: Studio) {
    this.canvas = studio.canvas;
    this.tools = toolsOf(engine);
    this.tool = this.tools[0];
    this.box = root.querySelector(".stage-box")!;
    this.messages = new Messages(this.box);
    this.colours = new Colours(engine, () => this.stage, () => this.session);
    this.sharing = new Sharing(this, engine.descriptors);
    this.changes = new Changes(this);
    this.sideSwitch = new SideSwitch(this.sides, () => this.changes.swapSides());
    this.engineSwitch = new EngineSwitch({
      session: () => this.session, cpuTime: () => this.player.step, say: (text) => this.say(text),
      changed: () => { if (this.stage) { this.stage.other = null; this.changed(); } },
    });
  }

  static async start(root: HTMLElement, options: PlayOptions): Promise<Playground | null> {
    const box = root.querySelector<HTMLElement>(".stage-box")!;
    const refuse = (text: string): null => { box.append(h("p", { class: "toast error", role: "alert", "data-testid": "message-unsupported" }, text)); return null; };
    if (typeof WebAssembly === "undefined") return refuse("This browser has no WebAssembly, so it cannot run the simulation. The picture shows what it would be.");
    if (!hasWebGL()) return refuse("This browser does not draw with WebGL 2, which this page needs. Learn and Gallery work without.");
    const link = options.landing ? null : readLink(location.hash), row = sceneById(link?.scene ?? options.scene) ?? sceneById(options.scene)!;
    mark("script");
    const wanted = Promise.all([library(), fetchScene(row), options.landing ? restingState(row) : null]), canvas = h("canvas", STAGE), studio = new Studio(canvas);
    mark("context");
    studio.warm();
    mark("shaders handed over");
    const [engine, source, resting] = await wanted;
    mark("engine and scene");
    const page = new Playground(root, engine, options, studio);
    await page.open(source, link, resting);
    return page;
  }

  /* ---- the first scene -------------------------------------------------------------------------------------- */

  /** `resting` is a stored state of the scene at rest, with which it opens. */
  private async open(source: Source, link: Linked | null, resting: Uint8Array | null): Promise<void> {
    this.sessionOf(source, link);
    const settled = sceneById(source.id)?.settled ?? SETTLED;
    if (resting) this.session.core.adopt(settled, resting);
    else if (calm() && !link?.frame) await this.settle(settled);
    mark("world");
    this.box.prepend(this.canvas);
    this.buildTools();
    this.box.append(this.colours.legend);
    this.buildPanel();
    this.root.classList.add("ready");
    this.studio.resize();
    mark("panel");
    this.stage = new Stage(this.studio, this.session, themeNow());
    mark("stage");
    this.cover();
    this.stage.fit();
    if (link?.aim) this.stage.rig.set(link.aim);
    this.session.onRebuild = () => { this.stage.build(); this.dirty = true; };
    this.makePlayer();
    this.hands = new Hands({
      canvas: this.canvas, cells: () => [this.cell], tool: () => this.tool, grab: this.tools[0], redraw: () => this.redraw(),
      pressed: (tool) => { this.firstGrab(); this.needTime(tool.needsTime); }, resize: (factor) => this.resize(factor),
    });
    keys(this);
    this.listen();
    if (link) this.takeLink(link);
    const poster = document.getElementById("poster");
    if (poster) { poster.style.opacity = "0"; window.setTimeout(() => poster.remove(), 400); }
    this.stage.update();
    this.paint();
    mark("first picture");
    if (calm()) this.waitForPlay();
  }

  /** Reduced motion: the scene is at rest until a person starts it. */
  private waitForPlay(): void {
    this.player.playing = false;
    this.box.querySelector(".let-move")?.remove();
    const start = h("button", { class: "button strong let-move", type: "button", "data-testid": "let-move" }, "Let it move");
    start.addEventListener("click", () => this.toggle());
    this.box.append(start);
  }

  private sessionOf(source: Source, link: Linked | null): SceneSession {
    const [a, b] = [this.valuesOf(link?.overrides, source.text), link?.other && this.valuesOf(link.other, source.text)], runsB = Boolean(b && link?.runsB), side = runsB ? "B" : "A";
    let made: SceneSession;
    try { made = new SceneSession(this.engine, source, runsB ? b : a, side); } catch (error) {
      if (!link) throw error;
      window.setTimeout(() => this.fail("link", `The settings in this link were not taken: ${(error as Error).message}`), 0);
      made = new SceneSession(this.engine, source, new Map(), side);
    }
    made.onMessage = (text, isError) => { if (isError) this.fail("session", text); else this.say(text); };
    this.session = made;
    this.sides.wait(runsB ? a : b ?? null);
    return made;
  }

  /** Values of a link by their long paths. */
  private valuesOf(list: [string, unknown][] | undefined, text: string): Overrides {
    return new Map((list ?? []).flatMap(([path, value]) => expand(path, text).map((one): [string, unknown] => [one, value])));
  }

  private takeLink(link: Linked): void {
    const { unknown } = link;
    this.sharing.unknown = unknown;
    for (const [deformable, ...particles] of link.pins) {
      const one = this.session.deformables[deformable];
      if (!one || particles.some((p) => p >= one.vertexCount)) { unknown.push(`pin=${[deformable, ...particles].join()}`); continue; }
      this.session.core.act({ kind: "pin", indices: [deformable, 0], vertices: particles });
    }
    if (link.measure) this.setMeasure(link.measure);
    if (link.newer) this.fail("link", `Made with version ${link.newer} of these links; this page knows ${unknown.length ? "all but " + unknown.join(", ") : "all of it"}.`);
    else if (unknown.length > 0) this.fail("link", `Not understood in this link, and kept: ${unknown.join(", ")}.`);
    this.refreshPanel();
    if (link.frame) { for (let i = 0; i < link.frame && this.session.step(); i++); this.player.playing = false; }
  }

  private makePlayer(): void {
    const manual = new URLSearchParams(location.search).get("clock") === "manual";
    this.player = new Player(() => [this.session], () => this.engineSwitch.note(), () => this.engineSwitch.step(), (stepped) => this.picture(stepped), () => this.box.classList.add("trouble"), manual);
    this.bar = new TimeBar({
      session: () => this.session, player: this.player, toggle: () => this.toggle(), step: (by) => this.stepBy(by), reset: () => this.reset(),
      goTo: (frame) => { this.pause(); this.goal = frame; this.approach(); },
      copyHash: () => { void copy(this.session.hash()).then(() => this.say("Hash copied.")); },
    });
    this.side.element.before(this.bar.element);
  }

  private listen(): void {
    new ResizeObserver(() => { this.studio.resize(); this.cover(); this.dirty = true; this.paint(); }).observe(this.box);
    takeDrops(this.root, this.box, (file) => {
      if (this.options.landing) this.offer("file", `Play opens meshes and scenes: drop ${file.name} there.`, "Go to Play", () => { location.href = "play/"; });
      else void this.openFile(file);
    });
    this.canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); this.player.playing = false; this.fail("graphics", "The browser took the graphics away. Reload the page to go on."); });
    if (this.options.landing) {
      const awake = (): void => { const box = this.root.getBoundingClientRect(); this.canvas.classList.toggle("awake", Math.min(innerHeight, box.bottom) - Math.max(0, box.top) > 0.6 * innerHeight); };
      addEventListener("scroll", awake, { passive: true });
      awake();
    }
    addEventListener("hashchange", () => { const link = readLink(location.hash); if (link && !this.options.landing) location.reload(); });
  }

  /* ---- tools and panel -------------------------------------------------------------------------------------- */

  private buildTools(): void {
    this.toolbar.replaceChildren(...this.tools.filter((tool) => this.has(tool)).map((tool) => {
      const button = h("button", { class: "tool", type: "button", "data-tool": tool.id, "data-testid": `tool-${tool.id}`, "aria-pressed": String(tool === this.tool), "aria-label": tool.label, title: `${tool.label} (${tool.key.toUpperCase()}). ${tool.tip}` }, icon(tool.icon), h("span", null, tool.label));
      button.addEventListener("click", () => this.choose(tool.id));
      return button;
    }));
    if (!this.toolbar.isConnected) this.box.append(this.toolbar);
  }

  private buildPanel(): void {
    const { landing } = this.options;
    this.head = landing ? null : new Head(this, this.sideSwitch.element, this.engineSwitch.element);
    this.panel = new Panel(this.engine.descriptors, {
      session: () => this.session, set: (values, label) => this.changes.set(values, label),
    }, landing ? { only: ["bend.rigidity"] } : { view: this.head!.view });
    this.head?.explain(this.panel);
    this.side = sheet(this.root, () => { this.cover(); this.dirty = true; }, this.head?.element ?? null, this.panel.element, landing ? h("a", { class: "more", href: "play/" }, "More in Play") : this.panel.help);
    this.root.append(this.side.element);
    this.head?.show();
  }

  private refreshPanel(): void {
    this.panel.refresh();
    this.sideSwitch.show();
    this.head?.show();
  }

  get cell(): Cell { return { stage: this.stage, session: this.session, region: this.region }; }
  get region(): Region { return { x: 0, y: 0, width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 }; }
  redraw(): void { this.queueLink(); this.dirty = true; }

  private firstGrab(): void {
    if (this.grabbed) return;
    this.grabbed = true;
    const words = document.getElementById("pull");
    if (words && !this.options.landing) words.remove();
  }

  choose(id: string): void {
    const next = this.tools.find((tool) => tool.id === id && this.has(tool));
    if (!next) return;
    if (next === this.tool && id === "brush") this.nextQuantity();
    this.tool = next;
    this.dirty = true;
    for (const button of this.toolbar.querySelectorAll<HTMLElement>(".tool")) button.setAttribute("aria-pressed", String(button.dataset.tool === id));
  }

  /** Only closed surfaces with a pressure have a pump. */
  private has({ id }: Tool): boolean { return id !== "pump" || this.session.core.hasPressure; }

  private nextQuantity(): void {
    const { core } = this.session, all = sessionQuantities(this.engine), quantity = (core.brush.quantity + 1) % all.length;
    core.setBrush({ quantity });
    const { legend, name, summary, isValue } = all[quantity];
    this.say(`Brush: ${isValue ? `${legend} towards ${short(core.brush.value, 3)}` : name}. ${summary}`);
  }

  /** Values, pins or sides are others now. */
  changed(): void {
    this.refreshPanel();
    this.queueLink();
    this.dirty = true;
  }

  setMeasure(name: string): void {
    this.colours.choose(name);
    this.cover();
    this.head?.show();
    this.queueLink();
    this.dirty = true;
  }

  setWires(on: boolean): void {
    this.stage.wireframe(on);
    this.head?.show();
    this.dirty = true;
  }

  /** The radius of tools by a factor. */
  resize(factor: number): void {
    const { core, deformables } = this.session, { id, label, hasRadius } = this.tool;
    if (hasRadius) core.widen(id, factor);
    this.say(hasRadius ? `${label}: radius ${short(100 * core.radius(id, deformables[0]), 2)} cm.` : `${label} has no radius.`);
    this.dirty = true;
  }

  /** A tool that needs time is used while time is paused. */
  needTime(needed = true): void {
    if (needed && !this.player.playing && !this.session.core.state.failed) this.messages.offer("paused", "Time is paused: the cloth moves when time runs.", `Play${keyOf("toggle")}`, () => this.toggle());
  }

  showKeys(): void { keyDialog(KEYS.filter((one) => one.act !== "tool" || this.tools.some((tool) => one.keys.includes(tool.key)))); }

  /** A and B beside each other, on the page that compares. */
  sideBySide(): void {
    const { sides, session } = this;
    if (session.source.id === "file" || !sides.isTwo) { this.say(sides.isTwo ? "A mesh of yours cannot be shown side by side: the other page does not have it." : "There is one list of values. X makes B; change a value, then Shift+X shows both side by side."); return; }
    location.href = new URL(`../compare/${this.sharing.sideBySide()}`, location.href).href;
  }

  /** Esc: one thing at a time, from what is open to the tool. */
  escape(): void {
    if (closeMenu() || this.side.lower()) return;
    if (this.hands.busy || this.keyboard.active) { this.hands.release(); this.keyboard.away(this.session); return; }
    if (this.messages.now) { this.messages.clear(); return; }
    this.choose("grab");
  }

  /* ---- time ------------------------------------------------------------------------------------------------- */

  pause(): void { this.player.playing = false; }

  toggle(): void {
    this.player.playing = !this.player.playing;
    this.goal = null;
    if (this.player.playing) { this.box.querySelector(".let-move")?.remove(); this.box.classList.remove("trouble"); this.messages.clear(); }
    announce(this.player.playing ? "Playing" : "Paused");
    this.dirty = true;
  }

  stepBy(by: number): void {
    this.pause();
    this.goal = null;
    if (by > 0) for (let i = 0; i < by; i++) { if (!this.player.advance()) break; }
    else this.session.goTo(this.session.frame + by);
    this.dirty = true;
  }

  /** Steps towards the frame of the slider. */
  private approach(): void {
    if (this.goal !== null && this.session.goTo(this.goal, Math.max(1, Math.floor(SLICE / Math.max(1, this.player.step))))) this.goal = null;
    this.dirty = true;
  }

  reset(): void {
    const knobs = performance.now() - this.resetAt < 2000;
    this.resetAt = performance.now();
    this.hands.release();
    this.goal = null;
    this.session.reset(knobs ? new Map() : this.session.overrides);
    this.box.classList.remove("trouble");
    this.changed();
    this.say(knobs ? "Start, with the scene's own values." : "Back at the start. Start over again for the scene's own values too.");
  }

  faster(by: number): void {
    this.player.faster(by);
    this.bar.showSpeed(this.player.speed);
  }

  /* ---- scenes and files ------------------------------------------------------------------------------------- */

  async openScene(id: string): Promise<void> {
    const row = sceneById(id);
    if (!row) return;
    try { await this.take(await fetchScene(row)); } catch (error) { this.fail("file", (error as Error).message); }
  }

  async openFile(file: File): Promise<void> {
    try {
      const { source, said } = await sourceOfFile(this.engine, file, this.session.source.files);
      await this.take(source);
      this.say(said);
    } catch (error) { this.fail("file", (error as Error).message); }
  }

  /** Takes the mesh that is open for something else. */
  async takeMeshFor(kind: GuessKind): Promise<void> {
    const { mesh } = this.session.source;
    if (!mesh) return;
    try {
      const { source, reason } = sceneOfMesh(this.engine, mesh.name, mesh.data, kind);
      await this.take(source);
      this.say(meshSaid(mesh.name, reason));
    } catch (error) {
      this.fail("file", (error as Error).message);
      this.refreshPanel();
    }
  }

  private async take(source: Source): Promise<void> {
    this.hands.release();
    this.goal = null;
    this.session.open(source);
    if (calm()) await this.settle(sceneById(source.id)?.settled ?? SETTLED);
    this.sharing.unknown = [];
    this.sides.wait(null);
    this.choose("grab");
    this.buildTools();
    this.panel.build();
    this.refreshPanel();
    this.cover();
    this.stage.fit();
    this.setMeasure(this.colours.name);
    this.messages.clear();
    if (calm()) this.waitForPlay();
    else this.player.playing = true;
    this.dirty = true;
  }

  /** Steps to a frame at which the scene rests, without showing the steps. */
  private async settle(frame: number): Promise<void> {
    this.isSettling = true;
    if (this.player) this.player.playing = false;
    this.say("The scene is stepped to where it rests, then shown.");
    await settle(this.session, frame);
    this.messages.clear();
    this.isSettling = false;
  }

  /* ---- messages, and what leaves the page ------------------------------------------------------------------- */

  say(text: string): void { this.messages.say(text); }
  fail(kind: string, text: string): void { this.messages.fail(kind, text); }
  offer(kind: string, text: string, label: string, act: () => void): void { this.messages.offer(kind, text, label, act); }
  queueLink(): void { if (!this.options.landing) this.sharing.queue(); }

  /** What there is, in a sentence (key I). */
  describe(): void {
    const { world } = this.session, s = world.statistics(), low = Math.min(...this.session.deformables.map((one) => one.bounds.minimum[1]));
    this.say(`${this.session.source.title}: ${s.particle_count} particles, lowest point ${short(100 * (low - (this.session.ground ?? 0)), 2)} centimetres above the ground, `
      + `stretch ${short(100 * s.stretch_rms, 2)} percent, ${this.session.pins.length} pins, frame ${this.session.frame}, ${this.player.playing ? "playing" : "paused"}.`);
  }

  /* ---- pictures ---------------------------------------------------------------------------------------------- */

  theme(): void { this.stage?.theme(themeNow()); this.dirty = true; }

  /** Tells the camera what of the stage is covered. */
  private cover(): void {
    if (!this.stage) return;
    const { landing } = this.options, { legend } = this.colours, phone = innerWidth <= 760, words = document.getElementById("pull");
    this.stage.rig.covered = phone ? { left: 0, right: 0, bottom: this.toolbar.offsetHeight + 12, top: (words ? words.offsetTop + words.offsetHeight : 0) + (legend.hidden ? 0 : legend.offsetHeight + 12) }
      : { left: landing ? Math.min(340, 0.28 * innerWidth) : 0, right: this.side.element.clientWidth, bottom: 0, top: 0 };
  }

  hideAll(): void {
    const isHidden = this.root.classList.toggle("bare");
    document.body.classList.toggle("bare", isHidden);
    this.say(isHidden ? "The interface is hidden; H shows it." : "The interface is back.");
    this.cover();
    this.studio.resize();
  }

  private picture(stepped: boolean): void {
    if (this.isSettling) return;
    if (!this.session.core.state.failed) this.box.classList.remove("trouble");
    if (this.goal !== null) this.approach();
    this.slow();
    this.head?.showPins();
    if (this.player.frames % 12 === 0) this.engineSwitch.show();
    if (!stepped && !this.dirty && !this.hands.busy && this.shownFrame === this.session.frame) { this.bar.show(null); return; }
    this.shownFrame = this.session.frame;
    this.dirty = false;
    if (!stepped || this.player.frames % 6 === 0) this.colours.fit();
    this.stage.other = this.engineSwitch.twin?.positions ?? null;
    this.stage.mark(this.keyboard.active ? this.keyboard.point(this.cell) : null);
    this.stage.ring = this.hands.ring();
    this.stage.update();
    this.paint();
    if (stepped && !this.moved) { this.moved = true; mark("moves"); }
    const fresh = !stepped || this.player.frames % 8 === 0 ? this.session.hash() : null;
    if (fresh !== null) this.lastHash = fresh;
    this.bar.show(fresh);
  }
  private paint(): void { this.stage.draw(this.region); }

  /** A slow machine first gets half the pixels. Physics is never changed by itself: where a step is what takes the time, it is offered. */
  private slow(): void {
    const gap = this.player.medianGap;
    if (gap === null || gap < 24 || this.player.manual) return;
    this.player.forgetGaps();
    if (!this.studio.isCoarse) { this.studio.coarser(); this.dirty = true; return; }
    const substeps = Number(this.session.read("settings.substeps")), { source } = this.session;
    if (this.offered === source || this.options.landing || this.player.step < 14 || substeps < 4 || this.messages.now) return;
    this.offered = source;
    const half = Math.ceil(substeps / 2), act = (): void => this.changes.set({ "settings.substeps": half });
    this.messages.offer("slow", `This machine manages ${Math.round(1000 / gap)} pictures a second: a step takes ${Math.round(this.player.step)} ms. Fewer substeps are quicker, and softer.`, `Halve to ${half}`, act);
  }
}
