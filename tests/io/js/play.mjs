// Validates a glTF file and prints what three.js shows of its mesh at each frame, as JSON.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import validator from 'gltf-validator'
import * as THREE from 'three'

globalThis.self = globalThis
globalThis.ProgressEvent ??= class ProgressEvent extends Event {}
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js')

const [path, frames] = [process.argv[2], Number(process.argv[3])]
const beside = (uri) => new Uint8Array(readFileSync(join(dirname(path), uri)))
const report = await validator.validateBytes(new Uint8Array(readFileSync(path)), {
  externalResourceFunction: async (uri) => beside(uri),
})

const json = JSON.parse(readFileSync(path, 'utf8'))
for (const buffer of json.buffers)
  buffer.uri = 'data:application/octet-stream;base64,' + Buffer.from(beside(buffer.uri)).toString('base64')
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(JSON.stringify(json), '', resolve, reject))

let mesh
gltf.scene.traverse((item) => { if (item.isMesh) mesh = item })
const mixer = new THREE.AnimationMixer(gltf.scene)
const action = mixer.clipAction(gltf.animations[0])
action.setLoop(THREE.LoopOnce)
action.clampWhenFinished = true
action.play()
const shown = []
const point = new THREE.Vector3()
for (let frame = 0; frame <= frames; frame++) {
  mixer.setTime(frame / 60)
  gltf.scene.updateMatrixWorld(true)
  const positions = []
  for (let v = 0; v < mesh.geometry.attributes.position.count; v++)
    positions.push(mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld).toArray())
  shown.push(positions)
}
console.log(JSON.stringify({ validator: report.issues, frames: shown }))
