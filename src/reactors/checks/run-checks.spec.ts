import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { pendingChecks } from '../../../projections/pending-checks.js';
import { leasesOf, startProjector, startReactor } from '../../../test/support/alone.js';
import { eventsOf, sha, type Step } from '../../../test/support/completed-session.js';
import { metadata } from '../../../test/support/encoded-events.js';
import { foldView } from '../../../test/support/given-view.js';
import { after, NOW } from '../../../test/support/given-when-then.js';
import { ids, person } from '../../../test/support/invited-session.js';
import { MemoryEventStore } from '../../../test/support/memory-event-store.js';
import { MemoryDatabase, openMemoryReadStore } from '../../../test/support/memory-read-store.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { markingSealer } from '../../../test/support/projection-rig.js';
import {
  type Checker,
  type CheckFiles,
  type CheckRequest,
  noChecker,
} from '../../clients/checker/checker.js';
import { type Codec, createCodec } from '../../core/codec.js';
import { CommandContexts } from '../../core/command-context.js';
import { refuse } from '../../core/decider.js';
import { VaultUnavailable } from '../../core/errors.js';
import { START, streamName } from '../../core/event-store.js';
import type { AnyEvent } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { Sealer } from '../../core/sealing.js';
import { evidenceKeys } from '../../core/signing.js';
import { evaluationDecider, requestRegeneration } from '../../domain/evaluation/decider.js';
import { checksToRepeat } from '../../domain/evaluation/late-work-decider.js';
import { eventRegistry } from '../../domain/event-registry.js';
import type { CheckedTest } from '../../domain/session/check-events.js';
import { trial } from '../../domain/session/state.js';
import { type FileSet, NO_WORK, type TicketChecks } from '../../domain/ticket/events.js';
import { createViewReader } from '../../engine/reads/reads.js';
import { lateEvidence } from '../../scoring/evidence/evidence.js';
import { Attempts } from '../attempts.js';
import { CheckRun, startRunSweep } from './check-run.js';
import { runChecks } from './run-checks.js';

const MINUTE = 60_000;

type ReadRequest = CheckRequest & CheckFiles;

const setOf = (name: string): FileSet => ({
  ...{ id: name, name, bytes: 1, sha256: sha(1), files: [] },
  treeSha256: name.padEnd(64, '0'),
});
const checksOf = (ticketId: string): TicketChecks => ({
  visible: ticketId === 'V' ? setOf('visible') : null,
  hidden: setOf('hidden'),
  slug: ticketId.toLowerCase(),
  isolation: 'separate',
});
const test = (name: string, status: CheckedTest['status'] = 'pass'): CheckedTest => ({
  ...{ name, status, message: null },
});

