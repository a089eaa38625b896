import type { Position, StreamName } from '../../src/core/event-store.js';
import type { Metadata, Stored } from '../../src/core/event.js';
import type { PersonId } from '../../src/core/vault/port.js';
import type { InvitationTerms } from '../../src/domain/candidate/events.js';
import { DEFINITION_DEFAULTS, type Dimension, type RoleDefinition } from '../../src/domain/role/events.js';
import type {
  AnnouncedWork,
  AnswerRecorded,
  InterviewConnected,
  QuestionAsked,
  IdentityCheck,
  TrialEvent,
  TrialIds,
} from '../../src/domain/session/events.js';
import { LATE_HAND_IN_MS } from '../../src/domain/session/hand-ins.js';

/** An id made of a number for its kind and a number for its place, so that it is the same in every run. */
export const testId = (kind: number, n: number): string =>
  `00000000-0000-7000-8${kind.toString(16).padStart(3, '0')}-${n.toString(16).padStart(12, '0')}`;

/** Dimension `n`; `over` replaces fields. */
export const dimension = (n: number, over: Partial<Dimension> = {}): Dimension => ({
  id: testId(1, n),
  name: `Dimension ${n}`,
  weight: 1,
  category: 'correctness',
  threshold: null,
  rubric: null,
  ...over,
});

/** A role with one dimension of each category; `over` replaces fields. */
export const roleDefinition = (over: Partial<RoleDefinition> = {}): RoleDefinition => ({
  name: 'Engineer',
  overallThreshold: 50,
  dimensions: [dimension(1), dimension(2, { category: 'process' })],
  ticketIds: [],
  questions: [],
  ...DEFINITION_DEFAULTS,
  ...over,
});

type Payload = Readonly<Record<string, unknown>>;

const workOf = (ticketId: string, n: number): AnnouncedWork => ({
  ...{ handInId: testId(12, n), ticketId, bytes: 120 },
  sha256: n.toString(16).padStart(64, '0'),
});

/**
 * Builds a session's stream as a store returns it. Begin with `started`, end with `completed`, which returns the events.
 * Times are seconds after the start, by default one second after the former event. An event's id is
 * `testId(7, sequenceNumber)`.
 */
export class SessionBuilder {
  private readonly events: Stored<TrialEvent>[] = [];
  private now = 0;
  private next = 1;
  private turn = 0;
  /** Hand-ins that have begun and not arrived. */
  private readonly awaited: string[] = [];

  constructor(
    private readonly role: RoleDefinition = roleDefinition(),
    private readonly start = Date.parse('2026-03-02T09:00:00.000Z'),
  ) {}

  started(identity: IdentityCheck = 'verified'): this {
    const opening: InvitationTerms = {
      roleVersion: 1,
      role: this.role,
      invitedAt: this.time(0),
      expiresAt: this.time(14 * 86_400),
      language: 'en',
    };
    return this.push({
      type: 'trial.started',
      data: { ...this.ids(), opening, consent: true, identity },
      person: null,
      personal: null,
    });
  }

  /**
   * @param at seconds after the start by the candidate's clock
   * @param recordedAt the same by the server's clock; by default equal
   */
  activity(eventType: string, payload: Payload = {}, at = this.now + 1, recordedAt = at): this {
    return this.batch([[eventType, payload, at]], recordedAt);
  }

  /** Activities that are sent together: type, payload and seconds after the start by the candidate's clock. */
  batch(activities: readonly (readonly [string, Payload, number])[], recordedAt = this.now + 1): this {
    this.now = recordedAt;
    const first = this.next;
    this.push({
      type: 'trial.activity_recorded',
      data: { ...this.ids(), items: activities.map(([, , at]) => ({ occurredAt: this.time(at) })) },
      person: testId(9, 1) as PersonId,
      personal: {
        items: activities.map(([eventType, payload], place) => ({
          clientEventId: `c${first + place}`,
          eventType,
          payload,
        })),
      },
    });
    this.next = first + activities.length;
    return this;
  }

  message(text: string, at?: number): this {
    return this.activity('message.sent', { text, to: 'assistant' }, at);
  }

  testRun(passed: number, failed: number): this {
    return this.activity('test.run', { passed, failed, durationMs: 1000 });
  }

  change(path: string, linesAdded: number, linesRemoved = 0): this {
    return this.activity('file.changed', { path, linesAdded, linesRemoved });
  }

  /** The interview's next question, which begins a turn. */
  asked(text: string, over: Partial<QuestionAsked['data']> = {}): this {
    this.now += 1;
    this.turn += 1;
    return this.push({
      type: 'interview.question_asked',
      data: {
        ...this.ids(),
        turn: this.turn,
        questionId: testId(6, this.turn),
        kind: 'planned',
        dimensionIds: [],
        planned: 0,
        askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
        endsAt: this.time(3_600),
        elapsedMs: 0,
        ...over,
      },
      person: testId(9, 1) as PersonId,
      personal: { text },
    });
  }

  /** An answer to the last question, or to that of `over.turn`. */
  answered(text: string, over: Partial<AnswerRecorded['data']> = {}): this {
    this.now += 1;
    const turn = over.turn ?? this.turn;
    return this.push({
      type: 'interview.answer_recorded',
      data: {
        ...this.ids(),
        turn,
        questionId: testId(6, turn),
        source: 'typed',
        late: false,
        gapMs: 1_000,
        lastAudioSeq: 0,
        voice: null,
        transcriber: null,
        elapsedMs: 0,
        ...over,
      },
      person: testId(9, 1) as PersonId,
      personal: { text, messageId: `m${this.events.length}` },
    });
  }

