import { pendingChecks } from '../../projections/pending-checks.js';
import { inTime } from '../core/backoff.js';
import { DAY_MS, HOUR_MS } from '../core/timestamp.js';
import type { ViewReader } from '../engine/reads/reads.js';
import type { HealthSource } from './health.js';
import { asTyped } from './installation.js';

/** Sessions are counted up to this number. */
const COUNT_UP_TO = 100;

/** A check that waits longer needs an operator; in milliseconds. */
const MAX_WAIT_MS = HOUR_MS;

/** How long a failed check is reported, in milliseconds: for some checks an operator can do nothing. */
const NOTICED_MS = DAY_MS;

/**
 * Reports sessions whose work waits for checks, and sessions with failed checks. The service stays ready, since it
 * answers requests.
 */
export const checksHealth = (
  reader: Pick<ViewReader, 'page'>,
  clock: () => Date = () => new Date(),
): HealthSource => ({
  name: 'checks',
  check: async () => {
    const first = { prefix: [], limit: COUNT_UP_TO, evenParked: true };
    const found = await inTime(
      Promise.all([
        reader.page(pendingChecks, { ...first, index: 'bySince' }),
        reader.page(pendingChecks, { ...first, index: 'byFailure', reverse: true }),
      ]),
    );
    // The view's own component has the reason.
    if (found === null) return [];
    const [waiting, failed] = found;
    const waitsSince = waiting.items[0]?.document.waiting[0]?.askedAt ?? null;
    const lastFailedAt = failed.items[0]?.document.failed.at(-1)?.at ?? null;
    const now = clock().getTime();
    const waitedMs = waitsSince === null ? 0 : now - Date.parse(waitsSince);
    const notices = [
      waitedMs > MAX_WAIT_MS &&
        `Work has waited for checks since ${waitsSince}: \`assay checks list\` shows it.`,
      lastFailedAt !== null &&
        now - Date.parse(lastFailedAt) < NOTICED_MS &&
        `A check of work failed at ${lastFailedAt}: \`assay checks list\` shows why.`,
    ].flatMap((notice) => (notice === false ? [] : [asTyped(notice)]));
    return [
      {
        name: 'checks',
        ready: true,
        figures: {
          waiting: waiting.items.length,
          oldestWaitingSeconds: Math.max(0, Math.round(waitedMs / 1_000)),
          failed: failed.items.length,
          lastFailedAt,
          notice: notices.length === 0 ? null : notices.join(' '),
        },
      },
    ];
  },
});
