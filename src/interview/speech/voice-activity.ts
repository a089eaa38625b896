import { BYTES_PER_MS, SAMPLE_RATE } from '../../../packages/interview-client/src/protocol/audio-frame.js';

/** Decisions are made for windows of this length, wherever frames begin and end. */
const WINDOW_MS = 20;
const WINDOW_SAMPLES = (SAMPLE_RATE * WINDOW_MS) / 1000;
const WINDOW_BYTES = WINDOW_MS * BYTES_PER_MS;

/** The noise floor is the quietest window of the last six stretches of half a second: speech pauses more often. */
const STRETCHES = 6;
const WINDOWS_PER_STRETCH = 500 / WINDOW_MS;
/** Nothing is known at first: louder than this in the first seconds is speech. */
const FIRST_FLOOR = 300 ** 2;
/** What is quieter than a silent room would make a whisper of the line itself into speech. */
const LEAST_FLOOR = 20 ** 2;
/** Power above the floor: 9 dB begin a speech, 6 dB are still part of it. */
const BEGINS = 8;
const GOES_ON = 4;

/** Speech begins with 160 ms within 300 ms. */
const START_WINDOWS = 15;
const START_VOICED = 8;
/** Silence begins anew with 60 ms within 100 ms: a key or a click does not do that. */
const RENEW_WINDOWS = 5;
const RENEW_VOICED = 3;
const HANG_OVER_WINDOWS = 1_000 / WINDOW_MS;

/**
 * Where speech is in a turn's audio, by its energy above a noise floor that adapts to the room; a constant offset
 * counts for nothing. It depends on the samples alone, so that it can be rebuilt from what is stored, and costs one
 * pass over them. A steady tone or noise is speech for three seconds, until it is known.
 */
export class VoiceActivity {
  private windows = 0;
  /** The window that is being filled: frames may begin at any byte of what they came in. */
  private readonly bytes = new Uint8Array(WINDOW_BYTES);
  private readonly window = new DataView(this.bytes.buffer);
  private filled = 0;

  private readonly quietest = new Float64Array(STRETCHES).fill(FIRST_FLOOR);
  private stretch = 0;
  private floor = FIRST_FLOOR;

  /** The latest windows, the last one in bit 0: 1 is voiced. */
  private recent = 0;
  private silentWindows = 0;
  private voicedWindows = 0;
  private firstVoicedWindow = -1;
  private isSpeaking = false;

  /** @param timeFactor silence must be so many times as long to end a speech */
  constructor(private readonly timeFactor = 1) {}

  /** @param pcm of any length; an odd last byte is no sample, and is left out */
  push(pcm: Uint8Array): void {
    const end = pcm.byteLength - (pcm.byteLength % 2);
    for (let at = 0; at < end;) {
      const next = Math.min(end, at + WINDOW_BYTES - this.filled);
      this.bytes.set(next - at === pcm.byteLength ? pcm : pcm.subarray(at, next), this.filled);
      this.filled += next - at;
      at = next;
      if (this.filled < WINDOW_BYTES) continue;
      this.filled = 0;
      this.decide(powerOf(this.window));
    }
  }

  /** Milliseconds of voice in what was speech; clicks are none. */
  get voicedMs(): number {
    return this.voicedWindows * WINDOW_MS;
  }

  /** Start of the first speech, in milliseconds of all audio so far; `null`: none yet. */
  get firstVoicedAtMs(): number | null {
    return this.firstVoicedWindow < 0 ? null : this.firstVoicedWindow * WINDOW_MS;
  }

  /** Speech has begun, and no silence of a second has followed yet. */
  get speaking(): boolean {
    return this.isSpeaking;
  }

  /** Speech was heard, and silence of a second has followed. */
  get ended(): boolean {
    return !this.isSpeaking && this.firstVoicedWindow >= 0;
  }

  /** All the audio so far, in whole milliseconds. */
  get durationMs(): number {
    return Math.floor(this.windows * WINDOW_MS + this.filled / BYTES_PER_MS);
  }

  private decide(power: number): void {
    const voiced = power > this.floor * (this.isSpeaking ? GOES_ON : BEGINS);
    this.learn(power);
    this.recent = ((this.recent << 1) | (voiced ? 1 : 0)) & ((1 << START_WINDOWS) - 1);
    this.windows += 1;
    if (this.isSpeaking) this.goOn(voiced);
    else if (ones(this.recent) >= START_VOICED) this.begin();
  }

  private begin(): void {
    this.isSpeaking = true;
    this.silentWindows = 0;
    this.voicedWindows += ones(this.recent);
    const since = 32 - Math.clz32(this.recent);
    if (this.firstVoicedWindow < 0) this.firstVoicedWindow = this.windows - since;
  }

  private goOn(voiced: boolean): void {
    if (voiced) this.voicedWindows += 1;
    const renewed = ones(this.recent & ((1 << RENEW_WINDOWS) - 1)) >= RENEW_VOICED;
    this.silentWindows = renewed ? 0 : this.silentWindows + 1;
    if (this.silentWindows < HANG_OVER_WINDOWS * this.timeFactor) return;
    this.isSpeaking = false;
    this.recent = 0;
  }

  /** A quieter window counts at once, a louder room once the quiet ones are forgotten. */
  private learn(power: number): void {
    if (this.windows % WINDOWS_PER_STRETCH === 0 && this.windows > 0) {
      this.stretch = (this.stretch + 1) % STRETCHES;
      this.quietest[this.stretch] = Number.POSITIVE_INFINITY;
    }
    if (power < (this.quietest[this.stretch] ?? 0)) this.quietest[this.stretch] = power;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < STRETCHES; at += 1) least = Math.min(least, this.quietest[at] ?? least);
    this.floor = Math.max(LEAST_FLOOR, least);
  }
}

/** Of a full window, without its constant offset. Two samples at a time: this is most of what a frame costs. */
const powerOf = (window: DataView): number => {
  let sum = 0;
  let sumOfSquares = 0;
  for (let at = 0; at < WINDOW_BYTES; at += 4) {
    const one = window.getInt16(at, true);
    const other = window.getInt16(at + 2, true);
    sum = (sum + one + other) | 0;
    sumOfSquares += one * one + other * other;
  }
  const mean = sum / WINDOW_SAMPLES;
  return sumOfSquares / WINDOW_SAMPLES - mean * mean;
};

const ones = (bits: number): number => {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
};
