import type { FastifyPluginAsync } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Mailer } from '../../clients/mail.js';
import { KeyedHasher } from '../../core/keyed-hash.js';
import { CANDIDATE_SUBJECT } from '../../domain/candidate/events.js';
import type { Timekeeper } from '../../engine/trusted-clock.js';
import type { FetchJson } from '../../http/access/discovery.js';
import { ApiError } from '../../http/api-error.js';
import { countedAddress } from '../../http/counted-address.js';
import type { Rate, RateLimits, Usage } from '../../http/rate-limits.js';
import { rateLimited } from '../../http/rate-limits.js';
import { toApiError } from '../../http/to-api-error.js';
import type { Logger } from '../../process/log.js';
import type { Vault } from '../../vault/port.js';
import { SealedRecords } from '../../vault/sealed-records.js';
import { SharedCount } from '../../vault/shared-count.js';
import { FormAnswers, answeredAt } from '../form-answers.js';
import { redirect, sendPage } from '../forms.js';
import { providerOfCurrent, published } from '../keys.js';
import { type Exchange, type Handler, issuerRoutes } from '../routes.js';
import type { ProviderSession } from '../sign-in.js';
import { CodeMails } from './code-mails.js';
import { type CodeLimits, Codes } from './codes.js';
import { DEVICE_SECONDS, type DeviceAnswer, hasForm, MAX_DEVICE_CODES, sendWait } from './device.js';
import { ENDED_SESSION, IssuerKeys, SESSION_SECONDS } from './keys.js';
import { failedPage } from './pages.js';
import type { Account } from './provider.js';
import { resume } from './resume.js';
import { MAX_PARAMETER_BYTES, SignInStates } from './sign-in-states.js';
import { browserLanguage, sendEnded, signIn, type SignInAnswer, signOut } from './sign-in.js';

export interface CandidateIssuerOptions {
  /** The address of the service for callers. */
  readonly publicUrl: string;
  readonly vault: Pick<Vault, 'secret' | 'shortLived'>;
  readonly mailer: Mailer;
  /** The page that shows mails if `mailer` does not send them; `null`: it sends them. */
  readonly outboxUrl: string | null;
  /** Whether any organisation has invited the address. */
  readonly isInvited: (email: string) => Promise<boolean>;
  /** Whether the application's candidate was invited under the address. */
  readonly isInvitation: (email: string, applicationId: string) => Promise<boolean>;
  /** Limits of codes for an address. Default: `CODE_LIMITS`. */
  readonly codeLimits?: CodeLimits;
  readonly limits: RateLimits;
  readonly log: Pick<Logger, 'warn' | 'error'>;
  /** Checks the clock before expired records are removed. */
  readonly timekeeper: Timekeeper;
  /** Milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
}

/** The parts of the issuer that the service uses. It reads nothing of the vault until the first request. */
export interface CandidateIssuer {
  readonly issuerUrl: string;
  readonly routes: FastifyPluginAsync;
  /** Answers discovery and keys without the network. */
  readonly fetchJson: FetchJson;
  /**
   * Resets the limit of codes for an address.
   * @param applicationIds invitations to the address, whose allowances are reset too
   */
  lift(email: string, applicationIds: readonly string[]): Promise<void>;
  /** Stops removing expired records, and waits two seconds at most for the mails under way. */
  stop(): Promise<void>;
}

/** The candidate's page, and the audience of its ID tokens. */
export const CLIENT_ID = 'assay-candidate';
/** The issuer's URL in ID tokens: `{PUBLIC_URL}/candidate`. */
export const issuerUrlOf = (publicUrl: string): string => `${publicUrl}/candidate`;
/** The address to which a sign-in returns: the candidate's page. */
export const redirectUriOf = (publicUrl: string): string => `${publicUrl}/apply/callback`;

/** Value of Retry-After if a page is unavailable. */
const UNAVAILABLE_RETRY_SECONDS = 5;
const SWEEP_INTERVAL_MS = 10 * 60_000;
/** Lifetime of an account's record: longer than any session or grant of the account. */
const ACCOUNT_SECONDS = 10 * 3600;

/** Parts of the issuer that are created with the first request. */
interface IssuerServices {
  readonly hasher: KeyedHasher;
  readonly records: SealedRecords;
  readonly states: SignInStates;
  readonly answers: FormAnswers<SignInAnswer>;
  readonly deviceAnswers: FormAnswers<DeviceAnswer>;
  readonly codes: Codes;
  /** Counts the codes that programs request. */
  readonly deviceCodes: SharedCount;
}

/**
 * An OpenID provider for candidates. A candidate signs in by a code that is mailed to an invited address. All state is
 * in the vault or in sealed cookies, so that any process can answer the next request.
 */
export const createCandidateIssuer = (options: CandidateIssuerOptions): CandidateIssuer => {
  const { publicUrl, vault, mailer, isInvited, isInvitation, log, timekeeper, now = Date.now } = options;
  const issuerUrl = issuerUrlOf(publicUrl);
  const publicPath = new URL(issuerUrl).pathname;
  const keys = new IssuerKeys(vault, now);
  const mails = new CodeMails({ mailer, isInvited, log });
  const onError = (err: unknown): void => log.error({ err }, 'The sign-in of candidates failed.');
  let made: Promise<IssuerServices> | undefined;

  const make = async (): Promise<IssuerServices> => {
    const hasher = await keys.hasher();
    const records = new SealedRecords(vault, hasher, now);
    const isSecure = publicUrl.startsWith('https:');
    const states = new SignInStates(hasher, publicPath, isSecure, now);
    const deviceLimit = { max: MAX_DEVICE_CODES, seconds: DEVICE_SECONDS };
    const deviceCodes = new SharedCount(records, 'device codes of all', deviceLimit, now);
    const codes = new Codes(records, hasher, now, options.codeLimits);
    const answerKey = Buffer.from(hasher.hmac('answers to forms'), 'hex');
    const answers = new FormAnswers<SignInAnswer>(answerKey, isSecure);
    const deviceAnswers = new FormAnswers<DeviceAnswer>(answerKey, isSecure);
    return { hasher, records, states, answers, deviceAnswers, codes, deviceCodes };
  };
  const services = (): Promise<IssuerServices> => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };

