import type { IncomingMessage, ServerResponse } from 'node:http';
import { MAX_EMAIL } from '../core/email-address.js';
import { decrypt, encrypt } from '../core/gcm.js';

const COOKIE = 'form_answer';
const SECONDS = 600;
const VALUE = new RegExp(`(?:^|;\\s*)${COOKIE}=([A-Za-z0-9_-]+)(?:;|$)`);
/** The query of a page that shows the answer to its form. */
const QUERY = '?sent';

/** The address at which a page shows the answer to its form. @param path of the page */
export const answeredAt = (path: string): string => `${path}${QUERY}`;

/** Whether a request is for a page with the answer to its form. */
export const isAnswered = ({ url = '' }: IncomingMessage): boolean => url.endsWith(QUERY);

/**
 * Answers to forms. No page is the answer to a POST: to load such a page again, or to go back to it, sends the form again
 * or shows the browser's own error. A form is answered by a redirect to its page, which shows the answer. Until then the
 * answer is in a sealed cookie of the browser, for ten minutes: it stays when the page is loaded again.
 */
export class FormAnswers<T extends object> {
  /** @param key 32 bytes, the same in all processes */
  constructor(
    private readonly key: Buffer,
    private readonly isSecure: boolean,
  ) {}

  /**
   * Stores the answer in the browser, in place of the page's former one.
   * @param answer with the texts that were typed cut to `typedPart`, so that it fits into a cookie
   * @returns the address to redirect to
   */
  store(response: ServerResponse, path: string, answer: T): string {
    const until = Date.now() + SECONDS * 1_000;
    const text = Buffer.from(JSON.stringify({ answer, until }));
    const value = encrypt(this.key, text, boundTo(path)).toString('base64url');
    const attributes = `httponly; samesite=lax${this.isSecure ? '; secure' : ''}`;
    response.appendHeader(
      'Set-Cookie',
      `${COOKIE}=${value}; path=${path}; max-age=${SECONDS}; ${attributes}`,
    );
    return answeredAt(path);
  }

  /** The answer that the page shows; `null`: it was opened without one, or the answer has expired. */
  shown(request: IncomingMessage, path: string): T | null {
    const value = isAnswered(request) ? VALUE.exec(request.headers.cookie ?? '')?.[1] : undefined;
    const text = value && decrypt(this.key, Buffer.from(value, 'base64url'), boundTo(path));
    if (!text) return null;
    const { answer, until } = JSON.parse(text.toString()) as { readonly answer: T; readonly until: number };
    return until > Date.now() ? answer : null;
  }
}

/** The part of a typed text that an answer has: as much as an e-mail address may have. */
export const typedPart = (typed: string): string => typed.slice(0, MAX_EMAIL);

/** Seconds until a form may be sent again; 0: now. @param until milliseconds since 1970 */
export const waitSecondsOf = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1_000));

const boundTo = (path: string): Buffer => Buffer.from(`${COOKIE} ${path}`);
