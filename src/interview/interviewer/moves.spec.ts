import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roleDefinition } from '../../../test/support/evidence-builder.js';
import type { Dimension, RoleDefinition } from '../../domain/role/events.js';
import { type Question } from '../../domain/session/interview-state.js';
import { MAX_DURATION_MS } from '../../domain/session/time-limit.js';
import { interviewTexts, type Language } from '../../languages/languages.js';
import type { Proposal } from './interviewer.js';
import { CLOSING_AT_MS, FINISH_AT_MS, movesOf, scriptedProposal, planOf } from './moves.js';
import { isSpeakable } from './wording.js';

const GOOD = 'I found the fault in the import, because two rows were missing, and then I wrote a test.';
const SHORT = 'Yes, I did.';
const VAGUE = 'I always try to do a good job and to keep everybody happy and to be careful with all things.';
const AGAIN = 'Sorry, could you repeat that?';

const dimension = (id: string, over: Partial<Dimension> = {}): Dimension => ({
  id,
  name: `Skill ${id}`,
  weight: 10,
  category: 'process',
  threshold: null,
  rubric: null,
  ...over,
});

const role = (over: Partial<RoleDefinition> = {}): RoleDefinition =>
  roleDefinition({
    name: 'Backend Engineer',
    dimensions: [
      dimension('d1', { name: 'Debugging' }),
      dimension('d2', { name: 'Testing', category: 'correctness' }),
    ],
    questions: [],
    ...over,
  });

interface Given {
  readonly eachMs: number;
  readonly totalMs: number;
  readonly language: Language;
}

/** Answers as they come, each after `eachMs`; good ones once they run out. */
const interview = (
  of: RoleDefinition,
  answers: readonly string[],
  { eachMs = 0, totalMs = MAX_DURATION_MS, language = 'en' }: Partial<Given> = {},
): readonly Proposal[] => {
  const proposals: Proposal[] = [];
  const questions: Question[] = [];
  for (let turn = 1; turn < 10_000; turn += 1) {
    const remainingMs = totalMs - questions.length * eachMs;
    const proposal = scriptedProposal(
      { trialSessionId: 't', role: of, language, questions, remainingMs },
      null,
    );
    if (proposal === 'finished') return proposals;
    proposals.push(proposal);
    questions.push({
      ...proposal,
      turn,
      questionId: `q${turn}`,
      askedAt: '',
      answer: { text: answers[turn - 1] ?? GOOD, source: 'typed', at: '' },
      skipped: false,
      lateAnswers: 0,
      interruptedAtMs: null,
    });
  }
  throw new Error('It did not end.');
};

const kinds = (proposals: readonly Proposal[]): string =>
  proposals.map(({ kind, planned }) => (planned === null ? kind : `${kind} ${planned}`)).join(', ');

/** Any code points at all, lone surrogates among them. */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 60 })
  .map((points) => String.fromCodePoint(...points));

