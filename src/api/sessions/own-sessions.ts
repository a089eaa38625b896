import { Body, Controller, Get, Inject, Injectable, Param, Post } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { applications } from '../../../projections/applications.js';
import type { RequestContext } from '../../core/command-context.js';
import { type Decision, staleVersion } from '../../core/decider.js';
import { CommandStreams, WHILE_ASKED_FOR } from '../../core/handle.js';
import { pick } from '../../core/json-schema.js';
import { streamName } from '../../core/stream-name.js';
import { findInvitation, withInvitation } from '../../domain/application/reading.js';
import { type ApplicationRef, applicationRefOf, type Invitation } from '../../domain/candidate/events.js';
import { checkIdentity, completeTrial, startTrial, withdrawTrial } from '../../domain/session/decider.js';
import { OPEN_TURNS, type OpenTurns } from '../../domain/session/ending.js';
import type { IdentityCheck, TrialEvent } from '../../domain/session/events.js';
import { recordAnswer } from '../../domain/session/interview-decider.js';
import { DEFINITION_LIMITS } from '../../domain/role/events.js';
import { trial, type Trial, type TrialState } from '../../domain/session/state.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import type { Caller } from '../../application/caller.js';
import { OwnApplications } from '../applications/own-applications.js';
import { OwnTrialRecord, partsOf, trialRecord } from '../applications/record.js';
import { Commands, type Done } from '../cqrs/commands.js';
import { type Answer, ok } from '../../http/answer.js';
import { type ApiError, notFound } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { answersRecord, Operation } from '../../http/openapi/operation.js';
import { Reads } from '../../application/reads.js';
import { Notices } from './notice.js';
import { Schema } from '../../http/validation/fields.js';
import { Exactly, Optional, Text } from '../../http/validation/rules.js';

@Schema('StartTrialSession')
export class StartTrialDto {
  @Exactly(true) consent!: true;
  @Optional() @Text({ notBlank: true, maxLength: DEFINITION_LIMITS.noticeVersion }) noticeVersion?: string;
}

/** What a candidate's decision on their own session is made by. */
interface OnOwnSession {
  readonly invitation: Invitation;
  readonly now: string;
  readonly expectedVersion: number | null;
  readonly identity: IdentityCheck;
}

type DecideOnOwn = (
  state: TrialState,
  on: OnOwnSession,
) => Decision<TrialEvent> | Promise<Decision<TrialEvent>>;

/** The session is completed all the same; the sweep removes the audio that is left. */
const sweptLater = (): void => undefined;

export const noSuchSession = () => notFound('There is no such trial session.');

const CACHED_SESSIONS = 10_000;

/** Decides for candidates on their own sessions. To any other caller a session does not exist. */
@Injectable()
export class OwnSessions {
  /** By session. Its owner never changes. Each command reads the candidate's stream, and so sees an erasure. */
  private readonly known = new LRUCache<
    string,
    { readonly subject: string; readonly application: ApplicationRef }
  >({ max: CACHED_SESSIONS, ...WHILE_ASKED_FOR });

  constructor(
    private readonly commands: Commands,
    private readonly reads: Reads,
    private readonly own: OwnApplications,
    private readonly streams: CommandStreams,
    @Inject(OPEN_TURNS) private readonly openTurns: OpenTurns,
  ) {}

  /** @throws {ApiError} the session is not the caller's, or it is refused */
  decide(id: string, meta: RequestMeta, caller: Caller, decide: DecideOnOwn): Promise<Done<Trial>> {
    return this.onOwn(id, meta, caller, (application, context) =>
      this.decided(application, context, caller, decide),
    );
  }

  /** The session as its stream has it, to its end. @throws {ApiError} it is not the caller's */
  read(
    id: string,
    meta: RequestMeta,
    caller: Caller,
  ): Promise<{ readonly application: ApplicationRef; readonly state: TrialState }> {
    return this.onOwn(id, meta, caller, async (application) => {
      const found = await findInvitation(this.streams, application);
      if ('kind' in found || found.candidate.erased) throw noSuchSession();
      const { state } = await this.streams.read(trial, streamName('trial', application.trialSessionId));
      return { application, state };
    });
  }

