import { asClientError } from './describe.js';
import { GivenUp } from './connection.js';
import type { Call, DriverClient, Written } from './drivers/driver.js';
import type { Server } from './server.js';

/** An append that is not answered for so long is sent again, then after twice as long, and so on. */
const AGAIN_AFTER_MS = 400;
const MOST_TRIES = 4;
/** Less than this is not worth another try. */
const LEAST_LEFT_MS = 50;

/** Answers that hold whatever becomes of the other tries. */
const SETTLED = new Set([
  'wrong-expected-version',
  'maximum-append-size-exceeded',
  'access-denied',
  'stream-deleted',
]);

/**
 * Sends an append until it is answered, within its one deadline. The server drops without a word what is sent again
 * while the first is not committed yet, and says only after two or three seconds that it timed out: whoever waits for
 * that is past its deadline. The same ids at the same place are stored once, however often they are sent.
 * @throws {Error} what the client says, or that there was no answer in time
 */
export function send(
  { near, limits }: Pick<Server, 'near' | 'limits'>,
  begin: (client: DriverClient, leftMs: number) => Call<Written>,
): Promise<Written> {
  return new Promise((resolve, reject) => {
    const until = performance.now() + limits.deadlineMs;
    let timer: NodeJS.Timeout | undefined;
    let pause = AGAIN_AFTER_MS;
    let tries = 0;
    let open = 0;
    let over = false;
    let fault: Error | null = null;

    const end = (settle: () => void): void => {
      over = true;
      clearTimeout(timer);
      settle();
    };
    const mayTry = (): boolean =>
      !over && tries < MOST_TRIES && (tries === 0 || until - performance.now() > LEAST_LEFT_MS);

    const attempt = (): void => {
      if (!mayTry()) return;
      clearTimeout(timer);
      tries++;
      open++;
      // The pause begins once it is under way: what waits for its turn is not helped by a second one in the queue.
      const beginning = (client: DriverClient, leftMs: number): Call<Written> => {
        if (over) return { result: Promise.reject(new GivenUp()), cancel: () => undefined };
        timer = setTimeout(attempt, pause);
        pause *= 2;
        return begin(client, leftMs);
      };
      near.run('append', Math.ceil(Math.max(1, until - performance.now())), beginning).then(
        (written) => {
          if (!over) end(() => resolve(written));
        },
        (caught: unknown) => {
          open--;
          if (over) return;
          const error = caught instanceof Error ? caught : new Error(String(caught));
          const type = asClientError(error).type ?? '';
          if (SETTLED.has(type)) fault = error;
          // The first one was under way for the whole time, and says so.
          const first = (fault ??= error);
          if (type === 'timeout' && mayTry()) attempt();
          else if (open === 0 || SETTLED.has(type)) end(() => reject(first));
        },
      );
    };
    attempt();
  });
}
