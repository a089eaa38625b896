import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import type Provider from 'oidc-provider';
import type { FetchJson } from '../../http/access/discovery.js';
import { ApiError, notFound } from '../../http/api-error.js';
import { countedAddress } from '../../http/counted-address.js';
import {
  answerErrors,
  basePathOf,
  mount,
  type MountedRequest,
  onlyOwnForm,
  sendPage,
} from '../../http/mounted.js';
import type { Rate, RateLimits, Usage } from '../../http/rate-limits.js';
import { rateLimited } from '../../http/rate-limits.js';
import { toApiError } from '../../http/to-api-error.js';
import type { Mailer } from '../../clients/mail.js';
import { CANDIDATE_SUBJECT } from '../../domain/candidate/events.js';
import { Unavailable } from '../../core/errors.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { Timekeeper } from '../../engine/trusted-clock.js';
import type { Logger } from '../../process/log.js';
import type { Vault } from '../../vault/port.js';
import { CodeMails } from './code-mails.js';
import { type CodeLimits, Codes } from './codes.js';
import { ENDED_SESSION, IssuerKeys, publicPart, SESSION_SECONDS, type SigningKeys } from './keys.js';
import { failedPage } from './pages.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { resume } from './resume.js';
import { MAX_PARAMETER_BYTES, SignInStates } from './sign-in-states.js';
import { browserLanguage, type ProviderSession, signIn, signOut } from './sign-in.js';

export interface CandidateIssuerOptions {
  /** Where callers reach the service. */
  readonly publicUrl: string;
  readonly vault: Pick<Vault, 'secret' | 'shortLived'>;
  readonly mailer: Mailer;
  /** Whether some organisation has invited the address. */
  readonly isInvited: (email: string) => Promise<boolean>;
  /** Whether the application is of somebody who was invited under the address. */
  readonly isInvitation: (email: string, applicationId: string) => Promise<boolean>;
  /** Codes for an address; default: `CODE_LIMITS`. */
  readonly codeLimits?: CodeLimits;
  readonly limits: RateLimits;
  /** Addresses and networks whose `X-Forwarded-For` counts. */
  readonly trustedProxies: readonly string[];
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Whether the clock is believed where what has expired is removed for good. */
  readonly timekeeper: Timekeeper;
  readonly now?: () => number;
}

