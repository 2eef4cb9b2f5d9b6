// A scene opens at rest where a first second of falling cloth says nothing, or where a person wants less motion.
import type { CatalogueScene } from "../engine/catalogue.ts";
import { ROOT } from "../engine/library.ts";
import type { SceneSession } from "../engine/session.ts";

/** The state at rest that the build has stored for a scene; null where there is none. */
export async function restingState(row: CatalogueScene): Promise<Uint8Array | null> {
  const answer = await fetch(new URL(`scenes/${row.id}.state`, ROOT)).catch(() => null);
  return answer?.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
}

const SLICE = 30;

/** Steps to a frame in slices of at most 30 ms, so that the page answers meanwhile. */
export async function settle(session: SceneSession, frames: number): Promise<void> {
  while (session.frame < frames && !session.core.state.failed) {
    const start = performance.now();
    while (session.frame < frames && performance.now() - start < SLICE) if (!session.step()) break;
    await new Promise((done) => { setTimeout(done); });
  }
}
