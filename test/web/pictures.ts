import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { definition } from '../support/organisation.js';
import { openStage } from '../support/stage.js';
import { keepConsole } from './console-pictures.js';
import { answer, signIn, enterRoom } from './support.js';

// `npm run pictures:write`: the pictures of the candidates' page and of the console in the documentation.
const FOLDER = join('docs', 'images');
const EMAIL = 'carol@example.org';
const DESKTOP = { width: 1_100, height: 760 };
const PHONE = { width: 390, height: 760 };
const SPEECH = { TRANSCRIBER: 'command', TRANSCRIBER_COMMAND: 'echo "I wrote a failing test first."' };

const ROLE = {
  ...definition('Backend engineer'),
  dimensions: [
    { name: 'Testing', weight: 60, category: 'correctness', threshold: 50 },
    { name: 'Communication', weight: 40, category: 'process' },
  ],
  instructions: 'Work as you usually do. You may use any tool that you would use at work.',
  timeFrameMinutes: 90,
};
const TICKETS = [
  {
    title: 'Totals are off by one cent',
    description: 'The report rounds each line. Find out why the sum differs, and repair it.',
    links: [{ title: 'Repository', url: 'https://code.example.org/report' }],
    estimatedMinutes: 60,
  },
  { title: 'Explain the repair', description: 'A short note for the colleagues.', estimatedMinutes: 20 },
];

const keep = async (
  page: Page,
  name: string,
  viewport: typeof DESKTOP,
  colorScheme: 'light' | 'dark',
): Promise<void> => {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.evaluate('scrollTo(0, 0)');
  const path = join(FOLDER, `${name}.png`);
  await page.screenshot({ path });
  process.stdout.write(`${path}\n`);
};

const stage = await openStage(SPEECH);
const browser = await openBrowser(60_000, ['--use-fake-device-for-media-stream']);
try {
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  await browser.context.grantPermissions(['microphone']);
  await stage.owner.patch(stage.at(), { name: 'Harbour Software' });
  const ticketIds: string[] = [];
  for (const ticket of TICKETS)
    ticketIds.push((await stage.owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id);
  const role = await stage.owner.post<{ id: string }>(stage.at('/roles'), { ...ROLE, ticketIds });
  const invitations = stage.at(`/roles/${role.body.id}/invitations`);
  const invitation = { candidateEmail: EMAIL, candidateName: 'Carol' };
  const { body } = await stage.owner.post<{ candidateUrl: string }>(invitations, invitation);

  const page = await browser.context.newPage();
  await page.goto(body.candidateUrl);
  await signIn(page, stage, EMAIL);
  await page.getByRole('heading', { level: 1, name: 'Your assessment:' }).waitFor();
  await keep(page, 'candidate-before', DESKTOP, 'light');

  await page.getByRole('button', { name: 'Check microphone and sound' }).click();
  await page.getByRole('button', { name: 'Test the microphone' }).click();
  await page.getByText('Your microphone works.').waitFor();
  await keep(page, 'candidate-check-phone', PHONE, 'dark');
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Start now' }).click();
  await page.getByRole('button', { name: /^Start this task: Totals/ }).click();
  await keep(page, 'candidate-work-phone', PHONE, 'light');

  await enterRoom(page);
  await answer(page, 'I wrote a failing test first, and then changed where the report rounds.');
  await page.getByRole('button', { name: 'Turn the microphone on' }).click();
  await page.getByRole('meter').waitFor();
  await keep(page, 'candidate-room', DESKTOP, 'dark');
  await keep(page, 'candidate-room-phone', PHONE, 'light');
  await page.getByRole('button', { name: 'Turn the microphone off' }).click();
  while (await answer(page, 'I ran both versions over the same 4,000 reports.'));
  await keep(page, 'candidate-after', DESKTOP, 'light');
  await keepConsole(browser.context, (shown, name) => keep(shown, name, DESKTOP, 'light'));
} finally {
  await browser.close();
  await stage.close();
}
