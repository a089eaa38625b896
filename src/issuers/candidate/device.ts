import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import type Provider from 'oidc-provider';
import { type Language, preferredLanguage } from '../../languages/languages.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { answeredAt, type FormAnswers, waitSecondsOf } from '../form-answers.js';
import { readForm, redirect, sendPage } from '../forms.js';
import type { Exchange } from '../routes.js';
import type { SignInDetails } from '../sign-in.js';
import {
  type DeviceMistake,
  deviceDonePage,
  deviceConfirmPage,
  deviceCodePage,
  failedPage,
} from './pages.js';

/**
 * The sign-in of a program without a browser by a device code (RFC 8628). The program shows a code; the candidate
 * enters it on the page, signs in, and confirms to have started the program. The confirmation comes last, so that a
 * candidate who was lured to the page reads first what the program gets, which program it is, and for which account.
 */

/** The program `assay-work`. */
export const DEVICE_CLIENT_ID = 'assay-work';
/** How long a code is valid until it is confirmed. */
export const DEVICE_SECONDS = 600;
/** The prompt that asks for the confirmation. */
export const DEVICE_PROMPT = 'device';
/** Limit of the codes that all processes make in `DEVICE_SECONDS`. Each leaves two records. */
export const MAX_DEVICE_CODES = 20_000;

/** Shortest time between two requests for the tokens of one code, in seconds: RFC 8628's default. */
const INTERVAL_SECONDS = 5;
/** Tolerance of that time: on the network, requests may come closer to each other than they were sent. */
const TOLERATED_MS = 500;
const POLLS = 'polls of a device code';

/** What a page says about a form: why the code is refused, or how long to wait until the form may be sent again. */
export type DeviceAnswer =
  | { readonly refused: DeviceMistake | 'ended' }
  /** Milliseconds since 1970. */
  | { readonly until: number };

type DevicePages = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>;

const languageOf = (ctx: KoaContextWithOIDC): Language =>
  preferredLanguage(undefined, ctx.get('accept-language'));

const send = (ctx: KoaContextWithOIDC, page: ReturnType<typeof failedPage>, status = 200): void => {
  ctx.set(page.headers);
  ctx.status = status;
  ctx.body = page.html;
};

/** Mistakes in a code, by the name of the library's error. */
const MISTAKES: Readonly<Record<string, DeviceMistake>> = {
  NoCodeError: 'wrong',
  NotFoundError: 'wrong',
  ExpiredError: 'over',
  AlreadyUsedError: 'over',
};

/** The pages that the library shows during the flow. A form with a mistake is answered by a redirect to its page. */
export const devicePages = (answers: FormAnswers<DeviceAnswer>): DevicePages => {
  const pathOf = (ctx: KoaContextWithOIDC): string => new URL(ctx.oidc.urlFor('code_verification')).pathname;
  const redirectTo = (ctx: KoaContextWithOIDC, location: string): void => {
    ctx.status = 303;
    ctx.set('Location', location);
    ctx.body = '';
  };
  const enterCode = (ctx: KoaContextWithOIDC): void => {
    const path = pathOf(ctx);
    const answer = answers.shown(ctx.req, path);
    const refused = answer && 'refused' in answer ? answer.refused : undefined;
    if (refused === 'ended') {
      send(ctx, failedPage(languageOf(ctx), 'deviceEnded'), 400);
      return;
    }
    const { secret } = (ctx.oidc.session?.state ?? {}) as { readonly secret?: string };
    const page = deviceCodePage(languageOf(ctx), { action: path, xsrf: secret ?? '' }, refused);
    send(ctx, page, refused === undefined ? 200 : 400);
  };
  return {
    charset: 'base-20',
    mask: '****-****',
    // No information about the program's computer is stored.
    deviceInfo: () => ({}),
    userCodeInputSource: (ctx, _form, _out, error) => {
      if (error?.name === 'AbortedError') send(ctx, deviceDonePage(languageOf(ctx), 'denied'));
      else if (!error) enterCode(ctx);
      else if (ctx.method === 'POST')
        redirectTo(ctx, answers.store(ctx.res, pathOf(ctx), { refused: MISTAKES[error.name] ?? 'ended' }));
      else send(ctx, failedPage(languageOf(ctx), 'deviceEnded'), 400);
    },
    // The library's question is omitted: `confirmDevice` asks later.
    userCodeConfirmSource: (ctx) => redirectTo(ctx, pathOf(ctx)),
    successSource: (ctx) => send(ctx, deviceDonePage(languageOf(ctx), 'signedIn')),
  };
};

