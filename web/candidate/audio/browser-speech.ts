/** Speech by the browser itself: it reads texts aloud and, in some browsers, recognises speech. */
import type { Recogniser } from './dictation.js';

const synthesis = (): SpeechSynthesis | null => ('speechSynthesis' in globalThis ? speechSynthesis : null);

/** Whether the browser has a voice. */
export const canSpeak = (): boolean => synthesis() !== null;

/** Some voices stop after 15 s of one utterance, and send no `end`. */
const MAX_PIECE = 180;
/** Longer than the slowest voices take for a character. */
const MS_PER_CHARACTER = 110;
const SPARE_MS = 2_500;
/** A piece that has not begun by then is spoken once more: a browser may be stuck after a cancellation. */
const BEGINS_WITHIN_MS = 4_000;
/** Wait after a cancellation: some browsers also cancel what is spoken right after it. */
const AFTER_CANCEL_MS = 60;

/** What is being read. A browser drops an utterance that the page does not hold, and sends no `end` for it. */
let reading: Reading | null = null;

/**
 * Reads a text aloud, in place of what is being read.
 * @param ended called also if the browser refuses or stops; not if another text replaces this one
 */
export const speak = (text: string, language: string, ended: () => void = () => undefined): void => {
  const voice = synthesis();
  const busy = reading !== null || voice?.speaking === true || voice?.pending === true;
  if (busy) stopSpeaking();
  if (voice === null) {
    ended();
    return;
  }
  reading = new Reading(voice, piecesOf(text), language, () => {
    reading = null;
    ended();
  });
  reading.start(busy ? AFTER_CANCEL_MS : 0);
};

/** Stops what is spoken; its `ended` is not called. */
export const stopSpeaking = (): void => {
  reading?.leave();
  reading = null;
  synthesis()?.cancel();
};

/** One text, piece by piece, within a time for each. */
class Reading {
  private utterance: SpeechSynthesisUtterance | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private retried = false;

  constructor(
    private readonly voice: SpeechSynthesis,
    private readonly pieces: string[],
    private readonly language: string,
    private readonly ended: () => void,
  ) {}

  start(waitMs: number): void {
    // Without a wait it begins in this call: some browsers let a page speak only while they handle a touch.
    if (waitMs === 0) this.next();
    else this.timer = setTimeout(() => this.next(), waitMs);
  }

  leave(): void {
    clearTimeout(this.timer);
    // A late event of this utterance must not count for the next one.
    if (this.utterance) this.utterance.onstart = this.utterance.onend = this.utterance.onerror = null;
    this.utterance = null;
  }

  private next(): void {
    this.leave();
    const piece = this.pieces[0];
    if (piece === undefined) {
      this.ended();
      return;
    }
    const utterance = new SpeechSynthesisUtterance(piece);
    this.utterance = utterance;
    utterance.lang = this.language;
    const done = () => {
      this.pieces.shift();
      this.next();
    };
    const maxMs = SPARE_MS + piece.length * MS_PER_CHARACTER;
    utterance.onstart = () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.giveUp(done), maxMs);
    };
    utterance.onend = done;
    utterance.onerror = done;
    this.timer = setTimeout(() => this.stuck(done, maxMs), BEGINS_WITHIN_MS);
    // Another page may have paused the voice, which then stays paused.
    this.voice.resume();
    this.voice.speak(utterance);
  }

  /** The utterance has not begun. A browser that sends no `start` may be speaking all the same. */
  private stuck(done: () => void, maxMs: number): void {
    if (this.voice.speaking && !this.voice.pending) {
      this.timer = setTimeout(() => this.giveUp(done), maxMs);
      return;
    }
    if (this.retried) {
      this.pieces.length = 0;
      this.giveUp(done);
      return;
    }
    this.retried = true;
    this.leave();
    this.voice.cancel();
    this.start(AFTER_CANCEL_MS);
  }

  private giveUp(done: () => void): void {
    this.leave();
    this.voice.cancel();
    clearTimeout(this.timer);
    this.timer = setTimeout(done, AFTER_CANCEL_MS);
  }
}

/** Sentences together up to a length, each part at a word's end. */
const piecesOf = (text: string): string[] => {
  const pieces: string[] = [];
  const parts = text.split(/(?<=[.!?…:;\n])\s+/u).flatMap((sentence) => wrapped(sentence));
  for (const part of parts) {
    const last = pieces.at(-1);
    if (last !== undefined && last.length + part.length < MAX_PIECE) pieces.splice(-1, 1, `${last} ${part}`);
    else if (part.trim() !== '') pieces.push(part);
  }
  return pieces;
};

const wrapped = (sentence: string): string[] => {
  const lines: string[] = [];
  for (const word of sentence.split(/\s+/u)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MAX_PIECE) lines.splice(-1, 1, `${last} ${word}`);
    else lines.push(word);
  }
  return lines;
};

const recogniser = (): (new () => Recogniser) | null => {
  const known = globalThis as unknown as Record<'SpeechRecognition' | 'webkitSpeechRecognition', unknown>;
  return (
    ((known.SpeechRecognition ?? known.webkitSpeechRecognition) as (new () => Recogniser) | undefined) ?? null
  );
};

/** Makes recognisers of the browser; `null`: it has none. */
export const recognisers = (): (() => Recogniser) | null => {
  const Known = recogniser();
  return Known === null ? null : () => new Known();
};
