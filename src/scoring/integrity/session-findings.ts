import type { Severity } from '../../domain/evaluation/events.js';
import {
  countIn,
  type EvidenceEvent,
  flagIn,
  isAnswer,
  isConnection,
  isQuestion,
  isRequest,
  millisecondsOf,
  textIn,
} from '../evidence/evidence.js';
import {
  type Flat,
  type IntegrityInput,
  type IntegrityRule,
  medianOf,
  type Remark,
  severityOf,
  type Stepped,
  type Versioned,
} from './finding.js';

/** The token that started the session carried the invited address, verified. */
const identityVerified: IntegrityRule<Versioned> = ({ evidence }) =>
  evidence
    .filter((event) => isRecorded(event, 'trial.started') && textIn(event, 'identity') === 'verified')
    .map((event) => ({ event, severity: 'info', magnitude: 1, inputs: { identity: 'verified' } }));

/**
 * Kinds that are found in what the service records of a session: tokens, connections and the times between events. Each
 * rule takes its kind's row of the rule set, which has its thresholds. Times are in milliseconds.
 */
export const sessionFindings = {
  identity_verified: identityVerified,

  /**
   * A token after the one at the start carried another address than the invited one. Found once for each stretch of
   * such tokens: a client that reconnects with the same token adds no information.
   */
  identity_mismatch: ({ evidence }: IntegrityInput, { severity }: Flat): readonly Remark[] => {
    const start = evidence.find((event) => isRecorded(event, 'trial.started'));
    const later = evidence.filter(
      (event) => isConnection(event) || isRecorded(event, 'trial.identity_checked'),
    );
    const isOther = (event?: EvidenceEvent): boolean =>
      event !== undefined && textIn(event, 'identity') === 'mismatch';
    return later
      .filter((event, index) => isOther(event) && !isOther(later[index - 1]))
      .map((event) => ({
        event,
        severity,
        magnitude: 1,
        evidence: start === undefined ? [event] : [start, event],
        inputs: {
          identity: 'mismatch',
          identityAtStart: (start && textIn(start, 'identity')) ?? 'unknown',
          token: isConnection(event) ? 'connection' : 'command',
        },
      }));
  },

  /** A connection to the interview replaced one that was still open. */
  concurrent_connection: (
    { evidence }: IntegrityInput,
    row: Versioned & {
      /** By whether the newer connection names the same device as the one that it replaced. */
      readonly severities: Readonly<Record<'same' | 'unknown' | 'other', Severity>>;
    },
  ): readonly Remark[] => {
    const connections = new Map<string, EvidenceEvent>();
    return evidence.filter(isConnection).flatMap((event) => {
      const superseded = textIn(event, 'superseded');
      const former = superseded === null ? undefined : connections.get(superseded);
      const id = textIn(event, 'connectionId');
      if (id !== null) connections.set(id, event);
      if (superseded === null) return [];
      const sameDevice = flagIn(event, 'sameDevice');
      const device = sameDevice === null ? 'unknown' : sameDevice ? 'same' : 'other';
      return {
        event,
        severity: row.severities[device],
        magnitude: device === 'other' ? 2 : device === 'unknown' ? 1 : 0,
        evidence: former === undefined ? [event] : [former, event],
        inputs: { connection: countIn(event, 'ordinal') ?? 0, device },
      };
    });
  },

  /**
   * Nothing was recorded for long while the candidate was at work; the magnitude is the gap. It is measured by the
   * service's clock alone: events that a client sends late look like a gap, which their own times explain.
   */
  activity_gap: (
    { evidence, timeFactor = 1 }: IntegrityInput,
    row: Stepped & { readonly minimumGapMs: number },
  ): readonly Remark[] => {
    const { minimumGapMs } = row;
    return workGaps(evidence)
      .filter(({ ms }) => ms >= minimumGapMs * timeFactor)
      .map(({ from, to, ms }) => ({
        event: from,
        severity: severityOf(ms / timeFactor, row),
        magnitude: ms,
        at: { timestamp: from.recordedAt },
        evidence: [from, to],
        inputs: { gapMs: ms, minimumGapMs },
      }));
  },

  /**
   * A message came much later after the one before it, or an answer after its question, than this session's messages and
   * answers do; the magnitude is the gap.
   */
  response_gap_outlier: (
    { evidence, timeFactor = 1 }: IntegrityInput,
    row: Stepped & {
      /** With fewer gaps there is no median to compare with. */
      readonly minimumGaps: number;
      readonly minimumGapMs: number;
      /** How many times the median a gap must be. */
      readonly medianFactor: number;
      /** An answer that only asks to repeat or explain the question does not count. */
      readonly leavesOutRequests?: true;
    },
  ): readonly Remark[] => {
    const { minimumGaps, minimumGapMs, medianFactor, leavesOutRequests } = row;
    const gaps = responseGaps(evidence).filter(({ to }) => !leavesOutRequests || !isRequest(to));
    if (gaps.length < minimumGaps) return [];
    const medianMs = medianOf(gaps.map((gap) => gap.ms));
    return gaps
      .filter(({ ms }) => ms >= minimumGapMs * timeFactor && ms >= medianFactor * medianMs)
      .map(({ from, to, ms }) => ({
        event: to,
        severity: severityOf(ms / timeFactor, row),
        magnitude: ms,
        at: {
          candidateMessageAt: to.occurredAt,
          gapSeconds: toSeconds(ms),
          sessionMedianGapSeconds: toSeconds(medianMs),
        },
        evidence: [from, to],
        inputs: { gapMs: ms, medianMs, gaps: gaps.length, minimumGaps, minimumGapMs, medianFactor },
      }));
  },
};

