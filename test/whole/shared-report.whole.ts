import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { LOGO } from '../support/organisation.js';
import { type Evaluated, evaluated, type NewLink } from '../support/shared-report.js';
import { openStage, type Stage } from '../support/stage.js';

const run = promisify(execFile);

let stage: Stage;
let shared: Evaluated;

beforeAll(async () => {
  stage = await openStage();
  shared = await evaluated(stage, await stage.role('Backend <b>engineer</b>'));
});
afterAll(() => stage.close());

/** A link to the report. */
const share = async (label: string | null = null): Promise<NewLink> =>
  (await stage.owner.post<NewLink>(`${shared.evaluation}/share-links`, { label })).body;

// Without a browser the suite is skipped, which `.ci/run` reports.
(browserPath === undefined ? describe.skip : describe)('a shared report in a browser', () => {
  let browser: Browser;
  let page: Page;
  let link: NewLink;
  const complaints: string[] = [];
  const requested: string[] = [];

  beforeAll(async () => {
    link = await share();
    browser = await openBrowser(60_000);
    page = await browser.context.newPage();
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('request', (request) => requested.push(request.url()));
  });
  afterAll(() => browser.close());

  /** How much of a bar is filled, in per cent. */
  const drawn = async (bar: number): Promise<number> => {
    const rectangles = page.locator('.bar').nth(bar).locator('rect');
    const [track, score] = await Promise.all([
      rectangles.first().boundingBox(),
      rectangles.last().boundingBox(),
    ]);
    return Math.round((100 * (score?.width ?? 0)) / (track?.width ?? 1));
  };

  it.each([
    ['on a desk', 1_280],
    ['on a phone', 360],
  ])('%s is shown in full, in its own style, and loads nothing', async (_, width) => {
    await page.setViewportSize({ width, height: 800 });
    requested.length = 0;
    await page.goto(link.url);
    await page.getByRole('heading', { name: 'Backend <b>engineer</b>' }).waitFor();
    await page.getByRole('img', { name: /^Overall score \d+ of 100$/ }).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(2);
    const figures = (await page.locator('.figure').allTextContents()).map(Number);
    expect(await Promise.all(figures.map((_, bar) => drawn(bar)))).toEqual(figures);
    const [wide, fill] = await page.evaluate<[number, string]>(`[
      document.documentElement.scrollWidth - innerWidth,
      getComputedStyle(document.querySelector('.bar .score')).fill,
    ]`);
    expect(wide).toBeLessThanOrEqual(0);
    // Black is the default colour: then the page's policy has blocked its style.
    expect(fill).not.toBe('rgb(0, 0, 0)');
    expect(requested).toEqual([link.url]);
    expect(complaints).toEqual([]);
  });
});

// Without Poppler the suite is skipped, which `.ci/run` reports.
(spawnSync('pdftotext', ['-v']).error ? describe.skip : describe)('a shared report as a PDF', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-pdf-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** The output of a program of Poppler for the PDF of a link. */
  const said = async (program: string, { url }: NewLink, ...rest: readonly string[]): Promise<string> => {
    const reply = await fetch(`${url}/report.pdf`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    const file = join(folder, 'report.pdf');
    await writeFile(file, Buffer.from(await reply.arrayBuffer()));
    return (await run(program, [file, ...rest])).stdout;
  };

  /** Marks of a text's direction, which `pdftotext` adds around a text that it has reversed. */
  const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

  it.each([
    ['Latin', 'Zażółć gęślą jaźń – Œuvre & Größe “Q3”'],
    ['Cyrillic', 'Инженер-программист: проверка качества'],
    ['Greek', 'Μηχανικός λογισμικού: ποιότητα'],
    ['Arabic', 'مهندس برمجيات أول في جودة الاختبارات'],
    ['Hebrew', 'מהנדס תוכנה בכיר לאיכות הקוד'],
    ['the markup of pages and of PDFs', `<b onclick="x">'&amp;</b> ) Tj (\\) /JS <<>> [%]{}`],
    ['Chinese', '高级后端工程师：代码质量，程式碼品質'],
  ])('has a text in %s that can be read out again, letter by letter', async (_, label) => {
    const text = (await said('pdftotext', await share(label), '-')).replace(DIRECTIONS, '');
    expect(text).toContain(label);
    expect(text).toContain('Backend <b>engineer</b>');
  });

  it('has the fonts that it needs, in part, and the organisation’s logo', async () => {
    const link = await share('Для команды');
    const fonts = (await said('pdffonts', link)).trim().split('\n').slice(2);
    // Regular and bold. The last columns: embedded, a subset, with Unicode map, and the object's id.
    expect(fonts).toHaveLength(2);
    for (const font of fonts) expect(font).toMatch(/NotoSans\S* .* yes +yes +yes +\d+ +\d+$/);

    await stage.owner.put(stage.at('/logo'), { data: LOGO });
    // A link has no consistency token: wait until the view of organisations shows the logo.
    await eventually(async () => {
      const pictures = (await said('pdfimages', link, '-list')).trim().split('\n').slice(2);
      return pictures.some((line) => /^\d+ +\d+ +image +1 +1 /.test(line.trim()));
    });
  });
});
