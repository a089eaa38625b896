import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type ApplicationDocument,
  APPLICATION_STATUSES,
  applications,
  type ApplicationStatus,
} from '../../projections/applications.js';
import { EVALUATION_STATUSES, type EvaluationDocument, evaluations } from '../../projections/evaluations.js';
import type { ListQuery } from '../../src/application/reads.js';
import { Reads } from '../../src/application/reads.js';
import {
  applicationOrders,
  type ApplicationFilter,
  type ApplicationOrder,
  StaffApplications,
} from '../../src/api/applications/staff-applications.js';
import {
  EVALUATION_ORDERS,
  type EvaluationFilter,
  type EvaluationOrder,
  StaffEvaluations,
} from '../../src/api/evaluations/staff-evaluations.js';
import type { CommandStreams } from '../../src/core/handle.js';
import type { EventStore } from '../../src/core/event-store.js';
import type { ConsistencyTokens } from '../../src/engine/reads/tokens.js';
import type { ViewReader } from '../../src/engine/reads/reads.js';
import { keysOf } from '../../src/engine/fold/folding.js';
import type { AnyView } from '../../src/engine/view.js';
import { BadCursor } from '../../src/stores/errors.js';
import type { GenerationName, Json, ReadStore, ViewCollection } from '../../src/stores/read-store.js';
import type { PersonId } from '../../src/core/vault/port.js';
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
    trial: {
      ...applications.initial(id).trial,
      status: pick(TRIALS, Math.floor(n / 2)),
      roleName: pick(NAMES, Math.floor(n / 4) * 3),
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
    let staff: StaffApplications;
    let results: StaffEvaluations;

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
      const reader = {
        page: async (view: AnyView, query: Parameters<ViewCollection['page']>[0]) => {
          const { items, next } = await collectionOf(view).page(query);
          return {
            items: items.map(({ id, body }) => ({ id, document: body, position: at(1) })),
            nextCursor: next,
          };
        },
        getMany: async () => new Map(),
        heads: async () => new Map(),
      } as unknown as ViewReader;
      const tokens = { read: () => null } as unknown as ConsistencyTokens;
      const reads = new Reads(reader, {} as EventStore, tokens);
      const directory = {
        find: async (organisationId: string, email: string) => {
          const person = PEOPLE.find((one) => fold(email) === `${one}@example.org`);
          return person === undefined ? null : (`${organisationId}-${person}` as PersonId);
        },
      };
      const keys = { get: async () => ({ kind: 'key', key: Buffer.alloc(0) }) };
      const vault = { keys } as unknown as ConstructorParameters<typeof StaffApplications>[3];
      staff = new StaffApplications(reads, NO_STREAMS, directory, vault, 'https://x');
      results = new StaffEvaluations(reads);
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
      const statusOf = (one: ApplicationDocument): ApplicationStatus => {
        if (one.erased) return 'erased';
        const { status } = one.trial;
        return status === 'started' || status === 'interrupted' ? 'in_progress' : status;
      };
      let found = 0;
      for (const [roleId, status, text, reverse] of combinations(
        [null, ...ROLES, 'none'],
        [null, ...APPLICATION_STATUSES],
        texts,
        [false, true],
      )) {
        for (const by of applicationOrders(text)) {
          const expected = applied
            .filter((one) => one.organisationId === 'o')
            .filter((one) => roleId === null || one.roleId === roleId)
            .filter((one) => status === null || statusOf(one) === status)
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
          const filter: ApplicationFilter = { roleId, status, text };
          const ids = await walk(17, (list) => staff.page('o', filter, { by, reverse }, list, FRESH));
          expect([filter, by, ids]).toEqual([filter, by, reverse ? expected.reverse() : expected]);
          found += ids.length;
        }
      }
      expect(found).toBeGreaterThan(2_000);
    });

    it('of evaluations: by role, status and result, by time and score, both ways round', async () => {
      let found = 0;
      for (const [roleId, status, passed, reverse] of combinations(
        [null, ...ROLES, 'none'],
        [null, ...EVALUATION_STATUSES],
        [null, true, false],
        [false, true],
      )) {
        for (const by of EVALUATION_ORDERS) {
          const expected = evaluated
            .filter((one) => one.organisationId === 'o')
            .filter((one) => roleId === null || one.roleId === roleId)
            .filter((one) => status === null || one.status === status)
            .filter((one) => passed === null || one.passed === passed)
            .sort(
              (a, b) =>
                (by === 'overallScore' ? (a.overallScore ?? -1) - (b.overallScore ?? -1) : 0) ||
                byBytes(a.completedAt, b.completedAt) ||
                byBytes(a.evaluationId, b.evaluationId),
            )
            .map(({ evaluationId }) => evaluationId);
          const filter: EvaluationFilter = { roleId, status, passed };
          const ids = await walk(17, (list) => results.summaries('o', filter, { by, reverse }, list, FRESH));
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
          { roleId: null, status: null, text: null, ...filter },
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
        results.summaries(
          'o',
          { roleId: null, status: null, passed },
          { by, reverse: false },
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
