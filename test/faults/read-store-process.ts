import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { GuardedWrite, ReadStore, ViewCollection } from '../../src/stores/read-store.js';
import { at, INDEXES, VIEW } from './read-store-things.js';

/** So few that two processes write to most of them. */
const DOCUMENTS = 40;

/** A process on a read store's folder, for tests that kill, stop or starve it. It prints a line for each step. */
const [, , role = '', folder = '', token = ''] = process.argv;

const say = (...words: readonly unknown[]): void => void process.stdout.write(`${words.join(' ')}\n`);

/** The body that the counting processes write: which of them wrote each position, and which made each repair. */
interface Counted {
  readonly history: readonly string[];
  readonly repairers: readonly string[];
}

/** Counts up shared documents and a checkpoint by guarded writes, and repairs some, until it is killed. */
async function count(store: ReadStore, view: ViewCollection): Promise<void> {
  say('number', await store.pointers.nextNumber('things'));
  for (;;) {
    const ids = Array.from({ length: DOCUMENTS }, (_, n) => `d${n}`).filter(() => Math.random() < 0.5);
    const read = await view.getMany(ids);
    const batch = ids.map((id): GuardedWrite => {
      const current = read.get(id);
      const { history, repairers } = (current?.body ?? { history: [], repairers: [] }) as unknown as Counted;
      const repair = current !== undefined && Math.random() < 0.3;
      const body = repair
        ? { history, repairers: [...repairers, token] }
        : { history: [...history, token], repairers };
      const position = at(body.history.length);
      return {
        expected: current?.position ?? null,
        expectedRepairs: repairers.length,
        document: { id, position, parkedAt: null, deleted: false, body, repairs: body.repairers.length },
        keys: { count: body.history.length, place: 0 },
      };
    });
    const results = await view.apply(batch);
    for (const [i, { expected, document }] of batch.entries()) {
      if (results[i] !== 'written') continue;
      if (document.position === expected) say('repaired', document.id, document.repairs);
      else say('written', document.id, Number(document.position));
    }
    const checkpoint = await store.checkpoints.get('counter');
    const next = Number(checkpoint ?? 0) + 1;
    if (await store.checkpoints.advance('counter', checkpoint, at(next))) say('advanced', next);
  }
}

/** Holds a write transaction most of the time. */
async function occupy(view: ViewCollection): Promise<void> {
  let position = 0;
  say('ready');
  for (;;) {
    const expected = position === 0 ? null : at(position);
    position++;
    await view.apply(
      Array.from({ length: 3_000 }, (_, n) => ({
        expected,
        document: { id: `o${n}`, position: at(position), parkedAt: null, deleted: false, body: n },
        keys: { count: position, place: n },
      })),
    );
  }
}

/** Writes until a write is refused, then reads. */
async function fill(view: ViewCollection): Promise<void> {
  const body = 'x'.repeat(20_000);
  let written = 0;
  const refusal = await (async () => {
    for (; ; written++) {
      const document = { id: `d${written}`, position: at(1), parkedAt: null, deleted: false, body };
      await view.apply([{ expected: null, document, keys: { count: written, place: 0 } }]);
    }
  })().catch((error: unknown) => error);
  say('refused', (refusal as { code?: string }).code ?? String(refusal));
  // LMDB's further rejections arrive a little later.
  await sleep(300);
  let readable = 0;
  for (let n = 0; n < written; n++) if (await view.get(`d${n}`)) readable++;
  say('readable', readable, written);
}

/** Reads everything, in every way. */
async function readAll(store: ReadStore, view: ViewCollection): Promise<void> {
  let documents = 0;
  for await (const document of view.all()) if ((await view.get(document.id))?.position) documents++;
  let listed = 0;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await view.page({ index: 'byCount', prefix: [], limit: 50, ...(cursor && { cursor }) });
    listed += page.items.length;
    cursor = page.next;
  }
  await store.generations();
  say('read', documents, listed);
}

/** Takes a generation number after a pause of `token` milliseconds, and prints how long that took. */
async function take(store: ReadStore): Promise<void> {
  await sleep(Number(token));
  const began = performance.now();
  await store.pointers.nextNumber('things');
  say('took', Math.round(performance.now() - began));
}

/** Writes one document. */
async function once(view: ViewCollection): Promise<void> {
  const document = { id: 'once', position: at(1), parkedAt: null, deleted: false, body: token };
  say(await view.apply([{ expected: null, document, keys: { count: 0, place: 0 } }]));
}

async function main(): Promise<void> {
  const store = await openEmbeddedReadStore(folder);
  const view = store.collection(VIEW, INDEXES);
  if (role === 'count') await count(store, view);
  else if (role === 'occupy') await occupy(view);
  else if (role === 'fill') await fill(view);
  else if (role === 'once') await once(view);
  else if (role === 'take') await take(store);
  else if (role === 'read') await readAll(store, view);
  await store.close();
}

await main().catch((error: unknown) => {
  const { code, message } = error as { code?: string; message: string };
  say('failed', code ?? 'unknown', message);
});
