import { type EventIn, eventType, eventsOf } from '../../core/registry.js';

/**
 * Stored names and latest shapes of exports (`data_export-<id>`), each a stream of one event: the storage contract. What
 * an export was narrowed by may be a person's address, so it is not recorded.
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
