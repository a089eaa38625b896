import { describe, expect, it } from '@jest/globals';
import { retention } from '../../projections/retention.js';
import { foldedReader } from '../../test/support/folded-reader.js';
import { foldView, storedEvents, type Given } from '../../test/support/given-view.js';
import { NOW, after } from '../../test/support/given-when-then.js';
import type { CommandContext, Handled } from '../core/handle.js';
import type { CommandContexts } from '../core/command-context.js';
import { silentLog } from '../engine/log.js';
import type { PageQuery } from '../engine/reads.js';
import type { AnyView } from '../engine/view.js';
import type { CandidateState } from '../domain/candidate/decider.js';
import { eraseDue } from './retention.js';

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

/** Looks once, over views of these events. @returns who was to be erased, and by which ids */
const look = async (given: readonly Given[], fails: readonly string[] = [], inDoubt = false) => {
  const events = storedEvents(given);
  const reader = foldedReader(events);
  const erased: string[] = [];
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
    if (fails.includes(candidateId)) throw new Error('The vault is away.');
    erased.push(candidateId);
    return { kind: 'done' } as Handled<CandidateState>;
  };
  const options = {
    erasure: { execute },
    contexts,
    reader: { page } as never,
    leases: {} as never,
    log: silentLog,
    timekeeper: { now: async () => (inDoubt ? null : new Date(NOW)) },
  };
  const failure = await eraseDue(options).then(
    () => null,
    (error: unknown) => (error as Error).message,
  );
  return { erased, causes, failure };
};

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

  it('lists nobody whose session is open', () => {
    const [invited] = idle('o30', 'c1', 31);
    expect(foldView(retention, storedEvents([invited!])).get('c1')?.keys).toEqual({});
  });
});
