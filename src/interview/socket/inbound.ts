import { parseAudioFrame, SPEAKER } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import {
  type ClientMessage,
  type ClientMessageOf,
} from '../../../packages/interview-client/src/protocol/messages.js';
import { CLOSE, type ErrorCode } from '../../../packages/interview-client/src/protocol/codes.js';
import { parseClientMessage } from '../../../packages/interview-client/src/protocol/parse.js';
import type { ConnectionHandler, Line } from '../session/port.js';

/** What incoming frames may make of the connection that they come on. */
export interface InboundPeer extends Pick<Line, 'send' | 'report'> {
  begin(ready: ClientMessageOf<'client.ready'>): ConnectionHandler;
  /** Says what is wrong and closes. */
  end(code: number, fault: ErrorCode, sentence: string, id?: string): void;
  /** A conversation threw. */
  fail(error: unknown): void;
}

/** A client's frames: what is checked here reaches its conversation in its order. */
export class Inbound {
  private conversation: ConnectionHandler | null = null;
  private readonly texts = new FrameRate(TEXT_FRAMES);

  /** @param frames counts those of every kind, on all of the caller's connections */
  constructor(
    private readonly peer: InboundPeer,
    private readonly frames: FrameRate,
  ) {}

  /** Counts a frame of whichever kind. @returns whether it may be looked at */
  takes(now: number): boolean {
    if (!this.frames.exceeded(now)) return true;
    this.tooMany(ALL_FRAMES, 'frames');
    return false;
  }

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
      this.tooMany(TEXT_FRAMES, 'text frames');
      return;
    }
    const parsed = parseClientMessage(bytes.toString());
    if (parsed.kind === 'message') this.take(parsed.message);
    else if (this.conversation) this.peer.report('bad_message', parsed.problem, parsed.id ?? undefined);
    else this.notReady(parsed.id, parsed.problem);
  }

  /** Nothing was read for so long. */
  heldBack(forMs: number): void {
    this.texts.heldBack(forMs);
    this.frames.heldBack(forMs);
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

  private tooMany({ most, inMs }: FrameLimit, what: string): void {
    this.peer.end(
      CLOSE.tooManyMessages,
      'too_many_messages',
      `At most ${most} ${what} in ${inMs / 1_000} s.`,
    );
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

/** How many frames a connection may bring in which time. */
export interface FrameLimit {
  readonly most: number;
  readonly inMs: number;
}

export const TEXT_FRAMES: FrameLimit = { most: 100, inMs: 1_000 };
/**
 * Frames of every kind. Audio may come in bursts: after a drop, of two and a half minutes at once, which are fewer. So
 * many at once are worked off in less time than anybody else would notice.
 */
export const ALL_FRAMES: FrameLimit = { most: 10_000, inMs: 10_000 };

const MOST_FAULTS = 10;
const MINUTE_MS = 60_000;

/** Counts frames. Times are of one monotonic clock, in milliseconds. */
export class FrameRate {
  private since = Number.NEGATIVE_INFINITY;
  private count = 0;
  /** What may come beyond the limit, since it could not be read as it was sent. */
  private owed = 0;

  constructor(private readonly limit: FrameLimit) {}

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    if (this.owed > 0) {
      this.owed -= 1;
      return false;
    }
    if (now - this.since >= this.limit.inMs) {
      this.since = now;
      this.count = 0;
    }
    this.count += 1;
    return this.count > this.limit.most;
  }

  /** What a client sent while nothing was read of it arrives in one go: that is no haste of its own. */
  heldBack(forMs: number): void {
    this.owed += (forMs * this.limit.most) / this.limit.inMs;
  }
}

/** Bad messages by the minute: the tenth is one too many. */
export class Faults {
  private readonly times: number[] = [];

  /** Counts one. @returns whether it is one too many */
  exceeded(now: number): boolean {
    this.times.push(now);
    while (this.times[0] !== undefined && now - this.times[0] >= MINUTE_MS) this.times.shift();
    return this.times.length >= MOST_FAULTS;
  }
}
