import type { Application, Evaluation, Outcome, Question } from '../../packages/client/src/index.js';
import { compareWork, type ReadWork } from './compare-work.js';
import { bySignalOrder, sumOf } from './ledger.js';
import type { Figures, KnownQuestion, KnownTrial, RoleFigures, Signal } from './ledger.js';

/** What was compared and what does not agree, as sentences. */
export interface Comparison {
  readonly compared: number;
  readonly differences: readonly string[];
}

/** An application as staff read it, as far as it is compared. */
export type ReadApplication = Pick<
  Application,
  'id' | 'roleId' | 'status' | 'roleName' | 'candidateEmail'
> & { readonly outcome: Pick<Outcome, 'humanRound' | 'disposition'> | null };

/** An evaluation as the service answers it. */
export interface ReadEvaluation extends Pick<Evaluation, 'id' | 'trialSessionId' | 'status' | 'roleName'> {
  /** Evidence events by type. */
  readonly events: ReadonlyMap<string, number>;
  /** In their order. */
  readonly questions: readonly ReadQuestion[];
  /** `null`: there is none to compare. */
  readonly work: ReadWork | null;
}

/** A question of an interview, and its answer. */
export type ReadQuestion = Pick<Question, 'id' | 'kind' | 'text' | 'answer' | 'request'>;

const FIGURES: readonly (readonly [name: string, figure: (row: Figures) => number])[] = [
  ['trialCompletedCount', (row) => row.trialCompletedCount],
  ['outcomeRecordedCount', (row) => row.outcomeRecordedCount],
  ['awaitingOutcomeCount', (row) => row.awaitingOutcomeCount],
  ['humanRound.passed', (row) => row.humanRound.passed],
  ['humanRound.failed', (row) => row.humanRound.failed],
  ['disposition.hired', (row) => row.disposition.hired],
  ['disposition.declined', (row) => row.disposition.declined],
];

/** Collects what does not agree. */
export class Comparing {
  compared = 0;
  readonly differences: string[] = [];

  /** Compares one figure. */
  same(what: string, expected: unknown, actual: unknown): void {
    this.compared += 1;
    if (expected !== actual)
      this.differences.push(`${what}: counted ${String(expected)}, the service says ${String(actual)}`);
  }
}

/** @param foreign rows of roles that were there before: they must be as they were */
export function compareSignal(
  own: readonly RoleFigures[],
  foreign: readonly RoleFigures[],
  signal: Signal,
): Comparison {
  const comparing = new Comparing();
  const expected = [...own, ...foreign].sort(bySignalOrder);
  const names = (rows: readonly RoleFigures[]): string =>
    rows.map((row) => `${row.roleName} (${row.roleId})`).join(', ');
  comparing.same('rows of the signal', names(expected), names(signal.roles));
  for (const row of expected) {
    const actual = signal.roles.find(({ roleId }) => roleId === row.roleId);
    if (actual === undefined) continue;
    for (const [name, figure] of FIGURES)
      comparing.same(`${row.roleName}, ${name}`, figure(row), figure(actual));
  }
  const totals = sumOf(expected);
  for (const [name, figure] of FIGURES)
    comparing.same(`totals, ${name}`, figure(totals), figure(signal.totals));
  return comparing;
}

/** Every application that is known of, and none beside them for the same roles. */
export function compareApplications(
  known: readonly KnownTrial[],
  read: readonly ReadApplication[],
): Comparison {
  const comparing = new Comparing();
  comparing.same('applications listed twice', 0, read.length - new Set(read.map(({ id }) => id)).size);
  const roles = new Set(known.map(({ roleId }) => roleId));
  const ofRoles = read.filter(({ roleId }) => roles.has(roleId)).length;
  comparing.same('applications for the roles', known.length, ofRoles);
  const byId = new Map(read.map((application) => [application.id, application]));
  for (const trial of known) {
    const what = `application ${trial.applicationId}`;
    const application = byId.get(trial.applicationId);
    comparing.same(`${what}, status`, trial.status ?? 'unknown', application?.status ?? 'missing');
    if (application === undefined) continue;
    comparing.same(`${what}, candidateEmail`, trial.candidateEmail, application.candidateEmail);
    comparing.same(`${what}, roleName`, trial.roleName, application.roleName);
    comparing.same(
      `${what}, humanRound`,
      trial.outcome?.humanRound ?? null,
      application.outcome?.humanRound ?? null,
    );
    comparing.same(
      `${what}, disposition`,
      trial.outcome?.disposition ?? null,
      application.outcome?.disposition ?? null,
    );
  }
  return comparing;
}

/** One ready evaluation for each completed trial with each activity in it once, and none for any other trial. */
export function compareEvaluations(
  known: readonly KnownTrial[],
  read: readonly ReadEvaluation[],
): Comparison {
  const comparing = new Comparing();
  for (const trial of known) {
    const what = `trial session ${trial.trialSessionId}`;
    const evaluations = read.filter(({ trialSessionId }) => trialSessionId === trial.trialSessionId);
    comparing.same(`${what}, evaluations`, trial.status === 'completed' ? 1 : 0, evaluations.length);
    const [evaluation] = evaluations;
    if (evaluation === undefined) continue;
    comparing.same(`${what}, evaluation status`, 'ready', evaluation.status);
    comparing.same(`${what}, evaluation roleName`, trial.roleName, evaluation.roleName);
    for (const [type, count] of trial.activities)
      comparing.same(`${what}, evidence of ${type}`, count, evaluation.events.get(type) ?? 0);
    if (trial.questions !== null) compareQuestions(comparing, what, trial.questions, evaluation.questions);
    if (trial.handIn !== null && evaluation.work !== null)
      compareWork(comparing, what, trial.handIn, evaluation.work);
  }
  return comparing;
}

/** Every question that the candidate got, in order, with all that was answered, and none beside them. */
function compareQuestions(
  comparing: Comparing,
  what: string,
  known: readonly KnownQuestion[],
  read: readonly ReadQuestion[],
): void {
  comparing.same(`${what}, questions`, known.length, read.length);
  for (const [place, { id, kind, text, answers }] of known.entries()) {
    const question = read[place];
    if (question === undefined) return;
    const which = `${what}, question ${place + 1}`;
    comparing.same(`${which}, id`, id, question.id);
    comparing.same(`${which}, kind`, kind, question.kind);
    comparing.same(`${which}, text`, text, question.text);
    // A question that the end left open may have an empty answer or none.
    const said = answers.filter((answer) => answer !== '').flatMap((answer) => answer.split('\n'));
    comparing.same(`${which}, answer`, said.join('\n'), inOrderOf(said, question).join('\n'));
  }
}

/** The lines of answers and requests that the service has, taken in the order in which they were said. */
const inOrderOf = (said: readonly string[], { answer, request }: ReadQuestion): readonly string[] => {
  const left = [answer, request].map((text) => (text === null || text === '' ? [] : text.split('\n')));
  const taken = said.flatMap((line) => left.find(([next]) => next === line)?.splice(0, 1) ?? []);
  return [...taken, ...left.flat()];
};

/** Several comparisons as one. */
export const allOf = (...comparisons: readonly Comparison[]): Comparison => ({
  compared: comparisons.reduce((sum, { compared }) => sum + compared, 0),
  differences: comparisons.flatMap(({ differences }) => differences),
});
