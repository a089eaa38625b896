import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import type { Caller } from '../../application/caller.js';
import { NO_SESSION, CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { CompleteTrial } from '../../application/sessions/complete-trial.js';
import { StartTrial } from '../../application/sessions/start-trial.js';
import { WithdrawTrial } from '../../application/sessions/withdraw-trial.js';
import { pick } from '../../core/json-schema.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { DEFINITION_LIMITS } from '../../domain/role/events.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, ok } from '../../http/answer.js';
import { refusalToApiError } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Exactly, Optional, Text } from '../../http/validation/rules.js';
import { OwnTrialRecord, partsOf, trialRecord } from '../applications/record.js';
import { Commands } from '../cqrs/commands.js';

@Schema('StartTrialSession')
export class StartTrialDto {
  @Exactly(true) consent!: true;
  @Optional() @Text({ notBlank: true, maxLength: DEFINITION_LIMITS.noticeVersion }) noticeVersion?: string;
}

/** 404: the caller has no such session. */
export const noSuchSession = () => refusalToApiError(NO_SESSION.refusal);

/**
 * The application behind a session of the caller's, for a command.
 * @throws {ApiError} the session is not the caller's
 */
export const ownApplication = async (
  sessions: CandidateSessions,
  caller: Caller,
  id: string,
  meta: RequestMeta,
): Promise<ApplicationRef> => {
  const application = await sessions.applicationOf(caller, id, meta);
  if (!application) throw noSuchSession();
  return application;
};

const operations = {
  read: {
    id: 'trialSessions.read',
    tag: 'Candidates',
    summary: 'Get my trial session',
    success: answersRecord('The trial session.', OwnTrialRecord),
  },
  start: {
    id: 'trialSessions.start',
    tag: 'Candidates',
    summary: 'Start the trial',
    example: { consent: true },
    description:
      '`noticeVersion` is that of the briefing’s notice: what was consented to is then evidence. Another one is refused.',
    success: answersRecord('The trial session, started.', OwnTrialRecord),
    conditional: true,
    errors: ['session_ended', 'notice_changed'],
  },
  complete: {
    id: 'trialSessions.complete',
    tag: 'Candidates',
    summary: 'Complete the trial',
    description: 'Its evaluation begins.',
    success: answersRecord('The trial session, completed.', OwnTrialRecord),
    conditional: true,
    errors: ['not_started', 'session_ended'],
  },
  withdraw: {
    id: 'trialSessions.withdraw',
    tag: 'Candidates',
    summary: 'Withdraw from the trial',
    success: answersRecord('The trial session, withdrawn.', OwnTrialRecord),
    conditional: true,
    errors: ['session_ended'],
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId')
export class CandidateSessionController {
  constructor(
    private readonly own: CandidateApplications,
    private readonly sessions: CandidateSessions,
    private readonly commands: Commands,
  ) {}

  @Get()
  @SignedIn()
  @Operation(operations.read)
  async read(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const own = await this.own.bySession(caller, id, meta);
    if (!own) throw noSuchSession();
    const session = partsOf(own.application, null).trial;
    return ok(pick(OwnTrialRecord, session), { version: session.version });
  }

  @Post('start')
  @SignedIn()
  @Operation(operations.start)
  async start(
    @Param('trialSessionId') id: string,
    @Body() { consent, noticeVersion }: StartTrialDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ...own } = await this.mine(caller, id, meta);
    return this.changed(new StartTrial(context, { ...own, consent, noticeVersion }));
  }

  @Post('complete')
  @SignedIn()
  @Operation(operations.complete)
  async complete(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ...own } = await this.mine(caller, id, meta);
    return this.changed(new CompleteTrial(context, own));
  }

  @Post('withdraw')
  @SignedIn()
  @Operation(operations.withdraw)
  async withdraw(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ...own } = await this.mine(caller, id, meta);
    return this.changed(new WithdrawTrial(context, own));
  }

  /** @throws {ApiError} the session is not the caller's */
  private async mine(caller: Caller, id: string, meta: RequestMeta) {
    const application = await ownApplication(this.sessions, caller, id, meta);
    return { application, caller, context: this.commands.contextOf(caller, application, meta) };
  }

  /** Carries out a command, and answers with the session after it. */
  private async changed(
    command: StartTrial | CompleteTrial | WithdrawTrial,
  ): Promise<Answer<OwnTrialRecord>> {
    const { state, consistencyToken } = await this.commands.execute(command);
    return ok(pick(OwnTrialRecord, trialRecord(state)), { version: state.version, consistencyToken });
  }
}
