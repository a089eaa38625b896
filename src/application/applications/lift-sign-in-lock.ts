import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused, refuse } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import { liftSignInLock, outcome, type OutcomeState } from '../../domain/application/decider.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { trial, trialOf } from '../../domain/session/state.js';
import { UseCase } from '../use-case.js';
import { findInvitation, openInvitation } from './reading.js';

/** The limits of sign-in codes: an address for which too many were requested gets no more. */
export interface SignInLocks {
  /** @param applicationIds the invitations to the address whose own limits are reset too */
  lift(email: string, applicationIds: readonly string[]): Promise<void>;
}

/** Injection token of `SignInLocks`; `null`: candidates do not sign in by mailed codes. */
export const SIGN_IN_LOCKS = Symbol('SignInLocks');

/** Lets the candidate of an open application ask for codes again. */
export class LiftSignInLock extends UseCase<OutcomeState, { readonly application: ApplicationRef }> {
  readonly name = 'LiftSignInLock';
}

@CommandHandler(LiftSignInLock)
export class LiftSignInLockHandler implements ICommandHandler<LiftSignInLock> {
  constructor(
    private readonly streams: CommandStreams,
    @Inject(SIGN_IN_LOCKS) private readonly locks: SignInLocks | null,
  ) {}

  /** The event comes first, so that each lifted lock is in the audit trail. A repeated command lifts the lock again. */
  async execute({ context, input }: LiftSignInLock): Promise<Handled<OutcomeState>> {
    const { application } = input;
    const { applicationId, trialSessionId } = application;
    if (!this.locks) return refuse('not_found', 'Candidates of this service do not sign in by mailed codes.');
    const found = await findInvitation(this.streams, application);
    if (isRefused(found)) return found;
    const handled = await this.streams.handle(outcome, applicationId, context, async (state) => {
      const invited = await openInvitation(this.streams, application, context);
      if (isRefused(invited)) return invited;
      const session = await this.streams.read(trial, trialSessionId);
      const ids = applicationRefOf(application);
      return liftSignInLock(state, {
        ids,
        session: trialOf(session.state, invited.invitation),
        now: invited.now,
      });
    });
    const { email } = found.candidate;
    if (handled.kind === 'done' && email !== null) await this.locks.lift(email, [applicationId]);
    return handled;
  }
}
