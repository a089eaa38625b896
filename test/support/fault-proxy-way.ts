import { EventEmitter, once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Springs once: lets `remaining` more bytes of one connection pass, then resets that connection. */
interface Trap {
  remaining: number;
  /** Counting begins with the bytes for which this is true, and stays with their connection. */
  readonly when: (bytes: Buffer) => boolean;
  readonly sprung: () => void;
  way: Way | null;
}

/** What one direction of all connections suffers right now. Emits `change`. */
export class Weather extends EventEmitter {
  stalled = false;
  bytesPerSecond = Infinity;
  latencyMs = 0;
  trap: Trap | null = null;

  constructor() {
    super();
    this.setMaxListeners(0);
  }

  set(changes: Partial<Pick<Weather, 'stalled' | 'bytesPerSecond' | 'latencyMs' | 'trap'>>): void {
    Object.assign(this, changes);
    this.emit('change');
  }
}

/** More than this is left with the sender, as a full network would. */
const HELD_BYTES = 256 * 1024;
const SLOW_PIECES_PER_SECOND = 20;

/** One direction of one connection: what `from` sends reaches `to` in order, bytes and ends alike. */
export class Way {
  #last: Promise<void> = Promise.resolve();
  #held = 0;

  /** @param reset resets the connection on both sides */
  constructor(
    private readonly from: Socket,
    private readonly to: Socket,
    private readonly weather: Weather,
    private readonly over: AbortSignal,
    private readonly reset: () => void,
  ) {
    from.on('data', (bytes: Buffer) => {
      const due = performance.now() + weather.latencyMs;
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
    // Every wait ends by throwing when the connection is over, and nobody is left to be told.
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
    while (this.weather.stalled) await once(this.weather, 'change', { signal: this.over });
  }

  async #deliver(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      await this.#flowing();
      const rate = this.weather.bytesPerSecond;
      const piece = bytes.subarray(at, at + Math.max(1, Math.floor(rate / SLOW_PIECES_PER_SECOND)));
      at += piece.length;
      await this.#pass(piece);
      if (Number.isFinite(rate)) await sleep((piece.length / rate) * 1_000, undefined, { signal: this.over });
    }
  }

  async #pass(piece: Buffer): Promise<void> {
    const { trap } = this.weather;
    if (trap !== null && trap.way === null && trap.when(piece)) trap.way = this;
    const ours = trap?.way === this ? trap : null;
    if (ours === null || piece.length < ours.remaining) {
      if (ours !== null) ours.remaining -= piece.length;
      await this.#write(piece);
      return;
    }
    if (ours.remaining > 0) await this.#write(piece.subarray(0, ours.remaining));
    this.weather.set({ trap: null });
    this.reset();
    ours.sprung();
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
