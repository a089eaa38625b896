import { setTimeout as sleep } from 'node:timers/promises';
import { StoreUnavailable } from '../core/errors.js';
import { ReadStoreUnavailable } from '../stores/errors.js';
import { VaultUnavailable } from '../core/vault/errors.js';
import type { Logger } from './log.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

const isAway = (error: unknown): error is Error =>
  error instanceof StoreUnavailable ||
  error instanceof ReadStoreUnavailable ||
  error instanceof VaultUnavailable;

/**
 * Opens stores on servers as soon as they answer: a process may be started before them, and restarted while they are
 * away. Each failure is said once, until another one takes its place.
 * @throws what will not pass by itself, such as refused credentials
 */
export const whenReachable = async <T>(open: () => Promise<T>, log: Logger): Promise<T> => {
  let said = '';
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(LONGEST_PAUSE_MS, pause * 2)) {
    try {
      return await open();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (error.message !== said) log.warn(`${error.message} It is tried again until it answers.`);
      said = error.message;
    }
    await sleep(pause);
  }
};
