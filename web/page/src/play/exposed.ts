// What tests and curious people read: pliant.state(), pliant.frames(10).
import { themeNow } from "../draw/studio.ts";
import { triple } from "../base/math.ts";
import type { Playground } from "./playground.ts";

export function stateOf(page: Playground): Record<string, unknown> {
  const { session, player, engine, stage, sides } = page, { core } = session, s = session.world.statistics(), twin = page.engineSwitch.twin;
  return Object.freeze({
    scene: session.source.id, frame: session.frame, end: session.end, time: session.world.time, playing: player.playing, hash: session.hash(), repeatable: session.repeatable,
    overrides: Object.fromEntries(session.overrides), side: sides.side, tool: page.tool.id, pins: session.pins.length, cuts: core.count("cut"), balls: core.state.balls, gust: core.state.gust,
    grabs: core.hands.map(({ vertex, target, force, limit, holds }) => ({ vertex, target: triple(target), pull: Math.hypot(...force), limit, holds })),
    engine: engine.simd, gpu: twin && { frame: twin.frame, difference: twin.difference, ms: twin.milliseconds, hands: twin.hands, particles: twin.count },
    statistics: { stretch: s.stretch_rms, kinetic: s.kinetic_energy, particles: s.particle_count, ms: player.step }, camera: stage.rig.aim,
    ring: stage.ring && { radius: stage.ring.radius, outer: stage.ring.outer, point: stage.ringPoint }, wireframe: stage.isWired, message: page.messages.now, measure: page.colours.name, speed: player.speed, memory: engine.memoryBytes, kept: core.state.bytes, lastHash: page.lastHash,
    theme: themeNow().dark ? "dark" : "light",
  });
}

export function expose(page: Playground): void {
  const place = (vertex: number, deformable = 0): [number, number, number] => {
    const one = page.session.deformables[deformable], k = one.stride * vertex, p = one.positions;
    return [p[k], p[k + 1], p[k + 2]];
  };
  Object.assign(window, {
    pliant: {
      state: () => stateOf(page), position: place,
      /** Pixel of a vertex, in the window. */
      project: (vertex: number, deformable?: number) => {
        const box = page.canvas.getBoundingClientRect(), at = page.stage.project(place(vertex, deformable), page.region);
        return { x: box.left + at.x, y: box.top + at.y };
      },
      frames: (count: number) => page.player.pictures(count),
      advance: (count: number) => { for (let i = 0; i < count; i++) page.player.advance(); return page.session.frame; },
      goTo: (frame: number) => page.session.goTo(frame), value: (path: string) => page.session.read(path), link: () => page.sharing.link, scene: () => page.sharing.sceneText(), page,
    },
  });
}
