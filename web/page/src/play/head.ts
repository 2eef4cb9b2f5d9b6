// The head of the panel (scene, file, undo, sharing), and its part about colours, sides A and B, CPU or GPU.
import type { GuessKind } from "pliant";
import { h } from "../base/dom.ts";
import { SCENES } from "../engine/catalogue.ts";
import type { Panel } from "../panel/panel.ts";
import { keyOf } from "./keymap.ts";
import type { Playground } from "./playground.ts";

export class Head {
  readonly element: HTMLElement;
  private scenes = h("select", { "data-testid": "scene", "aria-label": "Scene" }, h("option", { value: "file", hidden: true }, "Your file"),
    ...[false, true].map((shipped) => h("optgroup", { label: shipped ? "Of the repository" : "Of this page" }, ...SCENES.filter((one) => one.shipped === shipped).map((one) => h("option", { value: one.id }, one.title)))));
  private kind = h("select", { id: "mesh-kind", "data-testid": "mesh-kind" }, ...(["auto", "cloth", "shell", "balloon"] as const).map((one) => h("option", { value: one }, one === "auto" ? "by its shape" : one)));
  private kindRow = h("div", { class: "pair", hidden: true }, h("label", { for: "mesh-kind", title: "Cloth hangs or falls, a shell keeps its shape, a balloon is closed" }, "Mesh is"), this.kind);
  private measure: HTMLSelectElement;
  private wires = h("input", { type: "checkbox", id: "view-wireframe", "data-testid": "view-wireframe" });
  /** The part of the panel about colours, A and B, CPU and GPU. */
  readonly view: HTMLElement;
  private freePins = h("button", { class: "button", type: "button", "data-testid": "unpin", hidden: true, title: "Free all pins that you have made" }, "Free pins");

  constructor(private page: Playground, sides: HTMLElement, engine: HTMLElement) {
    const file = h("input", { type: "file", accept: ".obj,.gltf,.glb,.ply,.stl,.json", class: "offscreen", "data-testid": "file-open", tabindex: -1, "aria-label": "Open a mesh" });
    file.addEventListener("change", () => { const one = file.files?.[0]; if (one) void page.openFile(one); file.value = ""; });
    this.scenes.addEventListener("change", () => void page.openScene(this.scenes.value));
    this.kind.addEventListener("change", () => void page.takeMeshFor(this.kind.value as GuessKind));
    this.freePins.addEventListener("click", () => page.changes.unpinAll());
    this.measure = h("select", { id: "view-measure", "data-testid": "view-measure" }, h("option", { value: "" }, "plain"), ...page.engine.descriptors.measures.map((one) => h("option", { value: one.name, title: one.summary }, one.label)));
    this.measure.addEventListener("change", () => page.setMeasure(this.measure.value));
    this.wires.addEventListener("change", () => page.setWires(this.wires.checked));
    this.element = h("div", { class: "panel-head" },
      h("div", { class: "pair" }, this.scenes, action("file-button", "Open", () => file.click(), "Open a mesh (OBJ, glTF, PLY, STL) or a scene, or drop it on the page")), file,
      h("div", { class: "panel-actions" }, action("undo", "Undo", () => page.changes.undo(), `Undo${keyOf("undo")}`), action("redo", "Redo", () => page.changes.redo(), `Redo${keyOf("redo")}`),
        action("share-link", "Share", () => void page.sharing.share(), "Copy a link to this state"),
        action("copy-scene", "Scene", () => page.sharing.showScene(), "The scene as it is now, and the command that runs it"), action("help", "Keys", () => page.showKeys(), `Keys${keyOf("keys")}`)),
      this.kindRow, this.freePins);
    this.view = h("details", { class: "part", "data-part": "view", open: true }, h("summary", null, "View and comparison"),
      h("div", { class: "pair" }, h("label", { for: "view-measure", title: `Colour by${keyOf("nextColours")}` }, "Colour by"), this.measure),
      h("div", { class: "pair" }, h("label", { for: "view-wireframe", title: `Wireframe${keyOf("wireframe")}` }, "Wireframe"), this.wires), sides, engine);
  }

  /** What its controls do, in the panel's own line. */
  explain(panel: Panel): void {
    const rows: [Element | null, string, string][] = [
      [this.scenes, "Scene", "Scenes of this page and of the repository. Another scene starts at its first frame."],
      ...[...this.element.querySelectorAll<HTMLElement>("button")].map((one): [Element, string, string] => [one, one.textContent!, `${one.title}.`]),
      [this.kindRow, "Mesh is", "Cloth hangs or falls, a shell keeps its shape, a balloon is closed and keeps its air. By its shape: the library decides."],
      [this.measure.parentElement, "Colour by", "Draws a measure of the simulation as colours, with a legend."], [this.wires.parentElement, "Wireframe", "Draws the edges of the mesh."],
      [this.view.querySelector("[aria-labelledby=side-label]")!.parentElement, "Values A and B", "Two lists of values for one run. X swaps them, Shift+X shows them side by side."],
      [this.view.querySelector("[data-testid=engine]"), "Run on", "The same run on the CPU and on the graphics card, with the time of each and the largest difference."],
    ];
    for (const [box, label, text] of rows) if (box) panel.explains(box as HTMLElement, label, text);
  }

  /** What is shown now. */
  show(): void {
    const { session, colours, stage } = this.page;
    this.scenes.value = session.source.id;
    this.measure.value = colours.name;
    this.wires.checked = stage?.isWired ?? false;
    this.kindRow.hidden = !session.source.mesh;
    this.kind.value = session.source.mesh?.kind ?? "auto";
    this.showPins();
  }

  /** Whether there are pins to free. */
  showPins(): void {
    const hidden = this.page.session.pins.length === 0;
    if (this.freePins.hidden !== hidden) this.freePins.hidden = hidden;
  }
}

function action(id: string, label: string, act: () => void, title = label): HTMLElement {
  const button = h("button", { class: "button", type: "button", "data-testid": id, title }, label);
  button.addEventListener("click", act);
  return button;
}
