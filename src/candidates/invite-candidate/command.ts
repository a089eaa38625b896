import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import type { RequestContext } from '../../app/commands/context.js';
import { type Decision, refuse } from '../../event-store/decider.js';
import { CommandStreams, type Handled } from '../../event-store/handle.js';
import { Serial } from '../../event-store/serial.js';
import { streamName } from '../../event-store/stream-name.js';
import { role as roleDecider } from '../../roles/decider.js';
import { trial } from '../../trials/decider.js';
import { hasEnded } from '../../trials/trial.js';
import type { PersonId } from '../../vault/port.js';
import { candidate, type CandidateState, inviteCandidate, openInvitations } from '../decider.js';
import { CandidateDirectory } from '../directory.js';
import type { CandidateEvent } from '../events.js';

export class InviteCandidate extends Command<Handled<CandidateState>> {
  constructor(
    readonly context: RequestContext,
    readonly organisationId: string,
    readonly roleId: string,
    readonly email: string,
    readonly expiresAt: string | null,
  ) {
    super();
  }
}

/** Nobody's id: an address that is no candidate yet gets a person only once its invitation would be accepted. */
const NOBODY = '' as PersonId;

const NO_ROLE = refuse('not_found', 'There is no such role.');

@CommandHandler(InviteCandidate)
export class InviteCandidateHandler implements ICommandHandler<InviteCandidate> {
  private readonly byCommand = new Serial();

  constructor(
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
  ) {}

  async execute(command: InviteCandidate): Promise<Handled<CandidateState>> {
    // The id is the path's own text: only an id may go into a stream's name.
    if (!isUuid(command.roleId)) return NO_ROLE;
    return this.byCommand.run(command.context.commandId, () => this.invite(command));
  }

  private async invite(command: InviteCandidate): Promise<Handled<CandidateState>> {
    const { context, organisationId, email } = command;
    let person = await this.directory.find(organisationId, email);
    if (!person) {
      const decision = await this.decide(command, null, NOBODY);
      if (decision.kind === 'refused') return decision;
      person = await this.directory.resolve(organisationId, email);
    }
    if (context.requestHash !== null && !(await this.claim(context.commandId, person)))
      return refuse(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another request: use a new one.',
      );
    const own = person;
    return this.streams.handle(candidate, streamName('candidate', own), context, (state) =>
      this.decide(command, state, own),
    );
  }

  /** Whether the keyed command is this person's: another body's address may have taken its key to another stream. */
  private async claim(commandId: string, person: PersonId): Promise<boolean> {
    const first = await this.directory.firstOf(commandId, person);
    if (first === person) return true;
    if (await this.streams.knows(candidate, streamName('candidate', first), commandId)) return false;
    await this.directory.move(commandId, first, person);
    return true;
  }

  private async decide(
    { context, organisationId, roleId, email, expiresAt }: InviteCandidate,
    state: CandidateState,
    candidateId: PersonId,
  ): Promise<Decision<CandidateEvent>> {
    const { state: role } = await this.streams.read(roleDecider, streamName('role', roleId));
    if (role?.organisationId !== organisationId) return NO_ROLE;
    const now = context.now.toISOString();
    return inviteCandidate(state, {
      candidateId,
      email,
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
