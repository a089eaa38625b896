import { randomUUID } from 'node:crypto';
import { appendFile, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { forget, privateFolder, readJson, stateFolder, type Work, writePrivate } from './places.js';
import { hasCode } from './terminal.js';

/** One event of activity, as the service takes it. */
export interface Activity {
  /** The service records events with the same id once. */
  readonly clientEventId: string;
  readonly eventType: 'file.changed' | 'test.run';
  /** RFC 3339. */
  readonly occurredAt: string;
  readonly payload: Readonly<Record<string, string | number>>;
}

/** An event in the queue. */
export interface Queued {
  readonly name: string;
  readonly event: Activity;
}

/**
 * Events that wait to be sent, a file for each: written before anything is sent, and removed after the service has
 * confirmed it. So a program that is killed loses no event, and several programs may add and send at the same time: an
 * event that is sent twice counts once.
 */
export class Queue {
  private readonly folder: string;
  /** The place of the last event, in milliseconds since 1970; `null`: the folder was not read yet. */
  private last: number | null = null;

  constructor(private readonly work: Work) {
    this.folder = join(stateFolder(work), 'queue');
  }

  /** Adds an event that happened now. It is on the disk when this returns. */
  async add(
    eventType: Activity['eventType'],
    payload: Activity['payload'],
    now: Date = new Date(),
  ): Promise<Activity> {
    const occurredAt = now.toISOString();
    const event: Activity = { clientEventId: randomUUID(), eventType, occurredAt, payload };
    // By name they are in the order in which they were added, also if the clock was set back since the last one.
    this.last ??= placeIn((await this.names()).at(-1));
    this.last = Math.max(now.getTime(), this.last + 1);
    const place = new Date(this.last).toISOString().replaceAll(':', '-');
    await writePrivate(join(this.folder, `${place}-${event.clientEventId}.json`), JSON.stringify(event));
    return event;
  }

  /** What waits, oldest first. */
  async waiting(): Promise<readonly Queued[]> {
    const events: Queued[] = [];
    for (const name of await this.names()) {
      // Another program may have sent it meanwhile.
      const event = await readJson<Activity>(join(this.folder, name));
      if (event) events.push({ name, event });
    }
    return events;
  }

  /** The files of what waits, oldest first. */
  private async names(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    return names.filter((one) => one.endsWith('.json')).sort();
  }

  /** Forgets events that the service has confirmed. */
  async confirmed(sent: readonly Queued[]): Promise<void> {
    for (const { name } of sent) await forget(join(this.folder, name));
  }

  /** Puts events aside that the service refuses, so that they block no others. */
  async refused(events: readonly Queued[]): Promise<void> {
    const aside = await privateFolder(join(stateFolder(this.work), 'refused'));
    for (const { name } of events)
      await rename(join(this.folder, name), join(aside, name)).catch((error: unknown) => {
        if (!hasCode(error, 'ENOENT')) throw error;
      });
  }
}

/** The place in a file's name, in milliseconds since 1970; 0: there is none. */
const placeIn = (name = ''): number =>
  Date.parse(name.slice(0, 24).replace(/T(\d\d)-(\d\d)-/, 'T$1:$2:')) || 0;

/** The file that lists everything that was sent about a work. */
export const logOf = (work: Work): string => join(stateFolder(work), 'sent.log');

/**
 * Logs a request whose body was sent.
 * @param body as it was sent; of a piece of a hand-in only its place and length, since its content is in the folder
 */
export const writeDown = async (work: Work, path: string, body: unknown): Promise<void> => {
  await privateFolder(stateFolder(work));
  const line = JSON.stringify({ at: new Date().toISOString(), path, body });
  await appendFile(logOf(work), `${line}\n`, { mode: 0o600 });
};
