import { imports } from '../../projections/imports.js';
import { type ImportRows, NAME } from '../application/imports/rows.js';
import type { Found } from '../engine/reads/reads.js';
import type { DocumentOf } from '../engine/view.js';

type FoundImport = Found<DocumentOf<typeof imports>>;

/** The reactor that invites the rows of imports that have rows without a result. */
export const inviteRows = (rows: ImportRows) => ({
  name: NAME,
  view: imports,
  index: 'unfinished',
  act: ({ id, document }: FoundImport, _now: Date, ends: AbortSignal): Promise<void> =>
    rows.invite(id, document, ends),
});

/** The commands of a reactor have ids made of its name: it must never change. */
export const DROP_ROWS = 'drop-imported-rows';

/** The reactor that drops the rows of imports after their retention time. */
export const dropImportedRows = (rows: ImportRows) => ({
  name: DROP_ROWS,
  view: imports,
  index: 'byDrop',
  dueAt: ({ dropAt }: DocumentOf<typeof imports>): string => dropAt,
  act: ({ id, document }: FoundImport): Promise<void> => rows.drop(id, document, DROP_ROWS),
});
