import { accept } from '../../../src/core/decider.js';
import type { Actor } from '../../../src/core/event.js';
import {
  cancelApplication,
  eraseApplication,
  extendApplication,
  liftSignInLock,
  outcome,
  recordOutcome,
  requestAccommodation,
  requestErasure,
  retractOutcome,
  setAccommodations,
} from '../../../src/domain/application/decider.js';
import { bindCandidate, candidate, eraseCandidate } from '../../../src/domain/candidate/decider.js';
import { applicationRefOf, type Invitation } from '../../../src/domain/candidate/events.js';
import {
  eraseEvaluation,
  evaluationDecider,
  recordResult,
  requestedGeneration,
  requestRegeneration,
} from '../../../src/domain/evaluation/decider.js';
import { checksToRepeat } from '../../../src/domain/evaluation/late-work-decider.js';
import {
  completeTrial,
  eraseTrial,
  expireTrial,
  recordActivity,
  startTrial,
  withdrawTrial,
} from '../../../src/domain/session/decider.js';
import type { TrialEvent } from '../../../src/domain/session/events.js';
import { isRunning } from '../../../src/domain/session/lifecycle.js';
import { sessionEvent, trial, trialOf, type Trial } from '../../../src/domain/session/state.js';
import { failedResult, readyResult } from '../evaluation-results.js';
import { after } from '../given-when-then.js';
import type { ApplicationAction } from './actions.js';
import { contestStep, operatorStep, sharingStep } from './evaluations.js';
import { handInStep, lateWorkStep, TICKETS } from './hand-ins.js';
import { interviewStep } from './interview.js';
import { mailStep } from './messages.js';
import { SECRET, STAFF, SYSTEM, type World } from './world.js';

const HOUR = 3_600_000;
const at = { expectedVersion: null } as const;

const granted = (value: number) => ({
  timeFactor: 1 + (value % 3) / 2,
  typedOnly: value > 9,
  captions: true,
});

const identityChecked = (session: Trial, value: number): TrialEvent =>
  sessionEvent(session, 'trial.identity_checked', {
    identity: (['verified', 'mismatch', 'unverified'] as const)[value % 3] ?? 'verified',
  });

const activityOf = (id: number, now: string) => {
  const text = JSON.parse(`{"__proto__":{"x":1},"$where":"${SECRET}${id}","a.b":null}`) as Record<
    string,
    unknown
  >;
  return {
    clientEventId: `${SECRET}id-${id}`,
    eventType: id % 3 === 0 ? 'message.sent' : 'custom.thing',
    occurredAt: now,
    payload: id % 3 === 0 ? { text: `${SECRET}words`, to: 'assistant' } : text,
  };
};

