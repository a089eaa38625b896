import { describe, expect, it } from '@jest/globals';
import { type SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { findingsOf as findings } from '../../../test/support/findings.js';
import type { IntegrityFinding } from '../../domain/evaluation/events.js';

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

  it('is not found by an activity of that name', () => {
    const claim = { identity: 'verified' };
    expect(findings((s) => s.started('mismatch').activity('trial.started', claim))).toEqual([]);
  });
});

describe('identity_mismatch', () => {
  const mismatches = (build: (session: SessionBuilder) => SessionBuilder) =>
    findings(build).filter(({ kind }) => kind === 'identity_mismatch');

  it('is found where a later command’s token carried another address, beside the start', () => {
    expect(mismatches((s) => s.started().identityChecked('mismatch', 40))).toMatchObject([
      {
        severity: 'high',
        timestamp: '2026-03-02T09:00:40.000Z',
        evidenceEventIds: [testId(7, 1), testId(7, 2)],
        inputs: { identityAtStart: 'verified', token: 'command' },
      },
    ]);
  });

  it('is found once for connections with the same token, and again after one with the invited address', () => {
    const other = { identity: 'mismatch' } as const;
    const found = mismatches((s) =>
      s
        .started()
        .connected(null, other)
        .connected(null, other)
        .identityChecked('verified')
        .connected(null, other),
    );
    expect(found.map(({ evidenceEventIds }) => evidenceEventIds[1])).toEqual([testId(7, 2), testId(7, 5)]);
    expect(found[0]).toMatchObject({ inputs: { token: 'connection' } });
  });

  it('is not found in an address that is not verified, nor in the start alone, nor in what a candidate claims', () => {
    expect(mismatches((s) => s.started().identityChecked('unverified').connected())).toEqual([]);
    expect(mismatches((s) => s.started('mismatch'))).toEqual([]);
    const claim = { identity: 'mismatch' };
    expect(mismatches((s) => s.started().activity('trial.identity_checked', claim))).toEqual([]);
  });
});

describe('concurrent_connection', () => {
  it.each([
    [true, 'info', 'same'],
    [null, 'low', 'unknown'],
    [false, 'medium', 'other'],
  ])(
    'is found where an open connection was taken the place of: same device %s',
    (sameDevice, severity, device) => {
      const first = testId(10, 1);
      const found = findings((s) =>
        s.started().connected(null, { connectionId: first }).connected(first, { ordinal: 2, sameDevice }, 30),
      );
      expect(found.filter(({ kind }) => kind !== 'identity_verified')).toMatchObject([
        {
          kind: 'concurrent_connection',
          severity,
          timestamp: '2026-03-02T09:00:30.000Z',
          evidenceEventIds: [testId(7, 2), testId(7, 3)],
          inputs: { connection: 2, device },
        },
      ]);
    },
  );

  it('names each time the two connections, and is none of connections one after the other', () => {
    const [a, b, c] = ['one', 'two', 'three'];
    const found = findings((s) =>
      s
        .connected(null, { connectionId: a })
        .connected(null, { connectionId: b })
        .connected(b, { connectionId: c })
        .connected(c),
    );
    expect(found.map(({ evidenceEventIds }) => evidenceEventIds)).toEqual([
      [testId(7, 2), testId(7, 3)],
      [testId(7, 3), testId(7, 4)],
    ]);
  });
});

describe('activity_gap', () => {
  const gaps = (
    build: (session: SessionBuilder) => SessionBuilder,
    end?: number,
  ): readonly IntegrityFinding[] =>
    findings(build, end === undefined ? {} : { end }).filter(({ kind }) => kind === 'activity_gap');

  it.each([
    [299.999, []],
    [300, ['info']],
    [1_799.999, ['info']],
    [1_800, ['low']],
  ])('%s s without an event', (seconds, severities) => {
    const found = gaps((s) => s.started().activity('x.y', {}, seconds), seconds + 1);
    expect(found.map(({ severity }) => severity)).toEqual(severities);
  });

  it('follows an accommodation of time', () => {
    const build = (s: SessionBuilder) => s.started().activity('x.y', {}, 599.999);
    const found = (timeFactor: number) =>
      findings(build, { end: 600, timeFactor }).filter(({ kind }) => kind === 'activity_gap');
    expect(found(2)).toEqual([]);
    expect(found(1.9)).toEqual(found(1));
  });

  it('lies between two events, each of which is named, and begins at the first', () => {
    expect(gaps((s) => s.started().activity('x.y', {}, 10), 400)).toMatchObject([
      {
        timestamp: '2026-03-02T09:00:10.000Z',
        evidenceEventIds: [testId(7, 2), testId(7, 3)],
        inputs: { gapMs: 390_000, minimumGapMs: 300_000 },
      },
    ]);
  });

  it('is measured by the service’s clock, not the candidate’s', () => {
    expect(gaps((s) => s.started().activity('x.y', {}, 900, 10), 20)).toEqual([]);
    expect(gaps((s) => s.started().activity('x.y', {}, 10, 400), 410)).toMatchObject([
      { inputs: { gapMs: 400_000 } },
    ]);
  });

  it('ends where the interview begins, and is none in it', () => {
    const found = gaps((s) => s.started().connected(null, {}, 310).asked('How?').answered('So.'), 3_000);
    expect(found).toMatchObject([{ evidenceEventIds: [testId(7, 1), testId(7, 2)] }]);
    expect(gaps((s) => s.started().asked('How?').activity('x.y', {}, 900), 3_000)).toEqual([]);
  });

  it('is none while the session is interrupted', () => {
    expect(gaps((s) => s.started().interrupted(100).activity('x.y', {}, 900).resumed(1_300), 1_310)).toEqual(
      [],
    );
    expect(gaps((s) => s.started().interrupted(400).resumed(900), 1_250)).toMatchObject([
      { inputs: { gapMs: 400_000 } },
      { inputs: { gapMs: 350_000 } },
    ]);
  });

  it('is hidden by no activity that goes by the name of an interruption', () => {
    const claimed = gaps((s) => s.started().activity('trial.interrupted', {}, 10), 400);
    expect(claimed.map(({ inputs }) => inputs)).toMatchObject([{ gapMs: 390_000 }]);
  });

  it('is none before a start', () => {
    expect(gaps((s) => s.activity('x.y', {}, 10), 900)).toEqual([]);
  });
});
