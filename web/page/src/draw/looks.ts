// Colours and materials (the palette of the design: one warm colour that acts, one cool that rests).
import * as THREE from "three";

/** Colours of the room, intensities of its lights, and the brightness of the boards. */
export interface Theme { dark: boolean; ground: number; horizon: number; sky: number; key: number; fill: number; environment: number; floor: number }
export const THEMES: Record<"light" | "dark", Theme> = {
  light: { dark: false, ground: 0xb59a80, horizon: 0xcfcac3, sky: 0xdfe4ea, key: 3.3, fill: 0.25, environment: 0.34, floor: 1.25 },
  dark: { dark: true, ground: 0x2c2620, horizon: 0x2b343a, sky: 0x10161b, key: 2.8, fill: 0.2, environment: 0.3, floor: 0.30 },
};

/** Lengths of the hem and the pattern [m]; 0 for none. Pattern 1 is squares, 2 stripes. */
export interface SurfaceLook { front: THREE.Color; back: THREE.Color; kind: "cloth" | "leaf" | "balloon" | "clay"; hem?: number; hemColour?: THREE.Color; pattern?: number; patternSize?: number }

/** Width of a thread [m]. */
export const THREAD = 0.004;
const LOOK = {
  cloth: { roughness: 0.85, sheen: 0.4, clearcoat: 0, weave: 1 },
  leaf: { roughness: 0.5, sheen: 0.15, clearcoat: 0.15, weave: 0 },
  balloon: { roughness: 0.25, sheen: 0, clearcoat: 0.6, weave: 0 },
  clay: { roughness: 0.9, sheen: 0.1, clearcoat: 0, weave: 0 },
} as const;

const VERTEX_HEAD = /* glsl */ `
attribute vec3 weave; attribute vec3 measured; varying vec3 vWeave; varying vec3 vMeasured; varying vec3 vPlace;
`;
const FRAGMENT_HEAD = /* glsl */ `
varying vec3 vWeave; varying vec3 vMeasured; varying vec3 vPlace; // Rest coordinates [threads], and the distance from the border [m].
uniform vec3 ringAt; uniform vec2 ringSize;
// A line of some pixels where the distance from a point is a radius: white on a dark rim.
vec3 circle(vec3 colour, float away, float radius, float opacity) {
  float pixels = abs(away - radius) / max(fwidth(away), 1e-6);
  vec3 rimmed = mix(colour, vec3(0.06, 0.1, 0.12), opacity * (1.0 - smoothstep(1.5, 2.5, pixels)));
  return mix(rimmed, vec3(1.0), opacity * (1.0 - smoothstep(0.6, 1.4, pixels)));
}
uniform vec3 backColour; uniform float weaveDepth; uniform float measuring; uniform float throughLight;
uniform vec4 hem; uniform vec2 print; // Colour and width of the hem [m]; kind and size of the pattern [threads].
// 1 on even bands and 0 on odd ones, the mean where a band is smaller than a pixel.
float bands(float x) { return 0.5 + clamp((2.0 * abs(fract(0.5 * x) - 0.5) - 0.5) / max(fwidth(x), 1e-6), -0.5, 0.5); }
vec3 withPrint(vec3 base) {
  vec2 p = vWeave.xy / max(print.y, 1e-6);
  float light = print.x > 1.5 ? bands(p.x) : print.x > 0.5 ? 1.0 - abs(bands(p.x) - bands(p.y)) : 1.0;
  base *= mix(0.55, 1.0, light);
  if (hem.w <= 0.0) return base;
  float pixel = max(fwidth(vWeave.z), 1e-7), inside = clamp((hem.w - vWeave.z) / pixel + 0.5, 0.0, 1.0);
  float fold = clamp(1.5 - abs(vWeave.z - hem.w) / max(pixel, 0.05 * hem.w), 0.0, 1.0);
  return mix(base, hem.rgb, inside) * (1.0 - 0.4 * fold);
}
// Height of a plain weave: warp over weft, weft over warp, a thread a unit. Fades where a thread is less than two pixels wide.
float threads(vec2 p) {
  vec2 c = floor(p), f = fract(p) - 0.5;
  float over = mod(c.x + c.y, 2.0);
  float warp = (1.0 - 4.0 * f.x * f.x) * (0.6 + 0.4 * cos(3.14159 * f.y) * (over * 2.0 - 1.0));
  float weft = (1.0 - 4.0 * f.y * f.y) * (0.6 - 0.4 * cos(3.14159 * f.x) * (over * 2.0 - 1.0));
  return max(warp, weft);
}
`;

/** What has one colour. Where the browser draws by software its light is Lambert's, whose shader compiles and runs in a part of the time. */
export function matt(color: THREE.Color, roughness: number, plain: boolean): THREE.Material {
  return plain ? new THREE.MeshLambertMaterial({ color }) : new THREE.MeshStandardMaterial({ color, roughness });
}

