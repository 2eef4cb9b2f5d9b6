// Failures of the library as exceptions.

/** Names of the library's statuses. "internal" is a defect: the engine cannot be used any more. */
export type Status =
  | "invalid argument"
  | "invalid mesh"
  | "not found"
  | "out of memory"
  | "non-finite state"
  | "file error"
  | "parse error"
  | "unsupported"
  | "corrupt"
  | "cancelled"
  | "internal";

/** A finding in a scene, with its place in the text. */
export interface Diagnostic {
  /** From 1; 0 when it has no place. */
  line: number;
  column: number;
  /** False for errors, which make the scene unusable. */
  warning: boolean;
  /** Such as "deformables[0].constraints[1].kappa". */
  path: string;
  text: string;
}

/** Why a call failed; `message` says what, where and the mend. The object that it was made on is as it was before. */
export class PliantError extends Error {
  override readonly name = "PliantError";

  constructor(
    readonly status: Status,
    message: string,
    /** Findings in a scene, where one was loaded. */
    readonly diagnostics: readonly Diagnostic[] = [],
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** What a caller has given, or a refusal that names it: nobody finds a mistake by "undefined is not an object". */
export function given<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new PliantError("invalid argument", `${what} is missing`);
  return value;
}
