import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { applications } from '../../../projections/applications.js';
import { EXPIRE_WHEN_UNUSED } from '../../core/aggregate.js';
import type { RequestContext } from '../../core/command-context.js';
import { isRefused, refuse, type Refused } from '../../core/decider.js';
import { CommandStreams } from '../../core/handle.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { checkIdentity } from '../../domain/session/decider.js';
import type { IdentityCheck } from '../../domain/session/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { CandidateApplications } from '../applications/candidate-applications.js';
import { findInvitation, type Opened, openInvitation } from '../applications/reading.js';
import type { Caller } from '../caller.js';
import { type Freshness, Reads } from '../reads.js';

/** The answer to any caller but the session's candidate, and to the candidate once erased. */
export const NO_SESSION = refuse('not_found', 'There is no such trial session.');

const CACHED_SESSIONS = 10_000;

/** The caller's own trial sessions, by id. Those of others are answered as if they did not exist. */
@Injectable()
export class CandidateSessions {
  /** By session id. Its owner never changes, and each command reads the candidate's stream, which shows an erasure. */
  private readonly known = new LRUCache<
    string,
    { readonly subject: string; readonly application: ApplicationRef }
  >({ max: CACHED_SESSIONS, ...EXPIRE_WHEN_UNUSED });

  constructor(
    private readonly reads: Reads,
    private readonly candidateApplications: CandidateApplications,
    private readonly streams: CommandStreams,
  ) {}

  /** The application behind a session of the caller's, for a command; `null`: there is none. */
  async applicationOf(caller: Caller, id: string, freshness: Freshness): Promise<ApplicationRef | null> {
    const known = this.known.get(id);
    if (known?.subject === caller.subject) return known.application;
    const found = await this.reads.findCaughtUp([applications], () =>
      this.candidateApplications.bySession(caller, id, freshness),
    );
    if (!found) return null;
    const { id: applicationId, document } = found.application;
    const application = applicationRefOf({ ...document, applicationId });
    this.known.set(id, { subject: caller.subject, application });
    return application;
  }

  /** A session of the caller's, as of its stream's end; `null`: there is none. */
  async read(
    caller: Caller,
    id: string,
    freshness: Freshness,
  ): Promise<{ readonly application: ApplicationRef; readonly state: TrialState } | null> {
    const application = await this.applicationOf(caller, id, freshness);
    if (!application) return null;
    const found = await findInvitation(this.streams, application);
    if (isRefused(found) || found.candidate.erased) return null;
    const { state } = await this.streams.read(trial, application.trialSessionId);
    return { application, state };
  }
}

/** A session that was found to be the caller's own. */
export interface CandidateSession {
  readonly application: ApplicationRef;
  readonly caller: Caller;
}

/** What a decider needs for a candidate's command: the invitation, and how the caller's token names the candidate. */
export interface CandidateSessionCommand extends Opened {
  readonly identity: IdentityCheck;
}

/** Called by the handlers of candidates' commands. @returns a refusal if the invitation does not allow commands any more */
export const sessionCommandOf = async (
  streams: CommandStreams,
  { application, caller }: CandidateSession,
  context: RequestContext,
): Promise<CandidateSessionCommand | Refused> => {
  const opened = await openInvitation(streams, application, context);
  return isRefused(opened) ? opened : { ...opened, identity: checkIdentity(opened.candidate, caller) };
};
