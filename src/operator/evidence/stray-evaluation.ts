import { readData } from '../../core/codec-stored.js';
import { DamagedEvent, StoreUnusable } from '../../core/errors.js';
import {
  type EventStore,
  type Position,
  type RecordedEvent,
  START,
  type StreamName,
  isStreamName,
} from '../../core/event-store.js';
import { CalledWrongly, OperatorError } from '../cli/program.js';
import { isRefused, readAllThatIsGiven } from './reading.js';
import {
  type BrokenLink,
  type Checking,
  type Evidence,
  ownValue,
  sessionEvidence,
} from './session-evidence.js';

/** An evaluation that its session does not name; `session` is `null` if it names none. */
export type StrayEvaluation = Omit<BrokenLink, 'session'> & { readonly session: string | null };

/** As `Checking`, for a log that can be searched. */
export interface CheckingAll extends Checking {
  readonly log: Pick<EventStore, 'readStream' | 'readAll' | 'head'>;
}

/** Checks the value of `--session`. @throws {CalledWrongly} it names no session */
export const assertNamed = (session: string): void => {
  if (session.trim() === '') throw new CalledWrongly('--session needs the id of a trial session.');
};

/** The error of a session without evidence. */
export const noEvidence = (session: string): OperatorError =>
  new OperatorError(
    `There is no evidence of a session ${JSON.stringify(session)}: no such session, or one that was never started.`,
  );

/** How the log is searched for evidence of one session. */
export interface Searching {
  /** See `readAllThatIsGiven`; `null` on servers. */
  readonly past: ((position: Position) => Position) | null;
  /** Once aborted, the search ends without a finding. */
  readonly signal: AbortSignal;
  /** Called with the number of events that the search has read so far. Default: nothing is. */
  readonly onRead?: (events: number) => void;
}

/**
 * A session's evidence if only that session is checked. If no signed result covers the session, the log is searched for
 * another evaluation of it, which would show that the session's end was removed or replaced.
 */
export async function* evidenceOfOne(checking: CheckingAll, session: string, searching: Searching): Evidence {
  let began = START;
  let own: string | null = null;
  let vouchedFor = false;
  for await (const item of sessionEvidence(checking, session)) {
    yield item;
    if (item.kind === 'broken') return;
    const { event, stored, signed, of, number } = item;
    if (of === 'session' && number === 1) began = event.position;
    if (event.type === 'trial.completed') own = `evaluation-${String(ownValue(stored.data, 'evaluationId'))}`;
    vouchedFor ||= signed;
  }
  const other = vouchedFor ? null : await otherEvaluation(checking.log, { session, own, began }, searching);
  if (other) yield { kind: 'broken', link: other };
}

/** @param began position of the session's first event, which all evaluations follow */
const otherEvaluation = async (
  log: Pick<EventStore, 'readAll' | 'head'>,
  {
    session,
    own,
    began,
  }: { readonly session: string; readonly own: string | null; readonly began: Position },
  { past, signal, onRead }: Searching,
): Promise<BrokenLink | null> => {
  let read = 0;
  for await (const item of readAllThatIsGiven(log, past, began)) {
    if (signal.aborted) return null;
    onRead?.(++read);
    if (isRefused(item) || !item.stream.startsWith('evaluation-') || item.stream === own) continue;
    if (textIn(item, 'trialSessionId') === session) return { ...placeOf(item), session, what: REMOVED };
  }
  return null;
};

/**
 * Looks for an evaluation's session, with which the evaluation is checked.
 * @param event the evaluation's first
 * @returns `null`: the session names the evaluation
 */
export const strayEvaluation = async (
  log: Checking['log'],
  event: RecordedEvent,
  evaluationId: string,
): Promise<StrayEvaluation | null> => {
  const session = textIn(event, 'trialSessionId');
  const trial = `trial-${session ?? ''}`;
  if (session === null || !isStreamName(trial))
    return {
      ...placeOf(event),
      session: null,
      what: 'it cannot be read, and no session names its evaluation',
    };
  return (await completes(log, trial, evaluationId)) ? null : { ...placeOf(event), session, what: REMOVED };
};

const REMOVED = 'its session has no event that begins this evaluation: evidence was removed';

const placeOf = ({ stream, revision, id, type }: RecordedEvent) => ({
  stream,
  number: revision + 1,
  eventId: id,
  type,
});

const completes = async (log: Checking['log'], trial: StreamName, evaluationId: string): Promise<boolean> => {
  try {
    for await (const event of log.readStream(trial, { direction: 'backward' })) {
      if (event.type !== 'trial.completed') continue;
      const named = textIn(event, 'evaluationId');
      // If it cannot be read, the session's own check reports it.
      return named === null || named === evaluationId;
    }
    return false;
  } catch (error) {
    if (error instanceof StoreUnusable) return true;
    throw error;
  }
};

const textIn = (event: RecordedEvent, name: string): string | null => {
  try {
    const value = ownValue(readData(event), name);
    return typeof value === 'string' ? value : null;
  } catch (error) {
    if (error instanceof DamagedEvent) return null;
    throw error;
  }
};
