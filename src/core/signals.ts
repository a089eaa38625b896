import { setMaxListeners } from 'node:events';

/** A controller whose signal may have any number of listeners; Node 20 would warn from the eleventh on. */
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
export interface CombinedSignal {
  readonly signal: AbortSignal;
  /** Aborts it and stops listening to the others. */
  end(): void;
}

/**
 * A signal that aborts with the first of `signals`; `undefined` ones are ignored. Call `end` when it is no longer
 * needed. Not `AbortSignal.any`: Node 20 never frees what that makes of a long-lived signal.
 */
export const anySignal = (...signals: readonly (AbortSignal | undefined)[]): CombinedSignal => {
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
