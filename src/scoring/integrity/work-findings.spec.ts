import { describe, expect, it } from '@jest/globals';
import type { SessionBuilder } from '../../../test/support/evidence-builder.js';
import { workedSession, workEvent, workOf, type WorkStep } from '../../../test/support/work-evidence.js';
import type { SimilarWork } from '../../domain/evaluation/events.js';
import type { EvidenceEvent } from '../evidence/evidence.js';
import { setupIn } from '../evidence/work.js';
import { currentRuleSet, ruleSetNamed } from '../rule-sets.js';
import { findIntegrity } from './find.js';

const TICKETS = ['A', 'B', 'C', 'D'];
const rules = currentRuleSet.integrity;

const found = (evidence: readonly EvidenceEvent[], kind: string, similar: readonly SimilarWork[] = []) =>
  findIntegrity(
    {
      similar,
      ...{ evidence, tickets: setupIn(TICKETS, evidence), detections: [] },
      endedAt: evidence.at(-1)!.recordedAt,
    },
    rules,
  ).filter((one) => one.kind === kind);

const handedIn = (ticketId: string, handIn = 1): WorkStep => ({ ticketId, handIn });

describe('claims_differ', () => {
  const claimed = (
    before: (session: SessionBuilder) => SessionBuilder,
    result: WorkStep['result'],
    handIn = 1,
  ) => {
    const steps = [handedIn('A'), ...(result ? [{ ticketId: 'A', handIn, result }] : [])];
    return found(workedSession({ A: workOf('both') }, steps, before).evidence, 'claims_differ');
  };

  it('is a run that passed far more of its tests than the hand-in behind it does', () => {
    const [one, ...others] = claimed((session) => session.testRun(1, 9).testRun(9_999, 0), {
      visible: [1, 4],
      hidden: [9, 1],
    });
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      severity: 'low',
      inputs: {
        ...{ reportedPassed: 9_999, reportedTests: 9_999, checkedPassed: 1, checkedTests: 5 },
        ...{ differencePercent: 80, minimumDifferencePercent: 50 },
      },
    });
    expect(one!.evidenceEventIds).toHaveLength(3);
  });

  it('depends on the last run before the hand-in, on the visible tests first, and on a result', () => {
    const run = (session: SessionBuilder) => session.testRun(10, 0);
    expect(claimed(run, { visible: [5, 5] })).toMatchObject([{ severity: 'low' }]);
    expect(claimed(run, { visible: [51, 49] })).toEqual([]);
    expect(claimed(run, { hidden: [1, 9] })).toMatchObject([{ severity: 'medium' }]);
    expect(claimed(run, { visible: [6, 4], hidden: [0, 9] })).toEqual([]);
    expect(claimed((session) => session.testRun(10, 0).testRun(0, 10), { visible: [0, 5] })).toEqual([]);
    expect(claimed((session) => session, { visible: [0, 5] })).toEqual([]);
    expect(claimed((session) => session.testRun(0, 0), { visible: [0, 5] })).toEqual([]);
    for (const nothing of ['timed_out', undefined] as const) expect(claimed(run, nothing)).toEqual([]);
    // It is of another hand-in than the last.
    expect(claimed(run, { visible: [0, 5] }, 2)).toEqual([]);
  });

  it('is never found by what a candidate sends as a result', () => {
    const forge = (session: SessionBuilder) => {
      const forged = [handedIn('A'), { ...handedIn('A'), result: { visible: [0, 9] } } as const];
      return forged.reduce(
        (s, step) => {
          const { eventType, payload } = workEvent(step);
          return s.activity(eventType, payload);
        },
        session.testRun(10, 0),
      );
    };
    expect(claimed(forge, undefined)).toEqual([]);
  });
});

