import { LRUCache } from 'lru-cache';
import { StoreUnusable } from '../../core/errors.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import { ownValue } from './check-event.js';
import { isRefused, readAllThatIsGiven } from './reading.js';
import { type BrokenLink, type Checking, type Evidence, sessionEvidence } from './session-evidence.js';
import { type StrayEvaluation, strayEvaluation } from './stray-evaluation.js';

/** What was found of one session. */
export interface SessionReport {
  readonly session: string;
  readonly events: number;
  /** Results whose signature is good. */
  readonly results: number;
  readonly personal: { readonly asWritten: number; readonly erased: number; readonly unopened: number };
  readonly broken: BrokenLink | null;
  readonly evaluationId: string | null;
}

/** Something of the log that belongs to no session that is known. */
export type Finding =
  | { readonly kind: 'session'; readonly report: SessionReport }
  /** An evaluation whose session knows nothing of it, or that cannot be assigned to any. */
  | { readonly kind: 'stray'; readonly broken: StrayEvaluation }
  /** An event that the store does not give out, whosesoever it is. */
  | { readonly kind: 'refused'; readonly refusal: string };

/**
 * Checks one session.
 * @param evidence of it
 * @returns `null`: it has none
 */
export const verifySession = async (session: string, evidence: Evidence): Promise<SessionReport | null> => {
  const personal = { asWritten: 0, erased: 0, unopened: 0 };
  let [events, results] = [0, 0];
  let evaluationId: string | null = null;
  for (;;) {
    const step = await evidence.next();
    if (step.done) {
      const broken = step.value;
      return events === 0 && !broken ? null : { session, events, results, personal, broken, evaluationId };
    }
    const { event, data, signed, personal: part } = step.value;
    events++;
    if (signed) results++;
    if (event.type === 'trial.completed') evaluationId = String(ownValue(data, 'evaluationId'));
    if (part !== null) personal[part === 'erased' || part === 'unopened' ? part : 'asWritten']++;
  }
};

/** As many streams as are remembered: those that are written to by turns are then looked at once each. */
const REMEMBERED = 20_000;

/**
 * Checks every session in one pass over the log, in the order that they began. What it remembers is bounded, however
 * long the log is.
 * @param past see `readAllThatIsGiven`
 */
export async function* verifyAll(
  checking: Checking & { readonly log: Pick<EventStore, 'readStream' | 'readAll' | 'head'> },
  past: ((position: Position) => Position) | null,
  { signal, onLooked }: { readonly signal: AbortSignal; readonly onLooked: (events: number) => void },
): AsyncGenerator<Finding, void, undefined> {
  const looked = new LRUCache<string, true>({ max: REMEMBERED });
  const evaluations = new LRUCache<string, true>({ max: REMEMBERED });
  let events = 0;
  for await (const item of readAllThatIsGiven(checking.log, past)) {
    if (signal.aborted) return;
    if (isRefused(item)) {
      yield { kind: 'refused', refusal: item.refusal };
      continue;
    }
    onLooked(++events);
    const [, kind, id = ''] = /^(trial|evaluation)-(.+)$/.exec(item.stream) ?? [];
    if (kind === undefined || looked.has(item.stream)) continue;
    looked.set(item.stream, true);
    if (!(await isFirst(checking.log, item))) continue;
    if (kind === 'trial') {
      const report = await verifySession(id, sessionEvidence(checking, id));
      if (report?.evaluationId) evaluations.set(report.evaluationId, true);
      if (report) yield { kind: 'session', report };
    } else if (!evaluations.has(id)) {
      const broken = await strayEvaluation(checking.log, item, id);
      if (broken) yield { kind: 'stray', broken };
    }
  }
}

/** Whether it is the first event of its stream that there is: usually that of revision 0. */
const isFirst = async (log: Checking['log'], event: RecordedEvent): Promise<boolean> => {
  if (event.revision === 0) return true;
  try {
    for await (const first of log.readStream(event.stream, { limit: 1 })) return first.id === event.id;
    return true;
  } catch (error) {
    if (error instanceof StoreUnusable) return true;
    throw error;
  }
};
