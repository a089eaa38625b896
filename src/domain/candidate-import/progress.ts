import type { RefusalCodes } from '../../core/decider.js';
import type { Actor } from '../../core/event.js';
import type { ImportIds } from './events.js';

/** Rows are kept for so long, in days. */
export const KEPT_DAYS = 7;

/** What has become of an import so far. */
export interface ImportProgress extends ImportIds {
  readonly roleId: string;
  readonly begunAt: string;
  readonly begunBy: Actor;
  readonly rowCount: number;
  readonly invitedCount: number;
  /** In the order in which they were refused. */
  readonly refused: readonly RefusedRow[];
  readonly dropAt: string;
  readonly droppedAt: string | null;
}

export interface RefusedRow {
  readonly row: number;
  readonly code: string;
}

/** The code of a row that waited when who began the import could no longer invite. It is stored: it must never change. */
export const STOPPED = 'import_stopped';

/** What a row is refused with that no invitation is. */
export const IMPORT_CODES = {
  [STOPPED]: {
    kind: 'conflict',
    meaning:
      'Who began the import may no longer invite candidates: the member was removed or has another role, or the API key has ended.',
  },
} as const satisfies RefusalCodes;

/** Whether it was stopped since who began it may no longer invite. */
export const isStopped = ({ refused }: ImportProgress): boolean =>
  refused.some(({ code }) => code === STOPPED);

/** Whether nothing more comes of it. */
export const isFinished = ({ rowCount, invitedCount, refused, droppedAt }: ImportProgress): boolean =>
  droppedAt !== null || invitedCount + refused.length >= rowCount;
