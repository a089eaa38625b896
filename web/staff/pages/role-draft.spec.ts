import { describe, expect, it } from '@jest/globals';
import type { Role } from '../../../packages/client/src/index.js';
import { CONSOLE_TEXTS } from '../../../src/languages/languages.js';
import { fieldOf } from '../parts/problems.js';
import {
  bodyOf,
  differencesOf,
  draftOf,
  freeName,
  isTaken,
  problemsOf,
  roleName,
  shareOf,
  weightSum,
  wordsIn,
} from './role-draft.js';

const role = {
  name: 'Backend engineer',
  overallThreshold: 60,
  dimensions: [
    { id: 'd1', name: 'Testing', weight: 60, category: 'correctness', threshold: 50, rubric: null },
    { id: 'd2', name: 'Way of working', weight: 30, category: 'process', threshold: null, rubric: 'Calm.' },
  ],
  ticketIds: ['t1'],
  questions: [
    { text: 'How?', dimensionName: 'Testing' },
    { text: 'Why?', dimensionName: null },
  ],
  instructions: null,
  timeFrameMinutes: 90,
  reminderDays: [3, 1],
  answerPauseMs: 2_500,
  aiPolicy: null,
  notice: { version: '2026-01', text: 'It is recorded.' },
} as unknown as Role;
const draft = draftOf(role);
const [first, second] = draft.dimensions;
if (!first || !second) throw new Error('The role has two dimensions.');

describe('the draft of a role', () => {
  it('sends what was read, if nothing was typed', () => {
    expect(bodyOf(draft)).toEqual(role);
    expect(problemsOf(draft).size).toBe(0);
  });

  it('shows what each weight comes to, and nothing while one of them is no number', () => {
    expect([weightSum(draft), shareOf(draft, first), shareOf(draft, second)]).toEqual([90, 66.7, 33.3]);
    const typing = { dimensions: [first, { ...second, weight: '' }] };
    expect([weightSum(typing), shareOf(typing, first)]).toEqual([null, null]);
    const zero = { dimensions: [{ ...first, weight: '0' }] };
    expect([weightSum(zero), shareOf(zero, first)]).toEqual([0, null]);
  });

  it.each([
    ['no name', { name: '  ' }, 'name', 'name'],
    [
      'a name with an address, as one of a former release',
      { name: 'Ask ben@example.org' },
      'name',
      'inMails',
    ],
    ['a threshold over 100', { overallThreshold: '101' }, 'overallThreshold', 'percent'],
    ['no dimension', { dimensions: [], questions: [] }, 'dimensions', 'noDimension'],
    [
      'a weight that is no whole number',
      { dimensions: [{ ...first, weight: '1.5' }] },
      'dimensions[0].weight',
      'percent',
    ],
    [
      'a question about a dimension that was removed',
      { dimensions: [second] },
      'questions[0].dimensionName',
      'question',
    ],
    ['a pause of no length', { answerPauseMs: '' }, 'answerPauseMs', 'pause'],
    ['a time of no minutes', { timeFrameMinutes: '0' }, 'timeFrameMinutes', 'minutes'],
    ['a reminder that is no number', { reminderDays: '3, one' }, 'reminderDays', 'days'],
    ['a reminder after a month', { reminderDays: '31' }, 'reminderDays', 'days'],
    ['more reminders than there can be', { reminderDays: '1,2,3,4,5,6' }, 'reminderDays', 'days'],
    ['a notice without a version', { notice: { version: ' ', text: 'It is.' } }, 'notice.version', 'name'],
    ['instructions that are too long', { instructions: '🦉'.repeat(8_001) }, 'instructions', 'tooLong'],
  ] as const)('has a problem: %s', (_, change, path, problem) => {
    expect([...problemsOf({ ...draft, ...change })]).toContainEqual([path, problem]);
  });

  it('sends no spaces around a name that was pasted, and counts them as no change', () => {
    const pasted = {
      ...draft,
      ...{
        name: ' Backend engineer\t',
        overallThreshold: ' 60 ',
        notice: { version: ' 2026-01 ', text: 'It is recorded.' },
      },
      dimensions: [{ ...first, name: ' Testing ', weight: ' 60 ' }, second],
      questions: draft.questions.map((one) => ({ ...one, text: ` ${one.text} ` })),
    };
    expect(bodyOf(pasted)).toEqual(bodyOf(draft));
    expect(differencesOf(pasted, draft)).toEqual([]);
  });

  it('keeps each question with its dimension while that is renamed, also through the name of another', () => {
    for (const name of ['', 'T', second.name, 'Tests']) {
      const renamed = { ...draft, dimensions: [{ ...first, name }, second] };
      expect([...problemsOf(renamed).keys()].filter((path) => path.startsWith('questions'))).toEqual([]);
      expect(bodyOf(renamed).questions).toMatchObject([{ dimensionName: name || null }, {}]);
    }
    // Another person's version may have the dimension by another key.
    const replaced = { ...draft, dimensions: [{ ...first, key: 'd9' }, second] };
    expect([...problemsOf(replaced)]).toEqual([]);
  });

  it('has no problem at the edges, and sends what is left out as null', () => {
    const edge = {
      ...draft,
      instructions: '🦉'.repeat(8_000),
      reminderDays: ' ',
      timeFrameMinutes: '',
    } as const;
    expect([...problemsOf(edge)]).toEqual([]);
    expect(bodyOf({ ...edge, notice: null, aiPolicy: 'allowed' })).toMatchObject({
      ...{ reminderDays: [], timeFrameMinutes: null, notice: null, aiPolicy: 'allowed' },
    });
  });

  it('names the field of a path, and its place', () => {
    expect(fieldOf('dimensions[2].weight')).toEqual({ field: 'dimensions.weight', index: 2 });
    expect(fieldOf('notice.text')).toEqual({ field: 'notice.text', index: null });
  });

  it('differs from a newer version only where the words do', () => {
    const theirs = draftOf({ ...role, name: 'Engineer', version: 9 });
    expect(differencesOf({ ...draft, dimensions: [{ ...first, weight: '70' }, second] }, theirs)).toEqual([
      { field: 'name', mine: 'Backend engineer', theirs: 'Engineer' },
      {
        field: 'dimensions',
        mine: 'Testing: 70, correctness, ≥ 50\nWay of working: 30, process, Calm.',
        theirs: 'Testing: 60, correctness, ≥ 50\nWay of working: 30, process, Calm.',
      },
    ]);
    expect(differencesOf(draft, draftOf(role))).toEqual([]);
  });
});

