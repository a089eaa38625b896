import type { EventOf, Stored } from '../src/core/event.js';
import { type ApplicationRef, applicationRefOf } from '../src/domain/candidate/events.js';
import {
  GIVEN_UP_AFTER_MS,
  type MailFault,
  mailId,
  type MailKind,
  type MailRef,
} from '../src/domain/mail/events.js';
import type { RoleDefinition } from '../src/domain/role/events.js';
import { DEFAULT_REMINDER_DAYS, reminderDaysOf } from '../src/domain/role/reminder-days.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** The mails about an application, by its id: what the log shows as asked, and what became of it. */
export interface MailsDocument extends ViewDocument, ApplicationRef {
  readonly reminderDays: readonly number[];
  /** Oldest first. */
  readonly mails: readonly PlannedMail[];
}

export interface PlannedMail extends MailRef {
  readonly correlationId: string;
  readonly dueAt: string;
  readonly state: 'pending' | 'sent' | 'failed';
  readonly attempts: number;
  readonly lastAttemptAt: string | null;
  /** `null` unless it is pending. */
  readonly nextAttemptAt: string | null;
  /** Of the last attempt. */
  readonly fault: MailFault | null;
}

/** The event that a mail is about. */
type Cause = Pick<Stored, 'id' | 'metadata'>;

export const DAY_MS = 24 * 60 * 60 * 1_000;

export const planned = (
  kind: MailKind,
  { id, metadata }: Cause,
  dueAt = metadata.recordedAt,
  days: number | null = null,
): PlannedMail => ({
  ...{ kind, causedBy: id, days, correlationId: metadata.correlationId, dueAt },
  state: 'pending',
  attempts: 0,
  lastAttemptAt: null,
  nextAttemptAt: dueAt,
  fault: null,
});

/** One for each number of days that is still left when the expiry is set. */
export const reminders = (
  { reminderDays }: Pick<MailsDocument, 'reminderDays'>,
  expiresAt: string,
  cause: Cause,
): readonly PlannedMail[] =>
  [...new Set(reminderDays)]
    .sort((a, b) => b - a)
    .map((days) => ({ days, dueAt: new Date(Date.parse(expiresAt) - days * DAY_MS).toISOString() }))
    .filter(({ dueAt }) => dueAt > cause.metadata.recordedAt)
    .map(({ days, dueAt }) => planned('reminder', cause, dueAt, days));

/** The document without pending mails of these kinds, which no longer apply. */
export const without = (document: MailsDocument, kinds: readonly MailKind[]): MailsDocument => ({
  ...document,
  mails: document.mails.filter(({ kind, state }) => state !== 'pending' || !kinds.includes(kind)),
});

export const withMails = (document: MailsDocument, mails: readonly PlannedMail[]): MailsDocument => ({
  ...document,
  mails: [...document.mails, ...mails],
});

/** What applies to an open session alone. */
export const OF_OPEN = ['invitation', 'reminder', 'extension'] as const;

/** A mail that was never tried and never will be hides no later one. */
export const lapsed = ({ dueAt, attempts, state }: PlannedMail, now: string): boolean =>
  state === 'pending' && attempts === 0 && Date.parse(dueAt) + GIVEN_UP_AFTER_MS < Date.parse(now);

type Invited = EventOf<
  'candidate.invited',
  ApplicationRef & { readonly role: RoleDefinition; readonly expiresAt: string },
  object | null
>;

export const invited = (document: MailsDocument, event: Stored<Invited>): MailsDocument => {
  const { role, expiresAt } = event.data;
  const reminderDays = reminderDaysOf(role);
  const opened = { ...document, ...applicationRefOf(event.data), reminderDays };
  return withMails(opened, [planned('invitation', event), ...reminders(opened, expiresAt, event)]);
};

const soonest = (pending: readonly PlannedMail[]): string | null =>
  pending
    .flatMap(({ nextAttemptAt }) => nextAttemptAt ?? [])
    .reduce<string | null>((least, at) => (least === null || at < least ? at : least), null);

/** When a mail that is no reminder is due next. */
export const nextMail = (document: MailsDocument): string | null =>
  soonest(document.mails.filter(({ kind }) => kind !== 'reminder'));

/** Apart, so that a mail that is never sent hides no reminder. */
export const nextReminder = (document: MailsDocument): string | null =>
  soonest(document.mails.filter(({ kind }) => kind === 'reminder'));

export const mails = defineView<MailsDocument>()({
  name: 'mails',
  version: 1,
  uses: [
    ...[applicationRefOf, reminderDaysOf, mailId, planned, reminders, without, withMails, OF_OPEN],
    ...[lapsed, invited, GIVEN_UP_AFTER_MS, DEFAULT_REMINDER_DAYS],
  ],
  documentId: (event) => event.data.applicationId,
  initial: (applicationId) => ({
    ...{ organisationId: '', candidateId: '', applicationId, trialSessionId: '', roleId: '' },
    reminderDays: [],
    mails: [],
  }),
  every: (document, { metadata }) => ({
    ...document,
    mails: document.mails.filter((mail) => !lapsed(mail, metadata.recordedAt)),
  }),
  on: {
    'candidate.invited': invited,
    'trial.extended'(document, event) {
      const current = without(document, ['reminder', 'extension']);
      const { expiresAt } = event.data;
      return withMails(current, [planned('extension', event), ...reminders(document, expiresAt, event)]);
    },
    // An interview has a deadline of its own.
    'interview.question_asked': (document) => without(document, ['reminder']),
    'trial.completed': (document, event) =>
      withMails(without(document, OF_OPEN), [planned('receipt', event)]),
    'trial.withdrawn': (document, event) =>
      withMails(
        without(document, OF_OPEN),
        event.data.by === 'staff' ? [planned('cancellation', event)] : [],
      ),
    'trial.expired': (document) => without(document, OF_OPEN),
    // The address is gone.
    ...onEach(['trial.erased', 'application.erased'], (document: MailsDocument) => ({
      ...document,
      mails: document.mails.filter(({ state }) => state !== 'pending'),
    })),
    'mail.attempted'(document, { data, metadata }) {
      const { attempt, result, nextAttemptAt, fault } = data;
      const known = document.mails.find((one) => mailId(one) === mailId(data));
      // It stopped applying while it was sent: what was sent is shown all the same.
      if (!known && result === 'retrying') return document;
      const cause = { id: data.causedBy, metadata };
      const before = known ?? planned(data.kind, cause, metadata.recordedAt, data.days);
      const after: PlannedMail = {
        ...before,
        state: result === 'retrying' ? 'pending' : result,
        attempts: attempt,
        lastAttemptAt: metadata.recordedAt,
        nextAttemptAt,
        fault,
      };
      return {
        ...document,
        mails: known
          ? document.mails.map((one) => (one === known ? after : one))
          : [...document.mails, after],
      };
    },
  },
  keys: {
    nextMailAt: (one) => nextMail(one),
    nextReminderAt: (one) => nextReminder(one),
  },
  indexes: { byNextMail: ['nextMailAt'], byNextReminder: ['nextReminderAt'] },
});
