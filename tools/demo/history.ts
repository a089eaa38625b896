import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '../../src/core/timestamp.js';
import type { SentFile, HandInKind } from '../simulate/exercise.js';
import { Ledger } from '../simulate/ledger.js';
import { type Issuer, Person } from '../simulate/person.js';
import type { PlannedCandidate } from '../simulate/plan.js';
import { type Opened, playCandidate, type RoundContext, type Step } from '../simulate/play-candidate.js';
import { type Service, Unexpected } from '../simulate/service.js';
import { activitiesOf } from './activities.js';
import { interviewOf } from './answers.js';
import type { Calendar, CandidateDays } from './calendar.js';
import { addressOf, CANDIDATES, type DemoCandidate, type Extra, ROLES, storyOf, WORK_OF } from './cast.js';
import type { Company } from './company.js';
import type { Timeline } from './timeline.js';
import type { Recordings } from './voice.js';

export interface HistoryOptions {
  readonly service: Service;
  readonly issuer: Issuer;
  readonly company: Company;
  readonly works: Readonly<Record<HandInKind, readonly SentFile[]>>;
  readonly calendar: Calendar;
  readonly timeline: Timeline;
  readonly scorer: { isUnavailable: boolean };
  readonly recordings: Recordings;
}

/** What became of a candidate, as far as the demo links to it. */
export interface Played {
  readonly candidate: DemoCandidate;
  readonly opened: Opened;
  /** `null`: the trial was not completed. */
  readonly evaluationId: string | null;
  /** Link to the shared report; `null`: the evaluation was not shared. */
  readonly shareUrl: string | null;
}

/** Activities of one request. */
const BATCH = 12;
const POLL_MS = 50;
/** How many of the newest evaluations are read: at least as many as trials are completed at one time. */
const NEWEST = 10;
const EVALUATION_TIMEOUT_MS = 120_000;
/** How long the invitations are valid that expire. */
const EXPIRES_IN_MS = 3 * DAY_MS;

/** Plays all applications of the demo over HTTP and sockets, each on its days. @throws {Unexpected | ServiceGone} */
export async function playHistory(options: HistoryOptions): Promise<readonly Played[]> {
  const ledger = new Ledger();
  const played: Played[] = [];
  await options.timeline.play(
    CANDIDATES.map((candidate, place) => async () => {
      played.push(await new CandidateHistory(options, ledger, candidate, place).play());
    }),
  );
  return played;
}

/** One candidate's days, from the invitation to what happens after the outcome. `play` is called once. */
class CandidateHistory {
  private readonly days: CandidateDays;
  private readonly orgId: string;
  private readonly staff: Person;
  private readonly person: Person;
  private readonly extras: readonly Extra[];
  private opened: Opened | null = null;
  private evaluationId: string | null = null;
  private shareUrl: string | null = null;
  private outcomes = 0;

  constructor(
    private readonly options: HistoryOptions,
    private readonly ledger: Ledger,
    private readonly candidate: DemoCandidate,
    private readonly place: number,
  ) {
    const { service, issuer, company, calendar } = options;
    this.days = calendar.of(candidate, place);
    this.orgId = company.organisationId;
    this.staff = company.recruiters[0] ?? company.owner;
    this.person = new Person(service, issuer, addressOf(candidate.name));
    this.extras = storyOf(candidate).extras ?? [];
  }

  async play(): Promise<Played> {
    const { service, issuer, company, works, timeline } = this.options;
    const round: RoundContext = {
      ...{ service, issuer, staff: company, ledger: this.ledger, works, addressOf },
      pace: { expiresInMs: EXPIRES_IN_MS, pollMs: POLL_MS },
      time: {
        until: (at) => timeline.until(at),
        before: (step, _, opened) => this.before(step, opened),
      },
    };
    await playCandidate(round, this.plan());
    await this.afterwards();
    if (this.opened === null) throw new Unexpected(`${this.candidate.name} was not invited.`);
    const { candidate, opened, evaluationId, shareUrl } = this;
    return { candidate, opened, evaluationId, shareUrl };
  }

  /** What the simulator plays for this candidate. */
  private plan(): PlannedCandidate {
    const { candidate, place } = this;
    const { name, role } = candidate;
    const { ending, skill = null, outcomes = [] } = storyOf(candidate);
    const tickets = this.options.company.ticketsElsewhere[role];
    const activities = skill === null ? [] : activitiesOf({ role, skill, place, tickets });
    const batches = Array.from({ length: Math.ceil(activities.length / BATCH) }, (_, index) =>
      activities.slice(index * BATCH, (index + 1) * BATCH),
    );
    const recordings = this.has('is_accommodated') ? null : this.options.recordings;
    const silentFrom = ending === 'in_interview' ? 3 : null;
    const trial = {
      ...{ ending, batches, outcomes, extended: false },
      interview: skill === null ? null : interviewOf({ skill, place, silentFrom, recordings }),
      handIn: skill === null || role !== 'backend' ? null : WORK_OF[skill],
    };
    const invitation = { candidateName: name };
    return {
      ...{ number: place, name, invitation, role: ROLES.indexOf(role), resends: 'never', trials: [trial] },
    };
  }

