import type { Parts } from '../commands.js';
import {
  ApplicationsController,
  CancelApplicationHandler,
  ExtendApplicationHandler,
} from './applications.js';
import { EraseCandidateController, EraseCandidateHandler } from './erasure.js';
import { InviteCandidateController, InviteCandidateHandler } from './invite-candidate.js';
import { OutcomesController, RecordOutcomeHandler, RetractOutcomeHandler } from './outcomes.js';

export const applicationParts: Parts = {
  controllers: [
    InviteCandidateController,
    ApplicationsController,
    EraseCandidateController,
    OutcomesController,
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
