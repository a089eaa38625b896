import type { Database } from 'lmdb';
import { randomUUID } from 'node:crypto';
import { StoreUnavailable } from '../../../core/errors.js';
import type { LogId, Revision, StreamName } from '../../../core/event-store.js';
import { Environment, realFolder } from '../environment.js';
import type { StoreKind } from '../faults.js';
import type { Sequence } from './record.js';

/** Raised with every change of how the log and its events are stored. */
const FORMAT = 2;

const LOG: StoreKind = {
  name: 'event log',
  remedy: () => 'Stop every process that uses it, keep a copy of the folder, and restore the last backup.',
  mayBeForeign: true,
  Unavailable: StoreUnavailable,
};

/** The log's LMDB environment: every event once, by its sequence, and an index of streams into it. */
export interface Tables {
  readonly environment: Environment;
  readonly logId: LogId;
  readonly life: LogId;
  readonly events: Database<Buffer, Sequence>;
  /** Revisions are gapless, so the last entry of a stream is its head. */
  readonly streams: Database<Sequence, [StreamName, Revision]>;
}

/** The real path of the log's folder, which is made unless it is only read. @throws {StoreUnusable} */
export const logFolder = (folder: string, readOnly: boolean): string => realFolder(folder, LOG, readOnly);

/** @throws {StoreUnusable} the folder cannot be used: the message says why and what to do */
export function openTables(folder: string, readOnly: boolean): Tables {
  // The queue makes its own batches. A batch of lmdb begins with a write whose failure no caller receives.
  const environment = Environment.open(folder, LOG, { readOnly, eventTurnBatching: false });
  return environment.prepared(() => {
    environment.assertOwn('meta');
    return {
      environment,
      ...identify(environment),
      events: environment.table<Buffer, Sequence>({ name: 'events', encoding: 'binary' }),
      streams: environment.table<Sequence, [StreamName, Revision]>({
        name: 'streams',
        encoding: 'ordered-binary',
      }),
    };
  });
}

/** @throws {StoreUnusable} the log has no identity, or is of another version */
function identify(environment: Environment): Pick<Tables, 'logId' | 'life'> {
  const meta = metaOf(environment);
  environment.assertFormat(
    FORMAT,
    () => meta.get('format'),
    () => {
      meta.putSync('log', randomUUID());
      meta.putSync('format', String(FORMAT));
    },
  );
  const logId = meta.get('log');
  // Left out until a first restore.
  const life = meta.get('life') ?? logId;
  if (!isId(logId) || !isId(life)) throw environment.faults.foreign('it has no identity');
  return { logId, life };
}

const metaOf = (environment: Environment): Database<string, string> =>
  environment.table<string, string>({ name: 'meta', encoding: 'string' });

const isId = (text: string | undefined): text is LogId => text !== undefined && /^[0-9a-f-]{36}$/.test(text);

/** Gives the log another life. */
export const beginLife = (environment: Environment): void =>
  metaOf(environment).putSync('life', randomUUID());
