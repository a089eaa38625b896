import { Body, Controller, Param, Post } from '@nestjs/common';
import { MAX_ACTIVITIES } from '../../../packages/interview-client/src/protocol/messages.js';
import type { Caller } from '../../application/caller.js';
import { CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { RecordActivity } from '../../application/sessions/record-activity.js';
import { Count, Named, Ordinal, Type } from '../../core/json-schema.js';
import { checkActivities } from '../../domain/session/activity.js';
import { type ActivityReceipt as Receipt, activityReceipt } from '../../domain/session/decider.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { type Answer, accepted } from '../../http/answer.js';
import { validationFailed } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { ActivityRecord } from '../../http/openapi/activity.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Limited } from '../../http/rate-limits.js';
import { Schema } from '../../http/validation/fields.js';
import { Checked } from '../../http/validation/rules.js';
import { Commands } from '../cqrs/commands.js';
import { ownApplication } from './candidate-sessions.js';

/** The events are checked by the domain's own rules, which the interview socket shares. */
@Schema('RecordActivity')
export class RecordActivityDto {
  @Checked(Type.Array(ActivityRecord, { maxItems: MAX_ACTIVITIES }), {
    name: 'array',
    holds: Array.isArray,
    sentence: '{path} must be a list.',
  })
  events!: unknown[];
}

const EXAMPLE_ACTIVITIES = [
  {
    clientEventId: 'tab-1-event-7',
    eventType: 'test.run',
    occurredAt: '2026-03-01T09:30:00.000Z',
    payload: { passed: 11, failed: 1, durationMs: 4200 },
  },
  {
    clientEventId: 'tab-1-event-8',
    eventType: 'message.sent',
    occurredAt: '2026-03-01T09:31:10.000Z',
    payload: { text: 'Which of these two tests is wrong?', to: 'assistant' },
  },
];

const ActivityReceipt = Named('ActivityReceipt', {
  accepted: Count,
  duplicates: Count,
  lastSequenceNumber: Ordinal,
});

const operations = {
  record: {
    id: 'trialSessions.recordActivity',
    tag: 'Candidates',
    summary: 'Record activity',
    example: { events: EXAMPLE_ACTIVITIES },
    description:
      'At most 100 events of at most 16 KiB, accepted or refused whole. An event whose clientEventId the session knows is counted as a duplicate and not recorded again. A session holds 16 MiB of activity, each event counted as the log keeps it, and 10,000 events.',
    success: {
      status: 202,
      description: 'How much of the batch was new, and how far the session’s evidence goes with it.',
      schema: ActivityReceipt,
    },
    errors: ['not_started', 'session_ended', 'session_full'],
  },
} satisfies Operations;

/** Candidates' programs report activity here, or over the socket of the interview: both take the same events. */
@Controller('trial-sessions/:trialSessionId/activity')
export class RecordActivityController {
  constructor(
    private readonly sessions: CandidateSessions,
    private readonly commands: Commands,
  ) {}

  @Post()
  @SignedIn()
  @Limited('activity')
  @Operation(operations.record)
  async record(
    @Param('trialSessionId') id: string,
    @Body() { events }: RecordActivityDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<Receipt>> {
    const checked = checkActivities(events);
    if (checked.kind === 'invalid') throw validationFailed(checked.problems);
    const { activities } = checked;
    const application = await ownApplication(this.sessions, caller, id, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const command = new RecordActivity(context, { application, caller, activities });
    const { state, recorded, consistencyToken } = await this.commands.execute(command);
    return accepted(activityReceipt(activities.length, recorded, state), { consistencyToken });
  }
}
