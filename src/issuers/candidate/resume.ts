import { setTimeout as sleep } from 'node:timers/promises';
import type Provider from 'oidc-provider';
import { newId } from '../../core/random.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import type { Exchange } from '../routes.js';

/** The answer that sends the browser of a finished sign-in back to the page. */
interface Resumed {
  /** `null`: the first request is being answered. */
  readonly location: string | null;
  /** The id of the request that is being or was answered; left out by former releases. */
  readonly request?: string;
  readonly cookies: readonly string[];
}

const KIND = 'resumed sign-in';
/** Lifetime of the stored answer: that of the provider's authorization codes. */
const SECONDS = 60;
/** Interval at which a further request polls for the first one’s answer, and how often until it takes over. */
const POLL_MS = 25;
const MAX_POLLS = 200;
export const RESUME_COOKIE = 'candidate_resume';

/**
 * Sends the browser of a finished sign-in back to the page. The provider answers the first request, with an
 * authorization code. Further requests of the same browser get the same answer: after a double click the browser
 * ignores the first answer and uses the second. If the first is not answered in time, its process may have ended: the
 * next request is answered in its place, and the provider refuses it if the sign-in is already used.
 */
export const resume = async (
  { request, response, uid }: Exchange,
  { provider, records }: { readonly provider: Provider; readonly records: SealedRecords },
): Promise<void> => {
  const isBrowsers = provider.createContext(request, response).cookies.get(RESUME_COOKIE) === uid;
  const own: Resumed = { location: null, request: newId(), cookies: [] };
  for (let polls = 0, awaited: Resumed | null = null; isBrowsers; polls++) {
    const former: Resumed | null = await records.update<Resumed, Resumed | null>(KIND, uid, (resumed) => {
      const isAwaited = resumed?.location === null && resumed.request === awaited?.request;
      return resumed === null || (isAwaited && polls >= MAX_POLLS)
        ? { answer: null, to: { value: own, seconds: SECONDS } }
        : { answer: resumed };
    });
    if (former === null) break;
    if (former.location !== null) {
      const headers = {
        Location: former.location,
        'Set-Cookie': [...former.cookies],
        'Cache-Control': 'no-store',
      };
      response.writeHead(303, headers).end();
      return;
    }
    if (former.request !== awaited?.request) polls = 0;
    awaited = former;
    await sleep(POLL_MS);
  }
  await provider.callback()(request, response);
  if (!isBrowsers) return;
  const location = response.getHeader('location');
  if (typeof location === 'string') {
    const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String);
    await records.put(KIND, uid, { ...own, location, cookies } satisfies Resumed, SECONDS);
    return;
  }
  // If the answer is no redirect, the provider has failed: the next request counts as the first one.
  await records.update<Resumed, undefined>(KIND, uid, (resumed) =>
    resumed?.request === own.request ? { answer: undefined, to: null } : { answer: undefined },
  );
};
