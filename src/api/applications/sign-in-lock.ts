import { Controller, Delete, Inject, Param } from '@nestjs/common';
import type { RequestContext } from '../../core/command-context.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { liftSignInLock, outcome } from '../../domain/application/decider.js';
import { findInvitation, withInvitation } from '../../domain/application/reading.js';
import { applicationRefOf } from '../../domain/candidate/events.js';
import { trial, trialOf } from '../../domain/session/state.js';
import { StaffMay } from '../../http/access/access.decorator.js';
import { Commands, StaffContext } from '../cqrs/commands.js';
import { type Answer, noContent } from '../../http/answer.js';
import { notFound, refusalToApiError } from '../../http/api-error.js';
import { Meta, type RequestMeta } from '../../http/meta.js';
import { Operation } from '../../http/openapi/operation.js';
import { StaffApplications } from './staff-applications.js';

/** What keeps the codes of a sign-in from addresses for which too many were asked for. */
export interface SignInLocks {
  /** @param applicationIds the invitations to the address whose own allowance begins anew too */
  lift(email: string, applicationIds: readonly string[]): Promise<void>;
}

/** Injection token of `SignInLocks`; `null`: candidates do not sign in by mailed codes. */
export const SIGN_IN_LOCKS = Symbol('SignInLocks');

@Controller('organisations/:orgId/applications/:applicationId/sign-in-lock')
export class SignInLockController {
  constructor(
    private readonly commands: Commands,
    private readonly streams: CommandStreams,
    private readonly staff: StaffApplications,
    @Inject(SIGN_IN_LOCKS) private readonly locks: SignInLocks | null,
  ) {}

  @Delete()
  @StaffMay('candidates.invite')
  @Operation({
    id: 'applications.liftSignInLock',
    tag: 'Applications',
    summary: 'Let the candidate ask for codes again',
    description:
      'For an open application whose candidate gets no code because too many were asked for with the address. The answer is the same if there was no lock. It is 404 if the application has ended, and if candidates do not sign in by mailed codes.',
    success: { status: 204, description: 'Codes can be asked for with the candidate’s address.' },
    errors: ['erased'],
  })
  async lift(
    @Param('orgId') organisationId: string,
    @Param('applicationId') id: string,
    @Meta() meta: RequestMeta,
    @StaffContext() context: RequestContext,
  ): Promise<Answer> {
    const application = await this.staff.reference(organisationId, id, meta);
    if (!this.locks) throw notFound('Candidates of this service do not sign in by mailed codes.');
    const found = await findInvitation(this.streams, application);
    if ('kind' in found) throw refusalToApiError(found.refusal);
    const now = context.now.toISOString();
    // Recorded first: what is lifted is in the audit trail, and a request that is sent again lifts it then.
    const { consistencyToken } = await this.commands.decide(outcome, id, context, (state, streams) =>
      withInvitation(streams, application, async (invitation) => {
        const session = await streams.read(trial, streamName('trial', application.trialSessionId));
        const ids = applicationRefOf(application);
        return liftSignInLock(state, { ids, session: trialOf(session.state, invitation), now });
      }),
    );
    const { email } = found.candidate;
    if (email !== null) await this.locks.lift(email, [application.applicationId]);
    return noContent({ consistencyToken });
  }
}
