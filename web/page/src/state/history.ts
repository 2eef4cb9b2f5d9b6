// Undo and redo of values, pins and cuts. Values that change within 0.8 s by one control are one step.
export interface Step { label: string; undo: () => void; redo: () => void; key?: string }

export class History {
  private done: Step[] = [];
  private undone: Step[] = [];
  private last = 0;
  onChange: () => void = () => undefined;

  add(step: Step): void {
    const now = performance.now(), before = this.done.at(-1);
    if (step.key && before?.key === step.key && now - this.last < 800) before.redo = step.redo;
    else this.done.push(step);
    if (this.done.length > 200) this.done.shift();
    this.undone = [];
    this.last = now;
    this.onChange();
  }

  undo(): string | null { return this.go(this.done, this.undone, "undo"); }
  redo(): string | null { return this.go(this.undone, this.done, "redo"); }
  get canUndo(): boolean { return this.done.length > 0; }
  get canRedo(): boolean { return this.undone.length > 0; }

  private go(from: Step[], to: Step[], way: "undo" | "redo"): string | null {
    const step = from.pop();
    if (!step) return null;
    step[way]();
    to.push(step);
    this.last = 0;
    this.onChange();
    return step.label;
  }

  clear(): void {
    this.done = [];
    this.undone = [];
    this.onChange();
  }
}
