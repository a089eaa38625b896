import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { after } from '../../../test/support/given-when-then.js';
import { type InterviewStep, steps } from '../../../test/support/histories/actions.js';
import { interviewStep } from '../../../test/support/histories/interview.js';
import { World } from '../../../test/support/histories/world.js';
import { invitationFor, roleWith } from '../../../test/support/invited-session.js';
import type { Stored } from '../../core/event.js';
import { memoryOf } from '../../core/json.js';
import { startTrial, expireTrial } from './decider.js';
import type { TrialEvent, AnswerRecorded } from './events.js';
import { evolveInterview, isClosedTurn, openQuestion } from './interview-state.js';
import { trial, trialOf, isOverdue, type Trial } from './state.js';

const invitation = invitationFor(roleWith());

/** The session and its stream after an interview. */
const played = (
  sequence: readonly InterviewStep[],
  each: (session: Trial, world: World) => void = () => undefined,
) => {
  const world = new World();
  const session = (): Trial => trialOf(world.read(trial, 't'), invitation);
  world.submit(trial, 't', { type: 'candidate', id: 'c' }, (state) =>
    startTrial(state, {
      invitation,
      now: world.now,
      expectedVersion: null,
      consent: true,
      identity: 'verified',
      notice: null,
      tickets: [],
    }),
  );
  for (const step of sequence) {
    interviewStep(world, invitation, step);
    each(session(), world);
  }
  return { session: session(), stream: world.log as readonly Stored<TrialEvent>[] };
};

const isAnswer = (event: Stored<TrialEvent>): event is Stored<AnswerRecorded> =>
  event.type === 'interview.answer_recorded';
const always = (law: (sequence: readonly InterviewStep[]) => void): void => {
  fc.assert(fc.property(steps, law), { numRuns: 60 });
};

