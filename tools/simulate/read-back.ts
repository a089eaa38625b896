import pMap from 'p-map';
import { setTimeout as sleep } from 'node:timers/promises';
import { listOf, numberOf, objectOf, type Person, stringOf, stringOrNull, Unexpected } from './person.js';
import {
  allOf,
  compareApplications,
  compareEvaluations,
  compareSignal,
  type Comparison,
  type ReadApplication,
  type ReadEvaluation,
  type ReadQuestion,
} from './compare.js';
import type { Figures, KnownTrial, Ledger, RoleFigures, Signal } from './ledger.js';
import type { PlannedRole } from './plan.js';
import { readWork } from './read-work.js';
import type { Progress } from '../../src/operator/cli/progress.js';
import type { Staff } from './staff.js';

/** Longest wait for the evaluations. */
const GENERATION_TIMEOUT_MS = 120_000;
/** Reads under way at once. */
const READERS = 8;

/** The organisation's figures. @throws {Unexpected} the answer is another than documented */
export async function readSignal(owner: Person, organisationId: string): Promise<Signal> {
  const signal = objectOf(await owner.read(`/organisations/${organisationId}/signal`), 'The signal');
  const roles = listOf(signal['roles'], 'roles').map((item): RoleFigures => {
    const row = objectOf(item, 'A row of the signal');
    return { roleId: stringOf(row, 'roleId'), roleName: stringOf(row, 'roleName'), ...figuresOf(row) };
  });
  return { roles, totals: figuresOf(objectOf(signal['totals'], 'totals')) };
}

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
  const { owner, organisationId } = staff;
  const base = `/organisations/${organisationId}`;
  const evaluations = await generatedEvaluations(staff, ledger, pollMs, progress);
  // A command that changes nothing answers with the log's head: what is read with its token has everything.
  await owner.command('PATCH', `${base}/roles/${renamed.roleId}`, renamed.definition, { status: 200 });
  const signal = await readSignal(owner, organisationId);
  const applications = (await readAll(owner, `${base}/applications`)).map(applicationOf);
  const known = ledger.trials();
  const comparison = allOf(
    compareSignal(ledger.rows(), before.roles, signal),
    compareApplications(known, applications),
    compareEvaluations(known, await withEvidence(staff, known, evaluations, progress)),
  );
  return { signal, comparison };
}

/** The evaluations of the round's sessions, once none is generating, or as they stand when that takes too long. */
async function generatedEvaluations(
  { owner, organisationId }: Staff,
  ledger: Ledger,
  pollMs: number,
  progress: Progress,
): Promise<readonly ReadEvaluation[]> {
  const sessions = new Map(ledger.trials().map((trial) => [trial.trialSessionId, trial]));
  const completed = [...sessions.values()].filter(({ status }) => status === 'completed').length;
  const until = Date.now() + GENERATION_TIMEOUT_MS;
  progress.begin('Evaluations', completed);
  for (;;) {
    const all = (await readAll(owner, `/organisations/${organisationId}/evaluations`)).map(evaluationOf);
    const ours = all.filter(({ trialSessionId }) => sessions.has(trialSessionId));
    const answered = ours.filter(({ status }) => status !== 'generating').length;
    progress.to(answered);
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
  evaluations: readonly ReadEvaluation[],
  progress: Progress,
): Promise<readonly ReadEvaluation[]> {
  const read: ReadEvaluation[] = [];
  const handingIn = new Set(
    known.filter(({ handIn }) => handIn !== null).map(({ trialSessionId }) => trialSessionId),
  );
  progress.begin('Evidence', evaluations.length);
  await pMap(
    [...evaluations.entries()],
    async ([index, evaluation]) => {
      const reader = staff.recruiters[index % staff.recruiters.length] ?? staff.owner;
      const path = `/organisations/${staff.organisationId}/evaluations/${evaluation.id}`;
      const body = objectOf(await reader.read(path, staff.owner.lastSeen), 'The evaluation');
      const events = new Map<string, number>();
      const evidence = objectOf(body['evidence'], 'evidence');
      listOf(evidence['events'], 'evidence.events').forEach((item, place) => {
        const event = objectOf(item, 'An evidence event');
        if (numberOf(event, 'sequenceNumber') !== place + 1)
          throw new Unexpected(`GET ${path} has a gap in its evidence at place ${place + 1}.`);
        const type = stringOf(event, 'eventType');
        events.set(type, (events.get(type) ?? 0) + 1);
      });
      const questions = listOf(evidence['questions'], 'evidence.questions').map(questionOf);
      const status = stringOf(body, 'status');
      const work =
        status === 'ready' && handingIn.has(evaluation.trialSessionId)
          ? readWork(body, await reader.read(`${path}/explanation`, staff.owner.lastSeen))
          : null;
      read.push({ ...evaluation, status, events, questions, work });
      progress.to(read.length);
    },
    { concurrency: READERS },
  );
  progress.end();
  return read;
}

async function readAll(person: Person, path: string): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = objectOf(await person.read(`${path}?limit=200${query}`), 'A page');
    items.push(...listOf(page['items'], 'items'));
    cursor = stringOrNull(page, 'nextCursor');
  } while (cursor !== null);
  return items;
}

function applicationOf(item: unknown): ReadApplication {
  const application = objectOf(item, 'An application');
  const outcome = application['outcome'] ?? null;
  const values = outcome === null ? null : objectOf(outcome, 'An outcome');
  return {
    id: stringOf(application, 'id'),
    roleId: stringOf(application, 'roleId'),
    status: stringOf(application, 'status'),
    roleName: stringOf(application, 'roleName'),
    candidateEmail: stringOrNull(application, 'candidateEmail'),
    outcome:
      values === null
        ? null
        : {
            humanRound: stringOrNull(values, 'humanRound'),
            disposition: stringOrNull(values, 'disposition'),
          },
  };
}

function evaluationOf(item: unknown): ReadEvaluation {
  const evaluation = objectOf(item, 'An evaluation');
  return {
    id: stringOf(evaluation, 'id'),
    trialSessionId: stringOf(evaluation, 'trialSessionId'),
    status: stringOf(evaluation, 'status'),
    roleName: stringOf(evaluation, 'roleName'),
    events: null,
    questions: null,
    work: null,
  };
}

function questionOf(item: unknown): ReadQuestion {
  const question = objectOf(item, 'A question');
  return {
    id: stringOf(question, 'id'),
    kind: stringOf(question, 'kind'),
    text: stringOrNull(question, 'text'),
    answer: stringOrNull(question, 'answer'),
    request: stringOrNull(question, 'request'),
  };
}

function figuresOf(row: Readonly<Record<string, unknown>>): Figures {
  const humanRound = objectOf(row['humanRound'], 'humanRound');
  const disposition = objectOf(row['disposition'], 'disposition');
  return {
    trialCompletedCount: numberOf(row, 'trialCompletedCount'),
    outcomeRecordedCount: numberOf(row, 'outcomeRecordedCount'),
    awaitingOutcomeCount: numberOf(row, 'awaitingOutcomeCount'),
    humanRound: { passed: numberOf(humanRound, 'passed'), failed: numberOf(humanRound, 'failed') },
    disposition: { hired: numberOf(disposition, 'hired'), declined: numberOf(disposition, 'declined') },
  };
}
