// Properties by the path that they have in a scene: the names of panels, links and `--set`.
//
//   settings.substeps     deformables[0].tearing.stretch     deformables[0].constraints[1].kappa     colliders[2].friction
import type { ConstraintSet } from "./constraint-set.js";
import { PliantError } from "./errors.js";
import type { World } from "./world.js";

/** Something whose properties are read and written together. */
interface Place {
  read(name: string): unknown;
  write(name: string, value: unknown): void;
}

/** A place over getters and setters of plain objects. */
function placeOf(read: () => object, write: (values: Record<string, unknown>) => void): Place {
  return {
    read: (name) => (read() as Record<string, unknown>)[name],
    write: (name, value) => write({ [name]: value }),
  };
}

function constraintPlace(set: ConstraintSet): Place {
  return {
    read: (name) => set.read(name as never),
    write: (name, value) => set.write(name as never, value as never),
  };
}

function deformablePlace(world: World, index: number, inner: string | undefined, at: number): Place | null {
  const deformable = world.deformables[index];
  if (!deformable) return null;
  switch (inner) {
    case undefined:
      return placeOf(() => deformable.properties, (values) => deformable.set(values));
    case "tearing":
      return placeOf(() => deformable.tearing, (values) => deformable.setTearing(values));
    case "plate":
      return placeOf(() => deformable.plate, (values) => deformable.setPlate(values));
    case "constraints": {
      const set = deformable.constraintSets[at];
      return set ? constraintPlace(set) : null;
    }
    case "attachments": {
      const attachment = deformable.attachments[at];
      return attachment ? placeOf(() => attachment.properties, (values) => attachment.set(values)) : null;
    }
    default:
      return null;
  }
}

function colliderPlace(world: World, index: number): Place | null {
  const collider = world.colliders[index];
  return collider ? placeOf(() => collider.properties, (values) => collider.set(values)) : null;
}

const PATH = /^(\w+)(?:\[(\d+)\])?(?:\.(\w+)(?:\[(\d+)\])?)?\.(\w+)$/;

/** The place of a path, and the name of the property there. */
export function resolvePath(world: World, path: string): { place: Place; name: string } {
  const [, outer, outerIndex, inner, innerIndex, name] = PATH.exec(path) ?? [];
  let place: Place | null = null;
  if ((outer === "settings" || outer === "contact") && !inner)
    place = placeOf(() => world.settings, (values) => world.set(values));
  else if (outer === "deformables")
    place = deformablePlace(world, Number(outerIndex ?? NaN), inner, Number(innerIndex ?? NaN));
  else if (outer === "colliders" && !inner) place = colliderPlace(world, Number(outerIndex ?? NaN));
  if (!place || !name) throw new PliantError("not found", `'${path}' is no property of this world`);
  return { place, name };
}
