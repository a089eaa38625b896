import type { Parts } from '../commands.js';
import { CancelApplicationController, CancelApplicationHandler } from './cancel-application.js';
import { EraseCandidateController, EraseCandidateHandler } from './erase-candidate.js';
import { ExtendApplicationController, ExtendApplicationHandler } from './extend-application.js';
import { InviteCandidateController, InviteCandidateHandler } from './invite-candidate.js';
import { ApplicationsController } from './read-applications.js';
import { RecordOutcomeController, RecordOutcomeHandler } from './record-outcome.js';
import { RetractOutcomeController, RetractOutcomeHandler } from './retract-outcome.js';

export const applicationParts: Parts = {
  controllers: [
    InviteCandidateController,
    ApplicationsController,
    ExtendApplicationController,
    CancelApplicationController,
    EraseCandidateController,
    RecordOutcomeController,
    RetractOutcomeController,
  ],
  providers: [
    InviteCandidateHandler,
    ExtendApplicationHandler,
    CancelApplicationHandler,
    EraseCandidateHandler,
    RecordOutcomeHandler,
    RetractOutcomeHandler,
  ],
};