  /** Completes the session, with the answer so far in its open turn. @throws {ApiError} as `decide` */
  complete(id: string, meta: RequestMeta, caller: Caller): Promise<Done<Trial>> {
    return this.onOwn(id, meta, caller, async (application, context) => {
      const stream = streamName('trial', application.trialSessionId);
      const { state: before } = await this.streams.read(trial, stream);
      // A completion that will be refused leaves the candidate in the middle of the answer.
      const isMeant = before !== null && !staleVersion(context.expectedVersion, before.version);
      const said = isMeant ? await this.openTurns.saidSoFar(application) : null;
      const done = await this.decided(application, context, caller, (state, on) => {
        const answered = said === null ? null : recordAnswer(state, said);
        const first = answered?.kind === 'accepted' ? answered.events : [];
        return completeTrial(state, { ...on, evaluationId: context.newId('evaluation'), first });
      });
      if (said !== null) await this.openTurns.letGo(application, done.state, said.turn).catch(sweptLater);
      return done;
    });
  }

  private decided(
    application: ApplicationRef,
    context: RequestContext,
    caller: Caller,
    decide: DecideOnOwn,
  ): Promise<Done<Trial>> {
    const { expectedVersion } = context;
    const now = context.now.toISOString();
    return this.commands.decide(trial, application.trialSessionId, context, (state, streams) =>
      withInvitation(streams, application, (invitation, candidate) => {
        const identity = checkIdentity(candidate, caller);
        return decide(state, { invitation, now, expectedVersion, identity });
      }),
    );
  }

  private async onOwn<T>(
    id: string,
    meta: RequestMeta,
    caller: Caller,
    work: (application: ApplicationRef, context: RequestContext) => Promise<T>,
  ): Promise<T> {
    const application = await this.applicationOf(id, meta, caller);
    const missing = (): ApiError => {
      this.known.delete(id);
      return noSuchSession();
    };
    return this.own.command(caller, application.candidateId, meta, missing, (context) =>
      work(application, context),
    );
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

@Controller('trial-sessions/:trialSessionId')
export class OwnSessionController {
  constructor(
    private readonly own: OwnApplications,
    private readonly sessions: OwnSessions,
    private readonly notices: Notices,
  ) {}

  @Get()
  @SignedIn()
  @Operation({
    id: 'trialSessions.read',
    tag: 'Candidates',
    summary: 'Get my trial session',
    success: answersRecord('The trial session.', OwnTrialRecord),
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
    description:
      '`noticeVersion` is that of the briefing’s notice: what was consented to is then evidence. Another one is refused.',
    success: answersRecord('The trial session, started.', OwnTrialRecord),
    conditional: true,
    errors: ['session_ended', 'notice_changed'],
  })
  async start(
    @Param('trialSessionId') id: string,
    @Body() { consent, noticeVersion: named }: StartTrialDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const decide: DecideOnOwn = async (state, on) => {
      const notice = named === undefined ? null : { named, current: await this.notices.of(on.invitation) };
      return startTrial(state, { ...on, consent, notice });
    };
    return changed(await this.sessions.decide(id, meta, caller, decide));
  }

  @Post('complete')
  @SignedIn()
  @Operation({
    id: 'trialSessions.complete',
    tag: 'Candidates',
    summary: 'Complete the trial',
    description: 'Its evaluation begins.',
    success: answersRecord('The trial session, completed.', OwnTrialRecord),
    conditional: true,
    errors: ['not_started', 'session_ended'],
  })
  async complete(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    return changed(await this.sessions.complete(id, meta, caller));
  }

  @Post('withdraw')
  @SignedIn()
  @Operation({
    id: 'trialSessions.withdraw',
    tag: 'Candidates',
    summary: 'Withdraw from the trial',
    success: answersRecord('The trial session, withdrawn.', OwnTrialRecord),
    conditional: true,
    errors: ['session_ended'],
  })
  async withdraw(
    @Param('trialSessionId') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    return changed(await this.sessions.decide(id, meta, caller, withdrawTrial));
  }
}

const changed = ({ state, consistencyToken }: Done<Trial>): Answer<OwnTrialRecord> =>
  ok(pick(OwnTrialRecord, trialRecord(state)), { version: state.version, consistencyToken });