/** A fabric: another colour behind, sheen at grazing angles, a weave in rest coordinates, some light through it. `plain` has no sheen and no weave. */
export function fabric(look: SurfaceLook, plain: boolean): THREE.Material {
  const style = LOOK[look.kind], base = { color: look.front, side: THREE.DoubleSide };
  const material: THREE.Material = plain ? new THREE.MeshLambertMaterial(base) : new THREE.MeshPhysicalMaterial({
    ...base, roughness: style.roughness, sheen: style.sheen, sheenRoughness: 0.55, sheenColor: look.front.clone().lerp(new THREE.Color(1, 1, 1), 0.5),
    clearcoat: style.clearcoat, clearcoatRoughness: 0.3,
  });
  const uniforms = {
    backColour: { value: look.back.clone() }, weaveDepth: { value: style.weave && !plain ? 0.5 : 0 }, measuring: { value: 0 },
    ringAt: { value: new THREE.Vector3() }, ringSize: { value: new THREE.Vector2() },
    throughLight: { value: look.kind === "leaf" ? 0.25 : look.kind === "clay" ? 0 : 0.12 },
    hem: { value: new THREE.Vector4(...(look.hemColour ?? look.front).toArray(), look.hem ?? 0) }, print: { value: new THREE.Vector2(look.pattern ?? 0, (look.patternSize ?? 0) / THREAD) },
  };
  material.userData.uniforms = uniforms;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader.replace("#include <common>", `#include <common>${VERTEX_HEAD}`)
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nvWeave = weave; vMeasured = measured; vPlace = position;");
    shader.fragmentShader = shader.fragmentShader.replace("#include <common>", `#include <common>${FRAGMENT_HEAD}`)
      .replace("#include <color_fragment>", /* glsl */ `#include <color_fragment>
        if (!gl_FrontFacing) diffuseColor.rgb = backColour;
        diffuseColor.rgb = withPrint(diffuseColor.rgb);
        float wide = max(length(dFdx(vWeave.xy)), length(dFdy(vWeave.xy)));
        float seen = weaveDepth * (1.0 - smoothstep(0.3, 0.55, wide));
        float height = seen > 0.0 ? threads(vWeave.xy) : 0.7;
        diffuseColor.rgb *= mix(1.0, 0.72 + 0.4 * height, seen);
        if (measuring > 0.5) diffuseColor.rgb = vMeasured;`)
      .replace("#include <normal_fragment_maps>", /* glsl */ `#include <normal_fragment_maps>
        if (seen > 0.0) {
          vec2 step_ = vec2(dFdx(height), dFdy(height)) * seen * 0.02;
          vec3 px = dFdx(-vViewPosition), py = dFdy(-vViewPosition);
          vec3 r1 = cross(py, normal), r2 = cross(normal, px);
          float det = dot(px, r1);
          normal = normalize(abs(det) * normal - sign(det) * (step_.x * r1 + step_.y * r2) * length(px));
        }`)
      .replace("#include <lights_fragment_end>", /* glsl */ `#include <lights_fragment_end>
        #if NUM_DIR_LIGHTS > 0
          float behind = max(0.0, -dot(normal, directionalLights[0].direction));
          reflectedLight.directDiffuse += throughLight * behind * directionalLights[0].color * diffuseColor.rgb;
        #endif`)
      .replace("#include <dithering_fragment>", /* glsl */ `#include <dithering_fragment>
        if (ringSize.x > 0.0) {
          float away = distance(vPlace, ringAt);
          gl_FragColor.rgb = circle(gl_FragColor.rgb, away, ringSize.x, 1.0);
          if (ringSize.y > ringSize.x) gl_FragColor.rgb = circle(gl_FragColor.rgb, away, ringSize.y, 0.4);
        }`);
  };
  return material;
}

/** viridis-like, dark to light; blue, white, red with white at 0 for what has a sign. */
const RAMP = [[0.267, 0.005, 0.329], [0.283, 0.141, 0.458], [0.254, 0.265, 0.53], [0.207, 0.372, 0.553], [0.164, 0.471, 0.558], [0.128, 0.567, 0.551], [0.135, 0.659, 0.518], [0.267, 0.749, 0.441], [0.478, 0.821, 0.318], [0.741, 0.873, 0.15], [0.993, 0.906, 0.144]];
const SIGNED = [[0.02, 0.19, 0.38], [0.26, 0.58, 0.76], [0.97, 0.97, 0.97], [0.84, 0.38, 0.3], [0.4, 0, 0.12]];
export function ramp(t: number, signed: boolean): [number, number, number] {
  const table = signed ? SIGNED : RAMP, x = Math.min(0.9999, Math.max(0, t)) * (table.length - 1), i = Math.floor(x), f = x - i;
  return [0, 1, 2].map((k) => table[i][k] * (1 - f) + table[i + 1][k] * f) as [number, number, number];
}
