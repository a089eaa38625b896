import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { findingsOf as findings } from '../../../test/support/findings.js';
import type { IntegrityFinding } from '../../domain/evaluation/events.js';
import { ruleSets } from '../rule-sets.js';

const withMessagesAt = (...seconds: number[]): readonly IntegrityFinding[] =>
  findings((session) => seconds.reduce((s, at) => s.message('Hello there.', at), session));

/** Half up, by counting on one's fingers. */
const halfUp = (numerator: number, denominator: number): number => {
  const remainder = numerator % denominator;
  return (numerator - remainder) / denominator + (remainder * 2 >= denominator ? 1 : 0);
};

/** Gap and median in seconds of each gap that is far out, as the interface has it. */
const naively = (gaps: readonly number[]): readonly (readonly [number, number])[] => {
  if (gaps.length < 5) return [];
  const rising = [...gaps].sort((a, b) => a - b);
  // From both ends, until the middle one or two are left.
  while (rising.length > 2) {
    rising.shift();
    rising.pop();
  }
  const median = halfUp(
    rising.reduce((sum, gap) => sum + gap, 0),
    rising.length,
  );
  return gaps
    .filter((gap) => gap >= 10_000 && gap / median >= 3)
    .map((gap) => [halfUp(gap, 1000), halfUp(median, 1000)]);
};

