import type { Caller } from '../../api/access/caller.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { AudioFrame } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import type {
  ClientMessage,
  ClientMessageOf,
  ServerMessage,
} from '../../../packages/interview-client/src/protocol/messages.js';
import type { CloseCode, ErrorCode } from '../../../packages/interview-client/src/protocol/codes.js';

/** A connection without a frame or a pong for this long is dead; in milliseconds. */
export const IDLE_MS = 45_000;

/** Who was let in at the upgrade, and to which session. */
export interface Visitor {
  readonly caller: Caller;
  readonly session: ApplicationRef;
  /** Of the upgrade, for the log and as the events' correlation. */
  readonly requestId: string;
}

/** One connection as a conversation sees it. Nothing here throws, also once the connection is gone. */
export interface Line {
  send(message: ServerMessage): void;
  /** A binary frame, whole. */
  sendAudio(frame: Uint8Array): void;
  /** Resolves at once while the client keeps up, else when it has caught up or the connection is gone. */
  ready(): Promise<void>;
  /** Sends `error`, not fatal. `bad_message` counts towards 4400. */
  report(code: ErrorCode, sentence: string, id?: string): void;
  /** Sends the fatal `error`, where there is one, and closes. */
  close(code: CloseCode, error?: { readonly code: ErrorCode; readonly sentence: string }): void;
  /** Stops taking frames from the client until `resume`: memory is bounded by it. Each may be called again. */
  pause(): void;
  resume(): void;
}

/** What a connection hands on once its `client.ready` has come: checked messages in their order. */
export interface ConnectionHandler {
  message(message: Exclude<ClientMessage, { type: 'client.ready' | 'ping' }>): void;
  audio(frame: AudioFrame): void;
  /** The connection is gone, whoever closed it; the last that it says. */
  closed(code: number): void;
}

/** Injection token of `Interviews`. */
export const INTERVIEWS = Symbol('Interviews');

/** Where connections become conversations. */
export interface Interviews {
  /**
   * Whether the session can be interviewed now, from its stream.
   * @returns `null`, or the refusal that answers the upgrade
   */
  refusal(
    visitor: Visitor,
  ): Promise<{ readonly code: 'not_started' | 'session_ended'; readonly message: string } | null>;
  /** Begins a conversation; `session.ready` is sent by it. */
  open(visitor: Visitor, ready: ClientMessageOf<'client.ready'>, line: Line): ConnectionHandler;
  /** The service stops: new conversations are refused, what was acknowledged is safe. Ends once all are closed. */
  drain(deadlineMs: number): Promise<void>;
}
