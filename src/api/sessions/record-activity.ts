import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Body, Controller, Param, Post } from '@nestjs/common';
import { MAX_BATCH, type Activity, checkActivities } from '../../domain/session/activity.js';
import type { RequestContext } from '../../core/command-context.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { withInvitation } from '../../domain/application/reading.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import {
  recordActivity,
  checkIdentity,
  type TokenIdentity,
  type ActivityReceipt,
  activityReceipt,
} from '../../domain/session/decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { integer, objectOf } from '../../core/json-schema.js';
import { Checked, Strict } from '../validation/index.js';
import { CurrentCaller, SignedIn } from '../access/access.decorator.js';
import type { Caller } from '../access/caller.js';
import { type Answer, accepted } from '../http/answer.js';
import { validationFailed } from '../http/api-error.js';
import { Meta, type RequestMeta } from '../http/meta.js';
import { Operation } from '../openapi/operation.js';
import { Limited } from '../http/rate-limit.guard.js';
import { OwnSessions } from './own-session.js';

/** The events are checked by the domain's own rules, which the interview socket shares. */
@Strict()
export class RecordActivityDto {
  @Checked(
    {
      type: 'array',
      maxItems: MAX_BATCH,
      items: {
        type: 'object',
        properties: {
          clientEventId: { type: 'string', minLength: 1, maxLength: 64 },
          eventType: { type: 'string', pattern: '^[a-z][a-z0-9_.]{0,63}$' },
          occurredAt: { type: 'string', format: 'date-time' },
          payload: { type: 'object' },
        },
        required: ['clientEventId', 'eventType', 'occurredAt', 'payload'],
      },
    },
    { name: 'array', holds: Array.isArray, sentence: '{path} must be a list.' },
  )
  events!: unknown[];
}

export class RecordActivity extends Command<Handled<TrialState>> {
  constructor(
    readonly context: RequestContext,
    readonly application: ApplicationRef,
    readonly identity: TokenIdentity,
    readonly activities: readonly Activity[],
  ) {
    super();
  }
}

@CommandHandler(RecordActivity)
export class RecordActivityHandler implements ICommandHandler<RecordActivity> {
  constructor(private readonly streams: CommandStreams) {}

  execute({ context, application, identity, activities }: RecordActivity): Promise<Handled<TrialState>> {
    const now = context.now.toISOString();
    return this.streams.handle(trial, streamName('trial', application.trialSessionId), context, (state) =>
      withInvitation(this.streams, application, (invitation, candidate) =>
        recordActivity(state, {
          invitation,
          now,
          identity: checkIdentity(candidate, identity),
          activities,
        }),
      ),
    );
  }
}

@Controller('trial-sessions/:id/activity')
export class RecordActivityController {
  constructor(private readonly sessions: OwnSessions) {}

  @Post()
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
  async record(
    @Param('id') id: string,
    @Body() { events }: RecordActivityDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<ActivityReceipt>> {
    const checked = checkActivities(events);
    if (checked.kind === 'invalid') throw validationFailed(checked.problems);
    const { activities } = checked;
    const { state, recorded, consistencyToken } = await this.sessions.execute(
      id,
      meta,
      caller,
      (context, ref) => new RecordActivity(context, ref, caller, activities),
    );
    return accepted(activityReceipt(activities.length, recorded, state), { consistencyToken });
  }
}
