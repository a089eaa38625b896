import { isAssayError } from '../../../packages/client/src/index.js';

/**
 * Waits for a removal. It also counts as done if there is no such record any more: another person may have removed it, or
 * an earlier try whose answer was lost.
 */
export const removed = async (sent: Promise<unknown>): Promise<void> => {
  await sent.catch((error: unknown) => {
    if (!isAssayError(error, 'not_found')) throw error;
  });
};
