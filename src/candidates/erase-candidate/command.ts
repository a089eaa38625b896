import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { VAULT } from '../../app/tokens.js';
import { type CommandContext, CommandStreams, type Handled } from '../../event-store/handle.js';
import { streamName } from '../../event-store/stream-name.js';
import type { PersonId, Vault } from '../../vault/port.js';
import { candidate, type CandidateState, eraseCandidate } from '../decider.js';
import type { CandidateErased } from '../events.js';

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

/**
 * First the event, then the key: from the event on nothing more is accepted, and whatever happens then, the reactor
 * destroys a key whose candidate was erased. The other way round an erasure could be lost.
 */
@CommandHandler(EraseCandidate)
export class EraseCandidateHandler implements ICommandHandler<EraseCandidate> {
  constructor(
    private readonly streams: CommandStreams,
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
    if (handled.kind === 'done') await this.vault.keys.erase(candidateId as PersonId);
    return handled;
  }
}
