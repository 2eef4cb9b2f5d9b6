// Values of a scene by path, as `--set` names them: list items go by number, name or type. Short forms stand for the same value of
// every cloth of a scene: bend.rigidity is deformables.NAME.constraints.bend.rigidity for each NAME that has a set of that name.
import type { ConstraintTypeRow, Descriptors, PropertyRow } from "pliant";

// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;
export type Overrides = Map<string, unknown>;

const steps = (path: string): string[] => path.replace(/\[(\d+)\]/g, ".$1").split(".");

function child(node: Json, key: string): Json {
  if (!Array.isArray(node)) return node?.[key];
  return node[Number(key)] ?? node.find((item: Json) => item?.name === key) ?? node.find((item: Json) => item?.type === key);
}

export const readPath = (scene: Json, path: string): unknown => steps(path).reduce(child, scene);

export function writePath(scene: Json, path: string, value: unknown): void {
  const keys = steps(path), last = keys.pop()!;
  let node = scene;
  for (const key of keys) {
    let next = child(node, key);
    if (next === undefined) {
      if (Array.isArray(node)) throw new Error(`${path}: the scene has nothing called "${key}" there`);
      next = node[key] = {};
    }
    node = next;
  }
  if (Array.isArray(node)) {
    const at = Number.isInteger(Number(last)) ? Number(last) : node.findIndex((item: Json) => item?.name === last);
    if (at < 0) throw new Error(`${path}: the scene has nothing called "${last}" there`);
    node[at] = value;
  } else node[last] = value;
}

/** Compliance that types start with which do not take a rigidity. */
const START: Record<string, Record<string, unknown>> = {
  stick: { compliance: 0.002 }, opposite_distance: { compliance: 0.002 }, dihedral_printed: { compliance: 1 }, isometric_energy: { compliance: 1 },
  triangle_edge: { compliance: 0.1 },
};

/** The model of the page that is no constraint type: bending that is solved for the whole surface stands in place of the set. */
export const PLATE = "plate";

/** What the page asks of a bending model. */
export type ModelRow = Pick<ConstraintTypeRow, "label" | "summary" | "parameters"> & { name: string };

/** The row of a type, or of the plate where the library has one. */
export function typeRow(descriptors: Descriptors, name: string): ModelRow | undefined {
  if (name !== PLATE) return descriptors.types.find((row) => row.name === name);
  const group = descriptors.groups.find((one) => one.id === PLATE);
  if (!group) return undefined;
  return { name, label: group.label, summary: group.summary, parameters: group.properties.map((row) => ({ ...row, section: row.name === "rigidity" ? "basic" : "advanced" })) };
}

/** All bending models, the plate last. */
export function models(descriptors: Descriptors): ModelRow[] {
  const plate = typeRow(descriptors, PLATE);
  return [...descriptors.types.filter((row) => row.bending), ...(plate ? [plate] : [])];
}

/** The row of the property that a path names. */
export function rowOf(descriptors: Descriptors, path: string): PropertyRow | undefined {
  const keys = steps(path), name = keys.at(-1)!;
  if (keys.includes("constraints")) return descriptors.types.flatMap((row) => row.parameters).find((row) => row.name === name);
  const group = keys.length > 2 ? (keys.length > 3 ? keys.at(-2) : "deformable") : keys[0];
  return descriptors.groups.find((one) => one.id === group)?.properties.find((row) => row.name === name);
}

/** What changing the value of a path costs. The session sets vectors of the world alone, no layers and no thresholds of tearing. */
export function changeOf(descriptors: Descriptors, path: string): PropertyRow["change"] {
  if (/[.](type|generator)$|[.]tearing[.]/.test(path)) return "remake";
  const row = rowOf(descriptors, path);
  if (!row) return "restart";
  const isSettable = row.kind === "vector" ? !path.startsWith("deformables") : row.kind !== "layer" && row.kind !== "layers";
  return row.change === "live" && !isSettable ? "remake" : row.change;
}

/** The object that owns a property: its deformable by name or number, its set likewise, or a group of the deformable. */
export interface Address { deformable: string | null; set: string | null; group: string | null; name: string }

export function addressOf(path: string): Address {
  const keys = steps(path), name = keys.at(-1)!, [head, deformable, group, set] = keys;
  if (head !== "deformables") return { deformable: null, set: null, group: head, name };
  return { deformable, set: group === "constraints" ? set : null, group: keys.length === 4 ? group : null, name };
}

/** Whether keyframes of a scene change the value of a path. */
export const isKeyed = (text: string, path: string): boolean => text.includes('"keyframes"') && ((JSON.parse(text) as Json).keyframes as Json[] | undefined ?? []).some((one: Json) => one.path === path);

/** Puts a set of any type in place of a plate, as stiff as that was. */
function setForPlate(scene: Json, path: string): void {
  const [owner, name] = path.split(".constraints."), one = readPath(scene, owner) as Json;
  if (name !== "bend" || !one?.plate || child(one.constraints ?? [], name)) return;
  (one.constraints ??= []).push({ name, type: "isometric", rigidity: one.plate.rigidity });
  delete one.plate;
}

