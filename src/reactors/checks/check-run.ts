import type { FileSets } from '../../application/tickets/file-sets.js';
import { formerTicket } from '../../application/tickets/ticket-versions.js';
import { notUnpackedNow, type Uploads } from '../../application/uploads/uploads.js';
import type { Checker } from '../../clients/checker/checker.js';
import { isRefused } from '../../core/decider.js';
import type { CommandStreams } from '../../core/handle.js';
import { everyTick } from '../../core/shared-interval.js';
import { HOUR_MS } from '../../core/timestamp.js';
import { checkedWork, type CheckReport, type SetRun } from '../../domain/session/check-decider.js';
import type { CheckedWork, CheckFailure } from '../../domain/session/check-events.js';
import type { HandIn } from '../../domain/session/hand-ins.js';
import type { Trial } from '../../domain/session/state.js';
import type { FileSet, TicketChecks } from '../../domain/ticket/events.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';

/** A hand-in of a session, and the checks to run over it. */
export interface ToCheck {
  readonly session: Trial;
  readonly handIn: HandIn;
  readonly scope: CheckedWork['scope'];
}

/** Runs a ticket's checks over a hand-in. */
export class CheckRun {
  constructor(
    private readonly streams: Pick<CommandStreams, 'each'>,
    private readonly uploads: Pick<Uploads, 'tree'>,
    private readonly sets: Pick<FileSets, 'tree'>,
    private readonly checker: Checker,
  ) {}

  /**
   * Runs each set of checks separately over the work, so that it is known to which set a test belongs.
   * @throws {PersonErased | VaultUnavailable | StoreUnavailable | BrokenSeal} the work or the checks cannot be read
   * @throws the signal's reason
   */
  async run(toCheck: ToCheck, signal: AbortSignal): Promise<CheckReport> {
    const { session, handIn, scope } = toCheck;
    const checks = await this.checksOf(session, handIn);
    const runs: SetRun[] = [];
    for (const hidden of scope === 'all' ? [false, true] : [false]) {
      const set = hidden ? checks?.hidden : checks?.visible;
      if (!checks || !set) continue;
      runs.push(await this.runSet(toCheck, checks, { set, hidden }, signal));
      // The result is an error then, independent of the other sets.
      if (runs.at(-1)?.reason != null) break;
    }
    return reportOf(toCheck, checks, runs);
  }

  /** Ends the runs that killed processes have left. */
  sweep(): Promise<void> {
    return this.checker.sweep();
  }

  /** The result of checks that do not run. */
  async error(toCheck: ToCheck, reason: CheckFailure, detail = ''): Promise<CheckReport> {
    const checks = await this.checksOf(toCheck.session, toCheck.handIn);
    const treeSha256 = (checks?.visible ?? checks?.hidden)?.treeSha256 ?? '';
    const hidden = !checks?.visible;
    const runner = { name: 'none', digest: '' };
    const run = { hidden, treeSha256, runner, ms: 0, output: '', tests: null, reason, detail };
    return reportOf(toCheck, checks, [run]);
  }

  private async runSet(
    { session, handIn }: ToCheck,
    { slug, isolation }: TicketChecks,
    { set, hidden }: { readonly set: FileSet; readonly hidden: boolean },
    signal: AbortSignal,
  ): Promise<SetRun> {
    const files = async () => ({
      work: await this.workOf(session, handIn),
      checks: (await this.sets.tree(handIn.ticketId, set)).files,
    });
    const { runner, ms, output, ...result } = await this.checker.run({ slug, isolation, files }, signal);
    const common = { hidden, treeSha256: set.treeSha256, runner, ms, output };
    return result.outcome === 'checked'
      ? { ...common, tests: result.tests, reason: null, detail: '' }
      : { ...common, tests: null, reason: result.reason, detail: result.detail };
  }

  private async workOf({ candidateId }: Trial, { handInId, name, treeSha256 }: HandIn) {
    const file = { person: candidateId, fileId: handInId };
    const recorded = { name: name ?? '', treeSha256: treeSha256 ?? '' };
    const tree = await this.uploads.tree(file, recorded, HAND_IN_LIMITS);
    if (isRefused(tree)) throw notUnpackedNow();
    return tree.files;
  }

  /** The checks of the ticket's version at the beginning of the session; `null`: it has none. */
  private async checksOf({ ticketVersions }: Trial, { ticketId }: HandIn): Promise<TicketChecks | null> {
    const version = ticketVersions.get(ticketId);
    const began = version === undefined ? null : await formerTicket(this.streams, ticketId, version);
    return began?.content.checks ?? null;
  }
}

/**
 * Ends runs that killed processes have left, now and at intervals. Each process does so, since it finds only runs of
 * its own machine. No other code ends a run that no reactor waits for, such as a run for an erased candidate.
 */
export const startRunSweep = (run: Pick<CheckRun, 'sweep'>, everyMs = HOUR_MS): { stop(): Promise<void> } => {
  const sweep = (): void => void run.sweep();
  sweep();
  const end = everyTick(everyMs, sweep);
  return { stop: async () => end() };
};

const reportOf = (
  { handIn: { handInId, ticketId }, scope }: ToCheck,
  checks: TicketChecks | null,
  runs: readonly SetRun[],
): CheckReport =>
  checkedWork({ handInId, ticketId, scope, isolation: checks?.isolation ?? 'separate' }, runs);
