import { setTimeout as sleep } from 'node:timers/promises';
import pMap from 'p-map';
import type { EvaluationSummary } from '../../packages/client/src/index.js';
import type { Progress } from '../../src/operator/cli/progress.js';
import {
  allOf,
  compareApplications,
  compareEvaluations,
  compareSignal,
  type Comparison,
  type ReadEvaluation,
} from './compare.js';
import type { KnownTrial, Ledger, Signal } from './ledger.js';
import type { Person } from './person.js';
import type { PlannedRole } from './plan.js';
import { readWork } from './read-work.js';
import { Unexpected } from './service.js';
import { ROLE, type Staff } from './staff.js';

/** Longest wait for the evaluations. */
const GENERATION_TIMEOUT_MS = 120_000;
/** Reads under way at the same time. */
const READERS = 8;
const MAX_PAGE = 200;
const EVALUATION = '/organisations/{orgId}/evaluations/{id}';
const EXPLANATION = '/organisations/{orgId}/evaluations/{evaluationId}/explanation';

/** The organisation's figures. @throws {Unexpected | ServiceGone} */
export const readSignal = (owner: Person, orgId: string): Promise<Signal> =>
  owner.get('/organisations/{orgId}/signal', { params: { orgId } });

/**
 * Waits until all evaluations are generated, then reads everything back and compares it with what was acknowledged.
 * @param before the organisation's signal before the round
 */
export async function readBack(input: {
  readonly staff: Staff;
  readonly ledger: Ledger;
  readonly before: Signal;
  /** The role that was renamed, as it is now. */
  readonly renamed: { readonly roleId: string; readonly definition: PlannedRole };
  readonly pollMs: number;
  readonly progress: Progress;
}): Promise<{ readonly signal: Signal; readonly comparison: Comparison }> {
  const { staff, ledger, before, renamed, pollMs, progress } = input;
  const { owner, organisationId: orgId } = staff;
  const evaluations = await generatedEvaluations(staff, ledger, pollMs, progress);
  // A command that changes nothing answers with a token of the log's head: reads with it include every event so far.
  const { roleId, definition } = renamed;
  await owner.command('patch', ROLE, 200, { params: { orgId, roleId }, body: definition });
  const signal = await readSignal(owner, orgId);
  const params = { orgId, limit: MAX_PAGE };
  const applications = await all(owner.list('/organisations/{orgId}/applications', { params }));
  const known = ledger.trials();
  const comparison = allOf(
    compareSignal(ledger.rows(), before.roles, signal),
    compareApplications(known, applications),
    compareEvaluations(known, await withEvidence(staff, known, evaluations, progress)),
  );
  return { signal, comparison };
}

/** The evaluations of the round's sessions, once none is generating, or as they are when that takes too long. */
async function generatedEvaluations(
  { owner, organisationId: orgId }: Staff,
  ledger: Ledger,
  pollMs: number,
  progress: Progress,
): Promise<readonly EvaluationSummary[]> {
  const sessions = new Map(ledger.trials().map((trial) => [trial.trialSessionId, trial]));
  const completed = [...sessions.values()].filter(({ status }) => status === 'completed').length;
  const until = Date.now() + GENERATION_TIMEOUT_MS;
  const params = { orgId, limit: MAX_PAGE };
  progress.begin('Evaluations', completed);
  for (;;) {
    const evaluations = await all(owner.list('/organisations/{orgId}/evaluations', { params }));
    const ours = evaluations.filter(({ trialSessionId }) => sessions.has(trialSessionId));
    const answered = ours.filter(({ status }) => status !== 'generating').length;
    progress.update(answered);
    if (answered >= completed || Date.now() > until) {
      progress.end();
      return ours;
    }
    await sleep(pollMs);
  }
}

async function withEvidence(
  staff: Staff,
  known: readonly KnownTrial[],
  evaluations: readonly EvaluationSummary[],
  progress: Progress,
): Promise<readonly ReadEvaluation[]> {
  const read: ReadEvaluation[] = [];
  const handingIn = new Set(
    known.filter(({ handIn }) => handIn !== null).map(({ trialSessionId }) => trialSessionId),
  );
  for (const recruiter of staff.recruiters) recruiter.follow(staff.owner);
  progress.begin('Evidence', evaluations.length);
  await pMap(
    [...evaluations.entries()],
    async ([index, { id, trialSessionId, roleName }]) => {
      const reader = staff.recruiters[index % staff.recruiters.length] ?? staff.owner;
      const orgId = staff.organisationId;
      const evaluation = await reader.get(EVALUATION, { params: { orgId, id } });
      const { status, evidence } = evaluation;
      const events = new Map<string, number>();
      for (const [place, { sequenceNumber, eventType }] of evidence.events.entries()) {
        if (sequenceNumber !== place + 1)
          throw new Unexpected(`The evaluation ${id} has a gap in its evidence at place ${place + 1}.`);
        events.set(eventType, (events.get(eventType) ?? 0) + 1);
      }
      const work =
        status === 'ready' && handingIn.has(trialSessionId)
          ? readWork(evaluation, await reader.get(EXPLANATION, { params: { orgId, evaluationId: id } }))
          : null;
      read.push({ id, trialSessionId, roleName, status, events, questions: evidence.questions, work });
      progress.update(read.length);
    },
    { concurrency: READERS },
  );
  progress.end();
  return read;
}

/** The items of a list. */
export const all = async <T>(list: AsyncIterable<T>): Promise<readonly T[]> => {
  const items: T[] = [];
  for await (const item of list) items.push(item);
  return items;
};
