import Fastify from 'fastify';
import { open } from 'lmdb';

/**
 * What somebody would write by hand, in a process of its own: plain Fastify over LMDB, nobody signed in, nothing
 * checked. Prints its URL once it listens. `node plain-server.js FOLDER [DOCUMENT]`
 */
const [folder = '', document = '{}'] = process.argv.slice(2);

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

console.log(await server.listen({ host: '127.0.0.1', port: 0 }));
