import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { NO_TICKET, ticket } from '../../domain/ticket/decider.js';
import {
  type BeginFileSet as Input,
  beginFileSet,
  fileSet,
  type FileSetState,
} from '../../domain/ticket/file-set.js';
import { UseCase } from '../use-case.js';

/** Announces files for a ticket. The ticket's id may be any text. */
export class BeginFileSet extends UseCase<FileSetState, Omit<Input, 'fileSetId'>> {
  readonly name = 'BeginFileSet';
}

@CommandHandler(BeginFileSet)
export class BeginFileSetHandler implements ICommandHandler<BeginFileSet> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: BeginFileSet): Promise<Handled<FileSetState>> {
    const { organisationId, ticketId } = input;
    if (!isUuid(ticketId)) return NO_TICKET;
    const { state } = await this.streams.read(ticket, ticketId);
    if (state?.organisationId !== organisationId) return NO_TICKET;
    const fileSetId = context.newRecordId('file set');
    return this.streams.handle(fileSet, fileSetId, context, (before) =>
      beginFileSet(before, { ...input, fileSetId }),
    );
  }
}