/** Puts a plate in place of a bending set, as stiff as that was. */
function plateFor(scene: Json, path: string): void {
  const [owner, name] = path.split(".constraints."), one = readPath(scene, owner) as Json, set = child(one.constraints ?? [], name);
  if (!set && one.plate) return;
  one.constraints = one.constraints.filter((other: Json) => other !== set);
  one.plate = { rigidity: set?.rigidity > 0 ? set.rigidity : 1e-4 };
}

/** Leaves in a set only what its type takes, and gives it what it starts with. */
function fitSet(set: Json, descriptors: Descriptors): void {
  const row = descriptors.types.find((one) => one.name === set.type);
  if (!row) return;
  const known = new Set(["type", "name", "particles", ...row.parameters.map((one) => one.name)]);
  const hadRigidity = set.rigidity > 0 && !known.has("rigidity");
  for (const key of Object.keys(set)) if (!known.has(key) && !(key === "generator" && row.generators.includes(set.generator))) delete set[key];
  if (hadRigidity && set.compliance === undefined) Object.assign(set, START[set.type] ?? {});
}

/** A value of a set in whose place a plate stands: the plate takes what it knows. */
function writePlate(scene: Json, path: string, value: unknown, descriptors: Descriptors): void {
  const [owner, rest] = path.split(".constraints."), name = rest.split(".").at(-1)!, one = readPath(scene, owner) as Json;
  if (one?.plate && typeRow(descriptors, PLATE)?.parameters.some((row) => row.name === name)) one.plate[name] = value;
}

/** A value by its path in a scene as it runs; of a plate where one stands for the set. */
export function readModel(scene: Json, path: string): unknown {
  const found = readPath(scene, path), match = path.match(/^(deformables\.[^.]+)\.constraints\.bend\.(\w+)$/);
  if (found !== undefined || !match || !(readPath(scene, match[1]) as Json)?.plate) return found;
  return match[2] === "type" ? PLATE : (readPath(scene, match[1]) as Json).plate[match[2]];
}

/** The scene with its overrides, as text that the command line runs to the same bits. */
export function resolve(text: string, overrides: ReadonlyMap<string, unknown>, descriptors: Descriptors): string {
  if (overrides.size === 0) return text;
  const scene = JSON.parse(text) as Json;
  const types = [...overrides].filter(([path]) => path.endsWith(".type")), others = [...overrides].filter(([path]) => !path.endsWith(".type"));
  for (const [path, value] of types) {
    if (value === PLATE) { plateFor(scene, path.slice(0, -5)); continue; }
    setForPlate(scene, path.slice(0, -5));
    writePath(scene, path, value);
    fitSet(readPath(scene, path.slice(0, -5)), descriptors);
  }
  for (const [path, value] of others) {
    const set = path.match(/^(.*\.constraints\.[^.]+)\.([^.]+)$/);
    if (set) {
      const node = readPath(scene, set[1]) as Json, row = node && typeRow(descriptors, node.type);
      if (!node) { writePlate(scene, path, value, descriptors); continue; }
      if (row && !row.parameters.some((one: { name: string }) => one.name === set[2])) continue;
    }
    writePath(scene, path, value);
    if (Array.isArray(scene.keyframes)) scene.keyframes = (scene.keyframes as Json[]).filter((one: Json) => one.path !== path);
  }
  if (scene.keyframes?.length === 0) delete scene.keyframes;
  return JSON.stringify(scene, null, 2);
}

/** Long paths of a short one. */
export function expand(path: string, text: string): string[] {
  const match = path.match(/^(bend|stretch|cloth)\.(.+)$/);
  if (!match) return [path];
  const scene = JSON.parse(text) as Json;
  return (scene.deformables as Json[]).flatMap((one: Json, i: number) => {
    const name = `deformables.${one.name ?? i}`;
    if (match[1] === "cloth") return [`${name}.${match[2]}`];
    return ((one.constraints ?? []) as Json[]).some((set: Json) => set.name === match[1]) || (match[1] === "bend" && one.plate) ? [`${name}.constraints.${match[1]}.${match[2]}`] : [];
  });
}

/** Paths of the sets that are neither "bend" nor "stretch", one of each type. */
export function otherSets(text: string): string[] {
  const found = new Map<string, string>();
  for (const [i, one] of ((JSON.parse(text) as Json).deformables as Json[]).entries())
    for (const set of (one.constraints ?? []) as Json[])
      if (set.name !== "bend" && set.name !== "stretch" && !found.has(set.type)) found.set(set.type, `deformables.${one.name ?? i}.constraints.${set.name ?? set.type}`);
  return [...found.values()];
}

/** Short paths where every cloth has the same value, for the address. */
export function shorten(overrides: ReadonlyMap<string, unknown>, text: string): [string, unknown][] {
  const out = new Map<string, unknown>(), rest = new Map(overrides);
  for (const path of overrides.keys()) {
    const match = path.match(/^deformables\.[^.]+\.(?:constraints\.(bend|stretch)\.(.+)|([a-z_]+))$/);
    if (!match || !rest.has(path)) continue;
    const alias = match[1] ? `${match[1]}.${match[2]}` : `cloth.${match[3]}`, all = expand(alias, text);
    const value = JSON.stringify(overrides.get(path));
    if (!all.includes(path) || !all.every((one) => rest.has(one) && JSON.stringify(rest.get(one)) === value)) continue;
    out.set(alias, overrides.get(path));
    for (const one of all) rest.delete(one);
  }
  return [...out, ...rest];
}
