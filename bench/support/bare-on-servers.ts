import {
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  type JSONEventData,
  NO_STREAM,
  type ReadPosition,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import Fastify from 'fastify';
import { type AnyBulkWriteOperation, type Collection, MongoClient } from 'mongodb';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, batch, counts, type Definition, definition, subjectOf } from './bare.js';

/**
 * What somebody would write by hand on the drivers of EventStoreDB and MongoDB, in a process of its own. Prints its URL
 * once it listens. `EVENTSTORE_URL` and `MONGODB_URL` name the servers, `TOKENS` is the JSON of what tokens are verified
 * with.
 *
 * A command reads two streams, appends with the revision that it read, and answers. One subscription writes the documents
 * that the service writes for the same events, in bulk, and then its checkpoint. It has no roles of staff, no keys of
 * commands, no erasure, no other views, and no second process.
 */
const client = EventStoreDBClient.connectionString(process.env.EVENTSTORE_URL ?? '');
const mongo = await new MongoClient(process.env.MONGODB_URL ?? '').connect();
interface Kept {
  readonly _id: string;
  readonly [name: string]: unknown;
}
/** The evidence in a batch. */
interface Evidence {
  readonly _id: string;
  items: object[];
}
const RESUBSCRIBE_MS = 100;
const collection = (name: string) => mongo.db('bare').collection<Kept>(name);
const roles = collection('roles');
const signal = collection('signal');
const audit = collection('audit');
const evidence = mongo.db('bare').collection<Evidence>('evidence');
const checkpoints = collection('checkpoints');
await signal.createIndex({ organisation: 1 });

/** What makes the client take its unary path; a server without users ignores it. */
const credentials = { username: 'bench', password: 'bench' };

/** @returns the revision of the last event and its data, `null` for a stream that is not there */
const last = async (
  stream: string,
): Promise<{ readonly revision: bigint; readonly data: Readonly<Record<string, unknown>> } | null> => {
  try {
    for await (const { event } of client.readStream(stream, {
      direction: 'backwards',
      maxCount: 1,
      fromRevision: 'end',
      credentials,
    }))
      if (event) return { revision: event.revision, data: event.data as Readonly<Record<string, unknown>> };
    return null;
  } catch (error) {
    if (error instanceof StreamNotFoundError) return null;
    throw error;
  }
};

/** @returns false: the stream has another revision */
const append = async (stream: string, revision: bigint | null, events: JSONEventData[]): Promise<boolean> => {
  try {
    await client.appendToStream(stream, events, { expectedRevision: revision ?? NO_STREAM, credentials });
    return true;
  } catch (error) {
    if (error instanceof WrongExpectedVersionError) return false;
    throw error;
  }
};

interface Recorded {
  readonly id: string;
  readonly type: string;
  readonly position: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const replaced = (_id: string, document: Readonly<Record<string, unknown>>): AnyBulkWriteOperation<Kept> => ({
  replaceOne: { filter: { _id }, replacement: document, upsert: true },
});
const inserted = (document: Kept): AnyBulkWriteOperation<Kept> => ({ insertOne: { document } });

/** Writes the documents of the events since the last write, then the checkpoint. */
const write = async (events: readonly Recorded[]): Promise<void> => {
  const defined = events.filter(({ type }) => type === 'role.defined');
  const batches = new Map<string, object[]>();
  for (const { type, data } of events) {
    if (type !== 'trial.activity') continue;
    const name = `${String(data.session)}/${String(data.batch)}`;
    const items = batches.get(name);
    if (items) items.push(data);
    else batches.set(name, [data]);
  }
  const roleWrites = defined.map(({ data, position }) => replaced(String(data.id), { ...data, position }));
  const signalWrites = defined.map(({ data: { id, organisation, name }, position }) =>
    replaced(String(id), { organisation, roleName: name, ...counts, position }),
  );
  const auditWrites = defined.map(({ id, type, data: { organisation, by }, position }) =>
    inserted({ _id: id, type, organisation, by, position }),
  );
  const evidenceWrites = [...batches].map(([_id, items]): AnyBulkWriteOperation<Evidence> => {
    // A batch may come in two parts.
    return { updateOne: { filter: { _id }, update: { $push: { items: { $each: items } } }, upsert: true } };
  });
  const bulk = async <D extends Kept | Evidence>(into: Collection<D>, writes: AnyBulkWriteOperation<D>[]) => {
    if (writes.length > 0) await into.bulkWrite(writes, { ordered: false });
  };
  await Promise.all([
    bulk(roles, roleWrites),
    bulk(signal, signalWrites),
    bulk(audit, auditWrites),
    bulk(evidence, evidenceWrites),
  ]);
  const position = events.at(-1)?.position;
  await checkpoints.updateOne({ _id: 'all' }, { $set: { position } }, { upsert: true });
};

const fold = async (): Promise<void> => {
  let waiting: Recorded[] = [];
  let writing: Promise<void> | null = null;
  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const taken = waiting;
      waiting = [];
      await write(taken);
    }
    writing = null;
  };
  let from: ReadPosition = START;
  for (;;)
    try {
      const filter = excludeSystemEvents({ maxSearchWindow: 1_000 });
      for await (const { event } of client.subscribeToAll({ fromPosition: from, filter, credentials })) {
        if (!event) continue;
        const data = event.data as Readonly<Record<string, unknown>>;
        waiting.push({ id: event.id, type: event.type, position: String(event.position.commit), data });
        from = event.position;
        writing ??= drain();
      }
    } catch {
      // The server ends a subscription that is too slow for it.
      await sleep(RESUBSCRIBE_MS);
    }
};
void fold();

