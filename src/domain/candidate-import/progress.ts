import type { RefusalCodes } from '../../core/decider.js';
import type { Actor } from '../../core/event.js';
import type { CANDIDATE_CODES } from '../candidate/decider.js';
import type { ImportIds } from './events.js';

/** Days after which the rows of an import are dropped. */
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
  /** When the rows are dropped: `KEPT_DAYS` after the import began. */
  readonly dropAt: string;
  /** `null`: they are not dropped. */
  readonly droppedAt: string | null;
}

export interface RefusedRow {
  readonly row: number;
  readonly code: string;
}

/**
 * The code of rows that were waiting when the member or API key that began the import lost the permission to invite. It
 * is stored: never change it.
 */
export const STOPPED = 'import_stopped';

/** Codes with which a row is refused and an invitation never is. */
export const IMPORT_CODES = {
  [STOPPED]: {
    kind: 'conflict',
    meaning:
      'Who began the import may no longer invite candidates: the member was removed or has another role, or the API key has ended.',
  },
} as const satisfies RefusalCodes;

/** The codes of rows that were refused for no reason of their own: it holds for each row that is still waiting. */
const OF_THE_REST: readonly string[] = [STOPPED, 'role_archived' satisfies keyof typeof CANDIDATE_CODES];

/**
 * Whether the import was stopped: the member or API key that began it lost the permission to invite, or the role was
 * archived.
 */
export const isStopped = ({ refused }: ImportProgress): boolean =>
  refused.some(({ code }) => OF_THE_REST.includes(code));

/** Whether each row has a result, or the rows are dropped. */
export const isFinished = ({ rowCount, invitedCount, refused, droppedAt }: ImportProgress): boolean =>
  droppedAt !== null || invitedCount + refused.length >= rowCount;
