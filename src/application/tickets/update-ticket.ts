import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { validate as isUuid } from 'uuid';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { NO_TICKET, ticket, type TicketState, updateTicket } from '../../domain/ticket/decider.js';
import type { TicketContent } from '../../domain/ticket/events.js';
import { UseCase } from '../use-case.js';

/** Changes a ticket: what `content` leaves out stays as it is. The id may be any text. */
export class UpdateTicket extends UseCase<
  TicketState,
  { readonly organisationId: string; readonly ticketId: string; readonly content: Partial<TicketContent> }
> {
  readonly name = 'UpdateTicket';
}

@CommandHandler(UpdateTicket)
export class UpdateTicketHandler implements ICommandHandler<UpdateTicket> {
  constructor(private readonly streams: CommandStreams) {}

  async execute({ context, input }: UpdateTicket): Promise<Handled<TicketState>> {
    const { organisationId, ticketId, content } = input;
    // Only an id may go into a stream's name.
    if (!isUuid(ticketId)) return NO_TICKET;
    const { expectedVersion } = context;
    return this.streams.handle(ticket, streamName(ticket.kind, ticketId), context, (before) =>
      before?.organisationId === organisationId
        ? updateTicket(before, { content, expectedVersion })
        : NO_TICKET,
    );
  }
}
