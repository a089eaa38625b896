import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { pause } from '../../core/backoff.js';
import { anySignal } from '../../core/signals.js';
import { VoiceActivity } from '../speech/voice-activity.js';
import type { QuestionClock } from './clocks.js';
import type { ConnectedSession } from './connected-session.js';
import { storedSpeech, transcribed } from './stored-speech.js';

/**
 * The outcome of closing a turn. `recorded`: it has its answer. `nothing`: it has no words and stays open. `failed`: it
 * could not be transcribed. `left`: nothing was done, since the turn was answered otherwise or abandoned, or the
 * candidate continued to speak.
 */
export type ClosingOutcome = 'recorded' | 'nothing' | 'failed' | 'left';

/** What closing a turn needs of its connection. */
interface TurnClosing {
  readonly session: ConnectedSession;
  readonly transcriber: Transcriber;
  /** Resolves once all audio so far is durable. */
  readonly flush: () => Promise<void>;
  /** Records the answer. Its text is empty only if the candidate ended the turn. */
  readonly record: (text: string, byCandidate: boolean) => Promise<void>;
}

/** A transcription that is to close its turn. */
interface Transcription {
  /** True: the candidate ended the turn; false: silence did. */
  byCandidate: boolean;
  readonly outcome: Promise<ClosingOutcome>;
  /** Abandons it. */
  end(): void;
}

/** Longest wait until a sound is recognised as speech or noise, and how often that is checked, in milliseconds. */
const MAYBE_SPEAKING_MS = 500;
const CHECK_MS = 20;

/** How far back arrivals are kept, in milliseconds of audio: as long as it takes to distinguish speech from noise. */
const REMEMBERED_MS = 3_000;

/**
 * A turn's speech: detects when the answer begins and ends, and has it transcribed and recorded. The listener calls
 * `restore` for stored audio, `hear` for each frame in order, and `close` once the answer is over. If the candidate
 * continues to speak meanwhile, it calls `dropTranscription`, and later `close` again.
 */
export class SpokenTurn {
  private activity: VoiceActivity;
  private heardMs = 0;
  private readonly arrivals: { readonly fromMs: number; readonly at: number }[] = [];
  /** Milliseconds from the end of the question to the first voiced frame; `null`: none yet. */
  answerGapMs: number | null = null;
  /** A frame had the end-of-turn flag. */
  endedByFrame = false;
  /** The transcription under way, which the listener may end or wait for; `null`: there is none. */
  transcription: Transcription | null = null;
  /** The turn is being skipped: its further audio is dropped. */
  isAbandoned = false;
  /** A text closes the turn while its speech is transcribed: that becomes a late answer. Set by `Listener.overtake`. */
  isOvertaken = false;

  constructor(
    readonly question: QuestionClock,
    /** Silence that ends the answer, in milliseconds. */
    private readonly pauseMs: number,
  ) {
    this.activity = new VoiceActivity(pauseMs);
  }

  /** Adds audio of an earlier connection. */
  restore(pcm: Uint8Array, answerGapMs: number | null, endOfTurn: boolean): void {
    this.activity.push(pcm);
    this.heardMs += pcm.byteLength / BYTES_PER_MS;
    this.answerGapMs ??= answerGapMs;
    this.endedByFrame ||= endOfTurn;
  }

  /**
   * Adds the audio of a frame.
   * @param at when it arrived, in milliseconds of the monotonic clock
   * @returns the gap before the answer, if it is measured with this frame; else `null`
   */
  hear(pcm: Uint8Array, at: number, endOfTurn: boolean): number | null {
    if (this.answerGapMs === null) this.rememberArrival(at);
    this.activity.push(pcm);
    this.heardMs += pcm.byteLength / BYTES_PER_MS;
    this.endedByFrame ||= endOfTurn;
    const first = this.activity.firstVoicedAtMs;
    if (this.answerGapMs !== null || first === null) return null;
    const arrival = this.arrivals.findLast(({ fromMs }) => fromMs <= first) ?? this.arrivals[0];
    this.answerGapMs = this.question.waitedBy(arrival?.at ?? at);
    this.arrivals.length = 0;
    return this.answerGapMs;
  }

