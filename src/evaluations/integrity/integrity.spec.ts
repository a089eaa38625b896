import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import type { IntegrityFinding } from '../events.js';
import { evidenceOf } from '../evidence.js';
import { currentRuleSet } from '../rule-sets.js';
import { findIntegrity } from './find.js';

const rules = currentRuleSet.integrity;

const findings = (
  build: (session: SessionBuilder) => SessionBuilder,
  end?: number,
): readonly IntegrityFinding[] => {
  const session = build(new SessionBuilder()).completed(end);
  return findIntegrity(
    { evidence: evidenceOf(session)!, endedAt: session.at(-1)!.metadata.recordedAt },
    rules,
  );
};
const kinds = (found: readonly IntegrityFinding[]): string[] => found.map(({ kind }) => kind);
const withMessagesAt = (...seconds: number[]): readonly IntegrityFinding[] =>
  findings((session) => seconds.reduce((s, at) => s.message('Hello there.', at), session));

describe('identity_verified', () => {
  it('is found where the token at the start carried the invited address, at the time of the start', () => {
    const [finding] = findings((session) => session.started('verified'));
    expect(finding).toMatchObject({
      kind: 'identity_verified',
      severity: 'info',
      timestamp: '2026-03-02T09:00:00.000Z',
      ruleVersion: 1,
    });
    expect(finding!.evidenceEventIds).toHaveLength(1);
  });

  it.each(['mismatch', 'unverified'] as const)('is not found where the identity was %s', (identity) => {
    expect(findings((session) => session.started(identity))).toEqual([]);
  });

  it('is not found by an activity that says so', () => {
    const claim = { identity: 'verified' };
    expect(findings((s) => s.started('mismatch').activity('trial.started', claim))).toEqual([]);
  });
});

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

  it('agrees with the definition, written naively, on any sequence of times', () => {
    const times = fc.array(fc.oneof(fc.nat(40_000), fc.nat(200)), { maxLength: 40 });
    fc.assert(
      fc.property(times, fc.boolean(), (steps, relative) => {
        let at = 0;
        const ms = steps.map((step) => (at = relative ? at + step : step));
        const gaps = ms.slice(1).map((to, i) => (to < ms[i]! ? 0 : to - ms[i]!));
        const sorted = gaps.slice().sort((a, b) => a - b);
        const half = sorted.length / 2;
        const median =
          half % 1 === 0
            ? Math.round(((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2)
            : sorted[half - 0.5]!;
        const expected = gaps
          .filter((gap) => gaps.length >= 5 && gap >= 10_000 && gap / 3 >= median)
          .map((gap) => [Math.round(gap / 1000), Math.round(median / 1000)]);
        const found = withMessagesAt(...ms.map((m) => m / 1000));
        expect(found.map((f) => 'gapSeconds' in f && [f.gapSeconds, f.sessionMedianGapSeconds])).toEqual(
          expected,
        );
      }),
      { numRuns: 300 },
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

describe('paste_burst', () => {
  it.each([
    [199, []],
    [200, ['low']],
    [1000, ['medium']],
  ])('%s characters that are not blank', (nonBlankCharacters, severities) => {
    const paste = { characters: 5000, nonBlankCharacters };
    const found = findings((session) => session.activity('clipboard.pasted', paste));
    expect(found.map(({ kind, severity }) => [kind, severity])).toEqual(
      severities.map((severity) => ['paste_burst', severity]),
    );
  });
});

describe('focus_lost', () => {
  const hiddenFor = (seconds: number): readonly IntegrityFinding[] =>
    findings((session) => session.activity('page.hidden', {}, 10).activity('page.shown', {}, 10 + seconds));

  it.each([
    [2.999, []],
    [3, ['info']],
    [30, ['low']],
    [300, ['medium']],
    [-20, []],
  ])('hidden for %s s', (seconds, severities) => {
    expect(hiddenFor(seconds).map(({ severity }) => severity)).toEqual(severities);
  });

  it('lasts until the session ends where the page never came back', () => {
    const [finding] = findings((session) => session.activity('page.hidden', {}, 10), 22);
    expect(finding).toMatchObject({
      kind: 'focus_lost',
      timestamp: '2026-03-02T09:00:10.000Z',
      inputs: { hiddenMs: 12_000, until: 'end' },
    });
  });

  it('begins with the first of several page.hidden, and a page.shown alone is nothing', () => {
    const found = findings((session) =>
      session
        .activity('page.shown', {}, 1)
        .activity('page.hidden', {}, 10)
        .activity('page.hidden', {}, 12)
        .activity('page.shown', {}, 14)
        .activity('page.shown', {}, 99),
    );
    expect(found).toMatchObject([{ inputs: { hiddenMs: 4_000 } }]);
  });
});

describe('integrity findings', () => {
  it('come in the order of the evidence, then by kind', () => {
    const found = findings((session) =>
      [1, 2, 3, 4, 5]
        .reduce((s, at) => s.message('Hello.', at), session.started())
        .activity('page.hidden', {}, 6)
        .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: 300 }, 7)
        .activity('page.shown', {}, 40)
        .message('Back.', 60),
    );
    expect(kinds(found)).toEqual(['identity_verified', 'focus_lost', 'paste_burst', 'response_gap_outlier']);
  });

  it('keep the strongest of a kind where there are too many', () => {
    let session = new SessionBuilder();
    for (let n = 0; n < 500; n += 1)
      session = session.activity('clipboard.pasted', {
        characters: 900,
        nonBlankCharacters: 200 + (n % 250),
      });
    const events = session.completed();
    const found = findIntegrity(
      { evidence: evidenceOf(events)!, endedAt: events.at(-1)!.metadata.recordedAt },
      rules,
    );
    expect(found).toHaveLength(rules.maxFindingsPerKind);
    expect(Math.min(...found.map(({ inputs }) => Number(inputs!['nonBlankCharacters'])))).toBe(400);
  });

  it('never fail on payloads of any shape, and find nothing in them', () => {
    const names = fc.constantFrom('message.sent', 'clipboard.pasted', 'page.hidden', 'page.shown', 'x.y');
    const odd = fc.oneof(
      fc.anything({ withNullPrototype: true }),
      fc.constant(JSON.parse('{"__proto__":{"nonBlankCharacters":900}}') as unknown),
      fc.record({
        nonBlankCharacters: fc.constantFrom(1e308, -1, 1.5, '900', null, [900], { valueOf: 900 }),
      }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(names, odd)), (activities) => {
        const found = findings(
          (session) =>
            activities.reduce(
              (s, [name, payload]) => s.activity(name, payload as Record<string, unknown>, 0),
              session,
            ),
          0,
        );
        expect(found).toEqual([]);
      }),
    );
  });
});
