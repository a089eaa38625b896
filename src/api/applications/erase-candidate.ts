import { Inject, Controller, Param, Post } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import { VAULT } from '../../process/tokens.js';
import { type CommandContext, CommandStreams, type Handled } from '../../core/handle.js';
import type { Position } from '../../core/event-store.js';
import { streamName } from '../../core/stream-name.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import { candidate, type CandidateState, eraseCandidate } from '../../domain/candidate/decider.js';
import type { CandidateErased } from '../../domain/candidate/events.js';
import { objectOf, oneOf, uuid } from '../../core/json-schema.js';
import { Commands, StaffContext } from '../commands.js';
import { StaffMay } from '../access/access.decorator.js';
import { accepted, type Answer } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { carryOn } from './carry-on.js';
import { StaffApplications } from './staff-applications.js';

/** Erases for good what an organisation holds about a candidate, in all of their applications there. */
export class EraseCandidate extends Command<Handled<CandidateState>> {
  constructor(
    readonly context: CommandContext,
    readonly candidateId: string,
    readonly cause: CandidateErased['data']['cause'],
  ) {
    super();
  }
}

/** After so long the reactor does what is left: nobody is kept waiting for a hundred applications. */
const CARRIED_ON_MS = 1_000;

/**
 * First the event, then the key: from the event on nothing more is accepted, and whatever happens then, the reactor
 * destroys a key whose candidate was erased. The other way round an erasure could be lost. What was open is ended at
 * once, so that whoever reads on from the answer sees how the erasure has left it.
 */
@CommandHandler(EraseCandidate)
export class EraseCandidateHandler implements ICommandHandler<EraseCandidate> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly contexts: CommandContexts,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /** @throws {VaultUnavailable} the erasure is certain, and not carried out yet: send it again */
  async execute({ context, candidateId, cause }: EraseCandidate): Promise<Handled<CandidateState>> {
    const handled = await this.streams.handle(
      candidate,
      streamName('candidate', candidateId),
      context,
      (state) => eraseCandidate(state, { cause }),
    );
    // Also where the event stood already: who wrote it may have been stopped before this.
    if (handled.kind === 'refused') return handled;
    await this.vault.keys.erase(candidateId as PersonId);
    const position = await this.carriedOn(candidateId);
    return {
      ...handled,
      position: position !== null && position > handled.position ? position : handled.position,
    };
  }

  /** Where the last of it stands; `null` where the reactor is left to find out why it could not be. */
  private async carriedOn(candidateId: string): Promise<Position | null> {
    const until = performance.now() + CARRIED_ON_MS;
    try {
      return await carryOn(this.streams, this.contexts, candidateId, () => performance.now() < until);
    } catch {
      return null;
    }
  }
}

/** The answer to an erasure: the application's status from now on. */
export interface ErasureReceipt {
  readonly applicationId: string;
  readonly status: 'erased';
}

@Controller('organisations/:orgId/applications/:id/erasure')
export class EraseCandidateController {
  constructor(
    private readonly commands: Commands,
    private readonly staff: StaffApplications,
  ) {}

  @Post()
  @StaffMay('candidates.erase')
  @Operation({
    id: 'erasure.erase',
    tag: 'Applications',
    summary: 'Erase a candidate for good',
    description:
      'Destroys what the organisation holds about the candidate, in every application of theirs. It is certain and cannot be taken back once this is answered; sessions, applications and evaluations show it shortly after. What was counted stays counted.',
    success: {
      status: 202,
      description: 'The candidate is erased.',
      schema: objectOf({ applicationId: uuid, status: oneOf('erased') }),
    },
    errors: ['not_found', 'conflict'],
  })
  async erase(
    @Param('orgId') organisationId: string,
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ErasureReceipt>> {
    const { applicationId, candidateId } = await this.staff.reference(organisationId, id, meta);
    const command = new EraseCandidate(context, candidateId, 'staff');
    const { consistencyToken } = await this.commands.execute(command);
    return accepted({ applicationId, status: 'erased' }, { consistencyToken });
  }
}
