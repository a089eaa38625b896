import { useEffect, useState } from 'preact/hooks';

const FIRST_MS = 1_500;
const LONGEST_MS = 10_000;

/**
 * Asks again and again, less and less often, until something has come about. It rests while the page is out of sight.
 * @param isOn whether there is anything to wait for
 * @param look what is asked, and whether it has come about
 * @param done called once when it has
 * @param on what is waited for anew, such as the version that is known
 * @returns whether the last question got no answer
 */
export const useFollow = (
  isOn: boolean,
  look: (signal: AbortSignal) => Promise<boolean>,
  done: () => void,
  on: readonly unknown[] = [],
): boolean => {
  const [isLost, setLost] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const leaving = new AbortController();
    let wait = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => void ask(), wait);
    };
    const ask = async (): Promise<void> => {
      // Out of sight it costs the service, and tells nobody.
      if (document.visibilityState === 'hidden') return;
      wait = Math.min(LONGEST_MS, wait * 1.5);
      const answer = await look(leaving.signal).catch(() => null);
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
