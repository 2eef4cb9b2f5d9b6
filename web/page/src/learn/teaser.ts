// The landing's second thing to touch: a strip that hangs by triangle bending, and its kappa.
import { h, calm } from "../base/dom.ts";
import { short } from "../base/text.ts";
import { Flat } from "../draw/flat.ts";
import { swatch } from "./code/steps.js";
import { slider } from "./parts.ts";

const EDGE = 0.01;

export function kappaTeaser(card: HTMLElement): void {
  const { world, cloth } = swatch("triangle", { relation: "at_most", kappa: 0 }, 40), canvas = h("canvas", { class: "flat", role: "img", "aria-label": "A strip of cloth clamped at one end" }), flat = new Flat(canvas);
  let seen = false, moved = true;
  flat.eye = { yaw: 62, pitch: 14, scale: 400, middle: [0, -0.13, -0.06] };
  card.append(canvas, slider("landing-kappa-slider", "κ", 0, 0.3, 0, (x) => short(x, 2), (x) => { world.write("deformables[0].constraints[1].kappa", x * EDGE); moved = true; }));
  new IntersectionObserver(([entry]) => { seen = entry.isIntersecting; }).observe(card);
  const tick = (): void => {
    requestAnimationFrame(tick);
    if (!seen || document.hidden || (calm() && !moved)) return;
    moved = false;
    world.step(1 / 60);
    card.dataset.drop = String(-cloth.bounds.minimum[1]);
    flat.clear();
    flat.eye.scale = Math.min(canvas.clientWidth / 0.3, canvas.clientHeight / 0.34);
    flat.mesh(cloth.positions, cloth.stride, cloth.triangles, cloth.vertexCount, { front: [181, 71, 60], back: [227, 201, 168] });
  };
  requestAnimationFrame(tick);
}