/** The time from one event to another. */
interface Gap {
  readonly from: EvidenceEvent;
  readonly to: EvidenceEvent;
  readonly ms: number;
}

/** Whether the service has recorded it, as one of these types: a client may send activities of the same names. */
const isRecorded = ({ source, eventType }: EvidenceEvent, ...types: readonly string[]): boolean =>
  source === 'service' && types.includes(eventType);

/**
 * The gaps between neighbouring events of the work: from the session's start or resumption to its interruption or end,
 * these included. The work ends with the interview's first connection: in the interview a candidate listens, thinks and
 * speaks without an event, and `response_gap_outlier` finds gaps there.
 */
const workGaps = (evidence: readonly EvidenceEvent[]): readonly Gap[] => {
  const gaps: Gap[] = [];
  let from: EvidenceEvent | null = null;
  for (const to of evidence) {
    if (from !== null) {
      const ms = (millisecondsOf(to.recordedAt) ?? 0) - (millisecondsOf(from.recordedAt) ?? 0);
      gaps.push({ from, to, ms });
    }
    if (isConnection(to) || isQuestion(to)) break;
    if (isRecorded(to, 'trial.started', 'trial.resumed')) from = to;
    else if (from !== null) from = isRecorded(to, 'trial.interrupted', 'trial.completed') ? null : to;
  }
  return gaps;
};

/**
 * The gaps from each of a candidate's messages to the next, and from each question of the interview to its answer, in
 * the order of the session. None is below 0: a client's clock may go back. An answer's gap was measured when it came; a
 * late answer, or one whose start was not detected, has none.
 */
const responseGaps = (evidence: readonly EvidenceEvent[]): readonly Gap[] => {
  const gaps: Gap[] = [];
  const questions = new Map<number | null, EvidenceEvent>();
  let former: { readonly event: EvidenceEvent; readonly at: number } | null = null;
  for (const event of evidence) {
    if (isQuestion(event)) questions.set(countIn(event, 'turn'), event);
    if (isAnswer(event)) {
      const from = questions.get(countIn(event, 'turn'));
      const ms = countIn(event, 'gapMs');
      if (from && ms !== null) gaps.push({ from, to: event, ms });
    }
    const at = event.eventType === 'message.sent' ? millisecondsOf(event.occurredAt) : null;
    if (at === null) continue;
    if (former !== null) gaps.push({ from: former.event, to: event, ms: Math.max(0, at - former.at) });
    former = { event, at };
  }
  return gaps;
};

/** Milliseconds as whole seconds, half up. @param milliseconds not below 0 */
const toSeconds = (milliseconds: number): number => Math.floor((milliseconds + 500) / 1000);
