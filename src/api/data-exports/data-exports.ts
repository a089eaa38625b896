import { Controller, Get, Module, Param, Query } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Member } from '../../application/caller.js';
import { type Column, CSV_TYPE, csvPieces } from '../../application/csv.js';
import { RecordExport, RecordExportHandler } from '../../application/data-exports/record-export.js';
import { type ListQuery, Reads } from '../../application/reads.js';
import { actorOf, type RequestContext } from '../../core/command-context.js';
import { Type } from '../../core/json-schema.js';
import type { Exported } from '../../domain/data-export/events.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { Answer } from '../../http/answer.js';
import { bufferOrStream } from '../../http/buffer-or-stream.js';
import { longAnswers } from '../../http/fair-turns.js';
import type { Query as QueryString } from '../../http/list-query.js';
import { Meta, type RequestMeta, SearchText } from '../../http/meta.js';
import { Operation, type OperationOptions, type Operations } from '../../http/openapi/operation.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import {
  APPLICATION_LIST,
  CHOSEN_APPLICATIONS,
  chosenApplications,
  selectedApplications,
} from '../applications/list-parameters.js';
import { ApplicationLists } from '../applications/lists.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { EVALUATION_LIST, selectedEvaluations } from '../evaluations/list-parameters.js';
import { EvaluationSummaries, type Showing } from '../evaluations/summaries.js';
import { readSummary } from '../signal/signal.js';
import { APPLICATION_COLUMNS, EVALUATION_COLUMNS, linesOf, SIGNAL_COLUMNS } from './columns.js';

/** Describes an export; the columns of its file are part of the description. */
const csvOperation = <Row>(
  options: Pick<OperationOptions, 'summary' | 'query' | 'searched'> & {
    readonly what: Exported;
    readonly lines: string;
    readonly columns: readonly Column<Row>[];
  },
): OperationOptions => {
  const { what, summary, lines, columns, query, searched } = options;
  const named = columns.map(({ name, description }) =>
    description === undefined ? `\`${name}\`` : `\`${name}\` (${description})`,
  );
  return {
    id: `exports.${what}`,
    tag: 'Exports',
    summary,
    description: [
      `${lines} Columns: ${named.join(', ')}. What is not known is an empty field.`,
      'The file is UTF-8 with a byte order mark, its fields separated by commas and its lines ended by CRLF. A field that begins with `=`, `+`, `-`, `@`, a tab, a carriage return or a line feed has an apostrophe before it, so that no spreadsheet program runs it as a formula; so has one that begins with apostrophes before such a character.',
      'Each export is recorded in the audit trail before anything is sent. The file is sent as it is read: a response that breaks off is not a complete export.',
    ].join('\n\n'),
    ...(query && { query }),
    ...(searched && { searched }),
    success: {
      status: 200,
      description: 'The list, as a file.',
      schema: Type.String(),
      contentType: 'text/csv',
    },
  };
};

const operations = {
  applications: csvOperation({
    what: 'applications',
    summary: 'Export applications as CSV',
    lines:
      'A line for each application that the list with the same parameters has, in its order, or for each that `applicationId` chooses.',
    columns: APPLICATION_COLUMNS,
    query: [...APPLICATION_LIST, CHOSEN_APPLICATIONS],
    searched: true,
  }),
  evaluations: csvOperation({
    what: 'evaluations',
    summary: 'Export evaluations as CSV',
    lines:
      'A line for each dimension of each evaluation that the list with the same parameters has, in its order; an evaluation without scores has one line. Each evaluation with scores is recorded as read before its lines are sent.',
    columns: EVALUATION_COLUMNS,
    query: EVALUATION_LIST,
  }),
  signal: csvOperation({
    what: 'signal',
    summary: 'Export the signal summary as CSV',
    lines: 'A line for each role, by name; the totals are the sums of the columns.',
    columns: SIGNAL_COLUMNS,
  }),
} satisfies Operations;

/** Items read for a piece of a file. */
const PAGE = 200;

/** Every page of a list. @param read reads the page that is asked for */
async function* every<Item>(
  read: (list: ListQuery) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
): AsyncGenerator<readonly Item[], void, undefined> {
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof read>> = await read({ limit: PAGE, cursor });
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function* linesOfPages(
  pages: AsyncIterable<readonly Parameters<typeof linesOf>[0][]>,
): AsyncGenerator<ReturnType<typeof linesOf>, void, undefined> {
  for await (const page of pages) yield page.flatMap((summary) => linesOf(summary));
}

/**
 * Lists as files, under a path of their own. They have a permission of their own and are recorded in the audit trail. A
 * list's answer has one form, whatever `Accept` says, so that it can be cached.
 */
@Controller('organisations/:orgId/exports')
export class DataExportsController {
  constructor(
    private readonly commands: Commands,
    private readonly applications: ApplicationLists,
    private readonly evaluations: EvaluationSummaries,
    private readonly reads: Reads,
  ) {}

  @Get('applications')
  @StaffMay('data.export')
  @Operation(operations.applications)
  exportApplications(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @SearchText() text: string | null,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
    @CurrentMember() { subject }: Member,
  ): Promise<Answer> {
    const selected = chosenApplications(query, text) ?? selectedApplications(query, text);
    const pages = every((list) => this.applications.selected(organisationId, selected, list, meta));
    const command = new RecordExport(context, { organisationId, what: 'applications' });
    return this.sent(command, subject, meta, csvPieces(APPLICATION_COLUMNS, pages));
  }

  @Get('evaluations')
  @StaffMay('data.export')
  @Operation(operations.evaluations)
  exportEvaluations(
    @Param('orgId') organisationId: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const selected = selectedEvaluations(query);
    const showing: Showing = { to: actorOf(member), recorded: 'each time' };
    const pages = every((list) => this.evaluations.selected(organisationId, selected, showing, list, meta));
    const command = new RecordExport(context, { organisationId, what: 'evaluations' });
    return this.sent(command, member.subject, meta, csvPieces(EVALUATION_COLUMNS, linesOfPages(pages)));
  }

  @Get('signal')
  @StaffMay('data.export')
  @Operation(operations.signal)
  async exportSignal(
    @Param('orgId') organisationId: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
    @CurrentMember() { subject }: Member,
  ): Promise<Answer> {
    const { summary } = await readSummary(this.reads, organisationId, meta);
    const pages = Readable.from([summary.roles]) as AsyncIterable<typeof summary.roles>;
    const command = new RecordExport(context, { organisationId, what: 'signal' });
    return this.sent(command, subject, meta, csvPieces(SIGNAL_COLUMNS, pages));
  }

  /** Records the export, then sends it as it is read. A HEAD exports nothing. */
  private async sent(
    command: RecordExport,
    caller: string,
    { method }: RequestMeta,
    pieces: AsyncGenerator<Buffer, void, undefined>,
  ): Promise<Answer> {
    const name = `attachment; filename="${command.input.what}.csv"`;
    const options = { headers: { 'Content-Disposition': name, 'Cache-Control': 'no-store' } };
    if (method === 'HEAD') return new Answer(200, Readable.from([]), options, CSV_TYPE);
    await this.commands.execute(command);
    const body = await bufferOrStream(longAnswers.pieces(caller, pieces));
    return new Answer(200, body, options, CSV_TYPE);
  }
}

@Module({
  imports: [ApplicationsModule, EvaluationsModule],
  controllers: [DataExportsController],
  providers: [RecordExportHandler],
})
export class DataExportsModule {}
