import { Inject, Injectable } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { candidates } from '../../../projections/candidates.js';
import { isErased, type Keys } from '../../application/applications/erased.js';
import { findInvitation, NO_APPLICATION } from '../../application/applications/reading.js';
import { type Freshness, Reads } from '../../application/reads.js';
import { PUBLIC_URL, VAULT } from '../../application/tokens.js';
import { present } from '../../application/use-case.js';
import { CommandStreams } from '../../core/handle.js';
import { outcome } from '../../domain/application/decider.js';
import { NO_ACCOMMODATIONS } from '../../domain/application/events.js';
import { type Candidate, candidateErased } from '../../domain/candidate/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { mailsDecider } from '../../domain/mail/decider.js';
import { currentProblem } from '../../domain/mail/events.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import { invitedTrial, type TrialState } from '../../domain/session/state.js';
import { allowed, type ApiError, notFound, refusalToApiError } from '../../http/api-error.js';
import type { Vault } from '../../vault/port.js';
import {
  trialRecord,
  applicationRecord,
  type ApplicationRecord,
  type FoundApplication,
  partsOf,
} from './record.js';

/** 404: the organisation has no such application. */
export const noSuchApplication = (): ApiError => refusalToApiError(NO_APPLICATION.refusal);

/** 410: the candidate is erased. */
export const erasedError = (): ApiError => refusalToApiError(candidateErased().refusal);

/** @throws {ApiError} `erased`, if the candidate was */
export const assertNotErased = async (vault: Keys, candidateId: string): Promise<void> => {
  if (await isErased(vault, candidateId)) throw erasedError();
};

/** Applications of one organisation, as its staff find them and see them. */
@Injectable()
export class StaffApplications {
  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    @Inject(PUBLIC_URL) private readonly publicUrl: string,
  ) {}

  /** An application of the organisation’s; `null`: it has none by that id. */
  async byId(organisationId: string, id: string, freshness: Freshness): Promise<FoundApplication | null> {
    const found = await this.reads.get(applications, id, freshness);
    return found?.document.organisationId === organisationId ? found : null;
  }

  /** The application of a session of the organisation’s; `null`: there is none. */
  async bySession(
    organisationId: string,
    sessionId: string,
    freshness: Freshness,
  ): Promise<FoundApplication | null> {
    const found = await this.reads.only(applications, 'bySession', [sessionId], freshness);
    return found?.document.organisationId === organisationId ? found : null;
  }

  /**
   * The application that a command is for.
   * @throws {ApiError} `not_found`, once the view has reached the log's end as of the call
   */
  async reference(organisationId: string, id: string, freshness: Freshness): Promise<ApplicationRef> {
    const found = await this.findCaughtUp(() => this.byId(organisationId, id, freshness));
    if (!found) throw noSuchApplication();
    return { ...found.document, applicationId: found.id };
  }

  /** As `reference`, by the application's trial session. */
  async referenceBySession(
    organisationId: string,
    sessionId: string,
    freshness: Freshness,
  ): Promise<ApplicationRef> {
    const found = await this.findCaughtUp(() => this.bySession(organisationId, sessionId, freshness));
    if (!found) throw notFound('There is no such trial session.');
    return { ...found.document, applicationId: found.id };
  }

  /** Finds the application of a command: if it is not found, once more when the view has caught up. */
  private findCaughtUp(find: () => Promise<FoundApplication | null>): Promise<FoundApplication | null> {
    return this.reads.findCaughtUp([applications], find);
  }

  /** The records of applications, with each candidate's address. They show an erasure once it is answered. */
  async records(
    found: readonly FoundApplication[],
    freshness: Freshness,
  ): Promise<readonly ApplicationRecord[]> {
    const ids = [...new Set(found.map(({ document }) => document.candidateId))];
    const people = await this.reads.getMany(candidates, ids, freshness);
    const gone = new Set<string>();
    for (const id of ids) if (await isErased(this.vault, id)) gone.add(id);
    return found.map((one) => {
      const { candidateId } = one.document;
      const email = people.get(candidateId)?.document.personal?.email ?? null;
      const parts = partsOf(one, email);
      if (parts.erased || !gone.has(candidateId)) return applicationRecord(parts, this.publicUrl);
      // The view does not have the event of the erasure yet: count it, so that the version is another one.
      const outcomeVersion = parts.outcomeVersion + 1;
      return applicationRecord({ ...parts, outcomeVersion, erased: true }, this.publicUrl);
    });
  }

  /** The record of the candidate's last invitation as it was opened, without what happened since. */
  invited({ email, invitations }: Candidate): ApplicationRecord {
    const invitation = present(invitations.at(-1));
    return applicationRecord(
      {
        id: invitation.applicationId,
        organisationId: invitation.organisationId,
        roleId: invitation.roleId,
        candidateId: invitation.candidateId,
        candidateEmail: email,
        candidateName: invitation.candidateName,
        externalId: invitation.externalId,
        language: invitation.language,
        retakeOf: invitation.retakeOf ?? null,
        accommodations: NO_ACCOMMODATIONS,
        accommodationRequest: null,
        erasureRequestedAt: null,
        trial: trialRecord(invitedTrial(invitation)),
        outcome: null,
        mailProblem: null,
        outcomeVersion: 0,
        erased: false,
      },
      this.publicUrl,
    );
  }

  /**
   * The record as a command on its session has left it, read from the streams: the views may lag.
   * @param trial `null`: nothing was to be changed, and the session's stream has not begun
   */
  async recordAfter(ref: ApplicationRef, trial: TrialState): Promise<ApplicationRecord> {
    // A command that is sent again after an erasure is answered without what was personal.
    const found = allowed(await findInvitation(this.streams, ref));
    const { state } = await this.streams.read(outcome, ref.applicationId);
    const mails = await this.streams.read(mailsDecider, ref.applicationId);
    const session = trial ?? invitedTrial(found.invitation);
    return applicationRecord(
      {
        id: ref.applicationId,
        organisationId: ref.organisationId,
        roleId: ref.roleId,
        candidateId: ref.candidateId,
        candidateEmail: found.candidate.email,
        candidateName: found.invitation.candidateName,
        externalId: found.invitation.externalId,
        language: found.invitation.language,
        retakeOf: found.invitation.retakeOf ?? null,
        accommodations: state.accommodations,
        accommodationRequest: state.accommodationRequest,
        erasureRequestedAt: state.erasureRequestedAt,
        trial: trialRecord(session),
        outcome: state.current,
        mailProblem: currentProblem(mails.state.problem, isClosed(session)),
        // An erased application is answered only if its command is sent again: the erasure came after the command.
        outcomeVersion: state.erased ? state.version - 1 : state.version,
        erased: false,
      },
      this.publicUrl,
    );
  }
}
