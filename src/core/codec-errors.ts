import type { RecordedEvent } from './event-store.js';

/** A stored event that this codec never wrote so: named by its place, its content left out. */
export class DamagedEvent extends Error {
  readonly code = 'damaged_event';
  override readonly name = 'DamagedEvent';
  /** @param what is wrong, as a part of a sentence */
  constructor(
    event: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>,
    readonly what: string,
  ) {
    super(
      `Event ${event.id} (${event.stream}, revision ${event.revision}) is damaged: ${what}. Restore the log from its backup.`,
    );
  }
}
