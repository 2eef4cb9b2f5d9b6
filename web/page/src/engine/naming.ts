// Scenes name their sets as they like; the page's short paths want "bend" and "stretch". Names change no bits.
import type { Descriptors } from "pliant";
import type { Json } from "../state/paths.ts";

const STRETCH = ["membrane", "distance"];

/** The scene with names for its bending and stretching sets, and for each that was given one its path in the scene as it was. */
export function nameSets(text: string, { types }: Descriptors): { text: string; names: Map<string, string> } {
  const names = new Map<string, string>();
  let scene: Json;
  // The library has the better message for a text that is no scene.
  try { scene = JSON.parse(text); } catch { return { text, names }; }
  const bending = types.filter((row) => row.bending).map((row) => row.name as string);
  (Array.isArray(scene?.deformables) ? scene.deformables as Json[] : []).forEach((one: Json, i: number) => {
    const owner = `deformables.${one?.name ?? i}`, sets = Array.isArray(one?.constraints) ? one.constraints as Json[] : [];
    for (const [name, wanted] of [["bend", bending], ["stretch", STRETCH]] as const) {
      const set = sets.find((other: Json) => wanted.includes(other?.type)), taken = sets.some((other: Json) => other?.name === name);
      if (!set || set.name || taken) continue;
      names.set(`${owner}.constraints.${name}`, `${owner}.constraints.${set.type}`);
      set.name = name;
    }
    if (one?.plate) names.set(`${owner}.constraints.bend`, `${owner}.plate`);
  });
  return names.size > 0 ? { text: JSON.stringify(scene, null, 2), names } : { text, names };
}
