import type { Parts } from '../commands.js';
import { OwnApplicationsController } from '../applications/read-own-application.js';
import { CompleteTrialController, CompleteTrialHandler } from './complete-trial.js';
import { OwnSessionController, OwnSessions } from './own-session.js';
import { RecordActivityController, RecordActivityHandler } from './record-activity.js';
import { StartTrialController, StartTrialHandler } from './start-trial.js';
import { WithdrawTrialController, WithdrawTrialHandler } from './withdraw-trial.js';

export const sessionParts: Parts = {
  controllers: [
    OwnApplicationsController,
    OwnSessionController,
    StartTrialController,
    CompleteTrialController,
    WithdrawTrialController,
    RecordActivityController,
  ],
  providers: [
    OwnSessions,
    StartTrialHandler,
    CompleteTrialHandler,
    WithdrawTrialHandler,
    RecordActivityHandler,
  ],
};
