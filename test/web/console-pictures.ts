import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { MEMBERS } from '../../tools/demo/cast.js';
import { eventually } from '../support/eventually.js';
import { startService } from '../support/service.js';

/** As many as are in the demo, and more than it takes to make them. */
const WAIT_LIMIT_MS = 240_000;

/** The pictures of the staff's console in the documentation, with the demo's people in it. */
export const keepConsole = async (
  context: BrowserContext,
  keep: (page: Page, name: string) => Promise<void>,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-pictures-'));
  const data = join(folder, 'demo');
  const demo = await startService({
    ...{ entry: 'bin/demo.js', dataDir: data, args: ['--folder', data] },
    patienceMs: WAIT_LIMIT_MS,
  });
  try {
    const link = await eventually(
      async () => /as recruiter: +(\S+)/.exec(demo.output())?.[1] ?? false,
      WAIT_LIMIT_MS,
    );
    const page = await context.newPage();
    const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
    await page.goto(link);
    await heading('Home');
    await page.getByText(MEMBERS.recruiter.email).waitFor();
    await keep(page, 'console-home');
    await page.getByRole('link', { name: 'Tasks', exact: true }).click();
    await page.getByRole('link', { name: 'Totals of a till' }).click();
    await page.getByText('till.check.mjs').first().waitFor();
    await keep(page, 'console-task');
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByRole('link', { name: 'Backend engineer' }).click();
    await page.getByText('up to').first().waitFor();
    await keep(page, 'console-role');
    await page.getByRole('link', { name: 'Candidates', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Grace Kim' }).waitFor();
    await keep(page, 'console-candidates');
    for (const name of ['Lena Hoffmann', 'Rosa Delgado', 'Paul Adeyemi'])
      await page.getByRole('row', { name }).getByRole('checkbox').check();
    await page.getByText('Saved views').click();
    await keep(page, 'console-chosen');
    await page.getByRole('rowheader', { name: 'Grace Kim' }).getByRole('link').click();
    await page.getByRole('link', { name: 'Open the evaluation' }).click();
    await page.getByRole('heading', { name: 'How the overall score is composed' }).waitFor();
    await keep(page, 'console-evaluation');
    await page.getByRole('link', { name: 'Signal', exact: true }).click();
    await page.getByRole('heading', { name: 'Per role' }).waitFor();
    await keep(page, 'console-signal');
    await page.close();
  } finally {
    await demo.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