  const provider = providerOfCurrent(
    () => keys.signing(),
    async (signing) => {
      const { hasher, records, states, deviceAnswers } = await services();
      const { createProvider } = await import('./provider.js');
      return createProvider({
        ...{ issuerUrl, clientId: CLIENT_ID, redirectUri: redirectUriOf(publicUrl), signing },
        ...{ cookieKey: hasher.hmac('cookies'), records, states, deviceAnswers, onError },
      });
    },
  );

  const count = async (rate: Rate, source: string): Promise<Usage | null> =>
    options.limits.enabled ? options.limits.count(rate, source) : null;

  /** Seconds until the client's address may send a form of that sign-in again; 0: now. */
  const formWaitSeconds = async ({ request, ip, uid }: Exchange): Promise<number> => {
    if (request.method !== 'POST') return 0;
    const source = countedAddress(ip);
    const usages = [await count('signInForm', source)];
    if (uid !== '') usages.push(await count('oneSignIn', `${source} ${uid}`));
    return Math.max(...usages.map((usage) => (usage?.exceeded ? usage.resetSeconds : 0)));
  };

  /** Ends a browser's session in all processes. */
  const endSession = async (session: ProviderSession): Promise<void> => {
    const { records } = await services();
    await records.put(ENDED_SESSION, session.uid, true, SESSION_SECONDS);
    await session.destroy();
  };

  /** Stores the address of a person who has signed in. @returns the subject of the ID tokens */
  const remember = async (email: string): Promise<string> => {
    const { hasher, records } = await services();
    const subject = subjectOf(hasher, email);
    await records.put('account', subject, { email }, ACCOUNT_SECONDS);
    return subject;
  };

  /** The address of a subject; `null`: the account has expired. */
  const emailOf = async (subject: string): Promise<string | null> =>
    (await (await services()).records.get<Account>('account', subject))?.email ?? null;

  /** Requests for codes that are being answered: a repeated one, as by a double click, asks for no further code. */
  const asking = new Set<string>();
  const askForCode: Handler = async (exchange) => {
    const waitSeconds = await formWaitSeconds(exchange);
    const { codes, states, answers, deviceAnswers } = await services();
    const stores = { codes, states, answers, deviceAnswers };
    const own = { provider: await provider(), ...stores, formWaitSeconds: waitSeconds };
    const { outboxUrl } = options;
    await signIn(exchange, { ...own, mails, asking, emailOf, remember, endSession, isInvitation, outboxUrl });
  };

  const authorize: Handler = async (exchange) => {
    const { request, response } = exchange;
    if (isAuthorizationBounded(request)) await (await provider()).callback()(request, response);
    else sendEnded(exchange);
  };

  const resumeSignIn: Handler = async (exchange) => {
    const { records } = await services();
    await resume(exchange, { provider: await provider(), records });
  };

