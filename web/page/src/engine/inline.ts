// Scenes with their meshes inside: a file that a scene names stands there as a data URL with a name.
import type { Json } from "../state/paths.ts";

type Files = Record<string, Uint8Array>;

/** Replaces the names of files in a scene. */
function rename(text: string, to: (file: string) => string): string {
  return JSON.stringify(JSON.parse(text, (key, value: Json) => (key === "file" && typeof value === "string" ? to(value) : value)), null, 2);
}

function base64(data: Uint8Array): string {
  let out = "";
  for (let i = 0; i < data.length; i += 3 * 4096) out += btoa(String.fromCharCode(...data.subarray(i, i + 3 * 4096)));
  return out;
}

export const withFiles = (text: string, files: Files): string =>
  rename(text, (file) => (files[file] ? `data:application/octet-stream;name=${encodeURIComponent(file)};base64,${base64(files[file])}` : file));

/** The scene with names of files again, and the files. */
export function takeFiles(text: string): { text: string; files: Files } {
  const files: Files = {};
  if (!text.includes('"data:')) return { text, files };
  return {
    text: rename(text, (file) => {
      const match = file.match(/^data:[^,]*;name=([^;,]+);base64,(.*)$/);
      if (!match) return file;
      const name = decodeURIComponent(match[1]);
      files[name] = Uint8Array.from(atob(match[2]), (one) => one.charCodeAt(0));
      return name;
    }), files,
  };
}
