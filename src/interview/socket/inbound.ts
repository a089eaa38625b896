import { parseAudioFrame, SPEAKER } from '../protocol/audio-frame.js';
import { CLOSE, type ClientMessage, type ClientMessageOf, type ErrorCode } from '../protocol/messages.js';
import { parseClientMessage } from '../protocol/parse.js';
import type { Conversation, Line } from '../session/port.js';
import { TextRate } from './strikes.js';

/** What incoming frames may make of the connection that they come on. */
export interface InboundPeer extends Pick<Line, 'send' | 'report'> {
  begin(ready: ClientMessageOf<'client.ready'>): Conversation;
  /** Says what is wrong and closes. */
  end(code: number, fault: ErrorCode, sentence: string, id?: string): void;
  /** A conversation threw. */
  fail(error: unknown): void;
}

/** A client's frames: what is checked here reaches its conversation in its order. */
export class Inbound {
  private conversation: Conversation | null = null;
  private readonly texts = new TextRate();

  constructor(private readonly peer: InboundPeer) {}

  audio(bytes: Buffer): void {
    const { conversation } = this;
    if (!conversation) {
      this.notReady(null);
      return;
    }
    const frame = parseAudioFrame(bytes, SPEAKER.candidate);
    if (typeof frame === 'string') {
      this.peer.report('bad_message', frame);
      return;
    }
    try {
      conversation.audio(frame);
    } catch (error) {
      this.peer.fail(error);
    }
  }

  text(bytes: Buffer, now: number): void {
    if (this.texts.exceeded(now)) {
      this.peer.end(CLOSE.tooManyMessages, 'too_many_messages', 'At most 100 text frames a second.');
      return;
    }
    const parsed = parseClientMessage(bytes.toString());
    if (parsed.kind === 'message') this.take(parsed.message);
    else if (this.conversation) this.peer.report('bad_message', parsed.problem, parsed.id ?? undefined);
    else this.notReady(parsed.id, parsed.problem);
  }

  /** Nothing was read for so long. */
  heldBack(now: number, forMs: number): void {
    this.texts.heldBack(now, forMs);
  }

  /** The connection is gone. */
  closed(code: number): void {
    this.guarded(() => this.conversation?.closed(code));
  }

  private take(message: ClientMessage): void {
    const { conversation, peer } = this;
    if (!conversation) {
      if (message.type === 'client.ready') this.guarded(() => (this.conversation = peer.begin(message)));
      else this.notReady('id' in message ? message.id : null);
    } else if (message.type === 'client.ready')
      peer.report('bad_message', 'client.ready is said once on a connection.');
    else if (message.type === 'ping') peer.send({ type: 'pong' });
    else this.guarded(() => conversation.message(message));
  }

  private notReady(id: string | null, problem = 'The first message must be client.ready.'): void {
    this.peer.end(CLOSE.badMessage, 'bad_message', problem, id ?? undefined);
  }

  private guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.peer.fail(error);
    }
  }
}
