import { LRUCache } from 'lru-cache';
import { StoreUnusable } from '../../core/errors.js';
import type { EventStore, Position, RecordedEvent } from '../../core/event-store.js';
import { evidenceKeys, TrustedKeys } from '../../core/signing.js';
import { counted, LineWriter, readProgressOn } from '../cli/output.js';
import { Interrupted, OperatorError, stoppable } from '../cli/program.js';
import { withReadableLog } from '../cli/stores.js';
import { isRefused, pastNext, readAllThatIsGiven } from './reading.js';
import {
  type BrokenLink,
  type Checking,
  type Evidence,
  ownValue,
  sessionEvidence,
} from './session-evidence.js';
import {
  assertNamed,
  type CheckingAll,
  evidenceOfOne,
  noEvidence,
  type Searching,
  type StrayEvaluation,
  strayEvaluation,
} from './stray-evaluation.js';

export interface VerifyArguments {
  /** Default: every session is checked. */
  readonly session?: string;
  readonly json?: true;
}

/** Runs `assay evidence verify`. @throws {OperatorError} a link is broken, or there is no such session */
export const runVerify = ({ session, json }: VerifyArguments): Promise<void> =>
  withVerification((verification) =>
    stoppable(async (signal) => {
      const lines = new LineWriter();
      const progress = readProgressOn(process.stderr);
      const totals = { sessions: 0, events: 0, results: 0, asWritten: 0, erased: 0, unopened: 0, broken: 0 };
      const options = { signal, onRead: progress.at };
      const found =
        session === undefined
          ? verifyAll(verification.checking, verification.past, options)
          : one(verification, session, options);
      for await (const finding of found) {
        if (finding.kind === 'session') count(totals, finding.report);
        const broken = brokenIn(finding);
        if (!broken) continue;
        totals.broken++;
        progress.clear();
        await lines.write(json ? JSON.stringify({ broken }) : `Broken: ${brokenText(broken)}`);
        if (lines.gone.aborted) break;
      }
      progress.clear();
      if (signal.aborted) throw new Interrupted('Stopped before the log’s end: the rest was not checked.');
      await lines.write(json ? JSON.stringify(totals) : totalsText(totals));
      if (totals.broken > 0)
        throw new OperatorError(
          `The evidence is not as it was recorded: ${counted(totals.broken, 'broken link')}. docs/evidence.md explains what to do.`,
        );
    }),
  );

async function* one(
  { checking, past }: Verification,
  session: string,
  search: Omit<Searching, 'past'>,
): AsyncGenerator<Finding, void, undefined> {
  assertNamed(session);
  const report = await verifySession(session, evidenceOfOne(checking, session, { past, ...search }));
  if (search.signal.aborted) return;
  if (!report) throw noEvidence(session);
  yield { kind: 'session', report };
}

/** A broken link, as it is printed; `null`: the event could not be read. */
type Shown = { readonly [Name in keyof BrokenLink]: BrokenLink[Name] | null };

const brokenIn = (finding: Finding): Shown | null => {
  switch (finding.kind) {
    case 'session':
      return finding.report.broken;
    case 'stray':
      return finding.broken;
    case 'refused':
      return { session: null, stream: null, number: null, eventId: null, type: null, what: finding.refusal };
  }
};

const brokenText = ({ session, stream, number, eventId, type, what }: Shown): string => {
  if (stream === null) return `the log itself: ${String(what)}`;
  const event = eventId === null ? '' : ` (${String(type)}, ${eventId})`;
  return `session ${session ?? 'unknown'}, event ${String(number)} of ${stream}${event}: ${String(what)}`;
};

/** The sums over all sessions. */
type Totals = Record<keyof SessionReport['personal'] | 'sessions' | 'events' | 'results' | 'broken', number>;

const count = (totals: Totals, { events, results, personal }: SessionReport): void => {
  const one = { sessions: 1, events, results, ...personal };
  for (const [name, figure] of Object.entries(one)) totals[name as keyof Totals] += figure;
};

