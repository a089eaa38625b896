import pMap from 'p-map';
import type { Page } from 'playwright-core';
import type { Application, EvaluationSummary } from '../../packages/client/src/index.js';
import { WORKS } from '../../tools/simulate/exercise.js';
import { Ledger, type RoleFigures } from '../../tools/simulate/ledger.js';
import { Issuer, Person } from '../../tools/simulate/person.js';
import type { PlannedReply } from '../../tools/simulate/plan-interview.js';
import {
  type Ending,
  type Outcome,
  planActivities,
  type PlannedCandidate,
} from '../../tools/simulate/plan.js';
import { playInvited, type RoundContext, WITHOUT_PAUSES } from '../../tools/simulate/play-candidate.js';
import { Random } from '../../tools/simulate/random.js';
import { all, readSignal } from '../../tools/simulate/read-back.js';
import { Service } from '../../tools/simulate/service.js';
import { eventually } from '../support/eventually.js';
import { follow, heading, OWNER } from './console-support.js';
import { WAIT_LIMIT_MS } from './support.js';

/** A round of 30 candidates. Staff use only the console; the simulator plays the candidates and counts what they do. */

export const ROUND = 30;
/** How candidates end, by their numbers; the others complete. */
const ENDINGS: ReadonlyMap<number, Ending> = new Map([
  [3, 'withdrawn'],
  [9, 'withdrawn_before_start'],
  [14, 'started'],
  [20, 'started'],
  [25, 'invited'],
  [29, 'invited'],
]);
/** Each sixth of the candidates has an interview, which takes longest. */
const INTERVIEWED = 6;
const AT_ONCE = 6;
const SEED = 30;
const FAILED: Outcome = { humanRound: 'failed' };
/** Outcomes, which staff record in turn. */
const OUTCOMES: readonly Outcome[] = [
  { humanRound: 'passed', disposition: 'hired' },
  { humanRound: 'failed', disposition: 'declined' },
  { humanRound: 'passed' },
  { disposition: 'declined' },
  FAILED,
];

const addressOf = (number: number): string => `keeper.${number}@example.org`;
const nameOf = (number: number): string => `Keeper No. ${number}`;

const REPLY: PlannedReply = {
  ...{ text: 'I looked at the log first, and found the lamp without oil.', activity: false },
  ...{ afterthought: null, drop: 'never', spoken: true },
};

const planned = (number: number): PlannedCandidate => {
  const ending = ENDINGS.get(number) ?? 'completed';
  const batches = [planActivities(new Random(SEED, number), [])];
  const interview =
    ending === 'completed' && number % INTERVIEWED === 1 ? { replies: [REPLY], endsAt: null } : null;
  const trial = { ending, batches, interview, handIn: null, outcomes: [], extended: false };
  return { number, name: nameOf(number), role: 0, resends: 'never', trials: [trial] };
};

/** The round of one role. */
export class Round {
  readonly ledger = new Ledger();
  private readonly owner: Person;
  private readonly round: RoundContext;

  constructor(
    url: string,
    private readonly organisationId: string,
    private readonly roleId: string,
    roleName: string,
  ) {
    const service = new Service(url);
    const issuer = new Issuer(new Service(`${url}/issuer`));
    this.owner = new Person(service, issuer, OWNER);
    this.ledger.role(roleId, roleName);
    this.round = {
      ...{ service, issuer, ledger: this.ledger, works: WORKS, time: WITHOUT_PAUSES },
      staff: { organisationId, owner: this.owner, recruiters: [], roleIds: [roleId], ticketId: '' },
      addressOf: (name) => name,
      pace: { expiresInMs: 60_000, pollMs: 100 },
    };
  }

  /** On the role's page: invites all candidates by a file. */
  async inviteByFile(page: Page): Promise<void> {
    await page.getByRole('link', { name: 'Import candidates' }).click();
    await heading(page, 'Import candidates').waitFor();
    const rows = Array.from({ length: ROUND }, (_, at) => `${addressOf(at + 1)};${nameOf(at + 1)}`);
    await page.getByLabel('CSV file').setInputFiles({
      ...{ name: 'round.csv', mimeType: 'text/csv' },
      buffer: Buffer.from(`candidateEmail;candidateName\n${rows.join('\n')}\n`),
    });
    await page.getByRole('button', { name: `Invite ${ROUND} people` }).click();
    await page.getByText(`${ROUND} of ${ROUND} invited`).first().waitFor();
    // The list that others open next has them a moment later.
    await eventually(async () => (await this.applications()).length === ROUND);
  }

