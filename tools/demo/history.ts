import { setTimeout as sleep } from 'node:timers/promises';
import type { SentFile, HandInKind } from '../simulate/exercise.js';
import { Ledger } from '../simulate/ledger.js';
import { listOf, objectOf, Person, stringOf, Unexpected } from '../simulate/person.js';
import type { PlannedCandidate } from '../simulate/plan.js';
import { type Opened, playCandidate, type Stage, type Step } from '../simulate/play-candidate.js';
import type { Service } from '../simulate/service.js';
import { DAY_MS } from '../../src/core/timestamp.js';
import { activitiesOf } from './activities.js';
import { interviewOf } from './answers.js';
import type { Calendar, CandidateDays } from './calendar.js';
import { addressOf, CANDIDATES, type DemoCandidate, type Extra, ROLES, storyOf, WORK_OF } from './cast.js';
import type { Company } from './company.js';
import type { Recordings } from './voice.js';
import type { Timeline } from './timeline.js';

export interface HistoryOptions {
  readonly service: Service;
  readonly issuer: Service;
  readonly company: Company;
  readonly works: Readonly<Record<HandInKind, readonly SentFile[]>>;
  readonly calendar: Calendar;
  readonly timeline: Timeline;
  readonly scorer: { isAway: boolean };
  readonly recordings: Recordings;
}

/** What became of a candidate, as far as the demo links to it. */
export interface Played {
  readonly candidate: DemoCandidate;
  readonly opened: Opened;
  /** `null`: the trial was not completed. */
  readonly evaluationId: string | null;
  /** `null`: the evaluation was not shared. */
  readonly sharedAt: string | null;
}

/** Activities of one request. */
const BATCH = 12;
const POLL_MS = 50;
/** At least as many trials as are completed at one time. */
const NEWEST = 10;
const EVALUATION_TIMEOUT_MS = 120_000;
/** How long those have to begin whose invitations expire. */
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

class CandidateHistory {
  private readonly days: CandidateDays;
  private readonly base: string;
  private readonly staff: Person;
  private readonly person: Person;
  private readonly extras: readonly Extra[];
  private opened: Opened | null = null;
  private evaluationId: string | null = null;
  private sharedAt: string | null = null;
  private outcomes = 0;

  constructor(
    private readonly options: HistoryOptions,
    private readonly ledger: Ledger,
    private readonly candidate: DemoCandidate,
    private readonly place: number,
  ) {
    const { service, issuer, company, calendar } = options;
    this.days = calendar.of(candidate, place);
    this.base = `/organisations/${company.organisationId}`;
    this.staff = company.recruiters[0] ?? company.owner;
    this.person = new Person(service, issuer, addressOf(candidate.name));
    this.extras = storyOf(candidate).extras ?? [];
  }

