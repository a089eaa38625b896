import { Controller, Get, Inject, Param } from '@nestjs/common';
import { mails, type PlannedMail } from '../../../projections/mails.js';
import type { Mails } from '../../clients/mail.js';
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
import { GIVEN_UP_AFTER_MS, MAIL_FAULTS, MAIL_KINDS } from '../../domain/mail/events.js';
import { MAILS } from '../../process/tokens.js';
import { StaffMay } from '../access/access.decorator.js';
import { Reads } from '../cqrs/reads.js';
import { type Answer, ok } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { noSuchApplication, StaffApplications } from './staff-applications.js';

type MailRecord = Static<typeof MailRecord>;
const MailRecord = Named('Mail', {
  kind: Enumeration('MailKind', MAIL_KINDS),
  days: Nullable(Type.Integer({ description: 'Of a reminder: how many days before the expiry it is due.' })),
  state: Enumeration('MailState', ['pending', 'sent', 'failed', 'off'], {
    description: '`failed`: given up. `off`: not sent, because no mail server is configured, or none was.',
  }),
  attempts: Count,
  dueAt: Instant,
  lastAttemptAt: Nullable(Instant),
  nextAttemptAt: Nullable(Instant),
  sentAt: Nullable(Instant),
  fault: Nullable(
    Enumeration('MailFault', MAIL_FAULTS, {
      description:
        'Why the last attempt failed. What the mail server says is not kept: it may repeat the address.',
    }),
  ),
});

type ApplicationMails = Static<typeof ApplicationMails>;
const ApplicationMails = Named('ApplicationMails', { items: Type.Array(MailRecord) });

/** @param sends whether this service sends mails */
export const mailRecord = (mail: PlannedMail, sends: boolean, now: Date): MailRecord => {
  const { kind, days, attempts, dueAt, lastAttemptAt, nextAttemptAt, fault } = mail;
  const lapsed = Date.parse(dueAt) + GIVEN_UP_AFTER_MS < now.getTime() && attempts === 0;
  const state = mail.state === 'pending' && (!sends || lapsed) ? 'off' : mail.state;
  return pick(MailRecord, {
    ...{ kind, days, state, attempts, dueAt, lastAttemptAt, fault },
    nextAttemptAt: state === 'pending' ? nextAttemptAt : null,
    sentAt: state === 'sent' ? lastAttemptAt : null,
  });
};

/** How the mails to a candidate went. */
@Controller('organisations/:orgId/applications/:applicationId/mails')
export class ApplicationMailsController {
  constructor(
    private readonly reads: Reads,
    private readonly staff: StaffApplications,
    @Inject(MAILS) private readonly sending: Mails,
  ) {}

  @Get()
  @StaffMay('applications.read')
  @Operation({
    id: 'applications.mails',
    tag: 'Applications',
    summary: 'List the mails to the candidate',
    description:
      'Those that were sent, given up or are still to come, in the order in which they were planned. Neither addresses nor texts are kept.',
    success: { status: 200, description: 'The mails.', schema: ApplicationMails },
  })
  async list(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ApplicationMails>> {
    const application = await this.staff.byId(organisationId, id, meta);
    if (!application) throw noSuchApplication();
    const found = await this.reads.get(mails, id, meta);
    const now = new Date();
    const sends = this.sending.mailer !== null;
    return ok({ items: (found?.document.mails ?? []).map((mail) => mailRecord(mail, sends, now)) });
  }
}
