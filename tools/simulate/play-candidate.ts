import { setTimeout as sleep } from 'node:timers/promises';
import type { Activity, Application, InviteCandidate } from '../../packages/client/src/index.js';
import type { Browser } from './browser.js';
import { type HandInKind, REFUSED_WORK, type SentFile } from './exercise.js';
import type { EndStatus, Ledger } from './ledger.js';
import { type Issuer, isRefusal, Person } from './person.js';
import type { Ending, PlannedActivity, PlannedCandidate, PlannedTrial, PlannedVisitor } from './plan.js';
import { playInterview } from './play-interview.js';
import { playPage } from './play-page.js';
import { handInsOf, sendFile, sendRefused } from './send-files.js';
import { type Service, Unexpected } from './service.js';
import type { Staff } from './staff.js';

/** What all who play in a round share. */
export interface RoundContext {
  readonly service: Service;
  readonly issuer: Issuer;
  readonly staff: Staff;
  readonly ledger: Ledger;
  /** The address of a candidate by their name in the plan: another one in each run. */
  readonly addressOf: (name: string) => string;
  /** What is handed in, one file after the other. */
  readonly works: Readonly<Record<HandInKind, readonly SentFile[]>>;
  readonly pace: Pace;
  readonly time: Time;
}

/** A candidate's next step: `invited` is after the invitation, `completed` after the end of a completed trial. */
export type Step = 'invite' | 'invited' | 'start' | 'work' | 'interview' | 'completed' | 'outcome' | 'leave';

/** How time passes for those who play. */
export interface Time {
  /** Resolves once a time has come, in milliseconds of the epoch. */
  until(at: number): Promise<void>;
  /** Resolves once a candidate may begin a step. @param opened `null`: they are not invited yet */
  before(step: Step, candidate: PlannedCandidate, opened: Opened | null): Promise<void>;
}

/** Every candidate begins each step without a wait. */
export const WITHOUT_PAUSES: Time = {
  until: async (at) => {
    await sleep(Math.max(0, at - Date.now()));
  },
  before: async () => undefined,
};

/** Times of a round. */
export interface Pace {
  /** How long a trial is open that is planned to expire, at least 1 s. */
  readonly expiresInMs: number;
  /** Between two reads of something that is awaited. */
  readonly pollMs: number;
}

/** An application that was opened by an invitation. */
export interface Opened {
  readonly applicationId: string;
  readonly trialSessionId: string;
  /** Where the candidate is sent. */
  readonly url: string;
  /** In milliseconds since 1970. */
  readonly expiresAt: number;
}

const INVITATIONS = '/organisations/{orgId}/roles/{roleId}/invitations';
const OUTCOME = '/organisations/{orgId}/trial-sessions/{trialSessionId}/outcome';
const ACTIVITY = '/trial-sessions/{trialSessionId}/activity';
const START = '/trial-sessions/{trialSessionId}/start';
const EXPIRY_TIMEOUT_MS = 90_000;
const MAX_EXPIRES_IN_MS = 60_000;
/** `null`: it stays open. */
const END_STATUS: Readonly<Record<Ending, EndStatus | null>> = {
  completed: 'completed',
  withdrawn: 'withdrawn',
  withdrawn_before_start: 'withdrawn',
  cancelled: 'withdrawn',
  expired: 'expired',
  expired_before_start: 'expired',
  invited: null,
  started: null,
  in_interview: null,
};

/** Plays one candidate from the first invitation to the last outcome. Recruiters take the candidates in turn. */
export async function playCandidate(round: RoundContext, planned: PlannedCandidate): Promise<void> {
  const { service, issuer, staff, addressOf } = round;
  const recruiter = staff.recruiters[planned.number % staff.recruiters.length] ?? staff.owner;
  const sender = new Person(service, issuer, recruiter.email, planned.resends);
  const candidate = new Person(service, issuer, addressOf(planned.name), planned.resends);
  for (const trial of planned.trials) await new TrialPlay(round, planned, trial, sender, candidate).play();
}

/** Plays a candidate who works on the page, from the invitation's link to the end of the interview. */
export async function playVisitor(
  round: RoundContext,
  planned: PlannedVisitor,
  browser: Browser,
): Promise<void> {
  const { service, issuer, staff, addressOf, ledger } = round;
  const recruiter = staff.recruiters[planned.number % staff.recruiters.length] ?? staff.owner;
  const sender = new Person(service, issuer, recruiter.email);
  const email = addressOf(planned.name);
  const roleId = staff.roleIds[planned.role] ?? '';
  const application = await sender.command('post', INVITATIONS, 201, {
    params: { orgId: staff.organisationId, roleId },
    body: { candidateEmail: email, candidateName: planned.name },
  });
  const opened = noteInvited(ledger, roleId, email, application);
  const { interview } = planned;
  const { activities, questions } = await playPage(browser, { service, email, url: opened.url, interview });
  ledger.sent(opened.applicationId, activities);
  ledger.interviewed(opened.applicationId, questions);
  ledger.ended(opened.applicationId, 'completed');
}

