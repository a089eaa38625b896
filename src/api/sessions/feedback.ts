import { Body, Controller, Param, Post } from '@nestjs/common';
import type { Caller } from '../../application/caller.js';
import { CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { GiveFeedback } from '../../application/sessions/give-feedback.js';
import { Instant, Named, Nullable, type Static, Type, Uuid } from '../../core/json-schema.js';
import { CurrentCaller, SignedIn } from '../../http/access/access.decorator.js';
import { Answer } from '../../http/answer.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation, type Operations } from '../../http/openapi/operation.js';
import { Schema } from '../../http/validation/fields.js';
import { Optional, Text, Whole } from '../../http/validation/rules.js';
import { Commands } from '../cqrs/commands.js';
import { ownApplication } from './candidate-sessions.js';

/** UTF-16 units. */
const MAX_TEXT = 2_000;

@Schema('GiveFeedback', {
  atLeastOne: { GiveEase: 'ease', GiveFairness: 'fairness', GiveFeedbackText: 'text' },
})
export class GiveFeedbackDto {
  @Optional() @Whole({ min: 1, max: 5 }) ease?: number;
  @Optional() @Whole({ min: 1, max: 5 }) fairness?: number;
  @Optional() @Text({ notBlank: true, maxLength: MAX_TEXT }) text?: string;
}

const Rating = Nullable(Type.Integer({ minimum: 1, maximum: 5 }));

/** What a candidate said of the assessment. */
export type FeedbackRecord = Static<typeof FeedbackRecord>;
export const FeedbackRecord = Named('Feedback', {
  trialSessionId: Uuid,
  ease: Rating,
  fairness: Rating,
  text: Nullable(Type.String({ description: '`null` if none was given, or once it can no longer be read.' })),
  givenAt: Instant,
});

const operations = {
  give: {
    id: 'trialSessions.giveFeedback',
    tag: 'Candidates',
    summary: 'Give feedback on the assessment',
    example: { ease: 4, fairness: 5, text: 'The tasks were clear.' },
    description:
      'Once, after the session is completed; 1 is the worst and 5 the best. It is never part of the evaluation.',
    success: { status: 201, description: 'The feedback.', schema: FeedbackRecord },
    errors: ['trial_not_completed', 'already_given'],
  },
} satisfies Operations;

@Controller('trial-sessions/:trialSessionId/feedback')
export class FeedbackController {
  constructor(
    private readonly sessions: CandidateSessions,
    private readonly commands: Commands,
  ) {}

  @Post()
  @SignedIn()
  @Operation(operations.give)
  async give(
    @Param('trialSessionId') trialSessionId: string,
    @Body() body: GiveFeedbackDto,
    @Meta() meta: RequestMeta,
    @CurrentCaller() caller: Caller,
  ): Promise<Answer<FeedbackRecord>> {
    const { ease = null, fairness = null, text = null } = body;
    const application = await ownApplication(this.sessions, caller, trialSessionId, meta);
    const context = this.commands.contextOf(caller, application, meta);
    const command = new GiveFeedback(context, { application, ease, fairness, text });
    const { state, consistencyToken } = await this.commands.execute(command);
    return new Answer(201, { trialSessionId, ...state }, { consistencyToken });
  }
}
