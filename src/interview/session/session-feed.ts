import { backoff, pause } from '../../core/backoff.js';
import type { EventStore, StreamName } from '../../core/event-store.js';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, RepeatedWarnings } from '../../engine/log.js';

/**
 * Notifies conversations of appends to their session's stream by any process, such as a newer connection, a withdrawal
 * or a completion. All conversations of a process share one subscription, which is open while there are any.
 */
export class SessionFeed {
  private readonly watchers = new Map<StreamName, Set<() => void>>();
  private running: AbortController | null = null;
  private readonly warnings: RepeatedWarnings;

  constructor(
    private readonly eventStore: Pick<EventStore, 'head' | 'subscribeToAll'>,
    log: EngineLog,
  ) {
    this.warnings = new RepeatedWarnings(log);
  }

  /**
   * Calls `notify` after each append to the stream, and each time that the feed connects, since appends may have been
   * missed before.
   * @returns a function that ends the watch
   */
  watch(stream: StreamName, notify: () => void): () => void {
    const watchers = this.watchers.get(stream) ?? new Set();
    watchers.add(notify);
    this.watchers.set(stream, watchers);
    if (!this.running) {
      this.running = new AbortController();
      void this.follow(this.running.signal);
    }
    return () => {
      watchers.delete(notify);
      if (watchers.size === 0 && this.watchers.get(stream) === watchers) this.watchers.delete(stream);
      if (this.watchers.size > 0) return;
      this.running?.abort();
      this.running = null;
    };
  }

  private async follow(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !signal.aborted; failures++) {
      try {
        const after = await this.eventStore.head();
        for await (const item of this.eventStore.subscribeToAll({ after, signal })) {
          failures = 0;
          this.warnings.resolved('feed');
          if (item.kind === 'event') this.notify(this.watchers.get(item.event.stream));
          // Appends between the former subscription and this one have caused no notification.
          else if (item.kind === 'live') for (const watchers of this.watchers.values()) this.notify(watchers);
        }
      } catch (error) {
        this.warnings.warn(
          'feed',
          { reason: reasonOf(error) },
          'The feed of interviews under way broke off; it is taken up again.',
        );
        await pause(backoff(failures), signal);
      }
    }
  }

  private notify(watchers: ReadonlySet<() => void> | undefined): void {
    for (const watcher of [...(watchers ?? [])]) watcher();
  }
}
