import { isUnavailable } from './failure.js';

/** Calls have failed for so long, and none has succeeded, before the client itself is doubted; in milliseconds. */
const DOUBT_MS = 8_000;

export interface MenderOptions {
  /** Whether the server answers a client that has just been made. */
  readonly answers: () => Promise<boolean>;
  /** Ends all connections of the client in use and connects it anew. */
  readonly connectAnew: () => Promise<void>;
  readonly doubtMs?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/**
 * The driver follows its servers by monitors. In the middle of connections that break, one has been seen to give up:
 * the server answered other clients, and this one found it no more until its process was started again. So a
 * client that has had no answer for long is compared with a fresh one, and begins anew where that gets one.
 */
export class Mender {
  private readonly now: () => number;
  /** Since when no call has succeeded; `null`: the last one did. */
  private failingSince: number | null = null;
  private mending = false;

  constructor(private readonly options: MenderOptions) {
    this.now = options.now ?? (() => performance.now());
  }

  /** Passes a call's outcome on, and learns from it. */
  async watch<T>(call: Promise<T>): Promise<T> {
    try {
      const result = await call;
      this.failingSince = null;
      return result;
    } catch (error) {
      if (isUnavailable(error)) this.failed();
      throw error;
    }
  }

  private failed(): void {
    this.failingSince ??= this.now();
    const isDoubtful = this.now() - this.failingSince >= (this.options.doubtMs ?? DOUBT_MS);
    if (!isDoubtful || this.mending) return;
    this.mending = true;
    this.mend()
      // It is tried again as calls go on failing.
      .catch(() => undefined)
      .finally(() => {
        this.mending = false;
      });
  }

  private async mend(): Promise<void> {
    if (!(await this.options.answers()) || this.failingSince === null) return;
    await this.options.connectAnew();
    this.failingSince = null;
  }
}
