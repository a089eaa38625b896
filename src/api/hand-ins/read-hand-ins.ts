import { Controller, Get, Module, Param, Query } from '@nestjs/common';
import type { Member } from '../../application/caller.js';
import { EvaluationReadRecorder } from '../../application/evaluations/read-recorder.js';
import type { ListQuery } from '../../application/reads.js';
import { UploadsModule } from '../../application/uploads/uploads.js';
import { actorOf } from '../../core/command-context.js';
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
import { memberMay } from '../../domain/organisation/permissions.js';
import { TreeFile } from '../../domain/ticket/events.js';
import { CurrentMember, StaffMay } from '../../http/access/access.decorator.js';
import { type Answer, file, type FileAnswer, ok, page } from '../../http/answer.js';
import { type Query as QueryString, queryParameter, readQuery, requireQuery } from '../../http/list-query.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersFile, answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import type { FoundApplication } from '../applications/record.js';
import { EvaluationsModule } from '../evaluations/evaluations.module.js';
import { TicketsModule } from '../tickets/tickets.js';
import { pathParameter } from '../uploads/files.js';
import { HandInRecord } from './candidate-hand-ins.js';
import { StaffHandInChecks, staffHandInChecks } from './checks.js';
import { type FoundHandIn, StaffHandIns } from './staff-hand-ins.js';

const FOR_READERS = '`null` for members who may not read work (`work.read`).';
const HASH = Type.String({ description: `Lower-case hex. ${FOR_READERS}` });

/** A hand-in as staff see it. */
type StaffHandInRecord = Static<typeof StaffHandInRecord>;
const StaffHandInRecord = Named('StaffHandIn', {
  id: Uuid,
  ticketId: Uuid,
  name: Nullable(Type.String({ description: `As the candidate calls the file. ${FOR_READERS}` })),
  bytes: Count,
  sha256: Nullable(HASH),
  status: HandInRecord.properties.status,
  refusal: Nullable(
    Type.String({ description: `Why it is refused, as its candidate was told. ${FOR_READERS}` }),
  ),
  fileCount: Nullable({ ...Count, description: 'Files that it unpacks to; `null` until it is handed in.' }),
  treeSha256: Nullable(HASH),
  begunAt: Instant,
  handedInAt: Nullable(Instant),
});

type StaffHandInWithFiles = Static<typeof StaffHandInWithFiles>;
const StaffHandInWithFiles = Named('StaffHandInWithFiles', {
  ...StaffHandInRecord.properties,
  files: Nullable(
    Type.Array(TreeFile, {
      description: `What it unpacks to, by path; \`null\` until it is handed in. ${FOR_READERS}`,
    }),
  ),
  similarTo: Nullable(
    Named(
      'SimilarHandIn',
      { trialSessionId: Uuid, handInId: Uuid },
      {
        description: `The hand-in of another candidate that the finding \`copied_from_other_hand_in\` of the last evaluation is about; \`null\` if there is none, and once that candidate was erased. ${FOR_READERS}`,
      },
    ),
  ),
});

const Side = Named('FileSide', { bytes: Count, sha256: Type.String({ description: 'Lower-case hex.' }) });

const FileDifferenceRecord = Named('FileDifference', {
  path: Type.String(),
  before: Nullable(Side),
  after: Nullable(Side),
  hunks: Nullable(
    Type.Array(
      Named('Hunk', {
        beforeStart: { ...Count, description: 'The first line, from 1; 0 where the file has none here.' },
        beforeLines: Count,
        afterStart: { ...Count, description: 'The first line, from 1; 0 where the file has none here.' },
        afterLines: Count,
        lines: Type.Array(Type.String(), {
          description:
            'Each begins with a blank (on both sides), `-` (before) or `+` (after); `\\` says that the line before it has no end.',
        }),
      }),
      { description: '`null`: `omitted` says why.' },
    ),
  ),
  omitted: Nullable(
    Enumeration('OmittedLines', ['binary', 'too_large'], {
      description:
        '`binary`: not text in UTF-8. `too_large`: too long, or too different, or the answer has enough already: ask for this file by `path`.',
    }),
  ),
});

type DifferenceRecord = Static<typeof DifferenceRecord>;
const DifferenceRecord = Named('WorkDifference', {
  from: Nullable({
    ...Uuid,
    description:
      'The earlier hand-in. `null`: the ticket’s starter, as the session began with it; without one all files are added.',
  }),
  files: Type.Array(FileDifferenceRecord, { description: 'Files that differ, by path.' }),
});

const FILE = { ...pathParameter('The file’s path.'), required: true, example: 'answer.md' };
const ONE_FILE = pathParameter('Compares the one file of this path.');
const FROM = queryParameter(
  'from',
  Uuid,
  'An earlier hand-in of the same session to compare with, in place of the starter.',
);

