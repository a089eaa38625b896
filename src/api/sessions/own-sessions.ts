import { Body, Controller, Get, Inject, Injectable, Param, Post } from '@nestjs/common';
import { type Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { applications } from '../../../projections/applications.js';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import { type Decision, staleVersion } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { pick } from '../../core/json-schema.js';
import { streamName } from '../../core/stream-name.js';
import { withInvitation } from '../../domain/application/reading.js';
import type { Candidate } from '../../domain/candidate/decider.js';
import { type ApplicationRef, applicationRefOf, type Invitation } from '../../domain/candidate/events.js';
import {
  checkIdentity,
  completeTrial,
  startTrial,
  type TokenIdentity,
  withdrawTrial,
} from '../../domain/session/decider.js';
import { OPEN_TURNS, type OpenTurns } from '../../domain/session/ending.js';
import type { TrialEvent } from '../../domain/session/events.js';
import { recordAnswer } from '../../domain/session/interview-decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { saysErased } from '../applications/erased.js';
import { OwnApplications } from '../applications/own-applications.js';
import { OwnTrialRecord, partsOf, trialRecord } from '../applications/record.js';
import { Commands, type Done, RouteCommand } from '../cqrs/commands.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../cqrs/reads.js';
import { Schema } from '../validation/fields.js';
import { Exactly } from '../validation/rules.js';

@Schema('StartTrialSession')
export class StartTrialDto {
  @Exactly(true) consent!: true;
}

/** What a candidate's command on their own session is decided by. */
export interface OwnSession {
  readonly application: ApplicationRef;
  /** Of the token that the command came with. */
  readonly identity: TokenIdentity;
}

/** Decides on a session with its invitation, unless the candidate was erased. */
export const decideOnSession = (
  streams: CommandStreams,
  context: RequestContext,
  application: ApplicationRef,
  decide: (
    state: TrialState,
    on: { readonly invitation: Invitation; readonly now: string; readonly expectedVersion: number | null },
    candidate: Candidate,
  ) => Decision<TrialEvent>,
): Promise<Handled<TrialState>> => {
  const { expectedVersion } = context;
  const now = context.now.toISOString();
  return streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
    withInvitation(streams, application, (invitation, candidate) =>
      decide(state, { invitation, now, expectedVersion }, candidate),
    ),
  );
};

export class StartTrial extends RouteCommand<TrialState, OwnSession> {}

@CommandHandler(StartTrial)
export class StartTrialHandler implements ICommandHandler<StartTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: StartTrial): Promise<Handled<TrialState>> {
    return decideOnSession(this.streams, context, input.application, (state, on, candidate) =>
      startTrial(state, { ...on, consent: true, identity: checkIdentity(candidate, input.identity) }),
    );
  }
}

export class WithdrawTrial extends RouteCommand<TrialState, OwnSession> {}

@CommandHandler(WithdrawTrial)
export class WithdrawTrialHandler implements ICommandHandler<WithdrawTrial> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, input }: WithdrawTrial): Promise<Handled<TrialState>> {
    return decideOnSession(this.streams, context, input.application, withdrawTrial);
  }
}

export class CompleteTrial extends RouteCommand<TrialState, OwnSession> {}

@CommandHandler(CompleteTrial)
export class CompleteTrialHandler implements ICommandHandler<CompleteTrial> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(OPEN_TURNS) private readonly openTurns: OpenTurns,
  ) {}

  async execute({ context, input }: CompleteTrial): Promise<Handled<TrialState>> {
    const { application } = input;
    const stream = streamName('trial', application.trialSessionId);
    const { state: before } = await this.streams.read(trial, stream);
    // A completion that will be refused leaves the candidate in the middle of the answer.
    const isMeant = before !== null && !staleVersion(context.expectedVersion, before.version);
    const said = isMeant ? await this.openTurns.saidSoFar(application) : null;
    const handled = await decideOnSession(this.streams, context, application, (state, on, candidate) => {
      const answered = said === null ? null : recordAnswer(state, said);
      const first = answered?.kind === 'accepted' ? answered.events : [];
      const evaluationId = context.newId('evaluation');
      const identity = checkIdentity(candidate, input.identity);
      return completeTrial(state, { ...on, identity, evaluationId, first });
    });
    if (said !== null && handled.kind === 'done')
      await this.openTurns.letGo(application, handled.state, said.turn).catch(sweptLater);
    return handled;
  }
}

