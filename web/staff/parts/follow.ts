import { useEffect, useState } from 'preact/hooks';

const FIRST_PAUSE_MS = 1_500;
const MAX_PAUSE_MS = 10_000;

/**
 * Polls until something has happened, at growing intervals, and not while the page is hidden.
 * @param isOn whether there is anything to wait for
 * @param poll asks the service; returns whether it has happened
 * @param done called once when it has happened
 * @param on polling starts again when one of these changes, such as the known version
 * @returns whether the last poll failed
 */
export const useFollow = (
  isOn: boolean,
  poll: (signal: AbortSignal) => Promise<boolean>,
  done: () => void,
  on: readonly unknown[] = [],
): boolean => {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const leaving = new AbortController();
    let wait = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), wait);
    };
    const ask = async (): Promise<void> => {
      if (document.visibilityState === 'hidden') return;
      wait = Math.min(MAX_PAUSE_MS, wait * 1.5);
      const answer = await poll(leaving.signal).catch(() => null);
      if (leaving.signal.aborted) return;
      setLost(answer === null);
      if (answer === true) done();
      else again();
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
  }, [isOn, ...on]);
  return isOn && isLost;
};
