import { describe, expect, it } from '@jest/globals';
import { after, NOW, specification } from '../../../test/support/given-when-then.js';
import { ids, invitationFor, openingFor, person, roleWith } from '../../../test/support/invited-session.js';
import { HOUR_MS } from '../../core/timestamp.js';
import { MAX_SESSION_EVENTS, storedBytes } from './budget.js';
import { completeTrial, withdrawTrial, expireTrial } from './decider.js';
import type { TrialEvent } from './events.js';
import {
  ask,
  type Ask,
  connect,
  type Connect,
  cutOff,
  disconnect,
  finish,
  interrupt,
  LAST_TURN,
  MAX_ANSWER_BYTES,
  recordAnswer,
  type RecordAnswer,
  skip,
} from './interview-decider.js';
import { trial, trialOf, type TrialState } from './state.js';

const spec = specification(trial);
const role = roleWith();
const opening = openingFor(role);
const invitation = invitationFor(role);
const endsAt = after(2 * HOUR_MS);

const started: TrialEvent = {
  type: 'trial.started',
  data: { ...ids, sequenceNumber: 1, opening, consent: true, identity: 'verified' },
  person,
  personal: null,
};

const onConnect = (connectionId: string, over: Partial<Connect> = {}) => {
  const input: Connect = {
    connectionId,
    host: 'h1',
    identity: 'verified',
    recorded: false,
    deviceId: null,
    now: NOW,
    ...over,
  };
  return (state: TrialState) => connect(trialOf(state, invitation), input);
};
const onAsk = (over: Partial<Ask> = {}) => {
  const input: Ask = {
    connectionId: 'one',
    questionId: 'q',
    kind: 'planned',
    preface: null,
    text: 'How?',
    dimensionIds: ['d'],
    planned: 0,
    planSize: 3,
    askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
    endsAt,
    elapsedMs: 0,
    ...over,
  };
  return (state: TrialState) => ask(state, input);
};
const onAnswer = (turn: number, over: Partial<RecordAnswer> = {}) => {
  const input: RecordAnswer = {
    connectionId: 'one',
    turn,
    text: 'So.',
    source: 'typed',
    messageId: 'm1',
    gapMs: 2_000,
    lastAudioSeq: 7,
    voice: null,
    transcriber: null,
    elapsedMs: 5_000,
    ...over,
  };
  return (state: TrialState) => recordAnswer(state, input);
};
const onCutOff = (
  turn: number,
  playedMs: number,
  over: { connectionId?: string; messageId?: string } = {},
) => {
  const input = { connectionId: 'one', turn, playedMs, sentMs: 2_000, messageId: 'c1', ...over };
  return (state: TrialState) => cutOff(state, input);
};
const onSkip = (turn: number, over: { connectionId?: string; messageId?: string } = {}) => {
  const input = { connectionId: 'one', turn, messageId: 's1', lastAudioSeq: 7, voice: null, elapsedMs: 9 };
  return (state: TrialState) => skip(state, { ...input, ...over });
};
const WAITED = { turn: 1, ms: 300, anew: false };
const onDisconnect = (connectionId: string) => (state: TrialState) =>
  disconnect(state, { connectionId, code: 1006, waited: WAITED, elapsedMs: 400 });
const onLoss = (connectionId: string) => (state: TrialState) => interrupt(state, { connectionId });
const onFinish = (state: TrialState) => finish(state, { reason: 'finished', evaluationId: 'e', now: NOW });
const onWithdraw = (state: TrialState) =>
  withdrawTrial(state, { invitation, now: NOW, expectedVersion: null });

type Decide = Parameters<ReturnType<typeof spec.given>['when']>[0];

/** The session once each of these has been decided in turn. */
const lived = (...decisions: readonly Decide[]): readonly TrialEvent[] =>
  decisions.reduce<readonly TrialEvent[]>(
    (past, decide) => [
      ...past,
      ...spec
        .given(...past)
        .when(decide)
        .events(),
    ],
    [started],
  );
const given = (...decisions: readonly Decide[]) => spec.given(...lived(...decisions));

