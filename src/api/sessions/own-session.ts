import { Injectable, Controller, Get, Param } from '@nestjs/common';
import type { Command } from '@nestjs/cqrs';
import { applications } from '../../../projections/applications.js';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { Handled } from '../../core/handle.js';
import type { TrialState } from '../../domain/session/state.js';
import { Commands, type Done } from '../commands.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { type Answer, ok } from '../http/answer.js';
import { notFound } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Reads } from '../reads.js';
import { saysErased } from '../applications/erased.js';
import { OwnApplications } from '../applications/own-applications.js';
import {
  partsOf,
  ownTrialRecord,
  type OwnTrialRecord,
  ownTrialSchema,
  trialRecord,
} from '../applications/record.js';

/** The OpenAPI description of an answer that carries the session. */
export const ownSessionAnswered = (description: string) => ({
  status: 200,
  description,
  schema: ownTrialSchema(),
  headers: ['ETag'] as const,
});

export const ownSessionAnswer = ({ state, consistencyToken }: Done<TrialState>): Answer<OwnTrialRecord> =>
  ok(ownTrialRecord(trialRecord(state)), { version: state.version, consistencyToken });

const noSuchSession = () => notFound('There is no such trial session.');

/** Executes candidates' commands on their own sessions. To anybody else, a session does not exist. */
@Injectable()
export class OwnSessions {
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
    commandOn: (context: RequestContext, ref: ApplicationRef) => Command<Handled<TrialState>>,
  ): Promise<Done<TrialState>> {
    const own = await this.reads.settled([applications], () => this.own.bySession(caller, id, meta));
    if (!own) throw noSuchSession();
    const { id: applicationId, document } = own.application;
    const context = this.contexts.forRequest(meta, caller.subject, {
      type: 'candidate',
      id: document.candidateId,
    });
    try {
      return await this.commands.execute(commandOn(context, { ...document, applicationId }));
    } catch (error) {
      throw saysErased(error) ? noSuchSession() : error;
    }
  }
}

@Controller('trial-sessions/:id')
export class OwnSessionController {
  constructor(private readonly own: OwnApplications) {}

  @Get()
  @SignedIn()
  @Operation({
    id: 'trials.read',
    tag: 'Candidates',
    summary: 'Read one’s own trial session',
    success: { status: 200, description: 'The trial session.', schema: ownTrialSchema(), headers: ['ETag'] },
    errors: ['not_found'],
  })
  async read(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const own = await this.own.bySession(caller, id, meta);
    if (!own) throw noSuchSession();
    const { trial } = partsOf(own.application, null);
    return ok(ownTrialRecord(trial), { version: trial.version });
  }
}
