import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from './browser.js';
import { type HandInKind, REFUSED_WORK, type SentFile } from './exercise.js';
import type { Ending, PlannedActivity, PlannedCandidate, PlannedTrial, PlannedVisitor } from './plan.js';
import { listOf, numberOf, objectOf, Person, stringOf, Unexpected, unexpected } from './person.js';
import type { EndStatus, Ledger } from './ledger.js';
import { playInterview } from './play-interview.js';
import { playPage } from './play-page.js';
import { codeOf, type Service } from './service.js';
import { sendFile, sendRefused } from './send-files.js';
import type { Staff } from './staff.js';

export interface Stage {
  readonly service: Service;
  readonly issuer: Service;
  readonly staff: Staff;
  readonly ledger: Ledger;
  /** The address of a candidate by their name in the plan: another one in each run. */
  readonly addressOf: (name: string) => string;
  /** What is handed in, one file after the other. */
  readonly works: Readonly<Record<HandInKind, readonly SentFile[]>>;
  readonly pace: Pace;
  readonly time: Time;
}

/** What a candidate comes to: `invited` follows the invitation, `completed` the end of a completed trial. */
export type Step = 'invite' | 'invited' | 'start' | 'work' | 'interview' | 'completed' | 'outcome' | 'leave';

/** How time passes for those who play. */
export interface Time {
  /** Resolves once a time has come, in milliseconds of the epoch. */
  until(at: number): Promise<void>;
  /** Resolves once a candidate goes on with a step. @param opened `null`: they are not invited yet */
  before(step: Step, candidate: PlannedCandidate, opened: Opened | null): Promise<void>;
}

/** Everybody goes on at once. */
export const WITHOUT_PAUSES: Time = {
  until: async (at) => {
    await sleep(Math.max(0, at - Date.now()));
  },
  before: async () => undefined,
};

/** Times of a round. */
export interface Pace {
  /** How far ahead a trial that is to expire expires, at least 1 s. */
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

/** One candidate from the first invitation to the last outcome, with a recruiter of their own. */
export async function playCandidate(stage: Stage, planned: PlannedCandidate): Promise<void> {
  const { service, issuer, staff, addressOf } = stage;
  const recruiter = staff.recruiters[planned.number % staff.recruiters.length] ?? staff.owner;
  const sender = new Person(service, issuer, recruiter.email, planned.resends);
  const candidate = new Person(service, issuer, addressOf(planned.name), planned.resends);
  for (const trial of planned.trials) await new TrialPlay(stage, planned, trial, sender, candidate).play();
}

/** A candidate who works on the page from the invitation's link to the end of the interview. */
export async function playVisitor(stage: Stage, planned: PlannedVisitor, browser: Browser): Promise<void> {
  const { service, issuer, staff, addressOf, ledger } = stage;
  const recruiter = staff.recruiters[planned.number % staff.recruiters.length] ?? staff.owner;
  const sender = new Person(service, issuer, recruiter.email);
  const email = addressOf(planned.name);
  const roleId = staff.roleIds[planned.role] ?? '';
  const path = `/organisations/${staff.organisationId}/roles/${roleId}/invitations`;
  const invitation = { candidateEmail: email, candidateName: planned.name };
  const { body } = await sender.command('POST', path, invitation, { status: 201 }, true);
  const opened = noteInvited(ledger, roleId, email, body);
  const { interview } = planned;
  const { activities, questions } = await playPage(browser, { service, email, url: opened.url, interview });
  ledger.sent(opened.applicationId, activities);
  ledger.interviewed(opened.applicationId, questions);
  ledger.ended(opened.applicationId, 'completed');
}

/**
 * Somebody whom others have invited, from there to where their only trial ends.
 * @param application as staff read it
 */
export async function playInvited(
  stage: Stage,
  planned: PlannedCandidate,
  email: string,
  application: unknown,
): Promise<Opened> {
  const { service, issuer, staff, ledger } = stage;
  const [trial] = planned.trials;
  const roleId = staff.roleIds[planned.role];
  if (trial === undefined || roleId === undefined)
    throw new RangeError('Somebody invited has a trial and a role.');
  const opened = noteInvited(ledger, roleId, email, application);
  const candidate = new Person(service, issuer, email, planned.resends);
  await new TrialPlay(stage, planned, trial, staff.owner, candidate).playFrom(opened);
  return opened;
}

class TrialPlay {
  private readonly base: string;

