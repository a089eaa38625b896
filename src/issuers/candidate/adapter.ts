import { type Adapter, type AdapterFactory, type AdapterPayload, errors, Provider } from 'oidc-provider';
import type { SealedRecords } from '../../vault/sealed-records.js';
import { pollsTooFast } from './device.js';
import { ENDED_SESSION } from './keys.js';
import { SIGN_IN_SECONDS, type SignInStates } from './sign-in-states.js';

/** Lifetime of the mark of a revoked grant, and of a record for which the library gives no time; in seconds. */
const MAX_SECONDS = 24 * 3600;
/** The kind of record that marks a grant as revoked. Tokens and codes of the grant are not found from then on. */
const REVOKED = 'revoked grant';

/**
 * Stores the provider's sessions, codes, grants and sign-ins. The provider's library makes an adapter for each model by
 * its name. All processes find them: they are sealed records in the vault or, before a sign-in has a result, in sealed
 * cookies.
 */
export const adapterOn =
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
        (model === 'Session' ? (states.putInRequest(id) ?? states.inCookie(id)) : null);
      if (payload?.grantId !== undefined && (await records.get(REVOKED, payload.grantId)) !== null)
        return undefined;
      // A request that began before the session ended may store the session again.
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
        // Two requests at the same time may both have found it unused: the second one fails.
        if (!isFirst) throw new errors.InvalidGrant('already consumed');
      },
      destroy: async (id) => {
        await records.remove(model, id);
        if (model === 'Session' && states.inCookie(id)) states.remove(id, 'device');
      },
      revokeByGrantId: (grantId) => records.put(REVOKED, grantId, true, MAX_SECONDS),
    };
  };

/**
 * Stores sign-ins under way: in a cookie until they have a result, then in the vault until the provider has read it.
 */
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
      states.putInRequest(id) ?? (await records.get<AdapterPayload>(kind, id)) ?? states.inCookie(id),
    destroy: async (id) => {
      await records.remove(kind, id);
      states.remove(id);
    },
    // The library does not call these for sign-ins.
    findByUid: async () => undefined,
    findByUserCode: async () => undefined,
    consume: async () => undefined,
    revokeByGrantId: async () => undefined,
  };
};
