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

// A .glb is loaded as it is, other files with the contents of those beside them.
const content = () => {
  if (path.endsWith('.glb')) return new Uint8Array(readFileSync(path)).buffer
  const json = JSON.parse(readFileSync(path, 'utf8'))
  for (const buffer of json.buffers)
    buffer.uri = 'data:application/octet-stream;base64,' + Buffer.from(beside(buffer.uri)).toString('base64')
  return JSON.stringify(json)
}
const gltf = await new Promise((resolve, reject) => new GLTFLoader().parse(content(), '', resolve, reject))

const meshes = []
gltf.scene.traverse((item) => { if (item.isMesh) meshes.push(item) })
const mixer = new THREE.AnimationMixer(gltf.scene)
if (gltf.animations.length > 0) {
  const action = mixer.clipAction(gltf.animations[0])
  action.setLoop(THREE.LoopOnce)
  action.clampWhenFinished = true
  action.play()
}

// A normal as the shader of three.js makes it: displacements are added by their influence.
function normal(mesh, vertex) {
  const sum = new THREE.Vector3().fromBufferAttribute(mesh.geometry.attributes.normal, vertex)
  const targets = mesh.geometry.morphAttributes.normal ?? []
  targets.forEach((target, i) => sum.addScaledVector(new THREE.Vector3().fromBufferAttribute(target, vertex), mesh.morphTargetInfluences[i]))
  return sum.toArray()
}

const found = meshes.map((mesh) => ({
  name: mesh.name,
  targets: mesh.geometry.morphAttributes.position?.length ?? 0,
  distinct: new Set(mesh.geometry.morphAttributes.position ?? []).size,
  uv: Array.from(mesh.geometry.attributes.uv?.array ?? []),
  indices: Array.from(mesh.geometry.index.array),
  colour: mesh.material.color.toArray(),
  frames: [],
  normals: [],
}))
const point = new THREE.Vector3()
for (let frame = 0; frame <= frames; frame++) {
  mixer.setTime(frame / 60)
  gltf.scene.updateMatrixWorld(true)
  meshes.forEach((mesh, i) => {
    const vertices = [...Array(mesh.geometry.attributes.position.count).keys()]
    found[i].frames.push(vertices.map((v) => mesh.getVertexPosition(v, point).applyMatrix4(mesh.matrixWorld).toArray()))
    found[i].normals.push(vertices.map((v) => normal(mesh, v)))
  })
}
console.log(JSON.stringify({ validator: report.issues, animations: gltf.animations.length, meshes: found }))