  /** Called before each step of the candidate: waits for its day, and does what the staff do by then. */
  private async before(step: Step, opened: Opened | null): Promise<void> {
    const { days } = this;
    const { timeline, scorer, company } = this.options;
    this.opened ??= opened;
    if (step === 'invite') return timeline.until(days.invite);
    if (step === 'invited') return this.afterInvitation();
    if (step === 'start') return timeline.until(days.start);
    if (step === 'work') return timeline.until(days.work);
    if (step === 'leave') return timeline.until(days.leave);
    if (step === 'interview') {
      scorer.isUnavailable = this.extras.includes('scorer_is_unavailable');
      return;
    }
    if (step === 'completed') {
      this.evaluationId = await this.evaluated();
      scorer.isUnavailable = false;
      return;
    }
    await timeline.until(days.outcome(this.outcomes));
    this.outcomes += 1;
    await company.reviewer.get('/organisations/{orgId}/evaluations/{id}', {
      params: { orgId: this.orgId, id: this.evaluation.evaluationId },
    });
  }

  /** Waits for the evaluation of the completed trial. @returns its id */
  private async evaluated(): Promise<string> {
    const wanted = this.extras.includes('scorer_is_unavailable') ? 'failed' : 'ready';
    const until = performance.now() + EVALUATION_TIMEOUT_MS;
    for (;;) {
      const { items } = await this.staff.get('/organisations/{orgId}/evaluations', {
        params: { orgId: this.orgId, sort: '-completedAt', limit: NEWEST },
      });
      const found = items.find(({ trialSessionId }) => trialSessionId === this.opened?.trialSessionId);
      if (found?.status === wanted) return found.id;
      if (performance.now() > until)
        throw new Unexpected(
          `The evaluation of ${this.candidate.name} is ${found?.status ?? 'missing'}, and not ${wanted}.`,
        );
      await sleep(POLL_MS);
    }
  }

  private has(extra: Extra): boolean {
    return this.extras.includes(extra);
  }

  private get application() {
    return { applicationId: this.opened?.applicationId ?? '' };
  }

  private get evaluation() {
    return { evaluationId: this.evaluationId ?? '' };
  }

  private async afterInvitation(): Promise<void> {
    const { timeline, calendar } = this.options;
    const params = { orgId: this.orgId, ...this.application };
    if (this.has('expires_soon'))
      await this.staff.command('patch', '/organisations/{orgId}/applications/{applicationId}', 200, {
        params,
        body: { expiresAt: new Date(calendar.tomorrow).toISOString() },
      });
    if (!this.has('asks_for_accommodation')) return;
    await timeline.until(this.days.asksForAccommodation);
    await this.person.command('post', '/applications/{applicationId}/accommodation-requests', 202, {
      params: this.application,
      body: { text: 'I have dyslexia. Could I have half as much time again, and type my answers?' },
    });
    if (!this.has('is_accommodated')) return;
    await timeline.until(this.days.isAccommodated);
    const path = '/organisations/{orgId}/applications/{applicationId}/accommodations';
    const body = { timeFactor: 1.5, typedOnly: true, captions: false };
    await this.staff.command('put', path, 200, { params, body });
  }

  /** What happens once the trial has ended and its outcome is recorded. */
  private async afterwards(): Promise<void> {
    const { days, orgId } = this;
    const { timeline, company } = this.options;
    if (this.has('is_shared')) {
      await timeline.until(days.isShared);
      const path = '/organisations/{orgId}/evaluations/{evaluationId}/share-links';
      const params = { orgId, ...this.evaluation };
      const body = { label: 'For the hiring manager' };
      this.shareUrl = (await this.staff.command('post', path, 201, { params, body })).url;
    }
    if (this.has('contests')) await this.contest();
    if (this.has('asks_for_erasure')) {
      await timeline.until(days.asksForErasure);
      const params = this.application;
      await this.person.command('post', '/applications/{applicationId}/erasure-requests', 202, { params });
    }
    if (this.has('is_erased')) {
      await timeline.until(days.isErased);
      await company.owner.command(
        'post',
        '/organisations/{orgId}/applications/{applicationId}/erasure',
        202,
        {
          params: { orgId, ...this.application },
        },
      );
    }
  }

  private async contest(): Promise<void> {
    const { timeline } = this.options;
    await timeline.until(this.days.contests);
    const contest = await this.person.command('post', '/me/evaluations/{evaluationId}/contests', 201, {
      params: this.evaluation,
      body: {
        about: { kind: 'transcript', reference: 'turn 2' },
        text: 'My second answer is cut off: I went on for another minute about how I checked it.',
      },
    });
    if (!this.has('is_answered')) return;
    await timeline.until(this.days.isAnswered);
    const path = '/organisations/{orgId}/evaluations/{evaluationId}/contests/{contestId}/answer';
    const params = { orgId: this.orgId, ...this.evaluation, contestId: contest.id };
    const text = 'You are right. We read the answer again with you, and it does not change our decision.';
    await this.staff.command('post', path, 200, { params, body: { text } });
  }
}
