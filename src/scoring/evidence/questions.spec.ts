import { describe, expect, it } from '@jest/globals';
import { evidence, type EvidenceDocument } from '../../../projections/evidence.js';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { foldView } from '../../../test/support/given-view.js';
import { processorMs } from '../../../test/support/processor-time.js';
import { questionsOf } from './questions.js';

const chunksOf = (session: SessionBuilder): readonly EvidenceDocument[] =>
  [...foldView(evidence, session.completed()).values()].map(({ document }) => document);
const time = (seconds: number) => new Date(Date.UTC(2026, 2, 2, 9, 0, seconds)).toISOString();
const event = (sequenceNumber: number) => testId(7, sequenceNumber);

const scripted = { interviewer: 'scripted', version: 1, model: null, instead: null } as const;

describe('the questions of an interview', () => {
  it('are none where there was none', () => {
    expect(questionsOf(chunksOf(new SessionBuilder().started().connected().message('Hi')))).toEqual([]);
  });

  it('show what was said before a question, and a request to repeat it apart from answers', () => {
    const session = new SessionBuilder()
      .started()
      .asked('How?')
      .answered('Wie bitte?', { asksAgain: true })
      .asked('How, then?', { kind: 'clarification' })
      .answered('So.');
    expect(questionsOf(chunksOf(session))).toMatchObject([
      {
        turn: 1,
        preface: null,
        answer: null,
        request: 'Wie bitte?',
        answeredAt: null,
        source: null,
        gapMs: null,
        evidenceEventIds: [event(2), event(3)],
      },
      { turn: 2, kind: 'clarification', answer: 'So.', request: null },
    ]);
    const erased = chunksOf(session).map((document) => ({ ...document, personal: null }));
    expect(questionsOf(erased)).toMatchObject([{ answer: null, request: null }, { answer: null }]);
  });

  it('say which was skipped: it has no answer but a late one, and none of its own', () => {
    const session = new SessionBuilder().started().asked('How?').skipped().asked('Why?').skipped();
    session.answered('So.', { turn: 1, late: true, gapMs: null });
    expect(questionsOf(chunksOf(session))).toMatchObject([
      { turn: 1, skipped: true, answer: 'So.', answeredAt: null, source: null, gapMs: null },
      { turn: 2, skipped: true, answer: null, answeredAt: null, evidenceEventIds: [event(4), event(5)] },
    ]);
  });

  it('come in their order, each with its answer and the events that it rests on', () => {
    const askedBy = { interviewer: 'openai', version: 1, model: 'm', instead: null } as const;
    const session = new SessionBuilder()
      .started()
      .asked('How did you test it?', { dimensionIds: [testId(1, 1)] })
      .cutOff(900)
      .message('Beside it.')
      .answered('By hand.', { source: 'transcribed', gapMs: 2_345 })
      .asked('Why?', { kind: 'follow_up', askedBy });
    expect(questionsOf(chunksOf(session))).toEqual([
      {
        kind: 'planned',
        id: testId(6, 1),
        turn: 1,
        preface: null,
        text: 'How did you test it?',
        askedAt: time(1),
        askedBy: scripted,
        dimensionIds: [testId(1, 1)],
        answeredAt: time(3),
        answer: 'By hand.',
        request: null,
        skipped: false,
        source: 'transcribed',
        gapMs: 2_345,
        interruptedAtMs: 900,
        evidenceEventIds: [event(2), event(3), event(5)],
      },
      {
        kind: 'follow_up',
        id: testId(6, 2),
        turn: 2,
        preface: null,
        text: 'Why?',
        askedAt: time(4),
        askedBy,
        dimensionIds: [],
        answeredAt: null,
        answer: null,
        request: null,
        skipped: false,
        source: null,
        gapMs: null,
        interruptedAtMs: null,
        evidenceEventIds: [event(6)],
      },
    ]);
  });

  it('keep late answers below the one that closed their turn, which is otherwise unchanged', () => {
    const late = { turn: 1, late: true, gapMs: null, source: 'speech' } as const;
    const session = new SessionBuilder()
      .started()
      .asked('One?')
      .answered('First.')
      .asked('Two?')
      .answered('Late.', late)
      .answered('Later.', late);
    expect(questionsOf(chunksOf(session))).toMatchObject([
      {
        answer: 'First.\nLate.\nLater.',
        source: 'typed',
        gapMs: 1_000,
        answeredAt: time(2),
        evidenceEventIds: [event(2), event(3), event(5), event(6)],
      },
      { answer: null, evidenceEventIds: [event(4)] },
    ]);
  });

  it('take no longer for a turn with very many late answers', () => {
    const session = new SessionBuilder().started().asked('One?').answered('First.');
    for (let n = 0; n < 5_000; n += 1) session.answered('x'.repeat(800), { turn: 1, late: true });
    const chunks = chunksOf(session);
    let questions: ReturnType<typeof questionsOf> = [];
    expect(processorMs(() => (questions = questionsOf(chunks)))).toBeLessThan(500);
    const [question] = questions;
    expect(question?.answer).toHaveLength(6 + 5_000 * 801);
    expect(question?.evidenceEventIds).toHaveLength(5_002);
  });

  it('have an empty answer where a turn was closed without a word', () => {
    const session = new SessionBuilder().started().asked('One?').answered('');
    expect(questionsOf(chunksOf(session))).toMatchObject([{ answer: '', answeredAt: time(2) }]);
    const late = new SessionBuilder().started().asked('One?').answered('').answered('Late.', { late: true });
    expect(questionsOf(chunksOf(late))).toMatchObject([{ answer: 'Late.' }]);
  });

  it('are found over all of a session’s documents', () => {
    let session = new SessionBuilder().started();
    for (let n = 0; n < 60; n++)
      session = session.asked(`Question ${n}?`).activity('page.hidden').answered(`${n}`);
    const chunks = chunksOf(session);
    expect(chunks.length).toBeGreaterThan(2);
    expect(questionsOf(chunks).map(({ turn, answer }) => [turn, answer])).toEqual(
      Array.from({ length: 60 }, (_, n) => [n + 1, `${n}`]),
    );
  });

  it('keep what is plain once texts can no longer be read', () => {
    const session = new SessionBuilder()
      .started()
      .asked('One?')
      .answered('Yes.')
      .answered('No.', { late: true });
    const erased = chunksOf(session).map((document) => ({ ...document, personal: null }));
    expect(questionsOf(erased)).toMatchObject([
      { text: null, answer: null, kind: 'planned', id: testId(6, 1), answeredAt: time(2), gapMs: 1_000 },
    ]);
  });

  it('are made by no activity that goes by their name', () => {
    const payload = { turn: 1, questionId: 'x', kind: 'planned', text: 'Mine', dimensionIds: [] };
    const session = new SessionBuilder().started().activity('interview.question_asked', payload);
    expect(questionsOf(chunksOf(session))).toEqual([]);
  });
});