describe('an interview, whatever happens in it', () => {
  it('weighs what it holds', () => {
    always((sequence) => {
      played(sequence, (session) => {
        const { questions = [], facts = [] } = session.interview ?? {};
        const held = JSON.stringify([session.role, questions, facts]).length;
        expect(memoryOf(session)).toBeGreaterThan(held);
      });
    });
  });

  it('tells facts in the order of their events, each under its event’s own number', () => {
    always((sequence) => {
      const { session, stream } = played(sequence);
      const told = [
        'interview.question_asked',
        'interview.answer_recorded',
        'interview.turn_skipped',
        'interview.interrupted',
      ];
      const numbers = stream.filter(({ type }) => told.includes(type)).map(({ revision }) => revision + 1);
      const seqs = session.interview?.facts.map(({ seq }) => seq);
      expect(seqs).toEqual(numbers);
      expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b));
    });
  });

  it('numbers its stream without a gap', () => {
    always((sequence) => {
      const { stream } = played(sequence);
      for (const { data, revision } of stream) expect(data.sequenceNumber).toBe(revision + 1);
    });
  });

  it('records a client’s message once', () => {
    always((sequence) => {
      const { stream } = played([...sequence, ...sequence]);
      const messages = stream.flatMap(({ personal }) =>
        personal && 'messageId' in personal && personal.messageId !== null ? [personal.messageId] : [],
      );
      expect(new Set(messages).size).toBe(messages.length);
    });
  });

  it('keeps at most one turn open, the last, and closes each by its skip or the first answer to it alone', () => {
    always((sequence) => {
      const { session, stream } = played(sequence);
      const questions = session.interview?.questions ?? [];
      expect(questions.map(({ turn }) => turn)).toEqual(questions.map((_, index) => index + 1));
      for (const question of questions) {
        const answers = stream.filter(isAnswer).filter(({ data }) => data.turn === question.turn);
        const first = question.skipped ? undefined : answers[0];
        const late = answers.filter((answer) => answer !== first);
        expect(question.answer?.text).toBe(first?.personal?.text);
        expect(answers.map(({ data }) => data.late)).toEqual(answers.map((answer) => answer !== first));
        expect(question.lateAnswers).toBe(late.length);
        expect(late.every(({ data }) => data.gapMs === null && data.voice === null)).toBe(true);
        if (question !== questions.at(-1)) expect(isClosedTurn(question)).toBe(true);
      }
      expect(openQuestion(session.interview)).toBe(questions.find((one) => !isClosedTurn(one)) ?? null);
    });
  });

  it('records nothing from a connection that has no say', () => {
    always((sequence) => {
      const before = played(sequence);
      // Turns that the service closes itself have no connection: their values divide by 5.
      const stale = sequence
        .filter(({ name, value }) => name !== 'connect' && name !== 'finish' && value % 5 !== 0)
        .map((step) => ({ ...step, stale: true }));
      expect(played([...sequence, ...stale]).stream).toHaveLength(before.stream.length);
    });
  });

  it('ends where it was said to end, and never expires once a question was asked', () => {
    always((sequence) => {
      const ends = new Set<string>();
      const { stream } = played(sequence, (session, world) => {
        const endsAt = session.interview?.endsAt ?? null;
        if (endsAt !== null) ends.add(endsAt);
        expect(ends.size).toBe(endsAt === null ? 0 : 1);
        const late = after(99 * 3_600_000, world.now);
        expect(isOverdue(session, late)).toBe(endsAt === null);
        const state = world.read(trial, 't');
        if (endsAt !== null)
          expect(expireTrial(state, { invitation, now: late })).toEqual({ kind: 'accepted', events: [] });
      });
      const ended = stream.findIndex(({ type }) => type === 'interview.ended');
      const completed = stream.findIndex(({ type }) => type === 'trial.completed');
      if (ends.size > 0) expect(ended).toBe(completed === -1 ? -1 : completed - 1);
      if (completed !== -1) expect(completed).toBe(stream.length - 1);
    });
  });

  it('goes from started to interrupted and back, and each raises the version by one, as nothing else does', () => {
    always((sequence) => {
      const { session, stream } = played(sequence);
      const turns = stream.filter(({ type }) => type === 'trial.interrupted' || type === 'trial.resumed');
      expect(turns.map(({ type }) => type)).toEqual(
        turns.map((_, index) => (index % 2 === 0 ? 'trial.interrupted' : 'trial.resumed')),
      );
      const ended = session.status === 'completed';
      expect(session.version).toBe(2 + turns.length + (ended ? 1 : 0));
      if (!ended) expect(session.status).toBe(turns.length % 2 === 0 ? 'started' : 'interrupted');
    });
  });

  it('never counts the candidate’s audio backwards', () => {
    always((sequence) => {
      let last = 0;
      played(sequence, ({ interview }) => {
        expect(interview?.lastAudioSeq ?? 0).toBeGreaterThanOrEqual(last);
        last = interview?.lastAudioSeq ?? 0;
      });
    });
  });

  it('keeps its shape where texts can no longer be read', () => {
    always((sequence) => {
      const { session, stream } = played(sequence);
      const erased = stream
        .map((event) => ({ ...event, personal: null }))
        .reduce(trial.evolve, trial.initial);
      const shape = (of: Trial | null) => ({
        life: [of?.status, of?.startedAt, of?.endedAt, of?.evaluationId],
        version: of?.version,
        facts: of?.interview?.facts.map(({ type, seq, turn }) => [type, seq, turn]),
        answered: of?.interview?.questions.map(({ answer }) => answer !== null),
        lastAudioSeq: of?.interview?.lastAudioSeq,
      });
      expect(shape(erased)).toEqual(shape(session));
    });
  });

  it('begins with its first connection', () => {
    const { stream } = played([{ name: 'connect', turn: 1, value: 1, stale: false }]);
    const connected = stream[1] as Parameters<typeof evolveInterview>[1];
    const ended = { ...connected, type: 'interview.ended', data: { reason: 'ended' } } as typeof connected;
    expect(evolveInterview(null, ended)).toBeNull();
    expect(evolveInterview(null, connected)).toMatchObject({ questions: [], endsAt: null, facts: [] });
  });

  it('knows how much of its time has passed from whoever measured, not from whoever merely wrote', () => {
    const { stream } = played([{ name: 'connect', turn: 1, value: 1, stale: false }]);
    const connected = stream[1] as Parameters<typeof evolveInterview>[1];
    const { connectionId } = connected.data as { connectionId: string };
    const from = (type: string, at: string, elapsedMs: number) =>
      ({
        ...connected,
        type,
        metadata: { ...connected.metadata, recordedAt: at },
        data: {
          ...connected.data,
          connectionId,
          turn: 1,
          elapsedMs,
          lastAudioSeq: 0,
          voice: null,
          waited: null,
        },
      }) as unknown as typeof connected;
    const elapsed = (...events: (typeof connected)[]) =>
      [connected, ...events].reduce<ReturnType<typeof evolveInterview>>(evolveInterview, null)?.elapsed;
    const asked = from('interview.question_asked', after(0), 0);
    const dropped = from('interview.disconnected', after(400), 400);
    expect(elapsed(asked)).toEqual({ ms: 0, at: after(0) });
    expect(elapsed(asked, dropped)).toEqual({ ms: 400, at: after(400) });
    const closed = from('interview.answer_recorded', after(120_400), 400);
    expect(elapsed(asked, dropped, closed)).toEqual({ ms: 400, at: after(400) });
    const later = from('interview.answer_recorded', after(120_400), 900);
    expect(elapsed(asked, dropped, later)).toEqual({ ms: 900, at: after(120_400) });
  });
});
