// Data that build.mjs stores: the schema of scenes, and the state of a scene of the page at the frame where it is at rest.
import { readFileSync } from "node:fs";
import { load } from "pliant";
import { sceneById } from "../src/engine/catalogue.ts";
import { Run } from "../src/engine/run.ts";

export const sceneSchema = async (): Promise<unknown> => (await load({ scenes: true })).sceneSchema();

export async function stateAtRest(id: string, folder: string): Promise<Uint8Array> {
  const row = sceneById(id)!, files = Object.fromEntries(row.files.map((name) => [name, new Uint8Array(readFileSync(`${folder}/${name}`))]));
  const source = { id, title: row.title, file: row.file, text: readFileSync(`${folder}/${row.file}`, "utf8"), files, surface: "cloth" as const, names: new Map<string, string>() };
  const run = new Run(await load({ scenes: true }), source, new Map());
  for (let frame = 0; frame < row.settled; frame++) run.step(frame);
  return run.world.snapshot();
}
