import type { ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { answeredAt, type FormAnswers, typedPart } from '../form-answers.js';
import { readForm, redirect, sendPage } from '../forms.js';
import type { Exchange } from '../routes.js';
import { finishSignIn, signInOf } from '../sign-in.js';
import { type Account, mistakeIn, readEmail } from './account.js';
import { errorPage, signInPage, type SignInPage, tokenPage } from './pages.js';

/** Parameter of an authorization request: the address to sign in with, without a page. */
export const SIGN_IN_AS = 'sign_in_as';

const MISTAKE = 'Enter an e-mail address, such as ada@example.com.';

/** What the form had. With a mistake, the form is shown again; without, an ID token is shown. */
export type DevelopmentAnswer = Account & { readonly mistake?: string };

/** Reads the form. If its address is invalid, redirects to its page, which shows the mistake, and returns `null`. */
const readAccount = async (
  { request, response }: Exchange,
  path: string,
  answers: FormAnswers<DevelopmentAnswer>,
): Promise<Account | null> => {
  const fields = await readForm(request);
  const emailVerified = fields.get('emailVerified') === 'true';
  const typed = fields.get('email') ?? '';
  const email = readEmail(typed);
  if (email !== null) return { email, emailVerified };
  const mistake = `${MISTAKE}${mistakeIn(typed)}`;
  redirect(response, answers.store(response, path, { email: typedPart(typed), emailVerified, mistake }));
  return null;
};

/** The sign-in without a client. It ends with an ID token to copy. */
export const signInAlone = async (
  exchange: Exchange,
  issuerUrl: string,
  answers: FormAnswers<DevelopmentAnswer>,
  issue: (account: Account) => Promise<string>,
): Promise<void> => {
  const { request, response } = exchange;
  const action = new URL(issuerUrl).pathname;
  if (request.method === 'POST') {
    const account = await readAccount(exchange, action, answers);
    if (account) redirect(response, answers.store(response, action, account));
    return;
  }
  const answer = answers.shown(request, action);
  if (!answer || answer.mistake !== undefined) {
    sendForm(response, { action, client: null, returnsTo: null }, answer);
    return;
  }
  const meUrl = `${issuerUrl.slice(0, issuerUrl.lastIndexOf('/'))}/me`;
  const idToken = await issue(answer);
  sendPage(response, tokenPage({ email: answer.email, idToken, meUrl, signInPath: action }));
};

/** Sends the page with the form, and the mistake in the one that was sent before. */
const sendForm = (response: ServerResponse, form: SignInPage, answer: DevelopmentAnswer | null): void =>
  sendPage(response, signInPage({ ...form, ...answer }), answer ? 400 : 200);

/**
 * The sign-in for a client whose authorization request names no account: shows the page, then returns to the client.
 * `remember` stores the account and returns its subject.
 */
export const signInForClient = async (
  exchange: Exchange,
  provider: Provider,
  answers: FormAnswers<DevelopmentAnswer>,
  remember: (account: Account) => Promise<string>,
): Promise<void> => {
  const { request, response, path: action } = exchange;
  const isForm = request.method === 'POST';
  const details = await signInOf(provider, exchange);
  if (!details && isForm) {
    redirect(response, answeredAt(action));
    return;
  }
  if (!details) {
    sendPage(
      response,
      errorPage(
        'You may have completed it already, or begun it in another browser. To continue, begin again.',
        'This sign-in has ended',
      ),
      400,
    );
    return;
  }
  const { redirect_uri: redirectUri, client_id: clientId, login_hint: hint } = details.params;
  const form: SignInPage = {
    action,
    client: String(clientId),
    returnsTo: new URL(String(redirectUri)).origin,
    email: typeof hint === 'string' ? hint : '',
  };
  const asked = details.params[SIGN_IN_AS];
  const requested = typeof asked === 'string' ? readEmail(asked) : null;
  if (!isForm && requested === null) {
    sendForm(response, form, answers.shown(request, action));
    return;
  }
  const account =
    requested === null
      ? await readAccount(exchange, action, answers)
      : { email: requested, emailVerified: true };
  if (!account) return;
  const login = { accountId: await remember(account) };
  await finishSignIn(provider, exchange, details, login, (sessionOfAnother) => sessionOfAnother.destroy());
};
