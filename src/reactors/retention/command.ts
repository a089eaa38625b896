import type { CommandContext, CommandStreams, Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { organisation } from '../../domain/organisation/decider.js';
import { outcome } from '../../domain/application/decider.js';
import { trial } from '../../domain/session/state.js';
import type { PersonId, Vault } from '../../core/vault/port.js';
import { candidate, type CandidateState } from '../../domain/candidate/decider.js';
import type { Invitation } from '../../domain/candidate/events.js';
import { eraseOverdue, type Kept } from './overdue.js';

/** Erases candidates whose time of keeping is over, by what the streams say and not by what a view has listed. */
export class OverdueErasure {
  constructor(
    private readonly streams: CommandStreams,
    private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /** @throws {StoreUnavailable | VaultUnavailable} again later; what was recorded is carried on by others */
  async execute(
    context: CommandContext,
    organisationId: string,
    candidateId: string,
  ): Promise<Handled<CandidateState>> {
    const stream = streamName('candidate', candidateId);
    const handled = await this.streams.handle(candidate, stream, context, async (state) => {
      const { state: its } = await this.streams.read(
        organisation,
        streamName('organisation', organisationId),
      );
      const applications: Kept[] = [];
      for (const invitation of state?.invitations ?? []) applications.push(await this.kept(invitation));
      const retentionDays = its?.retentionDays ?? null;
      return eraseOverdue(state, { retentionDays, applications, now: context.now });
    });
    if (handled.kind === 'done' && handled.state?.erased === true)
      await this.vault.keys.erase(candidateId as PersonId);
    return handled;
  }

  private async kept({ trialSessionId, applicationId }: Invitation): Promise<Kept> {
    const { state: session } = await this.streams.read(trial, streamName('trial', trialSessionId));
    const { state } = await this.streams.read(outcome, streamName('application', applicationId));
    return { endedAt: session?.endedAt ?? null, outcomeChangedAt: state.changedAt };
  }
}
