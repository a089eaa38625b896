import type { Decision } from '../../../src/core/decider.js';
import type { Actor } from '../../../src/core/event.js';
import type { Invitation } from '../../../src/domain/candidate/events.js';
import type { TrialEvent } from '../../../src/domain/session/events.js';
import {
  ask,
  connect,
  cutOff,
  disconnect,
  finish,
  interrupt,
  recordAnswer,
  skip,
} from '../../../src/domain/session/interview-decider.js';
import { trial, trialOf, type TrialState } from '../../../src/domain/session/state.js';
import { MAX_DURATION_MS } from '../../../src/domain/session/time-limit.js';
import { after } from '../given-when-then.js';
import type { InterviewStep } from './actions.js';
import { SECRET, type World } from './world.js';

const KINDS = ['planned', 'follow_up', 'clarification', 'closing'] as const;
const SOURCES = ['typed', 'speech', 'transcribed'] as const;

/** Records one step of an interview as a conversation does, on its newest connection unless `stale`. */
export const interviewStep = (world: World, invitation: Invitation, step: InterviewStep): void => {
  const { candidateId, trialSessionId, role } = invitation;
  const by: Actor = { type: 'candidate', id: candidateId };
  const { turn, value } = step;
  world.pass(1_000 + value);
  const held = world.read(trial, trialSessionId)?.interview?.connection.connectionId;
  const connectionId = step.stale ? 'connection~gone' : (held ?? 'connection~none');
  const messageId = `${SECRET}message-${value}`;
  const elapsedMs = value * 1_000;
  const decide = (state: TrialState): Decision<TrialEvent> => {
    switch (step.name) {
      case 'connect':
        return connect(trialOf(state, invitation), {
          connectionId: world.newId(),
          host: `host~${value % 3}`,
          identity: value % 7 === 0 ? 'mismatch' : 'verified',
          recorded: value % 4 === 1,
          deviceId: value % 2 === 0 ? null : `${SECRET}device-${value % 4}`,
          now: world.now,
        });
      case 'disconnect':
        return disconnect(state, {
          connectionId,
          code: 1006,
          waited: { turn: value, ms: value, anew: value % 2 === 0 },
          elapsedMs,
        });
      case 'lose':
        return interrupt(state, { connectionId });
      case 'ask':
        return ask(state, {
          connectionId,
          questionId: world.newId(),
          kind: KINDS[value % KINDS.length] ?? 'planned',
          preface: value % 4 === 1 ? `${SECRET}preface ${value}` : null,
          text: `${SECRET}question ${value}`,
          dimensionIds: role.dimensions.slice(0, value % 3).map(({ id }) => id),
          planned: value % 2 === 0 ? null : value,
          planSize: 5,
          askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
          endsAt: after(MAX_DURATION_MS, world.now),
          elapsedMs,
        });
      case 'answer': {
        const spoken = value % 3 === 2;
        return recordAnswer(state, {
          connectionId: value % 5 === 0 ? null : connectionId,
          turn,
          text: `${SECRET}answer ${value}`,
          source: SOURCES[value % SOURCES.length] ?? 'typed',
          messageId: spoken ? null : messageId,
          gapMs: value % 4 === 0 ? null : value * 500,
          lastAudioSeq: value,
          voice: spoken ? { durationMs: value, kept: false } : null,
          transcriber: spoken ? 'command' : null,
          elapsedMs,
        });
      }
      case 'cutOff':
        return cutOff(state, { connectionId, turn, playedMs: value * 100, sentMs: 1_500, messageId });
      case 'skip':
        return skip(state, {
          connectionId,
          turn,
          messageId,
          lastAudioSeq: value,
          voice: value % 3 === 2 ? { durationMs: value, kept: false } : null,
          elapsedMs,
        });
      case 'finish':
        return finish(state, { reason: 'finished', evaluationId: world.newId(), now: world.now });
    }
  };
  world.submit(trial, trialSessionId, by, decide);
};
