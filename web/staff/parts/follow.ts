import { useEffect, useRef, useState } from 'preact/hooks';

const FIRST_PAUSE_MS = 1_500;
const MAX_PAUSE_MS = 10_000;

/** What is polled for. */
interface Followed {
  /** Asks the service; returns whether it has happened. */
  readonly poll: (signal: AbortSignal) => Promise<boolean>;
  /** Called each time that it has happened. */
  readonly done: () => void;
}

/**
 * Polls at growing intervals, and not while the page is hidden, until it is ended.
 * @param latest what is polled for by now
 * @param lost called after each poll with whether it failed
 * @returns ends it
 */
export const follow = (latest: () => Followed, lost: (isLost: boolean) => void): (() => void) => {
  const leaving = new AbortController();
  let wait = FIRST_PAUSE_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isAsking = false;
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), wait);
  };
  const ask = async (): Promise<void> => {
    // A poll that has no answer yet, from before the page was hidden, begins the next wait.
    if (isAsking || document.visibilityState === 'hidden') return;
    isAsking = true;
    wait = Math.min(MAX_PAUSE_MS, wait * 1.5);
    const answer = await latest()
      .poll(leaving.signal)
      .catch(() => null);
    isAsking = false;
    if (leaving.signal.aborted) return;
    lost(answer === null);
    if (answer === true) latest().done();
    // Also after that: others may be awaited still, and a read may be older than the poll, or fail.
    again();
  };
  const inSight = (): void => {
    if (document.visibilityState === 'visible') again();
  };
  document.addEventListener('visibilitychange', inSight);
  again();
  return () => {
    leaving.abort();
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', inSight);
  };
};

/**
 * Polls as long as there is anything to wait for, see `follow`.
 * @param isOn whether there is anything to wait for
 * @param poll asks the service; returns whether it has happened
 * @param done called each time that it has happened
 * @param on the intervals begin again when one of these changes, such as the known version
 * @returns whether the last poll failed
 */
export const useFollow = (
  isOn: boolean,
  poll: Followed['poll'],
  done: Followed['done'],
  on: readonly unknown[] = [],
): boolean => {
  const [isLost, setLost] = useState(false);
  const latest = useRef<Followed>({ poll, done });
  latest.current = { poll, done };
  useEffect(() => (isOn ? follow(() => latest.current, setLost) : undefined), [isOn, ...on]);
  return isOn && isLost;
};
