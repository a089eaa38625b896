import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { type Account, mistakeIn, readEmail } from './account.js';
import { readForm, sendPage } from '../../http/mounted.js';
import { errorPage, signInPage, type SignInPage, tokenPage } from './pages.js';

const MISTAKE = 'Enter an e-mail address, such as ada@example.com.';

/** Reads the form. If its address is invalid, shows it again with the mistake and returns `null`. */
const readAccount = async (
  request: IncomingMessage,
  response: ServerResponse,
  form: SignInPage,
): Promise<Account | null> => {
  const fields = await readForm(request);
  const emailVerified = fields.get('emailVerified') === 'true';
  const typed = fields.get('email') ?? '';
  const email = readEmail(typed);
  if (email !== null) return { email, emailVerified };
  const mistake = `${MISTAKE}${mistakeIn(typed)}`;
  sendPage(response, signInPage({ ...form, email: typed, emailVerified, mistake }), 400);
  return null;
};

/** The sign-in without a client: ends with an ID token to copy. */
export const signInAlone = async (
  request: IncomingMessage,
  response: ServerResponse,
  issuerUrl: string,
  issue: (account: Account) => Promise<string>,
): Promise<void> => {
  const action = new URL(issuerUrl).pathname;
  const form: SignInPage = { action, client: null, returnsTo: null };
  if (request.method !== 'POST') {
    sendPage(response, signInPage(form));
    return;
  }
  const account = await readAccount(request, response, form);
  if (!account) return;
  const meUrl = `${issuerUrl.slice(0, issuerUrl.lastIndexOf('/'))}/me`;
  const idToken = await issue(account);
  sendPage(response, tokenPage({ email: account.email, idToken, meUrl, signInPath: action }));
};

/** The page that a client's authorization request leads to: ends back at the client. `remember` gives the subject. */
export const signInForClient = async (
  request: IncomingMessage,
  response: ServerResponse,
  provider: Provider,
  action: string,
  remember: (account: Account) => string,
): Promise<void> => {
  const details = await provider.interactionDetails(request, response).catch(() => null);
  if (!details) {
    sendPage(
      response,
      errorPage('It has ended or was begun in another browser. Go back and begin anew.'),
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
  if (request.method !== 'POST') {
    sendPage(response, signInPage(form));
    return;
  }
  const account = await readAccount(request, response, form);
  if (!account) return;
  const subject = remember(account);
  // The provider takes another person in the same browser for a mistake: the former one's session ends first.
  if (details.session && details.session.accountId !== subject) {
    await (await provider.Session.findByUid(details.session.uid))?.destroy();
    delete details.session;
    await details.save(details.exp - Math.floor(Date.now() / 1000));
  }
  const result = { login: { accountId: subject } };
  const next = new URL(await provider.interactionResult(request, response, result));
  // Without its origin: the browser stays with the name of this machine that it came by, and so keeps its cookies.
  response.writeHead(303, { Location: next.pathname, 'Cache-Control': 'no-store' }).end();
};
