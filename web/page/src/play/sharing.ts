// What leaves the page: the link to a state, and the scene as it stands with the command that runs it.
import type { Descriptors } from "pliant";
import { copy, h } from "../base/dom.ts";
import type { Stage } from "../draw/stage.ts";
import { withFiles } from "../engine/inline.ts";
import type { SceneSession } from "../engine/session.ts";
import { codeDialog } from "../pages/dialogs.ts";
import { MOST, writeLink, type Linked } from "../state/link.ts";
import { expand, readModel, resolve, shorten } from "../state/paths.ts";
import type { Sides } from "../state/sides.ts";
import type { Colours } from "./colours.ts";

export interface SharingHost {
  readonly session: SceneSession;
  readonly stage: Stage;
  readonly sides: Sides;
  readonly colours: Colours;
  say: (text: string) => void;
  offer: (kind: string, text: string, label: string, act: () => void) => void;
}

export class Sharing {
  /** Parts of the link that were not understood, which are kept in what is shared. */
  unknown: string[] = [];
  private timer = 0;

  constructor(private host: SharingHost, private descriptors: Descriptors) {}

  private get state(): Linked {
    const { session, sides, stage, colours } = this.host, { source } = session, b = sides.valuesOf("B");
    return {
      scene: source.id, overrides: shorten(sides.valuesOf("A") ?? new Map(), source.text), aim: stage.rig.aim,
      ...(b ? { other: shorten(b, source.text), runsB: sides.side === "B" } : {}),
      ...(colours.name ? { measure: colours.name } : {}), pins: session.pins.map((pin) => [pin.deformable, ...pin.particles]), unknown: this.unknown,
    };
  }

  get link(): string { return `${location.origin}${location.pathname}${writeLink(this.state)}`; }

  /** Puts the state into the address, a moment after the last change. */
  queue(): void {
    if (this.host.session.source.id === "file") return;
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => { if (this.link.length < MOST) history.replaceState(null, "", writeLink(this.state)); }, 300);
  }

  async share(): Promise<void> {
    const { host } = this, { session } = host, address = this.link;
    const offer = (why: string): void => host.offer("share", `${why} The scene file contains it: whoever drops that file on this page sees what you see.`, "Download", () => this.download());
    if (session.source.id === "file") { offer("A link cannot contain your mesh."); return; }
    if (address.length > MOST) { offer(`This state needs ${address.length} characters; a link has at most ${MOST}.`); return; }
    history.pushState(null, "", writeLink(this.state));
    const done = await copy(address);
    host.say(`${done ? "Link copied" : "The link is in the address bar"}. ${session.isCut || session.core.state.balls > 0 ? "Cuts and balls are not in it." : ""}`.trim());
  }

  /** A path as the scene's own file has it. */
  private original(path: string): string {
    const [, set = "", rest = ""] = path.match(/^(deformables\.[^.]+\.constraints\.[^.]+)\.(.+)$/) ?? [], name = this.host.session.source.names.get(set);
    return name ? `${name}.${rest}` : path;
  }

  /** The scene's text with what was changed, and with the pins of the user. */
  sceneText(): string {
    const { session } = this.host, scene = JSON.parse(resolve(session.source.text, session.overrides, this.descriptors));
    session.pins.forEach((pin) => { (scene.deformables[pin.deformable].attachments ??= []).push({ particles: pin.particles }); });
    return JSON.stringify(scene, null, 2);
  }

  /** Saves the scene as it is now, with its meshes inside. */
  private download(): void {
    const { source } = this.host.session, url = URL.createObjectURL(new Blob([withFiles(this.sceneText(), source.files)], { type: "application/json" }));
    const link = h("a", { href: url, download: `${source.title.replace(/\.[^.]+$/, "").replace(/[^\w-]+/g, "-")}.pliant.json` });
    link.click();
    URL.revokeObjectURL(url);
  }

  /** The address of the page that compares, with A and B of this state. */
  sideBySide(): string {
    const { session, sides } = this.host, { source } = session, values = (["A", "B"] as const).map((side) => sides.valuesOf(side) ?? new Map<string, unknown>());
    const scene = JSON.parse(source.text), [path] = expand("bend.type", source.text), types = values.map((one) => String(one.get(path) ?? readModel(scene, path ?? "") ?? "isometric"));
    const own = values.flatMap((one, n): [string, unknown][] => [...one].filter(([name]) => !name.endsWith(".type")).map(([name, value]) => [`own.${n}.${name}`, value]));
    return writeLink({ scene: source.id, overrides: [["types.all", types.join("+")], ...own], pins: [], unknown: [] });
  }

  showScene(): void {
    const { session } = this.host, frames = session.repeatable ? session.frame : 600, paths = [...session.overrides.keys()];
    const sets = [...session.overrides].map(([path, value]) => ` --set ${this.original(path)}=${typeof value === "string" ? value : JSON.stringify(value)}`).join("");
    // Another model loses what it does not know, which no --set can say.
    const rest = paths.some((path) => path.endsWith(".type")) ? "   # with the scene above as its file" : sets;
    codeDialog("The scene as it is now", [
      { label: "Scene", text: this.sceneText() },
      { label: "Command", text: `pliant run ${session.source.file} --frames ${frames}${rest}` },
    ]);
  }
}
