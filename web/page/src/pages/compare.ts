// The same cloth under up to four bending models in step: one hand pulls in all, and each says its drop, stretch and time.
import type { SessionHand } from "pliant";
import { announce, calm, h, need } from "../base/dom.ts";
import { Least, type V3 } from "../base/math.ts";
import { milliseconds, short } from "../base/text.ts";
import { hasWebGL, Studio, themeNow } from "../draw/studio.ts";
import { Stage } from "../draw/stage.ts";
import { sceneById } from "../engine/catalogue.ts";
import { fetchScene, library, type Source } from "../engine/library.ts";
import { SceneSession } from "../engine/session.ts";
import { Panel } from "../panel/panel.ts";
import { settle } from "../play/settling.ts";
import { readLink, writeLink } from "../state/link.ts";
import { expand, models, shorten, typeRow } from "../state/paths.ts";
import { Player } from "../time/player.ts";
import { Hands, type Cell } from "../tools/hands.ts";
import { toolsOf } from "../tools/tools.ts";
import { keyOf } from "../play/keymap.ts";
import { bindKeys, closeMenu } from "../play/keys.ts";
import { Messages } from "../play/messages.ts";
import { shell } from "./shell.ts";
import { TimeBar } from "./timebar.ts";

const START = ["isometric", "dihedral", "triangle", "opposite_distance"];
/** The box that the cloth of a scene passes through, where that is not the box of its start: the swatch swings from its clamp. */
const SWEPT: Record<string, [low: V3, high: V3]> = { swatch: [[-0.05, 0.13, -0.17], [0.05, 0.41, 0.05]] };
const COLOURS: Record<string, string> = { isometric: "isometric", dihedral: "dihedral", triangle: "triangle", opposite_distance: "opposite", stick: "stick", ring_laplacian: "ring", plate: "plate" };

/** `own` are the values that this one alone has. */
interface Column { type: string; own: Map<string, unknown>; session: SceneSession; stage: Stage; element: HTMLElement; view: HTMLElement; figures: HTMLElement; start: number[]; ms: number; least: Least }

class Compare {
  columns: Column[] = [];
  player!: Player;
  private studio!: Studio;
  private source!: Source;
  private panel!: Panel;
  private bar!: TimeBar;
  private hands!: Hands;
  private overrides = new Map<string, unknown>();
  private canvas = h("canvas", { class: "stage", tabindex: 0, role: "application", "data-testid": "stage", "aria-label": "Cloths side by side. Drag one to pull all." });
  private grid = h("div", { class: "grid" });
  /** On phones one model is shown at a time: a button for each, with its drop. */
  private tabs = h("div", { class: "models", role: "radiogroup", "aria-label": "Model that is shown" });
  private now = 0;
  private add = h("button", { class: "button", type: "button", "data-testid": "compare-add" }, "Add a model");
  private apart = h("button", { class: "button", type: "button", "data-testid": "compare-unlink", "aria-pressed": "false", title: "Values of one cloth alone: press on a cloth to choose it" }, "Unlink");
  /** The cloth whose knobs are shown, where each has its own; null where all share them. */
  private chosen: Column | null = null;
  private shown = 0;
  private dirty = true;
  /** Factor on the radius of the grab. */
  private radius = 1;

  static async start(root: HTMLElement): Promise<Compare | null> {
    const box = need(".stage-box", root);
    if (!hasWebGL()) { box.append(h("p", { class: "toast error", role: "alert" }, "This browser does not draw with WebGL 2, which this page needs.")); return null; }
    const compare = new Compare(root, box);
    await compare.open();
    return compare;
  }
  private messages: Messages;
  private constructor(private root: HTMLElement, private box: HTMLElement) { this.messages = new Messages(box); }

