import { describe, expect, it } from '@jest/globals';
import type { EvidenceEvent } from '../../../packages/client/src/index.js';
import { evaluationTexts } from '../../../src/languages/en/console-evaluation.js';
import {
  clockOf,
  eventOfPlace,
  factsOf,
  isCut,
  lineOf,
  placeId,
  quotedAs,
  spokenLines,
  transcriptOf,
} from './evidence.js';

const ID = '01a226ce-53bf-7322-bf8b-0a5eda8911';
let made = 10;
const event = (eventType: string, payload: EvidenceEvent['payload'] = {}): EvidenceEvent => ({
  ...{ id: `${ID}${made++}`, kind: 'activity', source: 'service', sequenceNumber: made, eventType, payload },
  ...{ occurredAt: '2026-03-01T09:00:00.000Z', recordedAt: '2026-03-01T09:00:01.000Z' },
  ...{ hash: null, previousHash: null },
});
const answer = (turn: number, voice: object | null, over = {}) =>
  event('interview.answer_recorded', {
    turn,
    text: `Answer ${turn}`,
    source: 'transcribed',
    late: false,
    voice,
    ...over,
  });
const kept = (durationMs: number) => ({ durationMs, kept: true });

describe('the transcript of a session', () => {
  it('has what was said line by line, and in between what else was recorded', () => {
    const events = [
      event('trial.started'),
      event('ticket.started', { ticketId: 'T-1' }),
      event('interview.question_asked', { turn: 1, kind: 'planned', text: 'Why?', dimensionIds: ['d', 7] }),
      answer(1, kept(2000), { gapMs: 300, asksAgain: true }),
      event('interview.turn_skipped', { turn: 2, voice: null }),
      event('message.sent', { text: 'Help', to: 'assistant' }),
      event('page.hidden'),
    ];
    const lines = transcriptOf(events);
    expect(lines.map(({ kind }) => kind)).toEqual([
      'events',
      'question',
      'answer',
      'skipped',
      'message',
      'events',
    ]);
    expect(lines[1]).toMatchObject({
      turn: 1,
      asked: 'planned',
      text: 'Why?',
      preface: null,
      dimensionIds: ['d'],
    });
    expect(lines[2]).toMatchObject({ text: 'Answer 1', gapMs: 300, asksAgain: true, isLate: false });
    expect(lines[3]).toMatchObject({ turn: 2, spoken: null });
    expect(lines[4]).toMatchObject({ text: 'Help', to: 'assistant' });
    for (const { id } of events) expect(lineOf(lines, id)).not.toBeNull();
    expect(lineOf(lines, 'elsewhere')).toBeNull();
  });

  it('numbers the questions as the candidate reads them: follow-ups, explanations and the closing are turns too', () => {
    const kinds = ['planned', 'follow_up', 'clarification', 'planned', 'follow_up', 'closing'];
    const asked = kinds.map((kind, at) =>
      event('interview.question_asked', { turn: at + 1, kind, text: '?' }),
    );
    const lines = transcriptOf([...asked, event('interview.turn_skipped', { turn: 5 })]);
    expect(lines.map((line) => 'question' in line && line.question)).toEqual([1, 1, 1, 2, 2, null, 2]);
  });

  it('keeps its lines if their words can no longer be read', () => {
    const unreadable = event('message.sent', null);
    expect(transcriptOf([unreadable])).toMatchObject([{ kind: 'message', text: null, to: '' }]);
    expect(factsOf({ ...unreadable, eventType: 'test.run' }, evaluationTexts.events, new Map())).toEqual([]);
  });

  it('knows where each spoken line is in the recording of its turn', () => {
    const late = answer(1, kept(500), { late: true });
    const first = answer(1, kept(2000));
    const typed = answer(2, null);
    const discarded = answer(3, { durationMs: 900, kept: false });
    const onlyLate = answer(4, kept(700), { late: true });
    const spoken = spokenLines([late, first, typed, discarded, onlyLate]);
    expect([...spoken]).toEqual([
      [first.id, { turn: 1, startMs: 0, durationMs: 2000 }],
      [late.id, { turn: 1, startMs: 2000, durationMs: 500 }],
      [onlyLate.id, { turn: 4, startMs: 0, durationMs: 700 }],
    ]);
    expect([clockOf(0), clockOf(65_900), clockOf(600_000)]).toEqual(['0:00', '1:05', '10:00']);
  });

  it('has a place for each event, which an address names', () => {
    const { id } = event('trial.started');
    expect(eventOfPlace(`#${placeId(id)}`)).toBe(id);
    for (const other of ['', '#content', '#e-', '#e-"><b>']) expect(eventOfPlace(other)).toBeNull();
  });
});

describe('a recorded event in words', () => {
  const facts = (eventType: string, payload: EvidenceEvent['payload']) =>
    factsOf(event(eventType, payload), evaluationTexts.events, new Map([['T-2', 'The parser']]));

  it.each([
    ['ticket.finished', { ticketId: 'T-1' }, ['T-1']],
    ['ticket.started', { ticketId: 'T-2' }, ['The parser']],
    ['file.changed', { path: 'a.ts', linesAdded: 3, linesRemoved: 1 }, ['a.ts', '3 lines added, 1 removed']],
    ['clipboard.pasted', { characters: 1, source: 'prompt' }, ['1 character']],
    ['work.handed_in', { name: 'work.zip', files: 2 }, ['work.zip', '2 files']],
    ['work.refused', { message: 'No.' }, ['No.']],
    [
      'work.checked',
      { visible: { passed: 2, failed: 1, errors: 1 }, hidden: { passed: 0, failed: 0, errors: 0 } },
      ['visible tests: 2 passed, 2 failed'],
    ],
    ['interview.connected', { connectionId: 'one' }, []],
    ['editor.opened', { name: 'vim', since: 3, long: 'x'.repeat(200) }, ['name: vim', 'since: 3']],
  ])('%s', (eventType, payload, words) => {
    expect(facts(eventType, payload)).toEqual(words);
  });
});

describe('a quote', () => {
  it.each([
    ['Small inputs.', 'interview.answer_recorded', 'words'],
    [null, 'message.sent', 'event'],
    ['"passed":1', 'test.run', 'event'],
    ['01a226ce-53bf', 'work.handed_in', 'event'],
    ['src/sum.js:3+ return a + b', 'work.handed_in', 'line'],
    [null, 'work.handed_in', 'event'],
  ] as const)('%j of %s is shown as %s', (quote, eventType, shown) => {
    expect(quotedAs(quote, event(eventType))).toBe(shown);
  });

  it('of an event that is not shown is its words', () => {
    expect([quotedAs('Words', undefined), quotedAs(null, undefined)]).toEqual(['words', 'event']);
  });

  it('tells whether what was said goes on', () => {
    const said = event('message.sent', { text: 'I read the code. Then I ran it. ' });
    expect(isCut('I read the co', said)).toBe(true);
    expect(isCut('Then I ran it.', said)).toBe(false);
    expect(isCut('Something else', said)).toBe(false);
    expect(isCut('I read', undefined)).toBe(false);
  });
});