  /** The candidate skips the last question. */
  skipped(): this {
    const { turn } = this;
    return this.push({
      type: 'interview.turn_skipped',
      data: {
        ...this.ids(),
        turn,
        questionId: testId(6, turn),
        lastAudioSeq: 0,
        voice: null,
        elapsedMs: 0,
      },
      person: testId(9, 1) as PersonId,
      personal: { messageId: `m${this.events.length}` },
    });
  }

  /** The candidate cuts off the speech of the last question. */
  cutOff(playedMs: number): this {
    const { turn } = this;
    return this.push({
      type: 'interview.interrupted',
      data: { ...this.ids(), turn, questionId: testId(6, turn), playedMs, sentMs: 10_000 },
      person: testId(9, 1) as PersonId,
      personal: { messageId: `m${this.events.length}` },
    });
  }

  /** A hand-in for a ticket begins. @param n determines the hand-in's id and hash */
  beginsHandIn(ticketId: string, n = 1): this {
    this.now += 1;
    const work = workOf(ticketId, n);
    this.awaited.push(work.handInId);
    return this.push({
      type: 'work.hand_in_begun',
      data: { ...this.ids(), ...work },
      person: testId(9, 1) as PersonId,
      personal: { name: 'work.zip' },
    });
  }

  /** A hand-in for a ticket begins and arrives. */
  handsIn(ticketId: string): this {
    this.beginsHandIn(ticketId);
    this.awaited.pop();
    const work = workOf(ticketId, 1);
    const { sha256 } = work;
    const manifest = [{ path: 'src/parser.ts', bytes: 120, sha256 }];
    return this.push({
      type: 'work.handed_in',
      data: { ...this.ids(), ...work, ticketVersion: 1, files: 1, treeSha256: sha256 },
      person: testId(9, 1) as PersonId,
      personal: { name: 'work.zip', manifest },
    });
  }

  /** A later token identifies the candidate differently. @param at seconds after the start by the server's clock */
  identityChecked(identity: IdentityCheck, at = this.now + 1): this {
    this.now = at;
    return this.push({
      type: 'trial.identity_checked',
      data: { ...this.ids(), identity },
      person: testId(9, 1) as PersonId,
      personal: null,
    });
  }

  interrupted(at: number): this {
    this.now = at;
    const data = { ...this.ids(), connectionId: testId(10, 1) };
    return this.push({ type: 'trial.interrupted', data, person: testId(9, 1) as PersonId, personal: null });
  }

  resumed(at: number): this {
    this.now = at;
    const data = this.ids();
    return this.push({ type: 'trial.resumed', data, person: testId(9, 1) as PersonId, personal: null });
  }

  /**
   * @param superseded the connection that this one replaces
   * @param at seconds after the start by the server's clock; by default that of the former event
   */
  connected(
    superseded: string | null = null,
    over: Partial<InterviewConnected['data']> = {},
    at = this.now,
  ): this {
    this.now = at;
    return this.push({
      type: 'interview.connected',
      data: {
        ...this.ids(),
        connectionId: testId(10, this.events.length),
        ordinal: 1,
        host: testId(11, 1),
        identity: 'verified',
        recorded: false,
        superseded,
        sameDevice: null,
        ...over,
      },
      person: testId(9, 1) as PersonId,
      personal: { deviceId: 'laptop' },
    });
  }

  /** Completes the session. @param at seconds after the start by the server's clock @returns all events */
  completed(at?: number): readonly Stored<TrialEvent>[] {
    this.now = at ?? this.now + 1;
    const { name: roleName, overallThreshold } = this.role;
    const until = this.time(this.now + LATE_HAND_IN_MS / 1000);
    const awaits = this.awaited.map((id) => ({ kind: 'hand_in', id, until }) as const);
    this.push({
      type: 'trial.completed',
      data: {
        ...{ ...this.ids(), evaluationId: testId(8, 1), roleName, overallThreshold },
        ...(awaits.length > 0 && { awaits }),
      },
      person: null,
      personal: null,
    });
    return this.events;
  }

  private push(event: TrialEvent): this {
    const revision = this.events.length;
    const metadata: Metadata = {
      schemaVersion: 1,
      recordedAt: this.time(this.now),
      actor: { type: 'candidate', id: testId(9, 1) },
      commandId: `command-${revision}`,
      requestHash: null,
      correlationId: 'test',
      causationId: null,
    };
    this.events.push({
      ...event,
      id: testId(7, this.next++),
      stream: `trial-${testId(5, 1)}` as StreamName,
      revision,
      position: revision.toString(16).padStart(16, '0') as Position,
      metadata,
      chain: null,
    });
    return this;
  }

  private ids(): TrialIds {
    return {
      organisationId: testId(2, 1),
      candidateId: testId(9, 1),
      applicationId: testId(4, 1),
      trialSessionId: testId(5, 1),
      roleId: testId(3, 1),
      sequenceNumber: this.next,
    };
  }

  private time(seconds: number): string {
    return new Date(this.start + Math.round(seconds * 1000)).toISOString();
  }
}
