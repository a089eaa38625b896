import type { Briefing, OwnApplication, OwnTrialSession } from '../../packages/client/src/contract.js';
import { maxDurationMs } from '../../src/domain/session/time-limit.js';

/** The screens of an application. `stepsOf` has those that its session allows, `next` what is shown after each change. */
export type Step = 'before' | 'check' | 'practice' | 'work' | 'room' | 'after';

/** Everything about the one application that the link names. */
export interface Visit {
  readonly application: OwnApplication;
  readonly session: OwnTrialSession;
  readonly briefing: Briefing;
}

/**
 * Why the candidate is signed out. `expired`: the sign-in has expired; `failed`: a sign-in failed; `refused`: the service
 * does not accept the provider's new token; `leaving`, `left`, `unreached`: the candidate signs out, has signed out, or has
 * signed out although the service was not reached.
 */
export type SignedOutReason = 'new' | 'expired' | 'failed' | 'refused' | 'leaving' | 'left' | 'unreached';

export type State =
  | { readonly at: 'loading' }
  | { readonly at: 'signed-out'; readonly because: SignedOutReason }
  /** Another person's link and a wrong link get the same answer. */
  | { readonly at: 'unknown' }
  | { readonly at: 'unavailable' }
  | { readonly at: 'in'; readonly visit: Visit; readonly step: Step };

export type Change =
  | { readonly type: 'signed out'; readonly because: SignedOutReason }
  | { readonly type: 'not found' }
  | { readonly type: 'unavailable' }
  /** @param resume the step that this browser was last in, if the session was open then */
  | { readonly type: 'loaded'; readonly visit: Visit; readonly resume: Step | null }
  | { readonly type: 'session'; readonly session: OwnTrialSession }
  | { readonly type: 'briefing'; readonly briefing: Briefing }
  | { readonly type: 'go'; readonly step: Step };

/** Whether the session has started and not ended. */
export const isOpen = ({ status }: OwnTrialSession): boolean =>
  status === 'started' || status === 'interrupted';

/** The steps that the session allows. The first one is shown at first. */
export const stepsOf = ({ session }: Pick<Visit, 'session'>): readonly Step[] => {
  if (session.status === 'invited') return ['before', 'check', 'practice'];
  return isOpen(session) ? ['work', 'check', 'practice', 'room'] : ['after'];
};

/** The factor by which the interview and the planned time of the tasks are longer than usual. */
export const timeFactorOf = ({ briefing }: Pick<Visit, 'briefing'>): number =>
  briefing.accommodations.timeFactor;

/** How long the interview may take. */
export const interviewMinutes = (visit: Pick<Visit, 'briefing'>): number =>
  Math.round(maxDurationMs(timeFactorOf(visit)) / 60_000);

/** The step to begin with. */
const firstOf = (visit: Visit, resume: Step | null): Step => {
  const steps = stepsOf(visit);
  return resume !== null && steps.includes(resume) ? resume : (steps[0] ?? 'after');
};

/** The state after a change. A step that the session does not allow is ignored. */
export const next = (state: State, change: Change): State => {
  switch (change.type) {
    case 'signed out':
      return { at: 'signed-out', because: change.because };
    case 'not found':
      return { at: 'unknown' };
    case 'unavailable':
      return state.at === 'in' ? state : { at: 'unavailable' };
    case 'loaded':
      return { at: 'in', visit: change.visit, step: firstOf(change.visit, change.resume) };
    case 'session': {
      if (state.at !== 'in') return state;
      const visit = { ...state.visit, session: change.session };
      return {
        at: 'in',
        visit,
        step: stepsOf(visit).includes(state.step) ? state.step : firstOf(visit, null),
      };
    }
    case 'briefing':
      return state.at === 'in' ? { ...state, visit: { ...state.visit, briefing: change.briefing } } : state;
    case 'go':
      return state.at === 'in' && stepsOf(state.visit).includes(change.step)
        ? { ...state, step: change.step }
        : state;
  }
};