  /** On the list of candidates: gives all of them more time at once. */
  async extendAll(page: Page): Promise<void> {
    await page.getByLabel('Select all on this page').check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText(`${ROUND} selected`).waitFor();
    await page.getByRole('button', { name: 'Extend' }).click();
    await page.getByLabel('Expires on').fill('2031-03-04T12:30');
    await page.getByRole('dialog').getByRole('button', { name: 'Extend' }).click();
    await page.getByText(`${ROUND} of ${ROUND}`).waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually(async () =>
      (await this.applications()).every(({ trialSessions }) =>
        trialSessions[0]?.expiresAt.startsWith('2031-03-'),
      ),
    );
  }

  /** Plays the trials of so many invited candidates, several at a time. */
  async play(count: number): Promise<void> {
    const known = new Set(this.ledger.trials().map(({ applicationId }) => applicationId));
    const invited = await eventually(async () => {
      const found = (await this.applications()).filter(({ id }) => !known.has(id));
      return found.length === count && found;
    });
    await pMap(
      invited,
      async (application) => {
        const email = application.candidateEmail ?? '';
        const number = Number(/\d+/.exec(email)?.[0]);
        await playInvited(this.round, planned(number), email, application);
      },
      { concurrency: AT_ONCE },
    );
  }

  /** The evaluations of all completed trials, by application, once none is being generated. */
  async evaluations(): Promise<readonly EvaluationSummary[]> {
    const completed = this.ledger.trials().filter(({ status }) => status === 'completed');
    return eventually(async () => {
      const params = { ...this.params, status: 'ready' } as const;
      const ready = await all(this.owner.list('/organisations/{orgId}/evaluations', { params }));
      return ready.length === completed.length && ready;
    }, WAIT_LIMIT_MS);
  }

  /** Records the outcomes of these evaluations on their pages, one after another. */
  async decide(page: Page, base: string, evaluations: readonly EvaluationSummary[]): Promise<void> {
    for (const [at, { applicationId, id }] of evaluations.entries()) {
      const outcome = OUTCOMES[at % OUTCOMES.length] ?? FAILED;
      await follow(page, `${base}evaluations/${id}`);
      await page.locator(`a[href$="/candidates/${applicationId}"]`).first().waitFor();
      await page.getByRole('button', { name: 'Record the outcome' }).click();
      const { humanRound, disposition } = outcome;
      if (humanRound) await page.getByLabel('Human round').selectOption(humanRound);
      if (disposition) await page.getByLabel('Decision').selectOption(disposition);
      await page.getByRole('button', { name: 'Save the outcome' }).click();
      await page.getByRole('button', { name: 'Correct the outcome' }).waitFor();
      this.ledger.outcome(applicationId, outcome);
    }
  }

  /** The role's row of the API's signal. */
  async figures(): Promise<RoleFigures | undefined> {
    const { roles } = await readSignal(this.owner, this.organisationId);
    return roles.find(({ roleId }) => roleId === this.roleId);
  }

  /** All applications of the role, as staff read them. */
  private applications(): Promise<readonly Application[]> {
    return all(this.owner.list('/organisations/{orgId}/applications', { params: this.params }));
  }

  private get params() {
    return { orgId: this.organisationId, roleId: this.roleId };
  }
}

/** How many of the ledger's trials are in a status; `null`: they are open. */
export const counted = (ledger: Ledger, status: 'completed' | 'withdrawn' | null): number =>
  ledger.trials().filter((trial) => trial.status === status).length;

/** A row of the signal's page, in its order. */
export const cellsOf = (figures: RoleFigures): readonly string[] => {
  const { humanRound, disposition } = figures;
  const counts = [figures.trialCompletedCount, figures.outcomeRecordedCount, figures.awaitingOutcomeCount];
  return [...counts, humanRound.passed, humanRound.failed, disposition.hired, disposition.declined].map(
    String,
  );
};
