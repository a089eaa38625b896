import {
  mails,
  type MailsDocument,
  nextMail,
  nextReminder,
  type PlannedMail,
} from '../../../projections/mails.js';
import { backoff, pause } from '../../core/backoff.js';
import type { Position } from '../../core/event-store.js';
import { aborted, longLived } from '../../core/signals.js';
import { hasCome } from '../../core/timestamp.js';
import { GIVEN_UP_AFTER_MS, isOnDemand, MAX_AHEAD_MS } from '../../domain/mail/events.js';
import { reasonOf } from '../../engine/errors.js';
import { type EngineLog, RepeatedWarnings } from '../../engine/log.js';
import type { Leases } from '../../engine/ownership/leases.js';
import { pollUnderLease } from '../../engine/reactors/leased-poller.js';
import { WakeUps } from '../../engine/reactors/wake-ups.js';
import type { Found, FoundPage, ViewReader } from '../../engine/reads/reads.js';
import { ClockInDoubt } from '../../engine/trusted-clock.js';
import type { ReadStore } from '../../stores/read-store.js';
import { workCountsOf } from '../metrics.js';
import { sendMail, type SendOptions } from './send.js';

export interface MailWorkerOptions extends SendOptions {
  readonly readStore: ReadStore;
  readonly reader: Pick<ViewReader, 'page' | 'hasReached'>;
  /** The leases of this process. */
  readonly leases: Leases;
  readonly log: EngineLog;
  /** Position of `reactor.installed`: no mail is sent about an event at or before it. */
  readonly installedAt: () => Promise<Position>;
  /** Interval of polls while the view, fed by another process, is behind; in milliseconds. Default: 1,000. */
  readonly pollMs?: number;
  /** Time limit for mails in progress after `stop`, in milliseconds. Default: 3,000. */
  readonly graceMs?: number;
}

type FoundMails = Found<MailsDocument>;

/** Earlier attempts at an application's mails, if its document is still at `position`. */
interface Tried {
  readonly position: Position;
  readonly failures: number;
  /** Earliest next attempt, in milliseconds since 1970; `Infinity`: none until the document changes. */
  readonly notBefore: number;
}

/** The lease of the only process that sends: if two did, a candidate could get a mail twice. */
const LEASE = 'mails';
/** Default of `graceMs`. */
const GRACE_MS = 3_000;
/** Connections to the mail server at the same time. */
const AT_ONCE = 4;
const PAGE = 100;
/** Page of mails that were planned by a wrong clock, of which there are none as a rule. */
const FEW = 5;
/** How far ahead a poll reads due mails, in milliseconds: polls are at most a minute apart. */
const AHEAD_MS = 60_000;
/** How far back a poll reads, in milliseconds. Mails that were due earlier are not sent: there was no mail server. */
const BACK_MS = GIVEN_UP_AFTER_MS + 60 * 60 * 1_000;
const SWEEP_INTERVAL_MS = 10 * 60_000;
const RETRY_MS = { base: 1_000, cap: 60_000 };

/** The next mail of an application by each index; `null`: none. */
const INDEXES = { byNextMail: nextMail, byNextReminder: nextReminder } as const;

