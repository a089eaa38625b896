import { Module } from '@nestjs/common';
import { CandidateSessions } from '../../application/sessions/candidate-sessions.js';
import { CompleteTrialHandler } from '../../application/sessions/complete-trial.js';
import { ConsentNotices } from '../../application/sessions/consent-notice.js';
import { GiveFeedbackHandler } from '../../application/sessions/give-feedback.js';
import { RecordActivityHandler } from '../../application/sessions/record-activity.js';
import { StartTrialHandler } from '../../application/sessions/start-trial.js';
import { WithdrawTrialHandler } from '../../application/sessions/withdraw-trial.js';
import { ApplicationsModule } from '../applications/applications.module.js';
import { TicketsModule } from '../tickets/tickets.js';
import { BriefingController } from './briefing.js';
import { CandidateSessionController } from './candidate-sessions.js';
import { FeedbackController } from './feedback.js';
import { ReceiptsController } from './receipts.js';
import { RecordActivityController } from './record-activity.js';
import { ShownTickets } from './shown-tickets.js';
import { TicketFilesController } from './ticket-files.js';

/** Trial sessions as their candidates work in them. */
@Module({
  imports: [ApplicationsModule, TicketsModule],
  controllers: [
    CandidateSessionController,
    BriefingController,
    TicketFilesController,
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
    ConsentNotices,
    ShownTickets,
    CandidateSessions,
  ],
  exports: [CandidateSessions],
})
export class SessionsModule {}
