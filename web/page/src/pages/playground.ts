// The playground: a stage, tools, time, panel; of the landing in its simplest form and of /play whole.
import type { Engine, PropertyRow } from "pliant";
import { announce, calm, copy, h } from "../base/dom.ts";
import { pretty, short } from "../base/text.ts";
import { hasWebGL, Studio, themeNow } from "../draw/studio.ts";
import { ramp } from "../draw/looks.ts";
import { Stage, type Measure, type Region } from "../draw/stage.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library, type Source } from "../engine/library.ts";
import { sceneOfMesh } from "../engine/mesh_scene.ts";
import { Session } from "../engine/session.ts";
import { EngineSwitch } from "../panel/engine.ts";
import { Panel } from "../panel/panel.ts";
import { SideSwitch } from "../panel/sides.ts";
import { History } from "../state/history.ts";
import { MOST, readLink, writeLink, type Linked } from "../state/link.ts";
import { expand, resolve, shorten, type Overrides } from "../state/paths.ts";
import { Sides } from "../state/sides.ts";
import { Player, SPEEDS } from "../time/player.ts";
import { Cursor } from "../tools/cursor.ts";
import { Hands, type Cell } from "../tools/hands.ts";
import { TOOLS, type Bench } from "../tools/tools.ts";
import { codeDialog, keyDialog } from "./dialogs.ts";
import { icon } from "./shell.ts";
import { keys } from "./keys.ts";
import { TimeBar } from "./timebar.ts";

const STAGE = { class: "stage", tabindex: 0, role: "application", "data-testid": "stage", "aria-label": "Cloth that you can pull. Enter puts a cursor on it, I says how it is." };
export interface PlayOptions { scene: string; landing: boolean }

export class Playground {
  session!: Session;
  stage!: Stage;
  player!: Player;
  readonly history = new History();
  panel!: Panel;
  tool = "grab";
  radius = 0;
  strength = 1;
  message: { kind: string; text: string } | null = null;
  private hands!: Hands;
  private cursor = new Cursor();
  private bar!: TimeBar;
  private box: HTMLElement;
  private canvas: HTMLCanvasElement;
  private legend = h("div", { class: "legend", hidden: true, "data-testid": "legend" });
  private toolbar = h("div", { class: "tools", role: "toolbar", "aria-label": "Tools" });
  private linkTimer = 0;
  private unknown: string[] = [];
  private lastHash = "";
  /** The scene for which fewer substeps were offered. */
  private offered: Source | null = null;
  private dirty = true;
  private resetAt = 0;
  private grabbed = false;
  private shownFrame = -1;
  readonly sides = new Sides();
  private sideSwitch = new SideSwitch(this.sides, () => this.swapSides());
  private freePins = h("button", { class: "button", type: "button", "data-testid": "unpin", hidden: true, title: "Free everything that hands have pinned" }, "Free pins");
  private engineSwitch = new EngineSwitch({
    session: () => this.session, cpuTime: () => this.player.step, say: (text) => this.say(text),
    changed: () => { if (this.stage) { this.stage.other = null; this.refreshPanel(); this.queueLink(); this.dirty = true; } },
  });

  constructor(readonly root: HTMLElement, readonly engine: Engine, private options: PlayOptions, private studio: Studio) {
    this.canvas = studio.canvas;
    this.box = root.querySelector(".stage-box")!;
  }

  static async start(root: HTMLElement, options: PlayOptions): Promise<Playground | null> {
    const box = root.querySelector<HTMLElement>(".stage-box")!;
    const refuse = (text: string): null => { box.append(h("p", { class: "toast error", role: "alert", "data-testid": "message-unsupported" }, text)); return null; };
    if (typeof WebAssembly === "undefined") return refuse("This browser has no WebAssembly, so it cannot run the simulation. The picture shows what it would be.");
    if (!hasWebGL()) return refuse("This browser does not draw with WebGL 2, which this page needs. Learn and Gallery work without.");
    const link = options.landing ? null : readLink(location.hash), row = sceneById(link?.scene ?? options.scene) ?? sceneById(options.scene)!;
    const wanted = Promise.all([library(), fetchScene(row)]), canvas = h("canvas", STAGE), studio = new Studio(canvas);
    studio.warm();
    const [engine, source] = await wanted, page = new Playground(root, engine, options, studio);
    page.open(source, link);
    return page;
  }

