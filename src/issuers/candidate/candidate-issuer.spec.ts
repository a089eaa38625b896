import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { connect } from 'node:net';
import { SignIn } from '../../../test/support/candidate-sign-in.js';
import { serveRoutes } from '../../../test/support/issuer-server.js';
import { MemoryVault } from '../../../test/support/memory-vault.js';
import { RateLimits } from '../../http/rate-limits.js';
import type { Logger } from '../../process/log.js';
import { type CandidateIssuerOptions, createCandidateIssuer, issuerUrlOf } from './candidate-issuer.js';

const INVITED = 'carol@example.org';
/** So long a mail keeps the process from anything else, as a slow handshake does. */
const BUSY_MS = 60;

const close: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const one of close.splice(0)) await one();
});

const open = async (
  vault = new MemoryVault(),
  more: Partial<CandidateIssuerOptions> = {},
): Promise<string> => {
  const mailer = {
    send: async () => {
      // In the turn in which the next page is answered.
      await new Promise((resolve) => setTimeout(resolve, 5));
      for (const until = performance.now() + BUSY_MS; performance.now() < until;);
    },
  };
  const issuerAt = (publicUrl: string) =>
    createCandidateIssuer({
      ...{ publicUrl, vault, mailer, outboxUrl: null },
      isInvited: async (email) => email === INVITED,
      isInvitation: async () => false,
      limits: new RateLimits(false),
      codeLimits: { per15Minutes: 100, perDay: 100 },
      log: { warn: () => undefined, error: () => undefined },
      timekeeper: { nowIfTrusted: () => Promise.resolve(new Date()) },
      ...more,
    });
  const server = await serveRoutes(
    (url) => {
      const issuer = issuerAt(url);
      close.push(() => issuer.stop());
      return issuer.routes;
    },
    more.log as Logger | undefined,
  );
  close.push(() => server.stop());
  return issuerUrlOf(server.url);
};

describe('the page that asks for the code', () => {
  it.each([
    [null, 'Check your spam folder'],
    ['http://127.0.0.1:3000/outbox', '<a href="http://127.0.0.1:3000/outbox" target="_blank"'],
  ])('says where to look for it, with the outbox %s', async (outboxUrl, expected) => {
    const signIn = await SignIn.begin(await open(new MemoryVault(), { outboxUrl }));
    await signIn.ask(INVITED);
    expect(await (await signIn.page()).text()).toContain(expected);
  });
});

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
        expect([email, name, steps >= 1]).toEqual([email, name, true]);
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

