// What holds memory of the library: freed by dispose(), or with the garbage.
import { PliantError } from "./errors.js";

/** Everything that holds memory of the library. What is forgotten is freed with the garbage; dispose() frees it at once. */
export interface Disposable {
  /** Frees it. A second call does nothing; other calls then throw a PliantError of status "not found". */
  dispose(): void;
  readonly disposed: boolean;
  [Symbol.dispose](): void;
}

// Older runtimes have no Symbol.dispose, and `using` cannot be written there; the methods below need a key all the same.
const disposeSymbol: typeof Symbol.dispose = Symbol.dispose ?? (Symbol.for("dispose") as typeof Symbol.dispose);

const registry = new FinalizationRegistry<() => void>((free) => free());

/** An address of the library that must be freed once. */
export abstract class Resource implements Disposable {
  #address: number;
  #free: (address: number) => void;

  protected constructor(address: number, free: (address: number) => void) {
    this.#address = address;
    this.#free = free;
    registry.register(this, () => free(address), this);
  }

  /** The address, for calls of the library. */
  get address(): number {
    if (this.#address === 0) throw new PliantError("not found", `the ${this.constructor.name} was disposed of`);
    return this.#address;
  }

  get disposed(): boolean {
    return this.#address === 0;
  }

  /** For this package: something else owns it from now on, and frees it. */
  disown(): void {
    registry.unregister(this);
    this.#free = () => undefined;
  }

  dispose(): void {
    if (this.#address === 0) return;
    registry.unregister(this);
    this.#free(this.#address);
    this.#address = 0;
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}

/** An object of a world, named by its number there; the world owns it. */
export abstract class WorldObject implements Disposable {
  #disposed = false;

  protected constructor(
    /** Its number in the world. */
    readonly id: number,
  ) {}

  protected abstract destroy(): void;

  get disposed(): boolean {
    return this.#disposed;
  }

  /** Notes that the world has destroyed it. */
  forget(): void {
    this.#disposed = true;
  }

  dispose(): void {
    if (this.#disposed) return;
    this.destroy();
    this.#disposed = true;
  }

  [disposeSymbol](): void {
    this.dispose();
  }
}
