import { Body, Controller, Get, Module, Param, Patch, Post } from '@nestjs/common';
import { tickets } from '../../../projections/tickets.js';
import type { RequestContext } from '../../core/command-context.js';
import { Instant, Named, Ordinal, pick, type Static, Uuid } from '../../core/json-schema.js';
import { TICKET_LIMITS as MAX, TicketContent } from '../../domain/ticket/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { CreateTicket, CreateTicketHandler } from '../../application/tickets/create-ticket.js';
import { UpdateTicket, UpdateTicketHandler } from '../../application/tickets/update-ticket.js';
import { Reads } from '../../application/reads.js';
import { type Answer, created, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import type { ListQuery } from '../../application/reads.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { ListOf, Nullable, Optional, Text, Whole } from '../../http/validation/rules.js';

/** Whoever is shown a link of `https://git.example.org@elsewhere.example` takes it for another site's. */
const WITHOUT_USER = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/;

@Schema('WriteTicketLink')
export class TicketLinkDto {
  @Text({ notBlank: true, maxLength: MAX.linkTitle }) title!: string;
  @Text({
    maxLength: MAX.url,
    pattern: WITHOUT_USER,
    sentence: '{path} must be an http or https URL without a user name or a password.',
  })
  url!: string;
}

@Schema('CreateTicket')
export class CreateTicketDto {
  @Text({ notBlank: true, maxLength: MAX.title }) title!: string;
  @Optional() @Nullable() @Text({ maxLength: MAX.description }) description?: string | null;
  @Optional() @ListOf(() => TicketLinkDto, { max: MAX.links }) links?: TicketLinkDto[];
  @Optional() @Nullable() @Whole({ min: 1, max: MAX.estimatedMinutes }) estimatedMinutes?: number | null;
}

/** What is left out stays as it is. */
@Schema('UpdateTicket')
export class UpdateTicketDto extends CreateTicketDto {
  @Optional() declare title: string;
}

/** A ticket as every path returns it. */
const TicketRecord = Named('Ticket', {
  id: Uuid,
  organisationId: Uuid,
  ...TicketContent.properties,
  version: Ordinal,
  createdAt: Instant,
  updatedAt: Instant,
});
type TicketRecord = Static<typeof TicketRecord>;

type TicketParts = Omit<TicketRecord, 'id' | keyof TicketContent> & { readonly content: TicketContent };

const ticketRecord = ({ content, ...rest }: TicketParts, id: string): TicketRecord =>
  pick(TicketRecord, { ...rest, ...content, id });

const linksOf = ({ links }: Pick<CreateTicketDto, 'links'>) =>
  links?.map(({ title, url }) => ({ title, url }));

/** What a body gives, as plain fields. */
const fieldsOf = (body: UpdateTicketDto): Partial<TicketContent> => Object.fromEntries(Object.entries(body));

const noSuchTicket = () => notFound('There is no such ticket.');

const EXAMPLE = {
  title: 'The last line is dropped',
  description: 'Read a file with *no* newline at its end, and print every line.',
  links: [{ title: 'Repository', url: 'https://git.example.org/parser' }],
  estimatedMinutes: 45,
};

const operations = {
  create: {
    id: 'tickets.create',
    tag: 'Tickets',
    summary: 'Create a ticket',
    example: EXAMPLE,
    description:
      'Candidates of a role are shown the tickets whose ids are among its `ticketIds`, with their current content.',
    gives: { ticketId: '/id' },
    success: answersNewRecord('The ticket.', TicketRecord),
  },
  list: {
    id: 'tickets.list',
    tag: 'Tickets',
    summary: 'List tickets',
    list: true,
    gives: { ticketId: '/items/0/id' },
    success: answersPage('Tickets, oldest first.', TicketRecord),
  },
  read: {
    id: 'tickets.read',
    tag: 'Tickets',
    summary: 'Read a ticket',
    success: answersRecord('The ticket.', TicketRecord),
  },
  update: {
    id: 'tickets.update',
    tag: 'Tickets',
    summary: 'Change a ticket',
    example: { title: 'The last line is lost', estimatedMinutes: 60 },
    description: 'What is left out stays as it is.',
    success: answersRecord('The ticket.', TicketRecord),
    conditional: true,
  },
} satisfies Operations;

@Controller('organisations/:orgId/tickets')
export class TicketsController {
  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() body: CreateTicketDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<TicketRecord>> {
    const { title, description = null, estimatedMinutes = null } = body;
    const content = { title, description, links: linksOf(body) ?? [], estimatedMinutes };
    const command = new CreateTicket(context, { organisationId, content });
    const { state, consistencyToken } = await this.commands.execute(command);
    const { ticketId, version } = state;
    const path = `/organisations/${organisationId}/tickets/${ticketId}`;
    return created(path, ticketRecord(state, ticketId), { version, consistencyToken });
  }

  @Get()
  @StaffMay('roles.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const part = { index: 'byOrganisation', prefix: [organisationId] };
    const found = await this.reads.listed(tickets, part, list, meta);
    return page(found, ({ document, id }) => ticketRecord(document, id));
  }

  @Get(':ticketId')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('ticketId') ticketId: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<TicketRecord>> {
    const found = await this.reads.get(tickets, ticketId, meta);
    if (found?.document.organisationId !== organisationId) throw noSuchTicket();
    return ok(ticketRecord(found.document, ticketId), { version: found.document.version });
  }

  @Patch(':ticketId')
  @StaffMay('roles.write')
  @Operation(operations.update)
  async update(
    @Param('orgId') organisationId: string,
    @Param('ticketId') ticketId: string,
    @Body() body: UpdateTicketDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<TicketRecord>> {
    const links = linksOf(body);
    const content: Partial<TicketContent> = { ...fieldsOf(body), ...(links && { links }) };
    const command = new UpdateTicket(context, { organisationId, ticketId, content });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(ticketRecord(state, ticketId), { version: state.version, consistencyToken });
  }
}

@Module({ controllers: [TicketsController], providers: [CreateTicketHandler, UpdateTicketHandler] })
export class TicketsModule {}
