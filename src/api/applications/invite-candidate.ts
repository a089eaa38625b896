import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { Body, Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { Static } from '../../core/json-schema.js';
import { type Decision, refuse } from '../../core/decider.js';
import { CommandStreams, type Handled, TURN } from '../../core/handle.js';
import { Serial } from '../../core/concurrency.js';
import { streamName } from '../../core/stream-name.js';
import { NO_ROLE, role as roleDecider } from '../../domain/role/decider.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { trial, trialOf, hasEnded } from '../../domain/session/state.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import {
  candidate,
  type CandidateState,
  earlierInvitations,
  inviteCandidate,
  type SessionEnd,
} from '../../domain/candidate/decider.js';
import type { CandidateEvent, Naming } from '../../domain/candidate/events.js';
import { MailQuota } from '../../clients/mail-quota.js';
import type { Language } from '../../languages/languages.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { present, UseCase } from '../../application/use-case.js';
import { Reads } from '../../application/reads.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, ok } from '../../http/answer.js';
import { tooManyMails } from '../../http/rate-limits.js';
import { answersNewRecord, Operation } from '../../http/openapi/operation.js';
import { validated } from '../../http/validation/validate.js';
import { EXAMPLE_EXPIRY } from '../../http/openapi/parameters.js';
import { CandidateDirectory } from './directory.js';
import {
  inputOf,
  InvitationAnswers,
  type InvitationAnswer,
  InviteCandidateDto,
  InviteCandidatesDto,
  refusedAs,
} from './invitation-bodies.js';
import { ApplicationRecord } from './record.js';
import { StaffApplications } from './staff-applications.js';

export class InviteCandidate extends UseCase<
  CandidateState,
  {
    readonly organisationId: string;
    readonly roleId: string;
    readonly email: string;
    readonly naming: Naming;
    readonly language: Language;
    readonly expiresAt: string | null;
  }
> {}

/** An address may be erased and invited by others at the same time; so often it is given way to. */
const TRIES = 4;

@CommandHandler(InviteCandidate)
export class InviteCandidateHandler implements ICommandHandler<InviteCandidate> {
  private readonly byCommand = new Serial();
  /** Whose mail is counted for its organisation. */
  private readonly counted = new WeakSet<InviteCandidate>();

  constructor(
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
    private readonly quota: MailQuota,
  ) {}

  async execute(command: InviteCandidate): Promise<Handled<CandidateState>> {
    // The id is the path's own text: only an id may go into a stream's name.
    if (!isUuid(command.input.roleId)) return NO_ROLE;
    return this.byCommand.run(command.context.commandId, () => this.inviteCounted(command), TURN);
  }

  /** What is not invited, or was by a former sending, is not counted. */
  private async inviteCounted(command: InviteCandidate): Promise<Handled<CandidateState>> {
    let isInvited = false;
    try {
      const handled = await this.invite(command);
      isInvited = handled.kind !== 'refused' && handled.changed;
      return handled;
    } finally {
      if (!isInvited && this.counted.has(command)) await this.quota.giveBack(command.input.organisationId);
    }
  }

  /** An address whose candidate is erased meanwhile belongs to a new person. */
  private async invite(command: InviteCandidate): Promise<Handled<CandidateState>> {
    for (let tries = 1; ; tries++) {
      const handled = await this.attempt(command);
      if (!('erased' in handled)) return handled;
      if (tries === TRIES)
        return refuse('conflict', 'This candidate is being erased: send the request again.');
      await this.directory.forget(handled.erased);
    }
  }

  private async attempt(
    command: InviteCandidate,
  ): Promise<Handled<CandidateState> | { readonly erased: PersonId }> {
    const { context } = command;
    const { organisationId, email } = command.input;
    const known = await this.directory.find(organisationId, email);
    const meant = known ?? this.directory.fresh();
    const first =
      context.requestHash === null ? meant : await this.directory.firstOf(context.commandId, meant);
    // Its stream shows whether this is the same request again, whose address it is by now.
    if (first !== meant && (await this.isKnown(first, context.commandId))) return this.handle(command, first);
    if (!known) {
      const decision = await this.decide(command, null, meant);
      if (decision.kind === 'refused') return decision;
    }
    const person = known ?? (await this.directory.resolve(organisationId, email, meant));
    if (context.requestHash !== null && first !== person)
      await this.directory.move(context.commandId, first, person);
    return this.handle(command, person);
  }

  private isKnown(person: PersonId, commandId: string): Promise<boolean> {
    return this.streams.knows(candidate, streamName('candidate', person), commandId);
  }

  private async handle(
    command: InviteCandidate,
    person: PersonId,
  ): Promise<Handled<CandidateState> | { readonly erased: PersonId }> {
    const erased = { erased: person };
    try {
      const handled = await this.streams.handle(
        candidate,
        streamName('candidate', person),
        command.context,
        (state) => this.decide(command, state, person),
      );
      return handled.kind === 'refused' && handled.refusal.code === 'erased' ? erased : handled;
    } catch (error) {
      // The key went between the decision and what it was to seal.
      if (error instanceof PersonErased) return erased;
      throw error;
    }
  }

  /** @throws {ApiError} `rate_limited`: the organisation may not ask for another mail today */
  private async decide(
    command: InviteCandidate,
    state: CandidateState,
    candidateId: PersonId,
  ): Promise<Decision<CandidateEvent>> {
    const decision = await this.decideUncounted(command, state, candidateId);
    if (decision.kind === 'refused' || this.counted.has(command)) return decision;
    const wait = await this.quota.forOrganisation(command.input.organisationId);
    if (wait > 0) throw tooManyMails(wait);
    this.counted.add(command);
    return decision;
  }

  private async decideUncounted(
    { context, input }: InviteCandidate,
    state: CandidateState,
    candidateId: PersonId,
  ): Promise<Decision<CandidateEvent>> {
    const { organisationId, roleId, email, naming, language, expiresAt } = input;
    const { state: role } = await this.streams.read(roleDecider, streamName('role', roleId));
    if (role?.organisationId !== organisationId) return NO_ROLE;
    const now = context.now.toISOString();
    return inviteCandidate(state, {
      candidateId,
      email,
      naming,
      language,
      role,
      applicationId: context.newId('application'),
      trialSessionId: context.newId('trial session'),
      now,
      expiresAt,
      endedSessions: await this.endedSessions(state, roleId, now),
    });
  }

  /** Which of the candidate's earlier sessions for the role are over: read from their streams to the end. */
  private async endedSessions(
    state: CandidateState,
    roleId: string,
    now: string,
  ): Promise<ReadonlyMap<string, SessionEnd>> {
    const ended = new Map<string, SessionEnd>();
    for (const invitation of earlierInvitations(state, roleId)) {
      const { trialSessionId } = invitation;
      const session = trialOf(
        (await this.streams.read(trial, streamName('trial', trialSessionId))).state,
        invitation,
      );
      if (isClosed(session)) ended.set(trialSessionId, 'by event');
      else if (hasEnded(session, now)) ended.set(trialSessionId, 'by time');
    }
    return ended;
  }
}

@Controller('organisations/:orgId/roles/:roleId/invitations')
export class InviteCandidateController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
    private readonly reads: Reads,
    private readonly quota: MailQuota,
  ) {}

  @Post()
  @StaffMay('candidates.invite')
  @Operation({
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
      'Opens an application and its trial session, for 14 days unless `expiresAt` is given. The candidate is written to in `language`, `en` unless given. `candidateName` and `externalId` are erased with the candidate.',
    gives: { applicationId: '/id', trialSessionId: '/trialSessions/0/id' },
    success: answersNewRecord('The application.', ApplicationRecord),
    errors: ['role_draft', 'already_invited'],
  })
  async invite(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() body: InviteCandidateDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ApplicationRecord>> {
    const { record, consistencyToken } = await this.invited(organisationId, roleId, body, context);
    const path = `/organisations/${organisationId}/applications/${record.id}`;
    return created(path, record, { version: record.version, consistencyToken });
  }

  @Post('batch')
  @StaffMay('candidates.invite')
  @Operation({
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
  })
  async inviteMany(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() { invitations }: InviteCandidatesDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<Static<typeof InvitationAnswers>>> {
    const wait = await this.quota.roomFor(organisationId, invitations.length);
    if (wait > 0) throw tooManyMails(wait);
    const items: InvitationAnswer[] = [];
    let last: string | undefined;
    // One after the other, so that an address that is there twice is invited by the first.
    for (const [index, invitation] of invitations.entries()) {
      try {
        const body = validated(InviteCandidateDto, invitation);
        const done = await this.invited(organisationId, roleId, body, partOf(context, index));
        last = done.consistencyToken;
        items.push({ status: 201, application: done.record });
      } catch (error) {
        items.push(refusedAs(error));
      }
    }
    return ok({ items }, { consistencyToken: last ?? (await this.reads.tokenOfEnd()) });
  }

  private async invited(
    organisationId: string,
    roleId: string,
    body: InviteCandidateDto,
    context: RequestContext,
  ) {
    const command = new InviteCandidate(context, { organisationId, roleId, ...inputOf(body) });
    const { state, consistencyToken } = await this.commands.execute(command);
    return { record: this.staff.invited(present(state)), consistencyToken };
  }
}

/** The context of one of several commands of a request: known again by the request's key and its place. */
const partOf = (context: RequestContext, index: number): RequestContext => ({
  ...context,
  commandId: context.newRecordId(`part ${index}`),
  newId: (purpose) => context.newId(`${purpose} ${index}`),
  newRecordId: (purpose) => context.newRecordId(`${purpose} ${index}`),
});
