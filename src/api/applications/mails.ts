import { Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { lapsed, mails, planned, type PlannedMail } from '../../../projections/mails.js';
import { ResendMail } from '../../application/applications/resend-mail.js';
import { Reads } from '../../application/reads.js';
import { MAILS } from '../../application/tokens.js';
import type { Mails } from '../../clients/mail.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import {
  Count,
  Enumeration,
  Instant,
  Named,
  Nullable,
  pick,
  type Static,
  Type,
} from '../../core/json-schema.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { progressOf } from '../../domain/mail/decider.js';
import { isOnDemand, mailId, reminderOnDemand } from '../../domain/mail/events.js';
import { operator, preRestoreStatus } from '../../domain/operations/decider.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { accepted, type Answer, ok } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { OPERATOR_LOG } from '../../process/operations/operations.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { MAIL_FAULT, MAIL_KIND } from './record.js';
import { noSuchApplication, StaffApplications } from './staff-applications.js';

type MailRecord = Static<typeof MailRecord>;
const MailRecord = Named('Mail', {
  id: Type.String(),
  kind: MAIL_KIND,
  days: Nullable(
    Type.Integer({
      description:
        'Of a reminder: how many days before the expiry it is due; `null` of one that staff asked for.',
    }),
  ),
  state: Enumeration('MailState', ['pending', 'limited', 'held', 'sent', 'failed', 'off'], {
    description:
      '`limited`: the address has had as many mails as it gets in a day; it is sent at `nextAttemptAt`. `held`: it may have been sent before a restore, and an operator has to decide. `failed`: it is not tried again. `off`: not sent, because no mail server is configured, or none was.',
  }),
  attempts: Count,
  dueAt: Instant,
  lastAttemptAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant),
  sentAt: Type.Union([Instant, Type.Null()], { description: 'When it was last sent.' }),
  fault: Nullable(MAIL_FAULT),
});

type ApplicationMails = Static<typeof ApplicationMails>;
const ApplicationMails = Named('ApplicationMails', { items: Type.Array(MailRecord) });

/** @param sends whether this service sends mails @param isHeld whether an operator has to decide about it */
export const mailRecord = (mail: PlannedMail, sends: boolean, isHeld: boolean, now: Date): MailRecord => {
  const { kind, days, attempts, dueAt, lastAttemptAt, nextAttemptAt, sentAt, fault } = mail;
  const state = stateOf(mail, sends, isHeld, now);
  return pick(MailRecord, {
    ...{ id: mailId(mail), kind, days, state, attempts, dueAt, lastAttemptAt, fault },
    nextAttemptAt: state === 'pending' || state === 'limited' ? nextAttemptAt : null,
    sentAt,
  });
};

const stateOf = (mail: PlannedMail, sends: boolean, isHeld: boolean, now: Date): MailRecord['state'] => {
  if (mail.state !== 'pending') return mail.state;
  if (!sends || lapsed(mail, now.toISOString())) return 'off';
  if (isHeld) return 'held';
  return mail.fault === 'limited' ? 'limited' : 'pending';
};

const NO_MAIL = 'There is no such mail.';

/** Why a mail that staff ask for is not sent. */
const NOT_SENT = ['mail_pending', 'mail_resend_limited', 'mail_pointless', 'erased'] as const;

const operations = {
  list: {
    id: 'applications.mails',
    tag: 'Applications',
    summary: 'List the mails to the candidate',
    description:
      'Those that were sent, have failed or are still to come, in the order in which they were planned. Neither addresses nor texts are kept.',
    success: { status: 200, description: 'The mails.', schema: ApplicationMails },
  },
  resend: {
    id: 'applications.resendMail',
    tag: 'Applications',
    summary: 'Send a mail again',
    description:
      'One that was sent or has failed, while it still makes sense. It is tried at once, and again for three days if it fails. One that was sent is sent again at the earliest 10 minutes later, and 5 times at most. It counts for the limits as any mail does.',
    success: { status: 202, description: 'The mail, pending again.', schema: MailRecord },
    errors: NOT_SENT,
  },
  remind: {
    id: 'applications.remind',
    tag: 'Applications',
    summary: 'Remind the candidate',
    description:
      'Sends a reminder now, whatever reminders the role has: its text is theirs. Only while the session is open and its interview has not begun, at the earliest 60 minutes after the last one that was asked for, and 6 times at most. It counts for the limits as any mail does.',
    success: { status: 202, description: 'The reminder, pending.', schema: MailRecord },
    errors: NOT_SENT,
  },
} satisfies Operations;

/** The mails to a candidate, with their results. */
@Controller('organisations/:orgId/applications/:applicationId')
export class ApplicationMailsController {
  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
    private readonly streams: CommandStreams,
    private readonly commands: Commands,
    @Inject(MAILS) private readonly sending: Mails,
  ) {}

  @Get('mails')
  @StaffMay('applications.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationMails>> {
    const application = await this.staff.byId(organisationId, id, meta);
    if (!application) throw noSuchApplication();
    const { state } = await this.streams.read(operator, OPERATOR_LOG);
    const items = (await this.planned(id, meta)).map((mail) =>
      this.recordOf(mail, preRestoreStatus(state, mail.nextAttemptAt) === 'held'),
    );
    return ok({ items });
  }

  @Post('mails/:mailId/resend')
  @StaffMay('candidates.invite')
  @Operation(operations.resend)
  async resend(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Param('mailId') wanted: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MailRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    const find = async () => (await this.planned(id, meta)).find((one) => mailId(one) === wanted) ?? null;
    const mail = await this.reads.findCaughtUp([mails], find);
    if (!mail) throw notFound(NO_MAIL);
    return this.send(application, mail, context);
  }

  @Post('remind')
  @StaffMay('candidates.invite')
  @Operation(operations.remind)
  async remind(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<MailRecord>> {
    const application = await this.staff.reference(organisationId, id, meta);
    const { kind, causedBy, days } = reminderOnDemand(id);
    const metadata = { recordedAt: context.now.toISOString(), correlationId: meta.correlationId };
    const asked = planned(kind, { id: causedBy, metadata }, metadata.recordedAt, days);
    return this.send(application, asked, context);
  }

  /** Requests a mail once more, and answers with its new state. */
  private async send(
    application: ApplicationRef,
    mail: PlannedMail,
    context: RequestContext,
  ): Promise<Answer<MailRecord>> {
    const command = new ResendMail(context, { application, mail });
    const { state, consistencyToken } = await this.commands.execute(command);
    const { attempts, sentAt, nextAttemptAt } = progressOf(state, mail);
    const pending = {
      ...mail,
      ...{ attempts, sentAt, nextAttemptAt, resentAt: nextAttemptAt },
      ...({ state: 'pending', fault: null } as const),
      ...(isOnDemand(mail) && nextAttemptAt !== null && { dueAt: nextAttemptAt }),
    };
    return accepted(this.recordOf(pending), { consistencyToken });
  }

  /** The mails of an application, as the view has them. */
  private async planned(id: string, meta: RequestMeta): Promise<readonly PlannedMail[]> {
    return (await this.reads.get(mails, id, meta))?.document.mails ?? [];
  }

  private recordOf(mail: PlannedMail, isHeld = false): MailRecord {
    return mailRecord(mail, this.sending.mailer !== null, isHeld, new Date());
  }
}
