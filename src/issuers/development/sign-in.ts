import type Provider from 'oidc-provider';
import { readForm, sendPage } from '../forms.js';
import type { Exchange } from '../routes.js';
import { finishSignIn, signInOf } from '../sign-in.js';
import { type Account, mistakeIn, readEmail } from './account.js';
import { errorPage, signInPage, type SignInPage, tokenPage } from './pages.js';

/** Parameter of an authorization request: the address to sign in with, without a page. */
export const SIGN_IN_AS = 'sign_in_as';

const MISTAKE = 'Enter an e-mail address, such as ada@example.com.';

/** Reads the form. If its address is invalid, shows it again with the mistake and returns `null`. */
const readAccount = async ({ request, response }: Exchange, form: SignInPage): Promise<Account | null> => {
  const fields = await readForm(request);
  const emailVerified = fields.get('emailVerified') === 'true';
  const typed = fields.get('email') ?? '';
  const email = readEmail(typed);
  if (email !== null) return { email, emailVerified };
  const mistake = `${MISTAKE}${mistakeIn(typed)}`;
  sendPage(response, signInPage({ ...form, email: typed, emailVerified, mistake }), 400);
  return null;
};

/** The sign-in without a client. It ends with an ID token to copy. */
export const signInAlone = async (
  exchange: Exchange,
  issuerUrl: string,
  issue: (account: Account) => Promise<string>,
): Promise<void> => {
  const { request, response } = exchange;
  const action = new URL(issuerUrl).pathname;
  const form: SignInPage = { action, client: null, returnsTo: null };
  if (request.method !== 'POST') {
    sendPage(response, signInPage(form));
    return;
  }
  const account = await readAccount(exchange, form);
  if (!account) return;
  const meUrl = `${issuerUrl.slice(0, issuerUrl.lastIndexOf('/'))}/me`;
  const idToken = await issue(account);
  sendPage(response, tokenPage({ email: account.email, idToken, meUrl, signInPath: action }));
};

/**
 * The sign-in for a client whose authorization request names no account: shows the page, then returns to the client.
 * `remember` stores the account and returns its subject.
 */
export const signInForClient = async (
  exchange: Exchange,
  provider: Provider,
  remember: (account: Account) => Promise<string>,
): Promise<void> => {
  const { request, response, path: action } = exchange;
  const details = await signInOf(provider, exchange);
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
  if (request.method !== 'POST' && requested === null) {
    sendPage(response, signInPage(form));
    return;
  }
  const account =
    requested === null ? await readAccount(exchange, form) : { email: requested, emailVerified: true };
  if (!account) return;
  const login = { accountId: await remember(account) };
  await finishSignIn(provider, exchange, details, login, (sessionOfAnother) => sessionOfAnother.destroy());
};
