import { describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { accounts } from '../../../test/support/projection-rig.js';
import { createCodec } from '../../core/codec.js';
import type { EncodedEvent, Position, StreamName } from '../../core/event-store.js';
import type { AnyEvent } from '../../core/event.js';
import { defineEvents } from '../../core/registry.js';
import { Sealer } from '../../core/sealing.js';
import type { PersonId } from '../../core/vault/port.js';
import { type EndedOperation, operator, type OperatorState } from '../../domain/operations/decider.js';
import { PARKED, PARKED_INDEX } from '../../engine/fold/fold.js';
import { newGeneration } from '../../engine/generations/generations.js';
import type { Ending, Operation } from '../../engine/generations/operations.js';
import { first } from '../../engine/generations/pointer.js';
import type { AnyView } from '../../engine/view.js';
import { StreamOperations } from '../../process/operations/operations.js';
import type { Generation, Json, Pointer } from '../../stores/read-store.js';
import { DocumentSealer } from '../../vault/documents.js';
import type { Screen } from '../cli/output.js';
import { requestsIn, streamsWithoutKeys } from '../cli/requests.js';
import { showDeadLetter } from './dead-letter.js';
import { listDeadLetters } from './list.js';
import { retry } from './retry.js';
import { skip, skippable } from './skip.js';
import { listLines, shownLines } from './text.js';

const person = 'person-7' as PersonId;
const SECRET = 'Nobody else is to read this.';
const metadata = {
  recordedAt: '2026-01-02T03:04:05.006Z',
  actor: { type: 'system', id: 'test' },
  commandId: 'command',
  requestHash: null,
  correlationId: 'correlation',
  causationId: null,
} as const;
const registry = defineEvents({ added: { version: 1 }, odd: { version: 1 }, closed: { version: 1 } });

/** A log whose accounts are parked by hand, as a projector would have left them. */
const arrange = async () => {
  const eventStore = new MemoryEventStore();
  const readStore = openMemoryReadStore();
  const vault = new MemoryVault();
  await vault.keys.create(person);
  const sealer = new Sealer(vault);
  const stores = {
    ...{ eventStore, readStore, sealer },
    codec: createCodec(registry, sealer),
    documents: new DocumentSealer(sealer),
  };
  const live = await newGeneration(stores, accounts, 1);
  await readStore.pointers.swap('accounts', null, first(live));

  const append = async (event: Partial<AnyEvent>, change: Partial<EncodedEvent> = {}): Promise<Position> => {
    const whole = { type: 'added', data: {}, person: null, personal: null, ...event };
    const { encoded } = await stores.codec.encode([whole], metadata);
    const revision = eventStore.log.length;
    await eventStore.append('test-1' as StreamName, revision === 0 ? 'no-stream' : revision - 1, [
      { ...encoded[0]!, ...change },
    ]);
    return eventStore.log.at(-1)!.position;
  };
  const park = async (
    id: string,
    parkedAt: Position,
    { position = parkedAt, body = null, generation = live }: Partial<Document> = {},
  ): Promise<void> => {
    const document = { id, position, parkedAt, deleted: false, body };
    const write = { expected: null, document, keys: { [PARKED_INDEX]: parkedAt } };
    await readStore.collection(generation.name, PARKED).apply([write]);
  };
  const list = (
    code: AnyView = accounts,
    state: Pick<OperatorState, 'ended' | 'skipped'> = operator.initial,
    limit = 10,
  ) =>
    listDeadLetters(stores, state, {
      ...{ views: ['accounts'], codes: [code], limit, signal: new AbortController().signal },
    });
  return { stores, live, append, park, list };
};

interface Document {
  readonly position: Position;
  readonly body: Json;
  readonly generation: Generation;
}

const add = (account: string, amount: number) => ({ data: { account, amount } });
const before = (total: number): Json => ({ total, entries: [total], closed: false });

/** How many elements of arrays are iterated over, as a spread does, while `work` runs. */
const stepsOfArrays = async (work: () => Promise<unknown>): Promise<number> => {
  const values = Array.prototype.values;
  let steps = 0;
  Array.prototype[Symbol.iterator] = function* (this: unknown[]): ArrayIterator<unknown> {
    for (let at = 0; at < this.length; at++, steps++) yield this[at];
  };
  try {
    await work();
    return steps;
  } finally {
    Array.prototype[Symbol.iterator] = values;
  }
};

describe('dead letters', () => {
  it('are each parked document, with its event, the reason and how much waits behind it', async () => {
    const { append, park, list, live } = await arrange();
    const poison = await append(add('a', 13));
    await append(add('b', 1));
    await append(add('a', 1));
    const last = await append(add('a', 2));
    await append(add('a', 3));
    const odd = await append({ type: 'odd', data: { account: 'c', amount: 1 } });
    await park('a', poison, { position: last });
    await park('c', odd, { body: before(5) });
    const { deadLetters, more, stopped } = await list();
    expect([more, stopped]).toEqual([false, []]);
    expect(deadLetters).toMatchObject([
      {
        ...{ view: 'accounts', generation: live.name, role: 'live', document: 'a', position: poison },
        event: { type: 'added', stream: 'test-1', revision: 0 },
        since: metadata.recordedAt,
        why: { kind: 'failed', reason: 'Error: Thirteen cannot be added.' },
        waiting: 2,
      },
      { document: 'c', why: { kind: 'failed', reason: expect.stringContaining('NotJson') }, waiting: 0 },
    ]);
    expect(deadLetters[0]?.why.stack).toContain('projection-rig');
  });

  it('are as many as asked for, and it says that there are more', async () => {
    const { append, park, list } = await arrange();
    for (const id of ['a', 'b', 'c']) await park(id, await append(add(id, 13)));
    const some = await list(accounts, operator.initial, 2);
    expect(some.deadLetters.map(({ document }) => document)).toEqual(['a', 'b']);
    expect(some.more).toBe(true);
    expect((await list(accounts, operator.initial, 3)).more).toBe(false);
  });

  it('are all of them, however many', async () => {
    const { append, park, list } = await arrange();
    const position = await append(add('a', 13));
    const ids = Array.from({ length: 250 }, (_, n) => `account-${String(n).padStart(3, '0')}`);
    for (const id of ids) await park(id, position);
    const { deadLetters } = await list(accounts, operator.initial, 1_000);
    expect(deadLetters.map(({ document }) => document)).toEqual(ids);
  });

  it('are listed at a cost that does not grow with what was listed before', async () => {
    const stepsFor = async (count: number): Promise<number> => {
      const { append, park, list } = await arrange();
      const position = await append(add('a', 13));
      for (let n = 0; n < count; n++) await park(`account-${n}`, position);
      return stepsOfArrays(() => list(accounts, operator.initial, count));
    };
    const [some, thrice] = [await stepsFor(300), await stepsFor(900)];
    expect(thrice / some).toBeLessThan(3.5);
  });

  it('are also those of the former generation, told by its own code alone', async () => {
    const { stores, append, park, list, live } = await arrange();
    const generation = await newGeneration(stores, { ...accounts, version: 2 }, 1);
    const pointer: Pointer = {
      ...first(generation),
      ...{ revision: 2, former: { generation: live, since: metadata.recordedAt } },
    };
    await stores.readStore.pointers.swap('accounts', 1, pointer);
    await park('a', await append(add('a', 13)));
    await park('b', await append(add('b', 13)), { generation });
    const [ours, others] = [accounts, { ...accounts, version: 2 }].map((code) => list(code));
    expect((await ours)?.deadLetters).toMatchObject([
      { document: 'b', role: 'live', why: { kind: 'unknown' }, waiting: null },
      { document: 'a', role: 'former', why: { kind: 'failed' }, waiting: 0 },
    ]);
    expect((await others)?.deadLetters.map(({ why }) => why.kind)).toEqual(['failed', 'unknown']);
  });

  const evolving = (evolve: AnyView['evolve']): AnyView => ({ ...accounts, fingerprint: 'changed', evolve });
  it('need a rebuild where changed code folds them, also of the same version: it feeds no former build', async () => {
    const { append, park, list } = await arrange();
    await park('a', await append(add('a', 1)));
    for (const [code, reason] of [
      [accounts, 'It can be folded now: retry it.'],
      [
        evolving((document) => ({ ...document })),
        expect.stringMatching(/by changed code.*`assay projections rebuild accounts`/),
      ],
    ] as const)
      expect((await list(code)).deadLetters).toMatchObject([{ why: { kind: 'mended', reason } }]);
  });

  it.each([
    [
      'mended',
      {
        code: evolving((document) => ({ ...document })),
        kind: 'mended',
        says: 'retry it',
      },
    ],
    [
      'looping',
      {
        code: evolving(() => {
          for (;;);
        }),
        kind: 'failed',
        says: 'did not end',
      },
    ],
    [
      'too large',
      {
        code: evolving(() => ({ total: 1, text: 'x'.repeat(17 * 1024 * 1024) }) as object),
        kind: 'failed',
        says: '16 MiB',
      },
    ],
    [
      'without an index key',
      {
        code: { ...evolving(() => ({})), keys: { total: () => ({}) as never } },
        kind: 'failed',
        says: 'IndexFailed',
      },
    ],
  ])('say of a view that is %s what it is', async (_, { code, kind, says }) => {
    const { stores, append, park, list } = await arrange();
    const generation = await newGeneration(stores, code, 1);
    await stores.readStore.pointers.swap('accounts', 1, { ...first(generation), revision: 2 });
    await park('a', await append(add('a', 1)), { generation, body: before(1) });
    const [letter] = (await list(code)).deadLetters;
    expect(letter?.why).toMatchObject({ kind, reason: expect.stringContaining(says) });
  });

  it('say of an event that cannot be read, or was skipped, what it is', async () => {
    const { stores, append, park, list } = await arrange();
    const newer = Buffer.from(JSON.stringify({ ...metadata, schemaVersion: 2 }));
    await park('a', await append(add('a', 1), { metadata: newer }));
    await park('b', await append(add('b', 1), { data: Buffer.from('{') }));
    await park('c', await append(add('c', 13)));
    const skipped = new Map([['accounts', new Set([stores.eventStore.log[2]!.id])]]);
    const { deadLetters } = await list(accounts, { ended: new Map(), skipped });
    expect(deadLetters.map(({ why }) => [why.kind, why.reason])).toEqual([
      ['failed', expect.stringContaining('newer version')],
      ['failed', expect.stringContaining('is damaged')],
      ['skipped', expect.stringContaining('next retry')],
    ]);
    // Counting stops at an event that cannot be read.
    expect(deadLetters.map(({ waiting }) => waiting)).toEqual([null, null, null]);
  });

  it('show the document before the event, and nothing personal', async () => {
    const { stores, append, park, list } = await arrange();
    const body = await stores.documents.seal({
      ...{ person, personal: { note: SECRET } },
      ...({ total: 7, entries: [7], closed: false } as object),
    });
    const position = await append({ ...add('a', 13), person, personal: { answer: SECRET } });
    await park('a', position, { body });
    const letter = await showDeadLetter(stores, operator.initial, 'accounts', 'a', [accounts]);
    expect(letter.content).toMatchObject({ total: 7, person, personal: '(sealed)' });
    expect(letter.event).toMatchObject({ data: { account: 'a', amount: 13 }, personal: '(sealed)' });
    const said = [JSON.stringify(letter), ...shownLines(letter), ...listLines(await list(), 10)].join('\n');
    expect(said).not.toContain(SECRET);
    expect(said).toContain('Thirteen cannot be added.');
  });

  it('leave out of an error what is personal in it', async () => {
    const code = evolving((_, { personal }) => {
      throw new Error(`It is "${(personal as { answer: string }).answer}".`);
    });
    const { append, park, list } = await arrange();
    await park('a', await append({ ...add('a', 1), person, personal: { answer: SECRET } }));
    const { deadLetters } = await list(code);
    const { reason, stack } = deadLetters[0]!.why;
    expect(reason).toBe('Error: its message is withheld, since it quotes personal data.');
    expect(stack).toMatch(/^ +at .*dead-letters\.spec/);
    expect(JSON.stringify(deadLetters)).not.toContain(SECRET);
  });

  it('are refused where a document is not parked', async () => {
    const { stores, park, append } = await arrange();
    await park('a', await append(add('a', 13)));
    await expect(showDeadLetter(stores, operator.initial, 'accounts', 'b')).rejects.toThrow(
      'No document "b" of "accounts" is parked.',
    );
  });
});

describe('what may be skipped', () => {
  const failure = {
    ...{ eventId: 'event-1', eventType: 'added', position: '01' as Position, documentId: null },
    message: 'Why.',
  };
  const engine = (
    stores: Awaited<ReturnType<typeof arrange>>['stores'],
    state: Partial<OperatorState> = {},
  ) =>
    ({
      stores,
      requests: { state: async () => ({ ...operator.initial, ...state }) },
    }) as unknown as Parameters<typeof skippable>[0];

  it('is the event at which a document is parked, and no other', async () => {
    const { stores, park, append } = await arrange();
    await park('a', await append(add('a', 13)));
    const eventId = stores.eventStore.log[0]!.id;
    expect(await skippable(engine(stores), 'accounts', 'a')).toMatchObject({
      ...{ eventId, eventType: 'added', document: 'a', blocks: 'document' },
    });
    await expect(skippable(engine(stores), 'accounts', 'b')).rejects.toThrow('is parked');
    await expect(skippable(engine(stores), 'accounts', null)).rejects.toThrow('No rebuild');
    const skipped = new Map([['accounts', new Set([eventId])]]);
    await expect(skippable(engine(stores, { skipped }), 'accounts', 'a')).rejects.toThrow('skipped already');
  });

  it('is the event at which a rebuild has stopped, while it stands and after it was given up', async () => {
    const { stores, live } = await arrange();
    const generation = await newGeneration(stores, accounts, 1);
    const next = { generation, operation: 'o', hold: false, ready: false, failure };
    await stores.readStore.pointers.swap('accounts', 1, { ...first(live), revision: 2, next });
    const found = { eventId: 'event-1', eventType: 'added', document: null, blocks: 'rebuild' };
    expect(await skippable(engine(stores), 'accounts', null)).toMatchObject(found);
    await stores.readStore.pointers.swap('accounts', 2, { ...first(live), revision: 3 });
    await expect(skippable(engine(stores), 'accounts', null)).rejects.toThrow('No rebuild');
    const { eventId, eventType, position, documentId } = failure;
    const ended = new Map([
      [
        'accounts',
        {
          ...{ id: 'o', view: 'accounts', kind: 'rebuild' as const, result: 'failed' as const },
          ...{ requestedAt: '', endedAt: '', message: 'Why.' },
          details: { generation: generation.name, eventId, eventType, position, documentId },
        },
      ],
    ]);
    expect(await skippable(engine(stores, { ended }), 'accounts', null)).toMatchObject(found);
    const skipped = new Map([['accounts', new Set([eventId])]]);
    await expect(skippable(engine(stores, { ended, skipped }), 'accounts', null)).rejects.toThrow(
      'No rebuild',
    );
  });

  it('is no event that the log does not hold', async () => {
    const { stores, park, append } = await arrange();
    await append(add('a', 1));
    for (const [id, position] of [
      ['a', '0000000000000000'],
      ['b', '0000000000000009'],
    ] as const) {
      await park(id, position as Position);
      await expect(skippable(engine(stores), 'accounts', id)).rejects.toThrow('The log holds no event at');
    }
  });

  it('is the event at which a rebuild has stopped, for its own document alone', async () => {
    const { stores, live } = await arrange();
    const generation = await newGeneration(stores, accounts, 1);
    const stopped = { ...failure, documentId: 'a' };
    const next = { generation, operation: 'o', hold: false, ready: false, failure: stopped };
    await stores.readStore.pointers.swap('accounts', 1, { ...first(live), revision: 2, next });
    expect(await skippable(engine(stores), 'accounts', 'a')).toMatchObject({ document: 'a' });
    await expect(skippable(engine(stores), 'accounts', 'b')).rejects.toThrow('No document "b"');
  });

  it.each([
    ['succeeded', { result: 'done' as const }],
    ['was no rebuild', { kind: 'refold' as const }],
    ['failed over something else', { details: {} }],
  ])('is no event of an operation that %s', async (_, change) => {
    const { stores } = await arrange();
    const { eventId, eventType, position } = failure;
    const last = {
      ...{ id: 'o', view: 'accounts', kind: 'rebuild' as const, result: 'failed' as const },
      ...{ requestedAt: '', endedAt: '', message: 'Why.', details: { eventId, eventType, position } },
    };
    const of = (ended: EndedOperation) => engine(stores, { ended: new Map([['accounts', ended]]) });
    expect(await skippable(of(last), 'accounts', null)).toMatchObject({ eventId, document: null });
    await expect(skippable(of({ ...last, ...change }), 'accounts', null)).rejects.toThrow('No rebuild');
  });

  it.each([
    ['is folded', null, 'is parked'],
    ['is parked at another event', 1, 'nothing was skipped'],
  ])('is nothing that was seen before a question, if the document %s meanwhile', async (_, next, message) => {
    const { stores, park, append } = await arrange();
    const parkedAt = await append(add('a', 13));
    const later = await append(add('a', 13));
    await park('a', parkedAt);
    const skipped: unknown[] = [];
    const { requests } = engine(stores);
    const all = {
      stores,
      requests: Object.assign(requests, { skip: async (one: unknown) => skipped.push(one) }),
    };
    const asked = { view: 'accounts', document: 'a', reason: 'Why.' };
    const answered = skip(all as unknown as Parameters<typeof skip>[0], asked, async () => {
      const { live } = (await stores.readStore.pointers.get('accounts'))!;
      const document = { id: 'a', position: later, parkedAt: next === null ? null : later, deleted: false };
      const collection = stores.readStore.collection(live.name, PARKED);
      await collection.apply([
        { expected: parkedAt, document: { ...document, body: null }, keys: { [PARKED_INDEX]: later } },
      ]);
    });
    await expect(answered).rejects.toThrow(message);
    expect(skipped).toEqual([]);
  });

  it('is no event of a former rebuild once a generation that was begun by itself is live', async () => {
    const { stores } = await arrange();
    const [stopped, live] = [
      await newGeneration(stores, accounts, 1),
      await newGeneration(stores, accounts, 1),
    ];
    const { eventId, eventType, position } = failure;
    const last = {
      ...{ id: 'o', view: 'accounts', kind: 'rebuild' as const, result: 'failed' as const },
      ...{ requestedAt: '', endedAt: '', message: 'Why.' },
      details: { generation: stopped.name, eventId, eventType, position },
    };
    const all = engine(stores, { ended: new Map([['accounts', last]]) });
    expect(await skippable(all, 'accounts', null)).toMatchObject({ eventId });
    await stores.readStore.pointers.swap('accounts', 1, { ...first(live), revision: 2 });
    await expect(skippable(all, 'accounts', null)).rejects.toThrow('No rebuild');
  });

  it('is no event of a former rebuild while another one is under way', async () => {
    const { stores, live } = await arrange();
    const generation = await newGeneration(stores, accounts, 1);
    const next = { generation, operation: 'p', hold: false, ready: false, failure: null };
    await stores.readStore.pointers.swap('accounts', 1, { ...first(live), revision: 2, next });
    const { eventId, eventType, position } = failure;
    const last = {
      ...{ id: 'o', view: 'accounts', kind: 'rebuild' as const, result: 'failed' as const },
      ...{ requestedAt: '', endedAt: '', message: 'Why.', details: { eventId, eventType, position } },
    };
    const during = engine(stores, { ended: new Map([['accounts', last]]) });
    await expect(skippable(during, 'accounts', null)).rejects.toThrow('No rebuild');
  });
});

describe('a retry', () => {
  /** @param end how a projector ends what is asked, and what it unparks before */
  const retrying = async (end: Partial<Ending>, mend: (unpark: (id: string) => Promise<void>) => unknown) => {
    const { stores, live, append, park } = await arrange();
    const unpark = async (id: string): Promise<void> => {
      const collection = stores.readStore.collection(live.name, PARKED);
      const { repairs = 0, position, ...rest } = (await collection.get(id))!;
      const document = { ...rest, position, parkedAt: null, repairs: repairs + 1 };
      await collection.apply([{ expected: position, document, keys: {} }]);
    };
    const log = new MemoryEventStore();
    const real = requestsIn(log);
    const operations = new StreamOperations(streamsWithoutKeys(log));
    const asked: Operation[] = [];
    const ask = async (operation: Operation): Promise<void> => {
      asked.push(operation);
      await real.ask(operation);
      await mend(unpark);
      await operations.end(operation.id, { result: 'done', message: 'Done.', details: {}, ...end });
    };
    const requests = { ask, state: () => real.state(), outcome: (id: string) => real.outcome(id) };
    const engine = { stores, requests } as unknown as Parameters<typeof retry>[0];
    const screen = { say: () => undefined, progress: { end: () => undefined } } as unknown as Screen;
    return {
      ...{ asked, append, park },
      run: (documents: readonly string[] | 'parked') =>
        retry(engine, 'accounts', documents, screen, new AbortController().signal),
    };
  };

  it('is asked for what is parked alone', async () => {
    const { run, asked, park, append } = await retrying({}, (unpark) => unpark('a'));
    expect(await run('parked')).toMatchObject({
      operation: null,
      message: 'Nothing of "accounts" is parked.',
    });
    await park('a', await append(add('a', 13)));
    await expect(run(['a', 'b'])).rejects.toThrow('No document "b" of "accounts" is parked.');
    expect(asked).toEqual([]);
    const { operation, ...retried } = await run(['a']);
    expect(retried).toMatchObject({ message: 'Done.', stillParked: [], more: false });
    expect(asked).toEqual([
      { id: operation, view: 'accounts', kind: 'refold', documents: ['a'], parkedOnly: true },
    ]);
  });

  it('reports what stays parked in place of a failure, and a failure over nothing parked as one', async () => {
    const failed = { result: 'failed' as const, message: 'It failed.' };
    const { run, park, append } = await retrying(failed, () => undefined);
    const position = await append(add('a', 13));
    await park('a', position);
    expect(await run(['a'])).toMatchObject({ stillParked: [{ document: 'a' }], more: false });
    for (let n = 0; n < 20; n++) await park(`b${n}`, position);
    const { stillParked, more } = await run('parked');
    expect([stillParked.length, more]).toEqual([20, true]);
    const mended = await retrying(failed, (unpark) => unpark('a'));
    await mended.park('a', await mended.append(add('a', 13)));
    await expect(mended.run(['a'])).rejects.toThrow('It failed.');
  });

  it('that was cancelled is no success', async () => {
    const { run, park, append } = await retrying(
      { result: 'cancelled', message: 'It was.' },
      () => undefined,
    );
    await park('a', await append(add('a', 13)));
    await expect(run(['a'])).rejects.toThrow('It was.');
  });
});