const totalsText = (totals: Totals): string => {
  const { sessions, events, results, asWritten, erased, unopened, broken } = totals;
  const parts = [
    `${asWritten} as written`,
    `${erased} erased`,
    ...(unopened > 0 ? [`${unopened} not opened (no key)`] : []),
  ];
  return `${counted(sessions, 'session')}, ${events} valid events, ${counted(results, 'signed result')}; personal parts: ${parts.join(', ')}. ${broken === 0 ? 'Every link is valid.' : `${counted(broken, 'broken link')}.`}`;
};

/** The check of one session. */
interface SessionReport {
  readonly session: string;
  readonly events: number;
  /** Results whose signature is good. */
  readonly results: number;
  readonly personal: { readonly asWritten: number; readonly erased: number; readonly unopened: number };
  readonly broken: BrokenLink | null;
  readonly evaluationId: string | null;
}

/** One result of a check of the log. */
export type Finding =
  | { readonly kind: 'session'; readonly report: SessionReport }
  /** An evaluation that its session does not name, or that names no session. */
  | { readonly kind: 'stray'; readonly broken: StrayEvaluation }
  /** An event that the store does not return. */
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
  let broken: BrokenLink | null = null;
  for await (const item of evidence) {
    if (item.kind === 'broken') {
      broken = item.link;
      break;
    }
    const { event, stored, signed, personal: part } = item;
    events++;
    if (signed) results++;
    if (event.type === 'trial.completed') evaluationId = String(ownValue(stored.data, 'evaluationId'));
    if (part !== null) personal[typeof part === 'string' ? part : 'asWritten']++;
  }
  return events === 0 && !broken ? null : { session, events, results, personal, broken, evaluationId };
};

/** Streams that are remembered, so that each of those written at the same time is checked once. */
const REMEMBERED = 20_000;

/**
 * Checks every session in one pass over the log, in the order that they began. Its memory is bounded.
 * @param past see `readAllThatIsGiven`
 */
export async function* verifyAll(
  checking: CheckingAll,
  past: ((position: Position) => Position) | null,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (events: number) => void },
): AsyncGenerator<Finding, void, undefined> {
  const checked = new LRUCache<string, true>({ max: REMEMBERED });
  const evaluations = new LRUCache<string, true>({ max: REMEMBERED });
  let events = 0;
  for await (const item of readAllThatIsGiven(checking.log, past)) {
    if (signal.aborted) return;
    if (isRefused(item)) {
      yield { kind: 'refused', refusal: item.refusal };
      continue;
    }
    onRead(++events);
    const [, kind, id = ''] = /^(trial|evaluation)-(.+)$/.exec(item.stream) ?? [];
    if (kind === undefined || checked.has(item.stream)) continue;
    checked.set(item.stream, true);
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

/** Whether it is the first stored event of its stream: usually that of revision 0. */
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

/** The log to be read, and the keys that are present. */
interface Verification {
  readonly checking: Checking & { readonly log: EventStore };
  /** See `readAllThatIsGiven`; `null` on servers. */
  readonly past: ((position: Position) => Position) | null;
}

/**
 * Runs `work` on the service's log, which it only reads. No key is made; personal parts are opened only if DATA_KEY is
 * present.
 * @throws {OperatorError} there is no service's data, or no key to check signatures by
 */
const withVerification = <T>(work: (verification: Verification) => Promise<T>): Promise<T> =>
  withReadableLog(({ configuration, log, signingKey, sealer, files }) => {
    const trusted = trustedKeys(signingKey, configuration.formerSigningKeys);
    const past = configuration.servers === null ? pastNext : null;
    return work({ checking: { log, trusted, sealer, files }, past });
  });

const trustedKeys = (signingKey: Buffer | null, former: readonly string[]): TrustedKeys => {
  const trusted = signingKey ? evidenceKeys(signingKey, former).trusted : new TrustedKeys(former);
  assertSomeTrusted(trusted);
  return trusted;
};

/** @throws {OperatorError} there is no key: each result would count as signed with a wrong one */
export const assertSomeTrusted = ({ published }: Pick<TrustedKeys, 'published'>): void => {
  if (published.length > 0) return;
  throw new OperatorError(
    'There is no key to check signatures by: set SIGNING_KEY to the service’s key, or list public keys of /.well-known/evidence-keys.json in FORMER_SIGNING_KEYS.',
  );
};
