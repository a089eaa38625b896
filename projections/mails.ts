import type { EventOf, Metadata, Stored } from '../src/core/event.js';
import { DAY_MS } from '../src/core/timestamp.js';
import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import {
  GIVEN_UP_AFTER_MS,
  isOfOpen,
  isOnDemand,
  type MailFault,
  mailId,
  type MailRef,
  OF_OPEN,
} from '../src/domain/mail/events.js';
import type { RoleDefinition } from '../src/domain/role/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** The mails about an application, by its id: those that events have planned, with their results. */
export interface MailsDocument extends ViewDocument, ApplicationRef {
  readonly reminderDays: readonly number[];
  /** Oldest first. */
  readonly mails: readonly PlannedMail[];
  /** The event by which staff cancelled, until its mail is planned; else `null`. */
  readonly cancelledBy: Cause | null;
  /** Whether a question was asked: from then on the interview's deadline counts, and not the expiry. */
  readonly interviewed: boolean;
}

/** A mail that an event has planned. It is removed if it no longer applies and was never sent. */
export interface PlannedMail extends MailRef {
  readonly correlationId: string;
  readonly dueAt: string;
  readonly state: 'pending' | 'sent' | 'failed';
  readonly attempts: number;
  /** `null` before the first attempt. */
  readonly lastAttemptAt: string | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
  /** When it was last sent, or counted as sent; `null`: never. */
  readonly sentAt: string | null;
  /** When it was last asked for again; `null`: never. */
  readonly resentAt: string | null;
  /** Why the last attempt failed, or why none is made; `null`: it did not fail, or the mail was asked for again. */
  readonly fault: MailFault | null;
}

/** The event that a mail is about. */
interface Cause {
  readonly id: string;
  readonly metadata: Pick<Metadata, 'recordedAt' | 'correlationId'>;
}

/** A mail that is due at a time, by default that of the event it is about. */
export const planned = (
  kind: MailRef['kind'],
  { id, metadata }: Cause,
  dueAt = metadata.recordedAt,
  days: number | null = null,
): PlannedMail => ({
  ...{ kind, causedBy: id, days, correlationId: metadata.correlationId, dueAt },
  state: 'pending',
  attempts: 0,
  lastAttemptAt: null,
  nextAttemptAt: dueAt,
  sentAt: null,
  resentAt: null,
  fault: null,
});

/** A reminder for each number of days before the expiry whose time is still to come; none once the interview has begun. */
export const reminders = (
  { reminderDays, interviewed }: Pick<MailsDocument, 'reminderDays' | 'interviewed'>,
  expiresAt: string,
  cause: Cause,
): readonly PlannedMail[] =>
  [...new Set(interviewed ? [] : reminderDays)]
    .sort((a, b) => b - a)
    .map((days) => ({ days, dueAt: new Date(Date.parse(expiresAt) - days * DAY_MS).toISOString() }))
    .filter(({ dueAt }) => dueAt > cause.metadata.recordedAt)
    .map(({ days, dueAt }) => planned('reminder', cause, dueAt, days));

/**
 * The document without pending mails, which no longer apply. What was sent before stays as sent.
 * @param kinds default: every kind
 */
export const without = (document: MailsDocument, kinds?: readonly MailRef['kind'][]): MailsDocument => ({
  ...document,
  mails: document.mails.flatMap((mail): readonly PlannedMail[] => {
    if (mail.state !== 'pending' || kinds?.includes(mail.kind) === false) return [mail];
    return mail.sentAt === null ? [] : [{ ...mail, state: 'sent', nextAttemptAt: null, fault: null }];
  }),
});

/** The document with further mails. */
export const withMails = (document: MailsDocument, mails: readonly PlannedMail[]): MailsDocument => ({
  ...document,
  mails: [...document.mails, ...mails],
});

/**
 * The document with the reminder on demand, if this is the first request for it. Other mails are planned by other
 * events.
 */
const askedFor = (document: MailsDocument, { data, metadata }: Stored<EventOf<string, MailRef>>) => {
  const isPlanned = document.mails.some((one) => mailId(one) === mailId(data));
  if (isPlanned || !isOnDemand(data)) return document;
  return withMails(document, [planned(data.kind, { id: data.causedBy, metadata })]);
};

/**
 * Whether a mail was never tried and its time is over. It is dropped, since it would hide later ones: a document is
 * listed by its next mail.
 */
export const lapsed = ({ dueAt, attempts, state, resentAt }: PlannedMail, now: string): boolean =>
  state === 'pending' &&
  attempts === 0 &&
  Date.parse(resentAt ?? dueAt) + GIVEN_UP_AFTER_MS < Date.parse(now);

/**
 * The document with the mail about the cancellation, once a mail was sent by which the candidate knew of the session.
 */
export const cancelled = (document: MailsDocument): MailsDocument => {
  const { cancelledBy, mails } = document;
  if (cancelledBy === null || !mails.some((one) => one.sentAt !== null && isOfOpen(one))) return document;
  return withMails({ ...document, cancelledBy: null }, [planned('cancellation', cancelledBy)]);
};

