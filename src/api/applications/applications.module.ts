import { Module } from '@nestjs/common';
import { CancelApplicationHandler } from '../../application/applications/cancel-application.js';
import { CandidateApplications } from '../../application/applications/candidate-applications.js';
import { CandidateDirectory } from '../../application/applications/directory.js';
import { EraseCandidateHandler } from '../../application/applications/erase-candidate.js';
import { ExtendApplicationHandler } from '../../application/applications/extend-application.js';
import { InviteCandidateHandler } from '../../application/applications/invite-candidate.js';
import { LiftSignInLockHandler } from '../../application/applications/lift-sign-in-lock.js';
import { RecordOutcomeHandler } from '../../application/applications/record-outcome.js';
import { RequestAccommodationHandler } from '../../application/applications/request-accommodation.js';
import { RequestErasureHandler } from '../../application/applications/request-erasure.js';
import { ResendMailHandler } from '../../application/applications/resend-mail.js';
import { RetractOutcomeHandler } from '../../application/applications/retract-outcome.js';
import { SetAccommodationsHandler } from '../../application/applications/set-accommodations.js';
import { AccommodationsController } from './accommodations.js';
import { ApplicationCountsController, ApplicationsController } from './applications.js';
import { CandidateApplicationsController } from './candidate-applications.js';
import { CandidateRequestsController } from './candidate-requests.js';
import { InviteCandidateController } from './invite-candidate.js';
import { ApplicationLists } from './lists.js';
import { ApplicationMailsController } from './mails.js';
import { OutcomesController } from './outcomes.js';
import { MeController } from './read-me.js';
import { StaffApplications } from './staff-applications.js';
import { TimelineController } from './timeline.js';

/** Applications as an organisation's staff and as their candidates work with them. */
@Module({
  controllers: [
    MeController,
    InviteCandidateController,
    ApplicationsController,
    ApplicationCountsController,
    OutcomesController,
    ApplicationMailsController,
    TimelineController,
    AccommodationsController,
    CandidateApplicationsController,
    CandidateRequestsController,
  ],
  providers: [
    InviteCandidateHandler,
    ExtendApplicationHandler,
    CancelApplicationHandler,
    EraseCandidateHandler,
    RecordOutcomeHandler,
    RetractOutcomeHandler,
    SetAccommodationsHandler,
    ResendMailHandler,
    LiftSignInLockHandler,
    RequestAccommodationHandler,
    RequestErasureHandler,
    CandidateDirectory,
    CandidateApplications,
    StaffApplications,
    ApplicationLists,
  ],
  exports: [CandidateApplications, CandidateDirectory, StaffApplications, ApplicationLists],
})
export class ApplicationsModule {}
