import type { Cut } from './cutter.js';
import type { Receipt } from './handlers.js';
import { type AudioFrame, SPEAKER } from './protocol/audio-frame.js';
import { problemWith } from './protocol/fields.js';
import { type ClientMessage, clientMessages, MAX_FRAME_BYTES } from './protocol/messages.js';

/** A waiting message or audio frame. */
export type Entry =
  | { readonly kind: 'message'; readonly id: string; readonly text: string; readonly waits: boolean }
  | { readonly kind: 'audio'; readonly frame: AudioFrame };

/** How much may wait in the queue. */
export interface QueueLimits {
  readonly audioBytes: number;
  /** Of all messages together, in UTF-16 code units. */
  readonly textLength: number;
}

/** Messages and audio that the service has not acknowledged, in the order in which they are sent and sent again. */
export class SendQueue {
  private entries: Entry[] = [];
  /** Index of the first entry that has not been sent on this connection. */
  private next = 0;
  private audioBytes = 0;
  private textLength = 0;
  /** The next frame has the `seq` after this one. */
  private lastSeq = 0;
  /** Highest `seq` that was sent, by this client or, after `renumber`, by another one of the session. */
  private lastSentSeq = 0;

  constructor(private readonly limits: QueueLimits) {}

  /**
   * @param waits it is sent once all audio before it is durable, since the service can still refuse that audio
   * @returns false: the queue is full, and the message was not added
   */
  addMessage(id: string, text: string, waits: boolean): boolean {
    if (this.textLength + text.length > this.limits.textLength) return false;
    this.entries.push({ kind: 'message', id, text, waits });
    this.textLength += text.length;
    return true;
  }

  /** Whether that many more bytes of audio fit. */
  hasRoomFor(bytes: number): boolean {
    return this.audioBytes + bytes <= this.limits.audioBytes;
  }

  /** Adds a frame with the next `seq`. */
  addAudio({ turn, pcm, at }: Cut, endOfTurn: boolean): void {
    this.lastSeq += 1;
    const timestampMs = Math.max(0, Math.round(at)) >>> 0;
    const frame = { speaker: SPEAKER.candidate, endOfTurn, turn, seq: this.lastSeq, timestampMs, pcm };
    this.entries.push({ kind: 'audio', frame });
    this.audioBytes += pcm.byteLength;
  }

  /** The entry to send next; `null`: none now. */
  peek(): Entry | null {
    const entry = this.entries[this.next] ?? null;
    if (entry?.kind !== 'message' || !entry.waits) return entry;
    const first = this.entries.findIndex(({ kind }) => kind === 'audio');
    return first >= 0 && first < this.next ? null : entry;
  }

  /** Call it once the entry of `peek` was sent. */
  sent(entry: Entry): void {
    this.next += 1;
    if (entry.kind === 'audio') this.lastSentSeq = Math.max(this.lastSentSeq, entry.frame.seq);
  }

  /** Drops a message that is durable, or refused for good. */
  remove(id: string): void {
    this.drop((entry) => entry.kind === 'message' && entry.id === id);
  }

  /** Drops audio that is durable. */
  acknowledgeAudio(lastAudioSeq: number): void {
    this.drop((entry) => entry.kind === 'audio' && entry.frame.seq <= lastAudioSeq);
  }

  /**
   * After the service refused a frame behind a gap: everything from the first frame after `lastAudioSeq` is sent again.
   * @returns see `resume`
   */
  goBackTo(lastAudioSeq: number): number {
    const missing = this.align(lastAudioSeq);
    const first = this.entries.findIndex(({ kind }) => kind === 'audio');
    if (first >= 0) this.next = Math.min(this.next, first);
    return missing;
  }

  /** Moves a sent message to the end of the queue, so that it is sent again; no effect if it is unsent or removed. */
  sendAgain(id: string): void {
    const place = this.entries.findIndex((entry) => entry.kind === 'message' && entry.id === id);
    if (place < 0 || place >= this.next) return;
    this.entries.push(...this.entries.splice(place, 1));
    this.next -= 1;
  }

  /** Sends everything again, since messages could not be recorded. */
  startOver(): void {
    this.next = 0;
  }

  /**
   * Sends everything on a new connection, on which the service has the audio up to `lastAudioSeq`.
   * @returns how many acknowledged frames the service no longer has; 0 unless it lost them
   */
  resume(lastAudioSeq: number): number {
    this.next = 0;
    return this.align(lastAudioSeq);
  }

  /** Whether the queue has audio that was added before this message. */
  hasAudioBefore(id: string): boolean {
    const place = this.entries.findIndex((entry) => entry.kind === 'message' && entry.id === id);
    return this.entries.slice(0, Math.max(0, place)).some(({ kind }) => kind === 'audio');
  }

  /** Drops everything. */
  clear(): void {
    this.drop(() => true);
  }

  private frames(): number {
    return this.entries.filter(({ kind }) => kind === 'audio').length;
  }

  /**
   * Drops the audio that the service has, and renumbers the rest if it does not continue from `lastAudioSeq`.
   * @returns as `resume`
   */
  private align(lastAudioSeq: number): number {
    // More than we have sent: another client of the session has sent it, and our unsent audio comes after it.
    const isFromOther = lastAudioSeq > this.lastSentSeq;
    this.acknowledgeAudio(isFromOther ? this.lastSentSeq : lastAudioSeq);
    const firstSeq = this.lastSeq - this.frames() + 1;
    // Frames after `lastAudioSeq` and before `firstSeq` were acknowledged and dropped: the rest closes the gap.
    const missing = Math.max(0, firstSeq - 1 - lastAudioSeq);
    if (isFromOther || missing > 0) this.renumber(lastAudioSeq);
    return missing;
  }