/** Sends mails to candidates, in one process at a time, until it is stopped. */
export function startMails(options: MailWorkerOptions): { stop(): Promise<void> } {
  const { readStore, reader, leases, log, graceMs = GRACE_MS } = options;
  const { clock = () => new Date() } = options;
  const abort = longLived();
  const { signal } = abort;
  const stopped = aborted(signal);
  const cutOff = longLived();
  const wakeUps = new WakeUps(mails, readStore, reader, signal, options.pollMs);
  const warnings = new RepeatedWarnings(log);
  const counts = workCountsOf(readStore);
  /** Attempts at the applications that the last poll listed, by id. */
  const tried = new Map<string, Tried>();
  const underWay = new Map<string, Promise<void>>();
  let installedAt: Position | null = null;
  let polledAt = 0;
  let sweepAt = 0;

  const now = (): number => clock().getTime();
  const mayGoOn = (): boolean => !signal.aborted && leases.holds(LEASE);

  /** @returns milliseconds until the next known mail is due */
  async function poll(): Promise<number> {
    installedAt ??= await options.installedAt();
    // If the clock was set back, planned times may be years in the future.
    if (now() < polledAt) {
      tried.clear();
      sweepAt = 0;
    }
    polledAt = now();
    if (now() >= sweepAt) {
      sweepAt = now() + SWEEP_INTERVAL_MS;
      // By a wrong clock, valid counts would be removed as expired.
      if ((await options.timekeeper.nowIfTrusted('end')) !== null) await options.quota.sweep();
    }
    const listed = new Set<string>();
    let soonest = Infinity;
    for (const [index, nextAt] of Object.entries(INDEXES)) {
      for await (const found of listedBy(index, nextAt)) {
        listed.add(found.id);
        const dueAt = Math.max(timeOf(nextAt(found.document)), notBefore(found));
        if (dueAt > now()) soonest = Math.min(soonest, dueAt);
        else await begin(found, installedAt);
        if (!mayGoOn()) return 0;
      }
    }
    for await (const found of plannedByWrongClock()) {
      listed.add(found.id);
      const dueAt = notBefore(found);
      if (dueAt > now()) soonest = Math.min(soonest, dueAt);
      else await begin(found, installedAt);
      if (!mayGoOn()) return 0;
    }
    for (const id of tried.keys()) if (!listed.has(id)) tried.delete(id);
    return Math.max(0, soonest - now());
  }

  /** Reads the latest first, and ends before mails that will never be sent. */
  async function* listedBy(
    index: string,
    nextAt: (document: MailsDocument) => string | null,
  ): AsyncGenerator<FoundMails, void, undefined> {
    const upTo = new Date(now() + AHEAD_MS).toISOString();
    const since = now() - BACK_MS;
    let cursor: string | null = null;
    do {
      const query = { index, prefix: [], upTo, reverse: true, limit: PAGE, evenParked: true };
      const page: FoundPage<MailsDocument> = await reader.page(mails, {
        ...query,
        cursor: cursor ?? undefined,
      });
      for (const found of page.items) {
        if (timeOf(nextAt(found.document)) < since) return;
        yield found;
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** Finds mails that would wait for a time by which the clock was ahead, before it was set right. */
  async function* plannedByWrongClock(): AsyncGenerator<FoundMails, void, undefined> {
    let cursor: string | null = null;
    do {
      const query = { index: 'byNextMail', prefix: [], reverse: true, limit: FEW, evenParked: true };
      const page: FoundPage<MailsDocument> = await reader.page(mails, {
        ...query,
        cursor: cursor ?? undefined,
      });
      for (const found of page.items) {
        if (timeOf(nextMail(found.document)) <= now() + MAX_AHEAD_MS) return;
        yield found;
      }
      cursor = page.nextCursor;
    } while (cursor !== null);
  }

  /** A reminder by the expiry may be planned far ahead, any other mail may not. */
  const isDue = (mail: PlannedMail): boolean =>
    mail.kind === 'reminder' && !isOnDemand(mail)
      ? timeOf(mail.nextAttemptAt) <= now()
      : hasCome(mail.nextAttemptAt, now(), MAX_AHEAD_MS);

  /** When an application's mails may be tried, in milliseconds since 1970; `Infinity`: they are under way. */
  const notBefore = ({ id, position }: FoundMails): number => {
    if (underWay.has(id)) return Infinity;
    const known = tried.get(id);
    return known?.position === position ? known.notBefore : 0;
  };

  /** Begins an application's due mails once there is room. */
  async function begin(found: FoundMails, installed: Position): Promise<void> {
    // A server may take minutes for a mail: a stop does not wait for that.
    while (underWay.size >= AT_ONCE && !signal.aborted) await Promise.race([...underWay.values(), stopped]);
    if (!mayGoOn()) return;
    const running = carryOut(found, installed).finally(() => {
      underWay.delete(found.id);
      wakeUps.wake();
    });
    underWay.set(found.id, running);
  }

  /** Sends the due mails of an application, one after the other, and stores when to try it again. */
  async function carryOut({ id, position, document }: FoundMails, installed: Position): Promise<void> {
    const former = tried.get(id);
    const failures = former?.position === position ? former.failures : 0;
    let isHeld = false;
    try {
      let doubt: ClockInDoubt | null = null;
      for (const mail of document.mails) {
        if (!isDue(mail)) continue;
        if (!mayGoOn()) return;
        try {
          const result = await sendMail(document, mail, installed, options, cutOff.signal);
          // `null`: nothing was sent, or another process has recorded it.
          if (result === 'held') isHeld = true;
          else if (result !== null) counts.mails[result]++;
        } catch (error) {
          // The application's other mails are sent nevertheless.
          if (!(error instanceof ClockInDoubt)) throw error;
          doubt = error;
        }
      }
      if (doubt !== null) throw doubt;
      // An operator's decision changes no document, so a held mail is tried again in a minute.
      const notBefore = isHeld ? Math.min(now() + AHEAD_MS, nextDueAt(document)) : nextDueAt(document);
      tried.set(id, { position, failures: 0, notBefore });
      warnings.resolved('mails');
    } catch (error) {
      const wait = backoff(failures, RETRY_MS.base, RETRY_MS.cap);
      tried.set(id, { position, failures: failures + 1, notBefore: now() + wait });
      if (signal.aborted || error instanceof ClockInDoubt) return;
      warnings.warn('mails', { reason: reasonOf(error) }, 'Mails could not be sent. They are tried again.');
    }
  }

  /** When the next of the mails that were not due is due. */
  const nextDueAt = ({ mails: all }: MailsDocument): number =>
    all
      .map(({ nextAttemptAt }) => timeOf(nextAttemptAt))
      .reduce((least, at) => (at > now() ? Math.min(least, at) : least), Infinity);

  const running = pollUnderLease({
    ...{ lease: LEASE, leases, signal, wakeUps, log, poll },
    warning: 'Due mails could not be read. The service tries again.',
    retry: { capMs: 10_000 },
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      const ended = Promise.all(underWay.values());
      await Promise.race([ended, pause(graceMs)]);
      cutOff.abort(new Error('The service stops.'));
      await ended;
      await leases.forget(LEASE);
    },
  };
}

const timeOf = (instant: string | null): number => (instant === null ? Infinity : Date.parse(instant));