/**
 * Plays somebody who is invited already, up to the end of their only trial.
 * @param application as staff read it
 */
export async function playInvited(
  round: RoundContext,
  planned: PlannedCandidate,
  email: string,
  application: Application,
): Promise<Opened> {
  const { service, issuer, staff, ledger } = round;
  const [trial] = planned.trials;
  const roleId = staff.roleIds[planned.role];
  if (trial === undefined || roleId === undefined)
    throw new RangeError('Somebody invited has a trial and a role.');
  const opened = noteInvited(ledger, roleId, email, application);
  const candidate = new Person(service, issuer, email, planned.resends);
  await new TrialPlay(round, planned, trial, staff.owner, candidate).playFrom(opened);
  return opened;
}

/** One trial of a candidate. `play` or `playFrom` is called once. */
class TrialPlay {
  private readonly orgId: string;

  constructor(
    private readonly round: RoundContext,
    private readonly planned: PlannedCandidate,
    private readonly trial: PlannedTrial,
    private readonly staff: Person,
    private readonly candidate: Person,
  ) {
    this.orgId = round.staff.organisationId;
  }

  async play(): Promise<void> {
    await this.playFrom(await this.invite());
  }

  async playFrom(opened: Opened): Promise<void> {
    const { ending } = this.trial;
    const { applicationId, trialSessionId } = opened;
    this.candidate.follow(this.staff);
    await this.candidate.get('/applications/{applicationId}', { params: { applicationId } });
    await this.waitToBegin('invited', opened);
    if (this.trial.extended) await this.extend(opened);
    if (ending === 'completed' || ending === 'started' || ending === 'in_interview') await this.work(opened);
    else if (ending === 'withdrawn') await this.withdraw(opened, true);
    else if (ending === 'withdrawn_before_start') await this.withdraw(opened, false);
    else if (ending === 'cancelled') await this.cancel(opened);
    else if (ending !== 'invited') await this.expire(opened, ending === 'expired');
    const status = END_STATUS[ending];
    if (status !== null) this.round.ledger.ended(opened.applicationId, status);
    if (status === 'completed') await this.waitToBegin('completed', opened);
    for (const outcome of this.trial.outcomes) {
      await this.waitToBegin('outcome', opened);
      const params = { orgId: this.orgId, trialSessionId };
      if (outcome === null) await this.staff.command('delete', OUTCOME, 204, { params });
      else await this.staff.command('put', OUTCOME, 200, { params, body: outcome });
      this.round.ledger.outcome(opened.applicationId, outcome);
    }
  }

  private waitToBegin(step: Step, opened: Opened | null): Promise<void> {
    return this.round.time.before(step, this.planned, opened);
  }

  private async invite(): Promise<Opened> {
    await this.waitToBegin('invite', null);
    const roleId = this.round.staff.roleIds[this.planned.role] ?? '';
    const params = { orgId: this.orgId, roleId };
    const body = { candidateEmail: this.candidate.email, ...this.planned.invitation };
    const expires = this.trial.ending === 'expired' || this.trial.ending === 'expired_before_start';
    // A copy of the invitation under another key is refused.
    const application = expires
      ? await this.inviteBriefly(params, body)
      : await this.staff.command('post', INVITATIONS, 201, { params, body }, '409 already_invited');
    return noteInvited(this.round.ledger, roleId, body.candidateEmail, application);
  }

  /** The expiry may have passed before a slow service reads it. Then a new invitation is sent, with twice the time. */
  private async inviteBriefly(
    params: { readonly orgId: string; readonly roleId: string },
    invitation: InviteCandidate,
  ): Promise<Application> {
    for (let aheadMs = this.round.pace.expiresInMs; ; aheadMs *= 2) {
      const body = { ...invitation, expiresAt: new Date(Date.now() + aheadMs).toISOString() };
      try {
        return await this.staff.once('post', INVITATIONS, 201, { params, body });
      } catch (error) {
        if (!isRefusal(error, '400 validation_failed') || aheadMs > MAX_EXPIRES_IN_MS) throw error;
      }
    }
  }

  private async extend({ applicationId }: Opened): Promise<void> {
    await this.staff.command('patch', '/organisations/{orgId}/applications/{applicationId}', 200, {
      params: { orgId: this.orgId, applicationId },
      body: { expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() },
    });
  }

  /** From the start to where the trial ends, or is left open. */
  private async work(opened: Opened): Promise<void> {
    await this.start(opened);
    await this.workOnTickets(opened);
    const { trialSessionId } = opened;
    const { interview, ending } = this.trial;
    if (ending === 'started') return;
    await this.waitToBegin('interview', opened);
    if (interview === null) {
      const params = { trialSessionId };
      await this.candidate.command('post', '/trial-sessions/{trialSessionId}/complete', 200, { params });
      return;
    }
    const { service, ledger } = this.round;
    const held = await playInterview(service, this.candidate, trialSessionId, interview);
    ledger.sent(opened.applicationId, held.activities);
    ledger.interviewed(opened.applicationId, held.questions);
  }

