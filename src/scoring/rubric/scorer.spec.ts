import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { dimension, roleDefinition, SessionBuilder } from '../../../test/support/evidence-builder.js';
import { processorMs } from '../../../test/support/processor-time.js';
import type { RoleDefinition } from '../../domain/role/events.js';
import { evidenceOf } from '../evidence/evidence.js';
import { ruleSetNamed, ruleSets } from '../rule-sets.js';
import { fraction } from '../scores/arithmetic.js';
import type { DimensionScoring } from '../scores/scorer.js';
import { checkScoring } from '../scores/scores.js';
import { measureCorrectness } from './correctness.js';
import { MAX_CITATIONS, RubricScorer, withinBounds } from './scorer.js';

type Build = (session: SessionBuilder) => SessionBuilder;
/** The last rule set whose points depend only on whether the role has tickets. */
const scorer = new RubricScorer(ruleSetNamed('r3')!.rubric);
const former = new RubricScorer(ruleSetNamed('r1')!.rubric);

async function score(
  build: Build,
  role: RoleDefinition = roleDefinition(),
  by = scorer,
): Promise<readonly DimensionScoring[]> {
  const evidence = evidenceOf(build(new SessionBuilder(role).started()).completed())!;
  const scoring = await by.score({ role, evidence });
  if (scoring.kind === 'failed') throw new Error(scoring.reason);
  // Whatever is scored in this suite must also pass what every scorer is held to.
  expect(checkScoring(role, evidence, scoring.dimensions)).toMatchObject({ kind: 'scores' });
  return scoring.dimensions;
}

const figures = async (
  build: Build,
  role?: RoleDefinition,
  by?: RubricScorer,
): Promise<(readonly (readonly [string, number])[])[]> =>
  (await score(build, role, by)).map(({ terms }) =>
    terms.map((term) => [term.signal, term.contribution] as const),
  );

const total = ({ terms }: DimensionScoring): number =>
  terms.reduce((sum, { contribution }) => sum + Math.round(contribution * 1e6), 0);

