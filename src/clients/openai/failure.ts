import { anySignal, type CombinedSignal } from '../../core/signals.js';
import { ProviderFailed } from '../speech.js';

/**
 * Why an API could not be used. `aborted`: by the caller. Temporary: `timed_out`, `unreachable` (no connection, or it
 * broke), `rate_limited` (429), `unavailable` (5xx, 408, 409). Permanent: `refused` (any other status), `too_large`,
 * `not_json`.
 */
export type OpenAiFailureCode =
  | 'aborted'
  | 'timed_out'
  | 'unreachable'
  | 'rate_limited'
  | 'unavailable'
  | 'refused'
  | 'too_large'
  | 'not_json';

/** A call failed. The message is for the log: it contains no key, and nothing of the prompt or the answer. */
export class OpenAiFailed extends ProviderFailed {
  override readonly name = 'OpenAiFailed';

  /** @param retryAfterMs the wait that the API requests, in milliseconds; `null`: none */
  constructor(
    readonly code: OpenAiFailureCode,
    message: string,
    readonly retryAfterMs: number | null = null,
  ) {
    super(message);
  }

  /** Whether the same call may succeed soon. */
  get isTemporary(): boolean {
    return ['timed_out', 'unreachable', 'rate_limited', 'unavailable'].includes(this.code);
  }
}

/** The failure in a sentence for staff, without addresses, keys or answers. */
export const staffSentence = (code: Exclude<OpenAiFailureCode, 'aborted'>): string => SENTENCES[code];

const SENTENCES: Readonly<Record<Exclude<OpenAiFailureCode, 'aborted'>, string>> = {
  timed_out: 'The model did not answer in time.',
  unreachable: 'The model could not be reached.',
  rate_limited: 'The model is asked too much at present.',
  unavailable: 'The model was unavailable.',
  refused: 'The model’s API refused the request.',
  too_large: 'The model’s API answered something that cannot be read.',
  not_json: 'The model’s API answered something that cannot be read.',
};

/**
 * Aborts one attempt by the caller's signal or by a timeout. Call `close` when the attempt is over.
 */
export class Cutoff {
  readonly #ending: CombinedSignal;
  #timer: NodeJS.Timeout | null = null;
  #timedOut = false;

  /** @param ms see `allow` */
  constructor(
    private readonly caller: AbortSignal,
    ms: number,
  ) {
    this.#ending = anySignal(caller);
    this.allow(ms);
  }

  /** Aborts when the attempt ends. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why the attempt was aborted; `null`: it was not. */
  get reason(): 'aborted' | 'timed_out' | null {
    if (this.#timedOut) return 'timed_out';
    return this.caller.aborted ? 'aborted' : null;
  }

  /** Restarts the timeout. @param ms until it aborts the attempt */
  allow(ms: number): void {
    this.hold();
    this.#timer = setTimeout(
      () => {
        this.#timedOut = !this.signal.aborted;
        this.close();
      },
      Math.max(0, ms),
    );
  }

  /** Stops the timeout until the next `allow`. */
  hold(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  /** Ends the attempt, and releases its timer and listeners. */
  close(): void {
    this.hold();
    this.#ending.end();
  }
}
