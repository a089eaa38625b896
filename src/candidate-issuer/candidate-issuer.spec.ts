import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { SignIn } from '../../test/support/candidate-sign-in.js';
import { MemoryVault } from '../../test/support/memory-vault.js';
import { RateLimits } from '../api/http/rate-limits.js';
import { type CandidateIssuer, createCandidateIssuer } from './candidate-issuer.js';

const INVITED = 'carol@example.org';
/** So long a mail keeps the process from anything else, as a slow handshake does. */
const BUSY_MS = 60;

let server: Server;
let issuer: CandidateIssuer;
const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

const open = async (vault = new MemoryVault()): Promise<string> => {
  server = createServer((request, response) => issuer.handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const mailer = {
    send: async () => {
      // In the turn in which the next page is answered.
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const until = performance.now() + BUSY_MS; performance.now() < until;);
    },
  };
  issuer = createCandidateIssuer({
    ...{ publicUrl, vault, mailer, trustedProxies: [] },
    isInvited: async (email) => email === INVITED,
    isInvitation: async () => false,
    limits: new RateLimits(false),
    codeLimits: { per15Minutes: 100, perDay: 100 },
    log: { warn: () => undefined, error: () => undefined },
  });
  close.push(async () => {
    await issuer.stop();
    await new Promise((resolve) => server.close(resolve));
  });
  return issuer.issuerUrl;
};

describe('what tells invited addresses from unknown ones', () => {
  it('is no answer’s time, of the code’s page and of all that may follow it', async () => {
    const url = await open();
    const stepsOf = async (send: () => Promise<Response>): Promise<number> => {
      const started = performance.now();
      await (await send()).text();
      return (performance.now() - started) / 200;
    };
    for (const email of [INVITED, 'nobody@example.org']) {
      const next: readonly [string, (signIn: SignIn) => Promise<Response>][] = [
        ['page', (signIn) => signIn.page()],
        ['wrong code', (signIn) => signIn.enter('00000000')],
        ['half a code', (signIn) => signIn.enter('123')],
        ['another address', (signIn) => signIn.step('change')],
        ['no address', (signIn) => signIn.ask('nobody')],
        ['another code', (signIn) => signIn.step('again')],
      ];
      for (const [name, send] of next) {
        const signIn = await SignIn.begin(url);
        expect((await signIn.ask(email)).status).toBe(303);
        const steps = await stepsOf(() => send(signIn));
        expect([email, name, steps >= 1 && steps < 2]).toEqual([email, name, true]);
        if (name === 'another address') expect(await stepsOf(() => signIn.page())).toBeGreaterThanOrEqual(1);
      }
    }
  }, 60_000);
});

describe('a form', () => {
  it('of another site signs nobody in or out, and one whose origin is hidden only by the browser’s word', async () => {
    const url = await open();
    const { origin } = new URL(url);
    const signIn = await SignIn.begin(url);
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
      const form = { step: 'email', email: INVITED };
      return (await signIn.browser.go(path, form, headers)).status;
    };
    for (const path of [signIn.path, '/candidate/sign-out']) {
      for (const headers of [
        { origin: 'https://evil.example' },
        { origin: origin.replace('127.0.0.1', '127.0.0.2') },
        { origin: `${origin}0` },
        { origin: 'null' },
        { origin: 'null', 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'cross-site' },
      ])
        expect([path, headers, await statusOf(path, headers)]).toEqual([path, headers, 403]);
    }
    expect(await statusOf(signIn.path, { origin })).toBe(303);
    expect(await statusOf('/candidate/sign-out', { origin: 'null', 'sec-fetch-site': 'same-origin' })).toBe(
      200,
    );
    // Programs name none.
    expect(await statusOf('/candidate/sign-out', {})).toBe(200);
    expect((await signIn.page()).headers.get('referrer-policy')).toBe('same-origin');
  });
});
