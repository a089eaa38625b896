import type { SimilarWork } from '../../domain/evaluation/events.js';
import { countIn, type EvidenceEvent, millisecondsOf, textIn } from '../evidence/evidence.js';
import { type CheckResult, type HandIn, handInsIn, isHandIn, type Tests } from '../evidence/work.js';
import {
  type Flat,
  type IntegrityInput,
  medianOf,
  type Remark,
  severityOf,
  type Stepped,
  type Versioned,
} from './finding.js';

/** Kinds that are found in hand-ins, in the checker's results and in what clients reported before a hand-in. */
export const workFindings = {
  /**
   * The last test run that was reported before a ticket's last hand-in passed a much larger share of its tests than the
   * hand-in does at the checker, by its visible tests if it has any. The magnitude is the difference in percentage
   * points: own tests may be others than the checker's, so a small one means nothing.
   */
  claims_differ: (
    { evidence, tickets }: IntegrityInput,
    row: Stepped & { readonly minimumDifferencePercent: number },
  ): readonly Remark[] => {
    const { minimumDifferencePercent } = row;
    const runs = evidence.filter(({ eventType }) => eventType === 'test.run').flatMap(reportedRun);
    return [...handInsIn(evidence, tickets).values()].flatMap((handIns): readonly Remark[] => {
      const last = handIns.at(-1);
      const checked = last && checkedTests(last);
      const run = last && runs.findLast(({ event }) => event.sequenceNumber < last.event.sequenceNumber);
      if (!checked || !run) return [];
      const differencePercent = percentOf(run) - percentOf(checked);
      if (differencePercent < minimumDifferencePercent) return [];
      return [
        {
          event: run.event,
          severity: severityOf(differencePercent, row),
          magnitude: differencePercent,
          evidence: [run.event, last.event, checked.result.event],
          inputs: {
            reportedPassed: Number(run.passed),
            reportedTests: Number(run.all),
            checkedPassed: Number(checked.passed),
            checkedTests: Number(checked.all),
            differencePercent,
            minimumDifferencePercent,
          },
        },
      ];
    });
  },

  /**
   * A ticket was handed in once, without a reported change or test run since the hand-in of the ticket before it, and
   * much sooner than this session's tickets are. The magnitude is how many times sooner than their median. Most often the
   * tickets were worked on side by side.
   */
  work_arrived_at_once: ({ evidence, tickets }: IntegrityInput, row: Flat & PaceRule): readonly Remark[] => {
    const { severity, minimumTickets, minimumMedianMs, medianFactor } = row;
    const handIns = handInsIn(evidence, tickets);
    const paces = pacesOf(evidence, handIns);
    if (paces.length < minimumTickets) return [];
    const medianMs = medianOf(paces.map(({ ms }) => ms));
    if (medianMs < minimumMedianMs) return [];
    return paces
      .filter(({ ms, isTraced, isOnly }) => isOnly && !isTraced && ms * medianFactor <= medianMs)
      .map(({ from, to, ms }) => ({
        event: to,
        severity,
        magnitude: medianMs / Math.max(1, ms),
        evidence: [from, to],
        inputs: { gapMs: ms, medianMs, tickets: paces.length, minimumTickets, minimumMedianMs, medianFactor },
      }));
  },

  /**
   * Most of a ticket's last hand-in is also in another candidate's, or the other way round. The magnitude is the shared
   * part of the smaller one in whole percent. The finding names neither the other hand-in nor its candidate.
   */
  copied_from_other_hand_in: (
    { evidence, tickets, similar = [] }: IntegrityInput,
    row: Stepped & CopyRule,
  ): readonly Remark[] =>
    [...handInsIn(evidence, tickets).values()].flatMap((handIns): readonly Remark[] => {
      const event = handIns.at(-1)?.event;
      const id = event && textIn(event, 'handInId');
      const found = similar.find(({ handInId }) => handInId === id);
      if (!event || !found || !isCopied(found, row)) return [];
      const { shared, fingerprints, otherFingerprints } = found;
      const { minimumSharedPercent, minimumFingerprints } = row;
      const sharedPercent = sharedPercentOf(found);
      return [
        {
          event,
          severity: severityOf(sharedPercent, row),
          magnitude: sharedPercent,
          inputs: {
            ...{ shared, fingerprints, otherFingerprints, sharedPercent },
            ...{ minimumSharedPercent, minimumFingerprints },
          },
        },
      ];
    }),
};