  const askForDeviceCode: Handler = async (exchange) => {
    const { request, response } = exchange;
    const bytes = Number(request.headers['content-length'] ?? Infinity);
    if (!(bytes <= MAX_PARAMETER_BYTES))
      throw new ApiError('too_large', `The body is larger than ${MAX_PARAMETER_BYTES} bytes.`, {
        headers: { Connection: 'close' },
      });
    const waitSeconds = (await formWaitSeconds(exchange)) || (await (await services()).deviceCodes.take());
    if (waitSeconds > 0)
      throw new ApiError('rate_limited', 'Too many codes for programs were asked for: try again later.', {
        headers: { 'Retry-After': String(waitSeconds) },
      });
    await (await provider()).callback()(request, response);
  };

  const enterDeviceCode: Handler = async (exchange) => {
    const { request, response, path, address } = exchange;
    const { deviceAnswers } = await services();
    const retrySeconds = await formWaitSeconds(exchange);
    if (retrySeconds > 0) {
      const until = Date.now() + retrySeconds * 1_000;
      redirect(response, deviceAnswers.store(response, path, { until }));
      return;
    }
    if (request.method !== 'POST' && sendWait(request, response, path, deviceAnswers)) return;
    const library = await provider();
    // Show an empty form in two cases. The library fails on a form without its anti-forgery secret; and it would accept
    // a code from a link without a form.
    const showsEmptyForm =
      request.method === 'POST'
        ? !(await hasForm(library, exchange))
        : address !== path && address !== answeredAt(path);
    if (showsEmptyForm) redirect(response, path);
    else await library.callback()(request, response);
  };

  const sweep = setInterval(() => {
    const swept = async (): Promise<void> => {
      // `end`: an expiry. By a wrong clock, valid records would count as expired.
      if ((await timekeeper.nowIfTrusted('end')) !== null) await vault.shortLived.sweep(now());
    };
    swept().catch(onError);
  }, SWEEP_INTERVAL_MS).unref();

  return {
    issuerUrl,
    routes: issuerRoutes({
      issuerUrl,
      admit: async ({ request, response, ip }, handle) => {
        const { states } = await services();
        const usage = await count('signIn', countedAddress(ip));
        if (usage?.exceeded) throw rateLimited(usage);
        await states.during(request, response, handle);
      },
      pages: {
        '/sign-in/:uid': askForCode,
        '/device': enterDeviceCode,
        '/device/:uid': resumeSignIn,
        '/sign-out': async (exchange) => signOut(exchange, await provider(), endSession),
      },
      calls: { '/device/auth': askForDeviceCode },
      provider,
      overrides: { '/auth': authorize, '/auth/:uid': resumeSignIn },
      sendErrorPage,
      onError,
    }),
    fetchJson: published(issuerUrl, async () => (await keys.signing()).keys),
    lift: async (email, applicationIds) => (await services()).codes.lift(email, applicationIds),
    stop: async () => {
      clearInterval(sweep);
      await mails.stop();
    },
  };
};

/** Whether an authorization request has the page's method, and parameters that fit into a cookie. */
const isAuthorizationBounded = ({ method, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  Buffer.byteLength(url.slice(url.indexOf('?') + 1)) <= MAX_PARAMETER_BYTES &&
  // Control characters are refused: in the state's JSON each takes six bytes.
  !/%[01][0-9a-f]/i.test(url);

/**
 * The subject of an address, equal for all its spellings and in all processes. It reveals nothing about the address.
 */
export const subjectOf = (hasher: KeyedHasher, email: string): string =>
  `${CANDIDATE_SUBJECT}${Buffer.from(hasher.hmac('subject', email), 'hex').toString('base64url')}`;

/**
 * Sends a page for an error after which a person may try again.
 * @returns false: no page is sent, and the caller must answer the error
 */
const sendErrorPage = (error: unknown, { request, response, path, address }: Exchange): boolean => {
  const { code, status, headers } = toApiError(error);
  const isForBrowser = path.includes('/sign-in/') || (request.headers.accept ?? '').includes('text/html');
  if (!isForBrowser || (code !== 'rate_limited' && code !== 'unavailable')) return false;
  const retrySeconds = code === 'unavailable' ? UNAVAILABLE_RETRY_SECONDS : Number(headers['Retry-After']);
  const failure = code === 'unavailable' ? { unavailable: address } : { tooMany: address, retrySeconds };
  response.setHeader('Retry-After', String(retrySeconds));
  sendPage(response, failedPage(browserLanguage(request), failure), status);
  return true;
};
