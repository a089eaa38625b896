import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApplicationDocument,
  APPLICATION_STATUSES,
  applications,
  type ApplicationStatus,
  OUTCOME_STATUSES,
} from '../../projections/applications.js';
import { contests } from '../../projections/contests.js';
import { EVALUATION_STATUSES, type EvaluationDocument, evaluations } from '../../projections/evaluations.js';
import { pendingEvaluations } from '../../projections/pending-evaluations.js';
import {
  applicationOrders,
  type ApplicationFilter,
  type ApplicationOrder,
  ApplicationLists,
  WAITING_APPLICATIONS,
  type WaitingApplication,
} from '../../src/api/applications/lists.js';
import { StaffApplications } from '../../src/api/applications/staff-applications.js';
import {
  evaluationOrders,
  type EvaluationFilter,
  type EvaluationOrder,
  WAITING_EVALUATIONS,
  EvaluationSummaries,
} from '../../src/api/evaluations/summaries.js';
import type { EvaluationReadRecorder } from '../../src/application/evaluations/read-recorder.js';
import type { ListQuery } from '../../src/application/reads.js';
import { Reads } from '../../src/application/reads.js';
import type { EventStore, LogId } from '../../src/core/event-store.js';
import type { CommandStreams } from '../../src/core/handle.js';
import { KeyedHasher } from '../../src/core/keyed-hash.js';
import type { PersonId } from '../../src/core/vault/port.js';
import { keysOf } from '../../src/engine/fold/folding.js';
import type { ViewReader } from '../../src/engine/reads/reads.js';
import { ConsistencyTokens } from '../../src/engine/reads/tokens.js';
import type { AnyView } from '../../src/engine/view.js';
import { BadCursor } from '../../src/stores/errors.js';
import type { GenerationName, Json, ReadStore, ViewCollection } from '../../src/stores/read-store.js';
import { at, document, type ReadStoreUnderTest, write } from './read-store.js';

const ROLES = ['r0', 'r1'];
const NAMES = ['Backend engineer', 'BACKEND lead', 'Back office', 'Zoë', 'Long '.repeat(40)];
const TRIALS = ['invited', 'started', 'interrupted', 'completed', 'withdrawn', 'expired'] as const;
const PEOPLE = ['ada', 'bob', 'eve'];
const FRESH = { consistencyToken: null };

/** Lists read views alone. */
const NO_STREAMS = null as unknown as CommandStreams;

const timeOf = (n: number): string => new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString();
const pick = <T>(from: readonly T[], n: number): T => from[n % from.length]!;

const outcomeOf = (humanRound: 'passed' | 'failed' | null, disposition: 'hired' | 'declined' | null) => ({
  ...{ humanRound, disposition, recordedAt: timeOf(0), recordedBy: 'olga' },
});
const OUTCOMES = [
  null,
  outcomeOf('passed', null),
  outcomeOf('failed', null),
  outcomeOf('passed', 'hired'),
  outcomeOf('passed', 'declined'),
  outcomeOf(null, 'declined'),
  null,
];
const ALWAYS = { from: null, to: null };
const RANGES = [ALWAYS, { from: timeOf(30), to: null }, { from: timeOf(10), to: timeOf(30) }];

/** Applications of two organisations, of all statuses, whose fields go together in no pattern. */
const applied = Array.from({ length: 90 }, (_, n): ApplicationDocument => {
  const organisationId = n % 9 === 0 ? 'other' : 'o';
  const id = `a${String(n).padStart(3, '0')}`;
  return {
    ...applications.initial(id),
    organisationId,
    candidateId: `${organisationId}-${pick(PEOPLE, n * 7)}`,
    trialSessionId: `t${n}`,
    roleId: pick(ROLES, Math.floor(n / 3)),
    erased: n % 13 === 5,
    outcome: pick(OUTCOMES, Math.floor(n / 2) * 5 + n),
    unansweredAt: n % 4 === 1 ? timeOf(n % 11) : null,
    erasureRequestedAt: n % 5 === 2 ? timeOf(n % 7) : null,
    trial: {
      ...applications.initial(id).trial,
      status: pick(TRIALS, Math.floor(n / 2)),
      roleName: pick(NAMES, Math.floor(n / 4) * 3),
      // All have expired long ago but for some.
      expiresAt: n % 3 === 0 ? '2999-01-01T00:00:00.000Z' : timeOf(n % 13),
      // Some were invited at the same time.
      invitedAt: timeOf(Math.floor(((n * 37) % 90) / 2)),
    },
  };
});

