import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { createCodec } from '../../core/codec.js';
import { CommandStreams } from '../../core/handle.js';
import { Sealer } from '../../core/sealing.js';
import { eventRegistry } from '../../domain/event-registry.js';
import { operator } from '../../domain/operations/decider.js';
import { OperatorRequests } from '../../operator/cli/requests.js';
import { OPERATOR_LOG, StreamOperations } from './operations.js';

const view = 'signal';
const ending = { result: 'done', message: 'It serves.', details: { events: 3 } } as const;

describe('operations over the operator’s stream', () => {
  let store: MemoryEventStore;
  /** Another process on the same log. */
  const process = (): CommandStreams =>
    new CommandStreams(
      new MemoryEventStore(store),
      createCodec(eventRegistry, new Sealer(new MemoryVault())),
    );
  const operations = (): StreamOperations => new StreamOperations(process());
  let requests: OperatorRequests;
  beforeEach(() => {
    store = new MemoryEventStore();
    requests = new OperatorRequests(process());
  });
  const events = async (): Promise<readonly string[]> =>
    (await process().events(operator, OPERATOR_LOG)).map(
      ({ type, metadata: { actor } }) => `${type} by ${actor.type} ${actor.id}`,
    );

  it('wants nothing before anybody asked', async () => {
    const intent = await operations().readIntent();
    expect([intent.open, intent.paused.size, intent.skipped(view).size]).toEqual([[], 0, 0]);
  });

  it('shows what another process asked for, until it has ended', async () => {
    const here = operations();
    await here.readIntent();
    await requests.ask({ kind: 'rebuild', id: 'r1', view, segments: 2, hold: true });
    await requests.ask({ kind: 'refold', id: 'f1', view, documents: 'parked', parkedOnly: true });
    expect((await here.readIntent()).open).toMatchObject([
      { kind: 'rebuild', id: 'r1', view, segments: 2, hold: true },
      { kind: 'refold', id: 'f1', view, documents: 'parked', parkedOnly: true },
    ]);
    await operations().end('r1', ending);
    expect((await here.readIntent()).open).toMatchObject([{ id: 'f1' }]);
  });

  it('writes down once what came of an operation, whoever says it', async () => {
    await requests.ask({ kind: 'rollback', id: 'b1', view });
    const [one, other] = [operations(), operations()];
    await Promise.all([one.end('b1', ending), other.end('b1', { ...ending, result: 'failed' })]);
    await one.end('b1', ending);
    await one.end('unknown', ending);
    expect(await events()).toEqual([
      'rollback.requested by operator assay',
      'operation.ended by system conductor',
    ]);
  });

  it('writes down once that another generation serves', async () => {
    const promotion = { view, from: 'signal.v1.g1', to: 'signal.v1.g2', operation: null };
    await operations().promoted(promotion);
    await operations().promoted(promotion);
    expect(await events()).toEqual(['generation.promoted by system conductor']);
  });

  it('answers the very same while nothing is asked, and sets that stay while no event of theirs is skipped', async () => {
    await requests.skip({ view, eventId: 'e1', documentId: null, reason: 'Faulty.' });
    const here = operations();
    const first = await here.readIntent();
    const skipped = first.skipped(view);
    expect(await here.readIntent()).toBe(first);
    await requests.pause('members');
    await requests.skip({ view: 'roles', eventId: 'e1', documentId: null, reason: 'Faulty.' });
    const second = await here.readIntent();
    expect([...second.paused]).toEqual(['members']);
    expect(second.skipped(view)).toBe(skipped);
    expect([...second.skipped('roles')]).toEqual(['e1']);
    await requests.skip({ view, eventId: 'e2', documentId: 'd1', reason: 'Faulty.' });
    expect([...(await here.readIntent()).skipped(view)]).toEqual(['e1', 'e2']);
  });

  it('keeps its sets where a conflict makes it fold the stream from its beginning', async () => {
    await requests.skip({ view, eventId: 'e1', documentId: null, reason: 'Faulty.' });
    const here = operations();
    const skipped = (await here.readIntent()).skipped(view);
    await requests.pause('members');
    await here.promoted({ view, from: 'signal.v1.g1', to: 'signal.v1.g2', operation: null });
    expect((await here.readIntent()).skipped(view)).toBe(skipped);
  });

  it('reads no more than the stream’s end, however long it has been', async () => {
    const read = new MemoryEventStore(store);
    const from: (number | undefined)[] = [];
    const { readStream } = read;
    read.readStream = (stream, options) => {
      from.push(options?.from);
      return readStream.call(read, stream, options);
    };
    const codec = createCodec(eventRegistry, new Sealer(new MemoryVault()));
    const here = new StreamOperations(new CommandStreams(read, codec));
    await requests.pause(view);
    await requests.resume(view);
    await here.readIntent();
    await requests.pause(view);
    await here.readIntent();
    from.length = 0;
    await here.readIntent();
    expect(from.length).toBeGreaterThan(0);
    expect(from.every((revision) => revision === 3)).toBe(true);
  });
});
