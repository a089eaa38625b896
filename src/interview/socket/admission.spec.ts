import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { refuse } from '../../core/decider.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { SessionCode } from '../../domain/session/decider.js';
import { ApiError } from '../../http/api-error.js';
import { RateLimits } from '../../http/rate-limits.js';
import type { Upgrade } from '../../http/upgrade.js';
import { Admission, type AdmissionOptions, ConnectionLimit, readSocketAddress } from './admission.js';

const SESSION = '0190b6a0-0000-7000-8000-000000000001';
const TOKEN = 'head.ada.signature';
const HEADERS = { 'sec-websocket-version': '13', 'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==' };
const OWN = { trialSessionId: SESSION } as ApplicationRef;

/** A connection that is not open on any network. */
const newSocket = (): Socket => new Socket();
const closed = async (socket: Socket): Promise<Socket> => {
  socket.destroy();
  await once(socket, 'close');
  return socket;
};

const openAdmission = (options: Partial<AdmissionOptions> = {}): Admission =>
  new Admission({
    idTokens: { verify: async () => ({ subject: 'ada' }) as never },
    ownSession: async (_, id) => (id === SESSION ? OWN : null),
    interviews: { refusal: async () => null },
    limits: new RateLimits(true),
    connections: new ConnectionLimit(100, 100),
    sending: { isFull: false },
    origins: new Set(['https://app.example.com']),
    deadlineMs: 10_000,
    ...options,
  });

/** What an upgrade is answered with: 101, or the error's status and code. */
const answerOf = async (
  admission: Admission,
  target = `/interrogation/${SESSION}/socket?token=${TOKEN}`,
): Promise<unknown> => {
  const request = { url: target, headers: HEADERS, ids: {} };
  try {
    await admission.admit({ request, socket: newSocket() } as unknown as Upgrade);
    return 101;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.code, error.message];
  }
};

describe('an upgrade', () => {
  const OTHER = `/interrogation/${SESSION.replace(/1$/, '2')}/socket?token=${TOKEN}`;

  it('to the session of a candidate who was erased a moment ago is answered as to one that does not exist', async () => {
    const interviews = {
      refusal: () => Promise.reject(new PersonErased('ada' as PersonId)),
    };
    const unknown = await answerOf(openAdmission(), OTHER);
    expect(unknown).toMatchObject([404, 'not_found', expect.any(String)]);
    expect(await answerOf(openAdmission({ interviews }))).toEqual(unknown);
  });

  it('fails by another fault of the session’s stream', async () => {
    const interviews = { refusal: () => Promise.reject(new Error('A fault.')) };
    await expect(answerOf(openAdmission({ interviews }))).rejects.toThrow('A fault.');
  });

  it('is refused as its session is, and then counts for no caller', async () => {
    let isEnded = true;
    const { refusal } = refuse<SessionCode>('session_ended', 'It has ended.');
    const interviews = { refusal: async () => (isEnded ? refusal : null) };
    const admission = openAdmission({ interviews, connections: new ConnectionLimit(100, 1) });
    expect(await answerOf(admission)).toMatchObject([409, 'session_ended', expect.any(String)]);
    isEnded = false;
    expect(await answerOf(admission)).toBe(101);
    expect(await answerOf(admission)).toMatchObject([429, 'rate_limited', expect.any(String)]);
  });

  it('is counted as a request of its caller, unless a gateway in front keeps the limits', async () => {
    const rates = { caller: 1 };
    const limited = openAdmission({ limits: new RateLimits(true, rates) });
    expect(await answerOf(limited)).toBe(101);
    expect(await answerOf(limited)).toMatchObject([429, 'rate_limited', expect.any(String)]);
    const free = openAdmission({ limits: new RateLimits(false, rates) });
    expect([await answerOf(free), await answerOf(free)]).toEqual([101, 101]);
  });

  it('is refused while too much waits to be sent, and past its deadline', async () => {
    const full = openAdmission({ sending: { isFull: true } });
    expect(await answerOf(full)).toMatchObject([503, 'unavailable', expect.any(String)]);
    const slow = openAdmission({ ownSession: () => new Promise(() => undefined), deadlineMs: 1 });
    expect(await answerOf(slow)).toMatchObject([503, 'unavailable', expect.any(String)]);
  });

  it('with more tokens than one has none, even if one of them is good', async () => {
    const twice = `/interrogation/${SESSION}/socket?token=${TOKEN}&token=${TOKEN}`;
    expect(await answerOf(openAdmission(), twice)).toMatchObject([401, 'missing_token', expect.any(String)]);
    expect(readSocketAddress(twice)).toEqual({ sessionId: SESSION, token: null });
  });
});

describe('the limit of connections', () => {
  it('is one for the process and one for each caller', () => {
    const limit = new ConnectionLimit(3, 2);
    const take = (subject: string | null) => limit.take(newSocket(), subject);
    expect([take('ada'), take('ada'), take('ada'), take('bob')]).toEqual([true, true, false, true]);
    expect([take(null), take(null), take(null), take(null)]).toEqual([true, true, true, false]);
  });

  it('has room again once a connection is closed, and never more than that', async () => {
    const limit = new ConnectionLimit(10, 2);
    const sockets = [newSocket(), newSocket()];
    for (const socket of sockets) limit.take(socket, 'ada');
    await closed(sockets[0]!);
    expect([1, 2].map(() => limit.take(newSocket(), 'ada'))).toEqual([true, false]);
  });

  it('counts no connection that is closed before it is counted: its end would not be noticed', async () => {
    const limit = new ConnectionLimit(10, 1);
    const gone = await closed(newSocket());
    expect([limit.take(gone, 'ada'), limit.take(newSocket(), 'ada')]).toEqual([true, true]);
  });
});
