import type { EventLog } from './log/event-log.js';

const STATISTICS = '$stats-127.0.0.1:2113';

/** The server's own events: they stand in $all among everybody's, as on a real one. */
export class SystemEvents {
  #appends = 0;
  #written = 0;

  constructor(
    private readonly log: EventLog,
    private readonly every: () => number,
  ) {}

  /** What a server writes at its first start, so that no log begins with an event of its users. */
  async started(): Promise<void> {
    if (this.every() === 0 || this.log.visible > 0) return;
    await this.log.appendSystemEvent('$$$settings', '$metadata', { $maxCount: 1 });
    await this.log.appendSystemEvent('$settings', '$settings', {});
  }

  /** An append was written: now and then figures follow. */
  appended(): void {
    const every = this.every();
    if (every === 0 || ++this.#appends % every !== 0) return;
    // A failed write ends the server by itself.
    this.write(1).catch(() => undefined);
  }

  async write(count: number): Promise<void> {
    const events = Array.from({ length: count }, () => {
      const ofMetadata = ++this.#written % 3 === 0;
      return ofMetadata
        ? this.log.appendSystemEvent(`$$${STATISTICS}`, '$metadata', { $maxAge: 86_400 })
        : this.log.appendSystemEvent(STATISTICS, '$statsCollected', { appends: this.#appends });
    });
    await Promise.all(events);
  }
}