describe('the rubric scorer', () => {
  it('describes itself', () => {
    expect(scorer.describe()).toMatchObject({ scorer: 'rubric', version: 3 });
    expect(former.describe()).toMatchObject({ scorer: 'rubric', version: 1 });
    expect(scorer.describe().description).toMatch(/rule-based.*not a model.*not a verdict/s);
  });

  it('gives every table of weights 100 points', () => {
    const tables = ruleSets.flatMap(({ rubric }) => [rubric.correctness, rubric.process]);
    const rows = tables.flatMap((table) =>
      'base' in table ? [] : [table.withTickets, table.withoutTickets].map((row) => Object.values(row)),
    );
    expect(rows).toHaveLength(12);
    for (const row of rows) expect(row.reduce((sum, points) => sum + points, 0)).toBe(100);
  });

  it('scores correctness by the last run, fixed failures and finished tickets', async () => {
    const role = roleDefinition({ ticketIds: ['T-1', 'T-2', 'T-3', 'T-1'] });
    const work: Build = (session) =>
      session
        .testRun(2, 3)
        .testRun(5, 0)
        .activity('ticket.finished', { ticketId: 'T-1' })
        .activity('ticket.finished', { ticketId: 'T-1' })
        .activity('ticket.finished', { ticketId: 'T-9' })
        .testRun(5, 1);
    expect((await figures(work, role, former))[0]).toEqual([
      ['last_run_passed', 41.666667],
      ['failures_fixed', 7.5],
      ['tickets_finished', 11.666666],
    ]);
    expect((await figures(work, role))[0]).toEqual([
      ['last_run_passed', 37.5],
      ['failures_fixed', 5],
      ['tickets_finished', 8.333333],
      ['tickets_finished_green', 6.666667],
    ]);
  });

  it('scores process by tested changes, small steps, order of tickets and messages', async () => {
    const role = roleDefinition({ ticketIds: ['T-1', 'T-2'] });
    const work: Build = (session) =>
      session
        .activity('ticket.started', { ticketId: 'T-1' })
        .change('a.ts', 60)
        .change('b.ts', 61)
        .testRun(1, 0)
        .activity('ticket.finished', { ticketId: 'T-1' })
        .activity('ticket.finished', { ticketId: 'T-2' })
        .activity('ticket.started', { ticketId: 'T-2' })
        .change('c.ts', 1)
        .message('ok')
        .message('Why does the parser skip the header?');
    expect((await figures(work, role, former))[1]).toEqual([
      ['changes_tested', 23.333333],
      ['small_steps', 16.666667],
      ['tickets_started_first', 7.5],
      ['messages_with_substance', 12.5],
    ]);
    expect((await figures(work, role))[1]).toEqual([
      ['changes_tested', 16.666667],
      ['small_steps', 10],
      ['tickets_started_first', 5],
      ['sent_messages_with_substance', 7.5],
      ['questions_answered', 0],
      ['answers_with_substance', 0],
    ]);
  });

  it('takes a ticket for finished green by the last run before any of its finishes', async () => {
    const role = roleDefinition({ ticketIds: ['T-1', 'T-2'] });
    const finish =
      (ticketId: string): Build =>
      (session) =>
        session.activity('ticket.finished', { ticketId });
    const green = async (...steps: readonly Build[]): Promise<number> =>
      (await score((session) => steps.reduce((s, step) => step(s), session), role))[0]!.terms.at(-1)!.value;
    const run =
      (failed: number): Build =>
      (session) =>
        session.testRun(3, failed);
    expect(await green(finish('T-1'))).toBe(0);
    expect(await green(run(0), run(1), finish('T-1'))).toBe(0);
    expect(await green(run(1), run(0), finish('T-1'), run(1))).toBe(0.5);
    expect(await green(run(1), finish('T-1'), run(0), finish('T-1'), finish('T-2'))).toBe(1);
    expect(await green(run(0), finish('T-1'), finish('T-1'), finish('T-9'))).toBe(0.5);
  });

  it('takes no longer for tickets finished again and again before as many test runs', async () => {
    const session = new SessionBuilder(roleDefinition({ ticketIds: ['T-1'] })).started();
    for (let n = 0; n < 20_000; n += 1) session.activity('ticket.finished', { ticketId: 'T-1' });
    for (let n = 0; n < 20_000; n += 1) session.testRun(1, 0);
    const evidence = evidenceOf(session.completed())!;
    let finished: ReturnType<typeof measureCorrectness> = [];
    expect(
      processorMs(() => {
        finished = measureCorrectness(evidence, new Set(['T-1']));
      }),
    ).toBeLessThan(500);
    expect(finished.at(-1)).toMatchObject({ signal: 'tickets_finished_green', evidence: [] });
  });

  it('scores the interview by planned questions that were answered, and answers with substance', async () => {
    const talk: Build = (session) =>
      session
        .message('Why does the parser skip the header?')
        .asked('How did you test it?')
        .answered('I wrote the failing test first.')
        .asked('Why?', { kind: 'follow_up' })
        .answered('')
        .asked('What was hard?')
        .answered('  ')
        .asked('And what was easy?')
        .answered('')
        .answered('Nothing was.', { late: true, gapMs: null })
        .asked('What would you do next?')
        .asked('Anything else?', { kind: 'closing' });
    const [, process] = await score(talk);
    const term = (signal: string) => process!.terms.find((one) => one.signal === signal)!;
    // Two of four planned ones: with a word, in time or late.
    expect(term('questions_answered')).toMatchObject({ value: 0.5, weight: 20, contribution: 10 });
    expect(term('questions_answered').evidence.map(({ quote }) => quote)).toEqual([
      'I wrote the failing test first.',
      'What was hard?',
      'Nothing was.',
      'What would you do next?',
    ]);
    expect(term('answers_with_substance')).toMatchObject({ value: 0.333333 });
    expect(term('sent_messages_with_substance')).toMatchObject({ value: 1 });
  });

  it('notes that it read no rubric text if a dimension has one', async () => {
    const role = roleDefinition({
      dimensions: [dimension(1, { rubric: 'Gives 100 points.' }), dimension(2, { rubric: ' ' })],
    });
    const [withText, blank] = await score((session) => session.testRun(1, 0), role);
    expect(withText!.rationale).toMatch(/rubric text was not read: these rules count, and read no texts\.$/);
    expect(blank!.rationale).not.toContain('rubric text');
    expect(withText!.terms).toEqual(blank!.terms);
    const [before] = await score((session) => session.testRun(1, 0), role, former);
    expect(before!.rationale).not.toContain('rubric text');
  });

  it('counted an interview’s answers as messages at first, but for turns that were closed without a word', async () => {
    const talk: Build = (session) =>
      session
        .message('Why does the parser skip the header?')
        .asked('How did you test it, in which order?')
        .answered('I wrote the failing test first.')
        .answered('No.', { late: true, gapMs: null })
        .asked('What was hard?')
        .answered('');
    const [, process] = await score(talk, roleDefinition(), former);
    const term = process!.terms.find(({ signal }) => signal === 'messages_with_substance');
    expect(term).toMatchObject({ value: 0.666667 });
    expect(term!.evidence.map(({ quote }) => quote)).toEqual([
      'Why does the parser skip the header?',
      'I wrote the failing test first.',
      'No.',
    ]);
    const [, claimed] = await score((session) =>
      session.activity('interview.answer_recorded', { text: 'x' }),
    );
    expect(claimed!.terms.flatMap(({ evidence }) => evidence)).toEqual([]);
  });

  it('counts a request to repeat or explain nowhere as an answer, and its question by the clarification', async () => {
    const good = 'I wrote a failing test first.';
    const terms = async (build: Build) => {
      const [, process] = await score(build);
      return Object.fromEntries((process?.terms ?? []).map(({ signal, value }) => [signal, value]));
    };
    const straight = await terms((session) => session.asked('Why?').answered(good));
    const asksAgain = { asksAgain: true } as const;
    const request = 'Können Sie die Frage bitte wiederholen?';
    const afterRequest = (session: SessionBuilder) =>
      session.asked('Why?').answered(request, asksAgain).asked('Why, then?', { kind: 'clarification' });
    // An answer after a request to repeat scores the same as one at once; a request alone scores nothing.
    expect(await terms((session) => afterRequest(session).answered(good))).toEqual(straight);
    expect(await terms((session) => afterRequest(session).answered(request, asksAgain))).toMatchObject({
      questions_answered: 0,
      answers_with_substance: 0,
    });
    // Late requests and those about the closing question count as little.
    const late = { ...asksAgain, turn: 1, late: true };
    expect(
      await terms((session) =>
        session
          .asked('Why?')
          .answered(good)
          .asked('Anything else?', { kind: 'closing', planned: null })
          .answered(request, asksAgain)
          .answered(request, late)
          .asked('Well?', { kind: 'clarification', planned: null })
          .answered(request, asksAgain),
      ),
    ).toEqual(straight);
  });

  it('counts no clarification of the closing question for the plan', async () => {
    const answered = async (build: Build) =>
      (await score(build))[1]?.terms.find(({ signal }) => signal === 'questions_answered')?.value;
    const good = 'I wrote a failing test first.';
    expect(
      await answered((session) =>
        session
          .asked('Why?')
          .skipped()
          .asked('Anything else?', { kind: 'closing', planned: null })
          .answered('What do you mean?', { asksAgain: true })
          .asked('Well?', { kind: 'clarification', planned: null })
          .answered(good),
      ),
    ).toBe(0);
  });

  it('counts no run without a test, and no change without both of its line counts', async () => {
    const counted: Build = (session) => session.change('a.ts', 5).testRun(1, 1);
    const values = async (build: Build) =>
      (await score(build))
        .flatMap(({ terms }) => terms)
        .filter(({ signal }) => /^(last_run_passed|failures_fixed|small_steps)$/.test(signal))
        .map(({ signal, value }) => [signal, value]);
    const more: Build = (session) =>
      counted(
        session
          .activity('file.changed', { path: 'b.ts', linesAdded: 1_000 })
          .activity('file.changed', { path: 'b.ts', linesRemoved: 1_000 }),
      ).testRun(0, 0);
    expect(await values(more)).toEqual(await values(counted));
    expect(await values(counted)).toHaveLength(3);
  });

  it('counts a skipped question as asked and not answered, and as nothing else', async () => {
    const asked = (session: SessionBuilder) =>
      session.asked('Why?').answered('I wrote a failing test first.');
    const [, without] = await score((session) => asked(session));
    const [, skipped] = await score((session) => asked(session).asked('How?').skipped());
    const terms = (scoring: typeof skipped) =>
      Object.fromEntries((scoring?.terms ?? []).map(({ signal, value }) => [signal, value]));
    expect(terms(skipped)).toEqual({ ...terms(without), questions_answered: 0.5 });
  });

  it('counts a change as tested only where a run follows before five more', async () => {
    const changes =
      (count: number): Build =>
      (session) =>
        Array.from({ length: count })
          .reduce<SessionBuilder>((s) => s.change('a.ts', 1), session)
          .testRun(1, 0);
    const tested = async (count: number): Promise<number> =>
      (await score(changes(count)))[1]!.terms[0]!.value;
    expect([await tested(5), await tested(6), await tested(10)]).toEqual([1, 0.833333, 0.5]);
  });

  it('gives a dimension without evidence 0 and states that', async () => {
    for (const scoring of await score((session) => session)) {
      expect(total(scoring)).toBe(0);
      expect(scoring.rationale).toMatch(/^The session holds no evidence for this dimension/);
      expect(scoring.terms.flatMap(({ evidence }) => evidence)).toEqual([]);
    }
  });

  it('scores an unknown category 0 and states that', async () => {
    const role = roleDefinition({ dimensions: [dimension(1, { category: '__proto__' })] });
    const [scoring] = await score((session) => session.testRun(1, 0), role);
    expect(scoring).toMatchObject({ terms: [], rationale: expect.stringContaining('knows no signals') });
  });

  it('explains each figure in plain sentences and quotes what it cites', async () => {
    const [correctness] = await score((session) => session.testRun(2, 1).testRun(3, 0));
    expect(correctness!.rationale).toBe(
      'In the last of 2 test runs, 3 of 3 tests passed. (Signal last_run_passed, up to 80 points.) ' +
        'Of 1 test run with failures, 1 came before a run without any. (Signal failures_fixed, up to 20 points.)',
    );
    expect(correctness!.terms.map(({ evidence }) => evidence.map(({ quote }) => quote))).toEqual([
      ['"passed":3'],
      ['"failed":1'],
    ]);
  });

  it('cites the last events only if there are many, and states that', async () => {
    const many: Build = (session) => {
      for (let n = 0; n < 300; n += 1) session.message('A message of some length, here.');
      return session;
    };
    const messages = (await score(many))[1]!;
    const term = messages.terms.find(({ signal }) => signal === 'sent_messages_with_substance');
    expect(term!.evidence).toHaveLength(MAX_CITATIONS);
    expect(messages.rationale).toContain('Of the 300 events this rests on, the last 20 are cited.');
  });

  it('takes back what lies beyond the bounds by one more addend', () => {
    const sum = (addends: readonly { numerator: bigint; denominator: bigint }[]): number =>
      addends.reduce((s, { numerator, denominator }) => s + Number(numerator) / Number(denominator), 0);
    expect(withinBounds([fraction(1, 2), fraction(99)])).toHaveLength(2);
    expect([
      sum(withinBounds([fraction(70), fraction(101, 2)])),
      sum(withinBounds([fraction(3), fraction(-5)])),
    ]).toEqual([100, 0]);
  });
});

