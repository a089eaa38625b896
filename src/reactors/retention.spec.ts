import { describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { retention } from '../../projections/retention.js';
import { leasesOf, takeAway } from '../../test/support/alone.js';
import { personWithKey } from '../../test/support/encoded-events.js';
import { eventuallyHolds } from '../../test/support/eventually.js';
import { foldedReader } from '../../test/support/folded-reader.js';
import { foldView, storedEvents, type Given } from '../../test/support/given-view.js';
import { NOW, after } from '../../test/support/given-when-then.js';
import { MemoryEventStore } from '../../test/support/memory-event-store.js';
import { openMemoryReadStore } from '../../test/support/memory-read-store.js';
import { EraseCandidate, EraseCandidateHandler } from '../application/applications/erase-candidate.js';
import { createCodec } from '../core/codec.js';
import { CommandContexts, type CommandContext } from '../core/command-context.js';
import { accept, type Decider } from '../core/decider.js';
import { CommandStreams, type Handled } from '../core/handle.js';
import { KeyedHasher } from '../core/keyed-hash.js';
import { Sealer } from '../core/sealing.js';
import type { PersonId } from '../core/vault/port.js';
import { outcome } from '../domain/application/decider.js';
import { candidate, type CandidateState, eraseCandidate } from '../domain/candidate/decider.js';
import { eventRegistry } from '../domain/event-registry.js';
import { operator, type PreRestoreMails } from '../domain/operations/decider.js';
import { organisation as organisationDecider } from '../domain/organisation/decider.js';
import { trial } from '../domain/session/state.js';
import { silentLog } from '../engine/log.js';
import type { PageQuery, ViewReader } from '../engine/reads/reads.js';
import type { AnyView } from '../engine/view.js';
import { eraseCandidates } from './reactions.js';
import { eraseDue, OverdueErasure, startRetention } from './retention.js';

const DAY = 86_400_000;
const organisation = (organisationId: string, retentionDays: number | null): Given => ({
  type: 'organisation.created',
  data: { organisationId, name: organisationId, recordAudio: false, retentionDays },
});
const idle = (organisationId: string, candidateId: string, days: number): readonly Given[] => {
  const data = { organisationId, candidateId, trialSessionId: `t-${candidateId}` };
  return [
    { type: 'candidate.invited', data, at: after(-99 * DAY) },
    { type: 'trial.withdrawn', data, at: after(-days * DAY), id: `end-${candidateId}` },
  ];
};

/** What a look needs, over views of these events. @param act erases somebody */
const over = (given: readonly Given[], act: (candidateId: string) => Promise<void>, inDoubt = false) => {
  const events = storedEvents(given);
  const reader = foldedReader(events);
  const causes: string[] = [];
  const page = async (view: AnyView, query: PageQuery) => {
    const found = await reader.page(view, query);
    const keys = foldView(view, events);
    // What the reader of a store does by itself.
    const upTo = query.upTo ?? '~';
    const within = found.items.filter(({ id }) => (keys.get(id)?.keys[query.index]?.at(-1) ?? '') <= upTo);
    return { ...found, items: within };
  };
  const contexts = {
    forReaction: (name: string, cause: string) => {
      causes.push(`${name} ${cause}`);
      return {} as CommandContext;
    },
  } as unknown as CommandContexts;
  const execute = async (
    _: CommandContext,
    __: string,
    candidateId: string,
  ): Promise<Handled<CandidateState>> => {
    await act(candidateId);
    return { kind: 'done' } as Handled<CandidateState>;
  };
  const options = {
    erasure: { execute },
    contexts,
    reader: { page } as never,
    leases: {} as never,
    log: silentLog,
    timekeeper: { nowIfTrusted: async () => (inDoubt ? null : new Date(NOW)) },
  };
  return { options, causes };
};

/** Looks once. @returns who was to be erased, and by which ids */
const look = async (given: readonly Given[], fails: readonly string[] = [], inDoubt = false) => {
  const erased: string[] = [];
  const act = async (candidateId: string): Promise<void> => {
    if (fails.includes(candidateId)) throw new Error('The vault is away.');
    erased.push(candidateId);
  };
  const { options, causes } = over(given, act, inDoubt);
  const failure = await eraseDue(options).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
  return { erased, causes, failure };
};

describe('a process that erases what is due', () => {
  it.each(['it is stopped', 'its lease is another process’s'])(
    'begins on nobody further once %s',
    async (loss) => {
      const { leases: store } = openMemoryReadStore();
      const leases = leasesOf({ leases: store }, { leaseTimings: { renewMs: 20, deadMs: 150 } });
      const begun: string[] = [];
      let finish = (): void => undefined;
      const held = new Promise<void>((resolve) => (finish = resolve));
      const given = [organisation('o30', 30), organisation('o5', 5)];
      for (const id of ['c1', 'c2', 'c3']) given.push(...idle('o30', id, 31), ...idle('o5', `${id}-5`, 31));
      const { options } = over(given, (candidateId) => (begun.push(candidateId), held));
      const running = startRetention({ ...options, leases, everyMs: 20 });
      await eventuallyHolds(() => begun.length === 1);
      let giveBack = async (): Promise<void> => undefined;
      let stopping = Promise.resolve();
      if (loss === 'it is stopped') stopping = running.stop();
      else giveBack = await takeAway(store, 'retention', leases);
      finish();
      await stopping;
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(begun).toHaveLength(1);
      await giveBack();
      if (loss !== 'it is stopped') await eventuallyHolds(() => begun.length >= 7);
      await running.stop();
      await leases.stop();
    },
  );
});

describe('a look at what is due', () => {
  const given = [
    organisation('o30', 30),
    organisation('o5', 5),
    organisation('kept', null),
    ...idle('o30', 'c1', 31),
    ...idle('o30', 'c2', 29),
    ...idle('o5', 'c3', 6),
    ...idle('kept', 'c4', 90),
  ];

  it('comes to whoever is due by their own organisation’s setting, by an id made of what happened last', async () => {
    const { erased, causes, failure } = await look(given);
    expect(erased.sort()).toEqual(['c1', 'c3']);
    expect(causes.sort()).toEqual(['retention end-c1', 'retention end-c3']);
    expect(failure).toBeNull();
  });

  it('lets one who cannot be erased hold up nobody, and says so', async () => {
    const { erased, failure } = await look(given, ['c1']);
    expect([erased, failure]).toEqual([['c3'], 'The vault is away.']);
  });

  it('erases nobody while the clock may be wrong', async () => {
    expect((await look(given, [], true)).erased).toEqual([]);
  });

  it('erases nobody further once the clock may be wrong', async () => {
    const erased: string[] = [];
    const { options } = over(given, async (candidateId) => void erased.push(candidateId));
    let asked = 0;
    // Asked for each organisation and each candidate: before the second one of these it is in doubt.
    const nowIfTrusted = async () => (++asked < 4 ? new Date(NOW) : null);
    await eraseDue({ ...options, timekeeper: { nowIfTrusted } });
    expect([erased.length, asked]).toEqual([1, 4]);
  });

  it('reads nothing of a further organisation once the process stops', async () => {
    const { options } = over([organisation('o30', 30), organisation('o5', 5)], async () => undefined);
    const read: string[] = [];
    const { page } = options.reader as Pick<ViewReader, 'page'>;
    const counting: typeof page = (view, query) => {
      read.push(view.name);
      return page(view, query);
    };
    await eraseDue({ ...options, reader: { page: counting } }, () => read.length < 2);
    expect(read).toEqual(['organisations', 'retention']);
  });

  it('lists nobody whose session is open', () => {
    const [invited] = idle('o30', 'c1', 31);
    expect(foldView(retention, storedEvents([invited!])).get('c1')?.keys).toEqual({});
  });
});

describe('an erasure', () => {
  const ORGANISATION = randomUUID();
  const ids = (candidateId: PersonId) => ({
    ...{ organisationId: ORGANISATION, roleId: 'r', candidateId, applicationId: 'a', trialSessionId: 't' },
  });

  /** An organisation that keeps data for 30 days, and a candidate whose session ended 31 days ago. */
  const kept = async () => {
    const { vault, person } = await personWithKey();
    const streams = new CommandStreams(new MemoryEventStore(), createCodec(eventRegistry, new Sealer(vault)));
    let now = new Date(after(-31 * DAY));
    const contexts = new CommandContexts(new KeyedHasher(randomBytes(32)), () => now);
    const submit = async (decider: Decider<never, never>, id: string, event: object): Promise<void> => {
      const context = contexts.forSystem({ type: 'system', id: 'test' }, 'correlation');
      await streams.handle(decider, id, context, () => accept(event as never));
    };
    const own = { person, personal: null };
    await submit(organisationDecider as never, ORGANISATION, {
      ...{ type: 'organisation.created', person: null, personal: null },
      data: { organisationId: ORGANISATION, name: 'Example', recordAudio: false, retentionDays: 30 },
    });
    await submit(candidate as never, person, {
      ...{ type: 'candidate.invited', person, personal: { email: 'carol@example.org' } },
      data: ids(person),
    });
    await submit(trial as never, 't', {
      ...{ ...own, type: 'trial.withdrawn' },
      data: {
        ...ids(person),
        sequenceNumber: 1,
        by: 'candidate',
        opening: { roleVersion: 1, role: {}, invitedAt: NOW },
      },
    });
    now = new Date(NOW);
    return { vault, person, streams, contexts };
  };

  const none = { prepare: async () => () => undefined };

  it('at the end of the retention period is told once, also if it is finished again', async () => {
    const { streams, contexts, vault, person } = await kept();
    let told = 0;
    const notices = {
      prepare: async () => () => {
        told += 1;
      },
    };
    const erasure = new OverdueErasure(streams, vault, notices);
    for (const cause of ['one', 'another'])
      await erasure.execute(contexts.forReaction('retention', cause, 'c'), ORGANISATION, person);
    expect(told).toBe(1);
  });

  type Rig = Awaited<ReturnType<typeof kept>>;
  it.each<readonly [string, (rig: Rig) => Promise<Handled<CandidateState>>]>([
    [
      'by staff',
      ({ streams, contexts, vault, person }) =>
        new EraseCandidateHandler(streams, contexts, vault, none).execute(
          new EraseCandidate(contexts.forSystem({ type: 'staff', id: 's' }, 'c'), { candidateId: person }),
        ),
    ],
    [
      'at the end of the retention period',
      ({ streams, contexts, vault, person }) =>
        new OverdueErasure(streams, vault, none).execute(
          contexts.forReaction('retention', 'event', 'c'),
          ORGANISATION,
          person,
        ),
    ],
    [
      'by the reactor that finishes one',
      async ({ streams, contexts, vault, person }) => {
        const context = contexts.forReaction('test', 'event', 'c');
        const handled = await streams.handle(candidate, person, context, (state) =>
          eraseCandidate(state, { cause: 'staff' }),
        );
        await eraseCandidates({ streams, vault }, contexts).act({
          ...{ id: person, document: { requested: true } },
        } as never);
        return handled;
      },
    ],
  ])('%s has destroyed the key when it is answered, also if only the event was there', async (_, erase) => {
    const rig = await kept();
    const away = jest.spyOn(rig.vault.keys, 'erase').mockRejectedValueOnce(new Error('The vault is away.'));
    await expect(erase(rig)).rejects.toThrow('The vault is away.');
    expect(rig.vault.known.get(rig.person)).toMatchObject({ kind: 'key' });
    expect(await erase(rig)).toMatchObject({ kind: 'done', state: { erased: true } });
    expect(rig.vault.known.get(rig.person)).toEqual({ kind: 'erased' });
    expect(away).toHaveBeenCalledTimes(2);
  });
});

describe('An erasure that may have been made and told before a restore', () => {
  /**
   * Retains a candidate whose session ended so many days ago, for 30 days.
   * @returns how often the candidate was mailed
   */
  const told = async (days: number, preRestoreMails: PreRestoreMails | null): Promise<number> => {
    const states = new Map<string, unknown>([
      [operator.kind, { ...operator.initial, preRestoreMails }],
      [organisationDecider.kind, { retentionDays: 30 }],
      [trial.kind, { endedAt: after(-days * DAY) }],
      [outcome.kind, { changedAt: null }],
      [candidate.kind, { invitations: [{ trialSessionId: 't', applicationId: 'a' }], erased: false }],
    ]);
    const state = states.get(candidate.kind) as CandidateState;
    const streams = {
      read: ({ kind }: { readonly kind: string }) => Promise.resolve({ state: states.get(kind) }),
      handle: async (_: unknown, __: unknown, ___: unknown, decide: (one: CandidateState) => unknown) => {
        const { kind } = (await decide(state)) as { readonly kind: string };
        expect(kind).toBe('accepted');
        return { kind: 'done', changed: true, state: { ...state, erased: true } };
      },
    };
    let times = 0;
    const vault = { keys: { erase: () => Promise.resolve() } };
    const notices = { prepare: () => Promise.resolve(() => (times += 1)) };
    const erasure = new OverdueErasure(streams as never, vault as never, notices);
    await erasure.execute({ now: new Date(NOW) } as CommandContext, 'o', 'c');
    return times;
  };

  it('is not told again by mail: one that was due by then, if the mails are not released', async () => {
    const until = after(-5 * DAY);
    expect(await told(40, null)).toBe(1);
    expect(await told(40, { until, are: 'held' })).toBe(0);
    expect(await told(40, { until, are: 'sent' })).toBe(0);
    expect(await told(32, { until, are: 'held' })).toBe(1);
  });
});