describe('connecting', () => {
  it('needs a session that runs', () => {
    spec.given().when(onConnect('one')).thenRefused('not_started');
    given(onWithdraw).when(onConnect('one')).thenRefused('session_ended');
    given()
      .when(onConnect('one', { now: opening.expiresAt }))
      .thenRefused('session_ended');
  });

  it('needs a session that is not full of events', () => {
    const at = (lastSequenceNumber: number) =>
      given().when((state) => onConnect('one')({ ...trialOf(state, invitation), lastSequenceNumber }));
    at(MAX_SESSION_EVENTS).thenRefused('session_full');
    expect(at(MAX_SESSION_EVENTS - 1).events()).toHaveLength(1);
  });

  it.each([
    ['in a session that runs', []],
    ['in an interrupted one, which it resumes in the same append', [onConnect('former'), onLoss('former')]],
  ])('has the last place of a session that is nearly full, %s', (_, past) => {
    const decide = (places: number) => (state: TrialState) =>
      onConnect('one')(state && { ...state, lastSequenceNumber: MAX_SESSION_EVENTS - places });
    expect(
      given(...past)
        .when(decide(1))
        .events()
        .at(-1),
    ).toMatchObject({ type: 'interview.connected' });
    given(...past)
      .when(decide(0))
      .thenRefused('session_full');
  });

  it('takes the line, under the process that holds it', () => {
    given()
      .when(onConnect('one', { deviceId: 'laptop', recorded: true }))
      .then({
        type: 'interview.connected',
        data: {
          ...ids,
          sequenceNumber: 2,
          connectionId: 'one',
          ordinal: 1,
          host: 'h1',
          identity: 'verified',
          recorded: true,
          superseded: null,
          sameDevice: null,
        },
        person,
        personal: { deviceId: 'laptop' },
      });
    given(onConnect('one')).when(onConnect('one')).thenNothing();
  });

  it('supersedes a connection that was still open, and none that had dropped', () => {
    const second = given(onConnect('one')).when(onConnect('two', { host: 'h2' }));
    expect(second.events()).toMatchObject([{ data: { ordinal: 2, superseded: 'one' } }]);
    expect(second.state()?.interview?.connection).toMatchObject({
      connectionId: 'two',
      host: 'h2',
      open: true,
    });
    expect(given(onConnect('one'), onDisconnect('one')).when(onConnect('two')).events()).toMatchObject([
      { data: { superseded: null } },
    ]);
  });

  it.each([
    ['laptop', 'laptop', true],
    ['laptop', 'phone', false],
    [null, 'phone', null],
    ['laptop', null, null],
  ])('compares the devices: %s, then %s', (first, second, sameDevice) => {
    const decided = given(onConnect('one', { deviceId: first })).when(onConnect('two', { deviceId: second }));
    expect(decided.events()).toMatchObject([{ data: { sameDevice } }]);
  });

  it('resumes an interrupted session, in the same append', () => {
    const back = given(onConnect('one'), onLoss('one')).when(onConnect('two'));
    expect(back.events()).toMatchObject([
      { type: 'trial.resumed', data: { sequenceNumber: 4 } },
      { type: 'interview.connected', data: { sequenceNumber: 5, superseded: null } },
    ]);
    expect(back.state()).toMatchObject({ status: 'started', version: 4, lastSequenceNumber: 5 });
  });

  it('takes the line once: a former connection does not take it back', () => {
    given(onConnect('one')).when(onConnect('one')).thenNothing();
    given(onConnect('one'), onConnect('two')).when(onConnect('one')).thenRefused('conflict');
  });

  it('keeps a turn’s speech only where every connection since its question said so', () => {
    const keeps = (...decisions: readonly Decide[]) => {
      const [last] = decisions.slice(-1);
      const { interview } =
        given(...decisions.slice(0, -1))
          .when(last ?? onFinish)
          .state() ?? {};
      return [interview?.keepsOpenTurn, interview?.recorded];
    };
    const told = (connectionId: string, recorded: boolean) => onConnect(connectionId, { recorded });
    const onAskTwo = onAsk({ connectionId: 'two' });
    expect(keeps(told('one', true), onAsk())).toEqual([true, true]);
    expect(keeps(told('one', true), onAsk(), told('two', false))).toEqual([false, false]);
    expect(keeps(told('one', false), onAsk(), told('two', true))).toEqual([false, true]);
    expect(keeps(told('one', false), told('two', true), onAskTwo)).toEqual([true, true]);
    const answered = [told('one', false), onAsk(), told('two', true), onAnswer(1, { connectionId: 'two' })];
    expect(keeps(...answered, onAskTwo)).toEqual([true, true]);
  });
});

