import { accept, type Decider, type Decision, refuse } from '../../core/decider.js';
import { DAY_MS } from '../../core/timestamp.js';
import type { PersonId } from '../../core/vault/port.js';
import { importEvent, type ImportEvent, type ImportIds } from './events.js';
import { type ImportProgress, KEPT_DAYS } from './progress.js';

export interface CandidateImport extends ImportProgress {
  /** Rows that are neither invited nor refused, in their order. */
  readonly waiting: readonly WaitingRow[];
}

export interface WaitingRow {
  readonly row: number;
  /** Whose address the row has. `null` only by the type of events: every stored row names a person. */
  readonly person: PersonId | null;
  /** The row's content, sealed under the import's own key; `null`: the person was erased meanwhile. */
  readonly sealed: string | null;
}

/** `null` until it is begun. */
export type ImportState = CandidateImport | null;

/** Folds the stream `candidate_import-<importId>`. */
export const candidateImport: Decider<ImportState, ImportEvent> = {
  kind: 'candidate_import',
  initial: null,
  evolve(state, event) {
    const { recordedAt, actor } = event.metadata;
    if (event.type === 'import.begun')
      return {
        ...event.data,
        begunAt: recordedAt,
        begunBy: { type: actor.type, id: actor.id },
        invitedCount: 0,
        refused: [],
        droppedAt: null,
        waiting: [],
      };
    if (state === null) throw new Error(`${event.type} on a stream that has not begun.`);
    switch (event.type) {
      case 'import.row_added': {
        const { row } = event.data;
        const { person, personal } = event;
        const sealed = personal?.sealed ?? null;
        return { ...state, waiting: [...state.waiting, { row, person, sealed }] };
      }
      case 'import.row_invited':
        return { ...without(state, event.data.row), invitedCount: state.invitedCount + 1 };
      case 'import.row_refused': {
        const { row, code } = event.data;
        return { ...without(state, row), refused: [...state.refused, { row, code }] };
      }
      case 'import.dropped':
        return { ...state, waiting: [], droppedAt: recordedAt };
    }
  },
};

const without = (state: CandidateImport, row: number): CandidateImport => ({
  ...state,
  waiting: state.waiting.filter((one) => one.row !== row),
});

export interface BeginImport extends ImportIds {
  readonly roleId: string;
  /** At least one. */
  readonly rows: readonly {
    readonly row: number;
    readonly person: PersonId;
    readonly sealed: string;
  }[];
  readonly now: Date;
}

/** Begins an import of checked rows. Its id is derived from their content: the same rows again are the same import. */
export const beginImport = (state: ImportState, input: BeginImport): Decision<ImportEvent> => {
  if (state !== null) return accept();
  const { organisationId, importId, roleId, rows, now } = input;
  const ids = { organisationId, importId };
  const dropAt = new Date(now.getTime() + KEPT_DAYS * DAY_MS).toISOString();
  return accept<ImportEvent>(
    importEvent('import.begun', { ...ids, roleId, rowCount: rows.length, dropAt }),
    ...rows.map(({ row, person, sealed }) =>
      importEvent('import.row_added', { ...ids, row }, person, { sealed }),
    ),
  );
};

/** What has become of a row: an application, or the code that it was refused with. */
export type RowResult = { readonly applicationId: string } | { readonly code: string };

/** Records what has become of a row, once. */
export const endRow = (state: ImportState, row: number, result: RowResult): Decision<ImportEvent> => {
  if (state === null) return refuse('not_found', 'There is no such import.');
  if (!state.waiting.some((one) => one.row === row)) return accept();
  const { organisationId, importId } = state;
  const ids = { organisationId, importId, row };
  return accept(
    'code' in result
      ? importEvent('import.row_refused', { ...ids, code: result.code })
      : importEvent('import.row_invited', { ...ids, applicationId: result.applicationId }),
  );
};

/** Records that the rows can no longer be read. The caller destroys the import's key before. */
export const dropRows = (state: ImportState): Decision<ImportEvent> => {
  if (state === null) return refuse('not_found', 'There is no such import.');
  const { organisationId, importId, droppedAt } = state;
  return droppedAt === null ? accept(importEvent('import.dropped', { organisationId, importId })) : accept();
};
