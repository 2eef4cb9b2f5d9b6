// The hashes that tests/determinism/test_hash.c pins, read from there, so that they are written once.
import { readFileSync } from "node:fs";

const source = readFileSync(new URL("../../tests/determinism/test_hash.c", import.meta.url), "utf8");

/** Hashes of the ten scenes after all of their steps, and after the first tenth. */
export const pinned = {
  names: [...source.matchAll(/^ {4}\{"([^"]+)", \w+, PLI_METHOD/gm)].map((match) => match[1]),
  hashes: [...source.matchAll(/, 0x([0-9a-f]{16})\},$/gm)].map((match) => match[1]),
  firstHashes: [...source.slice(source.indexOf("first_hashes[] = {")).split("};")[0].matchAll(/0x([0-9a-f]{16})/g)].map(
    (match) => match[1],
  ),
};
