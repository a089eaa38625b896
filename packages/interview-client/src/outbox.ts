import { type AudioFrame, SPEAKER } from './protocol/audio-frame.js';
import type { Cut } from './cutter.js';

export type Entry =
  | { readonly kind: 'message'; readonly id: string; readonly text: string; readonly waits: boolean }
  | { readonly kind: 'audio'; readonly frame: AudioFrame };

export interface Room {
  readonly audioBytes: number;
  readonly textLength: number;
}

/**
 * What is to be recorded and not yet known to be durable: messages and audio in one order, in which all of it is sent,
 * and sent again after a resume.
 */
export class Outbox {
  private entries: Entry[] = [];
  /** The first entry that has not been sent on this connection. */
  private next = 0;
  private audioBytes = 0;
  private textLength = 0;
  private lastSeq = 0;
  private lastSentSeq = 0;

  constructor(private readonly room: Room) {}

  /** How much audio waits, in bytes. */
  get waitingAudioBytes(): number {
    return this.audioBytes;
  }

  /**
   * @param waits it is not sent before all audio in front of it is durable, which the service may still refuse
   * @returns false: as much waits as may, nothing was taken
   */
  addMessage(id: string, text: string, waits: boolean): boolean {
    if (this.textLength + text.length > this.room.textLength) return false;
    this.entries.push({ kind: 'message', id, text, waits });
    this.textLength += text.length;
    return true;
  }

  /** Whether so much more audio may wait. */
  hasRoomFor(bytes: number): boolean {
    return this.audioBytes + bytes <= this.room.audioBytes;
  }

  /** The next frame of the session. */
  addAudio({ turn, pcm, at }: Cut, endOfTurn: boolean): void {
    this.lastSeq += 1;
    const timestampMs = Math.max(0, Math.round(at)) >>> 0;
    const frame = { speaker: SPEAKER.candidate, endOfTurn, turn, seq: this.lastSeq, timestampMs, pcm };
    this.entries.push({ kind: 'audio', frame });
    this.audioBytes += pcm.byteLength;
  }

  /** What is to be sent next, `null` where there is nothing now. */
  peek(): Entry | null {
    const entry = this.entries[this.next] ?? null;
    if (entry?.kind !== 'message' || !entry.waits) return entry;
    const first = this.entries.findIndex(({ kind }) => kind === 'audio');
    return first >= 0 && first < this.next ? null : entry;
  }

  /** It was sent. */
  sent(entry: Entry): void {
    this.next += 1;
    if (entry.kind === 'audio') this.lastSentSeq = Math.max(this.lastSentSeq, entry.frame.seq);
  }

  /** The message is durable, or refused for good. */
  settle(id: string): void {
    this.drop((entry) => entry.kind === 'message' && entry.id === id);
  }

  /** Audio up to here is durable. */
  acknowledgeAudio(lastAudioSeq: number): void {
    this.drop((entry) => entry.kind === 'audio' && entry.frame.seq <= lastAudioSeq);
  }

  /**
   * The service refused a frame that skipped some: all is to be sent again from the first frame beyond `lastAudioSeq`,
   * with every message around them.
   * @returns see `resume`
   */
  goBackTo(lastAudioSeq: number): number {
    const missing = this.align(lastAudioSeq);
    const first = this.entries.findIndex(({ kind }) => kind === 'audio');
    if (first >= 0) this.next = Math.min(this.next, first);
    return missing;
  }

  /** The message is to be sent again, behind all that waits; nothing where it still does, or is settled. */
  sendAgain(id: string): void {
    const place = this.entries.findIndex((entry) => entry.kind === 'message' && entry.id === id);
    if (place < 0 || place >= this.next) return;
    this.entries.push(...this.entries.splice(place, 1));
    this.next -= 1;
  }

  /** Everything is to be sent again: messages could not be recorded. */
  startOver(): void {
    this.next = 0;
  }

  /**
   * Everything is to be sent on a new connection, on which the service has the audio up to `lastAudioSeq`.
   * @returns how many frames that were acknowledged it no longer has; never any, if it keeps its promise
   */
  resume(lastAudioSeq: number): number {
    this.next = 0;
    return this.align(lastAudioSeq);
  }

  /** Nothing will be sent any more. */
  clear(): void {
    this.drop(() => true);
  }

  private frames(): number {
    return this.entries.filter(({ kind }) => kind === 'audio').length;
  }

  private align(lastAudioSeq: number): number {
    // Another client of the same session has gone on with the audio: what we have not sent yet comes after that.
    const elsewhere = lastAudioSeq > this.lastSentSeq;
    this.acknowledgeAudio(elsewhere ? this.lastSentSeq : lastAudioSeq);
    const firstSeq = this.lastSeq - this.frames() + 1;
    const missing = Math.max(0, firstSeq - 1 - lastAudioSeq);
    if (elsewhere || missing > 0) this.renumber(lastAudioSeq);
    return missing;
  }

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
