import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { imports } from '../../../projections/imports.js';
import { CSV_TYPE, csvText } from '../../application/csv.js';
import { BeginImport, BeginImportHandler } from '../../application/imports/begin-import.js';
import { type ListQuery, Reads } from '../../application/reads.js';
import type { RequestContext } from '../../core/command-context.js';
import {
  Count,
  Enumeration,
  Instant,
  Named,
  Nullable,
  type Static,
  Type,
  Uuid,
} from '../../core/json-schema.js';
import {
  IMPORT_CODES,
  type ImportProgress,
  isFinished,
  KEPT_DAYS,
} from '../../domain/candidate-import/progress.js';
import { REFUSAL_CODES } from '../../domain/refusal-codes.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Answer, ok, page } from '../../http/answer.js';
import { notFound, validationFailed } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Text } from '../../http/validation/rules.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { LANGUAGE } from '../applications/record.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { checkedRows, IMPORT_COLUMNS, MAX_ROWS } from './rows.js';

/** More than fits into a body. */
const MAX_CSV = 256 * 1024;

@Schema('ImportCandidates')
export class ImportCandidatesDto {
  /** The text of a file. */
  @Text({ notBlank: true, maxLength: MAX_CSV }) csv!: string;
}

/** An import as staff see it. */
type ImportRecord = Static<typeof ImportRecord>;
const ImportRecord = Named('CandidateImport', {
  id: Uuid,
  organisationId: Uuid,
  roleId: Uuid,
  createdAt: Instant,
  createdBy: Type.String({
    description: 'The subject of the member, or the id of the API key, that began it.',
  }),
  status: Enumeration('ImportStatus', ['running', 'finished']),
  rowCount: Count,
  invitedCount: Count,
  refused: Type.Array(
    Named('RefusedRow', {
      row: Type.Integer({ minimum: 2, description: 'As a spreadsheet counts: the header is row 1.' }),
      code: Type.String({
        description:
          'Of an error, as an invitation that is sent alone has it; `import_stopped`: who began the import may no longer invite.',
      }),
      reason: Type.String({ description: 'The same as a sentence.' }),
    }),
  ),
  rowsDroppedAt: Type.String({
    format: 'date-time',
    description: 'What the rows say is dropped then. A row that was not invited by then never is.',
  }),
});

const importRecord = (progress: ImportProgress): ImportRecord => ({
  id: progress.importId,
  organisationId: progress.organisationId,
  roleId: progress.roleId,
  createdAt: progress.begunAt,
  createdBy: progress.begunBy.id,
  status: isFinished(progress) ? 'finished' : 'running',
  rowCount: progress.rowCount,
  invitedCount: progress.invitedCount,
  refused: progress.refused.map(({ row, code }) => ({ row, code, reason: reasonOf(code) })),
  rowsDroppedAt: progress.dropAt,
});

/** What a file would invite. */
type ImportCheck = Static<typeof ImportCheck>;
const ImportCheck = Named('ImportCheck', {
  rows: Type.Array(
    Named('CheckedRow', {
      row: Type.Integer({ minimum: 2, description: 'As a spreadsheet counts: the header is row 1.' }),
      candidateEmail: Type.String(),
      candidateName: Nullable(Type.String()),
      language: LANGUAGE,
      expiresAt: Nullable(Instant),
    }),
  ),
});

/** By code, what a row may be refused with. */
const REFUSALS = new Map(Object.entries({ ...REFUSAL_CODES, ...IMPORT_CODES }));

const reasonOf = (code: string): string => REFUSALS.get(code)?.meaning ?? 'The invitation was refused.';