describe('a role that another person has saved', () => {
  it('is shown in words: no code, no id', () => {
    const { role: words } = CONSOLE_TEXTS.de;
    const wordsOf = wordsIn({ ...words, titleOf: (id) => (id === 't1' ? 'Parser' : id) });
    expect(wordsOf({ ...draft, ticketIds: ['t1', 't2'] }, 'ticketIds')).toBe('Parser\nt2');
    expect(wordsOf(draft, 'aiPolicy')).toBe(words.aiPolicies.none);
    expect(wordsOf(draft, 'dimensions')).toContain(`Testing: 60, ${words.categories.correctness}`);
  });
});

describe('the name of a role', () => {
  it('is never nothing: a link to a draft without a name has words', () => {
    const { roles } = CONSOLE_TEXTS.de;
    expect(['', ' ', 'Harbour'].map((name) => roleName({ name }, roles))).toEqual([
      ...[roles.unnamed, roles.unnamed, 'Harbour'],
    ]);
  });
});

describe('the name of a new role', () => {
  it('is one that no other reads as', () => {
    expect(freeName('Backend', [])).toBe('Backend');
    expect(freeName('Backend', ['Data', 'backend ', 'Backend 2'])).toBe('Backend 3');
    expect(isTaken('Zoe\u0308', ['ZOË'])).toBe(true);
    expect(isTaken('Backend', ['Backend 2'])).toBe(false);
  });

  it('is no longer than a name may be', () => {
    const long = '😀'.repeat(200);
    expect(Array.from(freeName(long, [long]))).toHaveLength(200);
    expect(freeName(long, [long]).endsWith('😀 2')).toBe(true);
    expect(Array.from(freeName(`${long} (copy)`, []))).toHaveLength(200);
  });
});
