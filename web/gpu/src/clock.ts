// How long steps take on the graphics card: by its own clock where the device was opened with one, else until it says that it is
// done, which counts what else it had to do.

export class Clock {
  /** Of the last step that is known [ms]; null before. */
  milliseconds: number | null = null;
  /** Whether that is the card's own clock. */
  readonly isOwn: boolean;
  private readonly queries: GPUQuerySet | null = null;
  private readonly resolved: GPUBuffer | null = null;
  private readonly read: GPUBuffer | null = null;
  private isBusy = false;
  private isReleased = false;

  constructor(private readonly device: GPUDevice) {
    this.isOwn = device.features.has("timestamp-query");
    if (!this.isOwn) return;
    this.queries = device.createQuerySet({ type: "timestamp", count: 2 });
    this.resolved = device.createBuffer({ size: 16, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC });
    this.read = device.createBuffer({ size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
  }

  /** What a pass that is timed begins with. */
  descriptor(): GPUComputePassDescriptor {
    if (!this.queries || this.isBusy) return {};
    return { timestampWrites: { querySet: this.queries, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1 } };
  }

  /** Ends the commands of a step and submits them. */
  submit(encoder: GPUCommandEncoder): void {
    const isTimed = !this.isBusy && !this.isReleased;
    if (isTimed && this.queries) {
      encoder.resolveQuerySet(this.queries, 0, 2, this.resolved!, 0);
      encoder.copyBufferToBuffer(this.resolved!, 0, this.read!, 0, 16);
    }
    const begin = performance.now();
    this.device.queue.submit([encoder.finish()]);
    if (!isTimed) return;
    this.isBusy = true;
    const end = this.queries ? this.readOwn() : this.device.queue.onSubmittedWorkDone().then(() => performance.now() - begin);
    // A lost device is told by the next call that needs it.
    void end.then((ms) => (this.milliseconds = ms)).catch(() => undefined).finally(() => (this.isBusy = false));
  }

  private async readOwn(): Promise<number> {
    await this.read!.mapAsync(GPUMapMode.READ);
    const [begin, end] = new BigUint64Array(this.read!.getMappedRange()) as unknown as [bigint, bigint];
    const ms = Number(end - begin) / 1e6;
    this.read!.unmap();
    return ms;
  }

  release(): void {
    this.isReleased = true;
    this.queries?.destroy();
    this.resolved?.destroy();
    this.read?.destroy();
  }
}