describe('a page that a person stays on', () => {
  const limits = () =>
    Object.assign(new RateLimits(true), {
      count: async (rate: string) => {
        const exceeded = rate === 'signInForm';
        return { exceeded, remaining: 0, resetSeconds: 60, limit: 1 };
      },
    });
  /** Sends a form; its page says the same again when it is loaded again. @returns the page */
  const sent = async (
    signIn: SignIn,
    form: Record<string, string>,
    path = signIn.path,
  ): Promise<readonly [status: number, html: string]> => {
    const { redirect, shown } = await signIn.browser.sendAndReload(path, form);
    expect(redirect).toEqual([303, `${path}?sent`]);
    expect(shown[1]).toEqual(shown[0]);
    return [shown[0]!.status, shown[0]!.html];
  };

  it('is no answer to a POST, which the browser would send again: each form redirects to its page', async () => {
    const signIn = await SignIn.begin(await open());
    const [wrong, html] = await sent(signIn, { step: 'email', email: 'nobody', form: '0' });
    expect([wrong, html]).toEqual([400, expect.stringContaining('value="nobody"')]);
    const [, cut] = await sent(signIn, { step: 'email', email: `"${'\u0001'.repeat(4_000)}` });
    expect(cut).toContain('role="alert"');
    expect(await sent(signIn, { step: 'code', code: '12345678' })).toEqual([
      400,
      expect.stringContaining('expired'),
    ]);
    await signIn.ask(INVITED);
    for (const [left, code] of ['00000000', '11111111'].entries())
      expect(await sent(signIn, { step: 'code', code })).toEqual([
        400,
        expect.stringMatching(`name="code"[^]*Incorrect code. ${4 - left} attempts left.`),
      ]);
    expect((await sent(signIn, { step: 'code', code: '12' }))[1]).toContain('Enter the 8 digits');
    // The address is asked for, although a code is waited for.
    expect((await sent(signIn, { step: 'email', email: 'nobody' }))[1]).toMatch(
      /name="email"[^>]*value="nobody"/,
    );
    const opened = await signIn.page();
    expect([opened.status, await opened.text()]).toEqual([200, expect.not.stringContaining('role="alert"')]);
    const other = await SignIn.begin(await open());
    expect((await sent(other, { step: 'code', code: '12' }, signIn.path))[1]).toContain('has ended');
    expect(await sent(signIn, {}, '/candidate/sign-out')).toEqual([
      200,
      expect.stringContaining('signed out'),
    ]);
    await signIn.browser.go('/candidate/device');
    const page = await (await signIn.browser.go('/candidate/device')).text();
    const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)![1]!;
    const code = { xsrf, user_code: 'BBBB-BBBB', confirm: 'yes' };
    expect(await sent(signIn, code, '/candidate/device')).toEqual([
      400,
      expect.stringContaining('This code is wrong or has expired'),
    ]);
  });

  it('is no answer to a POST if too many were sent: it keeps the form, and the rest of the time', async () => {
    const signIn = await SignIn.begin(await open(new MemoryVault(), { limits: limits() }));
    const form = { step: 'email', email: INVITED };
    expect(await sent(signIn, form)).toEqual([
      429,
      expect.stringMatching(`value="${INVITED}"[^]*Try again in 1 minute`),
    ]);
    expect((await signIn.ask(INVITED)).headers.get('retry-after')).toMatch(/^(60|59)$/);
    const [status, html] = await sent(signIn, { user_code: 'BBBB-BBBB' }, '/candidate/device');
    expect([status, html]).toEqual([429, expect.stringContaining('href="/candidate/device"')]);
  });

  it('is the answer to a POST for programs alone, which are told that they are signed out', async () => {
    const url = await open();
    const told = await fetch(`${url}/sign-out`, { method: 'POST', redirect: 'manual' });
    expect(told.status).toBe(200);
  });

  it('says what its own browser sent alone', async () => {
    const url = await open();
    const [mine, theirs] = [await SignIn.begin(url), await SignIn.begin(url)];
    await sent(mine, { step: 'email', email: 'my-typo' });
    const theirPage = await (await theirs.browser.go(`${theirs.path}?sent`)).text();
    expect(theirPage).not.toMatch(/my-typo|role="alert"/);
    const answer = /form_answer=[^;]+/.exec(mine.browser.cookiesFor(mine.path))![0];
    expect(answer).not.toContain('typo');
    const cookie = `${theirs.browser.cookiesFor(theirs.path)}; ${answer}`;
    const stolen = await fetch(new URL(`${theirs.path}?sent`, url), { headers: { cookie } });
    expect([stolen.status, await stolen.text()]).toEqual([200, expect.not.stringContaining('my-typo')]);
  });
});