const operations = {
  list: {
    id: 'handIns.listForStaff',
    tag: 'Applications',
    summary: 'List what was handed in',
    description:
      'In a trial session, by all its tickets. Members who may not read work get figures alone. It counts as a read of the evaluation, once there is one.',
    list: true,
    links: { handInId: '/items/0/id' },
    success: answersPage('Hand-ins, in the order in which they were begun.', StaffHandInRecord),
    errors: ['erased'],
  },
  read: {
    id: 'handIns.readForStaff',
    tag: 'Applications',
    summary: 'Get a hand-in',
    description: 'With its files. It counts as a read of the evaluation, once there is one.',
    success: { status: 200, description: 'The hand-in.', schema: StaffHandInWithFiles },
    errors: ['erased'],
  },
  file: {
    id: 'handIns.readFile',
    tag: 'Applications',
    summary: 'Get a file of a hand-in',
    description: 'It counts as a read of the evaluation, once there is one.',
    query: [FILE],
    success: answersFile('The file’s content.'),
    errors: ['erased', 'hand_in_incomplete', 'work_refused'],
  },
  difference: {
    id: 'handIns.compare',
    tag: 'Applications',
    summary: 'Compare a hand-in with its starter',
    description:
      'With the starter that the session began with, or with an earlier hand-in. By lines. Time and size are bounded: of what would take more, only the hashes are shown. It counts as a read of the evaluation, once there is one.',
    query: [FROM, ONE_FILE],
    success: { status: 200, description: 'How it differs.', schema: DifferenceRecord },
    errors: ['erased', 'hand_in_incomplete', 'work_refused'],
  },
  checks: {
    id: 'handIns.readChecks',
    tag: 'Applications',
    summary: 'Get what the checks said of a hand-in',
    description:
      'Of the visible checks and of all: figures, and for members who may read work each test, with its message, and the output. It counts as a read of the evaluation, once there is one.',
    success: { status: 200, description: 'What the checks said.', schema: StaffHandInChecks },
    errors: ['erased'],
  },
} satisfies Operations;

interface SessionPath {
  readonly orgId: string;
  readonly trialSessionId: string;
}

@Controller('organisations/:orgId/trial-sessions/:trialSessionId/hand-ins')
export class StaffHandInsController {
  constructor(
    private readonly handIns: StaffHandIns,
    private readonly readRecorder: EvaluationReadRecorder,
  ) {}

  @Get()
  @StaffMay('evaluations.read')
  @Operation(operations.list)
  async list(
    @Param() path: SessionPath,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer> {
    const session = await this.handIns.session(path.orgId, path.trialSessionId, meta);
    const found = await this.handIns.list(session, list, meta);
    await this.record(session, member);
    return page(found, (one) => recordOf(one, member));
  }

  @Get(':handInId')
  @StaffMay('evaluations.read')
  @Operation(operations.read)
  async read(
    @Param() path: SessionPath,
    @Param('handInId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<StaffHandInWithFiles>> {
    const session = await this.handIns.session(path.orgId, path.trialSessionId, meta);
    const found = await this.handIns.find(session, id, meta);
    await this.record(session, member);
    const isRead = mayRead(member);
    const manifest = isRead ? (found.document.personal?.manifest ?? null) : null;
    const similar = isRead ? await this.handIns.similar(found) : null;
    return ok({ ...recordOf(found, member), files: manifest && [...manifest], similarTo: similar });
  }

  @Get(':handInId/checks')
  @StaffMay('evaluations.read')
  @Operation(operations.checks)
  async checks(
    @Param() path: SessionPath,
    @Param('handInId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<StaffHandInChecks>> {
    const session = await this.handIns.session(path.orgId, path.trialSessionId, meta);
    const { document } = await this.handIns.find(session, id, meta);
    await this.record(session, member);
    return ok(staffHandInChecks(document, mayRead(member)));
  }

  @Get(':handInId/file')
  @StaffMay('work.read')
  @Operation(operations.file)
  async file(
    @Param() path: SessionPath,
    @Param('handInId') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<FileAnswer> {
    const wanted = requireQuery(query, FILE);
    const session = await this.handIns.session(path.orgId, path.trialSessionId, meta);
    const { content } = await this.handIns.file(await this.handIns.find(session, id, meta), wanted);
    await this.record(session, member);
    return file(content, content.byteLength);
  }

  @Get(':handInId/difference')
  @StaffMay('work.read')
  @Operation(operations.difference)
  async difference(
    @Param() path: SessionPath,
    @Param('handInId') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentMember() member: Member,
  ): Promise<Answer<DifferenceRecord>> {
    const [from, one] = [readQuery(query, FROM), readQuery(query, ONE_FILE)];
    const session = await this.handIns.session(path.orgId, path.trialSessionId, meta);
    const found = await this.handIns.find(session, id, meta);
    const before = from === null ? null : await this.handIns.find(session, from, meta);
    const files = await this.handIns.difference(found, before, one);
    await this.record(session, member);
    return ok({
      from,
      files: files.map(({ hunks, ...file }) => ({
        ...file,
        hunks: hunks && hunks.map((hunk) => ({ ...hunk, lines: [...hunk.lines] })),
      })),
    });
  }

  /** Records that the member reads the work, as a read of its evaluation. Before there is one, nothing is recorded. */
  private async record({ document }: FoundApplication, member: Member): Promise<void> {
    const { organisationId, trial } = document;
    const { evaluationId } = trial;
    if (evaluationId !== null)
      await this.readRecorder.record({ organisationId, evaluationId }, actorOf(member));
  }
}

const mayRead = (member: Member): boolean => memberMay(member, 'work.read');

/** Members who may not read work get figures alone: a hash would reveal whose work is the same. */
const recordOf = ({ id, document }: FoundHandIn, member: Member): StaffHandInRecord => {
  const { ticketId, bytes, sha256, status, begunAt, handedInAt, work, personal } = document;
  const isRead = mayRead(member);
  return {
    ...{ id, ticketId, bytes, status, begunAt, handedInAt },
    name: isRead ? (personal?.name ?? null) : null,
    refusal: isRead ? (personal?.refusal ?? null) : null,
    sha256: isRead ? sha256 : null,
    treeSha256: isRead ? (work?.treeSha256 ?? null) : null,
    fileCount: work?.files ?? null,
  };
};

/** What candidates handed in, for the organisation's staff. */
@Module({
  imports: [ApplicationsModule, EvaluationsModule, TicketsModule, UploadsModule],
  controllers: [StaffHandInsController],
  providers: [StaffHandIns],
})
export class StaffHandInsModule {}
