import { randomUUID } from 'node:crypto';
import { organisations } from '../../../projections/organisations.js';
import { retention } from '../../../projections/retention.js';
import type { CommandContexts } from '../../core/command-context.js';
import { pause } from '../../core/backoff.js';
import { LeaseKeeper, lookUnderLease } from '../../engine/leases.js';
import type { EngineLog } from '../../engine/log.js';
import type { Found, FoundPage, PageQuery, ViewReader } from '../../engine/reads.js';
import type { AnyView, DocumentOf } from '../../engine/view.js';
import type { ReadStore } from '../../stores/read-store.js';
import { keptSince, type OverdueErasure } from './overdue.js';

export interface RetentionOptions {
  readonly erasure: Pick<OverdueErasure, 'execute'>;
  readonly contexts: CommandContexts;
  readonly readStore: Pick<ReadStore, 'leases'>;
  readonly reader: Pick<ViewReader, 'page'>;
  /** `<host>/<pid>` of this process. */
  readonly owner: string;
  readonly log: EngineLog;
  readonly isGone?: (owner: string) => boolean;
  /** From the end of one look to the next, in milliseconds; a minute unless said: days are counted. */
  readonly everyMs?: number;
  readonly clock?: () => Date;
}

/** Under which its commands are known: never to be changed. */
export const NAME = 'retention';

const PAGE = 100;

/**
 * Erases whoever their organisation has kept for as long as it keeps anybody, in one process at a time. It looks at
 * what is due by now, so that a setting turned on late counts for whoever was there before.
 */
export const startRetention = (options: RetentionOptions): { stop(): Promise<void> } => {
  const { readStore, log, isGone, everyMs = 60_000 } = options;
  const abort = new AbortController();
  const { signal } = abort;
  const owner = `${options.owner}/${randomUUID()}`;
  const keeper = new LeaseKeeper({ leases: readStore.leases, owner, log, isGone });
  const running = lookUnderLease({
    lease: NAME,
    keeper,
    signal,
    log,
    trouble: 'Candidates who were kept for long enough could not be erased; it is tried again.',
    capMs: 60_000,
    look: () => eraseDue(options, () => !signal.aborted && keeper.holds(NAME)),
    wait: () => pause(everyMs, signal),
  });
  return {
    stop: async () => {
      abort.abort();
      await running;
      await keeper.stop();
    },
  };
};

/**
 * One look. @param going false: others look now, or the service stops
 * @throws {Error} the first failure, once everybody else was looked at
 */
export const eraseDue = async (
  { erasure, contexts, reader, clock = () => new Date() }: RetentionOptions,
  going: () => boolean = () => true,
): Promise<void> => {
  const failures: unknown[] = [];
  for await (const { document } of all(reader, organisations, { index: 'byRetention', prefix: [] })) {
    const { organisationId, retentionDays } = document;
    if (retentionDays === null) continue;
    const upTo = keptSince(retentionDays, clock());
    const due = { index: 'byOrganisation', prefix: [organisationId], upTo };
    for await (const found of all(reader, retention, due)) {
      if (!going()) return;
      const { causedBy, correlationId, candidateId } = found.document;
      const context = { ...contexts.forReaction(NAME, causedBy, correlationId), now: clock() };
      // One who cannot be erased yet holds up nobody else.
      const handled = await erasure.execute(context, organisationId, candidateId).catch((error: unknown) => {
        failures.push(error);
        return null;
      });
      if (handled?.kind === 'refused') failures.push(new Error(handled.refusal.message));
    }
  }
  if (failures.length > 0) throw failures[0];
};

async function* all<V extends AnyView>(
  reader: RetentionOptions['reader'],
  view: V,
  query: Omit<PageQuery, 'limit' | 'cursor'>,
): AsyncGenerator<Found<DocumentOf<V>>> {
  let cursor: string | null = null;
  do {
    const page: FoundPage<DocumentOf<V>> = await reader.page(view, {
      ...query,
      limit: PAGE,
      cursor: cursor ?? undefined,
      evenParked: true,
    });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
