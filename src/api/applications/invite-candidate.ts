import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { Body, Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { type Decision, refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { Serial } from '../../core/concurrency.js';
import { streamName } from '../../core/stream-name.js';
import { NO_ROLE, role as roleDecider } from '../../domain/role/decider.js';
import { trial, hasEnded } from '../../domain/session/state.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import {
  candidate,
  type CandidateState,
  inviteCandidate,
  openInvitations,
} from '../../domain/candidate/decider.js';
import type { CandidateEvent, Language, Naming } from '../../domain/candidate/events.js';
import { Commands, present, RouteCommand, StaffContext } from '../cqrs/commands.js';
import { Schema } from '../validation/fields.js';
import { Email, Instant, OneOf, Optional, Text } from '../validation/rules.js';
import { StaffMay } from '../access/access.decorator.js';
import { type Answer, created } from '../http/answer.js';
import { answersNewRecord, Operation } from '../openapi/operation.js';
import { EXAMPLE_EXPIRY } from '../openapi/parameters.js';
import { CandidateDirectory } from './directory.js';
import { ApplicationRecord, LANGUAGE } from './record.js';
import { StaffApplications } from './staff-applications.js';

const LONGEST_NAME = 200;

@Schema('InviteCandidate')
export class InviteCandidateDto {
  @Email() candidateEmail!: string;
  @Optional() @Instant() expiresAt?: string;
  @Optional() @Text({ notBlank: true, maxLength: LONGEST_NAME }) candidateName?: string;
  @Optional() @Text({ notBlank: true, maxLength: LONGEST_NAME }) externalId?: string;
  @Optional() @OneOf(LANGUAGE) language?: Language;
}

export class InviteCandidate extends RouteCommand<
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

  constructor(
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
  ) {}

  async execute(command: InviteCandidate): Promise<Handled<CandidateState>> {
    // The id is the path's own text: only an id may go into a stream's name.
    if (!isUuid(command.input.roleId)) return NO_ROLE;
    return this.byCommand.run(command.context.commandId, () => this.invite(command));
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

  private async decide(
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
  private async endedSessions(state: CandidateState, roleId: string, now: string): Promise<Set<string>> {
    const ended = new Set<string>();
    for (const { trialSessionId, expiresAt } of openInvitations(state, roleId, ended)) {
      const { state: session } = await this.streams.read(trial, streamName('trial', trialSessionId));
      if (session ? hasEnded(session, now) : now >= expiresAt) ended.add(trialSessionId);
    }
    return ended;
  }
}

const inputOf = (body: InviteCandidateDto) => {
  const { candidateEmail: email, candidateName: name, externalId, language = 'en', expiresAt = null } = body;
  const naming = { ...(name !== undefined && { name }), ...(externalId !== undefined && { externalId }) };
  return { email, naming, language, expiresAt };
};

@Controller('organisations/:orgId/roles/:roleId/invitations')
export class InviteCandidateController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
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
    const command = new InviteCandidate(context, { organisationId, roleId, ...inputOf(body) });
    const { state, consistencyToken } = await this.commands.execute(command);
    const record = this.staff.invited(present(state));
    const path = `/organisations/${organisationId}/applications/${record.id}`;
    return created(path, record, { version: record.version, consistencyToken });
  }
}
