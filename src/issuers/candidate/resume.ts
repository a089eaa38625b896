import { setTimeout as sleep } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import type { SealedRecords } from '../../vault/sealed-records.js';
import type { Exchange } from '../routes.js';

/** How a finished sign-in led back to the page. */
interface Resumed {
  /** `null`: the first request is being answered. */
  readonly location: string | null;
  readonly cookies: readonly string[];
}

const KIND = 'resumed sign-in';
/** Validity; the same as of the provider's authorization codes. */
const SECONDS = 60;
/** Another request of the sign-in looks for the first one’s answer this often, and so many times at most. */
const POLL_MS = 25;
const MAX_POLLS = 200;
export const RESUME_COOKIE = 'candidate_resume';

/**
 * Leads a finished sign-in back to the page. The provider answers the first request, with an authorization code;
 * further requests of the same browser get the same answer. After a double click the browser drops the first answer,
 * and the candidate gets in by the second.
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
  // Without a redirect the provider has failed: the next request counts as the first one.
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
