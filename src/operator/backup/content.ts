import { join } from 'node:path';
import { readData } from '../../core/codec-stored.js';
import { DamagedEvent } from '../../core/errors.js';
import { openEmbeddedLog } from '../../stores/lmdb/log/log.js';
import { START, type Position, type RecordedEvent } from '../../core/event-store.js';
import { unknownTo } from '../../vault/lmdb/backup.js';
import type { PersonId } from '../../core/vault/port.js';

/** What the log of a data folder or backup was found to hold, every event of it read. */
export interface LogContent {
  readonly logId: string;
  readonly head: Position;
  readonly events: number;
  /** How many of the people whom the log names have neither a key nor a tombstone in the vault beside it. */
  readonly keysMissing: number;
}

/** Reads a whole log, compares each event with its checksum and place, and looks for its person's key. */
export const contentOf = async (folder: string): Promise<LogContent> => {
  const log = await openEmbeddedLog(join(folder, 'log'), { readOnly: true });
  try {
    const people = new Set<PersonId>();
    let head = START;
    for await (const event of log.readAll()) {
      head = event.position;
      const person = personOf(event);
      if (person !== null) people.add(person);
    }
    const { events } = await log.verify();
    const keysMissing = unknownTo(join(folder, 'vault'), people).length;
    return { logId: log.logId, head, events, keysMissing };
  } finally {
    await log.close();
  }
};

/** An event that cannot be read is saved like any other: a backup is no place to find fault with it. */
const personOf = (event: RecordedEvent): PersonId | null => {
  try {
    return readData(event).person;
  } catch (error) {
    if (error instanceof DamagedEvent) return null;
    throw error;
  }
};
