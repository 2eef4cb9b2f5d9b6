// The head of the playground's panel: scene, file, undo, sharing, colours, sides A and B, CPU or GPU.
import type { GuessKind } from "pliant";
import { h } from "../base/dom.ts";
import { SCENES } from "../engine/catalogue.ts";
import { keyDialog } from "../pages/dialogs.ts";
import type { Playground } from "./playground.ts";

export class Head {
  readonly element: HTMLElement;
  private scenes = h("select", { "data-testid": "scene", "aria-label": "Scene" }, h("option", { value: "file", hidden: true }, "A file of yours"),
    ...[false, true].map((shipped) => h("optgroup", { label: shipped ? "Of the repository" : "Of this page" }, ...SCENES.filter((one) => one.shipped === shipped).map((one) => h("option", { value: one.id }, one.title)))));
  private kind = h("select", { id: "mesh-kind", "data-testid": "mesh-kind" }, ...(["auto", "cloth", "shell", "balloon"] as const).map((one) => h("option", { value: one }, one === "auto" ? "by its shape" : one)));
  private kindRow = h("div", { class: "pair", hidden: true }, h("label", { for: "mesh-kind", title: "What your mesh is: cloth that hangs or falls, a shell that stands, or a balloon" }, "Mesh is"), this.kind);
  private measure: HTMLSelectElement;
  private freePins = h("button", { class: "button", type: "button", "data-testid": "unpin", hidden: true, title: "Free everything that hands have pinned" }, "Free pins");

  constructor(private page: Playground, sides: HTMLElement, engine: HTMLElement) {
    const file = h("input", { type: "file", accept: ".obj,.gltf,.glb,.ply,.stl,.json", class: "offscreen", "data-testid": "file-open", tabindex: -1, "aria-label": "Open a mesh" });
    file.addEventListener("change", () => { const one = file.files?.[0]; if (one) void page.openFile(one); file.value = ""; });
    this.scenes.addEventListener("change", () => void page.openScene(this.scenes.value));
    this.kind.addEventListener("change", () => page.takeMeshFor(this.kind.value as GuessKind));
    this.freePins.addEventListener("click", () => page.changes.unpinAll());
    this.measure = h("select", { id: "view-measure", "data-testid": "view-measure" }, h("option", { value: "" }, "plain"), ...page.engine.descriptors.measures.map((one) => h("option", { value: one.name, title: one.summary }, one.label)));
    this.measure.addEventListener("change", () => page.setMeasure(this.measure.value));
    const wires = h("input", { type: "checkbox", id: "view-wireframe", "data-testid": "view-wireframe" });
    wires.addEventListener("change", () => page.setWires(wires.checked));
    this.element = h("div", { class: "panel-head" },
      h("div", { class: "pair" }, this.scenes, action("file-button", "Open", () => file.click(), "Open a mesh: OBJ, glTF, PLY, STL, or a scene")), file, this.kindRow,
      h("div", { class: "panel-actions" }, action("undo", "Undo", () => page.changes.undo()), action("redo", "Redo", () => page.changes.redo()),
        action("share-link", "Share", () => void page.sharing.share(), "Copy a link to this state"),
        action("copy-scene", "Scene", () => page.sharing.showScene(), "The scene as it stands, and the command that runs it"), action("help", "Keys", () => keyDialog())),
      h("div", { class: "pair" }, h("label", { for: "view-measure" }, "Colour by"), this.measure, h("label", { for: "view-wireframe", title: "Wireframe (W)" }, "Wires"), wires),
      sides, this.freePins, engine);
  }

  /** What is shown now. */
  show(): void {
    const { session, colours } = this.page;
    this.scenes.value = session.source.id;
    this.measure.value = colours.name;
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
