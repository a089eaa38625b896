import type { Connector } from './connector.js';
import type { InterviewHandlers } from './handlers.js';
import type { ServerMessage, ServerMessageOf } from './protocol/messages.js';
import type { Clock } from './runtime.js';
import type { Receipts } from './send-queue.js';
import type { Sender } from './sender.js';

/** Wait before messages are sent again after the service's error `unavailable`; below, `rate_limited`. */
const UNAVAILABLE_WAIT_MS = 1_000;
const RATE_LIMITED_WAIT_MS = 5_000;
/** Errors after which a message is not sent again. */
const REFUSALS = new Set([
  'bad_message',
  'validation_failed',
  'session_full',
  'id_reused',
  'transcription_failed',
]);

/** The client's parts on which messages act. */
interface Parts {
  readonly clock: Clock;
  readonly connector: Connector;
  readonly receipts: Receipts;
  readonly sender: Sender;
}

/**
 * Handles the service's messages. Facts, which have a `seq` and come again after a resume, are passed to the application
 * once and in order. Messages for display only go to its handler `moment`. Acknowledgements, errors and flow control go
 * to the client's parts.
 */
export class MessageDispatcher {
  /** `session.ready` of the newest connection, with the limits as they are now; `null` before the first. */
  session: ServerMessageOf<'session.ready'> | null = null;
  /** `seq` of the last fact that was passed on. */
  lastSeq = 0;
  /** The service has refused audio with `audio_gap`: the next `audio.ack` has the position to continue from. */
  private gapReported = false;

  constructor(
    private readonly on: InterviewHandlers,
    private readonly parts: Parts,
  ) {}

  /** Handles a message of the service, and calls the application’s handlers. */
  message(message: ServerMessage): void {
    const { on } = this;
    const { connector, receipts, sender } = this.parts;
    switch (message.type) {
      case 'session.ready':
        this.session = message;
        this.gapReported = false;
        // Before the handler, so that what the application sends in it comes after the queued messages.
        this.reportLostAudio(sender.resume(message.lastAudioSeq));
        this.callHandler(() => on.session?.(message));
        return;
      case 'session.limits': {
        const { limits, expiresAt } = message;
        const session = this.session && { ...this.session, limits, expiresAt };
        this.session = session;
        if (session) this.callHandler(() => on.session?.(session));
        return;
      }
      case 'question':
        this.fact(message.seq, () => on.question?.(message));
        return;
      case 'transcript.final':
        this.fact(message.seq, () => on.transcript?.(message));
        return;
      case 'turn.skipped':
        this.fact(message.seq, () => on.skipped?.(message));
        return;
      case 'interrupted':
        this.fact(message.seq, () => on.interrupted?.(message));
        return;
      case 'session.completed':
        this.fact(message.seq, () => on.completed?.(message));
        connector.complete();
        return;
      case 'ack':
        receipts.acknowledge(message.id);
        return;
      case 'audio.ack':
        this.handleAudioAck(message.lastAudioSeq);
        return;
      case 'error':
        this.handleError(message);
        return;
      case 'pong':
        return;
      case 'flow':
        sender.flow(message.state);
        break;
      case 'go_away':
        connector.renew();
        break;
      default:
    }
    this.callHandler(() => on.moment?.(message));
  }

  /** Reports a problem to the application. */
  report(code: string, sentence: string): void {
    this.callHandler(() => this.on.problem?.({ code, sentence }));
  }

  /** Calls a handler. If it throws, the error is thrown outside of the client, so that the connection stays open. */
  callHandler(handler: () => void): void {
    try {
      handler();
    } catch (error) {
      this.parts.clock.after(0, () => {
        throw error;
      });
    }
  }

  /** Ignores a fact that is known and was sent again after a resume. */
  private fact(seq: number, deliver: () => void): void {
    if (seq <= this.lastSeq) return;
    this.lastSeq = seq;
    this.callHandler(deliver);
  }

  private handleAudioAck(lastAudioSeq: number): void {
    if (!this.gapReported) {
      this.parts.sender.acknowledgeAudio(lastAudioSeq);
      return;
    }
    this.gapReported = false;
    this.reportLostAudio(this.parts.sender.goBackTo(lastAudioSeq));
  }

  private handleError({ code, error, id }: ServerMessageOf<'error'>): void {
    if (code === 'audio_gap') this.gapReported = true;
    else if (id !== undefined && code === 'unavailable') this.parts.sender.retry(UNAVAILABLE_WAIT_MS);
    else if (id !== undefined && code === 'rate_limited')
      this.parts.sender.postpone(id, RATE_LIMITED_WAIT_MS);
    else if (id !== undefined && REFUSALS.has(code)) this.parts.receipts.refuse(id, code, error);
    else this.report(code, error);
  }

  private reportLostAudio(frames: number): void {
    if (frames > 0)
      this.report('audio_lost', `The service no longer has ${frames} frames that it had acknowledged.`);
  }
}
