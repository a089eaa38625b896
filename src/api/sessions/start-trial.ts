import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { startTrial, checkIdentity, type TokenIdentity } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { Exactly, Strict } from '../validation/index.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import type { Answer } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import type { OwnTrialRecord } from '../applications/record.js';
import { ownSessionAnswer, ownSessionAnswered, OwnSessions } from './own-session.js';

@Strict()
export class StartTrialDto {
  @Exactly(true) consent!: true;
}

export class StartTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly identity: TokenIdentity,
  ) {
    super();
  }
}

@CommandHandler(StartTrial)
export class StartTrialHandler implements ICommandHandler<StartTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, identity }: StartTrial): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation, candidate) =>
        startTrial(state, {
          invitation,
          now,
          expectedVersion,
          consent: true,
          identity: checkIdentity(candidate, identity),
        }),
      ),
    );
  }
}

@Controller('trial-sessions/:id/start')
export class StartTrialController {
  constructor(private readonly sessions: OwnSessions) {}

  @Post()
  @SignedIn()
  @Operation({
    id: 'trials.start',
    tag: 'Candidates',
    summary: 'Start the trial',
    success: ownSessionAnswered('The trial session, started.'),
    conditional: true,
    errors: ['not_found', 'session_ended', 'conflict'],
  })
  async start(
    @Param('id') id: string,
    @Body() _consent: StartTrialDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const command = (context: RequestContext, ref: ApplicationRef) => new StartTrial(context, ref, caller);
    return ownSessionAnswer(await this.sessions.execute(id, meta, caller, command));
  }
}
