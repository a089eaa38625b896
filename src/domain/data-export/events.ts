import { accept, type Decider, type Decision } from '../../core/decider.js';
import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

/**
 * Stored names and latest shapes of exports (`data_export-<id>`), each a stream of one event: the storage contract. An
 * export's filter may be a person's address, so it is not recorded.
 */

export interface DataExportIds {
  readonly organisationId: string;
  readonly exportId: string;
}

/** What can be exported. */
export const EXPORTED = ['applications', 'evaluations', 'signal'] as const;

export type Exported = (typeof EXPORTED)[number];

export const dataExportEvents = {
  'applications.exported': eventType<DataExportIds>(),
  'evaluations.exported': eventType<DataExportIds>(),
  'signal.exported': eventType<DataExportIds>(),
};

export type DataExportEvent = EventIn<typeof dataExportEvents>;
export const dataExportEvent = eventsOf<typeof dataExportEvents>();

/** Whether the export is recorded. */
export interface DataExportState {
  readonly isRecorded: boolean;
}

/** Folds the stream `data_export-<exportId>`. */
export const dataExport: Decider<DataExportState, DataExportEvent> = {
  kind: 'data_export',
  initial: { isRecorded: false },
  evolve: () => ({ isRecorded: true }),
};

/** Records that a list is about to be sent to a member as a file: once for each export. */
export const recordExport = (
  { isRecorded }: DataExportState,
  what: Exported,
  ids: DataExportIds,
): Decision<DataExportEvent> => (isRecorded ? accept() : accept(dataExportEvent(`${what}.exported`, ids)));
