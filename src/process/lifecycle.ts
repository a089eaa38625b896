import type { Logger } from './log.js';

/** Everything has ended by then, or is left behind. */
const DEADLINE_MS = 9_500;

/**
 * What has been opened and must be closed, last first. A signal closes all of it and ends the process with 0; a
 * second one changes nothing, since a terminal sends its signal to npm and to us, and npm passes it on.
 */
export class Lifecycle {
  private readonly closers: { readonly name: string; readonly close: () => Promise<unknown> }[] = [];
  private logger: Logger | null = null;
  private ending: Promise<void> | null = null;

  /** From now on what happens is logged. */
  log(logger: Logger): void {
    this.logger = logger;
  }

  /** Closed before whatever was added before it. */
  onStop(name: string, close: () => Promise<unknown>): void {
    this.closers.push({ name, close });
  }

  /** Ends the process on SIGTERM and SIGINT. */
  endOnSignals(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.on(signal, () => {
        this.logger?.info({ signal }, 'stopping');
        void this.end(0);
      });
    }
  }

  /** Closes everything and exits; 1 where something could not be closed in time. */
  end(code: number): Promise<void> {
    this.ending ??= this.closeAll(code);
    return this.ending;
  }

  private async closeAll(code: number): Promise<void> {
    setTimeout(() => {
      this.logger?.error('Stopping took too long.');
      process.exit(1);
    }, DEADLINE_MS).unref();
    let outcome = code;
    for (const { name, close } of this.closers.reverse()) {
      try {
        await close();
      } catch (error) {
        outcome = 1;
        this.logger?.error({ err: error, part: name }, 'A part could not be closed.');
      }
    }
    if (code === 0) this.logger?.info('stopped');
    process.exit(outcome);
  }
}
