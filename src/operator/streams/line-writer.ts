import { once } from 'node:events';
import { harmless } from '../output/harmless.js';
import { isUnread } from '../output/unread.js';

/** Writes lines no faster than they are taken. Whoever takes no more of them (`| head`) is no failure. */
export class LineWriter {
  readonly #gone = new AbortController();

  constructor(private readonly output: NodeJS.WritableStream = process.stdout) {
    output.on('error', this.#failed);
  }

  /** Aborts once nobody takes any more. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  /** Resolves when the next line may come; at once where nobody takes it. */
  async write(line: string): Promise<void> {
    if (this.gone.aborted || this.output.write(`${harmless(line)}\n`)) return;
    await once(this.output, 'drain', { signal: this.gone }).catch((error: unknown) => {
      if (!this.gone.aborted) throw error;
    });
  }

  readonly #failed = (error: Error): void => {
    this.#gone.abort();
    if (!isUnread(error)) throw error;
  };
}
