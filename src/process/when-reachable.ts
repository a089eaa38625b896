import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable } from '../core/errors.js';
import type { Configuration } from './config.js';
import type { Lifecycle } from './lifecycle.js';
import type { Logger } from './log.js';
import { openStores, type Stores } from './stores.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;

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
      if (!(error instanceof Unavailable)) throw error;
      if (error.message !== said) log.warn(`${error.message} It is tried again until it answers.`);
      said = error.message;
    }
    await sleep(pause);
  }
};

/**
 * Opens a long-running process's stores and closes them when it ends. It waits for servers that do not answer.
 * @throws {StoreUnusable} a store cannot be used
 */
export const openWhenReachable = async (
  configuration: Configuration,
  log: Logger,
  lifecycle: Lifecycle,
): Promise<Stores> => {
  const open = () => openStores(configuration, (sentence) => log.warn(sentence));
  const stores = configuration.servers ? await whenReachable(open, log) : await open();
  lifecycle.onStop('stores', () => stores.close());
  return stores;
};
