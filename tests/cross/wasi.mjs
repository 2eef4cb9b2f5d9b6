// Runs a WebAssembly program: node wasi.mjs PROGRAM [ARGUMENTS...]. Its exit status is the program's. It sees the files of the folder
// that WASI_FOLDER names, by their whole paths, and no others.
import { readFile } from "node:fs/promises";
import { argv, env, exit } from "node:process";
import { WASI } from "node:wasi";

const wasi = new WASI({ version: "preview1", args: argv.slice(2), env, returnOnExit: true,
  preopens: env.WASI_FOLDER ? { [env.WASI_FOLDER]: env.WASI_FOLDER } : {} });
const program = await WebAssembly.compile(await readFile(argv[2]));
exit(wasi.start(await WebAssembly.instantiate(program, wasi.getImportObject())));
