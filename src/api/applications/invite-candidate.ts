import { Body, Controller, Param, Post } from '@nestjs/common';
import { InviteCandidate, InviteCandidateHandler } from '../../application/applications/invite-candidate.js';
import { Reads } from '../../application/reads.js';
import { MailQuota, MailsLimited } from '../../clients/mail-quota.js';
import type { RequestContext } from '../../core/command-context.js';
import type { Static } from '../../core/json-schema.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, ok } from '../../http/answer.js';
import { answersNewRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { EXAMPLE_EXPIRY } from '../../http/openapi/parameters.js';
import { validated } from '../../http/validation/validate.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import {
  inputOf,
  InvitationAnswers,
  type InvitationAnswer,
  InviteCandidateDto,
  InviteCandidatesDto,
  refusedAs,
} from './invitation-bodies.js';
import { ApplicationRecord, versionOf } from './record.js';
import { StaffApplications } from './staff-applications.js';

const operations = {
  invite: {
    id: 'applications.invite',
    tag: 'Applications',
    summary: 'Invite a candidate',
    example: {
      candidateEmail: 'ada@example.org',
      expiresAt: EXAMPLE_EXPIRY,
      candidateName: 'Ada Lovelace',
      externalId: 'ats-1815',
      language: 'en',
    },
    description:
      'Opens an application and its trial session, for 14 days unless `expiresAt` is given. The candidate is written to in `language`, `en` unless given. `candidateName` and `externalId` are erased with the candidate. `retakeOf` names the candidate’s earlier application for the role that this one is a further attempt at: it has its own session, evaluation and outcome, and the earlier one stays as it is.',
    links: { applicationId: '/id', trialSessionId: '/trialSessions/0/id' },
    success: answersNewRecord('The application.', ApplicationRecord),
    errors: ['role_archived', 'role_draft', 'already_invited'],
  },
  inviteMany: {
    id: 'applications.inviteMany',
    tag: 'Applications',
    summary: 'Invite several candidates',
    example: {
      invitations: [
        { candidateEmail: 'grace.h@example.org', candidateName: 'Grace Hopper' },
        { candidateEmail: 'alan@example.org', expiresAt: EXAMPLE_EXPIRY, language: 'de' },
      ],
    },
    description:
      'Each invitation is answered by itself, in order, as if it had been sent alone: one that is refused keeps no other back. If the organisation may not ask for so many mails today, the whole is answered 429 and nothing is stored. Sent again with the same `Idempotency-Key`, what was opened is answered again and what was not is tried again.',
    success: { status: 200, description: 'The answers, in order.', schema: InvitationAnswers },
  },
} satisfies Operations;

@Controller('organisations/:orgId/roles/:roleId/invitations')
export class InviteCandidateController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
    private readonly reads: Reads,
    private readonly quota: MailQuota,
    private readonly inviting: InviteCandidateHandler,
  ) {}

  @Post()
  @StaffMay('candidates.invite')
  @Operation(operations.invite)
  async invite(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: InviteCandidateDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const command = new InviteCandidate(context, { organisationId, roleId, ...inputOf(body) });
    const { record, consistencyToken } = await this.invited(command);
    const path = `/organisations/${organisationId}/applications/${record.id}`;
    return created(path, record, { ...versionOf(record), consistencyToken });
  }

  @Post('batch')
  @StaffMay('candidates.invite')
  @Operation(operations.inviteMany)
  async inviteMany(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() { invitations }: InviteCandidatesDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<Static<typeof InvitationAnswers>>> {
    const asked = invitations.map((invitation, index): InviteCandidate | InvitationAnswer => {
      try {
        const body = validated(InviteCandidateDto, invitation);
        return new InviteCandidate(partOf(context, index), { organisationId, roleId, ...inputOf(body) });
      } catch (error) {
        return refusedAs(error);
      }
    });
    await this.requireRoom(organisationId, asked.filter(isCommand));
    const items: InvitationAnswer[] = [];
    let last: string | undefined;
    // One after the other, so that of two invitations of one address the first is carried out.
    for (const one of asked) {
      if (!isCommand(one)) {
        items.push(one);
        continue;
      }
      try {
        const done = await this.invited(one);
        last = done.consistencyToken;
        items.push({ status: 201, application: done.record });
      } catch (error) {
        items.push(refusedAs(error));
      }
    }
    return ok({ items }, { consistencyToken: last ?? (await this.reads.tokenOfEnd()) });
  }

  /**
   * An invitation that a former sending of the request has opened asks for no further mail.
   * @throws {MailsLimited} the organisation may not ask for so many mails today
   */
  private async requireRoom(organisationId: string, asked: readonly InviteCandidate[]): Promise<void> {
    let wait = await this.quota.secondsUntilRoom(organisationId, asked.length);
    if (wait === 0) return;
    let left = 0;
    for (const one of asked) if (!(await this.inviting.isOpened(one))) left++;
    wait = left === 0 ? 0 : await this.quota.secondsUntilRoom(organisationId, left);
    if (wait > 0) throw new MailsLimited(wait);
  }

  /** Invites one candidate. @throws {ApiError} it is refused */
  private async invited(command: InviteCandidate) {
    const { state, consistencyToken } = await this.commands.execute(command);
    return { record: this.staff.invited(state), consistencyToken };
  }
}

const isCommand = (one: InviteCandidate | InvitationAnswer): one is InviteCandidate =>
  one instanceof InviteCandidate;

/** The context of one of several commands of a request. Its id is made of the request's key and its place. */
const partOf = (context: RequestContext, index: number): RequestContext => ({
  ...context,
  commandId: context.newRecordId(`part ${index}`),
  newId: (purpose) => context.newId(`${purpose} ${index}`),
  newRecordId: (purpose) => context.newRecordId(`${purpose} ${index}`),
});
