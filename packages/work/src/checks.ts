import { setTimeout as sleep } from 'node:timers/promises';
import { Offline, Refused, type Service } from './service.js';
import { oneLine, type Terminal } from './terminal.js';

/** The result of a hand-in's visible checks, as the service shows it. */
export interface Checks {
  readonly state: 'waiting' | 'checked' | 'error';
  /** Why they could not be run; `null` unless the state is `error`. */
  readonly message: string | null;
  readonly tally: { readonly passed: number; readonly failed: number; readonly errors: number };
  readonly tests: readonly {
    readonly name: string;
    readonly status: 'pass' | 'fail' | 'error';
    readonly message: string | null;
  }[];
}

/** A hand-in with the result of its checks; a service of an earlier version has no `checks`. */
export interface CheckedHandIn {
  readonly checks?: Checks | null;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5_000;
/** Most tests that are printed, of those that did not pass. */
const MAX_TESTS = 30;
/** Most lines of a test's message. */
const MAX_LINES = 10;

/**
 * Prints the result of a hand-in's visible checks, or that there is none yet; nothing if the hand-in has no checks.
 * @param path of the hand-in at the service
 * @param waitMs longest wait for a result; 0: none
 */
export const printChecks = async (
  path: string,
  handIn: CheckedHandIn,
  service: Pick<Service, 'get'>,
  terminal: Terminal,
  waitMs: number,
): Promise<void> => {
  let { checks } = handIn;
  if (checks?.state === 'waiting' && waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    terminal.say(`The checks run. Waiting for them, at most ${seconds} s (Ctrl-C: do not wait) …`);
    try {
      checks = await waitForResult(path, service, waitMs, checks);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      // The hand-in has arrived, so this is no failure.
      terminal.say(`The result of the checks cannot be read. ${error.message}`);
      return;
    }
  }
  if (!checks) return;
  for (const line of resultLines(checks)) terminal.say(line);
};

/**
 * Asks again, less and less often.
 * @returns the last answer: still `waiting` if the time is up
 * @throws {Refused} the service does not show the hand-in any more
 */
const waitForResult = async (
  path: string,
  service: Pick<Service, 'get'>,
  waitMs: number,
  waiting: Checks,
): Promise<Checks | null> => {
  const end = performance.now() + waitMs;
  let last: Checks | null = waiting;
  for (let pause = FIRST_PAUSE_MS; last?.state === 'waiting'; pause = Math.min(MAX_PAUSE_MS, pause * 1.5)) {
    const left = end - performance.now();
    if (left <= 0) break;
    await sleep(Math.min(pause, left));
    try {
      last = (await service.get<CheckedHandIn>(path)).checks ?? null;
    } catch (error) {
      // The hand-in has arrived, so a failed read of its checks is no failure: ask again.
      if (!(error instanceof Offline)) throw error;
    }
  }
  return last;
};

const resultLines = ({ state, message, tally, tests }: Checks): readonly string[] => {
  if (state === 'waiting')
    return ['The checks have no result yet. It will be on the page of your assessment.'];
  if (state === 'error') return [`The checks could not be run. ${oneLine(message ?? '', 500)}`.trimEnd()];
  const all = tally.passed + tally.failed + tally.errors;
  const broken = tests.filter(({ status }) => status !== 'pass');
  const more = tally.failed + tally.errors - Math.min(broken.length, MAX_TESTS);
  return [
    `Checks: ${tally.passed} of ${all} passed`,
    ...broken
      .slice(0, MAX_TESTS)
      .flatMap((test) => [
        `  ${test.status === 'fail' ? 'failed' : 'error '}  ${oneLine(test.name)}`,
        ...shortened(test.message ?? '').map((line) => `    ${oneLine(line)}`),
      ]),
    ...(more > 0 ? [`  … and ${more} more that did not pass`] : []),
  ];
};

const shortened = (text: string): readonly string[] => {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.length <= MAX_LINES ? lines : [...lines.slice(0, MAX_LINES), '…'];
};