/** The document after an event about one of its mails. */
export const changed = (
  document: MailsDocument,
  { data, metadata }: Stored<EventOf<string, MailRef>>,
  change: Partial<PlannedMail>,
): MailsDocument => {
  const known = document.mails.find((one) => mailId(one) === mailId(data));
  const cause = { id: data.causedBy, metadata };
  const before = known ?? planned(data.kind, cause, metadata.recordedAt, data.days);
  const after = { ...before, ...change };
  // A mail that was dropped meanwhile is shown again only if this event has ended it.
  if (!known && after.state === 'pending') return document;
  const mails = known
    ? document.mails.map((one) => (one === known ? after : one))
    : [...document.mails, after];
  return { ...document, mails };
};

type Invited = EventOf<
  'candidate.invited',
  ApplicationRef & { readonly role: RoleDefinition; readonly expiresAt: string },
  object | null
>;

/** The document after an invitation: its mail and its reminders are planned. */
export const invited = (document: MailsDocument, event: Stored<Invited>): MailsDocument => {
  const { role, expiresAt } = event.data;
  const { reminderDays } = role;
  const opened = { ...document, ...applicationRefOf(event.data), reminderDays };
  return withMails(opened, [planned('invitation', event), ...reminders(opened, expiresAt, event)]);
};

const soonest = (pending: readonly PlannedMail[]): string | null =>
  pending
    .flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
    .reduce<string | null>((least, at) => (least === null || at < least ? at : least), null);

/** When the next mail is due, other than a reminder by the expiry; `null`: none is. */
export const nextMail = (document: MailsDocument): string | null =>
  soonest(document.mails.filter((one) => one.kind !== 'reminder' || isOnDemand(one)));

/** When the next reminder by the expiry is due; `null`: none is. Listed apart, so that no other mail hides it. */
export const nextReminder = (document: MailsDocument): string | null =>
  soonest(document.mails.filter((one) => one.kind === 'reminder' && !isOnDemand(one)));

export const mails = defineView<MailsDocument>()({
  name: 'mails',
  version: 4,
  documentId: (event) => event.data.applicationId,
  initial: (applicationId) => ({
    ...{ organisationId: '', candidateId: '', applicationId, trialSessionId: '', roleId: '' },
    reminderDays: [],
    mails: [],
    cancelledBy: null,
    interviewed: false,
  }),
  every: (document, { metadata }) => ({
    ...document,
    mails: document.mails.filter((mail) => !lapsed(mail, metadata.recordedAt)),
  }),
  on: {
    'candidate.invited': invited,
    'trial.extended'(document, event) {
      // The reminder on demand stays: it applies to the new expiry as well.
      const asked = document.mails.filter(isOnDemand);
      const { mails, ...current } = without(
        { ...document, mails: document.mails.filter((mail) => !isOnDemand(mail)) },
        ['reminder'],
      );
      const isReplaced = ({ kind, state, sentAt }: PlannedMail): boolean =>
        kind === 'extension' && state === 'pending' && sentAt === null;
      const { expiresAt } = event.data;
      return withMails({ ...current, mails: mails.filter((mail) => !isReplaced(mail)) }, [
        ...asked,
        planned('extension', event),
        ...reminders(document, expiresAt, event),
      ]);
    },
    'interview.question_asked': (document) => ({ ...without(document, ['reminder']), interviewed: true }),
    'trial.completed': (document, event) =>
      withMails(without(document, OF_OPEN), [planned('receipt', event)]),
    'trial.withdrawn'(document, { id, data, metadata: { recordedAt, correlationId } }) {
      const cancelledBy = data.by === 'staff' ? { id, metadata: { recordedAt, correlationId } } : null;
      return cancelled({ ...without(document, OF_OPEN), cancelledBy });
    },
    'trial.expired': (document) => without(document, OF_OPEN),
    // The address can no longer be read.
    ...onEach(['trial.erased', 'application.erased'], (document: MailsDocument) => ({
      ...without(document),
      cancelledBy: null,
    })),
    'mail.attempted'(document, event) {
      const { attempt, result, nextAttemptAt, fault } = event.data;
      const state = result === 'retrying' ? 'pending' : result;
      const lastAttemptAt = event.metadata.recordedAt;
      // The invitation may have been on its way when staff cancelled.
      return cancelled(
        changed(document, event, {
          ...{ state, attempts: attempt, lastAttemptAt, nextAttemptAt, fault },
          ...(state === 'sent' && { sentAt: lastAttemptAt }),
        }),
      );
    },
    'mail.limited'(document, event) {
      const { until } = event.data;
      const state = until === null ? 'failed' : 'pending';
      return changed(document, event, { state, nextAttemptAt: until, fault: 'limited' });
    },
    'mail.resend_requested'(document, event) {
      const resentAt = event.metadata.recordedAt;
      return changed(askedFor(document, event), event, {
        ...{ state: 'pending', nextAttemptAt: resentAt, resentAt, fault: null },
        ...(isOnDemand(event.data) && { dueAt: resentAt }),
      });
    },
    'mail.closed'(document, event) {
      const { result } = event.data;
      const sent = { sentAt: event.metadata.recordedAt };
      const fault = result === 'failed' ? 'held' : null;
      return cancelled(
        changed(document, event, {
          ...{ state: result, nextAttemptAt: null, fault },
          ...(result === 'sent' && sent),
        }),
      );
    },
  },
  keys: {
    nextMailAt: (one) => nextMail(one),
    nextReminderAt: (one) => nextReminder(one),
  },
  indexes: { byNextMail: ['nextMailAt'], byNextReminder: ['nextReminderAt'] },
});