  private async open(): Promise<void> {
    const link = readLink(location.hash), id = link && sceneById(link.scene) ? link.scene : "swatch";
    this.source = await fetchScene(sceneById(id)!);
    const types = link?.overrides.find(([path]) => path === "types.all")?.[1];
    this.overrides = new Map((link?.overrides ?? []).flatMap(([path, value]) => (path === "types.all" || path.startsWith("own.") ? [] : expand(path, this.source.text).map((one): [string, unknown] => [one, value]))));
    this.studio = new Studio(this.canvas);
    this.box.append(this.canvas, this.grid, this.tabs);
    const engine = await library();
    const known = models(engine.descriptors).map((row) => row.name);
    const wanted = typeof types === "string" ? types.split("+").filter((one) => known.includes(one)).slice(0, 4) : START;
    const own = (n: number): Map<string, unknown> => new Map((link?.overrides ?? []).flatMap(([path, value]) => (path.startsWith(`own.${n}.`) ? [[path.slice(6), value] as [string, unknown]] : [])));
    for (const [n, type] of (wanted.length > 0 ? wanted : START).entries()) await this.column(type, own(n));
    this.knobs(known);
    this.fit();
    const manual = new URLSearchParams(location.search).get("clock") === "manual";
    this.player = new Player(() => this.columns.map((one) => one.session), () => undefined, () => undefined, (stepped) => this.picture(stepped), ({ core }) => {
      this.messages.fail("trouble", `${core.message} All of them stop here. Start over, or choose other values.`);
    }, manual);
    this.bar = new TimeBar({
      session: () => this.columns[0].session, player: this.player, toggle: () => this.toggle(), step: (by) => this.step(by),
      reset: () => this.restart(), goTo: (frame) => { this.player.playing = false; this.each((one) => one.goTo(frame)); this.dirty = true; }, copyHash: () => undefined,
    });
    this.root.append(this.bar.element);
    const [grab] = toolsOf(engine);
    this.hands = new Hands({
      canvas: this.canvas, cells: () => this.cells(), tool: () => grab, grab, redraw: () => { this.dirty = true; }, resize: (factor) => this.resize(factor), acted: (hand, cell) => this.follow(hand, cell),
      flick: (direction) => { if (this.isNarrow) this.turnTo(this.now - direction); },
      pressed: (_, cell) => { this.choose(this.columns.find((one) => one.session === cell.session) ?? null); if (!this.player.playing) this.messages.offer("paused", "Time is paused: the cloth moves when time runs.", `Play${keyOf("toggle")}`, () => this.toggle()); },
    });
    this.keys();
    new ResizeObserver(() => this.fit()).observe(this.box);
    if (calm()) await this.rest();
  }

  /** Reduced motion: all hang at rest until a person starts them. */
  private async rest(): Promise<void> {
    this.player.playing = false;
    for (const { session } of this.columns) await settle(session, sceneById(this.source.id)!.settled);
    const start = h("button", { class: "button strong let-move", type: "button", "data-testid": "let-move" }, "Let it move");
    start.addEventListener("click", () => this.toggle());
    this.box.append(start);
    this.dirty = true;
  }

  /** A grab in one cloth pulls the same vertex to the same target in all. */
  private follow(hand: number, { session }: Cell): void {
    const find = ({ core }: SceneSession): SessionHand | undefined => core.hands.find((one) => one.hand === hand && one.holds), held = find(session);
    for (const { session: other } of this.columns) {
      if (other === session) continue;
      if (!held) { other.core.letGo(hand); continue; }
      if (find(other)?.vertex !== held.vertex) other.core.grab(hand, other.deformables[session.deformables.indexOf(held.deformable)], held.vertex);
      other.core.pull(hand, held.target);
    }
  }

  private resize(factor: number): void {
    this.radius *= factor;
    this.each(({ core }) => core.widen("grab", factor));
    this.dirty = true;
  }