describe('a connection that drops', () => {
  it('is recorded once', () => {
    const dropped = given(onConnect('one'), onAsk()).when(onDisconnect('one'));
    expect(dropped.events()).toMatchObject([
      { data: { connectionId: 'one', code: 1006, waited: WAITED, elapsedMs: 400 }, personal: null },
    ]);
    expect(dropped.state()?.interview).toMatchObject({
      connection: { open: false },
      waitedMs: 300,
      elapsed: { ms: 400 },
    });
    given(onConnect('one'), onDisconnect('one')).when(onDisconnect('one')).thenNothing();
  });

  it('says once for how long its question stood, also after a newer one has its place', () => {
    const asked = [onConnect('one'), onAsk(), onConnect('two')] as const;
    const told = given(...asked).when(onDisconnect('one'));
    expect(told.state()?.interview).toMatchObject({
      connection: { connectionId: 'two', open: true },
      waitedMs: 300,
      elapsed: { ms: 0 },
    });
    given(...asked, onDisconnect('one'))
      .when(onDisconnect('one'))
      .thenNothing();
    const both = given(...asked, onDisconnect('one')).when(onDisconnect('two'));
    expect(both.state()?.interview).toMatchObject({ connection: { open: false }, waitedMs: 600 });
    const later = given(...asked, onAnswer(1, { connectionId: 'two' })).when(onDisconnect('one'));
    expect(later.state()?.interview).toMatchObject({ waitedMs: 0 });
  });

  it('says how long its own question stood, and nothing of the next one', () => {
    const dropped = [onConnect('one'), onAsk(), onDisconnect('one'), onConnect('two')] as const;
    const onTwo = { connectionId: 'two' };
    const next = given(...dropped, onAnswer(1, onTwo)).when(onAsk(onTwo));
    expect(next.state()?.interview).toMatchObject({ waitedMs: 0 });
    const anew = given(...dropped).when((state) =>
      disconnect(state, { ...onTwo, code: 1006, waited: { turn: 1, ms: 50, anew: true }, elapsedMs: 500 }),
    );
    expect(anew.state()?.interview).toMatchObject({ waitedMs: 50 });
  });

  it('says nothing before the first, and after the end', () => {
    given().when(onDisconnect('one')).thenNothing();
    spec.given().when(onDisconnect('one')).thenNothing();
    given(onConnect('one'), onWithdraw).when(onDisconnect('one')).thenNothing();
  });

  it('interrupts the session where it stays away, each way another version', () => {
    const lost = given(onConnect('one'), onAsk(), onDisconnect('one')).when(onLoss('one'));
    expect(lost.events()).toMatchObject([{ type: 'trial.interrupted', data: { connectionId: 'one' } }]);
    expect(lost.state()).toMatchObject({ status: 'interrupted', version: 3 });
    given(onConnect('one'), onLoss('one')).when(onLoss('one')).thenNothing();
    given(onConnect('one'), onConnect('two')).when(onLoss('one')).thenNothing();
    given(onConnect('one'), onWithdraw).when(onLoss('one')).thenNothing();
    given().when(onLoss('one')).thenNothing();
  });
});

