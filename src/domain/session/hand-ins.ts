import { refuse, type Refused } from '../../core/decider.js';
import type { Stored } from '../../core/event.js';
import { jsonBytes } from '../../core/json.js';
import { MINUTE_MS } from '../../core/timestamp.js';
import { storedBytes } from './budget.js';
import type {
  AnnouncedWork,
  AwaitedCheck,
  AwaitedHandIn,
  HandInEvent,
  RefusalMessage,
  RefusedWork,
  TicketWork,
} from './events.js';

/** Maximum number of hand-ins of a ticket, and of those at once that were begun and have not arrived. */
export const MAX_HAND_INS = 20;

/** How many refused hand-ins a ticket may have before no further one can begin, so that streams stay bounded. */
export const MAX_REFUSED_HAND_INS = 100;

/** Largest manifest in bytes of its JSON: sealed, it fits one append with the rest of its event. */
export const MAX_MANIFEST_BYTES = 256 * 1024;

/** Maximum bytes in the log of all manifests of a session: all of them are read with its stream. */
export const MAX_MANIFESTS_BYTES = 16 * 1024 * 1024;

/** A hand-in as a session's state has it. */
export interface HandIn extends AnnouncedWork {
  /** What the candidate calls the file; `null`: it can no longer be read. */
  readonly name: string | null;
  /** Whether all of it has arrived. */
  readonly handedIn: boolean;
  /** Why it is not taken, for good; `null`: it is not refused. */
  readonly refused: Refused | null;
  /** The hash of the manifest that it unpacks to; `null` until it has arrived. */
  readonly treeSha256: string | null;
  /** Whether its visible checks have a result. */
  readonly checked: boolean;
}

/** A session's hand-ins, as they were begun. */
export interface HandIns {
  readonly all: readonly HandIn[];
  /** By ticket, the id of the hand-in that arrived last. */
  readonly last: ReadonlyMap<string, string>;
  /** The size of their manifests in the log, in bytes. */
  readonly manifestBytes: number;
}

/** Before the first hand-in. */
export const NO_HAND_INS: HandIns = { all: [], last: new Map(), manifestBytes: 0 };

/** The hand-ins after one more event. */
export const evolveHandIns = (before: HandIns, event: Stored<HandInEvent>): HandIns => {
  const { all, last, manifestBytes } = before;
  const changed = (change: Partial<HandIn>): readonly HandIn[] =>
    all.map((one) => (one.handInId === event.data.handInId ? { ...one, ...change } : one));
  if (event.type === 'work.hand_in_begun') {
    const { handInId, ticketId, bytes, sha256 } = event.data;
    const announced = { handInId, ticketId, bytes, sha256, name: event.personal?.name ?? null };
    const begun = { ...announced, handedIn: false, refused: null, treeSha256: null, checked: false };
    return { ...before, all: [...all, begun] };
  }
  if (event.type === 'work.refused') return { ...before, all: changed({ refused: refusalIn(event) }) };
  if (event.type === 'work.checked') return { ...before, all: changed({ checked: true }) };
  return {
    all: changed({ handedIn: true, treeSha256: event.data.treeSha256 }),
    last: new Map([...last, [event.data.ticketId, event.data.handInId]]),
    manifestBytes: manifestBytes + manifestBytesOf(event),
  };
};

/** The refusal that the candidate received. */
export const refusalIn = ({
  data,
  personal,
}: {
  readonly data: RefusedWork;
  readonly personal: RefusalMessage | null;
}): Refused => refuse<RefusedWork['reason']>(data.reason, personal?.message ?? 'This work was refused.');

/** The size of an event's manifest in the log, in bytes. */
export const manifestBytesOf = ({
  personal,
}: {
  readonly personal: { readonly manifest: readonly object[] } | null;
}): number => storedBytes(personal && JSON.stringify(personal.manifest));

/** Whether it may still arrive. */
export const isOpen = ({ handedIn, refused }: HandIn): boolean => !handedIn && !refused;

/** The hand-in by its id; `undefined`: the session has none by it. */
export const handInById = ({ all }: HandIns, handInId: string): HandIn | undefined =>
  all.find((one) => one.handInId === handInId);

/**
 * The hand-in of the same bytes for a ticket: bytes that are sent again are the same hand-in, unless other work has
 * arrived after them: the candidate has then returned to them, and the last hand-in counts. The file's name decides how
 * they are unpacked, so refused bytes may be handed in again under another name. Bytes that were refused for want of room
 * may be handed in again. `undefined`: there is none yet.
 */
export const handInOf = (
  { all, last }: HandIns,
  { ticketId, bytes, sha256 }: Omit<AnnouncedWork, 'handInId'>,
  name: string,
): HandIn | undefined => {
  const same = all.filter(
    (one) =>
      one.ticketId === ticketId &&
      one.sha256 === sha256 &&
      one.bytes === bytes &&
      one.refused?.refusal.code !== ('hand_ins_full' satisfies RefusedWork['reason']) &&
      (!one.handedIn || last.get(ticketId) === one.handInId),
  );
  return same.find(({ refused }) => !refused) ?? same.find((one) => one.name === name);
};

/**
 * How long after a session's completion a hand-in that was begun before it may arrive, in milliseconds. It is the same
 * for all candidates, and their page shows it, so it is not a setting.
 */
export const LATE_HAND_IN_MS = 10 * MINUTE_MS;

/** The hand-ins that have not arrived by a session's completion. @param now the completion's time */
export const awaitedHandIns = ({ all }: HandIns, now: string): readonly AwaitedHandIn[] => {
  const until = new Date(Date.parse(now) + LATE_HAND_IN_MS).toISOString();
  return all.filter(isOpen).map(({ handInId }) => ({ kind: 'hand_in', id: handInId, until }));
};

/** The checks that are to run over the last hand-in of each ticket that has checks. */
export const awaitedChecks = (
  { last }: Pick<HandIns, 'last'>,
  ticketWork: ReadonlyMap<string, TicketWork>,
): readonly AwaitedCheck[] =>
  [...last].flatMap(([ticketId, id]) => (hasChecks(ticketWork.get(ticketId)) ? [{ kind: 'check', id }] : []));

/** Whether a ticket has checks of any sort. */
export const hasChecks = (work: TicketWork | undefined): boolean =>
  work?.visibleChecks === true || work?.hiddenChecks === true;

/** Whether a manifest is larger than an event may hold. */
export const isTooLong = (manifest: readonly object[]): boolean => jsonBytes(manifest) > MAX_MANIFEST_BYTES;
