import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { MailQuota } from '../../clients/mail-quota.js';
import { Serial } from '../../core/concurrency.js';
import { type Decision, refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import {
  candidate,
  type CandidateState,
  earlierInvitations,
  inviteCandidate,
  type SessionEnd,
} from '../../domain/candidate/decider.js';
import type { CandidateEvent, Naming } from '../../domain/candidate/events.js';
import { NO_ROLE, role as roleDecider } from '../../domain/role/decider.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { trial, trialOf, hasEnded } from '../../domain/session/state.js';
import type { Language } from '../../languages/languages.js';
import { UseCase } from '../use-case.js';
import { countingMail } from './counted-mail.js';
import { CandidateDirectory } from './directory.js';

/** Opens an application for an e-mail address, and its trial session. The role's id may be any text. */
export class InviteCandidate extends UseCase<
  CandidateState,
  {
    readonly organisationId: string;
    readonly roleId: string;
    readonly email: string;
    readonly naming: Naming;
    readonly language: Language;
    /** `null`: 14 days from now. */
    readonly expiresAt: string | null;
    /**
     * An earlier application of the person for the role, unchecked: it may be any text. Left out if it is no retake.
     */
    readonly retakeOf?: string;
  }
> {
  readonly name = 'InviteCandidate';
}

/**
 * Maximum number of attempts of an invitation: each further one follows an erasure of the candidate during the one
 * before.
 */
const TRIES = 4;

@CommandHandler(InviteCandidate)
export class InviteCandidateHandler implements ICommandHandler<InviteCandidate> {
  private readonly byCommand = new Serial();
  /** By command: counts its mail for its organisation. */
  private readonly counts = new WeakMap<InviteCandidate, () => Promise<void>>();

  constructor(
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
    private readonly quota: MailQuota,
  ) {}

  async execute(command: InviteCandidate): Promise<Handled<CandidateState>> {
    // Only an id may go into a stream's name.
    if (!isUuid(command.input.roleId)) return NO_ROLE;
    return this.byCommand.run(command.context.commandId, () =>
      countingMail(this.quota, command.input.organisationId, (count) => {
        this.counts.set(command, count);
        return this.invite(command);
      }),
    );
  }

  /** Whether a former sending of the command has opened its application, by the candidate who has the address now. */
  async isOpened({ context, input }: InviteCandidate): Promise<boolean> {
    const person = await this.directory.find(input.organisationId, input.email);
    return person !== null && this.isKnown(person, context.commandId);
  }

  /** If the candidate is erased meanwhile, tries again: the address then belongs to a new person. */
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
    const personByAddress = known ?? this.directory.fresh();
    const first =
      context.requestHash === null
        ? personByAddress
        : await this.directory.firstOf(context.commandId, personByAddress);
    // The first person's stream shows whether this request was carried out, even if the address is another person's now.
    if (first !== personByAddress && (await this.isKnown(first, context.commandId)))
      return this.handle(command, first);
    if (!known) {
      const decision = await this.decide(command, null, personByAddress);
      if (decision.kind === 'refused') return decision;
    }
    const person = known ?? (await this.directory.resolve(organisationId, email, personByAddress));
    if (context.requestHash !== null && first !== person)
      await this.directory.move(context.commandId, first, person);
    return this.handle(command, person);
  }

  private isKnown(person: PersonId, commandId: string): Promise<boolean> {
    return this.streams.hasCommand(candidate, person, commandId);
  }

  private async handle(
    command: InviteCandidate,
    person: PersonId,
  ): Promise<Handled<CandidateState> | { readonly erased: PersonId }> {
    const erased = { erased: person };
    try {
      const handled = await this.streams.handle(candidate, person, command.context, (state) =>
        this.decide(command, state, person),
      );
      return handled.kind === 'refused' && handled.refusal.code === 'erased' ? erased : handled;
    } catch (error) {
      // The key was destroyed between the decision and the sealing.
      if (error instanceof PersonErased) return erased;
      throw error;
    }
  }

  /** @throws {MailsLimited} the organisation may not ask for another mail today */
  private async decide(
    command: InviteCandidate,
    state: CandidateState,
    candidateId: PersonId,
  ): Promise<Decision<CandidateEvent>> {
    const decision = await this.decideUncounted(command, state, candidateId);
    if (decision.kind === 'accepted') await this.counts.get(command)?.();
    return decision;
  }

  private async decideUncounted(
    { context, input }: InviteCandidate,
    state: CandidateState,
    candidateId: PersonId,
  ): Promise<Decision<CandidateEvent>> {
    const { organisationId, roleId, email, naming, language, expiresAt, retakeOf } = input;
    const { state: role } = await this.streams.read(roleDecider, roleId);
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
      ...(retakeOf !== undefined && { retakeOf }),
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
      const session = trialOf((await this.streams.read(trial, trialSessionId)).state, invitation);
      if (isClosed(session)) ended.set(trialSessionId, 'by event');
      else if (hasEnded(session, now)) ended.set(trialSessionId, 'by time');
    }
    return ended;
  }
}