  /** The turn's number. */
  get number(): number {
    return this.question.turn;
  }

  get speaking(): boolean {
    return this.activity.speaking;
  }

  /** A voice sounds that may become speech and continue the answer: the decision takes a while. */
  get maybeSpeaking(): boolean {
    return this.activity.maybeSpeaking;
  }

  /** Silence has followed speech, or a frame had the end-of-turn flag. */
  get isOver(): boolean {
    return this.endedByFrame || this.activity.ended;
  }

  /** Length of the turn's audio, in milliseconds. */
  get durationMs(): number {
    return Math.round(this.heardMs);
  }

  /**
   * Has the turn's speech transcribed and the words recorded. Without words the turn stays open, unless the candidate
   * has ended it. While a transcription is under way, a further call gets its outcome.
   * @param byCandidate true: the candidate ends the turn; false: silence does
   */
  close(byCandidate: boolean, closing: TurnClosing): Promise<ClosingOutcome> {
    if (this.transcription) {
      this.transcription.byCandidate ||= byCandidate;
      return this.transcription.outcome;
    }
    const ending = anySignal(closing.session.signal);
    const transcription: Transcription = {
      byCandidate,
      // Begins in a microtask, so that `transcription` is set.
      outcome: Promise.resolve().then(() => this.transcribe(transcription, closing, ending.signal)),
      end: () => ending.end(),
    };
    this.transcription = transcription;
    const over = (): void => {
      ending.end();
      if (this.transcription === transcription) this.transcription = null;
    };
    transcription.outcome.then(over, over);
    return transcription.outcome;
  }

  /** Call it when the candidate skips the turn: abandons a transcription, and drops later audio of the turn. */
  abandon(): void {
    this.isAbandoned = true;
    this.dropTranscription();
  }

  /** Abandons a transcription that is under way. */
  dropTranscription(): void {
    this.transcription?.end();
    this.transcription = null;
  }

  private async transcribe(
    transcription: Transcription,
    { session, transcriber, flush, record }: TurnClosing,
    signal: AbortSignal,
  ): Promise<ClosingOutcome> {
    const { channel, services, audioOf, language } = session;
    try {
      await flush();
      const text = await session.retryUnavailable(async () => {
        const spoken = await storedSpeech(services.audio, audioOf, this.number);
        if (signal.aborted) return null;
        return transcribed(transcriber, spoken, signal, language, () =>
          channel.send({ type: 'transcript.pending', turn: this.number }),
        );
      });
      if (text === null) return 'left';
      // A sound that has just begun may be more of the answer: wait until it is recognised as speech or noise.
      for (
        let waits = 0;
        waits < MAYBE_SPEAKING_MS / CHECK_MS && this.maybeSpeaking && !transcription.byCandidate;
        waits += 1
      )
        await pause(CHECK_MS, signal);
      if (signal.aborted || (text === '' && this.isOvertaken)) return 'left';
      if (text === '' && !transcription.byCandidate) {
        this.listenOn();
        channel.send({ type: 'transcript.none', turn: this.number });
        return 'nothing';
      }
      await record(text, transcription.byCandidate);
      return 'recorded';
    } catch (error) {
      if (signal.aborted) return 'left';
      if (!(error instanceof ProviderFailed)) throw error;
      services.log.warn({ reason: error.message }, 'A turn could not be transcribed.');
      this.listenOn();
      return 'failed';
    }
  }

  /** Waits for a new answer, after audio that has no words or could not be transcribed. */
  private listenOn(): void {
    this.activity = new VoiceActivity(this.pauseMs);
    this.arrivals.length = 0;
    this.endedByFrame = false;
  }

  /** Keeps a frame's time of arrival until the start of the answer is found. */
  private rememberArrival(at: number): void {
    const fromMs = this.activity.durationMs;
    this.arrivals.push({ fromMs, at });
    while (this.arrivals.length > 1 && (this.arrivals[1]?.fromMs ?? fromMs) < fromMs - REMEMBERED_MS)
      this.arrivals.shift();
  }
}
