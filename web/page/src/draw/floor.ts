// The floor of a stage: oak boards that catch the shadow and fade into the wall, by the shaders that draw the pictures of `pliant render`.
import * as THREE from "three";
import noise from "../../../../render/shaders/noise.glsl?text";
import floor from "../../../../render/shaders/floor.glsl?text";
import type { Theme } from "./looks.ts";

/** A disc of radius 1 around the origin, to be scaled. Where the browser draws by software, its boards have no grain. */
export class Floor {
  readonly mesh: THREE.Mesh<THREE.CircleGeometry, THREE.Material>;
  private tint = { value: 1 };

  constructor(plain: boolean) {
    const base = { transparent: true, depthWrite: false, dithering: true };
    const material: THREE.Material = plain ? new THREE.MeshLambertMaterial(base) : new THREE.MeshStandardMaterial({ ...base, roughness: 0.7 });
    const colour = plain ? "vec3(0.31, 0.21, 0.13)" : "boards(vFloor.xy, fwidth(vFloor.xy))";
    material.onBeforeCompile = (shader) => {
      shader.uniforms.tint = this.tint;
      shader.vertexShader = shader.vertexShader.replace("#include <common>", "#include <common>\nvarying vec3 vFloor;")
        .replace("#include <begin_vertex>", "#include <begin_vertex>\nvFloor = vec3((modelMatrix * vec4(position, 1.0)).xz, length(position.xy));");
      shader.fragmentShader = shader.fragmentShader.replace("#include <common>", `#include <common>\nvarying vec3 vFloor; uniform float tint;\n${plain ? "" : noise + floor}`)
        .replace("#include <color_fragment>", `#include <color_fragment>\ndiffuseColor.rgb = tint * ${colour};\ndiffuseColor.a *= 1.0 - smoothstep(0.3, 1.0, vFloor.z);`);
    };
    this.mesh = new THREE.Mesh(new THREE.CircleGeometry(1, 64), material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  theme(theme: Theme): void { this.tint.value = theme.floor; }
}
