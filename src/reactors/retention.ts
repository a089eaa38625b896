import { organisations } from '../../projections/organisations.js';
import { retention } from '../../projections/retention.js';
import type { ErasureAnnouncer } from '../application/applications/erase-candidate.js';
import type { CommandContexts } from '../core/command-context.js';
import type { CommandContext } from '../core/command-context.js';
import { accept, type Decision } from '../core/decider.js';
import type { CommandStreams, Handled } from '../core/handle.js';
import { DAY_MS } from '../core/timestamp.js';
import type { PersonId } from '../core/vault/port.js';
import { outcome } from '../domain/application/decider.js';
import { candidate, type CandidateState, eraseCandidate } from '../domain/candidate/decider.js';
import type { CandidateEvent, Invitation } from '../domain/candidate/events.js';
import { operator } from '../domain/operations/decider.js';
import { organisation } from '../domain/organisation/decider.js';
import { trial } from '../domain/session/state.js';
import type { EngineLog } from '../engine/log.js';
import type { Leases } from '../engine/ownership/leases.js';
import { pollUnderLease } from '../engine/reactors/leased-poller.js';
import { allOf, type ViewReader } from '../engine/reads/reads.js';
import type { Timekeeper } from '../engine/trusted-clock.js';
import { OPERATOR_LOG } from '../process/operations/operations.js';
import type { Vault } from '../vault/port.js';

/** The last changes of one of a candidate's applications, from which its retention period counts. */
export interface RetainedApplication {
  /** When its session ended; `null`: it is open. */
  readonly endedAt: string | null;
  /** When its outcome was last recorded, corrected or retracted; `null`: never. */
  readonly outcomeChangedAt: string | null;
}

/** The beginning of a retention period that ends now: data that last changed at this time or before is overdue. */
export const keptSince = (days: number, now: Date): string =>
  new Date(now.getTime() - days * DAY_MS).toISOString();

/**
 * Erases a candidate whose retention period is over. It does nothing if a session is open or the data has changed
 * meanwhile.
 */
export const eraseOverdue = (
  state: CandidateState,
  input: {
    /** The organisation's setting; `null`: no retention period. */
    readonly retentionDays: number | null;
    /** All applications of the candidate, from the latest state of their streams. */
    readonly applications: readonly RetainedApplication[];
    readonly now: Date;
  },
): Decision<CandidateEvent> => {
  const { retentionDays, applications, now } = input;
  return state !== null && isOverdue(applications, retentionDays, now)
    ? eraseCandidate(state, { cause: 'retention' })
    : accept();
};

const isOverdue = (
  applications: readonly RetainedApplication[],
  retentionDays: number | null,
  now: Date,
): boolean => {
  if (retentionDays === null) return false;
  const since = keptSince(retentionDays, now);
  return applications.every(
    ({ endedAt, outcomeChangedAt }) =>
      endedAt !== null && endedAt <= since && (outcomeChangedAt === null || outcomeChangedAt <= since),
  );
};

/** Erases candidates whose retention period is over by their streams: the view may be behind. */
export class OverdueErasure {
  constructor(
    private readonly streams: CommandStreams,
    private readonly vault: Pick<Vault, 'keys'>,
    private readonly notices: ErasureAnnouncer,
  ) {}

