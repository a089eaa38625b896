import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Controller, Param, Post } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { withdrawTrial } from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import type { Answer } from '../http/answer.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import type { OwnTrialRecord } from '../applications/record.js';
import { ownSessionAnswer, ownSessionAnswered, OwnSessions } from './own-session.js';

export class WithdrawTrial extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
  ) {
    super();
  }
}

@CommandHandler(WithdrawTrial)
export class WithdrawTrialHandler implements ICommandHandler<WithdrawTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application }: WithdrawTrial): Promise<Handled<TrialState>> {
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation) =>
        withdrawTrial(state, { invitation, now, expectedVersion }),
      ),
    );
  }
}

@Controller('trial-sessions/:id/withdraw')
export class WithdrawTrialController {
  constructor(private readonly sessions: OwnSessions) {}

  @Post()
  @SignedIn()
  @Operation({
    id: 'trials.withdraw',
    tag: 'Candidates',
    summary: 'Withdraw from the trial',
    success: ownSessionAnswered('The trial session, withdrawn.'),
    conditional: true,
    errors: ['not_found', 'session_ended', 'conflict'],
  })
  async withdraw(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const command = (context: RequestContext, ref: ApplicationRef) => new WithdrawTrial(context, ref);
    return ownSessionAnswer(await this.sessions.execute(id, meta, caller, command));
  }
}