describe('laws of the rubric', () => {
  const step = fc.oneof(
    fc.tuple(fc.constantFrom('asked', 'answered'), fc.nat(40), fc.constant(0)),
    fc.tuple(fc.constant('test'), fc.nat(9), fc.nat(9)),
    fc.tuple(fc.constant('change'), fc.nat(120), fc.nat(9)),
    fc.tuple(fc.constant('message'), fc.nat(40), fc.constant(0)),
    fc.tuple(fc.constantFrom('ticket.started', 'ticket.finished'), fc.nat(3), fc.constant(0)),
  );
  const steps = fc.array(step, { maxLength: 30 });
  const roles = fc.constantFrom(roleDefinition(), roleDefinition({ ticketIds: ['T-0', 'T-1', 'T-2'] }));
  const play =
    (work: readonly (readonly [string, number, number])[]): Build =>
    (session) =>
      work.reduce((s, [kind, a, b]) => {
        if (kind === 'test') return s.testRun(a, b);
        if (kind === 'asked') return s.asked('And?', { kind: a % 2 === 0 ? 'planned' : 'follow_up' });
        if (kind === 'answered') return s.answered('m'.repeat(a));
        if (kind === 'change') return s.change('src/a.ts', a, b);
        return kind === 'message' ? s.message('m'.repeat(a)) : s.activity(kind, { ticketId: `T-${a}` });
      }, session);

  it('the same evidence gives the same scores, from 0 to 100', async () => {
    await fc.assert(
      fc.asyncProperty(steps, roles, async (work, role) => {
        const scorings = await score(play(work), role);
        expect(await score(play(work), role)).toEqual(scorings);
        for (const scoring of scorings) {
          expect(total(scoring)).toBeGreaterThanOrEqual(0);
          expect(total(scoring)).toBeLessThanOrEqual(100_000_000);
          for (const { value, weight, contribution } of scoring.terms)
            expect(Math.abs(value * weight - contribution)).toBeLessThan(1e-4);
        }
      }),
    );
  });

  it('one more run in which every test passes never lowers correctness', async () => {
    await fc.assert(
      fc.asyncProperty(steps, roles, fc.integer({ min: 1, max: 50 }), async (work, role, passed) => {
        const [before] = await score(play(work), role);
        const [after] = await score((session) => play(work)(session).testRun(passed, 0), role);
        expect(total(after!)).toBeGreaterThanOrEqual(total(before!));
      }),
    );
  });

  it('finishing another ticket of the role never lowers correctness', async () => {
    const role = roleDefinition({ ticketIds: ['T-0', 'T-1', 'T-2'] });
    await fc.assert(
      fc.asyncProperty(steps, fc.nat(2), async (work, ticket) => {
        const [before] = await score(play(work), role);
        const finish: Build = (session) =>
          play(work)(session).activity('ticket.finished', { ticketId: `T-${ticket}` });
        expect(total((await score(finish, role))[0]!)).toBeGreaterThanOrEqual(total(before!));
      }),
    );
  });

  it('payloads of any shape, under any name, do no harm', async () => {
    const names = fc.constantFrom(
      'test.run',
      'file.changed',
      'ticket.finished',
      'message.sent',
      'constructor',
    );
    const count = fc.constantFrom<unknown>(1e308, -1, 1.5, '9', null, [], {}, 2 ** 53, 3);
    const odd = fc.oneof(
      fc.object({ withNullPrototype: true }),
      fc.record({ passed: count, failed: count, linesAdded: count, linesRemoved: count, text: count }),
      fc.constant(JSON.parse('{"__proto__":{"passed":1,"failed":0},"a.b":1,"$where":"1"}') as object),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(names, odd)), async (activities) => {
        await score((session) =>
          activities.reduce(
            (s, [name, payload]) => s.activity(name, payload as Record<string, unknown>),
            session,
          ),
        );
      }),
    );
  });
});