  /**
   * @throws {StoreUnavailable | VaultUnavailable} try again later; if the erasure is recorded, its reactor finishes it
   */
  async execute(
    context: CommandContext,
    organisationId: string,
    candidateId: string,
  ): Promise<Handled<CandidateState>> {
    const sendMail = await this.notices.prepare(candidateId);
    const before = (await this.streams.read(operator, OPERATOR_LOG)).state.preRestoreMails;
    const formerMail = { wasSent: false };
    const handled = await this.streams.handle(candidate, candidateId, context, async (state) => {
      const { state: settings } = await this.streams.read(organisation, organisationId);
      const applications: RetainedApplication[] = [];
      for (const invitation of state?.invitations ?? []) applications.push(await this.kept(invitation));
      const retentionDays = settings?.retentionDays ?? null;
      // After a restore of the log: the erasure may have been done and its mail sent before, which the log does not show.
      formerMail.wasSent = before !== null && isOverdue(applications, retentionDays, new Date(before.until));
      return eraseOverdue(state, { retentionDays, applications, now: context.now });
    });
    if (handled.kind === 'done' && handled.state?.erased === true) {
      await this.vault.keys.erase(candidateId as PersonId);
      if (handled.changed && !formerMail.wasSent) sendMail();
    }
    return handled;
  }

  private async kept({ trialSessionId, applicationId }: Invitation): Promise<RetainedApplication> {
    const { state: session } = await this.streams.read(trial, trialSessionId);
    const { state } = await this.streams.read(outcome, applicationId);
    return { endedAt: session?.endedAt ?? null, outcomeChangedAt: state.changedAt };
  }
}

export interface RetentionOptions {
  readonly erasure: Pick<OverdueErasure, 'execute'>;
  readonly contexts: CommandContexts;
  /** The leases of this process. */
  readonly leases: Leases;
  readonly reader: Pick<ViewReader, 'page'>;
  readonly log: EngineLog;
  /** From the end of one poll to the next, in milliseconds. Default: a minute, since periods are in days. */
  readonly everyMs?: number;
  readonly timekeeper: Timekeeper;
}

/** The commands of a reactor have ids made of its name: it must never change. */
const NAME = 'retention';

/**
 * Erases candidates whose retention period is over, in one process at a time. It reads who is due now, so that a
 * setting that is turned on later also applies to earlier candidates.
 */
export const startRetention = (options: RetentionOptions): { stop(): Promise<void> } => {
  const { leases, log, timekeeper, everyMs = 60_000 } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const running = pollUnderLease({
    lease: NAME,
    leases,
    signal,
    log,
    warning: 'Candidates whose retention period is over could not be erased. The service tries again.',
    retry: { capMs: 60_000 },
    poll: async () => {
      if ((await timekeeper.nowIfTrusted('erase')) === null) {
        // The clock of another process may be right.
        await leases.giveUp(NAME, everyMs);
        return 0;
      }
      await eraseDue(options, () => !signal.aborted && leases.holds(NAME));
      return everyMs;
    },
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      await leases.forget(NAME);
    },
  };
};

/**
 * Erases all candidates who are due. Ends early if the clock is in doubt.
 * @param mayGoOn returns false if another process has the lease, or the service stops
 * @throws {Error} the first failure, after all others were tried
 */
export const eraseDue = async (
  { erasure, contexts, reader, timekeeper }: RetentionOptions,
  mayGoOn: () => boolean = () => true,
): Promise<void> => {
  const failures: unknown[] = [];
  for await (const { document } of allOf(reader, organisations, { index: 'byRetention', prefix: [] })) {
    const { organisationId, retentionDays } = document;
    if (retentionDays === null) continue;
    const began = await timekeeper.nowIfTrusted('erase');
    if (began === null || !mayGoOn()) return;
    const upTo = keptSince(retentionDays, began);
    const due = { index: 'byOrganisation', prefix: [organisationId], upTo };
    for await (const found of allOf(reader, retention, due)) {
      const now = await timekeeper.nowIfTrusted('erase');
      if (now === null || !mayGoOn()) return;
      const { causedBy, correlationId, candidateId } = found.document;
      const context = { ...contexts.forReaction(NAME, causedBy, correlationId), now };
      // A failure must not delay the other candidates.
      const handled = await erasure.execute(context, organisationId, candidateId).catch((error: unknown) => {
        failures.push(error);
        return null;
      });
      if (handled?.kind === 'refused') failures.push(new Error(handled.refusal.message));
    }
  }
  if (failures.length > 0) throw failures[0];
};
