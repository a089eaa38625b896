import { Inject, Controller, Param, Post } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { recordAnswer } from '../../domain/session/interview-decider.js';
import { OPEN_TURNS, type OpenTurns } from '../../domain/session/ending.js';
import { completeTrial, checkIdentity, type TokenIdentity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import type { Answer } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import type { OwnTrialRecord } from '../applications/record.js';
import { ownSessionAnswer, ownSessionAnswered, OwnSessions } from './own-session.js';

export class CompleteTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly identity: TokenIdentity,
  ) {
    super();
  }
}

@CommandHandler(CompleteTrial)
export class CompleteTrialHandler implements ICommandHandler<CompleteTrial> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(OPEN_TURNS) private readonly openTurns: OpenTurns,
  ) {}

  async execute({ context, application, identity: token }: CompleteTrial): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    const stream = streamName('trial', application.trialSessionId);
    const { state: before } = await this.streams.read(trial, stream);
    // A completion that will be refused leaves the candidate in the middle of the answer.
    const isMeant = before !== null && !staleVersion(expectedVersion, before.version);
    const said = isMeant ? await this.openTurns.saidSoFar(application) : null;
    const now = context.now.toISOString();
    const handled = await this.streams.handle(trial, stream, context, (state) =>
      withInvitation(this.streams, application, (invitation, candidate) => {
        const answered = said === null ? null : recordAnswer(state, said);
        const first = answered?.kind === 'accepted' ? answered.events : [];
        const evaluationId = context.newId('evaluation');
        const identity = checkIdentity(candidate, token);
        return completeTrial(state, { invitation, now, expectedVersion, identity, evaluationId, first });
      }),
    );
    if (said !== null && handled.kind === 'done')
      await this.openTurns.letGo(application, handled.state, said.turn).catch(sweptLater);
    return handled;
  }
}

/** The session is completed all the same; what lies there yet is swept. */
const sweptLater = (): void => undefined;

@Controller('trial-sessions/:id/complete')
export class CompleteTrialController {
  constructor(private readonly sessions: OwnSessions) {}

  @Post()
  @SignedIn()
  @Operation({
    id: 'trials.complete',
    tag: 'Candidates',
    summary: 'Complete the trial',
    description: 'Its evaluation begins.',
    success: ownSessionAnswered('The trial session, completed.'),
    conditional: true,
    errors: ['not_found', 'not_started', 'session_ended', 'conflict'],
  })
  async complete(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const command = (context: RequestContext, ref: ApplicationRef) => new CompleteTrial(context, ref, caller);
    return ownSessionAnswer(await this.sessions.execute(id, meta, caller, command));
  }
}