describe.each([
  ['by its own process', [onDisconnect('one')]],
  ['by another process, which interrupts the session', [onLoss('one')]],
  ['by both', [onDisconnect('one'), onLoss('one')]],
])('a connection that was taken for lost %s', (_, loss) => {
  const lost = given(onConnect('one'), onAsk(), ...loss);

  it.each([
    ['answer', onAnswer(1)],
    ['speech', onAnswer(1, { messageId: null })],
    ['skip', onSkip(1)],
    ['interruption', onCutOff(1, 900)],
    ['question', onAsk({ questionId: 'q2' })],
  ])('records no %s of its own any more', (_, decide) => {
    lost.when(decide).thenRefused('conflict');
  });

  it('records no question of its own after its turn was closed', () => {
    const closed = given(onConnect('one'), onAsk(), ...loss, onAnswer(1, { connectionId: null }));
    closed.when(onAsk({ questionId: 'q2' })).thenRefused('conflict');
    closed.when(onAnswer(1, { messageId: 'm2' })).thenRefused('conflict');
  });

  it('has its turn closed, and the interview ended, by the service itself', () => {
    const onClose = onAnswer(1, { connectionId: null, messageId: null, goneConnectionId: 'one' });
    expect(lost.when(onClose).events()).toMatchObject([{ data: { turn: 1, late: false } }]);
    expect(lost.when(onFinish).events()).toMatchObject([
      { type: 'interview.ended' },
      { type: 'trial.completed' },
    ]);
  });

  it('is followed by another one, which records again', () => {
    const back = given(onConnect('one'), onAsk(), ...loss, onConnect('two'));
    expect(back.when(onAnswer(1, { connectionId: 'two' })).events()).toHaveLength(1);
    back.when(onAnswer(1)).thenRefused('conflict');
  });
});

describe('asking', () => {
  it('opens the next turn, and the first question fixes the interview’s end', () => {
    const first = given(onConnect('one')).when(onAsk());
    expect(first.events()).toMatchObject([
      { data: { turn: 1, questionId: 'q', dimensionIds: ['d'], endsAt }, person, personal: { text: 'How?' } },
    ]);
    const later = onAsk({ questionId: 'q2', endsAt: after(9 * HOUR_MS) });
    expect(given(onConnect('one'), onAsk(), onAnswer(1)).when(later).events()).toMatchObject([
      { data: { turn: 2, endsAt } },
    ]);
  });

  it('does nothing while a turn is open', () => {
    given(onConnect('one'), onAsk())
      .when(onAsk({ questionId: 'other' }))
      .thenNothing();
  });

  it('is for the connection that has the line', () => {
    given().when(onAsk()).thenRefused('not_started');
    given(onConnect('one'), onConnect('two')).when(onAsk()).thenRefused('conflict');
    given(onConnect('one'), onWithdraw).when(onAsk()).thenRefused('session_ended');
    spec.given().when(onAsk()).thenRefused('session_ended');
  });
});

