import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { Readable } from 'node:stream';
import { BeginFileSet } from '../../application/tickets/begin-file-set.js';
import { CompleteFileSet } from '../../application/tickets/complete-file-set.js';
import { type FileSetPath, FileSets } from '../../application/tickets/file-sets.js';
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
import { TreeFile } from '../../domain/ticket/events.js';
import type { UploadedFileSet } from '../../domain/ticket/file-set.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, created, file, type FileAnswer, ok } from '../../http/answer.js';
import { allowed } from '../../http/api-error.js';
import { answersFile, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Whole } from '../../http/validation/rules.js';
import { FILE_SET_LIMITS } from '../../work/limits.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import {
  AddPieceDto,
  AnnouncedDto,
  bytesOf,
  describeFormats,
  EXAMPLE_PIECE,
  exampleFile,
  PIECE_DESCRIPTION,
  RECEIVED,
  TakesPiece,
} from '../uploads/files.js';

@Schema('BeginFileSet')
export class BeginFileSetDto extends AnnouncedDto {
  @Whole({ min: 1, max: FILE_SET_LIMITS.bytes }) bytes!: number;
}

/** Files for a ticket, as far as they have arrived. */
type FileSetUpload = Static<typeof FileSetUpload>;
const FileSetUpload = Named('FileSetUpload', {
  id: Uuid,
  ticketId: Uuid,
  name: Type.String(),
  bytes: Count,
  sha256: Type.String({ description: 'Of the archive or file, in lower-case hex.' }),
  received: RECEIVED,
  status: Enumeration('FileSetStatus', ['receiving', 'complete']),
  treeSha256: Nullable(Type.String({ description: 'As of a `FileSet`; `null` until it is complete.' })),
  files: Nullable(Type.Array(TreeFile, { description: 'By path; `null` until it is complete.' })),
  begunAt: Instant,
});

const answers = (description: string) => ({ status: 200, description, schema: FileSetUpload });

const operations = {
  begin: {
    id: 'fileSets.begin',
    tag: 'Tickets',
    summary: 'Begin a file set',
    description: `Announces a ticket’s starter or checks: ${describeFormats(FILE_SET_LIMITS)} Its content follows in pieces; once it is complete, the ticket can name it.`,
    example: exampleFile('README.md'),
    links: { fileSetId: '/id' },
    success: {
      status: 201,
      description: 'The file set.',
      schema: FileSetUpload,
      headers: ['Location'],
    },
  },
  read: {
    id: 'fileSets.read',
    tag: 'Tickets',
    summary: 'Get a file set',
    description: 'Go on at `received`.',
    success: answers('The file set.'),
  },
  add: {
    id: 'fileSets.addPiece',
    tag: 'Tickets',
    summary: 'Send a piece of a file set',
    description: PIECE_DESCRIPTION,
    example: EXAMPLE_PIECE,
    eventless: true,
    success: answers('The file set, with how much has arrived.'),
  },
  complete: {
    id: 'fileSets.complete',
    tag: 'Tickets',
    summary: 'Complete a file set',
    description:
      'Once all of its content has arrived. It is unpacked and never changes. Content that is not what was announced, or cannot be taken, is discarded: it may be sent again from its beginning.',
    success: answers('The file set, complete.'),
    errors: ['hand_in_incomplete', 'work_refused'],
  },
  content: {
    id: 'fileSets.readContent',
    tag: 'Tickets',
    summary: 'Get the content of a file set',
    success: answersFile('What has arrived of the archive or file, as it was sent.'),
  },
} satisfies Operations;

type Path = Readonly<Record<'orgId' | 'ticketId' | 'fileSetId', string>>;

@Controller('organisations/:orgId/tickets/:ticketId/file-sets')
export class FileSetsController {
  constructor(
    private readonly commands: Commands,
    private readonly sets: FileSets,
  ) {}

  @Post()
  @StaffMay('roles.write')
  @Operation(operations.begin)
  async begin(
    @Param('orgId') organisationId: string,
    @Param('ticketId') ticketId: string,
    @Body() { name, bytes, sha256 }: BeginFileSetDto,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<FileSetUpload>> {
    const command = new BeginFileSet(context, { organisationId, ticketId, name, bytes, sha256 });
    const { state, consistencyToken } = await this.commands.execute(command);
    const path = `/organisations/${organisationId}/tickets/${ticketId}/file-sets/${state.fileSetId}`;
    return created(path, await this.recordNow(state), { consistencyToken });
  }

  @Get(':fileSetId')
  @StaffMay('roles.read')
  @Operation(operations.read)
  async read(@Param() path: Path): Promise<Answer<FileSetUpload>> {
    return ok(await this.recordNow(await this.find(path)));
  }

  @Post(':fileSetId/pieces')
  @StaffMay('roles.write')
  @TakesPiece()
  @Operation(operations.add)
  async add(@Param() path: Path, @Body() piece: AddPieceDto): Promise<Answer<FileSetUpload>> {
    const found = await this.find(path);
    const { received } = allowed(await this.sets.addPiece(found, piece.offset, bytesOf(piece)));
    return ok(recordOf(found, received));
  }

  @Post(':fileSetId/complete')
  @StaffMay('roles.write')
  @Operation(operations.complete)
  async complete(
    @Param() path: Path,
    @StaffContext() context: RequestContext,
  ): Promise<Answer<FileSetUpload>> {
    const command = new CompleteFileSet(context, pathOf(path));
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(await this.recordNow(state), { consistencyToken });
  }

  @Get(':fileSetId/content')
  @StaffMay('roles.read')
  @Operation(operations.content)
  async content(@Param() path: Path): Promise<FileAnswer> {
    const found = await this.find(path);
    const received = await this.sets.received(found);
    return file(Readable.from(received === 0 ? [] : this.sets.content(found)), received);
  }

  /** A file set of the ticket. @throws {ApiError} it has none by that id */
  private async find(path: Path): Promise<UploadedFileSet> {
    return allowed(await this.sets.find(pathOf(path)));
  }

  /** The record of a file set, with what has arrived by now. */
  private async recordNow(found: UploadedFileSet): Promise<FileSetUpload> {
    return recordOf(found, await this.sets.received(found));
  }
}

/** @param received bytes that have arrived */
const recordOf = (found: UploadedFileSet, received: number): FileSetUpload => {
  const { fileSetId: id, ticketId, name, bytes, sha256, tree, begunAt } = found;
  const { treeSha256 = null, files = null } = tree ?? {};
  const status = tree ? 'complete' : 'receiving';
  return { id, ticketId, name, bytes, sha256, received, status, treeSha256, files, begunAt };
};

const pathOf = ({ orgId, ticketId, fileSetId }: Path): FileSetPath => ({
  organisationId: orgId,
  ticketId,
  fileSetId,
});
