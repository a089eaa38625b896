import type { Trial } from '../../domain/session/state.js';
import {
  MAX_FRAME_BYTES,
  MAX_TEXT_BYTES,
  type ServerMessageOf,
} from '../../../packages/interview-client/src/protocol/messages.js';
import type { Speech } from '../../clients/speech.js';
import { type Interview, MAX_DURATION_MS, RESUME_MS } from '../../domain/session/interview-state.js';

/** No frame and no pong for so long, and a connection counts as dead; in milliseconds. */
export const IDLE_MS = 45_000;

/** What a client is told as its connection begins. */
export const readyMessage = (
  session: Trial,
  interview: Interview,
  { transcriber, synthesiser }: Speech,
  lastAudioSeq: number,
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
  limits: {
    maxFrameBytes: MAX_FRAME_BYTES,
    maxTextBytes: MAX_TEXT_BYTES,
    idleMs: IDLE_MS,
    resumeMs: RESUME_MS,
    maxDurationMs: MAX_DURATION_MS,
  },
  // An interview that has begun has its own time.
  expiresAt: interview.endsAt ?? session.expiresAt,
});
