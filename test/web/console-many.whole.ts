import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import pMap from 'p-map';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser-interview/browser.js';
import { eventually } from '../support/organisation.js';
import { openStage, type Stage } from '../support/stage.js';
import { heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeInBrowser } from './scene.js';
import { WAIT_LIMIT_MS } from './support.js';

const APPLICATIONS = 10_000;
const BATCH = 200;
const BATCHES_AT_ONCE = 4;
const MEASUREMENTS = 7;
/** What the page may take beyond the API's own answer, in milliseconds. It renders 50 rows, on a machine that is busy. */
const MAX_RENDERING_MS = 2_000;
/** The pages that are turned before the memory is first measured, and afterwards. */
const [FIRST_PAGES, FURTHER_PAGES] = [10, 40];
/** Each page that stayed in memory would add about as many bytes as its rows have. */
const MAX_BYTES_A_PAGE = 20_000;

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)]!;

describeInBrowser(`the console with ${APPLICATIONS} applications`, () => {
  let stage: Stage;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    stage = await openStage({ MAILS_PER_DAY: `${2 * APPLICATIONS}` });
    const role = await stage.role('Backend engineer');
    const batches = Array.from({ length: APPLICATIONS / BATCH }, (_, batch) =>
      Array.from({ length: BATCH }, (__, index) => ({
        candidateEmail: `candidate-${batch * BATCH + index}@example.org`,
        candidateName: `Candidate ${batch * BATCH + index}`,
      })),
    );
    await pMap(
      batches,
      async (invitations) => {
        const path = stage.at(`/roles/${role}/invitations/batch`);
        expect((await stage.owner.post(path, { invitations })).status).toBe(200);
      },
      { concurrency: BATCHES_AT_ONCE },
    );
    await eventually(async () => {
      const { body } = await stage.owner.get<{ status: { invited: number } }>(
        stage.at('/application-counts'),
      );
      return body.status.invited === APPLICATIONS;
    }, WAIT_LIMIT_MS);
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    browser = await openBrowser(WAIT_LIMIT_MS);
    page = await browser.context.newPage();
  });
  afterEach(() => browser.close());

  const rows = () => page.getByRole('row');
  const open = async (): Promise<void> => {
    await page.goto(`${stage.service.url}/console/${stage.org}/signal`);
    await signInAs(page, OWNER);
    await heading(page, 'Signal').waitFor();
  };

  it('shows the first rows about as soon as the API answers them', async () => {
    await open();
    const apiMs: number[] = [];
    const pageMs: number[] = [];
    for (let measured = 0; measured < MEASUREMENTS; measured++) {
      let began = performance.now();
      await stage.owner.get(stage.at('/applications?limit=50'));
      apiMs.push(performance.now() - began);
      began = performance.now();
      await page.getByRole('link', { name: 'Candidates', exact: true }).click();
      await rows().nth(50).waitFor();
      pageMs.push(performance.now() - began);
      await page.getByRole('link', { name: 'Signal', exact: true }).click();
      await heading(page, 'Signal').waitFor();
    }
    expect(median(pageMs)).toBeLessThan(median(apiMs) + MAX_RENDERING_MS);
  });

  it('takes no more memory with each page that is turned', async () => {
    const wrong = troubles(page);
    await open();
    await page.getByRole('link', { name: 'Candidates', exact: true }).click();
    const session = await page.context().newCDPSession(page);
    const usedBytes = async (): Promise<number> => {
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    };
    const turn = async (pages: number): Promise<void> => {
      for (let turned = 0; turned < pages; turned++) {
        const first = await rows().nth(1).innerText();
        await page.getByRole('link', { name: 'Next page' }).click();
        await rows()
          .nth(1)
          .filter({ hasNotText: first.split('\n')[0] ?? first })
          .waitFor();
      }
    };
    await rows().nth(50).waitFor();
    await turn(FIRST_PAGES);
    const before = await usedBytes();
    await turn(FURTHER_PAGES);
    expect((await usedBytes()) - before).toBeLessThan(FURTHER_PAGES * MAX_BYTES_A_PAGE);
    expect(wrong).toEqual([]);
  });
});