describe('the scripted interview', () => {
  it('opens, asks about every dimension, closes and is over', () => {
    const asked = interview(role(), []);
    expect(kinds(asked)).toBe('planned 0, planned 1, closing');
    expect(asked.map(({ dimensionIds }) => dimensionIds)).toEqual([['d1'], ['d2'], []]);
    expect(asked[0]?.preface).toMatch(/^Hello.* for the role “Backend Engineer”\. /);
    expect(asked[0]?.text).toMatch(/^The topic of this question: “Debugging”\. Please/);
    expect(asked.slice(1).map(({ preface }) => preface ?? null)).toEqual([null, null]);
    expect(asked[1]?.text).toContain('Testing');
    expect(asked[0]?.askedBy).toEqual({ interviewer: 'scripted', version: 2, model: null, instead: null });
  });

  it('asks the role’s own questions word for word, then what none of them names', () => {
    const questions = [
      { text: 'Why us?', dimensionName: null },
      { text: ' ', dimensionName: 'Debugging' },
      { text: 'How do you test?', dimensionName: 'Testing' },
      { text: 'Why `x`?', dimensionName: 'Unknown' },
    ];
    const asked = interview(role({ questions }), []);
    expect(asked.map(({ dimensionIds }) => dimensionIds)).toEqual([[], ['d2'], [], ['d1'], []]);
    expect(asked.slice(0, 3).map(({ text }) => text)).toEqual(['Why us?', 'How do you test?', 'Why `x`?']);
    expect(asked[3]?.text).toContain('Debugging');
  });

  it.each([
    [
      'follows up twice on what is too short',
      [SHORT, SHORT, SHORT],
      'planned 0, follow_up 0, follow_up 0, planned 1, closing',
    ],
    ['follows up on what is not concrete', [VAGUE], 'planned 0, follow_up 0, planned 1, closing'],
    ['goes on after a good answer to it', [SHORT, GOOD], 'planned 0, follow_up 0, planned 1, closing'],
    [
      'clarifies twice, then goes on',
      [AGAIN, AGAIN, AGAIN],
      'planned 0, clarification 0, clarification 0, planned 1, closing',
    ],
    [
      'takes nothing understood as asking again',
      ['', GOOD],
      'planned 0, clarification 0, planned 1, closing',
    ],
    [
      'counts clarifications apart from follow-ups',
      [SHORT, AGAIN, SHORT, AGAIN, SHORT],
      'planned 0, follow_up 0, clarification 0, follow_up 0, clarification 0, planned 1, closing',
    ],
    [
      'clarifies the closing question, and asks no more after it',
      [GOOD, GOOD, AGAIN, SHORT],
      'planned 0, planned 1, closing, clarification',
    ],
    [
      'does so twice',
      [GOOD, GOOD, AGAIN, '', AGAIN],
      'planned 0, planned 1, closing, clarification, clarification',
    ],
    ['never follows up on the closing question', [GOOD, GOOD, 'No.'], 'planned 0, planned 1, closing'],
  ])('%s', (_, answers, expected) => {
    expect(kinds(interview(role(), answers))).toBe(expected);
  });

  it('asks nothing twice in the same words, and nothing that was answered', () => {
    const asked = interview(role(), [AGAIN, SHORT, AGAIN, SHORT, 'SECRET word', AGAIN, VAGUE, AGAIN, VAGUE]);
    const texts = asked.map(({ text }) => text);
    expect(new Set(texts).size).toBe(texts.length);
    expect(texts.join()).not.toMatch(/secret|everybody happy/i);
  });

  it('comes to its closing question in time, and ends without one where there is none left', () => {
    const many = role({ dimensions: Array.from({ length: 60 }, (_, n) => dimension(`d${n}`)) });
    const asked = interview(many, [], { eachMs: 100_000 });
    expect(asked.at(-1)).toMatchObject({ kind: 'closing' });
    expect(asked).toHaveLength(1 + Math.floor((MAX_DURATION_MS - CLOSING_AT_MS) / 100_000) + 1);
    expect(interview(role(), [], { totalMs: FINISH_AT_MS - 1 })).toEqual([]);
    expect(kinds(interview(role(), [], { totalMs: CLOSING_AT_MS - 1 }))).toBe('closing');
    expect(kinds(interview(role(), [SHORT], { totalMs: FINISH_AT_MS + 1_000, eachMs: 1_001 }))).toBe(
      'closing',
    );
  });

  it('asks further only while the rest of the plan keeps its time', () => {
    const tight = role({ dimensions: Array.from({ length: 45 }, (_, n) => dimension(`d${n}`)) });
    expect(kinds(interview(tight, [SHORT]).slice(0, 2))).toBe('planned 0, planned 1');
    expect(kinds(interview(tight, [AGAIN]).slice(0, 2))).toBe('planned 0, clarification 0');
  });

  it('has something to ask where a role names nothing, and wording for names that cannot be said', () => {
    const empty = interview(role({ name: '***', dimensions: [] }), [AGAIN]);
    expect(kinds(empty)).toBe('planned 0, clarification 0, closing');
    const odd = interview(
      role({ dimensions: [dimension('d1', { name: '<b>*`', category: '__proto__' })] }),
      [],
    );
    expect(odd[0]?.text).toMatch(/\bb\b/);
    for (const { text } of [...empty, ...odd]) expect(isSpeakable(text)).toBe(true);
  });

  const text = fc.oneof(
    fc.constantFrom(GOOD, SHORT, VAGUE, AGAIN, '', 'Debugging', 'Testing', 'C++ & <b>'),
    anyText,
    fc.integer({ min: 3_600, max: 4_100 }).map((length) => 'long text '.repeat(410).slice(0, length)),
  );
  const anyRole = fc.record({
    name: text,
    dimensions: fc
      .array(fc.record({ name: text, category: fc.constantFrom('process', 'correctness', 'other', '') }), {
        maxLength: 12,
      })
      .map((all) => all.map((one, n) => dimension(`d${n}`, one))),
    questions: fc.array(fc.record({ text, dimensionName: fc.option(text) }), { maxLength: 6 }),
  });

  it('keeps its rules with any role and any answers', () => {
    fc.assert(
      fc.property(
        anyRole.map(role),
        fc.array(text, { maxLength: 60 }),
        fc.integer({ min: 0, max: 400_000 }),
        (of, answers, eachMs) => {
          const asked = interview(of, answers, { eachMs });
          expect(interview(of, answers, { eachMs })).toEqual(asked);
          const plan = planOf(of, interviewTexts('en'));
          const ids = new Set(of.dimensions.map(({ id }) => id));
          const lengths = asked.map((question) => question.text.length);
          expect(Math.min(1, ...lengths)).toBe(1);
          expect(Math.max(0, ...lengths)).toBeLessThanOrEqual(4_000);
          expect(asked.flatMap(({ dimensionIds }) => dimensionIds).every((id) => ids.has(id))).toBe(true);
          const planned = asked.filter(({ kind }) => kind === 'planned').map((question) => question.planned);
          expect(planned).toEqual(planned.map((_, index) => index));
          const timeRanOut = MAX_DURATION_MS - asked.length * eachMs < CLOSING_AT_MS + eachMs;
          if (!timeRanOut) {
            expect(planned).toHaveLength(plan.length);
            const covered = new Set(asked.flatMap(({ dimensionIds }) => dimensionIds));
            expect(covered).toEqual(ids);
          }
          for (const kind of ['follow_up', 'clarification'])
            for (const place of [null, ...planned])
              expect(
                asked.filter((one) => one.kind === kind && one.planned === place).length,
              ).toBeLessThanOrEqual(2);
          const closing = asked.findIndex(({ kind }) => kind === 'closing');
          if (closing >= 0)
            for (const after of asked.slice(closing + 1)) expect(after.kind).toBe('clarification');
          if (eachMs < FINISH_AT_MS) expect(closing).toBeGreaterThanOrEqual(0);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('goes on with the plan after a skipped question of any kind, and ends after a skipped closing one', () => {
    const skipped: Partial<Question> = { skipped: true, answer: null };
    const asked = (over: Partial<Question>): Question => ({
      ...interview(role(), [])[0]!,
      preface: null,
      turn: 1,
      questionId: 'q1',
      askedAt: '',
      answer: { text: '', source: 'typed', at: '' },
      skipped: false,
      lateAnswers: 0,
      interruptedAtMs: null,
      ...over,
    });
    const next = (...questions: readonly Question[]) => {
      const soFar = {
        trialSessionId: 't',
        role: role(),
        language: 'en' as const,
        questions,
        remainingMs: MAX_DURATION_MS,
      };
      const moves = movesOf(soFar);
      return moves === 'finished' ? moves : moves.map(({ kind, planned }) => [kind, planned]);
    };
    for (const kind of ['planned', 'follow_up', 'clarification'] as const)
      expect(next(asked({ kind, ...skipped }))).toEqual([['planned', 1]]);
    expect(next(asked({}), asked({ kind: 'closing', planned: null, ...skipped }))).toBe('finished');
  });

  it('lets another interviewer choose between going on and asking once more', () => {
    const open = interview(role(), []).slice(0, 1)[0]!;
    const question: Question = {
      ...open,
      preface: null,
      turn: 1,
      questionId: 'q1',
      askedAt: '',
      answer: { text: GOOD, source: 'speech', at: '' },
      skipped: false,
      lateAnswers: 0,
      interruptedAtMs: null,
    };
    const moves = movesOf({
      trialSessionId: 't',
      role: role(),
      language: 'en',
      questions: [question],
      remainingMs: MAX_DURATION_MS,
    });
    if (moves === 'finished') throw new Error('It has only begun.');
    expect(moves.map(({ kind, planned }) => [kind, planned])).toEqual([
      ['planned', 1],
      ['follow_up', 0],
      ['clarification', 0],
    ]);
  });
});