const operations = {
  begin: {
    id: 'imports.begin',
    tag: 'Applications',
    summary: 'Import candidates from a CSV',
    example: {
      csv: 'candidateEmail,candidateName,language\r\nkatherine@example.org,Katherine Johnson,en\r\nemmy@example.org,Emmy Noether,de\r\n',
    },
    description: [
      `Invites each row to the role. The first row names the columns: \`candidateEmail\`, and any of ${IMPORT_COLUMNS.slice(
        1,
      )
        .map((name) => `\`${name}\``)
        .join(
          ', ',
        )}, as an invitation has them; other columns of an export of applications are passed over. There may be ${MAX_ROWS} rows. Fields are separated by commas or semicolons, with or without a byte order mark.`,
      'All rows are checked first: if one is wrong nothing is stored, and `details` names each fault by row and column, as in `rows[5].candidateEmail`, the header being row 1.',
      `Then the rows are invited one after the other, as the caller; the answer does not wait for that. A row that is refused, for an open application for one, keeps no other back. The same rows sent again within ${KEPT_DAYS} days are the same import, which is answered as it is by then: nobody is invited twice.`,
    ].join('\n\n'),
    links: { importId: '/id' },
    success: { status: 202, description: 'The import.', schema: ImportRecord, headers: ['Location'] },
    errors: ['role_archived', 'role_draft'],
  },
  check: {
    id: 'imports.check',
    tag: 'Applications',
    summary: 'Check a CSV of candidates',
    example: { csv: 'candidateEmail,candidateName\r\nkatherine@example.org,Katherine Johnson\r\n' },
    description:
      'The rows that an import of this file would invite. If one is wrong, the answer is the one of the import. Nothing is stored and nobody is invited.',
    success: { status: 200, description: 'The rows.', schema: ImportCheck },
    eventless: true,
  },
  list: {
    id: 'imports.list',
    tag: 'Applications',
    summary: 'List imports of candidates',
    list: true,
    links: { importId: '/items/0/id' },
    success: answersPage('Imports, newest first.', ImportRecord),
  },
  read: {
    id: 'imports.read',
    tag: 'Applications',
    summary: 'Read an import of candidates',
    description: 'How far it is, and which rows were refused.',
    success: { status: 200, description: 'The import.', schema: ImportRecord },
  },
  template: {
    id: 'imports.template',
    tag: 'Applications',
    summary: 'Get a template for imports',
    description: 'A CSV with the names of the columns, to be filled in below them.',
    success: { status: 200, description: 'The template.', schema: Type.String(), contentType: 'text/csv' },
  },
} satisfies Operations;

/** Imports the rows of a CSV. A reactor invites the candidates after the answer. */
@Controller('organisations/:orgId/roles/:roleId/imports')
export class BeginImportController {
  constructor(private readonly commands: Commands) {}

  @Post()
  @StaffMay('candidates.invite')
  @Operation(operations.begin)
  async begin(
    @Param('orgId') organisationId: string,
    @Param('roleId') roleId: string,
    @Body() { csv }: ImportCandidatesDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<ImportRecord>> {
    const checked = checkedRows(csv, context.now.toISOString());
    const command = new BeginImport(context, { organisationId, roleId, ...checked });
    const { state, consistencyToken } = await this.commands.execute(command);
    const location = `/organisations/${organisationId}/imports/${state.importId}`;
    return new Answer(202, importRecord(state), { location, consistencyToken });
  }
}

@Controller('organisations/:orgId/imports')
export class ImportsController {
  constructor(private readonly reads: Reads) {}

  @Get()
  @StaffMay('applications.read')
  @Operation(operations.list)
  async list(
    @Param('orgId') organisationId: string,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
  ): Promise<Answer> {
    const found = await this.reads.newest(imports, 'byOrganisation', [organisationId], list, meta);
    return page(found, ({ document }) => importRecord(document));
  }

  @Get(':importId')
  @StaffMay('applications.read')
  @Operation(operations.read)
  async read(
    @Param('orgId') organisationId: string,
    @Param('importId') id: string,
    @Meta() meta: RequestMeta,
  ): Promise<Answer<ImportRecord>> {
    const found = await this.reads.get(imports, id, meta);
    if (found?.document.organisationId !== organisationId) throw notFound('There is no such import.');
    return ok(importRecord(found.document));
  }
}

@Controller('organisations/:orgId/import-checks')
export class ImportChecksController {
  @Post()
  @StaffMay('candidates.invite')
  @Operation(operations.check)
  check(@Body() { csv }: ImportCandidatesDto, @StaffContext() { now }: RequestContext): Answer<ImportCheck> {
    const { rows: checked, passed } = checkedRows(csv, now.toISOString());
    if (passed.length > 0) throw validationFailed(passed);
    const rows = checked.map(({ row, content }) => ({
      row,
      candidateEmail: content.email,
      candidateName: content.naming.name ?? null,
      language: content.language,
      expiresAt: content.expiresAt,
    }));
    return ok({ rows });
  }
}

@Controller('organisations/:orgId/import-template')
export class ImportTemplateController {
  @Get()
  @StaffMay('candidates.invite')
  @Operation(operations.template)
  read(): Answer {
    const headers = { 'Content-Disposition': 'attachment; filename="candidates.csv"' };
    return new Answer(200, csvText([IMPORT_COLUMNS]), { headers }, CSV_TYPE);
  }
}

@Module({
  imports: [ApplicationsModule],
  controllers: [BeginImportController, ImportChecksController, ImportsController, ImportTemplateController],
  providers: [BeginImportHandler],
})
export class ImportsModule {}
