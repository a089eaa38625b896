/**
 * What a browser's recogniser of speech has; the DOM's library has no types of it. `onresult`, `onerror` and `onend` are
 * `null` before a run has begun and once it is left: its events are ignored.
 */
export interface Recogniser {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { readonly results: Results }) => void) | null;
  onerror: ((event: { readonly error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
  abort(): void;
}
export type Results = ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>;

/** Why listening ended without the candidate. */
export type DictationProblem = 'denied' | 'no-microphone' | 'language' | 'network' | 'taken' | 'failed';

export interface DictationOptions {
  readonly make: () => Recogniser;
  readonly language: string;
  /** @param text of the whole field @param interim what may still change, and is not in it yet */
  readonly text: (text: string, interim: string) => void;
  /** Called once it has ended by itself: not after `stop` or `abandon`. */
  readonly ended: (problem: DictationProblem) => void;
  /** Runs something later. Default: by `setTimeout`. @returns calls it off */
  readonly after?: (ms: number, work: () => void) => () => void;
  /** Monotonic milliseconds. Default: `performance.now()`. */
  readonly now?: () => number;
}

/** Errors after which another try would fail too. */
const FATAL: Readonly<Record<string, DictationProblem>> = {
  'not-allowed': 'denied',
  'service-not-allowed': 'denied',
  'audio-capture': 'no-microphone',
  'language-not-supported': 'language',
};
const PASSING: Readonly<Record<string, DictationProblem>> = { network: 'network', aborted: 'taken' };

/** Longest wait for the last words after a stop. */
const TAIL_MS = 1_500;
/** After an error or an abort, a run without the event `end` counts as ended after this time. */
const NO_END_MS = 1_000;
/** A run without events for this long is replaced. */
const QUIET_MS = 30_000;
const FIRST_PAUSE_MS = 150;
const MAX_PAUSE_MS = 5_000;
/** A run that lasted this long has not failed, though nothing was said in it. */
const STABLE_MS = 3_000;
const MAX_FAILURES = 6;

/**
 * Writes speech into a field by the recognisers of browsers, which end by themselves, repeat in each final result what the
 * former ones had, or never send `end`. It listens until it is stopped, or reports why it ended.
 *
 * The field is what was in it, then all that was recognised. If the candidate edits it meanwhile, the edited text
 * stays as it is, and only what is recognised after the edit is added.
 *
 * Call `start` first, `edited` and `visible` while it listens, and `stop` or `abandon` at the end.
 */
export class Dictation {
  /** The text of the field before what this run adds. */
  private before = '';
  private final = '';
  private interim = '';
  /** How many words of this run were in the field when it was edited: they are not added again. */
  private skipped = 0;
  private run: Run | null = null;
  private failures = 0;
  private callOff = (): void => undefined;
  private state: 'idle' | 'listening' | 'waiting' = 'idle';
  private hidden = false;
  private finish: (() => void) | null = null;
  private readonly after: NonNullable<DictationOptions['after']>;
  private readonly now: () => number;

  constructor(private readonly options: DictationOptions) {
    this.after = options.after ?? later;
    this.now = options.now ?? (() => performance.now());
  }

  /** Everything that was shown, the interim words included. */
  get shown(): string {
    return joined(this.text, this.interim);
  }

  /** Whether anything was recognised. */
  hasHeard = false;

  /** Begins to listen. A second call while a recogniser runs does nothing. @param text of the field */
  start(text: string): void {
    if (this.state === 'listening') return;
    this.before = text;
    this.final = this.interim = '';
    this.failures = this.skipped = 0;
    this.state = 'listening';
    this.begin();
  }

  /** The candidate has changed the field. */
  edited(text: string): void {
    this.before = text;
    this.skipped = wordsOf(this.run?.final ?? '').length;
    this.final = '';
  }

  /** The page was hidden or is shown again: no recogniser is started while it is hidden. */
  visible(visible: boolean): void {
    this.hidden = !visible;
    if (visible && this.state === 'waiting') {
      this.callOff();
      this.begin();
    }
  }

  /** Ends listening. @returns the whole text, after the last words or `TAIL_MS` */
  async stop(): Promise<string> {
    this.callOff();
    const { run } = this;
    this.state = 'idle';
    if (run) {
      await new Promise<void>((resolve) => {
        this.finish = resolve;
        this.callOff = this.after(TAIL_MS, resolve);
        run.stop();
      });
      this.callOff();
      this.finish = null;
    }
    this.leave();
    const text = this.shown;
    this.before = text;
    this.final = this.interim = '';
    return text;
  }

  /** Ends listening at once, without the last words. */
  abandon(): void {
    this.state = 'idle';
    this.callOff();
    this.leave();
  }

  private get text(): string {
    return joined(this.before, this.final);
  }

  private begin(): void {
    this.state = 'listening';
    this.keepRunText();
    const run = new Run(this.options, this.now(), {
      heard: () => this.heard(run),
      ended: () => this.ended(run),
      failed: () => this.watch(NO_END_MS),
    });
    this.run = run;
    this.watch(QUIET_MS);
    run.start();
  }

  /** Makes what the run has added so far a part of the field, so that the next results are added after it. */
  private keepRunText(): void {
    this.before = joined(this.before, this.final);
    this.final = '';
    this.skipped = 0;
  }

  private heard(run: Run): void {
    if (run !== this.run) return;
    this.failures = 0;
    const { final, interim } = run;
    this.hasHeard ||= final !== '' || interim !== '';
    this.final = wordsOf(final).slice(this.skipped).join(' ');
    this.interim = interim;
    if (this.finish === null) this.watch(QUIET_MS);
    this.options.text(this.text, interim);
    if (this.finish !== null && interim === '') this.finish();
  }

  private ended(run: Run): void {
    if (run !== this.run) return;
    if (this.finish !== null) {
      this.finish();
      return;
    }
    this.leave();
    // Words that never became final were shown: they are kept.
    if (this.interim !== '') {
      this.final = joined(this.final, this.interim);
      this.interim = '';
      this.options.text(this.text, '');
    }
    const fatal = FATAL[run.error ?? ''];
    const hadWords = run.final !== '' || run.interim !== '';
    const failed = !hadWords && (this.now() - run.beganAt < STABLE_MS || run.error === 'network');
    this.failures = failed ? this.failures + 1 : 0;
    if (fatal || this.failures >= MAX_FAILURES) {
      this.state = 'idle';
      this.options.ended(fatal ?? PASSING[run.error ?? ''] ?? 'failed');
      return;
    }
    this.state = 'waiting';
    if (this.hidden) return;
    this.callOff = this.after(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures), () =>
      this.begin(),
    );
  }

  /** A run without any event for this long is ended from here. */
  private watch(ms: number): void {
    this.callOff();
    const { run } = this;
    this.callOff = this.after(ms, () => {
      if (run !== null) this.ended(run);
    });
  }

  private leave(): void {
    this.run?.leave();
    this.run = null;
  }
}

interface RunListener {
  heard(): void;
  ended(): void;
  failed(): void;
}

/** One recogniser from its start to its end. */
class Run {
  final = '';
  interim = '';
  error: string | null = null;
  private readonly recogniser: Recogniser;

  constructor(
    { make, language }: DictationOptions,
    readonly beganAt: number,
    private readonly on: RunListener,
  ) {
    const recogniser = (this.recogniser = make());
    recogniser.lang = language;
    recogniser.continuous = true;
    recogniser.interimResults = true;
    recogniser.onresult = ({ results }) => {
      const all = Array.from(results, (result) => ({
        text: result[0]?.transcript ?? '',
        isFinal: result.isFinal,
      }));
      this.final = withoutRepeats(all.filter(({ isFinal }) => isFinal).map(({ text }) => text));
      const whole = withoutRepeats(all.map(({ text }) => text));
      this.interim = beginsWith(whole, this.final)
        ? wordsOf(whole).slice(wordsOf(this.final).length).join(' ')
        : withoutRepeats(all.filter(({ isFinal }) => !isFinal).map(({ text }) => text));
      on.heard();
    };
    recogniser.onerror = ({ error }) => {
      this.error = error;
      on.failed();
    };
    recogniser.onend = () => on.ended();
  }

  start(): void {
    try {
      this.recogniser.start();
    } catch {
      // Another recogniser of this page is still running.
      this.on.ended();
    }
  }

  stop(): void {
    try {
      this.recogniser.stop();
    } catch {
      this.on.ended();
    }
  }

  /** Its later events are ignored. */
  leave(): void {
    this.recogniser.onresult = this.recogniser.onerror = this.recogniser.onend = null;
    try {
      this.recogniser.abort();
    } catch {
      // It was not started.
    }
  }
}

/**
 * The texts of results in one. On Android a result repeats the text of those before it and adds to it. Other browsers begin
 * each further result with a space: a repetition there was really spoken twice.
 */
const withoutRepeats = (texts: readonly string[]): string => {
  const parts: string[] = [];
  for (const raw of texts) {
    const text = wordsOf(raw).join(' ');
    if (text === '') continue;
    const repeats = !/^\s/u.test(raw);
    const last = parts.at(-1);
    if (repeats && last !== undefined && beginsWith(text, parts.join(' ')))
      parts.splice(0, parts.length, text);
    else if (repeats && last !== undefined && beginsWith(text, last)) parts.splice(-1, 1, text);
    else parts.push(text);
  }
  return parts.join(' ');
};

const wordsOf = (text: string): readonly string[] => text.split(/\s+/u).filter(Boolean);

/** Whether a text begins with the words of another, whatever their case and punctuation. */
const beginsWith = (text: string, start: string): boolean => {
  const words = wordsOf(text).map(bare);
  return wordsOf(start).every((word, at) => bare(word) === words[at]);
};

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || word;

/** Two texts in one, on the same line, with one space between them. */
const joined = (one: string, other: string): string => {
  if (other === '' || one.trim() === '') return other === '' ? one : other;
  return one.endsWith('\n') ? one + other : `${one.trimEnd()} ${other}`;
};

const later = (ms: number, work: () => void): (() => void) => {
  const timer = setTimeout(work, ms);
  return () => clearTimeout(timer);
};