/** Tries an action on an application: it has no effect if the candidate is erased. */
export const applicationStep = (world: World, invitation: Invitation, action: ApplicationAction): void => {
  const { candidateId, trialSessionId, applicationId } = invitation;
  // As every handler finds it by the candidate's stream.
  if (world.read(candidate, candidateId)?.erased) return;
  const by: Actor = { type: 'candidate', id: candidateId };
  const on = { ...at, invitation, now: world.now };
  const session = trialOf(world.read(trial, trialSessionId), invitation);
  const decided = {
    ...at,
    ids: applicationRefOf(invitation),
    trial: { status: session.status, version: session.version },
    actor: STAFF.id,
  };
  switch (action.name) {
    case 'candidateSignIn':
      world.submit(candidate, candidateId, by, (state) =>
        bindCandidate(state, {
          subject: `${SECRET}sub-${candidateId}`,
          verifiedEmail: state?.email ?? null,
        }),
      );
      return;
    case 'start':
      world.submit(trial, trialSessionId, by, (state) =>
        startTrial(state, { ...on, consent: true, identity: 'verified', notice: null, tickets: TICKETS }),
      );
      return;
    case 'activity':
      world.submit(trial, trialSessionId, by, (state) =>
        recordActivity(state, { ...on, activities: action.ids.map((id) => activityOf(id, world.now)) }),
      );
      return;
    case 'handIn':
      handInStep(world, invitation, action.value);
      return;
    case 'interview':
      for (const step of action.steps) interviewStep(world, invitation, step);
      return;
    case 'complete':
      world.submit(trial, trialSessionId, by, (state) =>
        completeTrial(state, { ...on, evaluationId: world.newId() }),
      );
      return;
    case 'withdraw':
      world.submit(trial, trialSessionId, by, (state) => withdrawTrial(state, on));
      return;
    case 'cancel':
      world.submit(trial, trialSessionId, STAFF, (state) =>
        cancelApplication(state, { ...on, outcomeVersion: 0 }),
      );
      return;
    case 'extend':
      world.submit(trial, trialSessionId, STAFF, (state) =>
        extendApplication(state, {
          ...on,
          outcomeVersion: 0,
          expiresAt: after(action.hours * HOUR, world.now),
        }),
      );
      return;
    case 'outcome':
      world.submit(outcome, applicationId, STAFF, (state) =>
        recordOutcome(state, {
          ...decided,
          humanRound: ([null, 'passed', 'failed'] as const)[action.value % 3] ?? null,
          disposition: ([null, 'hired', 'declined'] as const)[(action.value >> 2) % 3] ?? null,
          reason: action.value % 2 === 0 ? null : `${SECRET}reason ${action.value}`,
        }),
      );
      return;
    case 'accommodate':
      if (action.value % 5 === 4) {
        world.submit(outcome, applicationId, by, (state) => requestErasure(state, decided));
        return;
      }
      if (action.value % 7 === 3) {
        world.submit(outcome, applicationId, STAFF, (state) =>
          liftSignInLock(state, { ids: decided.ids, session, now: world.now }),
        );
        return;
      }
      world.submit(outcome, applicationId, action.value % 2 === 0 ? STAFF : by, (state) =>
        action.value % 2 === 0
          ? setAccommodations(state, { ...decided, accommodations: granted(action.value) })
          : requestAccommodation(state, { ...decided, text: `${SECRET}request ${action.value}` }),
      );
      return;
    case 'retract':
      world.submit(outcome, applicationId, STAFF, (state) => retractOutcome(state, decided));
      return;
    case 'mail':
      mailStep(world, invitation, action.value);
      return;
    case 'contest':
      if (session.evaluationId !== null) {
        const ids = { ...applicationRefOf(invitation), evaluationId: session.evaluationId };
        contestStep(world, ids, action.value);
      }
      return;
    case 'operate':
      operatorStep(world, invitation.organisationId, action.value);
      return;
    case 'share':
      if (session.evaluationId !== null) {
        const { evaluationId } = session;
        const result = world.read(evaluationDecider, evaluationId);
        sharingStep(world, { ...applicationRefOf(invitation), evaluationId }, result, action.value);
      }
      return;
    case 'identity':
      if (isRunning(session))
        world.submit(trial, trialSessionId, by, () => accept(identityChecked(session, action.value)));
      return;
    default:
      evaluate(world, invitation, action.name);
  }
};

const evaluate = (world: World, invitation: Invitation, name: 'generate' | 'fail' | 'regenerate'): void => {
  const session = trialOf(world.read(trial, invitation.trialSessionId), invitation);
  const { evaluationId, awaits } = session;
  if (evaluationId === null) return;
  const whole = { ...applicationRefOf(invitation), evaluationId };
  if (name !== 'regenerate') lateWorkStep(world, { ...session, evaluationId });
  world.submit(evaluationDecider, evaluationId, SYSTEM, (state) => {
    if (name === 'regenerate') {
      const isChecked = /[13579]$/.test(evaluationId);
      const checks = isChecked ? checksToRepeat(state, session) : [];
      return requestRegeneration(state, { begun: true, checks });
    }
    const ids = { ...whole, generation: requestedGeneration(state) ?? state.generation };
    const result = name === 'generate' ? readyResult(ids, invitation.role) : failedResult(ids);
    return recordResult(state, result, [], { awaits, late: state.late.count });
  });
};

/** Ends a session whose time is over. */
export const expireStep = (world: World, invitation: Invitation): void => {
  if (world.read(candidate, invitation.candidateId)?.erased) return;
  world.submit(trial, invitation.trialSessionId, SYSTEM, (state) =>
    expireTrial(state, { invitation, now: world.now }),
  );
};

/** Erases a candidate. @param reached how many streams hear of it now: the reactor may have been cut off */
export const eraseStep = (world: World, candidateId: string, reached: number): void => {
  world.submit(candidate, candidateId, STAFF, (state) => eraseCandidate(state, { cause: 'staff' }));
  const steps = (world.read(candidate, candidateId)?.invitations ?? []).flatMap((invitation) => {
    const ids = applicationRefOf(invitation);
    const { trialSessionId, applicationId } = invitation;
    return [
      () => world.submit(trial, trialSessionId, SYSTEM, (state) => eraseTrial(state, { invitation })),
      () => world.submit(outcome, applicationId, SYSTEM, (state) => eraseApplication(state, ids)),
      () => {
        const { evaluationId } = trialOf(world.read(trial, trialSessionId), invitation);
        if (evaluationId === null) return;
        world.submit(evaluationDecider, evaluationId, SYSTEM, (state) =>
          eraseEvaluation(state, { ...ids, evaluationId }),
        );
      },
    ];
  });
  for (const step of steps.slice(0, reached)) step();
};
