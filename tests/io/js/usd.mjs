// Reads a USD file and its sublayers by TinyUSDZ, which knows nothing of Pliant's writer, and prints as JSON: each layer as it understood it, and the meshes
// of the whole stage. Errors of its parser end the program.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

// Its package is built for browsers and windows of them only; it needs nothing of one.
process.type = 'renderer'
globalThis.window = globalThis.self = globalThis
const wasm = readFileSync(createRequire(import.meta.url).resolve('tinyusdz').replace(/\.js$/, '.wasm'))
const { default: make } = await import('tinyusdz')
const usd = await make({
  instantiateWasm(imports, done) {
    WebAssembly.instantiate(wasm, imports).then(({ instance, module }) => done(instance, module))
    return {}
  },
})

const fail = (text) => { console.error(text); process.exit(1) }
const path = process.argv[2]
const load = (file) => {
  const loader = new usd.TinyUSDZLoaderNative()
  if (!loader.loadAsLayerFromBinary(readFileSync(file), basename(file))) fail(`${file}: ${loader.error()}`)
  return loader
}

const root = load(path)
const layers = { [basename(path)]: root.layerToString() }
const names = root.extractSublayerAssetPaths()
for (const name of names) {
  const file = join(dirname(path), name)
  layers[basename(file)] = load(file).layerToString()
  root.setAsset(name, readFileSync(file))
}
if (!root.composeSublayers() || !root.layerToRenderScene()) fail(`${path}: ${root.error()}`)
const meshes = {}
for (let i = 0; i < root.numMeshes(); i++) {
  const mesh = root.getMesh(i)
  const numbers = (array) => (array ? Array.from(array) : null)
  meshes[mesh.absPath] = { points: numbers(mesh.points), indices: numbers(mesh.faceVertexIndices), counts: numbers(mesh.faceVertexCounts),
    normals: numbers(mesh.normals), material: mesh.materialId < 0 ? null : root.getMaterial(mesh.materialId) }
}
console.log(JSON.stringify({ layers, meshes }))
