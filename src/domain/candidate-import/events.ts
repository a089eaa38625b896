import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

/**
 * Stored names and latest shapes of an import of candidates (`candidate_import-<id>`): the storage contract. A row's
 * content is sealed twice: under a key of the import, which is destroyed once the rows are dropped, and under the key of
 * the person whose address it has, which is destroyed by their erasure. No row can be read without both.
 */

export interface ImportIds {
  readonly organisationId: string;
  readonly importId: string;
}

export const importEvents = {
  'import.begun': eventType<
    ImportIds & {
      /** What all of them are invited to. */
      readonly roleId: string;
      readonly rowCount: number;
      /** The rows are dropped then. */
      readonly dropAt: string;
    }
  >(),
  'import.row_added': eventType<
    ImportIds & {
      /** As spreadsheet programs count: the header is row 1. */
      readonly row: number;
    },
    {
      /** The row's content, sealed under the import's own key. */
      readonly sealed: string;
    }
  >(),
  'import.row_invited': eventType<ImportIds & { readonly row: number; readonly applicationId: string }>(),
  'import.row_refused': eventType<
    ImportIds & {
      readonly row: number;
      /** The code of the refusal. */
      readonly code: string;
    }
  >(),
  /** The import's key is destroyed before. A row that is not invited by then is never invited. */
  'import.dropped': eventType<ImportIds>(),
};

export type ImportEvent = EventIn<typeof importEvents>;
export const importEvent = eventsOf<typeof importEvents>();
