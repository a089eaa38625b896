import { Body, Controller, Get, Module, Param, Post } from '@nestjs/common';
import { Readable } from 'node:stream';
import type { Caller } from '../../application/caller.js';
import { BeginHandIn, BeginHandInHandler } from '../../application/hand-ins/begin-hand-in.js';
import {
  CandidateHandIns,
  type CandidateHandIn,
  type HandInPath,
} from '../../application/hand-ins/candidate-hand-ins.js';
import { CompleteHandIn, CompleteHandInHandler } from '../../application/hand-ins/complete-hand-in.js';
import type { ListQuery } from '../../application/reads.js';
import { CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { UploadsModule } from '../../application/uploads/uploads.js';
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
import { handInOf } from '../../domain/session/hand-ins.js';
import { TreeFile } from '../../domain/ticket/events.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, created, file, type FileAnswer, ok, page } from '../../http/answer.js';
import { allowed } from '../../http/api-error.js';
import { List, Meta, type RequestMeta } from '../../http/meta.js';
import { answersFile, answersPage, Operation, type Operations } from '../../http/openapi/operation.js';
import { Limited } from '../../http/rate-limits.js';
import { Schema } from '../../http/validation/fields.js';
import { Whole } from '../../http/validation/rules.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import { Commands } from '../cqrs/commands.js';
import { ownApplication } from '../sessions/candidate-sessions.js';
import { SessionsModule } from '../sessions/sessions.module.js';
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
import { HandInChecks, handInChecks } from './checks.js';

@Schema('BeginHandIn')
export class BeginHandInDto extends AnnouncedDto {
  @Whole({ min: 1, max: HAND_IN_LIMITS.bytes }) bytes!: number;
}

/** A hand-in as its candidate sees it. */
type HandInRecord = Static<typeof HandInRecord>;
export const HandInRecord = Named('HandIn', {
  id: Uuid,
  ticketId: Uuid,
  name: Nullable(Type.String({ description: '`null` once it can no longer be read.' })),
  bytes: Count,
  sha256: Type.String({ description: 'Of the file, in lower-case hex.' }),
  received: RECEIVED,
  status: Enumeration('HandInStatus', ['receiving', 'handed_in', 'refused']),
  refusal: Nullable(
    Type.String({
      description:
        'Why it is refused: no further piece is taken, and these bytes under this name never are. `null`: it is not refused, or the sentence can no longer be read.',
    }),
  ),
  files: Nullable(
    Type.Array(TreeFile, { description: 'What it unpacks to, by path; `null` until it is handed in.' }),
  ),
  treeSha256: Nullable(
    Type.String({
      description:
        'Of `files`: the SHA-256 of one line for each, in the order of their paths’ bytes: `<sha256>`, two blanks, `<path>`, a line feed. `null` until it is handed in.',
    }),
  ),
  begunAt: Instant,
  handedInAt: Nullable(Instant),
  checks: Nullable(HandInChecks),
});

/** @param received bytes that have arrived */
export const handInRecord = (
  { id, document, isChecked }: CandidateHandIn,
  received: number,
): HandInRecord => {
  const { ticketId, bytes, sha256, status, begunAt, handedInAt, work, personal } = document;
  const { name = null, manifest = null, refusal = null } = personal ?? {};
  return {
    ...{ id, ticketId, name, bytes, sha256, received, status, refusal },
    files: manifest && [...manifest],
    treeSha256: work?.treeSha256 ?? null,
    ...{ begunAt, handedInAt },
    checks: handInChecks(document, isChecked),
  };
};

/** How far an upload has come. */
type Received = Static<typeof Received>;
const Received = Named('Received', { received: RECEIVED });

const operations = {
  begin: {
    id: 'handIns.begin',
    tag: 'Candidates',
    summary: 'Begin a hand-in',
    description: `Announces a file for a ticket: ${describeFormats(HAND_IN_LIMITS)} These very bytes again are the same hand-in, unless other work was handed in after them; if it is \`refused\`, only under the same name. Its content follows in pieces.`,
    example: exampleFile('answer.md'),
    links: { handInId: '/id' },
    success: {
      status: 201,
      description: 'The hand-in: a new one, or the one of these very bytes.',
      schema: HandInRecord,
      headers: ['Location'],
    },
    errors: ['not_started', 'session_ended', 'nothing_to_hand_in', 'hand_ins_full', 'session_full'],
  },
  list: {
    id: 'handIns.list',
    tag: 'Candidates',
    summary: 'List my hand-ins for a ticket',
    list: true,
    links: { handInId: '/items/0/id' },
    success: answersPage('Hand-ins, in the order in which they were begun.', HandInRecord),
  },
  read: {
    id: 'handIns.read',
    tag: 'Candidates',
    summary: 'Get my hand-in',
    description:
      'Go on at `received`. `checks` has the result of the visible checks: while they are `waiting`, ask again every few seconds.',
    success: { status: 200, description: 'The hand-in.', schema: HandInRecord },
  },
  add: {
    id: 'handIns.addPiece',
    tag: 'Candidates',
    summary: 'Send a piece of a hand-in',
    description: `${PIECE_DESCRIPTION} A hand-in that was begun before the session was completed may go on for 10 minutes after it.`,
    example: EXAMPLE_PIECE,
    eventless: true,
    success: { status: 200, description: 'How much has arrived.', schema: Received },
    errors: ['session_ended', 'hand_ins_full', 'work_refused'],
  },
  complete: {
    id: 'handIns.complete',
    tag: 'Candidates',
    summary: 'Complete a hand-in',
    description:
      'Once all of its content has arrived. It is unpacked and recorded as evidence. Content that is not what was announced is discarded: the hand-in may be sent again from its beginning. Content that cannot be taken is discarded too, and the hand-in is `refused` from then on. One that was begun before the session was completed may be completed for 10 minutes after it, and counts.',
    success: { status: 200, description: 'The hand-in, handed in.', schema: HandInRecord },
    errors: ['not_started', 'session_ended', 'hand_in_incomplete', 'hand_ins_full', 'work_refused'],
  },
  content: {
    id: 'handIns.readContent',
    tag: 'Candidates',
    summary: 'Get the content of my hand-in',
    success: answersFile('The file as it was sent.'),
    errors: ['hand_in_incomplete'],
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId/tickets/:ticketId/hand-ins')
export class CandidateHandInsController {
  constructor(
    private readonly own: CandidateHandIns,
    private readonly sessions: CandidateSessions,
    private readonly commands: Commands,
  ) {}

  @Post()
  @SignedIn()
  @Limited('activity')
  @Operation(operations.begin)
  async begin(
    @Param() path: Omit<HandInPath, 'handInId'>,
    @Body() { name, bytes, sha256 }: BeginHandInDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<HandInRecord>> {
    const { trialSessionId, ticketId } = path;
    const application = await ownApplication(this.sessions, caller, trialSessionId, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const work = { ticketId, bytes, sha256 };
    const fileName = baseName(name);
    const done = await this.commands.execute(
      new BeginHandIn(context, { application, caller, work, name: fileName }),
    );
    const { consistencyToken, state } = done;
    const handInId = handInOf(state.handIns, work, fileName)?.handInId ?? '';
    const record = await this.recordOf(caller, { ...path, handInId }, { consistencyToken });
    return created(`${pathOf(path)}/${handInId}`, record, { consistencyToken });
  }

  @Get()
  @SignedIn()
  @Operation(operations.list)
  async list(
    @Param() path: Omit<HandInPath, 'handInId'>,
    @List() list: ListQuery,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer> {
    const found = allowed(await this.own.list(caller, path, list, meta));
    const received = await Promise.all(found.items.map((one) => this.own.received(one)));
    const items = found.items.map((one, place) => handInRecord(one, received[place] ?? 0));
    return page({ ...found, items }, (item) => item);
  }

  @Get(':handInId')
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param() path: HandInPath,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<HandInRecord>> {
    return ok(await this.recordOf(caller, path, meta));
  }

  @Post(':handInId/pieces')
  @SignedIn()
  @Limited('activity')
  @TakesPiece()
  @Operation(operations.add)
  async add(
    @Param() path: HandInPath,
    @Body() body: AddPieceDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Received>> {
    const piece = { offset: body.offset, bytes: bytesOf(body) };
    return ok(allowed(await this.own.addPiece(caller, path, piece, new Date().toISOString(), meta)));
  }

  @Post(':handInId/complete')
  @SignedIn()
  @Limited('activity')
  @Operation(operations.complete)
  async complete(
    @Param() path: HandInPath,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<HandInRecord>> {
    const { trialSessionId, ticketId, handInId } = path;
    const application = await ownApplication(this.sessions, caller, trialSessionId, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const command = new CompleteHandIn(context, { application, caller, ticketId, handInId });
    const { consistencyToken } = await this.commands.execute(command);
    return ok(await this.recordOf(caller, path, { consistencyToken }), { consistencyToken });
  }

  @Get(':handInId/content')
  @SignedIn()
  @Operation(operations.content)
  async content(
    @Param() path: HandInPath,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<FileAnswer> {
    const found = allowed(await this.own.find(caller, path, meta));
    return file(Readable.from(allowed(this.own.content(found))), found.document.bytes);
  }

  /** The record of a hand-in, as its view has it. @throws {ApiError} there is none at that path */
  private async recordOf(
    caller: Caller,
    path: HandInPath,
    freshness: Pick<RequestMeta, 'consistencyToken'>,
  ): Promise<HandInRecord> {
    const found: CandidateHandIn = allowed(await this.own.find(caller, path, freshness));
    return handInRecord(found, await this.own.received(found));
  }
}

/** Some browsers and programs send a path. */
const baseName = (name: string): string => name.split(/[/\\]/).findLast((part) => part.trim() !== '') ?? name;

const pathOf = ({ trialSessionId, ticketId }: Omit<HandInPath, 'handInId'>): string =>
  `/trial-sessions/${trialSessionId}/tickets/${ticketId}/hand-ins`;

/** What candidates hand in for their tickets. */
@Module({
  imports: [SessionsModule, UploadsModule],
  controllers: [CandidateHandInsController],
  providers: [BeginHandInHandler, CompleteHandInHandler, CandidateHandIns],
})
export class HandInsModule {}
