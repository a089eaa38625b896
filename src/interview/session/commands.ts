import { openInvitation } from '../../application/applications/reading.js';
import type { Caller } from '../../application/caller.js';
import type { Snapshot } from '../../core/aggregate.js';
import type { CommandContexts, RequestContext } from '../../core/command-context.js';
import { accept, isRefused, type Decision } from '../../core/decider.js';
import type { Actor } from '../../core/event.js';
import type { CommandStreams, Handled } from '../../core/handle.js';
import { outcome } from '../../domain/application/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { organisation } from '../../domain/organisation/decider.js';
import type { Activity } from '../../domain/session/activity.js';
import { recordActivity, checkIdentity } from '../../domain/session/decider.js';
import type { TrialEvent, EndReason } from '../../domain/session/events.js';
import { connect, finish } from '../../domain/session/interview-decider.js';
import { trial, type TrialState } from '../../domain/session/state.js';

/** A conversation's session, and the correlation id of its events. */
export interface SessionContext {
  readonly session: ApplicationRef;
  readonly correlationId: string;
}

/** Decides which events to append, from the session's state. */
export type Decide = (
  state: TrialState,
  request: RequestContext,
) => Decision<TrialEvent> | Promise<Decision<TrialEvent>>;

/**
 * What an interview writes to its session's stream. Each command may be sent again after an unknown outcome: by the
 * client's message ids and the turns, the decisions detect what is already recorded.
 */
export class InterviewCommands {
  constructor(
    private readonly streams: CommandStreams,
    private readonly contexts: CommandContexts,
  ) {}

  /** Reads the session's state from its stream. */
  read({ trialSessionId }: ApplicationRef): Promise<Snapshot<TrialState>> {
    return this.streams.read(trial, trialSessionId);
  }

  /** The accommodation: how many times as long as usual the interview and its pauses may be. */
  async timeFactor({ applicationId }: ApplicationRef): Promise<number> {
    const { state } = await this.streams.read(outcome, applicationId);
    return state.accommodations.timeFactor;
  }

  /** Whether the organisation keeps candidates' audio. */
  async recordsAudio({ organisationId }: ApplicationRef): Promise<boolean> {
    const { state } = await this.streams.read(organisation, organisationId);
    return state?.recordAudio ?? false;
  }

  /** Appends the events that `decide` returns. @param by the events' actor */
  record(
    { session, correlationId }: SessionContext,
    by: 'candidate' | 'system',
    decide: Decide,
  ): Promise<Handled<TrialState>> {
    const actor: Actor = by === 'system' ? SYSTEM : { type: 'candidate', id: session.candidateId };
    const request = this.contexts.forSystem(actor, correlationId);
    return this.streams.handle(trial, session.trialSessionId, request, (state) => decide(state, request));
  }

  /** Records that a client has connected. Refused if the session cannot be interviewed now. */
  connect(
    context: SessionContext,
    input: { connectionId: string; host: string; recorded: boolean; deviceId: string | null; caller: Caller },
  ): Promise<Handled<TrialState>> {
    const { caller, ...rest } = input;
    return this.record(context, 'candidate', async (state, request) => {
      const invited = await openInvitation(this.streams, context.session, request);
      if (isRefused(invited)) return invited;
      const identity = checkIdentity(invited.candidate, caller);
      return connect(state, { ...rest, identity, now: invited.now });
    });
  }

  /** Records activities that came over the socket, all of them or none. */
  activity(context: SessionContext, activities: readonly Activity[]): Promise<Handled<TrialState>> {
    return this.record(context, 'candidate', async (state, request) => {
      const invited = await openInvitation(this.streams, context.session, request);
      if (isRefused(invited)) return invited;
      const { invitation, now } = invited;
      return recordActivity(state, { invitation, now, activities });
    });
  }

  /**
   * Completes the session. Refused if the candidate is erased.
   * @param isDue false: nothing is recorded
   */
  finish(
    context: SessionContext,
    reason: EndReason,
    isDue: (state: TrialState) => Promise<boolean> = async () => true,
  ): Promise<Handled<TrialState>> {
    return this.record(context, reason === 'ended' ? 'candidate' : 'system', async (state, request) => {
      // The erasure ends the session itself, without an evaluation.
      const invited = await openInvitation(this.streams, context.session, request);
      if (isRefused(invited)) return invited;
      if (!(await isDue(state))) return accept();
      return finish(state, { reason, evaluationId: request.newId('evaluation'), now: invited.now });
    });
  }
}

const SYSTEM: Actor = { type: 'system', id: 'interviewer' };