describe('an answer', () => {
  it('closes its turn', () => {
    const answered = given(onConnect('one'), onAsk()).when(onAnswer(1));
    expect(answered.events()).toMatchObject([
      {
        data: { turn: 1, questionId: 'q', source: 'typed', late: false, gapMs: 2_000, lastAudioSeq: 7 },
        personal: { text: 'So.', messageId: 'm1' },
      },
    ]);
    expect(answered.state()?.interview?.questions).toMatchObject([
      { answer: { text: 'So.', source: 'typed' } },
    ]);
  });

  it('is recorded once under its message’s id, whichever connection it comes on', () => {
    const past = [onConnect('one'), onAsk(), onAnswer(1), onAsk({ questionId: 'q2' })];
    given(...past)
      .when(onAnswer(1))
      .thenNothing();
    given(...past, onConnect('two'))
      .when(onAnswer(1, { connectionId: 'two' }))
      .thenNothing();
  });

  it('is refused under the id of another message, whether that was an answer or an interruption', () => {
    const past = [onConnect('one'), onAsk(), onCutOff(1, 900), onAnswer(1), onAsk({ questionId: 'q2' })];
    for (const other of [
      onAnswer(2),
      onAnswer(1, { text: 'So' }),
      onAnswer(1, { source: 'speech' }),
      onAnswer(1, { messageId: 'c1' }),
      onCutOff(1, 900, { messageId: 'm1' }),
      onCutOff(2, 900),
    ])
      given(...past)
        .when(other)
        .thenRefused('idempotency_key_reused');
    given(...past)
      .when(onCutOff(1, 1_200))
      .thenNothing();
  });

  it('to a closed turn is late: it is kept with that one, and the open turn stays open', () => {
    const voice = { durationMs: 900, kept: true };
    const late = given(onConnect('one'), onAsk(), onAnswer(1), onAsk({ questionId: 'q2' })).when(
      onAnswer(1, {
        messageId: 'm2',
        text: 'And so.',
        gapMs: 5,
        lastAudioSeq: 99,
        voice,
        transcriber: 'command',
      }),
    );
    expect(late.events()).toMatchObject([
      {
        data: {
          turn: 1,
          questionId: 'q',
          late: true,
          gapMs: null,
          voice: null,
          transcriber: null,
          lastAudioSeq: 7,
        },
        personal: { text: 'And so.' },
      },
    ]);
    expect(late.state()?.interview?.questions).toMatchObject([
      { turn: 1, answer: { text: 'So.' }, lateAnswers: 1 },
      { turn: 2, answer: null, lateAnswers: 0 },
    ]);
  });

  it('that the service heard late keeps its audio where that could not be transcribed', () => {
    const voice = { durationMs: 900, kept: true };
    const heard = { connectionId: null, messageId: 'late', text: '', source: 'transcribed' } as const;
    const late = given(onConnect('one'), onAsk(), onAnswer(1)).when(onAnswer(1, { ...heard, voice }));
    expect(late.events()).toMatchObject([{ data: { turn: 1, late: true, gapMs: null, voice } }]);
    // It says nothing of the speech that closed the turn.
    expect(late.state()?.interview?.keptTurns).toEqual([]);
  });

  it('that was heard in a turn closed meanwhile changes nothing', () => {
    given(onConnect('one'), onAsk(), onAnswer(1))
      .when(onAnswer(1, { messageId: null }))
      .thenNothing();
  });

  it('needs a question, and the line, unless the service closes the turn itself', () => {
    given(onConnect('one')).when(onAnswer(1)).thenRefused('not_found');
    given(onConnect('one'), onAsk()).when(onAnswer(2)).thenRefused('not_found');
    const superseded = given(onConnect('one'), onAsk(), onConnect('two'));
    superseded.when(onAnswer(1)).thenRefused('conflict');
    expect(superseded.when(onAnswer(1, { connectionId: null, messageId: null })).events()).toHaveLength(1);
    given(onConnect('one'), onAsk(), onWithdraw).when(onAnswer(1)).thenRefused('session_ended');
  });

  it('that is given for an absent client is nothing once the client is back', () => {
    const onAbsence = onAnswer(1, { connectionId: null, messageId: null, goneConnectionId: 'one' });
    expect(given(onConnect('one'), onAsk()).when(onAbsence).events()).toHaveLength(1);
    given(onConnect('one'), onAsk(), onConnect('two')).when(onAbsence).thenNothing();
  });

  it('is refused where it is late and the interview is full, empty ones too; one in time never is', () => {
    // With it there is room for less than an event without any text.
    const large = 'x'.repeat(((MAX_ANSWER_BYTES - 2_000) * 3) / 4);
    const full = given(onConnect('one'), onAsk(), onAnswer(1, { text: large }), onAsk());
    full.when(onAnswer(1, { messageId: 'm2', text: '' })).thenRefused('session_full');
    expect(full.when(onAnswer(2, { messageId: 'm2', text: large })).events()).toHaveLength(1);
  });

  it('is taken late up to the very last byte of the interview', () => {
    const text = 'Late.';
    const answered = given(onConnect('one'), onAsk(), onAnswer(1));
    const late = onAnswer(1, { messageId: 'm2', text });
    const decideAt = (bytes: number) =>
      answered.when((state) =>
        late(state?.interview ? { ...state, interview: { ...state.interview, bytes } } : state),
      );
    const most = MAX_ANSWER_BYTES - storedBytes(text);
    expect(decideAt(most).events()).toHaveLength(1);
    decideAt(most + 1).thenRefused('session_full');
  });

  it('has no further question, and no late answer, once the interview or the session is full', () => {
    given(onConnect('one'), onAsk(), onAnswer(1, { text: 'x'.repeat(MAX_ANSWER_BYTES) }))
      .when(onAsk())
      .thenRefused('session_full');
    const answered = given(onConnect('one'), onAsk(), onAnswer(1));
    for (const decide of [onAsk(), onAnswer(1, { messageId: 'm2' })])
      answered
        .when((state) => decide(state && { ...state, lastSequenceNumber: MAX_SESSION_EVENTS }))
        .thenRefused('session_full');
  });
});

