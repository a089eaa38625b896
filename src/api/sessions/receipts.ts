import { Controller, Get, Inject, Param, Query } from '@nestjs/common';
import { MAX_ACTIVITIES } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Caller } from '../../application/caller.js';
import { CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { VAULT } from '../../application/tokens.js';
import { Count, Named, type Static, Type } from '../../core/json-schema.js';
import type { PersonId } from '../../core/vault/port.js';
import { MAX_CLIENT_ID } from '../../domain/session/activity-types.js';
import { hasId } from '../../domain/session/id-set.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { type Query as QueryString, queryParameter, readQuery } from '../../http/list-query.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import type { Vault } from '../../vault/port.js';
import { noSuchSession } from './candidate-sessions.js';

/** Which messages and events of its clients the session's stream has. */
type ReceiptsRecord = Static<typeof ReceiptsRecord>;
const ReceiptsRecord = Named('TrialSessionReceipts', {
  ended: Type.Boolean({ description: 'The session has ended: what is not recorded now never will be.' }),
  recorded: Type.Array(Type.String(), {
    description: 'Those of the ids under which something was recorded.',
  }),
  lastAudioSeq: Count,
});

const IDS = queryParameter(
  'id',
  Type.Array(Type.String({ maxLength: MAX_CLIENT_ID, pattern: '\\S' }), { maxItems: MAX_ACTIVITIES }),
  'An `id` of a message of the interview, or a `clientEventId` of an activity.',
);

const operations = {
  read: {
    id: 'trialSessions.readReceipts',
    tag: 'Candidates',
    summary: 'Get which of my messages were recorded',
    description:
      'For a client of the interview that was cut off before the service had acknowledged its last messages: once the session has ended, its socket cannot be opened any more. The answer is of the log as it is now. The candidate’s audio is durable up to `lastAudioSeq`.',
    query: [IDS],
    success: { status: 200, description: 'What was recorded.', schema: ReceiptsRecord },
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId/receipts')
export class ReceiptsController {
  constructor(
    private readonly sessions: CandidateSessions,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'audio'>,
  ) {}

  @Get()
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('trialSessionId') id: string,
    @Query() query: QueryString,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ReceiptsRecord>> {
    const asked = readQuery(query, IDS) ?? [];
    const session = await this.sessions.read(caller, id, meta);
    if (!session) throw noSuchSession();
    const { application, state } = session;
    const { candidateId, trialSessionId } = application;
    const audio = { person: candidateId as PersonId, trialSessionId };
    const { lastSeq } = await this.vault.audio.state(audio);
    const known = state
      ? [state.clientEventIds, ...(state.interview ? [state.interview.messageIds.ids] : [])]
      : [];
    return ok({
      ended: state !== null && isClosed(state),
      recorded: asked.filter((one) => known.some((ids) => hasId(ids, one))),
      lastAudioSeq: lastSeq,
    });
  }
}