describe('response_gap_outlier', () => {
  it('compares a gap with the median of all gaps and reports whole seconds', () => {
    const [finding, ...others] = withMessagesAt(0, 4, 8, 12, 16, 46.5);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      kind: 'response_gap_outlier',
      severity: 'low',
      candidateMessageAt: '2026-03-02T09:00:46.500Z',
      gapSeconds: 31,
      sessionMedianGapSeconds: 4,
      inputs: { gapMs: 30_500, medianMs: 4_000, gaps: 5 },
    });
    expect(finding!.evidenceEventIds).toHaveLength(2);
  });

  it('knows no gap of a request to repeat or explain, which is no answer; r2 knew it', () => {
    const build = (session: SessionBuilder) => {
      for (let n = 0; n < 5; n += 1) session.asked('How?').answered('So.', { gapMs: 2_000 });
      return session.asked('Why?').answered('Wie bitte?', { gapMs: 40_000, asksAgain: true });
    };
    const found = (name: string) =>
      findings(build, { rules: ruleSets.find((one) => one.name === name)!.integrity }).filter(
        ({ kind }) => kind === 'response_gap_outlier',
      );
    expect([found('r2').length, found('r3').length]).toEqual([1, 0]);
  });

  it('follows an accommodation of time, and does not tell of it', () => {
    const build = (last: number) => (session: SessionBuilder) =>
      [0, 1, 2, 3, 4, 4 + last].reduce((s, at) => s.message('Hello there.', at), session);
    const [found] = findings(build(15), { timeFactor: 1.5 });
    expect(findings(build(14.999), { timeFactor: 1.5 })).toEqual([]);
    expect(found).toEqual(findings(build(15))[0]);
    expect(findings(build(89.999), { timeFactor: 1.5 })).toMatchObject([{ severity: 'low' }]);
    expect(findings(build(90), { timeFactor: 1.5 })).toMatchObject([{ severity: 'medium' }]);
  });

  it('needs five gaps', () => {
    expect(withMessagesAt(0, 1, 2, 3, 100)).toEqual([]);
    expect(withMessagesAt(0, 1, 2, 3, 4, 100)).toHaveLength(1);
  });

  it.each([
    ['9.999 s', 10.999, 0],
    ['10 s', 11, 1],
  ])('needs a gap of 10 s: %s', (_, last, count) => {
    expect(withMessagesAt(0, 1, 1, 1, 1, last)).toHaveLength(count);
  });

  it.each([
    ['a millisecond less than three times the median', 15.999, 0],
    ['three times the median', 16, 1],
  ])('compares milliseconds, not the seconds reported: %s', (_, gap, count) => {
    const median = 16 / 3;
    const before = [0, 1, 2, 3, 4].map((n) => n * Math.ceil(median * 1000));
    // Gaps of 5,334 ms; three times that is 16,002 ms.
    const last = before.at(-1)! + gap * 1000 + 2;
    expect(withMessagesAt(...before.map((ms) => ms / 1000), last / 1000)).toHaveLength(count);
  });

  it('rounds the median of an even count half up, in milliseconds', () => {
    // Gaps 1000, 1000, 3333, 3334, 3334, 20000: the middle two are 3333 and 3334, their mean rounds to 3334.
    const [finding] = withMessagesAt(0, 1, 2, 5.333, 8.667, 12.001, 32.001);
    expect(finding).toMatchObject({ inputs: { medianMs: 3_334 } });
  });

  it('takes a clock that went back for no gap at all', () => {
    const [finding] = withMessagesAt(50, 0, 0, 0, 0, 0, 20);
    expect(finding).toMatchObject({ gapSeconds: 20, sessionMedianGapSeconds: 0 });
  });

  it('agrees with the definition, written naively, on any session of messages and answers', () => {
    const ms = fc.oneof(fc.nat(40_000), fc.nat(200));
    const step = fc.oneof(
      fc.record({ kind: fc.constant('message'), ms }),
      fc.record({ kind: fc.constant('answer'), ms }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.boolean(), (steps, forwards) => {
        let clock = 0;
        const events = steps.map(({ kind, ms }) =>
          kind === 'answer' ? { kind, ms } : { kind, ms: (clock = forwards ? clock + ms : ms) },
        );
        const messages = events.filter(({ kind }) => kind === 'message');
        const gaps = events.flatMap((event) => {
          if (event.kind === 'answer') return [event.ms];
          const former = messages[messages.indexOf(event) - 1];
          return former === undefined ? [] : [event.ms < former.ms ? 0 : event.ms - former.ms];
        });
        const found = findings((session) =>
          events.reduce(
            (s, event) =>
              event.kind === 'answer'
                ? s.asked('And?').answered('So.', { gapMs: event.ms })
                : s.message('Hello there.', event.ms / 1000),
            session,
          ),
        );
        expect(found.map((f) => 'gapSeconds' in f && [f.gapSeconds, f.sessionMedianGapSeconds])).toEqual(
          naively(gaps),
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('response_gap_outlier in an interview', () => {
  const interview = (...gaps: (number | null)[]) =>
    gaps.reduce<SessionBuilder>(
      (session, gapMs, n) => session.asked(`Question ${n}?`).answered(`Answer ${n}.`, { gapMs }),
      new SessionBuilder(),
    );
  const found = (session: SessionBuilder): readonly IntegrityFinding[] => findings(() => session);

  it('takes the gaps that were measured, from question to answer', () => {
    const session = interview(4_000, 4_000, 4_000, 4_000, 30_500);
    expect(found(session)).toMatchObject([
      {
        kind: 'response_gap_outlier',
        severity: 'low',
        candidateMessageAt: '2026-03-02T09:00:10.000Z',
        gapSeconds: 31,
        sessionMedianGapSeconds: 4,
        inputs: { gapMs: 30_500, medianMs: 4_000, gaps: 5 },
        evidenceEventIds: [testId(7, 9), testId(7, 10)],
      },
    ]);
  });

  it('counts no gap where none was seen, and none of a late answer', () => {
    expect(found(interview(1_000, 1_000, 1_000, null, 30_000))).toEqual([]);
    const late = interview(1_000, 1_000, 1_000, 30_000).answered('More.', { late: true, gapMs: null });
    expect(found(late)).toEqual([]);
  });

  it('takes the median over messages and answers together', () => {
    const mixed = interview(1_000, 1_000).message('a', 10).message('b', 12).message('c', 15).message('d', 45);
    expect(found(mixed)).toMatchObject([{ inputs: { gapMs: 30_000, medianMs: 2_000, gaps: 5 } }]);
  });

  it('reads a gap in no activity that goes by the name of an answer', () => {
    const claims = [1, 1, 1, 1, 60_000].reduce<SessionBuilder>(
      (session, gapMs) => session.activity('interview.answer_recorded', { turn: 1, gapMs }),
      new SessionBuilder().asked('How?'),
    );
    expect(found(claims)).toEqual([]);
  });
});
