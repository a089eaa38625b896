import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { RoleState } from '../../domain/role/decider.js';
import { type TemplateOf, templateDefinition } from '../../domain/role/templates.js';
import { TemplateTickets } from '../tickets/template-tickets.js';
import { UseCase } from '../use-case.js';
import { beginRole } from './create-role.js';

/** Makes a role with the definition and the ticket of a template. `newName` `null`: the template's name. */
export class CreateRoleFromTemplate extends UseCase<
  RoleState,
  TemplateOf & { readonly organisationId: string; readonly newName: string | null }
> {
  readonly name = 'CreateRoleFromTemplate';
}

@CommandHandler(CreateRoleFromTemplate)
export class CreateRoleFromTemplateHandler implements ICommandHandler<CreateRoleFromTemplate> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly tickets: TemplateTickets,
  ) {}

  async execute({ context, input }: CreateRoleFromTemplate): Promise<Handled<RoleState>> {
    const { organisationId, newName, ...of } = input;
    // The ticket is found or made first, so that there is no role without its ticket.
    const ticketId = await this.tickets.ensure(context, { organisationId, ...of });
    if (typeof ticketId !== 'string' && isRefused(ticketId)) return ticketId;
    const words = templateDefinition(of);
    const definition = { ...words, name: newName ?? words.name, ticketIds: [ticketId] };
    return beginRole(this.streams, context, { organisationId, definition });
  }
}
