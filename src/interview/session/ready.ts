import {
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  type ServerMessageOf,
} from '../../../packages/interview-client/src/protocol/messages.js';
import type { Speech } from '../../clients/speech.js';
import { type Interview, RESUME_MS } from '../../domain/session/interview-state.js';
import type { Trial } from '../../domain/session/state.js';
import { endOfTime, maxDurationMs } from '../../domain/session/time-limit.js';
import { interviewLanguage } from '../../languages/languages.js';
import { IDLE_MS } from './port.js';

/** The answer to `client.ready`. */
export const readyMessage = (
  session: Trial,
  interview: Interview,
  { transcriber, synthesiser }: Speech,
  lastAudioSeq: number,
  timeFactor: number,
): ServerMessageOf<'session.ready'> => ({
  type: 'session.ready',
  connectionId: interview.connection.connectionId,
  lastSeq: interview.facts.at(-1)?.seq ?? 0,
  lastAudioSeq,
  audio: {
    transcription: transcriber === 'client' ? 'client' : 'server',
    speech: synthesiser === 'client' ? 'client' : 'server',
    recorded: interview.recorded,
  },
  language: interviewLanguage(session.language),
  ...limitsOf(session, interview, timeFactor),
});

/** The limits in `session.ready` and `session.limits`. */
export const limitsOf = (
  { expiresAt }: Pick<Trial, 'expiresAt'>,
  { endsAt }: Pick<Interview, 'endsAt'>,
  timeFactor: number,
): Omit<ServerMessageOf<'session.limits'>, 'type'> => ({
  limits: {
    maxFrameBytes: MAX_FRAME_BYTES,
    maxTextBytes: MAX_TEXT_BYTES,
    idleMs: IDLE_MS,
    resumeMs: Math.round(RESUME_MS * timeFactor),
    maxDurationMs: maxDurationMs(timeFactor),
  },
  // Once the interview has begun, its time limit applies instead of the session's expiry.
  expiresAt: endsAt === null ? expiresAt : endOfTime(endsAt, timeFactor),
});
