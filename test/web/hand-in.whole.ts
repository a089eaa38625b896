import { afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { createHash } from 'node:crypto';
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { HandIn } from '../../packages/client/src/contract.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import type { Candidate } from '../support/stage.js';
import { describeScene } from './scene.js';
import { focused, openApply, overflow, signIn, tabTo, violations } from './support.js';

const STARTER = {
  'README.md': '# Totals\n\nThe report rounds each line. Repair it.\n',
  'package.json': '{\n  "name": "totals",\n  "type": "module"\n}\n',
  'src/report.js':
    'export const total = (lines) => {\n  return lines.reduce((sum, line) => sum + Math.round(line), 0);\n};\n',
};
const REPAIRED = STARTER['src/report.js'].replace('sum + Math.round(line), 0)', 'sum + line, 0)');

const sha256Of = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');
const filesOf = (tree: Readonly<Record<string, string>>) =>
  Object.entries(tree).map(([path, text]) => ({ path, bytes: text.length, sha256: sha256Of(text) }));
const zipOf = (tree: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(tree).map(([path, text]) => [path, strToU8(text)])));

describeScene('work that is handed in on the page', (scene) => {
  let role: string;
  let tickets: readonly string[];
  let candidate: Candidate;
  let complaints: string[];
  let folder: string;
  let isOffline = false;

  beforeAll(async () => {
    const { stage } = scene;
    const bodies = [
      { title: 'Repair the totals', kind: 'files' },
      { title: 'Explain the repair', kind: 'text' },
    ];
    const made: string[] = [];
    for (const body of bodies)
      made.push((await stage.owner.post<{ id: string }>(stage.at('/tickets'), body)).body.id);
    tickets = made;
    const created = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...definition('Backend engineer'),
      ticketIds: tickets,
    });
    role = created.body.id;
  });
  beforeEach(async () => {
    complaints = [];
    isOffline = false;
    folder = await mkdtemp(join(tmpdir(), 'assay-hand-in-'));
    scene.page.on('pageerror', (error) => complaints.push(error.message));
    scene.page.on('console', (message) => {
      if (/policy|violat/i.test(message.text())) complaints.push(message.text());
    });
    await serve();
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    expect(complaints).toEqual([]);
  });

  /** Adds a starter and its download to the answers in this browser: no route takes a starter's upload yet. */
  const serve = async (): Promise<void> => {
    const { context } = scene.browser;
    await context.route('**/briefing', async (route) => {
      const reply = await route.fetch();
      const briefing = (await reply.json()) as { tickets: { kind: string }[] };
      const starter = {
        id: 's',
        name: 's.zip',
        bytes: 1,
        sha256: 's',
        treeSha256: 's',
        files: filesOf(STARTER),
      };
      briefing.tickets = briefing.tickets.map((ticket) => ({
        ...ticket,
        ...(ticket.kind === 'files' && { starter, hasHiddenChecks: true }),
      }));
      return route.fulfill({ response: reply, json: briefing });
    });
    await context.route(/\/tickets\/[^/]+\/starter/, (route) =>
      route.fulfill({ body: Buffer.from(zipOf(STARTER)) }),
    );
    await context.route(/\/tickets\/[^/]+\/hand-ins/, (route) =>
      isOffline ? route.abort() : route.continue(),
    );
  };
  const atWork = async (): Promise<void> => {
    candidate = await scene.stage.started(role);
    await openApply(scene.page, scene.stage, candidate);
    await signIn(scene.page, scene.stage, candidate.email);
    await card('Repair the totals').getByText('Nothing is handed in yet.').waitFor();
  };
  const card = (title: string, on: Page = scene.page) => on.getByRole('region', { name: title, exact: true });
  const files = () => card('Repair the totals');
  const answer = () => card('Explain the repair');
  /** The service's hand-ins of a ticket, oldest first. */
  const handedIn = async (ticketId = tickets[0]): Promise<readonly HandIn[]> => {
    const path = `${candidate.session}/tickets/${ticketId}/hand-ins`;
    const { body } = await candidate.person.get<{ readonly items: readonly HandIn[] }>(path);
    return body.items.filter(({ status }) => status === 'handed_in');
  };
  /** The hashes of the files of a ticket's last hand-in. */
  const arrived = async (ticketId = tickets[0]): Promise<Record<string, string>> => {
    const last = (await handedIn(ticketId)).at(-1)?.files ?? [];
    return Object.fromEntries(last.map(({ path, sha256 }) => [path, sha256]));
  };
  const hashesOf = (tree: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(filesOf(tree).map(({ path, sha256 }) => [path, sha256]));
  /** Drops files of the page's memory on the page, as a folder from the desktop. */
  const drop = (tree: Readonly<Record<string, string>>, name: string): Promise<void> =>
    scene.page.evaluate(`(() => {
      const entryOf = (path, content) => typeof content === 'string'
        ? { isFile: true, isDirectory: false, name: path, file: (done) => done(new File([content], path)) }
        : { isFile: false, isDirectory: true, name: path, createReader: () => {
            let left = Object.entries(content).map(([inner, value]) => entryOf(inner, value));
            return { readEntries: (done) => { done(left); left = []; } };
          } };
      const items = [{ webkitGetAsEntry: () => entryOf(${JSON.stringify(name)}, ${JSON.stringify(nested(tree))}) }];
      const event = new Event('drop', { bubbles: true, cancelable: true });
      Object.defineProperty(event, 'dataTransfer', { value: { items } });
      document.querySelector('.drop').dispatchEvent(event);
    })()`);
  const nested = (tree: Readonly<Record<string, string>>): object => {
    const root: Record<string, unknown> = {};
    for (const [path, text] of Object.entries(tree)) {
      const names = path.split('/');
      let place = root;
      for (const name of names.slice(0, -1)) place = (place[name] ??= {}) as Record<string, unknown>;
      place[names.at(-1) ?? ''] = text;
    }
    return root;
  };
  const chooseFile = (name: string, content: Uint8Array) =>
    files()
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
  const handIn = () => files().getByRole('button', { name: 'Hand in', exact: true }).click();
  const shot = async (name: string): Promise<void> => {
    if (!process.env['SHOTS']) return;
    for (const [width, scheme] of [
      [1_280, 'light'],
      [1_280, 'dark'],
      [360, 'light'],
      [360, 'dark'],
    ] as const) {
      await scene.page.setViewportSize({ width, height: 900 });
      await scene.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      await scene.page.screenshot({
        path: `${process.env['SHOTS']}/${name}-${width}-${scheme}.png`,
        fullPage: true,
      });
    }
  };

  it('by dropping a folder: what differs is shown before it goes, then a receipt', async () => {
    await atWork();
    await shot('begin');
    await drop(
      { ...STARTER, 'src/report.js': REPAIRED, 'test/report.test.js': 'x', 'node_modules/a/b.js': 'x' },
      'totals',
    );
    await files().getByText('1 changed, 1 added, 2 unchanged').waitFor();
    await files().getByText('Left out, since they hold installed packages: totals/node_modules.').waitFor();
    await files().getByText('Changed lines: src/report.js').click();
    await files().getByText('sum + line, 0').waitFor();
    await shot('review');
    expect(await violations(scene.page)).toEqual([]);
    await handIn();
    await files().getByText('Your work has arrived.').waitFor();
    expect(await arrived()).toEqual(
      hashesOf({ ...STARTER, 'src/report.js': REPAIRED, 'test/report.test.js': 'x' }),
    );
    const [one] = await handedIn();
    await files()
      .getByText(one?.sha256 ?? '-')
      .waitFor();
    await shot('receipt');
    expect(await violations(scene.page)).toEqual([]);
    await drop({ ...STARTER, 'src/report.js': REPAIRED }, 'totals');
    await handIn();
    await files().getByText('1 earlier hand-in').waitFor();
    expect(await handedIn()).toHaveLength(2);
  });

  it('by what was chosen last, also if what was chosen before takes longer to read', async () => {
    await atWork();
    await scene.page.evaluate(`{
      const real = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        if (this.size === 5) await new Promise((done) => setTimeout(done, 1_500));
        return real.call(this);
      };
    }`);
    await drop({ 'a.txt': 'slow.' }, 'slow');
    await drop({ ...STARTER, 'src/report.js': REPAIRED }, 'totals');
    await files().getByText('totals.zip').waitFor();
    await scene.page.waitForTimeout(2_500);
    expect(await files().getByText('totals.zip').count()).toBe(1);
    expect(await files().getByText('slow.zip').count()).toBe(0);
  });

  it('by choosing a folder, also by one around the starter’s files in a zip', async () => {
    await atWork();
    await mkdir(join(folder, 'totals', 'src'), { recursive: true });
    for (const [path, text] of Object.entries({ ...STARTER, 'src/report.js': REPAIRED }))
      await writeFile(join(folder, 'totals', path), text);
    await files().locator('input[type=file]').nth(1).setInputFiles(join(folder, 'totals'));
    await files().getByText('1 changed, 2 unchanged').waitFor();
    await handIn();
    await files().getByText('Your work has arrived.').waitFor();
    expect(await arrived()).toEqual(hashesOf({ ...STARTER, 'src/report.js': REPAIRED }));
    const wrapped = Object.entries(STARTER).map(([path, text]) => [`totals/${path}`, text]);
    await chooseFile('totals.zip', zipOf(Object.fromEntries(wrapped) as Record<string, string>));
    await files().getByText('The files are handed in without the folder “totals” around them.').waitFor();
    await files().getByText('Nothing differs from the starter.').waitFor();
  });

  it('by the editor, with the keyboard alone, and in German', async () => {
    await atWork();
    await scene.page.getByRole('combobox', { name: 'Language' }).selectOption('de');
    const german = scene.page;
    await tabTo(german, /Die Dateien hier bearbeiten/);
    await german.keyboard.press('Enter');
    await files().getByRole('textbox', { name: 'Inhalt von README.md' }).waitFor();
    await files().getByRole('combobox', { name: 'Datei' }).selectOption('src/report.js');
    await files().getByRole('textbox', { name: 'Inhalt von src/report.js' }).waitFor();
    await files().getByRole('textbox', { name: 'Inhalt von src/report.js' }).focus();
    await german.keyboard.press('Control+a');
    await german.keyboard.press('Delete');
    await german.keyboard.insertText(REPAIRED);
    await files().getByText('Auf diesem Gerät gespeichert. Noch nicht abgegeben.').waitFor();
    await shot('editor');
    expect(await violations(german)).toEqual([]);
    await files().getByRole('textbox', { name: 'Inhalt von src/report.js' }).focus();
    await german.keyboard.press('Escape');
    await german.keyboard.press('Tab');
    expect(await focused(german)).toContain('Durchsehen und abgeben');
    await german.keyboard.press('Enter');
    await files().getByText('1 geändert, 2 unverändert').waitFor();
    await tabTo(german, /^button Abgeben$/);
    await german.keyboard.press('Enter');
    await files().getByText('Ihre Arbeit ist angekommen.').waitFor();
    expect(await arrived()).toEqual(hashesOf({ ...STARTER, 'src/report.js': REPAIRED }));
    expect(await files().getByText('Noch nicht abgegeben.').isVisible()).toBe(false);
  });

  it('as a text: kept as it is typed, over a reload and without a network, then sent by itself', async () => {
    await atWork();
    const field = () => answer().getByRole('textbox', { name: 'Your answer: Explain the repair' });
    await field().click();
    await scene.page.keyboard.insertText('It rounded too early.');
    await answer().getByText('Saved on this device. Not handed in yet.').waitFor();
    await scene.page.reload();
    await field().getByText('It rounded too early.').waitFor();
    isOffline = true;
    await scene.page.evaluate(`dispatchEvent(new Event('offline'))`);
    await answer().getByRole('button', { name: 'Hand in the answer' }).click();
    await answer().getByText('No connection. It is kept on this device and goes on by itself.').waitFor();
    await shot('offline');
    isOffline = false;
    await scene.page.evaluate(`dispatchEvent(new Event('online'))`);
    await answer().getByText('Your work has arrived.').waitFor();
    await answer().getByText('This is what you handed in.').waitFor();
    expect(await arrived(tickets[1])).toEqual(hashesOf({ 'answer.md': 'It rounded too early.' }));
    await shot('answer');
    expect(await violations(scene.page)).toEqual([]);
  });

  it('as one text in two tabs: what one writes the other shows, and loses nothing of it', async () => {
    await atWork();
    const other = await scene.browser.context.newPage();
    await openApply(other, scene.stage, candidate);
    const texts = (on: Page) =>
      card('Explain the repair', on).getByRole('textbox', { name: 'Your answer: Explain the repair' });
    const readme = (on: Page) =>
      card('Repair the totals', on).getByRole('textbox', { name: 'Content of README.md' });
    for (const tab of [scene.page, other])
      await card('Repair the totals', tab).getByRole('button', { name: 'Work on the files here' }).click();
    for (const field of [texts, readme]) {
      await field(other).waitFor();
      await field(scene.page).click();
      await scene.page.keyboard.press('Control+End');
      await scene.page.keyboard.insertText('Written here.');
      await field(other).getByText('Written here.').waitFor();
      await field(other).click();
      await other.keyboard.press('Control+End');
      await other.keyboard.insertText(' And there.');
      await field(scene.page).getByText('Written here. And there.').waitFor();
    }
    await card('Explain the repair', other).getByRole('button', { name: 'Hand in the answer' }).click();
    await card('Explain the repair', other).getByText('Your work has arrived.').waitFor();
    expect(await arrived(tickets[1])).toEqual(hashesOf({ 'answer.md': 'Written here. And there.' }));
    await other.close();
  });

  it('continues after a reload in the middle', async () => {
    await atWork();
    const content = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 7_919) % 251));
    let pieces = 0;
    let isCut = true;
    await scene.browser.context.route('**/pieces', (route) => {
      if (isCut && pieces === 2) return route.abort();
      pieces += 1;
      return route.continue();
    });
    await chooseFile('work.bin', content);
    await handIn();
    await files().getByText('No connection. It is kept').waitFor();
    await shot('progress');
    const address = scene.page.url();
    // The page would try again by itself as soon as it may.
    await scene.page.goto('about:blank');
    isCut = false;
    await scene.page.goto(address);
    await files().getByText('Your work has arrived.').waitFor();
    expect(pieces).toBe(4);
    expect(await handedIn()).toMatchObject([{ bytes: 400_000, sha256: sha256Of(content) }]);
  });

  it('is refused with the service’s sentence if it is hostile', async () => {
    await atWork();
    await chooseFile('bad.zip', zipOf({ '../../etc/passwd': 'x' }));
    await handIn();
    await files()
      .getByText(/This was not handed in\. .*passwd.* leads out of its folder/)
      .waitFor();
    await shot('refused');
    expect(await violations(scene.page)).toEqual([]);
  });

  it('is named before the interview if it is missing', async () => {
    await atWork();
    const toRoom = scene.page.getByRole('button', { name: 'Go to the interview' });
    const dialog = scene.page.getByRole('dialog');
    await toRoom.click();
    await dialog
      .getByText('You have handed in nothing for: “Repair the totals”, “Explain the repair”.')
      .waitFor();
    await shot('gate');
    await dialog.getByRole('button', { name: 'Not yet' }).click();
    await chooseFile('a.txt', strToU8('a'));
    await handIn();
    await files().getByText('Your work has arrived.').waitFor();
    await toRoom.click();
    await dialog.getByText('You have handed in nothing for: “Explain the repair”.').waitFor();
  });

  it('is not lost by signing out unseen', async () => {
    await atWork();
    const field = answer().getByRole('textbox');
    await field.click();
    await scene.page.keyboard.insertText('Not sent.');
    await answer().getByText('Not handed in yet.').waitFor();
    await scene.page.getByRole('button', { name: 'Sign out' }).click();
    await scene.page.getByRole('dialog').getByText('One thing is not sent').waitFor();
    await scene.page.getByRole('button', { name: 'Sign out and lose them' }).click();
    await scene.page.getByText('You are signed out').waitFor();
    await eventually(
      async () =>
        (await scene.page.evaluate<number>(`indexedDB.databases().then(({ length }) => length)`)) === 0,
    );
  });

  it('shows what the visible checks said, with the keyboard, in the dark and on a phone', async () => {
    const { page, browser } = scene;
    const name = 'a_test_with_a_name_that_is_longer_than_a_phone_is_wide_and_goes_on_for_a_while';
    const message = `Expected: <b>3</b>\n${'0'.repeat(120)}`;
    const tests = [
      { name: 'rounds nothing', status: 'pass', message: null },
      { name, status: 'fail', message },
      { name, status: 'error', message: null },
    ];
    const none = { passed: 0, failed: 0, errors: 0 };
    const at = '2026-01-05T09:12:00.000Z';
    const waiting = {
      state: 'waiting',
      reason: null,
      message: null,
      tally: none,
      tests: [],
      checkedAt: null,
    };
    const failed = {
      ...waiting,
      state: 'checked',
      tally: { passed: 1, failed: 1, errors: 3 },
      tests,
      checkedAt: at,
    };
    const all = { ...failed, tally: { ...none, passed: 1 }, tests: tests.slice(0, 1) };
    const late = { ...waiting, state: 'error', reason: 'timed_out', message: 'Late.', checkedAt: at };
    let said: object = waiting;
    await browser.context.route(/\/hand-ins\/[^/]+(\/complete)?$/, async (route) => {
      const response = await route.fetch();
      return route.fulfill({ response, json: { ...((await response.json()) as object), checks: said } });
    });
    await atWork();
    await chooseFile('a.txt', strToU8('a'));
    await handIn();
    await files().getByText('The checks are waiting or running.').waitFor();
    expect(await violations(page)).toEqual([]);
    said = failed;
    await files().getByText('1 of 5 checks passed.').waitFor();
    await files().getByText('2 more tests are not shown.').waitFor();
    await files()
      .getByRole('region', { name: `Message: ${name}` })
      .getByText('Expected: <b>3</b>')
      .waitFor();
    await shot('checks-failed');
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await overflow(page)).toBe(0);
    expect(await violations(page)).toEqual([]);
    // What failed is open at once; its message is reached and scrolled by keys.
    await files().getByText('Checks', { exact: true }).focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toContain(`Message: ${name.slice(0, 40)}`);
    await page.emulateMedia({ colorScheme: 'light' });

    said = late;
    await chooseFile('b.txt', strToU8('b'));
    await handIn();
    await files()
      .getByText('The checks could not run over this hand-in. They took too long.', { exact: false })
      .waitFor();
    await shot('checks-error');
    expect(await violations(page)).toEqual([]);
    said = all;
    await chooseFile('c.txt', strToU8('c'));
    await handIn();
    await files().getByText('1 of 1 checks passed.').waitFor();
    await shot('checks-passed');
    expect(await overflow(page)).toBe(0);
    await files().getByText('2 earlier hand-ins').click();
    await files().getByText('1 of 5 checks passed.').waitFor();
  });

  it('fits a phone of 320 px', async () => {
    await atWork();
    await scene.page.setViewportSize({ width: 320, height: 700 });
    await drop(
      { ...STARTER, 'src/a-name-that-is-longer-than-a-phone-is-wide-and-goes-on-for-a-while.js': 'x' },
      'totals',
    );
    await files().getByText('1 added, 3 unchanged').waitFor();
    expect(await overflow(scene.page)).toBe(0);
    await handIn();
    await files().getByText('Your work has arrived.').waitFor();
    await files().getByRole('button', { name: 'Work on the files here' }).click();
    await files().getByRole('textbox').waitFor();
    expect(await overflow(scene.page)).toBe(0);
  });
});