describe('the reactor of checks', () => {
  let vault: MemoryVault;
  let log: MemoryEventStore;
  let codec: Codec;
  let streams: CommandStreams;
  let contexts: CommandContexts;
  /** What the checker does. */
  let run: (request: ReadRequest, signal: AbortSignal) => ReturnType<Checker['run']>;
  let requests: ReadRequest[];
  /** How many requests there had been at each sweep. */
  let sweeps: number[];
  let now: string;

  beforeEach(async () => {
    vault = new MemoryVault();
    await vault.keys.create(person);
    log = new MemoryEventStore();
    codec = createCodec(eventRegistry, new Sealer(vault), evidenceKeys(Buffer.alloc(32, 1)).signer);
    streams = new CommandStreams(log, codec);
    contexts = new CommandContexts(await KeyedHasher.of(vault));
    requests = [];
    sweeps = [];
    now = NOW;
    run = async ({ checks }) => says([test(String(checks[0]?.path))]);
    for (const ticketId of ['V', 'H']) {
      const content = { title: ticketId, description: null, links: [], estimatedMinutes: null };
      const data = {
        organisationId: 'o',
        ticketId,
        content: { ...content, ...NO_WORK, kind: 'files', checks: checksOf(ticketId) },
      };
      const types = ['ticket.created', 'ticket.updated', 'ticket.updated'];
      await append(
        'ticket',
        ticketId,
        types.map((type) => ({ type, data, person: null, personal: null })),
      );
    }
  });

  const says = (tests: readonly CheckedTest[]) =>
    ({
      outcome: 'checked',
      tests,
      output: 'Done.',
      ms: 5,
      runner: { name: 'command', digest: 'd' },
    }) as const;
  const append = async (kind: string, id: string, events: readonly AnyEvent[]) => {
    const { encoded } = await codec.encode(events, { ...metadata, recordedAt: NOW }, { previousHash: null });
    await log.append(streamName(kind, id), 'no-stream', encoded);
  };
  const session = (...steps: readonly Step[]) => append('trial', 't', eventsOf(steps));

  const files = { files: [] };
  const trees = {
    work: async (): Promise<object> => ({ files: [{ path: 'work', content: Buffer.from('work') }] }),
    set: async (name: string): Promise<object> => ({ files: [{ path: name, content: Buffer.from(name) }] }),
  };
  /** A process as far as checks go. @param checker what it is configured with */
  const startProcess = (checker?: Checker) => {
    const own = new CommandStreams(log, codec);
    const attempts = new Attempts(own, () => new Date(now));
    const ends = new AbortController();
    const counts = { checked: 0, error: 0 };
    const seen: Checker = {
      run: async (request, signal) => {
        const read = { ...request, ...(await request.files()) };
        requests.push(read);
        return run(read, signal);
      },
      sweep: async () => void sweeps.push(requests.length),
    };
    const checkRun = new CheckRun(
      own,
      { tree: async () => ({ ...files, ...(await trees.work()) }) },
      { tree: async (_, { name }) => ({ ...files, ...(await trees.set(name)) }) },
      checker ?? seen,
    );
    const reactor = runChecks({
      ...{ streams: own, contexts, vault, attempts, counts, run: checkRun, atOnce: 2 },
      giveUpMs: 30 * MINUTE,
      timekeeper: { nowIfTrusted: async () => new Date(now) },
      clock: () => new Date(now),
    });
    return { reactor, attempts, counts, ends };
  };
  /** What the session waits for by the log as it is. */
  const document = async () => {
    const events = [...(await streams.events(trial, 't')), ...(await streams.events(evaluationDecider, 'e'))];
    const folded = foldView(pendingChecks, events).get('t');
    return folded && !folded.removed ? folded.document : null;
  };
  const act = async (within = startProcess(), found = document()) => {
    const listed = await found;
    const { reactor, ends } = within;
    if (listed) await reactor.act({ id: 't', position: START, document: listed }, new Date(now), ends.signal);
    return within;
  };
  /** Until nothing waits any more. */
  const actAll = async (within = startProcess()) => {
    while ((await document())?.waiting.length) await act(within);
    return within;
  };
  const results = async () =>
    [...(await streams.events(trial, 't')), ...(await streams.events(evaluationDecider, 'e'))].flatMap(
      (event) => (event.type === 'work.checked' || event.type === 'evaluation.work_checked' ? [event] : []),
    );

  const open: readonly Step[] = [{ begins: 1, of: 'V' }, { arrives: 1 }];
  const closed: readonly Step[] = [...open, { begins: 2, of: 'H' }, { arrives: 2 }, 'completes'];

  it('runs the visible checks of a hand-in while the session is open, and stores what they said there', async () => {
    await session(...open);
    run = async () => says([test('adds'), test('subtracts', 'fail')]);
    const { counts } = await actAll();
    expect(requests).toMatchObject([{ slug: 'v', isolation: 'separate', checks: [{ path: 'visible' }] }]);
    expect(await results()).toMatchObject([
      {
        type: 'work.checked',
        data: {
          ...{ handInId: 'h1', ticketId: 'V', scope: 'visible', outcome: 'checked', reason: null },
          ...{ checks: { visible: setOf('visible').treeSha256, hidden: null } },
          ...{ visible: { passed: 1, failed: 1, errors: 0 }, hidden: { passed: 0, failed: 0, errors: 0 } },
        },
        personal: { output: 'Done.', tests: [{ name: 'adds', hidden: false }, { name: 'subtracts' }] },
      },
    ]);
    expect(counts).toEqual({ checked: 1, error: 0 });
  });

  it('runs all checks after the completion, one set after the other, and stores them with the evaluation', async () => {
    await session(...closed);
    await actAll();
    expect(requests.map(({ checks }) => checks[0]?.path)).toEqual(['visible', 'hidden', 'hidden']);
    const [first, second] = await results();
    expect(first).toMatchObject({
      type: 'evaluation.work_checked',
      data: { handInId: 'h1', scope: 'all', generation: 1, visible: { passed: 1 }, hidden: { passed: 1 } },
    });
    expect(second).toMatchObject({ data: { handInId: 'h2', visible: { passed: 0 }, hidden: { passed: 1 } } });
    const completion = (await streams.events(trial, 't')).at(-1)!;
    const number = 'sequenceNumber' in completion.data ? completion.data.sequenceNumber : 0;
    expect((await results()).map(({ data }) => data.sequenceNumber)).toEqual([number + 1, number + 2]);
    expect(first!.chain!.previousHash).toBe(completion.chain!.hash);
    expect(second!.chain!.previousHash).toBe(first!.chain!.hash);
    expect(lateEvidence(first as never)).toMatchObject({ eventType: 'work.checked', source: 'checker' });
  });

  it('ends a check at once where there is no checker, without reading any work', async () => {
    await session(...closed);
    trees.work = () => Promise.reject(new Error('It was read.'));
    const { counts } = await actAll(startProcess(noChecker));
    for (const { data } of await results())
      expect(data).toMatchObject({ outcome: 'error', reason: 'no_checker', visible: { passed: 0 } });
    expect(counts).toEqual({ checked: 0, error: 2 });
    trees.work = async () => ({ files: [{ path: 'work', content: Buffer.from('work') }] });
  });

  it('makes an error of one set an error of all, and runs no further', async () => {
    await session(...open, 'completes');
    run = async () => ({
      ...{ outcome: 'error', reason: 'unreadable_results', detail: 'At line 1.', output: 'x', ms: 5 },
      runner: { name: 'command', digest: 'd' },
    });
    await actAll();
    expect(requests).toHaveLength(1);
    expect(await results()).toMatchObject([
      { data: { outcome: 'error', reason: 'unreadable_results' }, personal: { detail: 'At line 1.' } },
    ]);
  });

  it('records one result, though several processes run the same check and a list is behind', async () => {
    await session(...open);
    const before = document();
    await Promise.all([act(startProcess(), before), act(startProcess(), before)]);
    await act(startProcess(), before);
    expect(await results()).toHaveLength(1);
    expect(requests.length).toBeLessThanOrEqual(2);
  });

  it('tries again what cannot be read now, and gives it up once it was tried for 30 minutes', async () => {
    await session(...open, 'completes');
    const { work } = trees;
    trees.work = () => Promise.reject(new VaultUnavailable('Gone.'));
    const living = startProcess();
    now = after(29 * MINUTE);
    await expect(act(living)).rejects.toThrow('Gone.');
    expect(await results()).toEqual([]);
    now = after(31 * MINUTE);
    await act(living);
    expect(await results()).toMatchObject([{ data: { outcome: 'error', reason: 'given_up' } }]);
    trees.work = work;
  });

  it('runs a check that nothing has tried, however long ago it was asked for', async () => {
    await session(...open, 'completes');
    now = after(600 * MINUTE);
    await actAll();
    expect(await results()).toMatchObject([{ data: { outcome: 'checked' } }]);
  });

  it('counts a machine that is too busy to unpack as one that tries again', async () => {
    await session(...open);
    const { work } = trees;
    trees.work = async () => refuse<'work_refused'>('work_refused', 'Busy.');
    await expect(act()).rejects.toThrow('cannot be unpacked now');
    trees.work = work;
    await actAll();
    expect(await results()).toHaveLength(1);
  });

  it('does not store what comes too late: the completion has asked for all checks then', async () => {
    await session(...open);
    const stale = document();
    const events = eventsOf([...open, 'completes']);
    run = async () => {
      const last = events.slice(-1);
      const { chain } = (await streams.events(trial, 't')).at(-1)!;
      const { encoded } = await codec.encode(last, metadata, { previousHash: chain!.hash });
      await log.append(streamName('trial', 't'), events.length - 2, encoded);
      run = async () => says([test('adds')]);
      return says([test('adds')]);
    };
    await act(startProcess(), stale);
    expect(await results()).toEqual([]);
    await actAll();
    expect((await results()).map(({ data }) => data.scope)).toEqual(['all']);
  });

  it.each(['before it begins', 'while it runs'])(
    'stores nothing of a candidate who is erased %s',
    async (when) => {
      await session(...closed);
      run = async (_, signal) => {
        await vault.keys.erase(person);
        while (!signal.aborted) await sleep(5);
        throw signal.reason;
      };
      const found = document();
      await found;
      if (when === 'before it begins') await vault.keys.erase(person);
      await act(startProcess(), found);
      expect(await streams.events(evaluationDecider, 'e')).toEqual([]);
      expect(requests).toHaveLength(when === 'while it runs' ? 1 : 0);
    },
  );

  it('ends a run by its signal: it stores nothing, and has ended no process', async () => {
    await session(...open);
    for (let count = 0; count < 5; count++) {
      const living = startProcess();
      run = async (_, signal) => {
        living.ends.abort();
        expect(signal.aborted).toBe(true);
        throw signal.reason;
      };
      await expect(act(living)).rejects.toThrow();
      expect(await results()).toEqual([]);
    }
    run = async () => says([test('adds')]);
    await actAll();
    expect(await results()).toMatchObject([{ data: { outcome: 'checked' } }]);
  });

  it('runs one check at a time and each to one result, while two processes lose the lease to each other', async () => {
    let running = 0;
    const most = { running: 0, begun: 0 };
    run = async ({ checks }, signal) => {
      most.running = Math.max(most.running, ++running);
      most.begun++;
      try {
        await sleep(150, undefined, { signal });
        return says([test(String(checks[0]?.path))]);
      } finally {
        running--;
      }
    };
    const database = new MemoryDatabase();
    const processes = ['first', 'second'].map((owner) => {
      const readStore = openMemoryReadStore(database);
      const leases = leasesOf(readStore, { owner, leaseTimings: { renewMs: 10, deadMs: 1_000 } });
      const projector = startProjector({
        ...{ eventStore: log, readStore, codec, leases, owner },
        ...{ views: [pendingChecks], sealer: markingSealer },
      });
      const reactor = startReactor({
        ...startProcess().reactor,
        ...{ readStore, leases, installedAt: async () => START, pollMs: 10, retry: { baseMs: 5, capMs: 10 } },
        reader: createViewReader({ eventStore: log, readStore, sealer: markingSealer }),
      });
      return { leases, stop: [reactor, projector, leases] };
    });
    await session(...closed);
    for (let time = 1; (await results()).length < 2 && time < 160; time++) {
      // Most of the time too early for a run to end.
      await sleep(time % 4 === 0 ? 1_000 : 60);
      const holder = processes.find(({ leases }) => leases.holds('reactor.run-checks'));
      await holder?.leases.giveUp('reactor.run-checks', 20);
    }
    for (const { stop } of processes) for (const one of stop) await one.stop();
    expect((await results()).map(({ data }) => [data.handInId, data.outcome])).toEqual([
      ['h1', 'checked'],
      ['h2', 'checked'],
    ]);
    expect(most.running).toBe(1);
    expect(most.begun).toBeGreaterThan(3);
  });

  it('ends a check that has ended three processes, with the reason, and runs it no more', async () => {
    await session(...open, 'completes');
    for (let count = 0; count < 3; count++)
      await new Promise<void>((begun) => {
        run = () => {
          begun();
          return new Promise(() => undefined);
        };
        void act();
      });
    // What the first two left was swept before the check ran again.
    expect(sweeps).toEqual([1, 2]);
    requests = [];
    run = async () => says([test('adds')]);
    await actAll();
    expect(requests).toEqual([]);
    expect(sweeps).toEqual([1, 2, 0]);
    expect(await results()).toMatchObject([{ data: { outcome: 'error', reason: 'ended_processes' } }]);
  });

  it('runs checks again for a new generation that asks for it, and only then', async () => {
    await session(...closed);
    await actAll();
    const { state } = await streams.read(trial, 't');
    const failed = {
      type: 'evaluation.failed',
      data: { ...ids, evaluationId: 'e', generation: 1, head: { sequenceNumber: 7, hash: null } },
      ...{ person, personal: { failure: 'It said nothing.' } },
    } as const;
    const system = () => contexts.forSystem({ type: 'system', id: 'test' }, 'test');
    await streams.handle(evaluationDecider, 'e', system(), () => ({ kind: 'accepted', events: [failed] }));
    await streams.handle(evaluationDecider, 'e', system(), (current) =>
      requestRegeneration(current, { begun: true, checks: checksToRepeat(current, state!) }),
    );
    run = async () => says([test('adds', 'fail')]);
    await actAll();
    expect(
      (await results()).map(({ data }) => [data.handInId, data.hidden.passed, data.hidden.failed]),
    ).toEqual([
      ...[
        ['h1', 1, 0],
        ['h2', 1, 0],
      ],
      ...[
        ['h1', 0, 1],
        ['h2', 0, 1],
      ],
    ]);
  });
});

describe('what killed processes left of check runs', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is ended at once and at each interval, until the process stops', async () => {
    let sweeps = 0;
    // An interval that no other suite of this worker has: all of one interval share a timer.
    const sweeping = startRunSweep({ sweep: () => Promise.resolve(void (sweeps += 1)) }, 7 * MINUTE);
    expect(sweeps).toBe(1);
    jest.advanceTimersByTime(7 * MINUTE - 1);
    expect(sweeps).toBe(1);
    jest.advanceTimersByTime(7 * MINUTE + 1);
    expect(sweeps).toBe(3);
    await sweeping.stop();
    jest.advanceTimersByTime(14 * MINUTE);
    expect(sweeps).toBe(3);
  });
});