  private keys(): void {
    const { player } = this, fit = (): void => this.fit(), at = (by: number) => (event: KeyboardEvent): void => this.step(by * (event.shiftKey ? 10 : 1));
    const speed = (by: number) => (): void => { player.faster(by); this.bar.showSpeed(player.speed); };
    bindKeys({
      toggle: () => this.toggle(), step: at(1), back: at(-1), reset: () => this.restart(), faster: speed(1), slower: speed(-1), home: fit, frame: fit,
      smaller: () => this.resize(1 / 1.25), larger: () => this.resize(1.25), escape: () => { if (closeMenu()) return; if (this.hands.busy) this.hands.release(); else this.messages.clear(); },
    });
    this.tabs.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!by) return;
      event.preventDefault();
      this.turnTo(this.now + by);
      (this.tabs.children[this.now] as HTMLElement).focus();
    });
  }

  private toggle(): void {
    this.player.playing = !this.player.playing;
    this.box.querySelector(".let-move")?.remove();
    this.dirty = true;
  }

  private step(by: number): void {
    this.player.playing = false;
    if (by > 0) for (let i = 0; i < by; i++) this.player.advance();
    else this.each((one) => one.goTo(one.frame + by));
    this.dirty = true;
  }

  private get isNarrow(): boolean { return getComputedStyle(this.tabs).display !== "none"; }

  /** Shows another model, where one is shown at a time; the last is followed by the first. */
  private turnTo(n: number): void {
    this.now = (n + this.columns.length) % this.columns.length;
    this.showTabs();
    announce(this.columns[this.now].element.getAttribute("aria-label") ?? "");
    this.dirty = true;
  }

  private showTabs(): void {
    this.now = Math.min(this.now, this.columns.length - 1);
    const tab = (one: Column, i: number): HTMLElement => h("button", { type: "button", role: "radio", style: one.element.getAttribute("style"), "data-testid": `compare-tab-${i}`, onclick: () => this.turnTo(i) }, h("span", null, one.element.getAttribute("aria-label")), h("b"));
    if (this.tabs.childElementCount !== this.columns.length || [...this.tabs.children].some((one, i) => one.firstChild!.textContent !== this.columns[i].element.getAttribute("aria-label"))) this.tabs.replaceChildren(...this.columns.map(tab));
    [...this.tabs.children].forEach((one, i) => { one.setAttribute("aria-checked", String(i === this.now)); (one as HTMLElement).tabIndex = i === this.now ? 0 : -1; });
    this.columns.forEach(({ element }, i) => element.classList.toggle("now", i === this.now));
  }

  private each(act: (session: SceneSession) => void): void { for (const one of this.columns) act(one.session); }
  /** Cells that are shown. */
  private cells(): Cell[] {
    const box = this.canvas.getBoundingClientRect();
    return this.columns.map(({ stage, session, view }) => {
      const r = view.getBoundingClientRect();
      return { stage, session, region: { x: r.left - box.left, y: r.top - box.top, width: r.width, height: r.height } };
    }).filter(({ region }) => region.width > 0);
  }

  private async column(type: string, own = new Map<string, unknown>()): Promise<void> {
    const engine = await library(), overrides = new Map([...this.overrides, ...own]);
    for (const path of expand("bend.type", this.source.text)) overrides.set(path, type);
    const session = new SceneSession(engine, this.source, overrides), stage = new Stage(this.studio, session, themeNow());
    stage.useLinen();
    session.onRebuild = () => { stage.build(); this.dirty = true; };
    session.onMessage = (text, isError) => { if (isError) this.messages.fail("session", text); };
    if (this.radius !== 1) session.core.widen("grab", this.radius);
    const n = this.columns.length, rows = models(engine.descriptors), row = rows.find((one) => one.name === type);
    const choice = h("select", { "data-testid": `compare-cell-${n}-type`, "aria-label": "Bending model" }, ...rows.map((one) => h("option", { value: one.name, title: one.summary }, one.label)));
    choice.value = type;
    const view = h("div", { class: "view" }), figures = h("dl"), close = h("button", { class: "icon", type: "button", "aria-label": `Without ${row?.label ?? type}` }, "×");
    const element = h("section", { class: "cell", "data-testid": `compare-cell-${n}`, style: `--own: var(--${COLOURS[type] ?? "text"})`, "aria-label": row?.label ?? type },
      h("div", { class: "cell-head" }, choice, close), view, figures);
    const column: Column = { type, own, session, stage, element, view, figures, start: [], ms: 0, least: new Least() };
    column.start = heights(session);
    element.addEventListener("pointerdown", () => this.choose(column), true);
    choice.addEventListener("change", () => void this.change(this.columns.indexOf(column), choice.value));
    close.addEventListener("click", () => { if (this.columns.length > 1) { this.remove(column); this.restart(); } });
    this.columns.push(column);
    this.grid.append(element);
    this.count();
  }

  /** Where each has its own knobs: those of this one are shown. */
  private choose(column: Column | null): void {
    if (this.apart.getAttribute("aria-pressed") !== "true") column = null;
    if (column === this.chosen && column?.element.classList.contains("chosen") !== false) return;
    this.chosen = column;
    for (const one of this.columns) one.element.classList.toggle("chosen", one === column);
    this.panel?.build();
  }

  private unlink(): void {
    const on = this.apart.getAttribute("aria-pressed") !== "true";
    this.apart.setAttribute("aria-pressed", String(on));
    this.apart.textContent = on ? "Link again" : "Unlink";
    this.choose(on ? this.chosen ?? this.columns[0] : null);
    announce(on ? "Each cloth has its own values. Press on a cloth to choose it." : "One list of values for all.");
    if (on) return;
    for (const one of this.columns) {
      one.session.set(new Map([...one.own.keys()].map((path) => [path, this.overrides.get(path)])));
      one.own.clear();
    }
    this.panel.refresh();
    this.save();
  }

  private count(): void {
    this.grid.dataset.count = String(this.columns.length);
    this.add.disabled = this.columns.length >= 4;
    this.showTabs();
  }

  private remove(column: Column): void {
    this.columns = this.columns.filter((one) => one !== column);
    column.element.remove();
    column.stage.dispose();
    column.session.dispose();
    this.count();
  }

  /** Another model in one place; all start again, so that they stay in step. */
  private async change(index: number, type: string): Promise<void> {
    await this.remake(this.columns.map((one, i) => ({ type: i === index ? type : one.type, own: one.own })));
  }

  async remake(wanted: { type: string; own?: Map<string, unknown> }[]): Promise<void> {
    const at = this.chosen ? this.columns.indexOf(this.chosen) : -1;
    for (const column of [...this.columns]) this.remove(column);
    for (const { type, own } of wanted) await this.column(type, own);
    this.choose(at < 0 ? null : this.columns[Math.min(at, this.columns.length - 1)]);
    this.panel?.build();
    this.fit();
    this.restart();
  }

  private restart(): void {
    this.hands?.release();
    this.each((one) => one.reset());
    this.dirty = true;
    this.messages.clear();
    this.save();
  }

  private save(): void {
    // types.all is of this page alone; it is no path of a scene.
    const overrides: [string, unknown][] = [...shorten(this.overrides, this.source.text), ["types.all", this.columns.map((one) => one.type).join("+")],
      ...this.columns.flatMap(({ own }, n) => [...own].map(([path, value]): [string, unknown] => [`own.${n}.${path}`, value]))];
    window.history.replaceState(null, "", writeLink({ scene: this.source.id, overrides, pins: [], unknown: [] }));
  }

  private knobs(types: string[]): void {
    const engine = this.columns[0].session.engine;
    this.panel = new Panel(engine.descriptors, {
      session: () => (this.chosen ?? this.columns.find((one) => expand("bend.rigidity", this.source.text).length > 0 && hasRigidity(one)) ?? this.columns[0]).session,
      set: (values) => this.set(values),
    }, { only: ["bend.rigidity", "settings.substeps", "settings.iterations"], bare: true });
    const scene = h("select", { class: "field", "data-testid": "scene", "aria-label": "Scene" }, ...["swatch", "flag", "drape"].map((id) => h("option", { value: id }, sceneById(id)!.title)));
    scene.value = this.source.id;
    scene.addEventListener("change", () => void fetchScene(sceneById(scene.value)!).then((source) => { this.source = source; this.overrides.clear(); return this.remake(this.columns.map(({ type }) => ({ type }))); }));
    this.add.addEventListener("click", () => {
      const next = types.find((name) => !this.columns.some((one) => one.type === name));
      if (next && this.columns.length < 4) void this.remake([...this.columns, { type: next }]);
    });
    this.apart.addEventListener("click", () => this.unlink());
    need("#knobs", this.root).append(h("div", { class: "pick" }, scene, h("div", { class: "pair" }, this.add, this.apart)), this.panel.element);
  }

  private set(values: Record<string, unknown>): void {
    const long = Object.entries(values).flatMap(([path, value]) => expand(path, this.source.text).map((one): [string, unknown] => [one, value]));
    for (const [path, value] of long) (this.chosen?.own ?? this.overrides).set(path, value);
    for (const { session, own } of this.chosen ? [this.chosen] : this.columns) session.set(new Map(long.filter(([path]) => this.chosen || !own.has(path))));
    this.panel.refresh();
    this.dirty = true;
    this.save();
  }

  private fit(): void {
    this.studio.resize();
    const cells = this.cells();
    if (cells.length === 0) return;
    const [{ stage: first, region }] = cells, box = SWEPT[this.source.id];
    if (box) first.fitBox(...box, region, { yaw: 40, pitch: 10 });
    else first.fit(region);
    for (const { stage } of this.columns) { stage.rig = first.rig; stage.fitGround(); }
    this.dirty = true;
  }

  theme(): void { for (const { stage } of this.columns) stage.theme(themeNow()); this.dirty = true; }

  private picture(stepped: boolean): void {
    if (stepped) for (const one of this.columns) one.ms = one.least.add(one.session.stepTime);
    this.shown++;
    if (stepped || this.dirty || this.hands?.busy) {
      this.dirty = false;
      const ring = this.hands?.ring() ?? null;
      for (const { stage, region, session } of this.cells()) {
        stage.ring = ring && (ring.cell.session === session ? ring : { ...ring, point: null });
        stage.update();
        stage.draw(region);
      }
    }
    if (this.shown % 10 === 1 || !this.player?.playing) this.figures();
    this.bar?.show(this.shown % 10 === 1 ? this.columns[0].session.hash() : null);
  }

  private figures(): void {
    this.columns.forEach((one, i) => { const drop = this.tabs.children[i]?.lastChild; if (drop) drop.textContent = `${short(1000 * this.drop(one), 3)} mm`; });
    for (const one of this.columns) {
      const stretch = one.session.world.statistics().stretch_rms, parts = [["drop", `${short(1000 * this.drop(one), 3)} mm`], ["stretch", `${(100 * stretch).toFixed(2)} %`], ["a frame", milliseconds(one.ms)]];
      one.figures.replaceChildren(...parts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
    }
  }

  /** The most that a vertex is below where it started [m]. */
  drop(column: Column): number {
    const now = heights(column.session);
    return Math.max(...now.map((y, i) => column.start[i] - y));
  }

  state(): unknown {
    return {
      frame: this.columns[0].session.frame, playing: this.player.playing, scene: this.source.id,
      cells: this.columns.map((one) => ({ type: one.type, frame: one.session.frame, drop: this.drop(one), stretch: one.session.world.statistics().stretch_rms, hash: one.session.hash(), grabs: one.session.core.hands.length, ms: one.ms })),
    };
  }
  project(cell: number, vertex: number): { x: number; y: number } {
    const one = this.cells()[cell], box = this.canvas.getBoundingClientRect(), d = one.session.deformables[0], k = d.stride * vertex, p = d.positions;
    const at = one.stage.project([p[k], p[k + 1], p[k + 2]], one.region);
    return { x: box.left + one.region.x + at.x, y: box.top + one.region.y + at.y };
  }
}

const hasRigidity = (column: Column): boolean => typeRow(column.session.engine.descriptors, column.type)?.parameters.some((one) => one.name === "rigidity") ?? false;
function heights(session: SceneSession): number[] {
  return session.deformables.flatMap((one) => Array.from({ length: one.vertexCount }, (_, i) => one.positions[one.stride * i + 1]));
}

let page: Compare | null = null;
shell(() => page?.theme());
page = await Compare.start(need("#compare"));
if (page) {
  const compare = page;
  Object.assign(window, { pliant: { state: () => compare.state(), project: (cell: number, vertex: number) => compare.project(cell, vertex), frames: (n: number) => compare.player.pictures(n), advance: (n: number) => { for (let i = 0; i < n; i++) { compare.player.advance(); for (const one of compare.columns) one.ms = one.least.add(one.session.stepTime); } }, page: compare } });
}
