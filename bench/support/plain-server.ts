import Fastify from 'fastify';
import { open } from 'lmdb';
import { randomUUID } from 'node:crypto';
import { type Batch, batch, counts, type Definition, definition, subjectOf } from './bare.js';

/**
 * What somebody would write by hand, in a process of its own: plain Fastify over LMDB. Prints its URL once it listens.
 * `node plain-server.js FOLDER [DOCUMENT]`; `TOKENS` are the JSON of what tokens are verified with.
 *
 * `/signal` and `/things` check nothing. The other routes do what the service does for the same request: they verify the
 * token (once, and remember it), check the body by ajv, and write the event and its documents in one transaction with
 * a version check. They have no roles of staff, no keys of commands, no erasure and no other views.
 */
const [folder = '', document = '{}'] = process.argv.slice(2);

const root = open({ path: folder, noSubdir: false, overlappingSync: false });
const documents = root.openDB<Record<string, unknown>, string | [string, string]>({
  name: 'documents',
  encoding: 'json',
});
const events = root.openDB<Record<string, unknown>, [string, number]>({ name: 'events', encoding: 'json' });
const heads = root.openDB<number, string>({ name: 'heads', encoding: 'ordered-binary' });
await documents.put('signal', JSON.parse(document) as Record<string, unknown>);

const server = Fastify({ bodyLimit: 2 * 1024 * 1024 });

server.get('/signal', (_, reply) => reply.send(documents.get('signal')));

server.patch<{ Params: { id: string }; Body: Record<string, unknown> }>(
  '/things/:id',
  async (request, reply) => {
    const { id } = request.params;
    const standing = heads.get(id) ?? 0;
    const stored = await root.transaction(() => {
      if ((heads.get(id) ?? 0) !== standing) return false;
      void events.put([id, standing + 1], request.body);
      void heads.put(id, standing + 1);
      return true;
    });
    return stored
      ? { id, version: standing + 1, ...request.body }
      : reply.code(409).send({ error: 'conflict' });
  },
);

/** Writes the event, the role and its row of the signal. @returns false: the role has another revision */
const writeRole = (organisation: string, id: string, revision: number, body: Definition): Promise<boolean> =>
  root.transaction(() => {
    if ((heads.get(id) ?? 0) !== revision) return false;
    void events.put([id, revision + 1], { type: revision === 0 ? 'defined' : 'updated', data: body });
    void heads.put(id, revision + 1);
    void documents.put(['role', id], { organisation, ...body });
    void documents.put([`signal ${organisation}`, id], { roleId: id, roleName: body.name, ...counts });
    return true;
  });

server.post<{ Params: { orgId: string }; Body: Definition }>(
  '/organisations/:orgId/roles',
  { schema: { body: definition } },
  async (request, reply) => {
    await subjectOf(request);
    const id = randomUUID();
    await writeRole(request.params.orgId, id, 0, request.body);
    return reply.code(201).send({ id, version: 1, ...request.body });
  },
);

server.patch<{ Params: { orgId: string; roleId: string }; Body: Definition }>(
  '/organisations/:orgId/roles/:roleId',
  { schema: { body: definition } },
  async (request, reply) => {
    await subjectOf(request);
    const { orgId, roleId } = request.params;
    if (documents.get(['role', roleId])?.organisation !== orgId) return reply.code(404).send({ error: '' });
    const revision = heads.get(roleId) ?? 0;
    if (!(await writeRole(orgId, roleId, revision, request.body)))
      return reply.code(409).send({ error: 'conflict' });
    return { id: roleId, version: revision + 1, ...request.body };
  },
);

server.get<{ Params: { orgId: string } }>('/organisations/:orgId/signal', async (request) => {
  await subjectOf(request);
  const collection = `signal ${request.params.orgId}`;
  const rows = [...documents.getRange({ start: [collection, ''], end: [collection, '\uffff'] })];
  return { roles: rows.map(({ value }) => value), totals: counts };
});

server.post<{ Params: { orgId: string } }>('/trial-sessions/of/:orgId', async (request, reply) => {
  const id = randomUUID();
  await documents.put(['session', id], { candidate: await subjectOf(request), seen: [] });
  return reply.code(201).send({ id });
});

server.post<{ Params: { id: string }; Body: Batch }>(
  '/trial-sessions/:id/activity',
  { schema: { body: batch } },
  async (request, reply) => {
    const { id } = request.params;
    const session = documents.get(['session', id]) as
      { readonly candidate: string; readonly seen: readonly string[] } | undefined;
    if (session?.candidate !== (await subjectOf(request))) return reply.code(404).send({ error: '' });
    const revision = heads.get(id) ?? 0;
    const seen = new Set(session.seen);
    const fresh = request.body.events.filter(
      ({ clientEventId }) => !seen.has(clientEventId) && seen.add(clientEventId),
    );
    const stored = await root.transaction(() => {
      if ((heads.get(id) ?? 0) !== revision) return false;
      fresh.forEach((event, index) => void events.put([id, revision + 1 + index], { ...event }));
      void heads.put(id, revision + fresh.length);
      void documents.put(['session', id], { ...session, seen: [...seen] });
      return true;
    });
    if (!stored) return reply.code(409).send({ error: 'conflict' });
    return reply.code(202).send({
      accepted: fresh.length,
      duplicates: request.body.events.length - fresh.length,
      lastSequenceNumber: revision + fresh.length,
    });
  },
);

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
