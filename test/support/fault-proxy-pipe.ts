import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A reset that happens once: after `remaining` more bytes of one connection, that connection is reset. */
interface PlannedReset {
  remaining: number;
  /** Bytes are counted from the first piece for which this is true, only on the connection of that piece. */
  readonly when: (bytes: Buffer) => boolean;
  readonly done: () => void;
  /** The connection on which bytes are counted; `null`: `when` was not true yet. */
  pipe: OneWayPipe | null;
}

/** The faults of one direction, for all connections at once. `set` changes them, and emits `change`. */
export class DirectionFaults extends EventEmitter {
  stalled = false;
  bytesPerSecond = Infinity;
  latencyMs = 0;
  plannedReset: PlannedReset | null = null;

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  set(
    changes: Partial<Pick<DirectionFaults, 'stalled' | 'bytesPerSecond' | 'latencyMs' | 'plannedReset'>>,
  ): void {
    Object.assign(this, changes);
    this.emit('change');
  }
}

/** If more bytes than this are in transit, no more are read from the sender, as if the network were full. */
const HELD_BYTES = 256 * 1024;
const SLOW_PIECES_PER_SECOND = 20;

/**
 * One direction of one connection: forwards the bytes and the end of `from` to `to` in order, with the direction's
 * faults. It runs from its construction until `over` is aborted.
 */
export class OneWayPipe {
  #last: Promise<void> = Promise.resolve();
  #held = 0;

  /** @param reset resets the connection on both sides */
  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly faults: DirectionFaults,
    private readonly over: AbortSignal,
    private readonly reset: () => void,
  ) {
    from.on('data', (bytes: Buffer) => {
      const due = performance.now() + faults.latencyMs;
      this.#hold(bytes.length);
      this.#then(async () => {
        await this.#due(due);
        await this.#deliver(bytes);
        this.#hold(-bytes.length);
      });
    });
    from.once('end', () => this.#inOrder(() => to.end()));
    from.on('error', () => this.#inOrder(reset));
  }

  #inOrder(work: () => unknown): void {
    this.#then(async () => {
      await this.#flowing();
      work();
    });
  }

  #then(work: () => Promise<void>): void {
    // Once the connection is over, each wait throws. That is no failure: nothing is left to deliver.
    this.#last = this.#last.then(() => (this.over.aborted ? undefined : work())).catch(() => undefined);
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > HELD_BYTES) this.from.pause();
    else this.from.resume();
  }

  async #due(due: number): Promise<void> {
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait, undefined, { signal: this.over });
  }

  async #flowing(): Promise<void> {
    while (this.faults.stalled) await once(this.faults, 'change', { signal: this.over });
  }

  async #deliver(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      await this.#flowing();
      const rate = this.faults.bytesPerSecond;
      const piece = bytes.subarray(at, at + Math.max(1, Math.floor(rate / SLOW_PIECES_PER_SECOND)));
      at += piece.length;
      await this.#pass(piece);
      if (Number.isFinite(rate)) await sleep((piece.length / rate) * 1_000, undefined, { signal: this.over });
    }
  }

  async #pass(piece: Buffer): Promise<void> {
    const { plannedReset } = this.faults;
    if (plannedReset?.pipe === null && plannedReset.when(piece)) plannedReset.pipe = this;
    const ours = plannedReset?.pipe === this ? plannedReset : null;
    if (ours === null || piece.length < ours.remaining) {
      if (ours !== null) ours.remaining -= piece.length;
      await this.#write(piece);
      return;
    }
    if (ours.remaining > 0) await this.#write(piece.subarray(0, ours.remaining));
    this.faults.set({ plannedReset: null });
    this.reset();
    ours.done();
  }

  #write(piece: Buffer): Promise<void> {
    return new Promise((resolve, reject) => {
      this.to.write(piece, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }
}