  private open(source: Source, link: Linked | null): void {
    this.session = this.sessionOf(source, link);
    this.box.prepend(this.canvas);
    this.buildTools();
    this.box.append(this.legend);
    this.buildPanel();
    this.root.classList.add("ready");
    this.studio.resize();
    this.stage = new Stage(this.studio, this.session, themeNow());
    this.cover();
    this.stage.fit();
    if (link?.aim) this.stage.rig.set(link.aim);
    this.session.onRebuild = () => { this.stage.build(); this.dirty = true; };
    this.makePlayer();
    this.hands = new Hands({
      canvas: this.canvas, cells: () => [this.cell], bench: () => this.bench, tool: () => this.tool,
      redraw: () => { this.dirty = true; this.queueLink(); },
    });
    keys(this);
    this.listen();
    if (link) this.takeLink(link);
    const poster = document.getElementById("poster");
    if (poster) { poster.style.opacity = "0"; window.setTimeout(() => poster.remove(), 400); }
    this.stage.update();
    this.paint();
    if (calm()) { this.player.playing = false; this.say("Reduced motion: press play to let it move."); }
  }

  private sessionOf(source: Source, link: Linked | null): Session {
    const [a, b] = [this.valuesOf(link?.overrides, source.text), link?.other && this.valuesOf(link.other, source.text)], runsB = Boolean(b && link?.runsB);
    this.sides.set(runsB ? "B" : "A", runsB ? a : b ?? null);
    try { return new Session(this.engine, source, runsB ? b : a); } catch (error) {
      if (!link) throw error;
      window.setTimeout(() => this.fail("link", `The settings in this link were not taken: ${(error as Error).message}`), 0);
      return new Session(this.engine, source);
    }
  }

  /** Values of a link by their long paths. */
  private valuesOf(list: [string, unknown][] | undefined, text: string): Overrides {
    return new Map((list ?? []).flatMap(([path, value]) => expand(path, text).map((one): [string, unknown] => [one, value])));
  }

  private makePlayer(): void {
    const manual = new URLSearchParams(location.search).get("clock") === "manual";
    this.player = new Player(() => [this.session], () => this.hands?.hold(), () => this.engineSwitch.step(), (stepped) => this.picture(stepped), () => this.blownUp(), manual);
    this.bar = new TimeBar({
      session: () => this.session, player: this.player, toggle: () => this.toggle(), step: (by) => this.stepBy(by), reset: () => this.reset(),
      goTo: (frame) => { this.player.playing = false; this.session.goTo(frame, 250); this.dirty = true; },
      copyHash: () => { void copy(this.session.hash()).then(() => this.say("Hash copied.")); },
    });
    this.root.append(this.bar.element);
  }

  /* ---- what tools and pages see ----------------------------------------------------------------------------- */

  get cell(): Cell { return { stage: this.stage, session: this.session, region: this.region }; }
  get region(): Region { return { x: 0, y: 0, width: this.canvas.clientWidth || 1, height: this.canvas.clientHeight || 1 }; }
  get bench(): Bench {
    return {
      sessions: [this.session], stage: this.stage, history: this.history, radius: this.radius, strength: this.strength,
      say: (text) => { this.firstGrab(); this.say(text); }, changed: () => { this.queueLink(); this.dirty = true; },
    };
  }
  get keyboard(): Cursor { return this.cursor; }

  private firstGrab(): void {
    if (this.grabbed) return;
    this.grabbed = true;
    const words = document.getElementById("pull");
    if (words && !this.options.landing) words.remove();
  }

  choose(id: string): void {
    if (!TOOLS.some((tool) => tool.id === id && (tool.available?.(this.session) ?? true))) return;
    this.tool = id;
    for (const button of this.toolbar.querySelectorAll<HTMLElement>(".tool")) button.setAttribute("aria-pressed", String(button.dataset.tool === id));
  }

  toggle(): void {
    this.player.playing = !this.player.playing;
    if (this.player.playing) { this.session.trouble = null; this.box.classList.remove("trouble"); this.clearMessage(); }
    announce(this.player.playing ? "Playing" : "Paused");
    this.dirty = true;
  }

