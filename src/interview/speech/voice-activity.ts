import { BYTES_PER_MS, SAMPLE_RATE } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { Slices } from '../../core/concurrency.js';
import { VoiceBand } from './voice-band.js';

/** Decisions are made for windows of this length, independent of the frames. */
const WINDOW_MS = 20;
const WINDOW_BYTES = WINDOW_MS * BYTES_PER_MS;

/*
 * Power is the mean square of a window's 16-bit samples. The noise floor is the power of the quietest window in the
 * last six stretches of half a second: speech always has a pause within three seconds.
 */
const STRETCHES = 6;
const WINDOWS_PER_STRETCH = 500 / WINDOW_MS;
/** Highest floor in the first three seconds, so that audio may begin with speech. */
const FIRST_FLOOR = 300 ** 2;
/** Lowest floor: below it, the faint noise of a silent line would count as a whisper. */
const MIN_FLOOR = 20 ** 2;
/** A window is loud if its power is above this many times the floor: 6 dB. */
const LOUD = 4;
/** A window is silent if its power is below this many times the floor: 3 dB. */
const SILENT = 2;

/** Speech begins with 260 ms of sound within 400 ms, 100 ms of it with a pitch: a noise of 200 ms begins none. */
const START_WINDOWS = 20;
const START_LOUD = 13;
/** 100 ms of pitch within 300 ms are a voice: a soft "yes" has them, a click or a noise does not. */
const VOICE_WINDOWS = 15;
const VOICE_PITCHED = 5;
/** After this many windows with a pitch (40 ms), speech may have begun. */
const MAYBE_PITCHED = 2;
/** With 60 ms of sound within 100 ms speech continues, and its silence is counted from 0 again. A click is shorter. */
const GO_ON_WINDOWS = 5;
const GO_ON_LOUD = 3;

/**
 * Detects speech in a turn's audio: sound in the band of voices above a noise floor that adapts to the room, with a
 * pitch at its beginning, so that neither hum nor noise begins it. The result depends on the samples alone, so it can
 * be rebuilt from stored audio. If a noise begins during speech, the end of the speech is detected up to three
 * seconds late: until then the noise is not in the floor. Create one for each turn and push its audio in order.
 */
export class VoiceActivity {
  private windows = 0;
  /** The window that is being filled: a window may span several pieces. */
  private readonly bytes = new Uint8Array(WINDOW_BYTES);
  private readonly window = new DataView(this.bytes.buffer);
  private filled = 0;
  private readonly band = new VoiceBand((SAMPLE_RATE * WINDOW_MS) / 1_000);

  /** Power of the quietest window of each stretch; that of the current one is at `stretch`. */
  private readonly quietest = new Float64Array(STRETCHES).fill(FIRST_FLOOR);
  private stretch = 0;
  private floor = FIRST_FLOOR;

  /** The latest windows, the last one in bit 0; 1: loud. */
  private recent = 0;
  /** The same; 1: loud and with a pitch. Not measured during speech. */
  private pitched = 0;
  private readonly syllables = new Syllables();
  private silentWindows = 0;
  private firstVoicedWindow = -1;
  private isSpeaking = false;
  private isHeard = false;

  /** @param pauseMs silence that ends a speech */
  constructor(private readonly pauseMs: number) {}

  /** @param pcm s16le, mono, at `SAMPLE_RATE`, of any length; an odd last byte is ignored */
  push(pcm: Uint8Array): void {
    const end = pcm.byteLength - (pcm.byteLength % 2);
    for (let at = 0; at < end;) {
      const next = Math.min(end, at + WINDOW_BYTES - this.filled);
      // A piece that fits whole is copied without making a view.
      this.bytes.set(next - at === pcm.byteLength ? pcm : pcm.subarray(at, next), this.filled);
      this.filled += next - at;
      at = next;
      if (this.filled < WINDOW_BYTES) continue;
      this.filled = 0;
      this.addWindow(this.band.powerOf(this.window));
    }
  }

  /** Whether a voice was heard, however short. A whisper is a voice; clicks, hum and steady noise are not. */
  get heardVoice(): boolean {
    return this.isHeard;
  }

  /** Whether audio that is too short for a decision may be a voice: more than a third of it has a pitch. */
  get mayBeVoice(): boolean {
    return (
      this.windows < VOICE_WINDOWS && ones(this.pitched) * (VOICE_WINDOWS / VOICE_PITCHED) > this.windows
    );
  }

  /** Start of the first speech, in milliseconds of the audio; `null`: none yet. */
  get firstVoicedAtMs(): number | null {
    return this.firstVoicedWindow < 0 ? null : this.firstVoicedWindow * WINDOW_MS;
  }

  /** Whether speech has begun and no pause has ended it yet. */
  get speaking(): boolean {
    return this.isSpeaking;
  }

  /** Whether a voice sounds that may become speech: the decision takes a while. */
  get maybeSpeaking(): boolean {
    return !this.isSpeaking && ones(this.pitched & lastOnes(VOICE_WINDOWS)) >= MAYBE_PITCHED;
  }