describe('an interview’s turns', () => {
  it('are as many as the wire can count, and no more', () => {
    const answered = given(onConnect('one'), onAsk(), onAnswer(1));
    const askedAfter = (turn: number) =>
      answered.when((state) => {
        if (!state?.interview) throw new Error('The interview has not begun.');
        const { interview } = state;
        const questions = interview.questions.map((question) => ({ ...question, turn }));
        return onAsk()({ ...state, interview: { ...interview, questions } });
      });
    expect(askedAfter(LAST_TURN - 1).events()).toMatchObject([{ data: { turn: 65_535 } }]);
    askedAfter(LAST_TURN).thenRefused('session_full');
  });
});

it('all answers of an interview count towards what it may hold', () => {
  const bytes = (...decisions: readonly Decide[]) => {
    const outcome = given(onConnect('one'), onAsk(), ...decisions.slice(0, -1)).when(decisions.at(-1)!);
    return outcome.state()?.interview?.bytes;
  };
  const one = bytes(onAnswer(1))!;
  expect(one).toBeGreaterThan(0);
  expect(bytes(onAnswer(1), onAnswer(1, { messageId: 'm2' }))).toBe(2 * one);
  expect(bytes(onAnswer(1), onAsk(), onAnswer(2, { messageId: 'm2' }))).toBe(2 * one);
});

describe('what an answer says of itself', () => {
  it.each([
    ['only asks for the question again', 'Could you repeat that?', true],
    ['answers', 'I would measure it first.', false],
    ['is empty, since nothing could be transcribed', '', false],
    ['is blank', ' \n', false],
  ])('is whether it asks for the question again: it %s', (_, text, asksAgain) => {
    const [event] = given(onConnect('one'), onAsk()).when(onAnswer(1, { text })).events();
    expect('asksAgain' in event!.data).toBe(asksAgain);
  });
});

describe('a skip', () => {
  const asked = [onConnect('one'), onAsk()];

  it('closes its turn without an answer', () => {
    const skipped = given(...asked).when(onSkip(1));
    expect(skipped.events()).toMatchObject([
      {
        type: 'interview.turn_skipped',
        data: { turn: 1, questionId: 'q', lastAudioSeq: 7, voice: null },
        personal: { messageId: 's1' },
      },
    ]);
    expect(skipped.state()?.interview).toMatchObject({
      questions: [{ turn: 1, skipped: true, answer: null }],
      facts: [{ type: 'question' }, { type: 'turn.skipped', turn: 1, questionId: 'q' }],
    });
    expect(
      given(...asked, onSkip(1))
        .when(onAsk({ questionId: 'q2' }))
        .events(),
    ).toMatchObject([{ data: { turn: 2 } }]);
  });

  it('happens once, on whichever connection it comes, and changes no closed turn', () => {
    given(...asked, onSkip(1), onConnect('two'))
      .when(onSkip(1, { connectionId: 'two' }))
      .thenNothing();
    given(...asked, onSkip(1))
      .when(onSkip(1, { messageId: 's2' }))
      .thenNothing();
    given(...asked, onAnswer(1))
      .when(onSkip(1))
      .thenNothing();
  });

  it('is refused for a turn that was never asked, under the id of another message, and off the line', () => {
    given(...asked)
      .when(onSkip(2))
      .thenRefused('not_found');
    for (const other of [onSkip(2), onAnswer(1, { messageId: 's1' }), onCutOff(1, 9, { messageId: 's1' })])
      given(...asked, onSkip(1), onAsk({ questionId: 'q2' }))
        .when(other)
        .thenRefused('idempotency_key_reused');
    given(...asked, onConnect('two'))
      .when(onSkip(1))
      .thenRefused('conflict');
  });

  it('is followed by late answers alone, and by no speech of its turn', () => {
    const late = given(...asked, onSkip(1)).when(onAnswer(1));
    expect(late.events()).toMatchObject([{ data: { turn: 1, late: true, gapMs: null, voice: null } }]);
    given(...asked, onSkip(1))
      .when(onAnswer(1, { messageId: null }))
      .thenNothing();
  });

  it('keeps the speech of its turn where the candidate was told so', () => {
    const voice = { durationMs: 900, kept: true };
    const kept = given(...asked).when((state) =>
      skip(state, {
        connectionId: 'one',
        turn: 1,
        messageId: 's1',
        lastAudioSeq: 7,
        voice,
        elapsedMs: 9,
      }),
    );
    expect(kept.state()?.interview?.keptTurns).toEqual([1]);
  });
});