const server = Fastify({ bodyLimit: 2 * 1024 * 1024 });

/** Appends a role's definition behind its stream's last event. */
const define = (organisation: string, id: string, revision: bigint | null, by: string, body: Definition) =>
  append(`role-${id}`, revision, [
    jsonEvent({ type: 'role.defined', data: { id, organisation, by, ...body } }),
  ]);

server.post<{ Params: { orgId: string }; Body: Definition }>(
  '/organisations/:orgId/roles',
  { schema: { body: definition } },
  async (request, reply) => {
    const by = await subjectOf(request);
    const { orgId } = request.params;
    const organisation = await last(`organisation-${orgId}`);
    if (!organisation)
      await append(`organisation-${orgId}`, null, [jsonEvent({ type: 'made', data: { owner: by } })]);
    const id = randomUUID();
    await define(orgId, id, null, by, request.body);
    return reply.code(201).send({ id, version: 1, ...request.body });
  },
);

server.patch<{ Params: { orgId: string; roleId: string }; Body: Definition }>(
  '/organisations/:orgId/roles/:roleId',
  { schema: { body: definition } },
  async (request, reply) => {
    const by = await subjectOf(request);
    const { orgId, roleId } = request.params;
    const [organisation, role] = await Promise.all([last(`organisation-${orgId}`), last(`role-${roleId}`)]);
    if (organisation?.data.owner !== by || role?.data.organisation !== orgId)
      return reply.code(404).send({ error: '' });
    if (!(await define(orgId, roleId, role.revision, by, request.body)))
      return reply.code(409).send({ error: 'conflict' });
    return { id: roleId, version: Number(role.revision) + 2, ...request.body };
  },
);

server.get<{ Params: { orgId: string } }>('/organisations/:orgId/signal', async (request) => {
  await subjectOf(request);
  const rows = await signal.find({ organisation: request.params.orgId }).toArray();
  return { roles: rows.map(({ _id, ...row }) => ({ roleId: _id, ...row })), totals: counts };
});

server.post<{ Params: { orgId: string } }>('/trial-sessions/of/:orgId', async (request, reply) => {
  const [id, candidate] = [randomUUID(), await subjectOf(request)];
  await append(`session-${id}`, null, [jsonEvent({ type: 'made', data: { candidate } })]);
  return reply.code(201).send({ id });
});

server.post<{ Params: { id: string }; Body: Batch }>(
  '/trial-sessions/:id/activity',
  { schema: { body: batch } },
  async (request, reply) => {
    const { id } = request.params;
    const candidate = await subjectOf(request);
    const [session, trial] = await Promise.all([last(`session-${id}`), last(`trial-${id}`)]);
    if (session?.data.candidate !== candidate) return reply.code(404).send({ error: '' });
    const { events } = request.body;
    const revision = trial?.revision ?? null;
    const number = String(revision);
    const stored = await append(
      `trial-${id}`,
      revision,
      events.map((event) =>
        jsonEvent({ type: 'trial.activity', data: { session: id, batch: number, ...event } }),
      ),
    );
    if (!stored) return reply.code(409).send({ error: 'conflict' });
    const lastSequenceNumber = Number(revision ?? -1n) + 1 + events.length;
    return reply.code(202).send({ accepted: events.length, duplicates: 0, lastSequenceNumber });
  },
);

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
