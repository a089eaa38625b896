import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { applications } from '../../../projections/applications.js';
import type { RequestContext } from '../../core/command-context.js';
import { isRefused, refuse, type Refused } from '../../core/decider.js';
import { WHILE_ASKED_FOR } from '../../core/aggregate.js';
import { CommandStreams } from '../../core/handle.js';
import { streamName } from '../../core/stream-name.js';
import { type ApplicationRef, applicationRefOf } from '../../domain/candidate/events.js';
import { checkIdentity } from '../../domain/session/decider.js';
import type { IdentityCheck } from '../../domain/session/events.js';
import { trial, type TrialState } from '../../domain/session/state.js';
import { OwnApplications } from '../applications/own-applications.js';
import { findInvitation, type Opened, openInvitation } from '../applications/reading.js';
import type { Caller } from '../caller.js';
import { type Freshness, Reads } from '../reads.js';

/** What to any other caller than its candidate a session is, and to the candidate once erased. */
export const NO_SESSION = refuse('not_found', 'There is no such trial session.');

const CACHED_SESSIONS = 10_000;

/** Which trial sessions are whose. To any other caller a session does not exist. */
@Injectable()
export class OwnSessions {
  /** By session. Its owner never changes. Each command reads the candidate's stream, and so sees an erasure. */
  private readonly known = new LRUCache<
    string,
    { readonly subject: string; readonly application: ApplicationRef }
  >({ max: CACHED_SESSIONS, ...WHILE_ASKED_FOR });

  constructor(
    private readonly reads: Reads,
    private readonly own: OwnApplications,
    private readonly streams: CommandStreams,
  ) {}

  /** The application behind a session of the caller's, for a command; `null`: there is none. */
  async applicationOf(caller: Caller, id: string, freshness: Freshness): Promise<ApplicationRef | null> {
    const known = this.known.get(id);
    if (known?.subject === caller.subject) return known.application;
    const own = await this.reads.settled([applications], () => this.own.bySession(caller, id, freshness));
    if (!own) return null;
    const { id: applicationId, document } = own.application;
    const application = applicationRefOf({ ...document, applicationId });
    this.known.set(id, { subject: caller.subject, application });
    return application;
  }

  /** A session of the caller's as its stream has it, to its end; `null`: there is none. */
  async read(
    caller: Caller,
    id: string,
    freshness: Freshness,
  ): Promise<{ readonly application: ApplicationRef; readonly state: TrialState } | null> {
    const application = await this.applicationOf(caller, id, freshness);
    if (!application) return null;
    const found = await findInvitation(this.streams, application);
    if (isRefused(found) || found.candidate.erased) return null;
    const { state } = await this.streams.read(trial, streamName(trial.kind, application.trialSessionId));
    return { application, state };
  }
}

/** A session that is known to be the caller's own. */
export interface OwnSession {
  readonly application: ApplicationRef;
  readonly caller: Caller;
}

/** What a candidate's decision on their own session is made by. */
export interface OnOwnSession extends Opened {
  readonly identity: IdentityCheck;
}

/** The invitation's part in a candidate's decision on their own session. */
export const onOwnSession = async (
  streams: CommandStreams,
  { application, caller }: OwnSession,
  context: RequestContext,
): Promise<OnOwnSession | Refused> => {
  const opened = await openInvitation(streams, application, context);
  return isRefused(opened) ? opened : { ...opened, identity: checkIdentity(opened.candidate, caller) };
};
