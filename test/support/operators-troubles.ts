import { roles } from '../../projections/roles.js';
import { signalRowId } from '../../projections/signal.js';
import type { RecordedEvent, StreamName } from '../../src/core/event-store.js';
import { newId } from '../../src/core/random.js';
import type { OutcomeRecorded } from '../../src/domain/application/events.js';
import type { ApplicationRef } from '../../src/domain/candidate/events.js';
import { readConfiguration } from '../../src/process/config.js';
import { openStores, type Stores } from '../../src/process/stores.js';

const within = async <T>(dataDir: string, work: (stores: Stores) => Promise<T>): Promise<T> => {
  const stores = await openStores(readConfiguration({ DATA_DIR: dataDir }));
  try {
    return await work(stores);
  } finally {
    await stores.close();
  }
};

/** Changes a role's name in the view, without an event. @returns the document's id */
export const damageRole = (dataDir: string, name: string): Promise<string> =>
  within(dataDir, async ({ readStore }) => {
    const pointer = await readStore.pointers.get('roles');
    if (pointer === null) throw new Error('Nothing was built of the roles.');
    const collection = readStore.collection(pointer.live.name, roles.indexes ?? {});
    for await (const stored of collection.all()) {
      const text = JSON.stringify(stored.body);
      if (!text.includes(`"name":"${name}"`)) continue;
      const body = JSON.parse(text.replace(`"name":"${name}"`, '"name":"Wizard"')) as (typeof stored)['body'];
      const repairs = (stored.repairs ?? 0) + 1;
      const document = { ...stored, body, repairs };
      const expectedRepairs = stored.repairs ?? 0;
      const [result] = await collection.apply([
        { expected: stored.position, expectedRepairs, document, keys: {} },
      ]);
      if (result !== 'written') throw new Error('The document changed meanwhile.');
      return stored.id;
    }
    throw new Error('There is no such role.');
  });

/** Appends an event with unreadable bytes to a stream. */
export const damageStream = (dataDir: string, stream: string): Promise<void> =>
  within(dataDir, async ({ eventStore }) => {
    let last: RecordedEvent | null = null;
    for await (const event of eventStore.readStream(stream as StreamName)) last = event;
    if (last === null) throw new Error(`${stream} has no event.`);
    const { type, metadata, revision } = last;
    const appended = await eventStore.append(stream as StreamName, revision, [
      { id: newId(), type, data: Buffer.from('{'), metadata },
    ]);
    if (appended.kind !== 'appended') throw new Error('The stream changed meanwhile.');
  });

/** Appends an outcome of a role that does not exist, which the signal cannot count. @returns the row's id */
export const poisonSignal = (dataDir: string): Promise<string> =>
  within(dataDir, async ({ eventStore, codec }) => {
    let ids: ApplicationRef | null = null;
    for await (const event of eventStore.readAll({})) {
      if (event.type !== 'trial.completed') continue;
      const decoded = await codec.decode(event);
      if (decoded.kind === 'event') ids = decoded.event.data as ApplicationRef;
    }
    if (ids === null) throw new Error('No trial was completed.');
    const { organisationId, candidateId, applicationId, trialSessionId } = ids;
    const roleId = newId();
    const stream: StreamName = `application-${applicationId}` as StreamName;
    let revision: number | 'no-stream' = 'no-stream';
    for await (const event of eventStore.readStream(stream)) revision = event.revision;
    const event: OutcomeRecorded = {
      type: 'outcome.recorded',
      data: {
        ...{ organisationId, roleId, candidateId, applicationId, trialSessionId },
        ...{ humanRound: 'passed', disposition: null, former: null, recordedBy: newId() },
      },
      person: null,
      personal: null,
    };
    const { encoded } = await codec.encode([event], {
      recordedAt: new Date().toISOString(),
      actor: { type: 'system', id: 'fault' },
      ...{ commandId: newId(), requestHash: null, correlationId: 'fault', causationId: null },
    });
    const appended = await eventStore.append(stream, revision, encoded);
    if (appended.kind !== 'appended') throw new Error('The stream changed meanwhile.');
    return signalRowId(organisationId, roleId);
  });
