// Mesh files. OBJ is read here; the other formats by the package, where it has readers.
import { Mesh, type Engine } from "pliant";

interface Options { weld: boolean; repair: boolean; scale: number }

/** Positions and faces of OBJ text. Throws with line and column. */
export function readObj(text: string, name: string): { positions: number[]; faces: number[]; faceSizes: number[] } {
  const positions: number[] = [], faces: number[] = [], faceSizes: number[] = [];
  text.split("\n").forEach((line, i) => {
    const words = line.trim().split(/\s+/), fail = (what: string, word = 1): never => { throw new Error(`${name}:${i + 1}:${Math.max(0, line.indexOf(words[word] ?? words[0])) + 1}: ${what}\n${line.trim().slice(0, 80)}`); };
    if (words[0] === "v") {
      const numbers = words.slice(1, 4).map(Number);
      if (numbers.length < 3 || !numbers.every(Number.isFinite)) fail("a vertex needs three finite numbers", 1 + Math.max(0, numbers.findIndex((x) => !Number.isFinite(x))));
      positions.push(...numbers);
    } else if (words[0] === "f") {
      const count = positions.length / 3;
      const corners = words.slice(1).map((word, k) => {
        const at = Number(word.split("/")[0]), index = at < 0 ? count + at : at - 1;
        if (!Number.isInteger(at) || index < 0 || index >= count) fail(`a face names vertex ${word}, and there are ${count} above it`, k + 1);
        return index;
      });
      if (corners.length < 3) fail("a face needs three vertices or more");
      faces.push(...corners);
      faceSizes.push(corners.length);
    }
  });
  return { positions, faces, faceSizes };
}

export function readMesh(data: Uint8Array, name: string, { weld, repair, scale }: Options, engine: Engine): Mesh {
  const policy = repair ? "repair" : "refuse";
  const reader = (Mesh as unknown as { read?: (bytes: Uint8Array, format: string, options: object, engine: Engine) => Mesh }).read;
  if (!/\.obj$/i.test(name)) {
    if (!reader) throw new Error(`${name}: this build reads OBJ alone; the command line reads glTF, PLY and STL too.`);
    return reader(data, name, { policy, weld, scale }, engine);
  }
  const { positions, faces, faceSizes } = readObj(new TextDecoder().decode(data), name);
  return new Mesh({ positions: scale === 1 ? positions : positions.map((x) => Math.fround(Math.fround(x) * Math.fround(scale))), faces, faceSizes, policy }, engine);
}
