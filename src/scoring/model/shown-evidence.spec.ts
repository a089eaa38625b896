import { describe, expect, it } from '@jest/globals';
import { SessionBuilder } from '../../../test/support/evidence-builder.js';
import { processorMs } from '../../../test/support/processor-time.js';
import { workedSession, workEvent, workOf } from '../../../test/support/work-evidence.js';
import { inert } from '../../clients/openai/prompt-data.js';
import { evidenceOf, isTrueQuote } from '../evidence/evidence.js';
import { SHOWN_CHARACTERS, SHOWN_TEXT, shownEvidence } from './prompt.js';

const shownOf = (build: (session: SessionBuilder) => SessionBuilder) => {
  const evidence = evidenceOf(build(new SessionBuilder().started()).completed())!;
  return { evidence, shown: shownEvidence(evidence) };
};

describe('the evidence that a model is shown', () => {
  it('is what tells of the work, in the order of the session', () => {
    const { shown } = shownOf((session) =>
      session
        .activity('ticket.started', { ticketId: 'T-1', note: 'not shown' })
        .message('Why does it fail?')
        .change('src/a.ts', 3)
        .testRun(1, 0)
        .asked('How?')
        .answered('So.', { gapMs: 90_000 })
        .activity('page.hidden')
        .activity('my.own', { score: 100 })
        .activity('interview.answer_recorded', { text: 'I am no answer.' }),
    );
    expect(shown.omitted).toEqual({});
    expect(shown.events.map(({ eventType, payload }) => [eventType, payload])).toEqual([
      ['ticket.started', { ticketId: 'T-1' }],
      ['message.sent', { to: 'assistant', text: 'Why does it fail?' }],
      ['file.changed', { path: 'src/a.ts', linesAdded: 3, linesRemoved: 0 }],
      ['test.run', { passed: 1, failed: 0, durationMs: 1000 }],
      ['interview.question_asked', { turn: 1, kind: 'planned', text: 'How?' }],
      ['interview.answer_recorded', { turn: 1, source: 'typed', text: 'So.' }],
    ]);
  });

  it('has what was handed in and what the checker said of it, and no such claim of a candidate’s', () => {
    const step = { ticketId: 'A', handIn: 1 };
    const claim = workEvent({ ...step, result: { hidden: [9, 0] } });
    const { evidence } = workedSession(
      { A: workOf('both') },
      [step, { ...step, result: { visible: [2, 0], hidden: [1, 3] } }],
      (session) => session.activity(claim.eventType, claim.payload),
    );
    const shown = shownEvidence(evidence);
    expect(shown.events.map(({ eventType, payload }) => [eventType, payload])).toEqual([
      ['work.handed_in', { ticketId: 'A', handInId: 'A/1', files: 2 }],
      [
        'work.checked',
        {
          ...{ ticketId: 'A', handInId: 'A/1', scope: 'all', isolation: 'separate', outcome: 'checked' },
          visible: { passed: 2, failed: 0, errors: 0 },
          hidden: { passed: 1, failed: 3, errors: 0 },
        },
      ],
    ]);
    expect(isTrueQuote(evidence.at(-1)!.payload, '"failed":3')).toBe(true);
  });

  it('holds no request to repeat or explain as an answer', () => {
    const { shown } = shownOf((session) =>
      session
        .asked('How?')
        .answered('Wie bitte?', { asksAgain: true })
        .asked('How, then?', { kind: 'clarification' })
        .answered('So.'),
    );
    expect(shown.events.map(({ payload }) => payload['text'])).toEqual(['How?', 'How, then?', 'So.']);
  });

  it('is bounded, the newest of each kind first, and never loses one kind to another', () => {
    const { evidence, shown } = shownOf((session) => {
      let all = session.testRun(1, 2).asked('How?').answered('So.');
      for (let n = 0; n < 2_000; n += 1) all = all.message(`${n} <${'x'.repeat(400)}`).testRun(n, 0);
      return all;
    });
    expect(inert(shown).length).toBeLessThan(SHOWN_CHARACTERS + 2_000);
    const types = shown.events.map(({ eventType }) => eventType);
    expect(types).toContain('interview.answer_recorded');
    expect(types).toContain('test.run');
    const messages = shown.events.filter(({ eventType }) => eventType === 'message.sent');
    expect(messages.at(-1)?.payload['text']).toMatch(/^1999 /);
    expect(messages.length).toBe(2_000 - shown.omitted['messages']!);
    expect(shown.omitted).toEqual({ messages: expect.any(Number), work: expect.any(Number) });
    expect(shownEvidence(evidence)).toEqual(shown);
  });

  it('cuts a long text so that its beginning can still be quoted', () => {
    const { evidence, shown } = shownOf((session) => session.message(`${'word '.repeat(2_000)}end`));
    const text = shown.events[0]!.payload['text'] as string;
    expect(text.length).toBeLessThanOrEqual(SHOWN_TEXT);
    expect(isTrueQuote(evidence[1]!.payload, text.slice(-100))).toBe(true);
  });

  it('takes payloads of any shape', () => {
    const odd = [null, [], 'text', 7, { text: { a: 1 }, to: null }, JSON.parse('{"__proto__":{"text":"x"}}')];
    const { shown } = shownOf((session) =>
      odd.reduce<SessionBuilder>(
        (s, payload) => s.activity('message.sent', payload as Record<string, unknown>),
        session,
      ),
    );
    for (const { payload } of shown.events) expect(payload).toEqual({});
  });

  it('takes no longer for texts made to slow it down', () => {
    const took = processorMs(() =>
      shownOf((session) =>
        session.message('a.'.repeat(8_000)).message('@'.repeat(16_000)).message('a@'.repeat(8_000)),
      ),
    );
    expect(took).toBeLessThan(500);
  });
});
