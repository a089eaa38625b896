import { type ImportProgress, isFinished } from '../src/domain/candidate-import/progress.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** An import of candidates and the results of its rows, by its id. The rows' content is in the log alone. */
export interface ImportDocument extends ViewDocument, ImportProgress {
  /** The id of the event that began it. */
  readonly causedBy: string;
  readonly correlationId: string;
}

export const imports = defineView<ImportDocument>()({
  name: 'imports',
  version: 1,
  documentId: (event) => event.data.importId,
  initial: (importId) => ({
    organisationId: '',
    importId,
    roleId: '',
    begunAt: '',
    begunBy: { type: 'system', id: '' },
    rowCount: 0,
    invitedCount: 0,
    refused: [],
    dropAt: '',
    droppedAt: null,
    causedBy: '',
    correlationId: '',
  }),
  on: {
    'import.begun': (document, { data, id, metadata: { recordedAt, actor, correlationId } }) => ({
      ...document,
      ...data,
      begunAt: recordedAt,
      begunBy: { type: actor.type, id: actor.id },
      causedBy: id,
      correlationId,
    }),
    'import.row_invited': (document) => ({ ...document, invitedCount: document.invitedCount + 1 }),
    'import.row_refused': (document, { data: { row, code } }) => ({
      ...document,
      refused: [...document.refused, { row, code }],
    }),
    'import.dropped': (document, { metadata }) => ({ ...document, droppedAt: metadata.recordedAt }),
  },
  keys: {
    unfinishedSince: (document) => (isFinished(document) ? null : document.begunAt),
    toDropAt: ({ droppedAt, dropAt }) => (droppedAt === null ? dropAt : null),
  },
  indexes: {
    byOrganisation: ['organisationId', 'begunAt'],
    unfinished: ['unfinishedSince'],
    byDrop: ['toDropAt'],
  },
});
