import { CHECK_FAILURES, type CheckFailure } from '../../domain/session/check-events.js';
import type { TicketVersion, TicketWork } from '../../domain/session/events.js';
import { countIn, type EvidenceEvent, isTrueQuote, partOf, textIn } from './evidence.js';

/** The role's tickets by id, each in the version that the session began with; `null`: the ticket takes no hand-ins. */
export type WorkSetup = ReadonlyMap<string, TicketWork | null>;

/** @param versions of the tickets that exist in the organisation: a role may name others too */
export const setupOf = <W extends TicketWork>(
  ticketIds: readonly string[],
  versions: readonly { readonly ticketId: string; readonly work?: W }[],
): ReadonlyMap<string, W | null> => {
  const works = new Map(versions.map(({ ticketId, work }) => [ticketId, work ?? null]));
  return new Map(ticketIds.map((id) => [id, works.get(id) ?? null]));
};

/** The setup of a session, as its first event has it. */
export const setupIn = (ticketIds: readonly string[], evidence: readonly EvidenceEvent[]): WorkSetup => {
  const started = evidence.find(
    ({ source, eventType }) => source === 'service' && eventType === 'trial.started',
  );
  const versions = started?.payload['tickets'] ?? [];
  return setupOf(ticketIds, versions as readonly TicketVersion[]);
};

/** Tests of one kind in a result: visible or hidden ones. */
export interface Tests {
  readonly passed: bigint;
  readonly all: bigint;
}

/** A check's result of a hand-in. */
export interface CheckResult {
  readonly event: EvidenceEvent;
  readonly scope: 'visible' | 'all';
  /** The work ran in one process with its tests and could have changed their results. */
  readonly shared: boolean;
  /** Why the result has no tests; `null`: it has some, or that is not recorded. */
  readonly failure: CheckFailure | null;
  /** `null`: the result has no such tests, or the check ended in an error. */
  readonly visible: Tests | null;
  /** `null`: the result has no such tests, or the check ended in an error. */
  readonly hidden: Tests | null;
}

/** Work that was handed in for a ticket. */
export interface HandIn {
  readonly ticketId: string;
  readonly event: EvidenceEvent;
  /** In the order in which they came. */
  readonly results: readonly CheckResult[];
}

/** Each ticket's hand-ins in their order, of the tickets for which anything was handed in. */
export type HandIns = ReadonlyMap<string, readonly HandIn[]>;

/** Work that has arrived whole. */
export const isHandIn = ({ source, eventType }: EvidenceEvent): boolean =>
  source === 'service' && eventType === 'work.handed_in';

/** A check’s result, as the checker reported it. */
export const isChecked = ({ source, eventType }: EvidenceEvent): boolean =>
  source === 'checker' && eventType === 'work.checked';

/** The hand-ins for the role's tickets with the results of their checks. It has nothing that a candidate reports. */
export function handInsIn(evidence: readonly EvidenceEvent[], tickets: WorkSetup): HandIns {
  const results = new Map<string, CheckResult[]>();
  for (const event of evidence) {
    const id = isChecked(event) ? textIn(event, 'handInId') : null;
    if (id !== null) results.set(id, [...(results.get(id) ?? []), resultOf(event)]);
  }
  const handIns = new Map<string, HandIn[]>();
  for (const event of evidence) {
    if (!isHandIn(event)) continue;
    const [ticketId, id] = [textIn(event, 'ticketId'), textIn(event, 'handInId')];
    if (ticketId === null || id === null || !tickets.has(ticketId)) continue;
    const handIn = { ticketId, event, results: results.get(id) ?? [] };
    handIns.set(ticketId, [...(handIns.get(ticketId) ?? []), handIn]);
  }
  return handIns;
}

const resultOf = (event: EvidenceEvent): CheckResult => {
  const isResult = textIn(event, 'outcome') === 'checked';
  return {
    event,
    scope: textIn(event, 'scope') === 'all' ? 'all' : 'visible',
    shared: textIn(event, 'isolation') === 'shared',
    failure: isResult ? null : failureIn(event),
    visible: isResult ? testsIn(event, 'visible') : null,
    hidden: isResult ? testsIn(event, 'hidden') : null,
  };
};

const failureIn = (event: EvidenceEvent): CheckFailure | null => {
  const reason = textIn(event, 'reason') ?? '';
  return Object.hasOwn(CHECK_FAILURES, reason) ? (reason as CheckFailure) : null;
};

const testsIn = (event: EvidenceEvent, testKind: 'visible' | 'hidden'): Tests | null => {
  const part = partOf(event, testKind);
  const [passed, failed, errors] = ['passed', 'failed', 'errors'].map((key) => countIn(part, key) ?? 0);
  const all = BigInt(passed ?? 0) + BigInt(failed ?? 0) + BigInt(errors ?? 0);
  return all === 0n ? null : { passed: BigInt(passed ?? 0), all };
};

/** A line's place in what a model is shown of work, as in `path:line+ text`: no path has a colon. */
const PLACE = /^[^:]+:\d+[+-] /;

/** How long the place is that a line of shown work begins with; 0: it begins with none. */
export const placeLength = (line: string): number => PLACE.exec(line)?.[0].length ?? 0;

/** A quote of shown work without the place that it begins with. */
export const withoutPlace = (quote: string): string => quote.slice(placeLength(quote));

/**
 * Whether a quote is true of an event: as `isTrueQuote` of its payload, or the place of a line that was shown of the work
 * and a part of that line. A place within a line's text does not count, since candidates choose the text.
 */
export const isQuoteOf = ({ payload, work }: EvidenceEvent, quote: string): boolean => {
  if (isTrueQuote(payload, quote)) return true;
  const place = placeLength(quote);
  const text = quote.slice(place);
  if (work === undefined || place === 0 || text.trim() === '') return false;
  return work.lines.some(
    (line) => line.startsWith(quote.slice(0, place)) && line.slice(place).includes(text),
  );
};
