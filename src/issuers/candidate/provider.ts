import {
  type Adapter,
  type AdapterFactory,
  type AdapterPayload,
  errors,
  interactionPolicy,
  Provider,
} from 'oidc-provider';
import { preferredLanguage } from '../../languages/languages.js';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { providerOf } from '../public-client.js';
import { DEVICE_CLIENT_ID, DEVICE_PROMPT, DEVICE_SECONDS, devicePages, pollsTooFast } from './device.js';
import type { SigningKeys } from './keys.js';
import { ENDED_SESSION, ID_TOKEN_SECONDS, SESSION_SECONDS } from './keys.js';
import { failedPage } from './pages.js';
import { SIGN_IN_SECONDS, type SignInStates } from './sign-in-states.js';

/** Who signed in under a subject: ID tokens carry the address. */
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
  readonly onError: (error: unknown) => void;
}

const { Check, Prompt } = interactionPolicy;

/** Each code of a program is confirmed by itself, also by somebody who is signed in. */
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
 * The OpenID provider itself: authorization code with PKCE for the page, a device code for the program. Its own session
 * lets the page have further ID tokens without another code (`prompt=none`). The program has no cookies: it gets a
 * refresh token, which ends with the session.
 */
export const createProvider = (options: ProviderOptions): Provider => {
  const { issuerUrl, clientId, redirectUri, signing, cookieKey, records, states, onError } = options;
  const policy = interactionPolicy.base();
  // The clients are the service's own: there is nothing to consent to.
  policy.remove('consent');
  policy.add(confirmsDevice());
  return providerOf(issuerUrl, {
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
      pages: devicePages,
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

const MAX_SECONDS = 24 * 3600;
const REVOKED = 'revoked grant';

/** The provider's sessions, codes and sign-ins under way, for every process. */
const adapterOn =
  (records: SealedRecords, states: SignInStates): AdapterFactory =>
  (model): Adapter => {
    if (model === 'Interaction') return signInsUnderWay(records, states);
    const byUid = `${model} by uid`;
    const byUserCode = `${model} by user code`;
    const find = async (id: string): Promise<AdapterPayload | undefined> => {
      const isPoll = model === 'DeviceCode' && Provider.ctx?.oidc.route === 'token';
      if (isPoll && (await pollsTooFast(records, id)))
        throw new errors.SlowDown('wait at least 5 seconds between two requests');
      const payload =
        (await records.get<AdapterPayload>(model, id)) ??
        (model === 'Session' ? (states.justPut(id) ?? states.brought(id)) : null);
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
      upsert: async (id, payload, seconds = MAX_SECONDS) => {
        if (model === 'Session' && payload.accountId === undefined) {
          states.put(id, payload, 'device');
          return;
        }
        await records.put(model, id, payload, seconds);
        if (payload.userCode !== undefined) await records.put(byUserCode, payload.userCode, id, seconds);
        if (model === 'Session' && payload.uid !== undefined)
          await records.put(byUid, payload.uid, id, seconds);
      },
      find,
      findByUid: async (uid) => {
        const id = await records.get<string>(byUid, uid);
        return id === null ? undefined : find(id);
      },
      findByUserCode: async (userCode) => {
        const id = await records.get<string>(byUserCode, userCode);
        return id === null ? undefined : find(id);
      },
      consume: async (id) => {
        const isFirst = await records.update<AdapterPayload, boolean>(model, id, (payload) =>
          payload === null || payload.consumed !== undefined
            ? { answer: false }
            : { answer: true, to: { value: { ...payload, consumed: Math.floor(Date.now() / 1000) } } },
        );
        // Two processes may both have found it unused.
        if (!isFirst) throw new errors.InvalidGrant('already consumed');
      },
      destroy: async (id) => {
        await records.remove(model, id);
        if (model === 'Session' && states.brought(id)) states.remove(id, 'device');
      },
      revokeByGrantId: (grantId) => records.put(REVOKED, grantId, true, MAX_SECONDS),
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
