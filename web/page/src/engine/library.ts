// Loads the library once, and the files of scenes.
import { load, type Engine, type GuessKind } from "pliant";
import type { CatalogueScene } from "./catalogue.ts";
import { nameSets } from "./naming.ts";

/** Where the site's root is, seen from this page: pages stand one folder deep at most. */
export const ROOT = new URL(document.documentElement.dataset.root ?? ".", document.baseURI);

let loading: Promise<Engine> | null = null;
export function library(): Promise<Engine> {
  loading ??= load({ scenes: true });
  return loading;
}

export interface Source {
  id: string;
  title: string;
  /** Its file, as the command line and messages name it. */
  file: string;
  text: string;
  files: Record<string, Uint8Array>;
  surface: NonNullable<CatalogueScene["surface"]>;
  /** Paths that the page writes otherwise than the file has them (naming.ts). */
  names: Map<string, string>;
  /** The mesh that the scene was made for, and the kind that was requested. */
  mesh?: { name: string; data: Uint8Array; kind: GuessKind };
}

async function bytes(path: string): Promise<Uint8Array> {
  const answer = await fetch(new URL(`scenes/${path}`, ROOT));
  if (!answer.ok) throw new Error(`scenes/${path}: the host answers ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
}

export async function fetchScene(row: CatalogueScene): Promise<Source> {
  const [text, ...files] = await Promise.all([row.file, ...row.files].map((name) => bytes(row.folder + name)));
  const { descriptors } = await library();
  return {
    id: row.id, title: row.title, file: row.file, ...nameSets(new TextDecoder().decode(text), descriptors), surface: row.surface ?? "cloth",
    files: Object.fromEntries(row.files.map((name, i) => [name, files[i]])),
  };
}