/** Whether the browser has a session with the form's anti-forgery secret, so the form was shown to it before. */
export const hasForm = async (provider: Provider, { request, response }: Exchange): Promise<boolean> => {
  const session = await provider.Session.get(provider.createContext(request, response));
  return session.state !== undefined;
};

/** What the confirmation needs of the issuer. */
export interface DeviceParts {
  readonly provider: Provider;
  /** The address that signed in under a subject; `null`: the sign-in has expired. */
  readonly emailOf: (subject: string) => Promise<string | null>;
  /** Seconds until the client's address may send a form again; 0: now. */
  readonly formWaitSeconds: number;
  readonly deviceAnswers: FormAnswers<DeviceAnswer>;
}

/** Sends the page for a form that may not be sent again yet. @returns false: it may be sent, and no page is sent */
export const sendWait = (
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  answers: FormAnswers<DeviceAnswer>,
): boolean => {
  const answer = answers.shown(request, path);
  const retrySeconds = answer && 'until' in answer ? waitSecondsOf(answer.until) : 0;
  if (retrySeconds === 0) return false;
  response.setHeader('Retry-After', String(retrySeconds));
  const language = preferredLanguage(undefined, request.headers['accept-language']);
  sendPage(response, failedPage(language, { tooMany: path, retrySeconds }), 429);
  return true;
};

/** Shows the question whether the candidate started the waiting program, or handles the answer. */
export const confirmDevice = async (
  { request, response, path }: Exchange,
  { provider, emailOf, formWaitSeconds, deviceAnswers }: DeviceParts,
  details: SignInDetails,
): Promise<void> => {
  const isForm = request.method === 'POST';
  const language = preferredLanguage(undefined, request.headers['accept-language']);
  const code = await provider.DeviceCode.find(details.deviceCode ?? '');
  const email = await emailOf(details.session?.accountId ?? '');
  if (!code?.userCode || code.accountId !== undefined || code.error !== undefined || email === null) {
    if (isForm) redirect(response, answeredAt(path));
    else sendPage(response, failedPage(language, 'deviceEnded'), 400);
    return;
  }
  if (formWaitSeconds > 0) {
    const until = Date.now() + formWaitSeconds * 1_000;
    redirect(response, deviceAnswers.store(response, path, { until }));
    return;
  }
  if (!isForm && sendWait(request, response, path, deviceAnswers)) return;
  const step = isForm ? (await readForm(request)).get('step') : null;
  if (isForm && step !== 'confirm' && step !== 'deny') {
    redirect(response, path);
    return;
  }
  if (step !== 'confirm' && step !== 'deny') {
    const shown = `${code.userCode.slice(0, 4)}-${code.userCode.slice(4)}`;
    const page = deviceConfirmPage(language, { action: path, email, code: shown, program: DEVICE_CLIENT_ID });
    sendPage(response, page);
    return;
  }
  const answer =
    step === 'confirm'
      ? { confirmed: details.deviceCode }
      : { error: 'access_denied', error_description: '' };
  redirect(response, new URL(await provider.interactionResult(request, response, answer)).pathname);
};

/** Records a request for the tokens of a code. @returns whether it came too soon after the one before */
export const pollsTooFast = (
  records: SealedRecords,
  deviceCode: string,
  now: () => number = Date.now,
): Promise<boolean> =>
  records.update<number, boolean>(POLLS, deviceCode, (before) => {
    const at = now();
    const isTooFast =
      before !== null && at - before < INTERVAL_SECONDS * 1_000 - TOLERATED_MS && at >= before;
    return { answer: isTooFast, to: { value: at, seconds: DEVICE_SECONDS } };
  });
