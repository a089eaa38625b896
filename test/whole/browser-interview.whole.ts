import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { FaultProxy } from '../support/fault-proxy.js';
import { babble } from '../support/interviewee.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { HASHING, hashOf } from './moving-candidate.js';

/** The origin that serves the candidate's page. */
interface PageServer {
  readonly origin: string;
  close(): Promise<void>;
}

const PAGE = resolve('test/whole/browser-interview.html');
/** The compiled modules of the client and the protocol, as a page imports them. */
const MODULE = /^\/packages\/interview-client\/src\/(protocol\/)?[a-z-]+\.js$/;

/** @param speechOf the PCM that the page speaks in a turn */
const servePage = async (speechOf: (turn: number) => Uint8Array): Promise<PageServer> => {
  const answer = async (path: string): Promise<readonly [type: string, body: Uint8Array] | null> => {
    if (path === '/') return ['text/html', await readFile(PAGE)];
    if (MODULE.test(path)) return ['text/javascript', await readFile(resolve(`dist${path}`))];
    const turn = /^\/speech\/(\d+)$/.exec(path)?.[1];
    return turn === undefined ? null : ['application/octet-stream', speechOf(Number(turn))];
  };
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(
      (found) => {
        if (found) response.writeHead(200, { 'content-type': found[0] }).end(found[1]);
        else response.writeHead(404).end();
      },
      () => response.writeHead(500).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

const WAIT_LIMIT_MS = 60_000;
/** Three seconds of noise: long enough for a cut during it. */
const SPEAKING = { SYNTHESISER: 'command', SYNTHESISER_COMMAND: 'head -c 96000 /dev/urandom' };
const speechOf = (turn: number): Buffer => babble(3_000, 40 + turn);

interface Evaluation {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly { readonly text: string; readonly answer: string | null }[];
  };
}

// Without a browser the suite is skipped, which `.ci/run` reports.
(browserPath === undefined ? describe.skip : describe)('an interview in a browser', () => {
  let stage: Stage;
  let proxy: FaultProxy;
  let browser: Browser;
  let allowed: PageServer;
  let page: Page;
  /** Errors that the page did not catch, and those that the browser reports. */
  let faults: string[];
  let complaints: string[];

  beforeAll(async () => {
    allowed = await servePage(speechOf);
    stage = await openStage({ ...HASHING, ...SPEAKING, ALLOWED_ORIGINS: allowed.origin });
    proxy = await FaultProxy.open(stage.service.port);
    browser = await openBrowser(WAIT_LIMIT_MS);
  });
  afterAll(async () => {
    await browser.close();
    await proxy.close();
    await stage.close();
    await allowed.close();
  });

  beforeEach(async () => {
    [faults, complaints] = [[], []];
    page = await browser.context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
  });
  afterEach(async () => {
    await page.close();
    expect(faults).toEqual([]);
  });

  const started = async (): Promise<Candidate> => {
    const dimensions = ['Correct', 'Tested', 'Clear', 'Careful'].map((name) => ({
      name,
      weight: 10,
      category: 'correctness',
    }));
    const role = { name: 'Browsing engineer', overallThreshold: 50, dimensions };
    return stage.started((await stage.owner.post<{ id: string }>(stage.at('/roles'), role)).body.id);
  };

  const openPage = async (
    { origin }: PageServer,
    { sessionId, person }: Candidate,
    giveUpAfterMs: number,
  ): Promise<void> => {
    const settings = {
      service: `http://127.0.0.1:${proxy.port}`,
      session: sessionId,
      token: person.token,
      giveUpAfterMs: `${giveUpAfterMs}`,
    };
    await page.goto(`${origin}/#${new URLSearchParams(settings).toString()}`);
  };

  const textOf = (id: string): Promise<string> => page.locator(id).innerText();
  const type = async (text: string): Promise<void> => {
    await page.getByLabel('Your answer').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const speak = () => page.getByRole('button', { name: 'Speak' }).click();
  const connectionIs = (state: string) =>
    page.locator('#state', { hasText: new RegExp(`^${state}$`) }).waitFor();

  /** Waits for the evaluation of an interview that has just ended. */
  const evaluationOf = ({ sessionId }: Candidate): Promise<Evaluation> =>
    eventually(async () => {
      const { body } = await stage.owner.get<{ items: { id: string; trialSessionId: string }[] }>(
        stage.at('/evaluations'),
      );
      const found = body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
      if (!found) return null;
      const one = await stage.owner.get<Evaluation>(stage.at(`/evaluations/${found.id}`));
      return one.body.status === 'ready' && one.body;
    });

  /** Faults of the connection while the page sends. */
  const troubles: Readonly<Record<number, () => Promise<void>>> = {
    1: async () => {
      // The service has the answer, but the page gets no acknowledgement.
      const cut = proxy.resetAfter(0, {
        direction: 'down',
        when: (bytes) => bytes.includes('"type":"ack"'),
      });
      await type('I read the failing test first, and then the parser it was about.');
      await cut;
    },
    2: async () => {
      await speak();
      await sleep(1_300);
      proxy.reset();
    },
    3: async () => {
      await browser.context.setOffline(true);
      proxy.reset();
      await connectionIs('reconnecting');
      await type('Typed while there was no network at all, in the 3rd file: tokens.ts.');
      await sleep(700);
      await browser.context.setOffline(false);
    },
    4: async () => {
      await speak();
      await sleep(900);
      await browser.context.setOffline(true);
      proxy.reset();
      await connectionIs('reconnecting');
      await sleep(800);
      await browser.context.setOffline(false);
    },
    5: async () => {
      await page.locator('#heard', { hasText: /^5: [5-9]\d\d$/ }).waitFor();
      await page.getByRole('button', { name: 'Stop the interviewer' }).click();
      await page.locator('#interrupted-5', { hasText: /^Cut off after (\d\d\d|1\d\d\d) ms/ }).waitFor();
      await type('Stopped you there, since I know this one: 12 ms with the index.');
    },
  };

  it('is typed and spoken over a line that breaks, and its evaluation holds it all', async () => {
    const candidate = await started();
    await openPage(allowed, candidate, WAIT_LIMIT_MS);
    const said: [question: string, answer: string, source: string][] = [];
    const over = page.locator('#end', { hasText: 'The interview is over: finished.' });
    for (let turn = 1; ; turn++) {
      await over
        .or(page.locator(`#question-${turn}`))
        .first()
        .waitFor();
      if (await over.isVisible()) break;
      await (troubles[turn] ?? speak)();
      const answer = page.locator(`#answer-${turn}`);
      await answer.waitFor();
      said.push([
        await textOf(`#question-${turn}`),
        await answer.innerText(),
        (await answer.getAttribute('data-source')) ?? '',
      ]);
    }
    await connectionIs('ended: completed');

    expect(said.length).toBeGreaterThanOrEqual(6);
    for (const [index, [, answer, source]] of said.entries()) {
      const turn = index + 1;
      if ([1, 3, 5].includes(turn)) expect(source).toBe('typed');
      else expect([answer, source]).toEqual([hashOf(speechOf(turn)), 'transcribed']);
    }
    expect(said[0]?.[1]).toBe('I read the failing test first, and then the parser it was about.');
    expect(await page.locator('#problems li').allInnerTexts()).toEqual([]);
    expect(Number(await textOf('#sessions'))).toBe(5);
    const { evidence } = await evaluationOf(candidate);
    expect(evidence.questions.map(({ text, answer }) => [text, answer])).toEqual(
      said.map(([question, answer]) => [question, answer]),
    );
  });

  it('is refused to a page of another origin, whose browser says 403', async () => {
    const candidate = await started();
    const foreign = await servePage(speechOf);
    try {
      await openPage(foreign, candidate, 2_000);
      await connectionIs('ended: unreachable');
    } finally {
      await foreign.close();
    }
    expect(await textOf('#sessions')).toBe('0');
    expect(complaints.filter((complaint) => complaint.includes('Unexpected response code: 403'))).not.toEqual(
      [],
    );
    await openPage(allowed, candidate, WAIT_LIMIT_MS);
    await page.locator('#question-1').waitFor();
  });
});