  private async start(opened: Opened): Promise<void> {
    await this.waitToBegin('start', opened);
    await this.candidate.command('post', START, 200, consentOf(opened));
  }

  private async withdraw(opened: Opened, started: boolean): Promise<void> {
    const params = { trialSessionId: opened.trialSessionId };
    if (started) {
      await this.start(opened);
      await this.workOnTickets(opened);
    }
    await this.waitToBegin('leave', opened);
    await this.candidate.command('post', '/trial-sessions/{trialSessionId}/withdraw', 200, { params });
    await this.staff.refused('put', OUTCOME, '409 trial_not_completed', {
      params: { orgId: this.orgId, ...params },
      body: { humanRound: 'passed' },
    });
  }

  private async cancel(opened: Opened): Promise<void> {
    await this.waitToBegin('leave', opened);
    await this.staff.once('post', '/organisations/{orgId}/applications/{applicationId}/cancel', 200, {
      params: { orgId: this.orgId, applicationId: opened.applicationId },
    });
  }

  private async expire(opened: Opened, started: boolean): Promise<void> {
    const { trialSessionId, expiresAt } = opened;
    const params = { trialSessionId };
    if (started) {
      await this.waitToBegin('start', opened);
      await this.candidate.once('post', START, 200, consentOf(opened)).catch((error: unknown) => {
        // The trial may have expired.
        if (!isRefusal(error, '409 session_ended')) throw error;
      });
    }
    await this.round.time.until(expiresAt);
    const until = performance.now() + EXPIRY_TIMEOUT_MS;
    for (;;) {
      const { status } = await this.candidate.get('/trial-sessions/{trialSessionId}', { params });
      if (status === 'expired') return;
      if (performance.now() > until)
        throw new Unexpected(
          `The trial session ${trialSessionId} is ${status}, ${EXPIRY_TIMEOUT_MS / 1000} s after its expiry.`,
        );
      await sleep(this.round.pace.pollMs);
    }
  }

  private async workOnTickets(opened: Opened): Promise<void> {
    await this.waitToBegin('work', opened);
    await this.report(opened);
    const { handIn } = this.trial;
    if (handIn === null) return;
    const { ticketId } = this.round.staff;
    const handIns = handInsOf(this.candidate, opened.trialSessionId, ticketId);
    // Only in a trial that is not evaluated: a busy service may leave the refused hand-in open, and an evaluation would
    // wait ten minutes for it.
    if (handIn === 'hostile' && this.trial.ending === 'withdrawn') await sendRefused(handIns, REFUSED_WORK);
    for (const file of this.round.works[handIn]) await sendFile(handIns, file);
    this.round.ledger.handedIn(opened.applicationId, handIn);
  }

  private async report({ applicationId, trialSessionId }: Opened): Promise<void> {
    const last = this.trial.batches.at(-1)?.at(-1)?.at ?? 0;
    const began = Date.now() - last * 1000;
    let number = 0;
    for (const batch of this.trial.batches) {
      const events = batch.map((activity) => sent(activity, began, (number += 1)));
      const call = { params: { trialSessionId }, body: { events } };
      const { accepted, duplicates } = await this.candidate.command('post', ACTIVITY, 202, call);
      // A batch that is known already is all duplicates: both figures together are the batch.
      if (accepted + duplicates !== events.length)
        throw new Unexpected(
          `The session ${trialSessionId} counts another number of events than the ${events.length} it got.`,
        );
      this.round.ledger.sent(
        applicationId,
        batch.map(({ eventType }) => eventType),
      );
    }
  }
}

/** Notes an invitation in the ledger, by the service's answer to it. */
const noteInvited = (
  ledger: Ledger,
  roleId: string,
  candidateEmail: string,
  { id: applicationId, trialSessions: [session], candidateUrl: url, roleName }: Application,
): Opened => {
  if (session === undefined) throw new Unexpected(`The application ${applicationId} has no trial session.`);
  const { id: trialSessionId, expiresAt } = session;
  ledger.invited({ applicationId, trialSessionId, roleId, candidateEmail, roleName });
  return { applicationId, trialSessionId, url, expiresAt: Date.parse(expiresAt) };
};

const consentOf = ({ trialSessionId }: Opened) =>
  ({ params: { trialSessionId }, body: { consent: true } }) as const;

const sent = ({ eventType, payload, at }: PlannedActivity, began: number, number: number): Activity => ({
  clientEventId: `event-${number}`,
  eventType,
  occurredAt: new Date(began + at * 1000).toISOString(),
  payload,
});
