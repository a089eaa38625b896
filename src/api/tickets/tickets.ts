import { Body, Controller, Get, Module, Param, Patch, Post, Query } from '@nestjs/common';
import { tickets } from '../../../projections/tickets.js';
import { Reads } from '../../application/reads.js';
import type { ListQuery } from '../../application/reads.js';
import { BeginFileSetHandler } from '../../application/tickets/begin-file-set.js';
import { CompleteFileSetHandler } from '../../application/tickets/complete-file-set.js';
import { CreateTicket, CreateTicketHandler } from '../../application/tickets/create-ticket.js';
import { FileSets } from '../../application/tickets/file-sets.js';
import { TemplateTickets } from '../../application/tickets/template-tickets.js';
import { formerTicket } from '../../application/tickets/ticket-versions.js';
import {
  type NamedFiles,
  UpdateTicket,
  UpdateTicketHandler,
} from '../../application/tickets/update-ticket.js';
import { UploadsModule } from '../../application/uploads/uploads.js';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import {
  Count,
  fieldsWithout,
  Instant,
  Named,
  Nullable as OrNull,
  Ordinal,
  pick,
  type Static,
  Uuid,
} from '../../core/json-schema.js';
import { WEB_ADDRESS } from '../../core/text.js';
import {
  CheckIsolation,
  FileSet,
  NO_WORK,
  TICKET_LIMITS as MAX,
  TicketChecks,
  TicketContent,
  TicketKind,
} from '../../domain/ticket/events.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, ok, page } from '../../http/answer.js';
import { notFound } from '../../http/api-error.js';
import { numberParameter, type Query as QueryString, readQuery } from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import {
  answersNewRecord,
  answersPage,
  answersRecord,
  Operation,
  type Operations,
} from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import {
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Text,
  Uuid as UuidOf,
  Whole,
} from '../../http/validation/rules.js';
import { CHECKS_SLUG } from '../../work/limits.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { FileSetsController } from './file-sets.js';

@Schema('WriteTicketLink')
export class TicketLinkDto {
  @Text({ notBlank: true, maxLength: MAX.linkTitle }) title!: string;
  @Text({
    maxLength: MAX.url,
    pattern: WEB_ADDRESS,
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
  @Optional() @Nullable() @OneOf(TicketKind) kind?: TicketKind | null;
}

@Schema('WriteTicketChecks')
export class TicketChecksDto {
  @Optional() @Nullable() @UuidOf() visible?: string | null;
  @Optional() @Nullable() @UuidOf() hidden?: string | null;
  @Text({
    maxLength: MAX.slug,
    pattern: CHECKS_SLUG,
    sentence: '{path} must consist of lower-case letters, digits and hyphens.',
  })
  slug!: string;
  @OneOf(CheckIsolation) isolation!: CheckIsolation;
}

/** What is left out stays as it is. Files are named by the ids of complete file sets of the ticket. */
@Schema('UpdateTicket')
export class UpdateTicketDto extends CreateTicketDto {
  @Optional() declare title: string;
  @Optional() @Nullable() @UuidOf() starter?: string | null;
  @Optional() @Nullable() @Nested(() => TicketChecksDto) checks?: TicketChecksDto | null;
}

/** A ticket, as all but its list return it. */
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

type ListedFileSet = Static<typeof ListedFileSet>;
const ListedFileSet = Named('ListedFileSet', {
  ...fieldsWithout(FileSet, 'files'),
  fileCount: { ...Count, description: 'How many files it has: the ticket’s own record lists them.' },
});

/** A ticket in a list: a page of them, each with up to 1,500 paths, would be megabytes. */
type ListedTicket = Static<typeof ListedTicket>;
const ListedTicket = Named('ListedTicket', {
  ...TicketRecord.properties,
  starter: OrNull(ListedFileSet),
  checks: OrNull(
    Named('ListedTicketChecks', {
      ...TicketChecks.properties,
      ...{ visible: OrNull(ListedFileSet), hidden: OrNull(ListedFileSet) },
    }),
  ),
});

const listedSet = (set: FileSet | null): ListedFileSet | null =>
  set && pick(ListedFileSet, { ...set, fileCount: set.files.length });

const listedTicket = (ticket: TicketRecord): ListedTicket => {
  const { starter, checks } = ticket;
  return {
    ...ticket,
    starter: listedSet(starter),
    checks: checks && { ...checks, visible: listedSet(checks.visible), hidden: listedSet(checks.hidden) },
  };
};

const linksOf = ({ links }: Pick<CreateTicketDto, 'links'>) =>
  links?.map(({ title, url }) => ({ title, url }));

/** The fields of a body that are no files. */
const fieldsOf = (body: UpdateTicketDto): UpdateTicket['input']['content'] =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== 'starter' && name !== 'checks'));

