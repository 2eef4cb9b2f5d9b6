// What a person opens: a file from the machine, by button or by dropping it on the stage.
import type { Engine } from "pliant";
import { takeFiles } from "../engine/inline.ts";
import type { Source } from "../engine/library.ts";
import { sceneOfMesh } from "../engine/mesh_scene.ts";
import { nameSets } from "../engine/naming.ts";

const LARGEST = 20e6;

/** What a mesh has become, and where that is changed. */
export const meshSaid = (name: string, reason: string, size = ""): string => `${name}: ${size}It is simulated as ${reason}. "Mesh is" changes that.`;

/** A scene or a mesh as a source with a word about it. Throws a sentence for what cannot be read. */
export async function sourceOfFile(engine: Engine, file: File, beside: Source["files"]): Promise<{ source: Source; said: string }> {
  if (file.size > LARGEST) throw new Error(`${file.name} has ${Math.round(file.size / 1e6)} MB; the page takes ${LARGEST / 1e6}. The command line takes it.`);
  const data = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".json")) {
    const { text, files } = takeFiles(new TextDecoder().decode(data));
    const source: Source = { id: "file", title: file.name, file: file.name, ...nameSets(text, engine.descriptors), files: { ...beside, ...files }, surface: "cloth" };
    return { source, said: `${file.name}: a scene.` };
  }
  try {
    const { source, vertices, reason } = sceneOfMesh(engine, file.name, data);
    return { source, said: meshSaid(file.name, reason, `${vertices} vertices. `) };
  } catch (error) { throw new Error(placed((error as Error).message, file.name, data)); }
}

/** The library's message with the file's name, and its line where the message has one. */
export function placed(message: string, name: string, data: Uint8Array): string {
  const text = message.replace(/^(obj|ply|stl|gltf|glb)(?=:)/, name), line = Number(text.match(/:(\d+)/)?.[1] ?? 0);
  const shown = line > 0 ? new TextDecoder().decode(data.subarray(0, 1e6)).split("\n")[line - 1]?.trim().slice(0, 90) : "";
  return shown && /^[\x20-\x7e]+$/.test(shown) ? `${text}: ${shown}` : text;
}

/** Takes files that are dropped on an element; `box` in it shows that it would. */
export function takeDrops(element: HTMLElement, box: HTMLElement, take: (file: File) => void): void {
  const over = (on: boolean) => (event: DragEvent): void => { event.preventDefault(); box.classList.toggle("over", on); };
  element.addEventListener("dragover", over(true));
  element.addEventListener("dragleave", over(false));
  element.addEventListener("drop", (event) => {
    over(false)(event);
    const file = event.dataTransfer?.files[0];
    if (file) take(file);
  });
}
