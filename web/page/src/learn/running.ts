// Figures are made when the reader comes near, run while they are in sight, and are freed far away when memory has grown.
import { calm, h } from "../base/dom.ts";
import { library } from "../engine/library.ts";
import type { Figure, Maker } from "./parts.ts";

/** Bytes of WebAssembly from which figures that are far away are freed. */
const ENOUGH = 16e6;
/** Milliseconds of a picture from which the next is left out, so that the simulation keeps its pace. */
const SLOW = 12;

interface Place { element: HTMLElement; make: () => Promise<Figure>; figure: Figure | null; making: Promise<void> | null; far: boolean; drawn: boolean; /** Pictures to leave out, where drawing takes long. */ skip: number }

function watch(places: Map<Element, Place>, margin: string, act: (place: Place, inside: boolean) => void): void {
  const observer = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries) act(places.get(target)!, isIntersecting); }, { rootMargin: margin });
  for (const element of places.keys()) observer.observe(element);
}

async function fill(place: Place): Promise<void> {
  const figure = await place.make();
  place.element.replaceChildren(figure.element, h("figcaption", null, figure.caption));
  place.figure = figure;
  place.drawn = false;
}

export class Running {
  private places = new Map<Element, Place>();
  private queue: Promise<void> = Promise.resolve();
  /** Called when a figure has been put into the page, which moves what is below it. */
  filled: () => void = () => undefined;

  constructor(makers: Record<string, Maker>) {
    for (const element of document.querySelectorAll<HTMLElement>("figure[data-figure]")) {
      const section = element.closest("section")!, slots = Object.fromEntries([...section.querySelectorAll<HTMLElement>("[data-slot]")].map((one) => [one.dataset.slot!, one]));
      element.setAttribute("aria-label", section.querySelector("h2")!.textContent!);
      this.places.set(element, { element, make: async () => makers[element.dataset.figure!](slots), figure: null, making: null, far: true, drawn: false, skip: 0 });
    }
  }

  /** Starts, and answers when the figures in sight are there. */
  async start(): Promise<void> {
    const seen = new Set<Place>(), first = new Promise<void>((done) => watch(this.places, "700px 0px", (place, near) => {
      if (near) void this.make(place);
      done();
    }));
    watch(this.places, "60px 0px", (place, inside) => { if (inside) seen.add(place); else seen.delete(place); });
    watch(this.places, "3000px 0px", (place, inside) => { place.far = !inside; });
    this.run(seen);
    await first;
    await this.queue;
  }

  /** The figure of a name, made if need be: for tests, and for an address that names its section. */
  async figure(name: string): Promise<Figure> {
    const place = [...this.places.values()].find((one) => one.element.dataset.figure === name);
    if (!place) throw new Error(`no figure is called ${name}`);
    await this.make(place);
    return place.figure!;
  }

  /** Names of all figures and of those that exist now, and the bytes of WebAssembly memory: for tests. */
  async state(): Promise<{ names: string[]; made: string[]; memory: number }> {
    const all = [...this.places.values()], name = ({ element }: Place): string => element.dataset.figure!;
    return { names: all.map(name), made: all.filter(({ figure }) => figure).map(name), memory: (await library()).memoryBytes };
  }

  /** One after the other, so that the page can draw between two. */
  private make(place: Place): Promise<void> {
    if (place.figure) return Promise.resolve();
    place.making ??= this.queue = this.queue.then(async () => {
      await new Promise((next) => setTimeout(next));
      try { await fill(place); } catch (error) { place.element.replaceChildren(h("p", { class: "reading", role: "alert" }, (error as Error).message)); }
      place.making = null;
      this.filled();
      await this.free();
    });
    return place.making;
  }

  private async free(): Promise<void> {
    const { memoryBytes } = await library();
    if (memoryBytes < ENOUGH) return;
    for (const place of this.places.values()) if (place.far && place.figure?.dispose) {
      place.element.style.minHeight = `${place.element.offsetHeight}px`;
      place.figure.dispose();
      place.figure = null;
      place.element.replaceChildren();
    }
  }

  private run(seen: Set<Place>): void {
    let before = performance.now(), due = 0, since = 0;
    const tick = (now: number): void => {
      requestAnimationFrame(tick);
      due += (now - before) / 1000;
      since += (now - before) / 1000;
      before = now;
      // Sixty steps a second at most, also where the screen shows more pictures.
      if (document.hidden || due < 1 / 60 - 0.002) return;
      const seconds = Math.min(0.05, since);
      due = Math.min(1 / 60, Math.max(0, due - 1 / 60));
      since = 0;
      for (const place of seen) {
        // With reduced motion each figure is drawn once, and again when it is touched.
        if (!place.figure || (calm() && place.drawn && !place.element.matches(":hover, :focus-within"))) continue;
        place.figure.step?.(seconds);
        if (place.skip-- > 0) continue;
        const from = performance.now();
        place.figure.tick?.(seconds);
        place.skip = place.figure.step ? Math.min(30, Math.floor((performance.now() - from) / SLOW)) : 0;
        place.drawn = true;
      }
    };
    requestAnimationFrame(tick);
  }
}
