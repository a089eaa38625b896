import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { dataExport, type DataExportState, recordExport } from '../../domain/data-export/events.js';
import type { Exported } from '../../domain/data-export/events.js';
import { UseCase } from '../use-case.js';

/** Records in the audit trail that the caller exports a list, before it is sent. */
export class RecordExport extends UseCase<
  DataExportState,
  { readonly organisationId: string; readonly what: Exported }
> {
  readonly name = 'RecordExport';
}

@CommandHandler(RecordExport)
export class RecordExportHandler implements ICommandHandler<RecordExport> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input: { organisationId, what } }: RecordExport): Promise<Handled<DataExportState>> {
    const exportId = context.newRecordId('export');
    return this.streams.handle(dataExport, exportId, context, (state) =>
      recordExport(state, what, { organisationId, exportId }),
    );
  }
}
