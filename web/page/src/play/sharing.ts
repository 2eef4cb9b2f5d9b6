// What leaves the page: the link to a state, and the scene as it stands with the command that runs it.
import type { Descriptors } from "pliant";
import { copy } from "../base/dom.ts";
import type { Stage } from "../draw/stage.ts";
import type { Session } from "../engine/session.ts";
import { codeDialog } from "../pages/dialogs.ts";
import { MOST, writeLink, type Linked } from "../state/link.ts";
import { resolve, shorten } from "../state/paths.ts";
import type { Sides } from "../state/sides.ts";
import type { Colours } from "./colours.ts";

export interface SharingHost {
  readonly session: Session;
  readonly stage: Stage;
  readonly sides: Sides;
  readonly colours: Colours;
  say: (text: string) => void;
  fail: (kind: string, text: string) => void;
}

export class Sharing {
  /** Parts of the link that were not understood, which are kept in what is shared. */
  unknown: string[] = [];
  private timer = 0;

  constructor(private host: SharingHost, private descriptors: Descriptors) {}

  private get state(): Linked {
    const { session, sides, stage, colours } = this.host, { source, overrides } = session, b = sides.valuesOfB(overrides);
    return {
      scene: source.id, overrides: shorten(sides.valuesOfA(overrides), source.text), aim: stage.rig.aim,
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
    if (session.source.id === "file") { host.fail("share", "The mesh is on your machine alone, so a link cannot have it. Copy scene, and send it with the file."); return; }
    if (address.length > MOST) { host.fail("share", `This state needs ${address.length} characters; a link has at most ${MOST}. Copy scene instead.`); return; }
    history.pushState(null, "", writeLink(this.state));
    const done = await copy(address);
    host.say(`${done ? "Link copied" : "The link is in the address bar"}. ${session.cuts + session.activeBalls.length > 0 ? "Cuts and balls are not in it." : ""}`.trim());
  }

  /** The scene's text with what was changed, and with the pins of hands. */
  sceneText(): string {
    const { session } = this.host, scene = JSON.parse(resolve(session.source.text, session.overrides, this.descriptors));
    session.pins.forEach((pin) => { (scene.deformables[pin.deformable].attachments ??= []).push({ particles: pin.particles }); });
    return JSON.stringify(scene, null, 2);
  }

  showScene(): void {
    const { session } = this.host, frames = session.repeatable ? session.frame : 600, paths = [...session.overrides.keys()];
    const sets = [...session.overrides].map(([path, value]) => ` --set ${path}=${typeof value === "string" ? value : JSON.stringify(value)}`).join("");
    // Another model loses what it does not know, which no --set can say.
    const rest = paths.some((path) => path.endsWith(".type")) ? "   # with the scene above as its file" : sets;
    codeDialog("The scene as it stands", [
      { label: "Scene", text: this.sceneText() },
      { label: "Command", text: `pliant run ${session.source.file} --frames ${frames}${rest}` },
    ]);
  }
}