export interface CandidateIssuer {
  readonly issuerUrl: string;
  /** The API's server passes requests for this path, and for all below it. */
  readonly basePath: string;
  handler(request: IncomingMessage, response: ServerResponse): void;
  /** Answers discovery and keys without the network. */
  readonly fetchJson: FetchJson;
  /** Lets codes be asked for an address again, and by the links of those invitations. */
  lift(email: string, applicationIds: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

/** The only client, the candidate's page, and the audience of ID tokens. */
export const CLIENT_ID = 'assay-candidate';
/** `{PUBLIC_URL}/candidate`, as ID tokens carry it. */
export const issuerUrlOf = (publicUrl: string): string => `${publicUrl}/candidate`;
/** Where a sign-in leads back to: the candidate's page. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/apply/callback`;

/** Paths that the provider answers itself. */
const PROVIDER_PATHS =
  /^\/(?:\.well-known\/openid-configuration|jwks|token|userinfo|auth(?:\/[A-Za-z0-9_-]+)?)$/;
const SIGN_IN_PATH = /^\/sign-in\/[A-Za-z0-9_-]+$/;
const AUTHORIZATION_PATH = '/auth';
const SIGN_OUT_PATH = '/sign-out';
const RESUME_PATH = /^\/auth\/([A-Za-z0-9_-]+)$/;
const SWEEP_MS = 10 * 60_000;
/** An account outlives every session and grant that names it. */
const ACCOUNT_SECONDS = 10 * 3600;

/** What is made with the first request. */
interface Parts {
  readonly hasher: KeyedHasher;
  readonly records: SealedRecords;
  readonly states: SignInStates;
  readonly codes: Codes;
}

/**
 * An OpenID provider for candidates alone, mounted on the API's own server: whoever can read an invited address's mail
 * signs in by a code that is sent to it. All its state is in the vault, so that any process answers the next request.
 */
export const createCandidateIssuer = (options: CandidateIssuerOptions): CandidateIssuer => {
  const { publicUrl, vault, mailer, isInvited, limits, log, timekeeper, now = Date.now } = options;
  const issuerUrl = issuerUrlOf(publicUrl);
  const publicPath = new URL(issuerUrl).pathname;
  const keys = new IssuerKeys(vault, now);
  const mails = new CodeMails({ mailer, isInvited, log });
  const sourceOf = sources(options.trustedProxies);
  const onError = (err: unknown): void => log.error({ err }, 'The sign-in of candidates failed.');
  let made: Promise<Parts> | undefined;
  let built: { readonly signing: SigningKeys; readonly provider: Promise<Provider> } | undefined;

  const make = async (): Promise<Parts> => {
    const hasher = await keys.hasher();
    const records = new SealedRecords(vault, hasher, now);
    const isSecure = publicUrl.startsWith('https:');
    const states = new SignInStates(hasher, `${publicPath}/sign-in`, isSecure, now);
    return { hasher, records, states, codes: new Codes(records, hasher, now, options.codeLimits) };
  };
  const parts = (): Promise<Parts> => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };

  // Loaded when first asked for: the library takes long to load.
  const providerOf = async ({ hasher, records, states }: Parts): Promise<Provider> => {
    const signing = await keys.signing();
    if (built?.signing !== signing) {
      const cookieKey = hasher.hmac('cookies');
      const redirectUri = redirectUriOf(publicUrl);
      const provider = import('./provider.js').then(({ createProvider }) =>
        createProvider({
          ...{ issuerUrl, clientId: CLIENT_ID, redirectUri, signing },
          ...{ cookieKey, records, states, onError },
        }),
      );
      built = { signing, provider };
    }
    return built.provider;
  };

  const count = async (rate: Rate, source: string): Promise<Usage | null> =>
    limits.enabled ? limits.count(rate, source) : null;

  /** Seconds until the client's address may send a form of that sign-in again; 0: now. */
  const formsAgain = async (source: string, path: string): Promise<number> => {
    const usages = [await count('signInForm', source), await count('signInOwn', `${source} ${path}`)];
    return Math.max(...usages.map((usage) => (usage?.exceeded ? usage.resetSeconds : 0)));
  };

  const endSession = async (session: ProviderSession): Promise<void> => {
    const { records } = await parts();
    await records.put(ENDED_SESSION, session.uid, true, SESSION_SECONDS);
    await session.destroy();
  };

  const asking = new Set<string>();

  const answer = async (request: MountedRequest, response: ServerResponse): Promise<void> => {
    const source = sourceOf(request);
    const usage = await count('signIn', source);
    const path = mount(request, issuerUrl);
    const action = `${publicPath}${path}`;
    if (usage?.exceeded) {
      if (!isNavigation(request)) throw rateLimited(usage);
      const { resetSeconds: retrySeconds } = usage;
      const tooMany = `${publicPath}${request.url ?? ''}`;
      response.setHeader('Retry-After', String(retrySeconds));
      sendPage(response, failedPage(browserLanguage(request), { tooMany, retrySeconds }), 429);
      return;
    }
    if (SIGN_IN_PATH.test(path)) {
      onlyOwnForm(request);
      const formsAfter = request.method === 'POST' ? await formsAgain(source, path) : 0;
      const { hasher, records, states, codes } = await parts();
      const provider = await providerOf({ hasher, records, states, codes });
      const remember = async (email: string): Promise<string> => {
        const subject = subjectOf(hasher, email);
        await records.put('account', subject, { email }, ACCOUNT_SECONDS);
        return subject;
      };
      const isNewCode = request.url?.endsWith('?new') ?? false;
      const own = { action, isNewCode, formsAgain: formsAfter };
      const shared = {
        provider,
        codes,
        states,
        mails,
        asking,
        remember,
        endSession,
        isInvitation: options.isInvitation,
      };
      await signIn(request, response, { ...own, ...shared });
    } else if (path === SIGN_OUT_PATH) {
      onlyOwnForm(request);
      await signOut(request, response, await providerOf(await parts()), { action, endSession });
    } else if (RESUME_PATH.test(path)) {
      const { records } = await parts();
      const uid = RESUME_PATH.exec(path)?.[1] ?? '';
      const provider = await providerOf(await parts());
      if (!(await resume(request, response, { provider, records, uid })))
        sendPage(response, failedPage(browserLanguage(request), 'ended'), 400);
    } else if (path === AUTHORIZATION_PATH && !isAuthorizationBounded(request)) {
      sendPage(response, failedPage(browserLanguage(request), 'ended'), 400);
    } else if (PROVIDER_PATHS.test(path)) {
      await (await providerOf(await parts())).callback()(request, response);
    } else {
      throw notFound();
    }
  };

  const sweep = setInterval(() => {
    const swept = async (): Promise<void> => {
      // What a wrong clock takes for expired is valid again once it is right.
      if ((await timekeeper.now('end')) !== null) await vault.shortLived.sweep(now());
    };
    swept().catch(onError);
  }, SWEEP_MS).unref();

  return {
    issuerUrl,
    basePath: basePathOf(issuerUrl),
    handler: (request, response) => {
      const work = async (): Promise<void> => {
        const { states } = await parts();
        await states.during(request, response, () => answer(request, response));
      };
      const run = work().catch((error: unknown) => {
        if (!isAway(error) || !isNavigation(request) || response.headersSent) throw error;
        const away = `${publicPath}${request.url ?? ''}`;
        response.setHeader('Retry-After', '5');
        sendPage(response, failedPage(browserLanguage(request), { away }), 503);
      });
      answerErrors(request, response, run, { onError, failed: toApiError });
    },
    fetchJson: async (url) => {
      const jwksUri = `${issuerUrl}/jwks`;
      if (url === jwksUri) return { keys: (await keys.signing()).keys.map(publicPart) };
      if (url === `${issuerUrl}/.well-known/openid-configuration`)
        return { issuer: issuerUrl, jwks_uri: jwksUri };
      throw new Error(`The issuer for candidates publishes nothing at ${url}.`);
    },
    lift: async (email, applicationIds) => (await parts()).codes.lift(email, applicationIds),
    stop: async () => {
      clearInterval(sweep);
      await mails.stop();
    },
  };
};

/** Whether the request is one of the page's form, and what it brings is no more than the page needs. */
const isAuthorizationBounded = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  Buffer.byteLength(url.slice(url.indexOf('?') + 1)) <= MAX_PARAMETER_BYTES &&
  // Each takes six bytes of a state.
  !/%[01][0-9a-f]/i.test(url);

/** The same for every spelling of an address, in every process; reveals nothing about it. */
export const subjectOf = (hasher: KeyedHasher, email: string): string =>
  `${CANDIDATE_SUBJECT}${Buffer.from(hasher.hmac('subject', email), 'hex').toString('base64url')}`;

/** By what requests are counted: the address of the client, also behind proxies that are trusted. */
const sources = (trustedProxies: readonly string[]): ((request: IncomingMessage) => string) => {
  const trust = trustedProxies.length > 0 ? proxyAddress.compile([...trustedProxies]) : () => false;
  return (request) => countedAddress(proxyAddress(request, trust));
};

const isAway = (error: unknown): boolean =>
  error instanceof Unavailable || (error instanceof ApiError && error.code === 'unavailable');

/** Whether a person sees the answer: of the page's own requests it is read by a script. */
const isNavigation = ({ url = '', headers }: IncomingMessage): boolean =>
  SIGN_IN_PATH.test(url.split('?', 1)[0] ?? '') || (headers.accept ?? '').includes('text/html');
