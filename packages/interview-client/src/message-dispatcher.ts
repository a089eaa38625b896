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

/** The client's parts that incoming messages act on. */
interface Acting {
  readonly clock: Clock;
  readonly connector: Connector;
  readonly receipts: Receipts;
  readonly sender: Sender;
}

/** Handles the service's messages: passes each fact to the application once, and answers to the part that awaits them. */
export class MessageDispatcher {
  /** `session.ready` of the newest connection, with the limits as they are now; `null` before the first. */
  session: ServerMessageOf<'session.ready'> | null = null;
  /** `seq` of the last fact that was passed on. */
  lastSeq = 0;
  private gapReported = false;

  constructor(
    private readonly on: InterviewHandlers,
    private readonly acting: Acting,
  ) {}

  /** Handles a message of the service, and calls the application’s handlers. */
  message(message: ServerMessage): void {
    const { on } = this;
    const { connector, receipts, sender } = this.acting;
    switch (message.type) {
      case 'session.ready':
        this.session = message;
        this.gapReported = false;
        // Before the handler, so that what the application sends in it comes after the queued messages.
        this.missing(sender.resume(message.lastAudioSeq));
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
        this.audioIsAt(message.lastAudioSeq);
        return;
      case 'error':
        this.failed(message);
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
      this.acting.clock.after(0, () => {
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

  private audioIsAt(lastAudioSeq: number): void {
    if (!this.gapReported) {
      this.acting.sender.acknowledgeAudio(lastAudioSeq);
      return;
    }
    this.gapReported = false;
    this.missing(this.acting.sender.goBackTo(lastAudioSeq));
  }

  private failed({ code, error, id }: ServerMessageOf<'error'>): void {
    if (code === 'audio_gap') this.gapReported = true;
    else if (id !== undefined && code === 'unavailable') this.acting.sender.retry(UNAVAILABLE_WAIT_MS);
    else if (id !== undefined && code === 'rate_limited')
      this.acting.sender.postpone(id, RATE_LIMITED_WAIT_MS);
    else if (id !== undefined && REFUSALS.has(code)) this.acting.receipts.refuse(id, code, error);
    else this.report(code, error);
  }

  private missing(frames: number): void {
    if (frames > 0)
      this.report('audio_lost', `The service no longer has ${frames} frames that it had acknowledged.`);
  }
}
