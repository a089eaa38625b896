import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { createTicket, ticket, type TicketState } from '../../domain/ticket/decider.js';
import type { TicketContent } from '../../domain/ticket/events.js';
import { UseCase } from '../use-case.js';

/** Creates a ticket. */
export class CreateTicket extends UseCase<
  TicketState,
  { readonly organisationId: string; readonly content: TicketContent }
> {
  readonly name = 'CreateTicket';
}

@CommandHandler(CreateTicket)
export class CreateTicketHandler implements ICommandHandler<CreateTicket> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: CreateTicket): Promise<Handled<TicketState>> {
    const ticketId = context.newRecordId('ticket');
    return this.streams.handle(ticket, ticketId, context, (before) =>
      createTicket(before, { ...input, ticketId }),
    );
  }
}
