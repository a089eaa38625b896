import Fastify from 'fastify';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { open } from 'lmdb';

/**
 * What somebody would write by hand, in a process of its own: plain Fastify over LMDB. Nobody is signed in and nothing
 * is checked, but for activities. Prints its URL once it listens. `node plain-server.js FOLDER [DOCUMENT [JWKS]]`
 */
const [folder = '', document = '{}', jwks = ''] = process.argv.slice(2);

const root = open({ path: folder, noSubdir: false, overlappingSync: false });
const documents = root.openDB<Record<string, unknown>, string>({ name: 'documents', encoding: 'json' });
const events = root.openDB<Record<string, unknown>, [string, number]>({ name: 'events', encoding: 'json' });
const heads = root.openDB<number, string>({ name: 'heads', encoding: 'ordered-binary' });
await documents.put('signal', JSON.parse(document) as Record<string, unknown>);

const server = Fastify();

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

if (jwks !== '') {
  const keys = createRemoteJWKSet(new URL(jwks));
  const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
  const properties = {
    clientEventId: text(64),
    eventType: text(64),
    occurredAt: { type: 'string', format: 'date-time' },
    payload: { type: 'object' },
  };
  const activity = { type: 'object', required: Object.keys(properties), properties };
  const body = {
    type: 'object',
    required: ['events'],
    properties: { events: { type: 'array', maxItems: 100, items: activity } },
  };
  server.post<{ Params: { id: string }; Body: { readonly events: readonly object[] } }>(
    '/sessions/:id/activity',
    {
      schema: { body },
      onRequest: async (request) => {
        await jwtVerify((request.headers.authorization ?? '').slice('Bearer '.length), keys);
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { events: sent } = request.body;
      const lastSequenceNumber = await root.transaction(() => {
        const last = (heads.get(id) ?? 0) + sent.length;
        void events.put([id, last], { sent });
        void heads.put(id, last);
        return last;
      });
      return reply.code(202).send({ accepted: sent.length, duplicates: 0, lastSequenceNumber });
    },
  );
}

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
