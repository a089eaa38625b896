import { setTimeout as sleep } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import type { SealedRecords } from '../../vault/sealed-records.js';
import type { Exchange } from '../routes.js';

/** The answer that sends the browser of a finished sign-in back to the page. */
interface Resumed {
  /** `null`: the first request is being answered. */
  readonly location: string | null;
  readonly cookies: readonly string[];
}

const KIND = 'resumed sign-in';
/** Lifetime of the stored answer: that of the provider's authorization codes. */
const SECONDS = 60;
/** Interval at which a further request polls for the first one’s answer, and how often it polls at most. */
const POLL_MS = 25;
const MAX_POLLS = 200;
export const RESUME_COOKIE = 'candidate_resume';

/**
 * Sends the browser of a finished sign-in back to the page. The provider answers the first request, with an
 * authorization code. Further requests of the same browser get the same answer: after a double click the browser
 * ignores the first answer and uses the second.
 * @returns false: the first request was not answered in time
 */
export const resume = async (
  { request, response, uid }: Exchange,
  { provider, records }: { readonly provider: Provider; readonly records: SealedRecords },
): Promise<boolean> => {
  const isBrowsers = provider.createContext(request, response).cookies.get(RESUME_COOKIE) === uid;
  for (let polls = 0; isBrowsers && polls < MAX_POLLS; polls++) {
    const former = await records.update<Resumed, Resumed | null>(KIND, uid, (resumed) =>
      resumed
        ? { answer: resumed }
        : { answer: null, to: { value: { location: null, cookies: [] }, seconds: SECONDS } },
    );
    if (former === null) break;
    if (former.location !== null) {
      const headers = {
        Location: former.location,
        'Set-Cookie': [...former.cookies],
        'Cache-Control': 'no-store',
      };
      response.writeHead(303, headers).end();
      return true;
    }
    if (polls === MAX_POLLS - 1) return false;
    await sleep(POLL_MS);
  }
  await provider.callback()(request, response);
  if (!isBrowsers) return true;
  const location = response.getHeader('location');
  // If the answer is no redirect, the provider has failed: the next request counts as the first one.
  if (typeof location !== 'string') await records.remove(KIND, uid);
  else
    await records.put(
      KIND,
      uid,
      { location, cookies: [response.getHeader('set-cookie') ?? []].flat() },
      SECONDS,
    );
  return true;
};
