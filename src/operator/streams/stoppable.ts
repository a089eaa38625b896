import { longLived } from '../../core/signals.js';

/**
 * SIGINT, SIGTERM and SIGHUP ask the work to end, by the signal that it gets; a second SIGINT or SIGTERM ends the
 * process. A terminal that is closed may send SIGHUP several times over.
 */
export const stoppable = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const controller = longLived();
  const stop = (): void => controller.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop).on('SIGHUP', stop);
  try {
    return await work(controller.signal);
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop).off('SIGHUP', stop);
  }
};