describe('cutting the interviewer off', () => {
  const asked = [onConnect('one'), onAsk()];

  it('is recorded as far as was heard, never beyond what was sent', () => {
    expect(
      given(...asked)
        .when(onCutOff(1, 900))
        .events(),
    ).toMatchObject([
      { data: { turn: 1, questionId: 'q', playedMs: 900, sentMs: 2_000 }, personal: { messageId: 'c1' } },
    ]);
    const beyond = given(...asked).when(onCutOff(1, 5_000));
    expect(beyond.state()?.interview?.questions).toMatchObject([{ interruptedAtMs: 2_000 }]);
  });

  it('happens once in a turn', () => {
    given(...asked, onCutOff(1, 900))
      .when(onCutOff(1, 900))
      .thenNothing();
    given(...asked, onCutOff(1, 900))
      .when(onCutOff(1, 1_200, { messageId: 'c2' }))
      .thenNothing();
  });

  it('needs a question and the line', () => {
    given(...asked)
      .when(onCutOff(2, 1))
      .thenRefused('not_found');
    given(...asked, onConnect('two'))
      .when(onCutOff(1, 1))
      .thenRefused('conflict');
  });
});

describe('the end', () => {
  it('ends the interview and, in the same append, completes the session', () => {
    const ended = given(onConnect('one'), onAsk()).when(onFinish);
    expect(ended.events()).toMatchObject([
      { type: 'interview.ended', data: { sequenceNumber: 4, reason: 'finished' } },
      { type: 'trial.completed', data: { sequenceNumber: 5, evaluationId: 'e' } },
    ]);
    expect(ended.state()).toMatchObject({
      status: 'completed',
      interview: { endReason: 'finished' },
    });
  });

  it('comes once, also to an interrupted session, and not to one that has not begun', () => {
    given(onConnect('one'), onAsk(), onFinish).when(onFinish).thenNothing();
    given(onConnect('one'), onWithdraw).when(onFinish).thenNothing();
    spec.given().when(onFinish).thenNothing();
    expect(given(onConnect('one'), onAsk(), onLoss('one')).when(onFinish).events()).toHaveLength(2);
  });

  it('is not said of an interview without a question', () => {
    expect(given(onConnect('one')).when(onFinish).events()).toMatchObject([{ type: 'trial.completed' }]);
  });

  it('comes with the completion of the session too, however late', () => {
    const now = after(5 * HOUR_MS);
    const completed = given(onConnect('one'), onAsk()).when((state) =>
      completeTrial(state, { invitation, now, expectedVersion: null, evaluationId: 'e' }),
    );
    expect(completed.events()).toMatchObject([
      { type: 'interview.ended', data: { reason: 'ended' } },
      { type: 'trial.completed' },
    ]);
  });

  it('stands behind what was said last, and what is said of the token', () => {
    const completed = given(onConnect('one'), onAsk()).when((state) => {
      const answered = onAnswer(1)(state);
      const first = answered.kind === 'accepted' ? answered.events : [];
      return completeTrial(state, {
        invitation,
        now: NOW,
        expectedVersion: null,
        evaluationId: 'e',
        identity: 'mismatch',
        first,
      });
    });
    expect(completed.events()).toMatchObject([
      { type: 'interview.answer_recorded', data: { sequenceNumber: 4 } },
      { type: 'trial.identity_checked', data: { sequenceNumber: 5, identity: 'mismatch' } },
      { type: 'interview.ended', data: { sequenceNumber: 6 } },
      { type: 'trial.completed', data: { sequenceNumber: 7 } },
    ]);
  });

  it('is no expiry once a question was asked', () => {
    const expire: Decide = (state) => expireTrial(state, { invitation, now: after(5 * HOUR_MS) });
    given(onConnect('one'), onAsk()).when(expire).thenNothing();
    given(onConnect('one'), onAsk(), onLoss('one')).when(expire).thenNothing();
    expect(given(onConnect('one'), onLoss('one')).when(expire).events()).toMatchObject([
      { type: 'trial.expired' },
    ]);
  });
});