  constructor(
    private readonly stage: Stage,
    private readonly planned: PlannedCandidate,
    private readonly trial: PlannedTrial,
    private readonly staff: Person,
    private readonly candidate: Person,
  ) {
    this.base = `/organisations/${stage.staff.organisationId}`;
  }

  async play(): Promise<void> {
    await this.playFrom(await this.invite());
  }

  async playFrom(opened: Opened): Promise<void> {
    const { ending } = this.trial;
    await this.candidate.read(`/applications/${opened.applicationId}`, this.staff.lastSeen);
    await this.comesTo('invited', opened);
    if (this.trial.extended) await this.extend(opened);
    if (ending === 'completed' || ending === 'started' || ending === 'in_interview') await this.work(opened);
    else if (ending === 'withdrawn') await this.withdraw(opened, true);
    else if (ending === 'withdrawn_before_start') await this.withdraw(opened, false);
    else if (ending === 'cancelled') await this.cancel(opened);
    else if (ending !== 'invited') await this.expire(opened, ending === 'expired');
    const status = END_STATUS[ending];
    if (status !== null) this.stage.ledger.ended(opened.applicationId, status);
    if (status === 'completed') await this.comesTo('completed', opened);
    for (const outcome of this.trial.outcomes) {
      await this.comesTo('outcome', opened);
      const path = `${this.base}/trial-sessions/${opened.trialSessionId}/outcome`;
      if (outcome === null) await this.staff.command('DELETE', path, undefined, { status: 204 });
      else await this.staff.command('PUT', path, outcome, { status: 200 });
      this.stage.ledger.outcome(opened.applicationId, outcome);
    }
  }

  private comesTo(step: Step, opened: Opened | null): Promise<void> {
    return this.stage.time.before(step, this.planned, opened);
  }

  private async invite(): Promise<Opened> {
    await this.comesTo('invite', null);
    const roleId = this.stage.staff.roleIds[this.planned.role] ?? '';
    const path = `${this.base}/roles/${roleId}/invitations`;
    const invitation = { candidateEmail: this.candidate.email, ...this.planned.invitation };
    const again = { status: 409, code: 'already_invited' };
    const expected = { status: 201, again };
    const expires = this.trial.ending === 'expired' || this.trial.ending === 'expired_before_start';
    const answer = expires
      ? await this.inviteBriefly(path, invitation)
      : await this.staff.command('POST', path, invitation, expected, true);
    return noteInvited(this.stage.ledger, roleId, invitation.candidateEmail, answer.body);
  }

  /** A time so near may have passed before a hampered service reads it: then a new invitation names one further off. */
  private async inviteBriefly(path: string, invitation: object): ReturnType<Person['attempt']> {
    for (let aheadMs = this.stage.pace.expiresInMs; ; aheadMs *= 2) {
      const expiresAt = new Date(Date.now() + aheadMs).toISOString();
      const answer = await this.staff.attempt('POST', path, { ...invitation, expiresAt });
      if (answer.status === 201) return answer;
      if (codeOf(answer) !== 'validation_failed' || aheadMs > MAX_EXPIRES_IN_MS)
        throw unexpected('POST', path, answer);
    }
  }

  private async extend({ applicationId }: Opened): Promise<void> {
    const expiresAt = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const path = `${this.base}/applications/${applicationId}`;
    await this.staff.command('PATCH', path, { expiresAt }, { status: 200 });
  }

  /** From the start to where the trial ends, or is left open. */
  private async work(opened: Opened): Promise<void> {
    await this.start(opened);
    await this.workOnTickets(opened);
    const session = `/trial-sessions/${opened.trialSessionId}`;
    const { interview, ending } = this.trial;
    if (ending === 'started') return;
    await this.comesTo('interview', opened);
    if (interview === null) {
      await this.candidate.command('POST', `${session}/complete`, undefined, { status: 200 });
      return;
    }
    const { service, ledger } = this.stage;
    const held = await playInterview(service, this.candidate, opened.trialSessionId, interview);
    ledger.sent(opened.applicationId, held.activities);
    ledger.interviewed(opened.applicationId, held.questions);
  }

  private async start(opened: Opened): Promise<void> {
    await this.comesTo('start', opened);
    const path = `/trial-sessions/${opened.trialSessionId}/start`;
    await this.candidate.command('POST', path, { consent: true }, { status: 200 });
  }

