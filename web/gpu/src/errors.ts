// What goes wrong on the way to and on a graphics card, told in one sentence.

/** Why the graphics card cannot do it; `message` says what, where and the mend. */
export class GpuError extends Error {
  override readonly name = "GpuError";
}

/** Throws a GpuError with this sentence unless the condition holds. */
export function demand(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new GpuError(sentence);
}
