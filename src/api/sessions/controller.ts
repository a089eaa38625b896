import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { type Command, CommandBus } from '@nestjs/cqrs';
import { applications } from '../../../projections/applications.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import { present, settle } from '../settle.js';
import { type Answer, accepted, ok } from '../http/answer.js';
import { notFound, validationFailed } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { integer, objectOf } from '../../core/json-schema.js';
import { Limited } from '../http/rate-limit.guard.js';
import { Reads } from '../reads.js';
import { saysErased } from '../applications/erased.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { OwnApplications } from '../applications/own-applications.js';
import { partsOf } from '../applications/view-parts.js';
import type { Handled } from '../../core/handle.js';
import { checkActivities } from '../../domain/session/activity.js';
import { CompleteTrial } from './complete-trial.js';
import { type ActivityReceipt, activityReceipt } from '../../domain/session/decider.js';
import type { TrialState } from '../../domain/session/state.js';
import { RecordActivity } from './record-activity.js';
import { RecordActivityDto } from './record-activity.dto.js';
import {
  ownTrialRecord,
  type OwnTrialRecord,
  ownTrialSchema,
  trialRecord,
} from '../applications/trial-record.js';
import { StartTrial } from './start-trial.js';
import { StartTrialDto } from './start-trial.dto.js';
import { WithdrawTrial } from './withdraw-trial.js';

type Done = ReturnType<typeof settle<TrialState>>;

const success = (description: string) => ({
  status: 200,
  description,
  schema: ownTrialSchema(),
  headers: ['ETag'] as const,
});

/** A candidate's own trial session. Somebody else's is answered as one that does not exist. */
@Controller('trial-sessions/:id')
export class TrialsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly contexts: CommandContexts,
    private readonly reads: Reads,
    private readonly own: OwnApplications,
  ) {}

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

  @Post('start')
  @SignedIn()
  @Operation({
    id: 'trials.start',
    tag: 'Candidates',
    summary: 'Start the trial',
    success: success('The trial session, started.'),
    conditional: true,
    errors: ['not_found', 'session_ended', 'conflict'],
  })
  async start(
    @Param('id') id: string,
    @Body() _consent: StartTrialDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ref } = await this.command(id, meta, caller);
    return this.answer(await this.carriedOut(new StartTrial(context, ref, caller)));
  }

  @Post('complete')
  @SignedIn()
  @Operation({
    id: 'trials.complete',
    tag: 'Candidates',
    summary: 'Complete the trial',
    description: 'Its evaluation begins.',
    success: success('The trial session, completed.'),
    conditional: true,
    errors: ['not_found', 'not_started', 'session_ended', 'conflict'],
  })
  async complete(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ref } = await this.command(id, meta, caller);
    return this.answer(await this.carriedOut(new CompleteTrial(context, ref, caller)));
  }

  @Post('withdraw')
  @SignedIn()
  @Operation({
    id: 'trials.withdraw',
    tag: 'Candidates',
    summary: 'Withdraw from the trial',
    success: success('The trial session, withdrawn.'),
    conditional: true,
    errors: ['not_found', 'session_ended', 'conflict'],
  })
  async withdraw(
    @Param('id') id: string,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<OwnTrialRecord>> {
    const { context, ref } = await this.command(id, meta, caller);
    return this.answer(await this.carriedOut(new WithdrawTrial(context, ref)));
  }

  @Post('activity')
  @SignedIn()
  @Limited('activity')
  @Operation({
    id: 'trials.activity',
    tag: 'Candidates',
    summary: 'Record activity',
    description:
      'At most 100 events of at most 16 KiB, accepted or refused whole. An event whose clientEventId the session knows is counted as a duplicate and not recorded again. A session holds 16 MiB of activity, each event counted as the log keeps it, and 10,000 events.',
    success: {
      status: 202,
      description: 'How much of the batch was new, and how far the session’s evidence goes with it.',
      schema: objectOf({ accepted: integer, duplicates: integer, lastSequenceNumber: integer }),
    },
    errors: ['not_found', 'not_started', 'session_ended', 'conflict', 'session_full'],
  })
  async activity(
    @Param('id') id: string,
    @Body() body: RecordActivityDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ActivityReceipt>> {
    const checked = checkActivities(body.events);
    if (checked.kind === 'invalid') throw validationFailed(checked.problems);
    const { context, ref } = await this.command(id, meta, caller);
    const { activities } = checked;
    const done = await this.carriedOut(new RecordActivity(context, ref, caller, activities));
    return accepted(activityReceipt(activities.length, done.recorded, present(done.state)), {
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }

  private async command(
    id: string,
    meta: RequestMeta,
    caller: Caller,
  ): Promise<{ readonly context: RequestContext; readonly ref: ApplicationRef }> {
    const own = await this.reads.settled([applications], () => this.own.bySession(caller, id, meta));
    if (!own) throw noSuchSession();
    const { application } = own;
    return {
      context: this.contexts.forRequest(meta, caller.subject, {
        type: 'candidate',
        id: application.document.candidateId,
      }),
      ref: { ...application.document, applicationId: application.id },
    };
  }

  /** Of somebody erased in the meantime there is nothing any more. */
  private async carriedOut(command: Command<Handled<TrialState>>): Promise<Done> {
    try {
      return settle(await this.commands.execute(command));
    } catch (error) {
      throw saysErased(error) ? noSuchSession() : error;
    }
  }

  private answer(done: Done): Answer<OwnTrialRecord> {
    const trial = present(done.state);
    return ok(ownTrialRecord(trialRecord(trial)), {
      version: trial.version,
      consistencyToken: this.reads.tokenOf(done.position),
    });
  }
}

const noSuchSession = () => notFound('There is no such trial session.');
