import { setMaxListeners } from 'node:events';

/** A controller whose signal any number of calls wait on at once; Node 20 warns from the eleventh listener on. */
export const longLived = (): AbortController => {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
};

/** Resolves once the signal has aborted. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** A signal that aborts with the first of several. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Aborts it, whatever the others do, and lets go of them. */
  end(): void;
}

/**
 * Aborts with whichever of the signals is first; those that are `undefined` never do. End it once it is not needed:
 * Node 20 keeps everything that `AbortSignal.any` ever made of a long-lived signal, so that is not used here.
 */
export const joined = (...signals: readonly (AbortSignal | undefined)[]): JoinedSignal => {
  const controller = longLived();
  const sources = signals.filter((one) => one !== undefined);
  const end = (): void => {
    for (const source of sources) source.removeEventListener('abort', end);
    controller.abort();
  };
  for (const source of sources) source.addEventListener('abort', end);
  if (sources.some(({ aborted }) => aborted)) end();
  return { signal: controller.signal, end };
};
