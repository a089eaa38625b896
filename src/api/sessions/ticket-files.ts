import { Controller, Get, Param, Query } from '@nestjs/common';
import type { Caller } from '../../application/caller.js';
import { FileSets } from '../../application/tickets/file-sets.js';
import { Enumeration } from '../../core/json-schema.js';
import type { FileSet } from '../../domain/ticket/events.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { file, type FileAnswer } from '../../http/answer.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { type Query as QueryString, queryParameter, readQuery, requireQuery } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersFile, Operation, type Operations } from '../../http/openapi/operation.js';
import { packTar, packZip } from '../../work/in-worker.js';
import { pathParameter } from '../uploads/files.js';
import { type BriefingTicket, ShownTickets } from './shown-tickets.js';

const FORMAT = queryParameter(
  'format',
  Enumeration('ArchiveFormat', ['zip', 'tar'], { default: 'zip' }),
  'How the files are packed.',
);

const PATH = { ...pathParameter('As the ticket lists it.'), required: true, example: 'README.md' };

const operations = {
  starter: {
    id: 'trialSessions.readStarter',
    tag: 'Candidates',
    summary: 'Get the files that a ticket’s work begins with',
    description: 'Once the session was started, in the version that it began with.',
    query: [FORMAT],
    success: answersFile('The files, packed.'),
    errors: ['not_started'],
  },
  starterFile: {
    id: 'trialSessions.readStarterFile',
    tag: 'Candidates',
    summary: 'Get one of the files that a ticket’s work begins with',
    query: [PATH],
    success: answersFile('The file.'),
    errors: ['not_started'],
  },
  visibleChecks: {
    id: 'trialSessions.readVisibleChecks',
    tag: 'Candidates',
    summary: 'Get the visible checks of a ticket',
    description: 'What runs over each hand-in. Hidden checks are not among them.',
    query: [FORMAT],
    success: answersFile('The files, packed.'),
    errors: ['not_started'],
  },
} satisfies Operations;

/** The files that a candidate begins with. */
@Controller('trial-sessions/:trialSessionId/tickets/:ticketId')
export class TicketFilesController {
  constructor(
    private readonly shown: ShownTickets,
    private readonly sets: FileSets,
  ) {}

  @Get('starter')
  @SignedIn()
  @Operation(operations.starter)
  async starter(
    @Param() { trialSessionId, ticketId }: TicketPath,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<FileAnswer> {
    const { starter } = await this.begun(trialSessionId, ticketId, meta, caller);
    return this.packed(ticketId, starter, query);
  }

  @Get('starter/files')
  @SignedIn()
  @Operation(operations.starterFile)
  async starterFile(
    @Param() { trialSessionId, ticketId }: TicketPath,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<FileAnswer> {
    const { starter } = await this.begun(trialSessionId, ticketId, meta, caller);
    const path = requireQuery(query, PATH);
    const { files } = starter ? await this.sets.tree(ticketId, starter) : { files: [] };
    const found = files.find((one) => one.path === path);
    if (!found) throw notFound('The starter has no such file.');
    return file(found.content, found.content.byteLength);
  }

  @Get('visible-checks')
  @SignedIn()
  @Operation(operations.visibleChecks)
  async visibleChecks(
    @Param() { trialSessionId, ticketId }: TicketPath,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<FileAnswer> {
    const { visibleChecks } = await this.begun(trialSessionId, ticketId, meta, caller);
    return this.packed(ticketId, visibleChecks, query);
  }

  /** Files of a ticket as an archive. @throws {ApiError} it has none */
  private async packed(ticketId: string, set: FileSet | null, query: QueryString): Promise<FileAnswer> {
    const pack = (readQuery(query, FORMAT) ?? 'zip') === 'tar' ? packTar : packZip;
    if (!set) throw notFound('This ticket has no such files.');
    const packed = await pack(await this.sets.tree(ticketId, set));
    return file(packed, packed.byteLength);
  }

  /** A ticket of a session that was started. @throws {ApiError} it was not */
  private async begun(
    id: string,
    ticketId: string,
    meta: RequestMeta,
    caller: Caller,
  ): Promise<BriefingTicket> {
    const { shown, session } = await this.shown.one(id, ticketId, meta, caller);
    if (session === null) throw new ApiError('not_started', 'Start the session: its files come with it.');
    return shown;
  }
}

type TicketPath = Readonly<Record<'trialSessionId' | 'ticketId', string>>;