/** The session is completed all the same; the sweep removes the audio that is left. */
const sweptLater = (): void => undefined;

const noSuchSession = () => notFound('There is no such trial session.');

const CACHED_SESSIONS = 10_000;
/** Since the session's last command: a subject does not stay in memory for good. */
const CACHED_MS = 5 * 60_000;

/** Executes candidates' commands on their own sessions. To any other caller a session does not exist. */
@Injectable()
export class OwnSessions {
  /** By session. Whose it is never changes; the candidate's stream, which each command reads, tells of an erasure. */
  private readonly known = new LRUCache<
    string,
    { readonly subject: string; readonly application: ApplicationRef }
  >({
    max: CACHED_SESSIONS,
    ttl: CACHED_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
  });

  constructor(
    private readonly commands: Commands,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly own: OwnApplications,
  ) {}

  /** @throws {ApiError} the session is not the caller's, or the command is refused */
  async execute(
    id: string,
    meta: RequestMeta,
    caller: Caller,
    commandOn: (context: RequestContext, input: OwnSession) => Command<Handled<TrialState>>,
  ): Promise<Done<TrialState>> {
    const application = await this.applicationOf(id, meta, caller);
    const actor = { type: 'candidate', id: application.candidateId } as const;
    const context = this.contexts.forRequest(meta, caller.subject, actor);
    try {
      return await this.commands.execute(commandOn(context, { application, identity: caller }));
    } catch (error) {
      if (!saysErased(error)) throw error;
      this.known.delete(id);
      throw noSuchSession();
    }
  }

  private async applicationOf(id: string, meta: RequestMeta, caller: Caller): Promise<ApplicationRef> {
    const known = this.known.get(id);
    if (known?.subject === caller.subject) return known.application;
    const own = await this.reads.settled([applications], () => this.own.bySession(caller, id, meta));
    if (!own) throw noSuchSession();
    const { id: applicationId, document } = own.application;
    const application = applicationRefOf({ ...document, applicationId });
    this.known.set(id, { subject: caller.subject, application });
    return application;
  }
}

const answered = (description: string) => ({
  status: 200,
  description,
  schema: OwnTrialRecord,
  headers: ['ETag'] as const,
});

@Controller('trial-sessions/:trialSessionId')
export class OwnSessionController {
  constructor(
    private readonly own: OwnApplications,
    private readonly sessions: OwnSessions,
  ) {}

  @Get()
  @SignedIn()
  @Operation({
    id: 'trialSessions.read',
    tag: 'Candidates',
    summary: 'Get my trial session',
    success: answered('The trial session.'),
  })
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
  @Operation({
    id: 'trialSessions.start',
    tag: 'Candidates',
    summary: 'Start the trial',
    example: { consent: true },
    success: answered('The trial session, started.'),
    conditional: true,
    errors: ['session_ended'],
  })
  start(
    @Param('trialSessionId') id: string,
    @Body() _consent: StartTrialDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    return this.executed(id, meta, caller, StartTrial);
  }

  @Post('complete')
  @SignedIn()
  @Operation({
    id: 'trialSessions.complete',
    tag: 'Candidates',
    summary: 'Complete the trial',
    description: 'Its evaluation begins.',
    success: answered('The trial session, completed.'),
    conditional: true,
    errors: ['not_started', 'session_ended'],
  })
  complete(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    return this.executed(id, meta, caller, CompleteTrial);
  }

  @Post('withdraw')
  @SignedIn()
  @Operation({
    id: 'trialSessions.withdraw',
    tag: 'Candidates',
    summary: 'Withdraw from the trial',
    success: answered('The trial session, withdrawn.'),
    conditional: true,
    errors: ['session_ended'],
  })
  withdraw(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    return this.executed(id, meta, caller, WithdrawTrial);
  }

  private async executed(
    id: string,
    meta: RequestMeta,
    caller: Caller,
    Change: typeof StartTrial,
  ): Promise<Answer<OwnTrialRecord>> {
    const done = await this.sessions.execute(
      id,
      meta,
      caller,
      (context, input) => new Change(context, input),
    );
    const { state, consistencyToken } = done;
    return ok(pick(OwnTrialRecord, trialRecord(state)), { version: state.version, consistencyToken });
  }
}