const evaluated = Array.from({ length: 90 }, (_, n): EvaluationDocument => {
  const status = pick(EVALUATION_STATUSES, Math.floor(n / 2));
  const overallScore = status === 'ready' && n % 5 !== 0 ? (n * 31) % 101 : null;
  const id = `e${String(n).padStart(3, '0')}`;
  return {
    ...evaluations.initial(id),
    organisationId: n % 9 === 0 ? 'other' : 'o',
    roleId: pick(ROLES, Math.floor(n / 3)),
    status,
    overallScore,
    passed: overallScore === null ? null : overallScore >= 50,
    completedAt: timeOf(Math.floor(((n * 37) % 90) / 2)),
  };
});

const fold = (text: string): string => text.trim().toLowerCase();
const byBytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Every filter and order of a list, and its page of any size. */
const combinations = <A, B, C, D>(
  as: readonly A[],
  bs: readonly B[],
  cs: readonly C[],
  ds: readonly D[],
): [A, B, C, D][] =>
  as.flatMap((a) => bs.flatMap((b) => cs.flatMap((c) => ds.map((d): [A, B, C, D] => [a, b, c, d]))));

/** Lists of staff, narrowed and ordered in every way, on one read store: exactly what is to be in them, in its order. */
export const narrowedLists = (name: string, open: () => Promise<ReadStoreUnderTest>): void => {
  describe(`lists of staff on ${name}`, () => {
    let under: ReadStoreUnderTest;
    let store: ReadStore;
    let staff: ApplicationLists;
    let results: EvaluationSummaries;

    const collectionOf = (view: AnyView): ViewCollection =>
      store.collection(`${view.name}.v1.g1` as GenerationName, view.indexes ?? {});

    const keep = async (view: AnyView, documents: readonly (readonly [string, object])[]): Promise<void> => {
      const batch = documents.map(([id, body]) => {
        return { ...write(document(id, 1, body as Json)), keys: keysOf(view, body, id) };
      });
      expect(await collectionOf(view).apply(batch)).toEqual(batch.map(() => 'written'));
    };

    beforeAll(async () => {
      under = await open();
      store = await under.connect();
      await keep(
        applications,
        applied.map((one) => [one.applicationId, one]),
      );
      await keep(
        evaluations,
        evaluated.map((one) => [one.evaluationId, one]),
      );
      await keep(
        contests,
        evaluated.map((one, n) => [
          one.evaluationId,
          {
            ...contests.initial(one.evaluationId),
            ...{ organisationId: one.organisationId, roleId: one.roleId, erased: n % 3 === 0 },
            contests:
              n % 2 === 0
                ? []
                : [{ contestId: 'c', kind: 'score', contestedAt: timeOf(n % 7), answer: null }],
          },
        ]),
      );
      await keep(
        pendingEvaluations,
        evaluated.map((one, n) => [
          one.evaluationId,
          {
            ...pendingEvaluations.initial(one.evaluationId),
            ...{ organisationId: one.organisationId, roleId: one.roleId },
            ...{
              state: n % 2 === 0 ? 'requested' : 'awaiting',
              requestedAt: n % 3 === 0 ? '2999' : timeOf(n % 5),
            },
          },
        ]),
      );
      const reader = {
        page: async (view: AnyView, query: Parameters<ViewCollection['page']>[0]) => {
          const { items, next } = await collectionOf(view).page(query);
          return {
            items: items.map(({ id, body }) => ({ id, document: body, position: at(1) })),
            nextCursor: next,
          };
        },
        getMany: async (view: AnyView, ids: readonly string[]) => {
          if (view !== evaluations) return new Map();
          const found = await collectionOf(view).getMany(ids);
          return new Map([...found].map(([id, { body }]) => [id, { id, document: body, position: at(1) }]));
        },
        count: (view: AnyView, query: Parameters<ViewCollection['count']>[0]) =>
          collectionOf(view).count(query),
        heads: async () => new Map(),
      } as unknown as ViewReader;
      const hasher = new KeyedHasher(Buffer.alloc(32));
      const tokens = new ConsistencyTokens('log' as LogId, (...parts) => hasher.hmac(...parts));
      const reads = new Reads(reader, {} as EventStore, tokens);
      const directory = {
        find: async (organisationId: string, email: string) => {
          const person = PEOPLE.find((one) => fold(email) === `${one}@example.org`);
          return person === undefined ? null : (`${organisationId}-${person}` as PersonId);
        },
      };
      const keys = { get: async () => ({ kind: 'key', key: Buffer.alloc(0) }) };
      const vault = { keys } as unknown as ConstructorParameters<typeof StaffApplications>[2];
      const records = new StaffApplications(reads, NO_STREAMS, vault, 'https://x');
      staff = new ApplicationLists(reads, records, directory);
      const unread = null as unknown as EvaluationReadRecorder;
      results = new EvaluationSummaries(reads, unread, vault);
    });

    afterAll(async () => {
      await store.close();
      await under.remove();
    });

    const walk = async (
      limit: number,
      page: (list: ListQuery) => Promise<{ items: readonly { id: string }[]; nextCursor: string | null }>,
    ): Promise<string[]> => {
      const ids: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const { items, nextCursor } = await page({ limit, cursor: cursor ?? null });
        ids.push(...items.map(({ id }) => id));
        cursor = nextCursor;
      }
      return ids;
    };

    const statusOf = (one: ApplicationDocument): ApplicationStatus => {
      if (one.erased) return 'erased';
      const { status } = one.trial;
      return status === 'started' || status === 'interrupted' ? 'in_progress' : status;
    };
    const outcomeStatusOf = (one: ApplicationDocument): string | null => {
      if (statusOf(one) !== 'completed') return null;
      return one.outcome?.disposition ?? one.outcome?.humanRound ?? 'none';
    };
    const isWithin = (time: string, { from, to }: ApplicationFilter['invited']): boolean =>
      (from === null || time >= from) && (to === null || time < to);

    /** Walks a list in every order that it has, each way round. @returns how many it had in all */
    const listsAsExpected = async (filter: ApplicationFilter): Promise<number> => {
      const { roleId, status, outcome, invited, text } = filter;
      let found = 0;
      for (const [by, reverse] of applicationOrders(filter).flatMap((one) => [
        [one, false] as const,
        [one, true] as const,
      ])) {
        const expected = applied
          .filter((one) => one.organisationId === 'o')
          .filter((one) => roleId === null || one.roleId === roleId)
          .filter((one) => status === null || statusOf(one) === status)
          .filter((one) => outcome === null || outcomeStatusOf(one) === outcome)
          .filter((one) => by === 'roleName' || isWithin(one.trial.invitedAt, invited))
          .filter(
            (one) =>
              text === null ||
              (text.includes('@')
                ? one.candidateId === `o-${fold(text).split('@')[0]!}`
                : fold(one.trial.roleName).startsWith(fold(text))),
          )
          .sort(
            (a, b) =>
              (by === 'roleName' ? byBytes(fold(a.trial.roleName), fold(b.trial.roleName)) : 0) ||
              byBytes(a.trial.invitedAt, b.trial.invitedAt) ||
              byBytes(a.applicationId, b.applicationId),
          )
          .map(({ applicationId }) => applicationId);
        const ids = await walk(17, (list) => staff.page('o', filter, { by, reverse }, list, FRESH));
        expect([filter, by, ids]).toEqual([filter, by, reverse ? expected.reverse() : expected]);
        found += ids.length;
      }
      return found;
    };

    it('of applications: by role, status, address and beginning of the role’s name, both ways round', async () => {
      const texts = [
        null,
        ' Ada@Example.org',
        'nobody@example.org',
        'back',
        'BACKEND ',
        'zoë',
        'Long long',
        'x',
      ];
      let found = 0;
      for (const [roleId, status, text] of combinations(
        [null, ...ROLES, 'none'],
        [null, ...APPLICATION_STATUSES],
        texts,
        [null],
      ))
        found += await listsAsExpected({
          roleId,
          candidateId: null,
          status,
          text,
          outcome: null,
          invited: ALWAYS,
        });
      expect(found).toBeGreaterThan(2_000);
    });

    it('of applications: by outcome and time of invitation, beside all else', async () => {
      let found = 0;
      for (const [roleId, outcome, text, invited] of combinations(
        [null, 'r0'],
        [null, ...OUTCOME_STATUSES],
        [null, 'ada@example.org', 'back'],
        RANGES,
      ))
        for (const status of outcome === null
          ? (['invited', 'erased'] as const)
          : ([null, 'completed', 'invited'] as const))
          found += await listsAsExpected({ roleId, candidateId: null, status, text, outcome, invited });
      expect(found).toBeGreaterThan(500);
    });

    it('of applications that wait: what waits, the first to be done at the top', async () => {
      const dueOf: Readonly<Record<WaitingApplication, (one: ApplicationDocument) => string | null>> = {
        outcome: (one) => (outcomeStatusOf(one) === 'none' ? one.trial.invitedAt : null),
        expiring: ({ trial }) => (trial.expiresAt > '2900' ? null : trial.expiresAt),
        accommodation: ({ unansweredAt }) => unansweredAt,
        erasure: ({ erasureRequestedAt }) => erasureRequestedAt,
      };
      for (const [what, roleId] of combinations(
        WAITING_APPLICATIONS,
        [null, ...ROLES, 'none'],
        [null],
        [null],
      )) {
        const due = (one: ApplicationDocument): string => dueOf[what](one) ?? '';
        const mayBeOver = what === 'outcome' || what === 'erasure';
        const expected = applied
          .filter((one) => one.organisationId === 'o' && (roleId === null || one.roleId === roleId))
          .filter((one) => !one.erased && due(one) !== '')
          .filter((one) => mayBeOver || ['invited', 'in_progress'].includes(statusOf(one)))
          .sort((a, b) => byBytes(due(a), due(b)) || byBytes(a.applicationId, b.applicationId))
          .map(({ applicationId }) => applicationId);
        if (roleId === null) expect(expected.length).toBeGreaterThan(2);
        const ids = await walk(3, (list) => staff.waiting('o', roleId, what, list, FRESH));
        expect([what, roleId, ids]).toEqual([what, roleId, expected]);
      }
    });

    it('are counted as they are listed', async () => {
      for (const roleId of [null, ...ROLES, 'none']) {
        const any = { roleId, candidateId: null, status: null, outcome: null, invited: ALWAYS, text: null };
        const sort = { by: 'invitedAt', reverse: false } as const;
        const { status, outcome, waiting } = await staff.counts('o', roleId, FRESH);
        const lengthOf = async (filter: Partial<ApplicationFilter>): Promise<number> =>
          (await walk(50, (list) => staff.page('o', { ...any, ...filter }, sort, list, FRESH))).length;
        for (const one of APPLICATION_STATUSES) expect(status[one]).toBe(await lengthOf({ status: one }));
        for (const one of OUTCOME_STATUSES) expect(outcome[one]).toBe(await lengthOf({ outcome: one }));
        for (const one of WAITING_APPLICATIONS)
          expect(waiting[one]).toBe(
            (await walk(50, (list) => staff.waiting('o', roleId, one, list, FRESH))).length,
          );
        const counts = await results.counts('o', roleId, FRESH);
        const every = evaluated.filter(
          (one) => one.organisationId === 'o' && (roleId === null || one.roleId === roleId),
        );
        for (const one of EVALUATION_STATUSES)
          expect(counts.status[one]).toBe(every.filter((each) => each.status === one).length);
        for (const one of ['true', 'false'] as const)
          expect(counts.passed[one]).toBe(every.filter((each) => `${each.passed}` === one).length);
        for (const one of WAITING_EVALUATIONS)
          expect(counts.waiting[one]).toBe(
            (await walk(50, (list) => results.waiting('o', roleId, one, null, list, FRESH))).length,
          );
        if (roleId === null) expect(Math.min(...Object.values(counts.waiting))).toBeGreaterThan(0);
      }
    });

    it('of evaluations: by role, status, result, time and score, both ways round', async () => {
      let found = 0;
      const NO_SCORES = { least: null, greatest: null };
      const bounds = [
        ...RANGES.map((completed) => ({ completed, score: NO_SCORES })),
        { completed: ALWAYS, score: { least: null, greatest: 60 } },
        { completed: ALWAYS, score: { least: 31, greatest: 62 } },
      ];
      for (const [roleId, status, passed, bound] of combinations(
        [null, ...ROLES, 'none'],
        [null, ...EVALUATION_STATUSES],
        [null, true, false],
        bounds,
      )) {
        const { completed, score } = bound;
        for (const [by, reverse] of evaluationOrders(bound).flatMap((one) => [
          [one, false] as const,
          [one, true] as const,
        ])) {
          const expected = evaluated
            .filter((one) => one.organisationId === 'o')
            .filter((one) => roleId === null || one.roleId === roleId)
            .filter((one) => status === null || one.status === status)
            .filter((one) => passed === null || one.passed === passed)
            .filter((one) => isWithin(one.completedAt, completed))
            .filter((one) => score.least === null || (one.overallScore ?? -1) >= score.least)
            .filter((one) => score.greatest === null || (one.overallScore ?? 101) <= score.greatest)
            .sort(
              (a, b) =>
                (by === 'overallScore' ? (a.overallScore ?? -1) - (b.overallScore ?? -1) : 0) ||
                byBytes(a.completedAt, b.completedAt) ||
                byBytes(a.evaluationId, b.evaluationId),
            )
            .map(({ evaluationId }) => evaluationId);
          const filter: EvaluationFilter = { roleId, status, passed, completed, score };
          const ids = await walk(17, (list) => results.page('o', filter, { by, reverse }, null, list, FRESH));
          expect([filter, by, ids]).toEqual([filter, by, reverse ? expected.reverse() : expected]);
          found += ids.length;
        }
      }
      expect(found).toBeGreaterThan(500);
    });

    it('give cursors that no list of another filter or order takes', async () => {
      const page = (
        filter: Partial<ApplicationFilter>,
        by: ApplicationOrder,
        reverse: boolean,
        cursor: string | null,
      ) =>
        staff.page(
          'o',
          {
            roleId: null,
            candidateId: null,
            status: null,
            outcome: null,
            invited: ALWAYS,
            text: null,
            ...filter,
          },
          { by, reverse },
          { limit: 1, cursor },
          FRESH,
        );
      const lists: [Partial<ApplicationFilter>, ApplicationOrder, boolean][] = [
        [{}, 'invitedAt', false],
        [{}, 'invitedAt', true],
        [{}, 'roleName', false],
        [{ roleId: 'r0' }, 'invitedAt', false],
        [{ status: 'completed' }, 'invitedAt', false],
        [{ status: 'invited' }, 'invitedAt', false],
        [{ text: 'back' }, 'roleName', false],
        [{ text: 'backe' }, 'roleName', false],
        [{ text: 'ada@example.org' }, 'invitedAt', false],
        [{ text: 'bob@example.org' }, 'invitedAt', false],
      ];
      for (const [n, list] of lists.entries()) {
        const { nextCursor } = await page(...list, null);
        expect(nextCursor).not.toBeNull();
        for (const [m, other] of lists.entries()) {
          if (m === n) expect((await page(...other, nextCursor)).items).toHaveLength(1);
          else await expect(page(...other, nextCursor)).rejects.toBeInstanceOf(BadCursor);
        }
      }
      const scored = (by: EvaluationOrder, passed: boolean | null, cursor: string | null) =>
        results.page(
          'o',
          { roleId: null, status: null, passed, completed: ALWAYS, score: { least: null, greatest: null } },
          { by, reverse: false },
          null,
          { limit: 1, cursor },
          FRESH,
        );
      const { nextCursor } = await scored('overallScore', true, null);
      expect((await scored('overallScore', true, nextCursor)).items).toHaveLength(1);
      for (const [by, passed] of [
        ['overallScore', false],
        ['overallScore', null],
        ['completedAt', true],
      ] as const)
        await expect(scored(by, passed, nextCursor)).rejects.toBeInstanceOf(BadCursor);
    });
  });
};