  stepBy(by: number): void {
    this.player.playing = false;
    if (by > 0) for (let i = 0; i < by; i++) { if (!this.player.advance()) break; }
    else this.session.goTo(this.session.frame + by);
    this.dirty = true;
  }

  reset(): void {
    const knobs = performance.now() - this.resetAt < 2000;
    this.resetAt = performance.now();
    this.hands.release();
    this.session.reset(knobs ? new Map() : this.session.overrides);
    this.history.clear();
    this.refreshPanel();
    this.box.classList.remove("trouble");
    this.queueLink();
    this.say(knobs ? "Start, with the scene's own values." : "Back at the start. Press again for the scene's own values too.");
    this.dirty = true;
  }

  faster(by: number): void {
    this.player.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, SPEEDS.indexOf(this.player.speed) + by))];
    this.bar.showSpeed(this.player.speed);
  }

  /* ---- values ----------------------------------------------------------------------------------------------- */

  setValue(path: string, value: unknown, row: Pick<PropertyRow, "label" | "change">): void {
    const paths = expand(path, this.session.source.text), before = new Map(paths.map((one) => [one, this.session.overrides.get(one)]));
    const put = (values: Map<string, unknown>): void => {
      for (const [one, next] of values) this.session.set(one, next, row.change);
      this.refreshPanel();
      this.queueLink();
      this.dirty = true;
    };
    try { put(new Map(paths.map((one) => [one, value]))); } catch (error) {
      this.fail("value", (error as Error).message);
      for (const [one, old] of before) { if (old === undefined) this.session.overrides.delete(one); else this.session.overrides.set(one, old); }
      this.refreshPanel();
      return;
    }
    this.history.add({ label: row.label, key: path, undo: () => put(before), redo: () => put(new Map(paths.map((one) => [one, value]))) });
  }

  /** A becomes B, or B becomes A; time goes on. */
  swapSides(): void {
    const before = this.session.overrides;
    try { this.session.switchTo(this.sides.swap(before)); } catch (error) {
      this.sides.swap(this.session.overrides);
      this.fail("value", (error as Error).message);
      return;
    }
    this.refreshPanel();
    this.queueLink();
    this.say(`Values ${this.sides.side}.`);
    this.dirty = true;
  }

  /** Frees all pins that hands have made, as one step. */
  unpinAll(): void {
    const pins = this.session.run.pinList;
    const free = (): void => { for (const pin of this.session.run.pinList) this.session.act({ kind: "unpin", id: pin.id }); };
    if (pins.length === 0) return;
    free();
    this.history.add({ label: "Free all pins", redo: free, undo: () => { for (const pin of pins) this.session.act({ kind: "pin", pin: { ...pin, shift: [0, 0, 0] } }); } });
    this.say(pins.length === 1 ? "Freed." : `${pins.length} pins are free.`);
    this.queueLink();
    this.dirty = true;
  }

  private refreshPanel(): void {
    this.panel.refresh();
    this.sideSwitch.show(this.session.overrides);
  }

  setMany(values: Record<string, number>, label: string): void {
    const before = new Map(this.session.overrides);
    const apply = (): void => {
      for (const [path, value] of Object.entries(values))
        for (const one of expand(path, this.session.source.text)) { try { this.session.set(one, value, "live"); } catch { /* Of another type, which has no such value. */ } }
      this.refreshPanel();
      this.queueLink();
    };
    apply();
    this.history.add({ label, redo: apply, undo: () => {
      for (const path of this.session.overrides.keys()) if (this.session.overrides.get(path) !== before.get(path)) this.session.set(path, before.get(path), "live");
      this.refreshPanel();
    } });
    this.say(`${label}. About what such a fabric weighs and how stiff it is.`);
  }

  setMeasure(name: string): void {
    const row = this.engine.descriptors.measures.find((one) => one.name === name);
    this.stage.measure = row ? ({ name: row.name, signed: row.signed } as Measure) : null;
    this.legend.hidden = !row;
    this.queueLink();
    this.dirty = true;
    if (!row) return;
    const stops = Array.from({ length: 9 }, (_, i) => `rgb(${ramp(i / 8, row.signed).map((x) => Math.round(255 * x)).join()})`).join();
    this.legend.replaceChildren(h("strong", null, row.label), h("div", { class: "bar", style: `background:linear-gradient(90deg,${stops})` }), h("div", { class: "ends" }, h("span"), h("span")));
    this.ranges();
  }

  /** Ends of the legend follow what is there, outwards at once and inwards slowly. */
  private ranges(): void {
    const { measure } = this.stage;
    if (!measure) return;
    const row = this.engine.descriptors.measures.find((one) => one.name === measure.name)!;
    let low = Infinity, high = -Infinity;
    for (const one of this.session.deformables) {
      const values = Float32Array.from(one.measure(measure.name)).sort();
      low = Math.min(low, values[Math.floor(0.01 * values.length)]);
      high = Math.max(high, values[Math.floor(0.99 * (values.length - 1))]);
    }
    const most = Math.max(Math.abs(low), Math.abs(high), 1e-6);
    this.stage.range = row.signed ? [-most, most] : [0, most];
    const ends = this.legend.querySelectorAll(".ends span");
    const unit = row.unit && row.unit !== "C" ? ` ${pretty(row.unit)}` : "", shown = (x: number): string => (row.name === "stretch" ? `${short(100 * x, 2)} %` : `${short(x, 2)}${unit}`);
    ends[0].textContent = shown(this.stage.range[0]);
    ends[1].textContent = shown(this.stage.range[1]);
  }

  /* ---- panel, tools ----------------------------------------------------------------------------------------- */

  private buildTools(): void {
    this.toolbar.replaceChildren(...TOOLS.filter((tool) => tool.available?.(this.session) ?? true).map((tool) => {
      const button = h("button", { class: "tool", type: "button", "data-tool": tool.id, "data-testid": `tool-${tool.id}`, "aria-pressed": String(tool.id === this.tool), "aria-label": tool.label, title: `${tool.label} (${tool.key.toUpperCase()}). ${tool.tip}` }, icon(tool.icon));
      button.addEventListener("click", () => this.choose(tool.id));
      return button;
    }));
    if (!this.toolbar.isConnected) this.box.append(this.toolbar);
  }

  private buildPanel(): void {
    this.panel = new Panel(this.engine.descriptors, {
      session: () => this.session, set: (path, value, row) => this.setValue(path, value, row), setMany: (values, label) => this.setMany(values, label),
    }, this.options.landing ? ["bend.rigidity"] : null);
    const handle = h("button", { class: "handle", type: "button", "aria-label": "Panel: taller or shorter" });
    const side = h("aside", { class: "panel", "aria-label": "Knobs" }, handle, this.options.landing ? null : this.head(), this.panel.element);
    if (this.options.landing) side.append(h("a", { class: "more", href: "play/" }, "More in Play"));
    this.box.append(side);
    let from: { y: number; height: number } | null = null;
    handle.addEventListener("pointerdown", (event) => { from = { y: event.clientY, height: side.clientHeight }; handle.setPointerCapture(event.pointerId); });
    handle.addEventListener("pointermove", (event) => { if (from) this.sheet(from.height + from.y - event.clientY); });
    handle.addEventListener("pointerup", () => { from = null; });
    handle.addEventListener("keydown", (event) => { if (event.key === "ArrowUp" || event.key === "ArrowDown") this.sheet(side.clientHeight + (event.key === "ArrowUp" ? 80 : -80)); });
  }

  private sheet(height: number): void {
    this.root.style.setProperty("--sheet", `${Math.min(0.7 * innerHeight, Math.max(40, height))}px`);
    this.cover();
    this.dirty = true;
  }

  private head(): HTMLElement {
    const file = h("input", { type: "file", accept: ".obj,.gltf,.glb,.ply,.stl,.json", class: "offscreen", "data-testid": "file-open", tabindex: -1, "aria-label": "Open a mesh" });
    file.addEventListener("change", () => { const one = file.files?.[0]; if (one) void this.openFile(one); file.value = ""; });
    const scenes = h("select", { "data-testid": "scene", "aria-label": "Scene" }, ...["figure", "drape", "flag", "swatch", "bunny", "balloon", "plant", "towel", "sheet"].map((id) => h("option", { value: id }, sceneById(id)!.title)));
    scenes.value = this.session.source.id;
    scenes.addEventListener("change", () => void this.openScene(scenes.value));
    const action = (id: string, label: string, act: () => void, title = label): HTMLElement => { const button = h("button", { class: "button", type: "button", "data-testid": id, title }, label); button.addEventListener("click", act); return button; };
    const measure = h("select", { id: "view-measure", "data-testid": "view-measure" }, h("option", { value: "" }, "plain"), ...this.engine.descriptors.measures.map((one) => h("option", { value: one.name, title: one.summary }, one.label)));
    measure.addEventListener("change", () => this.setMeasure(measure.value));
    const wire = h("input", { type: "checkbox", id: "view-wireframe", "data-testid": "view-wireframe" });
    this.freePins.addEventListener("click", () => this.unpinAll());
    wire.addEventListener("change", () => { this.stage.wireframe(wire.checked); this.dirty = true; });
    return h("div", { class: "panel-head", style: "padding:12px 16px 0" },
      h("div", { class: "pair" }, scenes, action("file-button", "Open", () => file.click(), "Open a mesh: OBJ, glTF, PLY, STL, or a scene")), file,
      h("div", { class: "panel-actions" }, action("undo", "Undo", () => this.undo()), action("redo", "Redo", () => this.redo()), action("share-link", "Share", () => void this.share(), "Copy a link to this state"),
        action("copy-scene", "Scene", () => this.showScene(), "The scene as it stands, and the command that runs it"), action("help", "Keys", () => keyDialog())),
      h("div", { class: "pair" }, h("label", { for: "view-measure" }, "Colour by"), measure, h("label", { for: "view-wireframe", title: "Wireframe (W)" }, "Wires"), wire),
      this.sideSwitch.element, this.freePins, this.engineSwitch.element);
  }

  /** Whether there are pins to free. */
  private showPins(): void {
    const hidden = this.session.pins.length === 0;
    if (this.freePins.hidden !== hidden) this.freePins.hidden = hidden;
  }

  undo(): void { const label = this.history.undo(); this.say(label ? `${label}: undone.` : "Nothing to undo."); this.refreshPanel(); this.dirty = true; }
  redo(): void { const label = this.history.redo(); this.say(label ? `${label}: again.` : "Nothing to redo."); this.refreshPanel(); this.dirty = true; }

  /* ---- scenes and files ------------------------------------------------------------------------------------- */

  async openScene(id: string): Promise<void> {
    const row = sceneById(id);
    if (!row) return;
    this.take(await fetchScene(row));
  }

  private take(source: Source): void {
    this.hands.release();
    this.session.open(source);
    this.history.clear();
    this.unknown = [];
    this.sides.set("A", null);
    this.choose("grab");
    this.buildTools();
    this.panel.build();
    this.refreshPanel();
    this.cover();
    this.stage.fit();
    this.setMeasure(this.stage.measure?.name ?? "");
    this.clearMessage();
    const scenes = this.root.querySelector<HTMLSelectElement>("[data-testid=scene]");
    if (scenes) scenes.value = source.id;
    this.player.playing ||= !calm();
    this.dirty = true;
  }

  async openFile(file: File): Promise<void> {
    if (file.size > 20e6) { this.fail("file", `${file.name} has ${Math.round(file.size / 1e6)} MB; the page takes 20. The command line takes it.`); return; }
    const data = new Uint8Array(await file.arrayBuffer());
    try {
      if (file.name.endsWith(".json")) {
        const text = new TextDecoder().decode(data);
        this.take({ id: "file", title: file.name, text, files: this.session.source.files, surface: "cloth" });
        this.say(`${file.name}: a scene.`);
        return;
      }
      const { source, vertices } = sceneOfMesh(this.engine, file.name, data);
      this.take(source);
      this.say(`${file.name}: ${vertices} vertices.`);
    } catch (error) { this.fail("file", placed((error as Error).message, file.name, data)); }
  }

  /* ---- messages --------------------------------------------------------------------------------------------- */

  say(text: string): void {
    this.note("info", text, 3500);
    announce(text);
  }
  fail(kind: string, text: string): void {
    this.note(kind, text, 0);
    announce(text);
  }
  private noteTimer = 0;
  private note(kind: string, text: string, time: number, action?: { label: string; act: () => void }): void {
    this.clearMessage();
    this.message = { kind, text };
    const stays = time === 0, close = h("button", { class: "icon", type: "button", "aria-label": "Close" }, icon("M6 6l12 12 M18 6L6 18"));
    const button = action && h("button", { class: "button", type: "button", "data-testid": `message-${kind}-act` }, action.label);
    const box = h("div", { class: `toast ${stays && !action ? "error" : ""}`, role: stays ? "alert" : "status", "data-testid": `message-${kind}` }, h("span", null, text), button, stays ? close : null);
    close.addEventListener("click", () => this.clearMessage());
    button?.addEventListener("click", () => { this.clearMessage(); action!.act(); });
    this.box.append(box);
    window.clearTimeout(this.noteTimer);
    if (!stays) this.noteTimer = window.setTimeout(() => this.clearMessage(), time);
  }
  clearMessage(): void {
    this.message = null;
    for (const one of this.box.querySelectorAll(".toast")) one.remove();
  }

  private blownUp(): void {
    this.box.classList.add("trouble");
    this.fail("blow-up", `Step ${this.session.frame + 1} gave no finite numbers; frame ${this.session.frame} is back. ${this.session.trouble ?? ""} Undo the last change, or press play to go on.`);
  }

  /** What there is, in a sentence (key I). */
  describe(): void {
    const { world } = this.session, s = world.statistics(), low = Math.min(...this.session.deformables.map((one) => one.bounds.minimum[1]));
    const text = `${this.session.source.title}: ${s.particle_count} particles, lowest point ${short(100 * (low - (this.session.ground ?? 0)), 2)} centimetres above the ground, `
      + `stretch ${short(100 * s.stretch_rms, 2)} percent, ${this.session.pins.length} pins, frame ${this.session.frame}, ${this.player.playing ? "playing" : "paused"}.`;
    this.say(text);
  }

  /* ---- link, share, scene ------------------------------------------------------------------------------------ */

  private linked(): Linked {
    const { source, overrides } = this.session, b = this.sides.valuesOfB(overrides);
    const pins = this.session.pins.map((pin) => [pin.deformable, ...pin.particles]);
    return {
      scene: source.id, overrides: shorten(this.sides.valuesOfA(overrides), source.text), aim: this.stage.rig.aim,
      ...(b ? { other: shorten(b, source.text), runsB: this.sides.side === "B" } : {}),
      ...(this.stage.measure ? { measure: this.stage.measure.name } : {}), pins, unknown: this.unknown,
    };
  }
  link(): string { return `${location.origin}${location.pathname}${writeLink(this.linked())}`; }

  private queueLink(): void {
    if (this.options.landing || this.session.source.id === "file") return;
    window.clearTimeout(this.linkTimer);
    this.linkTimer = window.setTimeout(() => { if (this.link().length < MOST) history.replaceState(null, "", writeLink(this.linked())); }, 300);
  }

  private takeLink(link: Linked): void {
    this.unknown = link.unknown;
    for (const [deformable, ...particles] of link.pins) {
      const one = this.session.deformables[deformable];
      if (!one || particles.some((p) => p >= one.vertexCount)) { this.unknown.push(`pin=${[deformable, ...particles].join()}`); continue; }
      this.session.act({ kind: "pin", pin: { id: this.session.newId(), deformable, particles, shift: [0, 0, 0] } });
    }
    if (link.measure) { this.setMeasure(link.measure); const select = this.root.querySelector<HTMLSelectElement>("[data-testid=view-measure]"); if (select) select.value = link.measure; }
    if (link.newer) this.fail("link", `Made with version ${link.newer} of these links; this page knows ${link.unknown.length ? "all but " + link.unknown.join(", ") : "all of it"}.`);
    else if (link.unknown.length > 0) this.fail("link", `Not understood in this link, and kept: ${link.unknown.join(", ")}.`);
    this.refreshPanel();
    if (link.frame) { for (let i = 0; i < link.frame && this.session.step(); i++); this.player.playing = false; }
  }

  private async share(): Promise<void> {
    if (this.session.source.id === "file") { this.fail("share", "The mesh is on your machine alone, so a link cannot have it. Copy scene, and send it with the file."); return; }
    const address = this.link();
    if (address.length > MOST) { this.fail("share", `This state needs ${address.length} characters; a link has at most ${MOST}. Copy scene instead.`); return; }
    history.pushState(null, "", writeLink(this.linked()));
    const done = await copy(address);
    this.say(`${done ? "Link copied" : "The link is in the address bar"}. ${this.session.cuts + this.session.activeBalls.length > 0 ? "Cuts and balls are not in it." : ""}`.trim());
  }

  /** The scene as it stands, and the command that runs it. */
  sceneText(): string {
    const { session } = this, scene = JSON.parse(resolve(session.source.text, session.overrides, this.engine.descriptors));
    session.pins.forEach((pin) => { (scene.deformables[pin.deformable].attachments ??= []).push({ particles: pin.particles }); });
    return JSON.stringify(scene, null, 2);
  }
  private showScene(): void {
    const { session } = this, id = session.source.id, frames = session.repeatable ? session.frame : 600;
    const sets = [...session.overrides].map(([path, value]) => ` --set ${path}=${typeof value === "string" ? value : JSON.stringify(value)}`).join("");
    codeDialog("The scene as it stands", [
      { label: "Scene", text: this.sceneText() },
      { label: "Command", text: `pliant run ${id}.json --frames ${frames}${[...session.overrides.keys()].some((path) => path.endsWith(".type")) ? "   # with the scene above as its file" : sets}` },
    ]);
  }

  /* ---- pictures ---------------------------------------------------------------------------------------------- */

  private listen(): void {
    new ResizeObserver(() => { this.studio.resize(); this.cover(); this.dirty = true; this.paint(); }).observe(this.box);
    const over = (on: boolean) => (event: DragEvent): void => { event.preventDefault(); this.box.classList.toggle("over", on); };
    this.box.addEventListener("dragover", over(true));
    this.box.addEventListener("dragleave", over(false));
    this.box.addEventListener("drop", (event) => { over(false)(event); const one = event.dataTransfer?.files[0]; if (one && !this.options.landing) void this.openFile(one); });
    this.canvas.addEventListener("webglcontextlost", (event) => { event.preventDefault(); this.player.playing = false; this.fail("graphics", "The browser took the graphics away. Reload the page to go on."); });
    if (this.options.landing) {
      const awake = (): void => { const box = this.root.getBoundingClientRect(); this.canvas.classList.toggle("awake", Math.min(innerHeight, box.bottom) - Math.max(0, box.top) > 0.6 * innerHeight); };
      addEventListener("scroll", awake, { passive: true });
      awake();
    }
    addEventListener("hashchange", () => { const link = readLink(location.hash); if (link && !this.options.landing) location.reload(); });
  }

  theme(): void { this.stage?.theme(themeNow()); this.dirty = true; }

  /** Tells the camera what panels cover. */
  private cover(): void {
    if (!this.stage) return;
    const side = this.box.querySelector<HTMLElement>(".panel"), phone = innerWidth <= 760;
    const head = phone && this.options.landing ? 110 : 0;
    this.stage.rig.covered = phone ? { left: 0, right: 0, bottom: (side?.clientHeight ?? 0) + 60, top: head }
      : { left: this.options.landing ? Math.min(340, 0.28 * innerWidth) : 0, right: side?.clientWidth ?? 0, bottom: 0, top: 0 };
  }

  hideAll(): void {
    for (const one of [this.toolbar, this.bar.element, this.box.querySelector<HTMLElement>(".panel")!]) one.classList.toggle("spoken");
    this.studio.resize();
  }

  private picture(stepped: boolean): void {
    if (this.message?.kind === "blow-up" && this.player.playing) this.box.classList.remove("trouble");
    this.slow();
    this.showPins();
    if (this.player.frames % 12 === 0) this.engineSwitch.show();
    if (!stepped && !this.dirty && !this.hands.busy && this.shownFrame === this.session.frame) { this.bar.show(null); return; }
    this.shownFrame = this.session.frame;
    this.dirty = false;
    if (this.stage.measure && (!stepped || this.player.frames % 6 === 0)) this.ranges();
    this.stage.other = this.engineSwitch.twin?.positions ?? null;
    this.stage.mark(this.cursor.active ? this.cursor.point(this.cell) : null);
    this.stage.update();
    this.paint();
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
    if (this.offered === source || this.options.landing || this.player.step < 14 || substeps < 4 || this.message) return;
    this.offered = source;
    const act = (): void => this.setValue("settings.substeps", Math.ceil(substeps / 2), { label: "Substeps", change: "live" });
    this.note("slow", `This machine manages ${Math.round(1000 / gap)} pictures a second: a step takes ${Math.round(this.player.step)} ms. Fewer substeps are quicker, and softer.`, 0, { label: `Halve to ${Math.ceil(substeps / 2)}`, act });
  }

  /** What tests and curious people read. */
  state(): Record<string, unknown> {
    const { session } = this, s = session.world.statistics();
    return Object.freeze({
      scene: session.source.id, frame: session.frame, end: session.end, time: session.world.time, playing: this.player.playing, hash: session.hash(), repeatable: session.repeatable,
      overrides: Object.fromEntries(session.overrides), side: this.sides.side, tool: this.tool, pins: session.pins.length, cuts: session.cuts, balls: session.activeBalls.length,
      grabs: [...session.holds.values()].map((hold) => ({ vertex: hold.vertex, target: hold.target, pull: Math.hypot(...hold.grab.force), limit: hold.grab.limit, holds: hold.holds })),
      engine: this.engine.simd, gpu: this.gpuState(), statistics: { stretch: s.stretch_rms, kinetic: s.kinetic_energy, particles: s.particle_count, ms: this.player.step }, camera: this.stage.rig.aim,
      message: this.message, measure: this.stage.measure?.name ?? null, speed: this.player.speed, memory: this.engine.memoryBytes, kept: session.keptBytes, lastHash: this.lastHash,
      theme: themeNow().dark ? "dark" : "light",
    });
  }
  private gpuState(): Record<string, unknown> | null {
    const { twin } = this.engineSwitch;
    return twin && { frame: twin.frame, difference: twin.difference, ms: twin.milliseconds, hands: twin.hands, particles: twin.count };
  }
  /** Pixel of a vertex, in the window. */
  project(vertex: number, deformable = 0): { x: number; y: number } {
    const one = this.session.deformables[deformable], k = one.stride * vertex, p = one.positions, box = this.canvas.getBoundingClientRect();
    const at = this.stage.project([p[k], p[k + 1], p[k + 2]], this.region);
    return { x: box.left + at.x, y: box.top + at.y };
  }
  position(vertex: number, deformable = 0): number[] {
    const one = this.session.deformables[deformable], k = one.stride * vertex;
    return [...one.positions.slice(k, k + 3)];
  }
}

/** The library's message with the file's name, and its line where the message has one. */
function placed(message: string, name: string, data: Uint8Array): string {
  const text = message.replace(/^(obj|ply|stl|gltf|glb)(?=:)/, name), line = Number(text.match(/:(\d+)/)?.[1] ?? 0);
  const shown = line > 0 ? new TextDecoder().decode(data.subarray(0, 1e6)).split("\n")[line - 1]?.trim().slice(0, 90) : "";
  return shown && /^[\x20-\x7e]+$/.test(shown) ? `${text}: ${shown}` : text;
}

/** For tests and the console: pliant.state(), pliant.frames(10). */
export function expose(page: Playground): void {
  Object.assign(window, {
    pliant: {
      state: () => page.state(), project: (vertex: number, deformable?: number) => page.project(vertex, deformable), position: (vertex: number, deformable?: number) => page.position(vertex, deformable),
      frames: (count: number) => page.player.pictures(count), advance: (count: number) => { for (let i = 0; i < count; i++) page.player.advance(); return page.session.frame; },
      goTo: (frame: number) => page.session.goTo(frame), value: (path: string) => page.session.read(path), link: () => page.link(), scene: () => page.sceneText(), page,
    },
  });
}
