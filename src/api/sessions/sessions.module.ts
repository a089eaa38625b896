import { Module } from '@nestjs/common';
import { CompleteTrialHandler } from '../../application/sessions/complete-trial.js';
import { GiveFeedbackHandler } from '../../application/sessions/give-feedback.js';
import { Notices } from '../../application/sessions/notice.js';
import { OwnSessions } from '../../application/sessions/own-sessions.js';
import { RecordActivityHandler } from '../../application/sessions/record-activity.js';
import { StartTrialHandler } from '../../application/sessions/start-trial.js';
import { WithdrawTrialHandler } from '../../application/sessions/withdraw-trial.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { BriefingController } from './briefing.js';
import { FeedbackController } from './feedback.js';
import { OwnSessionController } from './own-sessions.js';
import { ReceiptsController } from './receipts.js';
import { RecordActivityController } from './record-activity.js';

/** Trial sessions as their candidates work in them. */
@Module({
  imports: [ApplicationsModule],
  controllers: [
    OwnSessionController,
    BriefingController,
    RecordActivityController,
    ReceiptsController,
    FeedbackController,
  ],
  providers: [
    StartTrialHandler,
    RecordActivityHandler,
    CompleteTrialHandler,
    WithdrawTrialHandler,
    GiveFeedbackHandler,
    Notices,
    OwnSessions,
  ],
})
export class SessionsModule {}