describe('work_arrived_at_once', () => {
  /** Hand-ins and reports, each so many seconds after the one before it. */
  const paced = (steps: readonly (readonly [WorkStep | 'test.run', number])[]) => {
    const tickets = Object.fromEntries(TICKETS.map((id) => [id, workOf('')]));
    const { evidence } = workedSession(tickets, []);
    let at = Date.parse(evidence[0]!.recordedAt);
    const events = steps.map(([step, seconds], place): EvidenceEvent => {
      at += seconds * 1_000;
      const time = new Date(at).toISOString();
      const id = { id: `e${place}`, sequenceNumber: 100 + place, occurredAt: time, recordedAt: time };
      return step === 'test.run'
        ? { ...id, eventType: step, source: 'candidate', payload: { passed: 1, failed: 0 } }
        : { ...id, ...workEvent(step) };
    });
    return found([evidence[0]!, ...events], 'work_arrived_at_once');
  };

  it('is a ticket that took a tenth of the session’s median at most', () => {
    const found = paced([
      [handedIn('A'), 600],
      [handedIn('B'), 60],
      [handedIn('C'), 900],
    ]);
    expect(found).toMatchObject([
      {
        severity: 'low',
        evidenceEventIds: ['e0', 'e1'],
        inputs: { gapMs: 60_000, medianMs: 600_000, tickets: 3, minimumTickets: 3, medianFactor: 10 },
      },
    ]);
  });

  it('is no ticket of which something was reported, or that was handed in again', () => {
    const others = [
      [handedIn('C'), 900],
      [handedIn('D'), 900],
    ] as const;
    expect(paced([[handedIn('A'), 600], [handedIn('B'), 61], ...others])).toHaveLength(1);
    expect(paced([[handedIn('A'), 600], ['test.run', 10], [handedIn('B'), 10], ...others])).toEqual([]);
    // What was reported of a ticket says nothing of the next one.
    expect(paced([['test.run', 10], [handedIn('A'), 600], [handedIn('B'), 61], ...others])).toHaveLength(1);
    expect(paced([[handedIn('A'), 600], [handedIn('B'), 10], ...others, [handedIn('B', 2), 9]])).toEqual([]);
  });

  it('needs a pace: three tickets, none of which were collected', () => {
    expect(
      paced([
        [handedIn('A'), 6_000],
        [handedIn('B'), 1],
      ]),
    ).toEqual([]);
    expect(
      paced([
        [handedIn('A'), 6_000],
        [handedIn('B'), 20],
        [handedIn('C'), 1],
      ]),
    ).toEqual([]);
    expect(paced([])).toEqual([]);
  });
});

describe('copied_from_other_hand_in', () => {
  /** The last hand-in of ticket A is its second. */
  const compared = (similar: Partial<SimilarWork>, handIn = 2) => {
    const steps = [handedIn('A'), handedIn('A', 2), handedIn('B')];
    const { evidence } = workedSession({ A: workOf(), B: workOf() }, steps);
    const one = {
      handInId: `A/${handIn}`,
      shared: 80,
      fingerprints: 100,
      otherFingerprints: 400,
      ...similar,
    };
    return found(evidence, 'copied_from_other_hand_in', [one]);
  };

  it.each([
    [{ shared: 79 }, []],
    [{ shared: 80 }, ['low']],
    [{ shared: 94 }, ['low']],
    [{ shared: 95 }, ['medium']],
    // The smaller one counts, whichever it is.
    [{ shared: 80, fingerprints: 400, otherFingerprints: 100 }, ['low']],
    [{ shared: 100, fingerprints: 400, otherFingerprints: 100 }, ['medium']],
    [{ shared: 19, fingerprints: 19, otherFingerprints: 100 }, []],
    [{ shared: 19, fingerprints: 100, otherFingerprints: 19 }, []],
    [{ shared: 20, fingerprints: 20, otherFingerprints: 20 }, ['medium']],
    [{ shared: 0, fingerprints: 0, otherFingerprints: 0 }, []],
  ])('of %j', (similar, severities) => {
    expect(compared(similar).map(({ severity }) => severity)).toEqual(severities);
  });

  it('rests on the hand-in alone, and has counts and nothing of the other', () => {
    const [one, ...others] = compared({ shared: 96, fingerprints: 101 });
    expect(others).toEqual([]);
    expect(one!.evidenceEventIds).toHaveLength(1);
    expect(one!.inputs).toEqual({
      ...{ shared: 96, fingerprints: 101, otherFingerprints: 400, sharedPercent: 95 },
      ...{ minimumSharedPercent: 80, minimumFingerprints: 20 },
    });
  });

  it('is of the last hand-in of a ticket, and of none that is not there', () => {
    expect(compared({}, 1)).toEqual([]);
    expect(compared({}, 9)).toEqual([]);
    expect(found(workedSession({ A: workOf() }, []).evidence, 'copied_from_other_hand_in')).toEqual([]);
  });

  it('is not looked for by the rule sets before it', () => {
    const { evidence } = workedSession({ A: workOf() }, [handedIn('A')]);
    const similar = [{ handInId: 'A/1', shared: 100, fingerprints: 100, otherFingerprints: 100 }];
    const input = { evidence, tickets: setupIn(TICKETS, evidence), detections: [], similar, endedAt: '' };
    const kinds = (name: string) =>
      findIntegrity(input, ruleSetNamed(name)!.integrity).map(({ kind }) => kind);
    expect(kinds('r5')).toContain('copied_from_other_hand_in');
    for (const former of ['r1', 'r2', 'r3', 'r4'])
      expect(kinds(former)).not.toContain('copied_from_other_hand_in');
  });
});