  private async withdraw(opened: Opened, started: boolean): Promise<void> {
    const session = `/trial-sessions/${opened.trialSessionId}`;
    if (started) {
      await this.start(opened);
      await this.workOnTickets(opened);
    }
    await this.comesTo('leave', opened);
    await this.candidate.command('POST', `${session}/withdraw`, undefined, { status: 200 });
    const outcome = `${this.base}${session}/outcome`;
    const refused = await this.staff.attempt('PUT', outcome, { humanRound: 'passed' });
    if (codeOf(refused) !== 'trial_not_completed') throw unexpected('PUT', outcome, refused);
  }

  private async cancel(opened: Opened): Promise<void> {
    await this.comesTo('leave', opened);
    const path = `${this.base}/applications/${opened.applicationId}/cancel`;
    const answer = await this.staff.attempt('POST', path);
    if (answer.status !== 200) throw unexpected('POST', path, answer);
  }

  private async expire(opened: Opened, started: boolean): Promise<void> {
    const { trialSessionId, expiresAt } = opened;
    const path = `/trial-sessions/${trialSessionId}`;
    if (started) {
      await this.comesTo('start', opened);
      const answer = await this.candidate.attempt('POST', `${path}/start`, { consent: true });
      const tooLate = answer.status === 409 && codeOf(answer) === 'session_ended';
      if (answer.status !== 200 && !tooLate) throw unexpected('POST', `${path}/start`, answer);
    }
    await this.stage.time.until(expiresAt);
    const until = performance.now() + EXPIRY_TIMEOUT_MS;
    for (;;) {
      const status = stringOf(objectOf(await this.candidate.read(path), 'The trial session'), 'status');
      if (status === 'expired') return;
      if (performance.now() > until)
        throw new Unexpected(
          `The trial session ${trialSessionId} is ${status}, ${EXPIRY_TIMEOUT_MS / 1000} s after its expiry.`,
        );
      await sleep(this.stage.pace.pollMs);
    }
  }

  private async workOnTickets(opened: Opened): Promise<void> {
    await this.comesTo('work', opened);
    await this.report(opened);
    const { handIn } = this.trial;
    if (handIn === null) return;
    const path = `/trial-sessions/${opened.trialSessionId}/tickets/${this.stage.staff.ticketId}/hand-ins`;
    // An evaluation waits ten minutes for what was announced and never arrived.
    if (handIn === 'hostile' && this.trial.ending === 'withdrawn')
      await sendRefused(this.candidate, path, REFUSED_WORK);
    for (const file of this.stage.works[handIn]) await sendFile(this.candidate, path, file);
    this.stage.ledger.handedIn(opened.applicationId, handIn);
  }

  private async report({ applicationId, trialSessionId }: Opened): Promise<void> {
    const path = `/trial-sessions/${trialSessionId}/activity`;
    const last = this.trial.batches.at(-1)?.at(-1)?.at ?? 0;
    const began = Date.now() - last * 1000;
    let number = 0;
    for (const batch of this.trial.batches) {
      const events = batch.map((activity) => sent(activity, began, (number += 1)));
      const { body } = await this.candidate.command('POST', path, { events }, { status: 202 });
      const answer = objectOf(body, 'The answer to activity');
      // A batch whose answer was lost is known the second time: both figures together are the batch.
      if (numberOf(answer, 'accepted') + numberOf(answer, 'duplicates') !== events.length)
        throw new Unexpected(
          `POST ${path} counts another number of events than the ${events.length} it got.`,
        );
      this.stage.ledger.sent(
        applicationId,
        batch.map(({ eventType }) => eventType),
      );
    }
  }
}

/** Counts an application as its invitation was answered. */
const noteInvited = (ledger: Ledger, roleId: string, candidateEmail: string, answer: unknown): Opened => {
  const application = objectOf(answer, 'The application');
  const session = objectOf(listOf(application['trialSessions'], 'trialSessions')[0], 'The trial session');
  const opened = {
    applicationId: stringOf(application, 'id'),
    trialSessionId: stringOf(session, 'id'),
    url: stringOf(application, 'candidateUrl'),
    expiresAt: Date.parse(stringOf(session, 'expiresAt')),
  };
  const { applicationId, trialSessionId } = opened;
  const roleName = stringOf(application, 'roleName');
  ledger.invited({ applicationId, trialSessionId, roleId, candidateEmail, roleName });
  return opened;
};

const sent = ({ eventType, payload, at }: PlannedActivity, began: number, number: number): object => ({
  clientEventId: `event-${number}`,
  eventType,
  occurredAt: new Date(began + at * 1000).toISOString(),
  payload,
});
