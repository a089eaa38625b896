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

/** A connection is dead if no frame or pong comes for this long, in milliseconds. */
export const IDLE_MS = 45_000;

/** The caller of an accepted upgrade, and the caller's session. */
export interface AdmittedCaller {
  readonly caller: Caller;
  readonly session: ApplicationRef;
  readonly ids: RequestIds;
}

/** What a conversation uses of its connection. No method throws, and none has an effect after the connection's end. */
export interface ClientChannel {
  send(message: ServerMessage): void;
  /** Sends a whole binary frame. */
  sendAudio(frame: Uint8Array): void;
  /** Resolves once the client has read enough of what was sent, or the connection has ended. */
  ready(): Promise<void>;
  /** Sends `error`, not fatal. `bad_message` counts towards 4400. @param id of the refused message, if it is about one */
  report(code: ErrorCode, sentence: string, id?: string): void;
  /** Sends the fatal `error`, if given, and closes. */
  close(code: CloseCode, error?: { readonly code: ErrorCode; readonly sentence: string }): void;
  /**
   * Stops reading the client's frames, to bound memory.
   * @returns a function that ends this pause; frames are read again once every pause has ended
   */
  pause(): () => void;
}

/** What a client sends after `client.ready`, except `ping`, which the connection answers. */
export type ConversationMessage = Exclude<ClientMessage, { type: 'client.ready' | 'ping' }>;

/**
 * What a connection calls after `client.ready`, with checked messages and frames in the order of arrival. `at` is the
 * time of arrival, in milliseconds of the monotonic clock.
 */
export interface ConnectionHandler {
  message(message: ConversationMessage, at: number): void;
  audio(frame: AudioFrame, at: number): void;
  /** The connection has ended. This is the last call. */
  closed(code: number): void;
}

/** Injection token of `Interviews`. */
export const INTERVIEWS = Symbol('Interviews');

/** Opens conversations: call `refusal` before the upgrade, `open` at `client.ready`, `drain` when the service stops. */
export interface Interviews {
  /**
   * Reads from the session's stream whether it can be interviewed now.
   * @returns the refusal that answers the upgrade; `null`: it can
   */
  refusal(admitted: AdmittedCaller): Promise<Refusal | null>;
  /** Begins a conversation, which sends `session.ready`. */
  open(
    admitted: AdmittedCaller,
    ready: ClientMessageOf<'client.ready'>,
    channel: ClientChannel,
  ): ConnectionHandler;
  /** Refuses new conversations. Resolves once open ones have recorded all that was received, or after `deadlineMs`. */
  drain(deadlineMs: number): Promise<void>;
}
