import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import type { Page } from 'playwright-core';
import { type Language, PAGE_TEXTS, SIGN_IN_TEXTS } from '../../src/languages/languages.js';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import { mailedCode, outboxOf, overflow, question, wrongBy } from './support.js';

interface LossyProxy {
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  /** How many requests have got no answer. */
  hung(): number;
  /** The requests whose first answer was lost: method and path, each id as `*`. */
  readonly lost: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * Requests of a page's scripts. Requests for pages and forms are not lost: there the browser itself shows that an
 * answer is missing, and the user reloads.
 */
const isByScript = ({ headers }: IncomingMessage): boolean =>
  /Chrome/.test(headers['user-agent'] ?? '') &&
  (headers.upgrade !== undefined || headers['sec-fetch-dest'] === 'empty');

/** The kind of a request: the method and the path, each id as `*`. */
const kindOf = ({ method, url = '' }: IncomingMessage): string =>
  `${method} ${url.replace(/\?.*/, '').replace(/[0-9a-f-]{32,}/g, '*')}`;

/**
 * A reverse proxy that never answers one in so many of a page's requests, upgrades included. It also loses the first
 * answer of each kind of request, so that every kind is tested: the server has carried the request out, and the page
 * gets no answer.
 * @param target the server's port on 127.0.0.1; nothing needs to listen there yet
 */
const openLossyProxy = async (target: number, oneIn: number): Promise<LossyProxy> => {
  const port = await freePort();
  let seen = 0;
  let hung = 0;
  const lost = new Set<string>();
  const loses = (request: IncomingMessage): boolean => {
    if (!isByScript(request) || lost.has(kindOf(request))) return false;
    lost.add(kindOf(request));
    return true;
  };
  const hangs = (request: IncomingMessage): boolean => {
    // A file may take a minute: a hanging one would only make the test longer than a lost answer does.
    if (!isByScript(request) || request.url?.endsWith('/me/export')) return false;
    seen += 1;
    if (seen % oneIn !== 0) return false;
    hung += 1;
    return true;
  };
  const server = createServer((request, response) => {
    if (hangs(request)) return;
    const isLost = loses(request);
    const { method, url, headers } = request;
    const to = { host: '127.0.0.1', port: target, agent: false, method, path: url, headers };
    const passed = httpRequest(to, (answer) => {
      if (isLost) {
        answer.resume();
        // The head is sent: a browser repeats a request by itself if it gets no answer at all.
        response.writeHead(200, { 'Content-Length': 1 }).flushHeaders();
        response.socket?.destroySoon();
        return;
      }
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      pipeline(answer, response, () => undefined);
    });
    passed.on('error', () => response.destroy());
    pipeline(request, passed, () => undefined);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (hangs(request)) return;
    const passed = connect(target, '127.0.0.1', () => {
      const lines = [`${request.method} ${request.url} HTTP/1.1`];
      for (let at = 0; at < request.rawHeaders.length; at += 2)
        lines.push(`${request.rawHeaders[at]}: ${request.rawHeaders[at + 1]}`);
      passed.write(`${lines.join('\r\n')}\r\n\r\n`);
      passed.write(head);
      pipeline(socket, passed, socket, () => undefined);
    });
    passed.on('error', () => socket.destroy());
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}`,
    hung: () => hung,
    lost,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};

/** The page ends a request that hangs after ten seconds, and tries again. */
const WAIT_LIMIT_MS = 90_000;
const ONE_IN = 10;
const AHEAD_MS = 2 * 3_600_000;
const PHONE = { width: 360, height: 740 };

const SPOKEN: Readonly<Record<Language, string>> = {
  en: 'I moved the parser behind its own interface, and I wrote two failing tests first.',
  de: 'Ich habe den Parser hinter eine eigene Schnittstelle gelegt und zuerst zwei Tests geschrieben.',
};
/** A transcriber whose text is the number of bytes of its PCM. */
const TRANSCRIBER_COMMAND = 'echo "I was heard: $(wc -c) bytes, in 2 tests."';

interface Export {
  readonly organisations: readonly {
    readonly applications: readonly {
      readonly evidence: {
        readonly events: readonly {
          readonly eventType: string;
          readonly payload: Readonly<Record<string, unknown>>;
          readonly occurredAt: string;
          readonly recordedAt: string;
        }[];
      };
    }[];
  }[];
}

describeInBrowser(
  'from the mail to the receipt on a phone whose clock is two hours ahead, behind a proxy that hangs one request in ten and loses the first answer of each kind',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'assay-wild-'));
    const voice = join(folder, 'voice.wav');
    let proxy: LossyProxy;
    let stage: Stage;
    let role: string;
    let browser: Browser;

    beforeAll(async () => {
      execFileSync('espeak-ng', ['-w', voice, SPOKEN.en]);
      const port = await freePort();
      proxy = await openLossyProxy(port, ONE_IN);
      stage = await openStage({
        PORT: `${port}`,
        PUBLIC_URL: proxy.url,
        TRANSCRIBER: 'command',
        TRANSCRIBER_COMMAND,
      });
      role = await stage.role('Backend engineer (m/w/d)');
      browser = await openBrowser(WAIT_LIMIT_MS, [
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${voice}`,
        '--autoplay-policy=no-user-gesture-required',
      ]);
      await browser.context.grantPermissions(['microphone']);
    });
    afterAll(async () => {
      await browser.close();
      await stage.close();
      await proxy.close();
      rmSync(folder, { recursive: true });
    });

    const invited = async (language: Language): Promise<string> => {
      const email = `wild-${language}-${Date.now()}@example.org`;
      await stage.owner.post(stage.at(`/roles/${role}/invitations`), { candidateEmail: email, language });
      return email;
    };

    /** Answers the open question, by keyboard or by voice. */
    const reply = async (page: Page, language: Language, by: 'keyboard' | 'voice'): Promise<void> => {
      const t = PAGE_TEXTS[language];
      if (by === 'keyboard') {
        await page.getByRole('textbox', { name: t.room.answerLabel }).fill(SPOKEN[language]);
        await page.keyboard.press('Control+Enter');
        return;
      }
      const microphone = page.getByRole('button', { name: t.room.microphoneOn });
      if (await microphone.isVisible()) await microphone.click();
      await page.getByRole('meter').waitFor();
      await page.waitForTimeout(3_000);
      await page.getByRole('button', { name: t.room.spoken }).click();
    };

    it.each([
      ['en', 'voice'],
      ['de', 'keyboard'],
    ] as const)('leads to the end in %s by %s, and nothing is lost', async (language, by) => {
      const t = PAGE_TEXTS[language];
      const signIn = SIGN_IN_TEXTS[language];
      const hung = proxy.hung();
      await browser.context.clearCookies();
      const page = await browser.context.newPage();
      await page.addInitScript(wrongBy(AHEAD_MS));
      await page.setViewportSize(PHONE);

      const email = await invited(language);
      const [mail] = await eventually(async () => {
        const mails = await outboxOf(stage, email);
        return mails.length > 0 ? mails : undefined;
      });
      const link = /http\S+\/apply\/\S+/.exec(mail!.text)?.[0];
      await page.goto(link!);
      await page.evaluate('localStorage.clear(); sessionStorage.clear()');
      await page.reload();
      await page.locator('header select').selectOption(language);
      await page.getByRole('button', { name: t.signIn.button }).click();
      await page.getByLabel(signIn.email).fill(email);
      await page.getByRole('button', { name: signIn.sendCode }).click();
      await page.getByLabel(signIn.code).fill(await mailedCode(stage, email));
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox').check();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: t.before.start }).click();
      await page.getByRole('heading', { level: 1, name: t.work.title }).waitFor();
      await page.getByRole('button', { name: t.work.start }).click();
      await page.getByRole('button', { name: t.work.finish }).click();
      await page.getByRole('button', { name: t.work.reopen }).waitFor();
      await page.getByRole('button', { name: t.work.toRoom }).click();
      await page.getByRole('button', { name: t.work.confirm }).click();

      const over = page.getByRole('heading', { level: 1, name: t.after.completed.title });
      await question(page).waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      let replies = 0;
      while (!(await over.isVisible())) {
        const asked = await question(page).innerText();
        await reply(page, language, by);
        replies += 1;
        await question(page).filter({ hasNotText: asked }).or(over).first().waitFor();
      }
      await over.waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: t.after.export }).click();
      const stream = await (await download).createReadStream();
      const pieces: Buffer[] = [];
      for await (const piece of stream) pieces.push(piece as Buffer);
      const data = JSON.parse(Buffer.concat(pieces).toString()) as Export;
      await page.close();

      const { events } = data.organisations[0]!.applications.at(-1)!.evidence;
      const answers = events.filter(({ eventType }) => eventType === 'interview.answer_recorded');
      expect(answers.filter(({ payload }) => payload['late'] === false)).toHaveLength(replies);
      for (const { payload } of answers)
        expect(payload['text']).toMatch(by === 'voice' ? /I was heard: \d+ bytes/ : /Parser|parser/);
      for (const type of ['ticket.started', 'ticket.finished'])
        expect(events.filter(({ eventType }) => eventType === type)).toHaveLength(1);
      // The device's clock is no evidence of when something was done.
      for (const { occurredAt, recordedAt } of events)
        expect(Date.parse(occurredAt)).toBeLessThan(Date.parse(recordedAt) + 60_000);
      expect(proxy.hung()).toBeGreaterThan(hung);
      expect([...proxy.lost]).toEqual(
        expect.arrayContaining([
          'GET /candidate/.well-known/openid-configuration',
          'POST /candidate/token',
          'POST /trial-sessions/*/start',
          'POST /trial-sessions/*/activity',
        ]),
      );
    });
  },
);
