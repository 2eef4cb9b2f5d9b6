// Makes dist/descriptors-module.js, the rows of everything that can be set, as the build that reads scenes has them:
//
//   node tools/make-descriptors.mjs      after tsc, in the package's folder
import { writeFileSync } from "node:fs";
import { load } from "../dist/index.js";

const { descriptors } = await load({ scenes: true });
const at = (ending) => new URL(`../dist/descriptors-module${ending}`, import.meta.url);
writeFileSync(at(".js"), `// Made from the library's descriptors.\nexport const descriptors = ${JSON.stringify(descriptors)};\n`);
writeFileSync(
  at(".d.ts"),
  'import type { Descriptors } from "./descriptors.js";\n' +
    "/** Rows of everything that can be set (docs/descriptors.md). Treat it as read-only. */\n" +
    "export declare const descriptors: Descriptors;\n",
);
