// Data that build.mjs stores: the schema of scenes, and the state of a scene of the page at the frame where it is at rest.
import { readFileSync } from "node:fs";
import { load, Scene, Session } from "pliant";
import { sceneById } from "../src/engine/catalogue.ts";

export const sceneSchema = async (): Promise<unknown> => (await load({ scenes: true })).sceneSchema();

export async function stateAtRest(id: string, folder: string): Promise<Uint8Array> {
  const row = sceneById(id)!, files = Object.fromEntries(row.files.map((name) => [name, new Uint8Array(readFileSync(`${folder}/${name}`))]));
  const scene = Scene.load(readFileSync(`${folder}/${row.file}`, "utf8"), { files, path: row.file }, await load({ scenes: true })), session = new Session(scene);
  session.goTo(row.settled);
  return session.world.snapshot();
}