  /** Numbers all frames in the queue from `after + 1` on. */
  private renumber(after: number): void {
    let seq = after;
    this.entries = this.entries.map((entry) =>
      entry.kind === 'message' ? entry : { kind: 'audio', frame: { ...entry.frame, seq: (seq += 1) } },
    );
    this.lastSeq = seq;
    this.lastSentSeq = after;
  }

  private drop(gone: (entry: Entry) => boolean): void {
    const next = this.next;
    this.entries = this.entries.filter((entry, place) => {
      if (!gone(entry)) return true;
      if (place < next) this.next -= 1;
      if (entry.kind === 'audio') this.audioBytes -= entry.frame.pcm.byteLength;
      else this.textLength -= entry.text.length;
      return false;
    });
  }
}

/** A message that records something: the service answers its `id` by `ack`. */
type Recording = Extract<ClientMessage, { readonly id: string }>;
/** The same, before it has its id. */
export type Draft = Recording extends infer One ? (One extends Recording ? Omit<One, 'id'> : never) : never;

/** These close the turn with the audio that has arrived, so audio must precede them. */
const CLOSES_AUDIO: ReadonlySet<string> = new Set(['turn.commit', 'session.end']);

/** What the service has recorded, as `GET /trial-sessions/{trialSessionId}/receipts` answers. */
export interface Recorded {
  /** The session has ended: what is not recorded now never will be. */
  readonly ended: boolean;
  /** Of the ids that were asked for, those that are recorded. */
  readonly recorded: readonly string[];
  /** The candidate's audio is durable up to here. */
  readonly lastAudioSeq: number;
}

/** A message that waits for its answer. */
interface Open {
  readonly draft: Draft;
  readonly resolve: (receipt: Receipt) => void;
}

/** Gives messages their ids, and each caller the answer to its message. */
export class Receipts {
  /** Distinguishes this client's ids from those of the session's other clients. */
  private readonly prefix = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  private readonly open = new Map<string, Open>();
  private count = 0;
  private ended: string | null = null;

  constructor(private readonly queue: SendQueue) {}

  /**
   * Puts the message into the queue, unless the service would refuse it.
   * @param named its id, if the caller has one; otherwise it gets a new one
   */
  record(draft: Draft, named?: string): Promise<Receipt> {
    if (this.ended !== null)
      return Promise.resolve({ acknowledged: false, ended: true, code: 'ended', sentence: this.ended });
    const id = named ?? `${this.prefix}-${(this.count += 1)}`;
    const message = { ...draft, id };
    const text = JSON.stringify(message);
    const problem = problemWith(clientMessages[draft.type].fields, message) ?? tooLarge(text);
    if (problem !== null) return refused('bad_message', problem);
    if (!this.queue.addMessage(id, text, CLOSES_AUDIO.has(draft.type)))
      return refused('outbox_full', 'Too much text waits for a connection.');
    return new Promise((resolve) => this.open.set(id, { draft, resolve }));
  }

  /** The service has recorded the message. */
  acknowledge(id: string): void {
    this.answer(id, { acknowledged: true });
  }

  /** The service has refused the message. */
  refuse(id: string, code: string, sentence: string): void {
    this.answer(id, { acknowledged: false, ended: false, code, sentence });
  }

  /** No further answer will come: the remaining messages are answered by `answerBy` or `abandon`. */
  end(sentence: string): void {
    this.ended = sentence;
  }

  get isWaiting(): boolean {
    return this.open.size > 0;
  }

  /** The ids to ask the service about: those under which it records the messages that wait for an answer. */
  get wanted(): readonly string[] {
    return [...this.open].flatMap(([id, { draft }]) => idsOf(id, draft));
  }

  /** After the end: answers each waiting message whose outcome the service's answer decides. */
  answerBy({ ended, recorded, lastAudioSeq }: Recorded): void {
    this.queue.acknowledgeAudio(lastAudioSeq);
    const known = new Set(recorded);
    for (const [id, { draft }] of [...this.open])
      if (this.isRecorded(id, draft, known, ended)) this.acknowledge(id);
      else if (ended) this.refuse(id, 'session_ended', 'The session ended before this was recorded.');
  }

  /** Answers all waiting messages with an unknown outcome. */
  abandon(): void {
    for (const id of [...this.open.keys()])
      this.answer(id, { acknowledged: false, ended: true, code: 'ended', sentence: this.ended ?? '' });
    this.queue.clear();
  }

  private isRecorded(id: string, draft: Draft, known: ReadonlySet<string>, ended: boolean): boolean {
    if (draft.type === 'session.end') return ended;
    // The session's end closes the turn with all of its durable speech.
    if (draft.type === 'turn.commit') return ended && !this.queue.hasAudioBefore(id);
    return idsOf(id, draft).every((one) => known.has(one));
  }

  /** Removes the message from the queue, and answers its sender. */
  private answer(id: string, receipt: Receipt): void {
    this.queue.remove(id);
    this.open.get(id)?.resolve(receipt);
    this.open.delete(id);
  }
}

/** The service records an activity by the ids of its events, and nothing under the ids of some messages. */
const idsOf = (id: string, draft: Draft): readonly string[] => {
  if (draft.type === 'activity')
    return (draft.events as readonly { readonly clientEventId: string }[]).map(
      ({ clientEventId }) => clientEventId,
    );
  return draft.type === 'turn.commit' || draft.type === 'session.end' ? [] : [id];
};

const refused = (code: string, sentence: string): Promise<Receipt> =>
  Promise.resolve({ acknowledged: false, ended: false, code, sentence });

const tooLarge = (text: string): string | null =>
  new TextEncoder().encode(text).length > MAX_FRAME_BYTES
    ? `A message takes at most ${MAX_FRAME_BYTES} bytes as JSON.`
    : null;