/** How much must be shared for work to count as copied. */
export interface CopyRule {
  readonly minimumSharedPercent: number;
  /** Fewer prove nothing: most short solutions are alike. */
  readonly minimumFingerprints: number;
}

/** Whether so much is shared that there is a finding. */
export const isCopied = (
  similar: Omit<SimilarWork, 'handInId'>,
  { minimumSharedPercent, minimumFingerprints }: CopyRule,
): boolean =>
  Math.min(similar.fingerprints, similar.otherFingerprints) >= minimumFingerprints &&
  sharedPercentOf(similar) >= minimumSharedPercent;

/** How much of the smaller work is shared, in whole percent, rounded down. */
const sharedPercentOf = ({
  shared,
  fingerprints,
  otherFingerprints,
}: Omit<SimilarWork, 'handInId'>): number =>
  Math.floor((100 * shared) / Math.max(1, Math.min(fingerprints, otherFingerprints)));

/** When a session has a pace that a hand-in can be compared with. */
interface PaceRule extends Versioned {
  readonly minimumTickets: number;
  /** Hand-ins that come faster than this were collected, and have no pace. */
  readonly minimumMedianMs: number;
  readonly medianFactor: number;
}

interface ReportedRun extends Tests {
  readonly event: EvidenceEvent;
}

const reportedRun = (event: EvidenceEvent): readonly ReportedRun[] => {
  const passed = BigInt(countIn(event, 'passed') ?? 0);
  const all = passed + BigInt(countIn(event, 'failed') ?? 0);
  return all === 0n ? [] : [{ event, passed, all }];
};

const checkedTests = ({ results }: HandIn): (Tests & { readonly result: CheckResult }) | null => {
  for (const testKind of ['visible', 'hidden'] as const) {
    const result = results.findLast((one) => one[testKind] !== null);
    const tests = result?.[testKind];
    if (result && tests) return { ...tests, result };
  }
  return null;
};

/** The share of passed tests in whole percent, rounded down. */
const percentOf = ({ passed, all }: Tests): number => Number((passed * 100n) / all);

/** The time from the hand-in before, or the session's start, to the first hand-in of a ticket. */
interface Pace {
  readonly from: EvidenceEvent;
  readonly to: EvidenceEvent;
  readonly ms: number;
  /** Something was reported of the work in between. */
  readonly isTraced: boolean;
  /** The ticket was handed in once. */
  readonly isOnly: boolean;
}

/** The paces of a session, in its order, by the service's clock. */
const pacesOf = (
  evidence: readonly EvidenceEvent[],
  handIns: ReturnType<typeof handInsIn>,
): readonly Pace[] => {
  const firsts = new Map([...handIns.values()].map((all) => [all[0]?.event, all.length]));
  const paces: Pace[] = [];
  let from: EvidenceEvent | null = null;
  let isTraced = false;
  for (const event of evidence) {
    if (event.eventType === 'file.changed' || event.eventType === 'test.run') isTraced = true;
    if (from === null && event.source === 'service') from = event;
    if (from === null || !isHandIn(event)) continue;
    const count = firsts.get(event);
    const ms = (millisecondsOf(event.recordedAt) ?? 0) - (millisecondsOf(from.recordedAt) ?? 0);
    if (count !== undefined) paces.push({ from, to: event, ms, isTraced, isOnly: count === 1 });
    from = event;
    isTraced = false;
  }
  return paces;
};