describe('what an anonymous caller leaves behind', () => {
  const bytesIn = (vault: MemoryVault): number => JSON.stringify([...vault.passing]).length;

  it('is nothing by opening pages: the browser keeps the sign-in until the right code was entered', async () => {
    const vault = new MemoryVault();
    const url = await open(vault);
    await SignIn.begin(url);
    const before = bytesIn(vault);
    for (let times = 0; times < 20; times++) {
      const signIn = await SignIn.begin(url, { state: 'x'.repeat(400) });
      expect((await signIn.page()).status).toBe(200);
      expect((await signIn.enter('12345678')).status).toBe(400);
    }
    expect(bytesIn(vault)).toBe(before);
    const signIn = await SignIn.begin(url);
    await signIn.ask('nobody@example.org');
    // The code's own record and the address's count.
    expect(bytesIn(vault)).toBeLessThan(before + 1_500);
  });

  it('is refused where it is more than the page needs', async () => {
    const vault = new MemoryVault();
    const url = await open(vault);
    await SignIn.begin(url);
    const before = bytesIn(vault);
    const fits = await fetch(`${url}/auth?state=${'x'.repeat(1_000)}`, { redirect: 'manual' });
    await fits.text();
    for (const query of [`state=${'x'.repeat(1_500)}`, `nonce=${'%C3%A4'.repeat(250)}`, 'state=%00%1f']) {
      const reply = await fetch(`${url}/auth?${query}`, { redirect: 'manual' });
      expect([query.slice(0, 20), reply.status]).toEqual([query.slice(0, 20), 400]);
    }
    const posted = await fetch(`${url}/auth`, { method: 'POST', body: new URLSearchParams({ state: 'x' }) });
    expect(posted.status).toBe(400);
    expect(bytesIn(vault)).toBe(before);
  });

  it('fits a cookie at its largest', async () => {
    const url = await open();
    const signIn = await SignIn.begin(url, {
      state: '"'.repeat(230),
      login_hint: `${'x'.repeat(240)}@x.org`,
    });
    expect(signIn.path).toMatch(/^\/candidate\/sign-in\//);
    const state = signIn.browser
      .cookiesFor(signIn.path)
      .split('; ')
      .find((one) => one.startsWith('candidate_state'));
    expect(state!.length).toBeGreaterThan(1_000);
    expect(state!.length).toBeLessThan(4_000);
    expect((await signIn.page()).status).toBe(200);
  });

  it('ends after ten minutes, unless an address was entered', async () => {
    let later = 0;
    const url = await open(new MemoryVault(), { now: () => Date.now() + later });
    const [begun, entered] = [await SignIn.begin(url), await SignIn.begin(url)];
    await entered.ask('nobody@example.org');
    later = 9.9 * 60_000;
    expect((await begun.page()).status).toBe(200);
    later = 10.1 * 60_000;
    expect((await begun.page()).status).toBe(400);
    expect((await entered.page()).status).toBe(200);
    later = 59 * 60_000;
    expect((await entered.ask('nobody@example.org')).status).toBe(303);
  });

  it('is in a cookie that opens for its own sign-in alone, and not once it was changed', async () => {
    const url = await open();
    const [one, other] = [await SignIn.begin(url), await SignIn.begin(url)];
    const cookies = one.browser.cookiesFor(one.path);
    const value = /candidate_state=([^;]+)/.exec(cookies)![1]!;
    const foreign = /candidate_state=([^;]+)/.exec(other.browser.cookiesFor(other.path))![1]!;
    const flipped = `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`;
    for (const [state, status] of [
      [value, 200],
      [foreign, 400],
      [flipped, 400],
      ['AA', 400],
      ['', 400],
    ] as const) {
      const headers = { cookie: cookies.replace(value, state) };
      expect([state.slice(0, 8), (await fetch(new URL(one.path, url), { headers })).status]).toEqual([
        state.slice(0, 8),
        status,
      ]);
    }
  });

  it('is bounded for all together, whatever the addresses and the processes are', async () => {
    const codeLimits = { per15Minutes: 5, perDay: 20, ofAll: 3 };
    const vault = new MemoryVault();
    const statuses: number[] = [];
    for (const process of [1, 2]) {
      const url = await open(vault, { codeLimits });
      for (let n = 0; n < 2; n++)
        statuses.push((await (await SignIn.begin(url)).ask(`n${process}${n}@example.org`)).status);
    }
    expect(statuses).toEqual([303, 303, 303, 429]);
  });

  it('is removed by a clock that is believed alone: what is left counts again once it is right', async () => {
    jest.useFakeTimers({
      doNotFake: ['performance', 'setTimeout', 'clearTimeout', 'setImmediate', 'queueMicrotask', 'nextTick'],
    });
    try {
      let believed = false;
      const swept: boolean[] = [];
      const vault = new MemoryVault();
      const shortLived = { ...vault.shortLived, sweep: async () => swept.push(believed) };
      const timekeeper = { nowIfTrusted: async () => (believed ? new Date() : null) };
      await open(Object.assign(vault, { shortLived }), { timekeeper });
      await jest.advanceTimersByTimeAsync(11 * 60_000);
      believed = true;
      await jest.advanceTimersByTimeAsync(10 * 60_000);
      expect(swept).toEqual([true]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('a form that is broken off', () => {
  it('is no fault: nothing is logged', async () => {
    const logged: unknown[] = [];
    const printed = jest.spyOn(console, 'error').mockImplementation((line) => void logged.push(line));
    const error = (entry: unknown): void => void logged.push(entry);
    const url = await open(new MemoryVault(), {
      log: { warn: error, error, isLevelEnabled: () => false } as unknown as Logger,
    });
    const signIn = await SignIn.begin(url);
    const { port, host } = new URL(url);
    for (const path of [signIn.path, '/candidate/token']) {
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        [
          `POST ${path} HTTP/1.1`,
          `Host: ${host}`,
          `Cookie: ${signIn.browser.cookiesFor(path)}`,
          'Content-Type: application/x-www-form-urlencoded',
          'Content-Length: 1000',
          '',
          'step=email&email=',
        ].join('\r\n'),
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    printed.mockRestore();
    expect(logged).toEqual([]);
  });
});
