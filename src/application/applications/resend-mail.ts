import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MailQuota } from '../../clients/mail-quota.js';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { mailApplies, mailsDecider, type MailsState, resendMail } from '../../domain/mail/decider.js';
import type { MailRef } from '../../domain/mail/events.js';
import { trial, trialOf } from '../../domain/session/state.js';
import { UseCase } from '../use-case.js';
import { countingMail } from './counted-mail.js';
import { openInvitation } from './reading.js';

/**
 * Requests that a mail which was sent or has failed is sent again, or that the reminder on demand is sent. `dueAt` is
 * the time when the mail was first due. The request counts as one mail against the organisation's limit for a day.
 */
export class ResendMail extends UseCase<
  MailsState,
  { readonly application: ApplicationRef; readonly mail: MailRef & { readonly dueAt: string } }
> {
  readonly name = 'ResendMail';
}

@CommandHandler(ResendMail)
export class ResendMailHandler implements ICommandHandler<ResendMail> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly quota: MailQuota,
  ) {}

  /** @throws {MailsLimited} the organisation may not ask for another mail today */
  execute({ context, input }: ResendMail): Promise<Handled<MailsState>> {
    const { application, mail } = input;
    const { organisationId, applicationId, trialSessionId } = application;
    return countingMail(this.quota, organisationId, (count) =>
      this.streams.handle(mailsDecider, applicationId, context, async (before) => {
        const invited = await openInvitation(this.streams, application, context);
        if (isRefused(invited)) return invited;
        const session = await this.streams.read(trial, trialSessionId);
        const applies = mailApplies(mail, trialOf(session.state, invited.invitation), invited.now);
        const decision = resendMail(before, { application, mail, applies, now: invited.now });
        // Before the append, since the limit can refuse. If another process requests the mail first, this command
        // changes nothing, and `countingMail` uncounts it.
        if (decision.kind === 'accepted') await count();
        return decision;
      }),
    );
  }
}