  async play(): Promise<Played> {
    const { service, issuer, company, works, timeline } = this.options;
    const stage: Stage = {
      ...{ service, issuer, staff: company, ledger: this.ledger, works, addressOf },
      pace: { expiresInMs: EXPIRES_IN_MS, pollMs: POLL_MS },
      time: {
        until: (at) => timeline.until(at),
        before: (step, _, opened) => this.before(step, opened),
      },
    };
    await playCandidate(stage, this.plan());
    await this.afterwards();
    if (this.opened === null) throw new Unexpected(`${this.candidate.name} was not invited.`);
    const { candidate, opened, evaluationId, sharedAt } = this;
    return { candidate, opened, evaluationId, sharedAt };
  }

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
      scorer.isAway = this.extras.includes('scorer_is_away');
      return;
    }
    if (step === 'completed') {
      this.evaluationId = await this.evaluated();
      scorer.isAway = false;
      return;
    }
    await timeline.until(days.outcome(this.outcomes));
    this.outcomes += 1;
    await company.reviewer.read(`${this.base}/evaluations/${this.evaluationId ?? ''}`);
  }

  /** Waits for the evaluation of the completed trial. @returns its id */
  private async evaluated(): Promise<string> {
    const wanted = this.extras.includes('scorer_is_away') ? 'failed' : 'ready';
    const until = performance.now() + EVALUATION_TIMEOUT_MS;
    for (;;) {
      const page = await this.staff.read(`${this.base}/evaluations?sort=-completedAt&limit=${NEWEST}`);
      const found = listOf(objectOf(page, 'The evaluations')['items'], 'items')
        .map((item) => objectOf(item, 'An evaluation'))
        .find(({ trialSessionId }) => trialSessionId === this.opened?.trialSessionId);
      const status = found === undefined ? 'missing' : stringOf(found, 'status');
      if (found !== undefined && status === wanted) return stringOf(found, 'id');
      if (performance.now() > until)
        throw new Unexpected(`The evaluation of ${this.candidate.name} is ${status}, and not ${wanted}.`);
      await sleep(POLL_MS);
    }
  }

  private has(extra: Extra): boolean {
    return this.extras.includes(extra);
  }

  private get application(): string {
    return `/applications/${this.opened?.applicationId ?? ''}`;
  }

  private async afterInvitation(): Promise<void> {
    const { timeline, calendar } = this.options;
    if (this.has('expires_soon')) {
      const expiresAt = new Date(calendar.tomorrow).toISOString();
      await this.staff.command('PATCH', `${this.base}${this.application}`, { expiresAt }, { status: 200 });
    }
    if (!this.has('asks_for_accommodation')) return;
    await timeline.until(this.days.asksForAccommodation);
    const text = 'I have dyslexia. Could I have half as much time again, and type my answers?';
    await this.person.command(
      'POST',
      `${this.application}/accommodation-requests`,
      { text },
      { status: 202 },
    );
    if (!this.has('is_accommodated')) return;
    await timeline.until(this.days.isAccommodated);
    const granted = { timeFactor: 1.5, typedOnly: true, captions: false };
    const path = `${this.base}${this.application}/accommodations`;
    await this.staff.command('PUT', path, granted, { status: 200 });
  }

  /** What happens once the trial has ended and its outcome is recorded. */
  private async afterwards(): Promise<void> {
    const { days } = this;
    const { timeline, company } = this.options;
    const evaluation = `${this.base}/evaluations/${this.evaluationId ?? ''}`;
    if (this.has('is_shared')) {
      await timeline.until(days.isShared);
      const label = 'For the hiring manager';
      const { body } = await this.staff.command(
        'POST',
        `${evaluation}/share-links`,
        { label },
        { status: 201 },
        true,
      );
      this.sharedAt = stringOf(objectOf(body, 'The share link'), 'url');
    }
    if (this.has('contests')) await this.contest(evaluation);
    if (this.has('asks_for_erasure')) {
      await timeline.until(days.asksForErasure);
      await this.person.command('POST', `${this.application}/erasure-requests`, undefined, { status: 202 });
    }
    if (this.has('is_erased')) {
      await timeline.until(days.isErased);
      const path = `${this.base}${this.application}/erasure`;
      await company.owner.command('POST', path, undefined, { status: 202 });
    }
  }

  private async contest(evaluation: string): Promise<void> {
    const { timeline } = this.options;
    await timeline.until(this.days.contests);
    const contest = {
      about: { kind: 'transcript', reference: 'turn 2' },
      text: 'My second answer is cut off: I went on for another minute about how I checked it.',
    };
    const path = `/me/evaluations/${this.evaluationId ?? ''}/contests`;
    const { body } = await this.person.command('POST', path, contest, { status: 201 }, true);
    if (!this.has('is_answered')) return;
    await timeline.until(this.days.isAnswered);
    const id = stringOf(objectOf(body, 'The contest'), 'id');
    const text = 'You are right. We read the answer again with you, and it does not change our decision.';
    await this.staff.command('POST', `${evaluation}/contests/${id}/answer`, { text }, { status: 200 });
  }
}
