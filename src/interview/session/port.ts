import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import type { CloseCode, ErrorCode } from '../../../packages/interview-client/src/protocol/codes.js';
import type {
  ClientMessage,
  ClientMessageOf,
  ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import type { Caller } from '../../application/caller.js';
import type { Refusal } from '../../core/decider.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { RequestIds } from '../../http/edge-messages.js';

/** A connection without a frame or a pong for this long is dead; in milliseconds. */
export const IDLE_MS = 45_000;

/** The caller of an accepted upgrade, and the session, which is the caller's own. */
export interface AdmittedCaller {
  readonly caller: Caller;
  readonly session: ApplicationRef;
  readonly ids: RequestIds;
}

/** One connection as its conversation uses it. No method throws; after the connection is gone none has an effect. */
export interface ClientChannel {
  send(message: ServerMessage): void;
  /** Sends a whole binary frame. */
  sendAudio(frame: Uint8Array): void;
  /** Resolves once the client keeps up, or the connection is gone. */
  ready(): Promise<void>;
  /** Sends `error`, not fatal. `bad_message` counts towards 4400. */
  report(code: ErrorCode, sentence: string, id?: string): void;
  /** Sends the fatal `error`, if given, and closes. */
  close(code: CloseCode, error?: { readonly code: ErrorCode; readonly sentence: string }): void;
  /**
   * Stops reading the client's frames, which bounds memory.
   * @returns ends this pause; they are read again once every pause has ended
   */
  pause(): () => void;
}

/** What a client sends after its `client.ready`, but for `ping`, which the connection answers. */
export type ConversationMessage = Exclude<ClientMessage, { type: 'client.ready' | 'ping' }>;

/**
 * What a connection calls after its `client.ready`: with checked messages and frames, in order. `at` is when each
 * arrived, in milliseconds of the monotonic clock.
 */
export interface ConnectionHandler {
  message(message: ConversationMessage, at: number): void;
  audio(frame: AudioFrame, at: number): void;
  /** The connection is gone. This is the last call. */
  closed(code: number): void;
}

/** Injection token of `Interviews`. */
export const INTERVIEWS = Symbol('Interviews');

/** Opens conversations: `refusal` is asked before the upgrade, `open` at `client.ready`, `drain` at the end. */
export interface Interviews {
  /**
   * Whether the session can be interviewed now, from its stream.
   * @returns the refusal that answers the upgrade; `null`: none
   */
  refusal(admitted: AdmittedCaller): Promise<Refusal | null>;
  /** Begins a conversation, which sends `session.ready`. */
  open(
    admitted: AdmittedCaller,
    ready: ClientMessageOf<'client.ready'>,
    channel: ClientChannel,
  ): ConnectionHandler;
  /** As the service stops: refuses new conversations. Resolves once open ones have recorded all that was received. */
  drain(deadlineMs: number): Promise<void>;
}