const filesOf = ({ starter, checks }: UpdateTicketDto): NamedFiles => ({
  ...(starter !== undefined && { starter }),
  ...(checks !== undefined && { checks: checks && namedChecks(checks) }),
});

const namedChecks = ({ visible = null, hidden = null, slug, isolation }: TicketChecksDto) => ({
  ...{ visible, hidden, slug, isolation },
});

const noSuchTicket = () => notFound('There is no such ticket.');

const VERSION = numberParameter('version', 'A former version in place of the latest.');

const EXAMPLE = {
  title: 'The last line is dropped',
  description: 'Read a file with *no* newline at its end, and print every line.',
  links: [{ title: 'Repository', url: 'https://git.example.org/parser' }],
  estimatedMinutes: 45,
  kind: 'files',
};

const operations = {
  create: {
    id: 'tickets.create',
    tag: 'Tickets',
    summary: 'Create a ticket',
    example: EXAMPLE,
    description:
      'Candidates of a role are shown the tickets whose ids are among its `ticketIds`, each in the version that their session began with.',
    links: { ticketId: '/id' },
    success: answersNewRecord('The ticket.', TicketRecord),
  },
  list: {
    id: 'tickets.list',
    tag: 'Tickets',
    summary: 'List tickets',
    description: 'Of files they say how many there are: `GET …/tickets/{ticketId}` lists them.',
    list: true,
    links: { ticketId: '/items/0/id' },
    success: answersPage('Tickets, oldest first.', ListedTicket),
  },
  read: {
    id: 'tickets.read',
    tag: 'Tickets',
    summary: 'Read a ticket',
    description:
      'As it is, or in a former version: the evidence of a session names the versions that it began with.',
    query: [VERSION],
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
    private readonly streams: CommandStreams,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation(operations.create)
  async create(
    @Param('orgId') organisationId: string,
    @Body() body: CreateTicketDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<TicketRecord>> {
    const { title, description = null, estimatedMinutes = null, kind = null } = body;
    const content = { title, description, links: linksOf(body) ?? [], estimatedMinutes, ...NO_WORK, kind };
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
    return page(found, ({ document, id }) => listedTicket(ticketRecord(document, id)));
  }

  @Get(':ticketId')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('ticketId') ticketId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<TicketRecord>> {
    const found = await this.reads.get(tickets, ticketId, meta);
    if (found?.document.organisationId !== organisationId) throw noSuchTicket();
    const { document } = found;
    const version = readQuery(query, VERSION) ?? document.version;
    if (version === document.version) return ok(ticketRecord(document, ticketId), { version });
    const former = await formerTicket(this.streams, ticketId, version);
    if (!former) throw notFound('This ticket has no such version.');
    return ok(ticketRecord({ ...document, ...former, version }, ticketId), { version });
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
    const content = { ...fieldsOf(body), ...(links && { links }) };
    const files = filesOf(body);
    const command = new UpdateTicket(context, { organisationId, ticketId, content, files });
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(ticketRecord(state, ticketId), { version: state.version, consistencyToken });
  }
}

@Module({
  imports: [UploadsModule],
  controllers: [TicketsController, FileSetsController],
  providers: [
    CreateTicketHandler,
    UpdateTicketHandler,
    BeginFileSetHandler,
    CompleteFileSetHandler,
    FileSets,
    TemplateTickets,
  ],
  exports: [FileSets, TemplateTickets],
})
export class TicketsModule {}
