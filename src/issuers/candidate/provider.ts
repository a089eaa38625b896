import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  errors,
  interactionPolicy,
  type Provider,
} from 'oidc-provider';
import { preferredLanguage } from '../../languages/languages.js';
import type { SigningKeys } from './keys.js';
import { failedPage } from './pages.js';
import { providerOf } from './public-client.js';
import { SIGN_IN_SECONDS, type SignInStates } from './sign-in-states.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { ENDED_SESSION, ID_TOKEN_SECONDS, SESSION_SECONDS } from './keys.js';

/** Who signed in under a subject: ID tokens carry the address. */
export interface Account {
  readonly email: string;
}

export interface ProviderOptions {
  readonly issuerUrl: string;
  /** The only client: the candidate's page. */
  readonly clientId: string;
  readonly redirectUri: string;
  readonly signing: SigningKeys;
  readonly cookieKey: string;
  readonly records: SealedRecords;
  readonly states: SignInStates;
  readonly onError: (error: unknown) => void;
}

/**
 * The OpenID provider itself: authorization code with PKCE for one public client. Its own session lets the page have
 * further ID tokens without another code (`prompt=none`); there are no refresh tokens.
 */
export const createProvider = (options: ProviderOptions): Provider => {
  const { issuerUrl, clientId, redirectUri, signing, cookieKey, records, states, onError } = options;
  const policy = interactionPolicy.base();
  // The one client is the service's own: there is nothing to consent to.
  policy.remove('consent');
  return providerOf(issuerUrl, {
    adapter: adapterOn(records, states),
    jwks: { keys: [...signing.keys] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    client: {
      client_id: clientId,
      redirect_uris: [redirectUri],
      id_token_signed_response_alg: 'ES256',
    },
    policy,
    cookies: { key: cookieKey, prefix: 'candidate' },
    extraParams: ['application'],
    seconds: { idToken: ID_TOKEN_SECONDS, grant: ID_TOKEN_SECONDS, session: SESSION_SECONDS },
    clientBasedCORS: (_ctx, requestOrigin) => requestOrigin === new URL(redirectUri).origin,
    findAccount: async (_ctx, subject) => {
      const account = await records.get<Account>('account', subject);
      if (!account) return undefined;
      const claims = () => ({ sub: subject, email: account.email, email_verified: true });
      return { accountId: subject, claims };
    },
    renderError: (ctx) => {
      const page = failedPage(preferredLanguage(ctx.query.ui_locales, ctx.get('accept-language')), 'ended');
      ctx.set(page.headers);
      ctx.body = page.html;
    },
    onError,
  });
};

const LONGEST_SECONDS = 24 * 3600;
const REVOKED = 'revoked grant';

/** The provider's sessions, codes and sign-ins under way, for every process. */
const adapterOn =
  (records: SealedRecords, states: SignInStates): AdapterFactory =>
  (model): Adapter => {
    if (model === 'Interaction') return signInsUnderWay(records, states);
    const byUid = `${model} by uid`;
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const payload = await records.get<AdapterPayload>(model, id);
      if (payload?.grantId !== undefined && (await records.get(REVOKED, payload.grantId)) !== null)
        return undefined;
      // A request that was under way when the session ended has stored it again.
      if (
        model === 'Session' &&
        payload?.uid !== undefined &&
        (await records.get(ENDED_SESSION, payload.uid))
      )
        return undefined;
      return payload ?? undefined;
    };
    return {
      upsert: async (id, payload, seconds = LONGEST_SECONDS) => {
        await records.put(model, id, payload, seconds);
        if (model === 'Session' && payload.uid !== undefined)
          await records.put(byUid, payload.uid, id, seconds);
      },
      find,
      findByUid: async (uid) => {
        const id = await records.get<string>(byUid, uid);
        return id === null ? undefined : find(id);
      },
      // The device flow is off.
      findByUserCode: async () => undefined,
      consume: async (id) => {
        const isFirst = await records.update<AdapterPayload, boolean>(model, id, (payload) =>
          payload === null || payload.consumed !== undefined
            ? { answer: false }
            : { answer: true, to: { value: { ...payload, consumed: Math.floor(Date.now() / 1000) } } },
        );
        // Two processes may both have found it unused.
        if (!isFirst) throw new errors.InvalidGrant('already consumed');
      },
      destroy: (id) => records.remove(model, id),
      revokeByGrantId: (grantId) => records.put(REVOKED, grantId, true, LONGEST_SECONDS),
    };
  };

/** Sign-ins: with the browser until the right code was entered, and here until the provider has gone on by it. */
const signInsUnderWay = (records: SealedRecords, states: SignInStates): Adapter => {
  const kind = 'Interaction';
  return {
    upsert: async (id, payload, seconds = SIGN_IN_SECONDS) => {
      if (payload.result === undefined) {
        states.put(id, payload);
        return;
      }
      await records.put(kind, id, payload, seconds);
      states.remove(id);
    },
    find: async (id) =>
      states.justPut(id) ?? (await records.get<AdapterPayload>(kind, id)) ?? states.brought(id),
    destroy: async (id) => {
      await records.remove(kind, id);
      states.remove(id);
    },
    // None of these is done with a sign-in.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
};
