import { accept, type Decision } from '../../core/decider.js';
import { candidate, type CandidateState, eraseCandidate } from '../../domain/candidate/decider.js';
import type { CandidateEvent, Invitation } from '../../domain/candidate/events.js';
import type { CommandContext, CommandStreams, Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { organisation } from '../../domain/organisation/decider.js';
import { outcome } from '../../domain/application/decider.js';
import { trial } from '../../domain/session/state.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';

/** What of one of the candidate's applications says when something happened with it last. */
export interface Kept {
  /** When its session ended, `null` while it is open. */
  readonly endedAt: string | null;
  /** When its outcome was recorded, corrected or retracted last, `null` where it never was. */
  readonly outcomeChangedAt: string | null;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What changed last at this time or before has been kept for so many days. @param now RFC 3339, as times are stored */
export const keptSince = (days: number, now: Date): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();

/**
 * Erases a candidate who has been kept for longer than the organisation keeps anybody. With an open session, or since
 * something has happened in the meantime, there is nothing to do.
 */
export const eraseOverdue = (
  state: CandidateState,
  input: {
    /** The organisation's setting; `null`: it keeps candidates for good. */
    readonly retentionDays: number | null;
    /** One for each of the candidate's applications, from their streams read to their ends. */
    readonly applications: readonly Kept[];
    readonly now: Date;
  },
): Decision<CandidateEvent> => {
  const { retentionDays, applications, now } = input;
  if (state === null || retentionDays === null) return accept();
  const since = keptSince(retentionDays, now);
  const isOverdue = applications.every(
    ({ endedAt, outcomeChangedAt }) =>
      endedAt !== null && endedAt <= since && (outcomeChangedAt === null || outcomeChangedAt <= since),
  );
  return isOverdue ? eraseCandidate(state, { cause: 'retention' }) : accept();
};

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
