import { interactionPolicy, type Provider } from 'oidc-provider';
import { preferredLanguage } from '../../languages/languages.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import type { FormAnswers } from '../form-answers.js';
import { oidcProvider } from '../oidc-provider.js';
import { adapterOn } from './adapter.js';
import { DEVICE_CLIENT_ID, DEVICE_PROMPT, DEVICE_SECONDS, type DeviceAnswer, devicePages } from './device.js';
import type { SigningKeys } from './keys.js';
import { ID_TOKEN_SECONDS, SESSION_SECONDS } from './keys.js';
import { failedPage } from './pages.js';
import type { SignInStates } from './sign-in-states.js';

/** The record of a subject: the e-mail address that signed in, which is in ID tokens. */
export interface Account {
  readonly email: string;
}

export interface ProviderOptions {
  readonly issuerUrl: string;
  /** The candidate's page. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signing: SigningKeys;
  readonly cookieKey: string;
  readonly records: SealedRecords;
  readonly states: SignInStates;
  readonly deviceAnswers: FormAnswers<DeviceAnswer>;
  readonly onError: (error: unknown) => void;
}

const { Check, Prompt } = interactionPolicy;

/** The prompt that asks for the confirmation of each device code, even if the person is signed in. */
const confirmsDevice = (): interactionPolicy.Prompt =>
  new Prompt(
    { name: DEVICE_PROMPT, requestable: false },
    new Check('device_unconfirmed', 'the program is not confirmed', 'interaction_required', ({ oidc }) => {
      const code = oidc.entities.DeviceCode;
      if (!code) return Check.NO_NEED_TO_PROMPT;
      const result = oidc.result as { readonly confirmed?: unknown } | undefined;
      return result?.confirmed === code.jti ? Check.NO_NEED_TO_PROMPT : Check.REQUEST_PROMPT;
    }),
  );

/**
 * The OpenID provider of candidates: the page signs in by authorization code with PKCE, the program by a device code.
 * While the provider's session lasts, the page gets further ID tokens without another mailed code (`prompt=none`). The
 * program has no cookies: it gets a refresh token, which ends with the session. Each period of the signing keys needs a
 * new provider.
 */
export const createProvider = (options: ProviderOptions): Provider => {
  const { issuerUrl, clientId, redirectUri, signing, cookieKey, records, states, onError } = options;
  const policy = interactionPolicy.base();
  // Consent is not asked for, since the clients are the service's own.
  policy.remove('consent');
  policy.add(confirmsDevice());
  return oidcProvider(issuerUrl, {
    adapter: adapterOn(records, states),
    jwks: { keys: [...signing.keys] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    client: {
      client_id: clientId,
      redirect_uris: [redirectUri],
      id_token_signed_response_alg: 'ES256',
    },
    device: {
      client_id: DEVICE_CLIENT_ID,
      client_name: DEVICE_CLIENT_ID,
      id_token_signed_response_alg: 'ES256',
      seconds: DEVICE_SECONDS,
      pages: devicePages(options.deviceAnswers),
    },
    policy,
    cookies: { key: cookieKey, prefix: 'candidate' },
    extraParams: ['application'],
    seconds: { idToken: ID_TOKEN_SECONDS, grant: SESSION_SECONDS, session: SESSION_SECONDS },
    clientBasedCORS: (_ctx, requestOrigin) => requestOrigin === new URL(redirectUri).origin,
    findAccount: async (_ctx, subject) => {
      const account = await records.get<Account>('account', subject);
      if (!account) return undefined;
      const claims = () => ({ sub: subject, email: account.email, email_verified: true });
      return { accountId: subject, claims };
    },
    errorPage: (ctx) =>
      failedPage(preferredLanguage(ctx.query.ui_locales, ctx.get('accept-language')), 'ended'),
    onError,
  });
};
