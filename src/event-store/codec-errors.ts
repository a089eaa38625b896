import type { RecordedEvent } from './port.js';

/** A stored event that this codec never wrote so: named by its place, its content left out. */
export class DamagedEvent extends Error {
  readonly code = 'damaged_event';
  override readonly name = 'DamagedEvent';
  constructor(event: Pick<RecordedEvent, 'id' | 'stream' | 'revision'>, what: string) {
    super(
      `Event ${event.id} (${event.stream}, revision ${event.revision}) is damaged: ${what}. Restore the log from its backup.`,
    );
  }
}
