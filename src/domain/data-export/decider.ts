import { accept, type Decider, type Decision } from '../../core/decider.js';
import { dataExportEvent, type DataExportEvent, type DataExportIds, type Exported } from './events.js';

/** Whether the export is recorded. */
export interface DataExportState {
  readonly isRecorded: boolean;
}

export const dataExport: Decider<DataExportState, DataExportEvent> = {
  kind: 'data_export',
  initial: { isRecorded: false },
  evolve: () => ({ isRecorded: true }),
};

/** Records that a member is about to be sent a list as a file: once for each export. */
export const recordExport = (
  { isRecorded }: DataExportState,
  what: Exported,
  ids: DataExportIds,
): Decision<DataExportEvent> => (isRecorded ? accept() : accept(dataExportEvent(`${what}.exported`, ids)));