  /** Whether speech was heard and a pause has ended it. */
  get ended(): boolean {
    return !this.isSpeaking && this.firstVoicedWindow >= 0;
  }

  /** Length of the audio so far, in whole milliseconds. */
  get durationMs(): number {
    return Math.floor(this.windows * WINDOW_MS + this.filled / BYTES_PER_MS);
  }

  private addWindow(power: number): void {
    const loud = power > this.floor * LOUD;
    const silent = power < this.floor * SILENT;
    this.adaptFloor(power);
    this.windows += 1;
    this.recent = pushed(this.recent, loud);
    if (this.isSpeaking) {
      this.countSilence();
      return;
    }
    // `hasPitch` refers to the window whose power was measured last: this one.
    this.pitched = pushed(this.pitched, loud && this.band.hasPitch());
    if (ones(this.pitched & lastOnes(VOICE_WINDOWS)) >= VOICE_PITCHED) this.isHeard = true;
    const whisperSince = this.syllables.add(loud, silent);
    // The highest bit is the oldest loud window: the speech begins there.
    if (ones(this.pitched) >= VOICE_PITCHED && ones(this.recent) >= START_LOUD)
      this.begin(32 - Math.clz32(this.recent));
    else if (whisperSince > 0) this.begin(whisperSince);
  }

  /** @param since how many windows ago the speech began */
  private begin(since: number): void {
    this.isSpeaking = true;
    this.isHeard = true;
    this.silentWindows = 0;
    this.pitched = 0;
    this.syllables.forget();
    if (this.firstVoicedWindow < 0) this.firstVoicedWindow = this.windows - since;
  }

  private countSilence(): void {
    const continues = ones(this.recent & lastOnes(GO_ON_WINDOWS)) >= GO_ON_LOUD;
    this.silentWindows = continues ? 0 : this.silentWindows + 1;
    if (this.silentWindows * WINDOW_MS < this.pauseMs) return;
    this.isSpeaking = false;
    this.recent = 0;
  }

  /** A quieter window lowers the floor at once. A louder room raises it once the quiet windows have expired. */
  private adaptFloor(power: number): void {
    if (this.windows % WINDOWS_PER_STRETCH === 0 && this.windows > 0) {
      this.stretch = (this.stretch + 1) % STRETCHES;
      this.quietest[this.stretch] = Number.POSITIVE_INFINITY;
    }
    if (power < (this.quietest[this.stretch] ?? 0)) this.quietest[this.stretch] = power;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < STRETCHES; at += 1) least = Math.min(least, this.quietest[at] ?? least);
    this.floor = Math.max(MIN_FLOOR, least);
  }
}

/** `hasVoice` searches in steps of 100 ms, and ends with the step in which a voice is heard. */
const STEP_BYTES = 100 * BYTES_PER_MS;

/** Whether there is a voice in a turn's audio. Do not transcribe audio without one: a model would invent words. */
export const hasVoice = async (
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<boolean> => {
  // Infinity: no pause ends the speech, since only the presence of a voice counts.
  const activity = new VoiceActivity(Infinity);
  const slices = new Slices();
  for await (const pcm of pieces) {
    for (let at = 0; at < pcm.byteLength && !activity.heardVoice; at += STEP_BYTES)
      activity.push(pcm.subarray(at, at + STEP_BYTES));
    if (activity.heardVoice) return true;
    await slices.next();
  }
  return activity.mayBeVoice;
};

/** A syllable of a whisper has no pitch, lasts at least 140 ms, and has silence after it. */
const SYLLABLE_WINDOWS = 7;
/** Three such syllables within two seconds are a whisper; fewer can be noise. */
const WHISPER_SYLLABLES = 3;
const WHISPER_WINDOWS = 2_000 / WINDOW_MS;

/** Finds whispers, which have no pitch, by their rhythm. */
class Syllables {
  private windows = 0;
  private loudWindows = 0;
  /** The windows with which the last syllables began. */
  private begins: readonly number[] = [];

  /** @returns how many windows ago the current whisper began; 0: there is none */
  add(loud: boolean, silent: boolean): number {
    this.windows += 1;
    if (loud) this.loudWindows += 1;
    if (!silent) return 0;
    const began = this.windows - this.loudWindows;
    const isSyllable = this.loudWindows >= SYLLABLE_WINDOWS;
    this.loudWindows = 0;
    if (!isSyllable) return 0;
    this.begins = [...this.begins, began].filter((begin) => begin > this.windows - WHISPER_WINDOWS);
    return this.begins.length < WHISPER_SYLLABLES ? 0 : this.windows - (this.begins[0] ?? began);
  }

  /** Starts again: the next syllable is the first. */
  forget(): void {
    this.loudWindows = 0;
    this.begins = [];
  }
}

const lastOnes = (count: number): number => (1 << count) - 1;

const pushed = (bits: number, bit: boolean): number =>
  ((bits << 1) | (bit ? 1 : 0)) & lastOnes(START_WINDOWS);

const ones = (bits: number): number => {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count += 1;
  return count;
};
