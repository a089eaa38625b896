import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';
import { focusComesTo } from './support.js';

describeScene('roles in the console', (scene: Scene) => {
  it('are made from a template, edited with their sum in view, and shown with what they measure', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/roles`);
    await signInAs(page, OWNER);
    await heading(page, 'Roles').waitFor();
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Candidates get the task “The last order is missing”').waitFor();
    // There is a role that has the template's name.
    await dialog.getByText('You have a role called “Backend engineer” already.').waitFor();
    const name = dialog.getByLabel('Name', { exact: true });
    expect(await name.inputValue()).toBe('Backend engineer 2');
    await name.fill('backend engineer');
    await dialog.getByText('nothing will tell them apart').waitFor();
    await expectSound(page, 'role-new');
    await name.fill('Harbour master');
    await dialog.getByText('nothing will tell them apart').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Create role' }).click();
    await heading(page, 'Edit role').waitFor();
    // The template's task is chosen.
    expect(await page.getByRole('checkbox', { name: /^The last order is missing/ }).isChecked()).toBe(true);
    const weight = page.getByLabel('Weight').first();
    // A phone offers digits for a whole number.
    expect(await weight.getAttribute('inputmode')).toBe('numeric');
    await weight.fill('many');
    // Each message about a missing part links to its field.
    await page.getByText('1 field has to be corrected.').click();
    await page.getByRole('button', { name: 'Weight 1' }).click();
    await focusComesTo(page, /^input/);
    await page.getByRole('button', { name: 'Save role' }).click();
    await weight.fill('100');
    await page.getByText(/The weights sum to \d+/).waitFor();
    await page.getByLabel('AI assistants').selectOption('Allowed');
    // The notice that the service writes, with the policy that is not saved yet.
    await page.getByText('The notice as candidates will see it').click();
    await page.getByText('What is recorded.').waitFor();
    await page.getByText('You may use AI assistants in this assessment.').waitFor();
    await page.getByText('A notice of your own').click();
    await page.getByLabel('Notice', { exact: true }).fill('**Harbour <i>rules</i>.**');
    await page.getByText('Harbour <i>rules</i>.', { exact: true }).waitFor();
    await page.getByText('You may use AI assistants in this assessment.').waitFor();
    await expectSound(page, 'role-edit');
    await page.getByRole('button', { name: 'Save role' }).click();
    await heading(page, 'Harbour master').waitFor();
    await page.getByText('up to').first().waitFor();
    await expectSound(page, 'role');
    // The texts of a list are not cut on a phone, also beside figures.
    await page.setViewportSize({ width: 320, height: 800 });
    const cut = `(() => { const one = document.querySelector('main .scroll'); return one.scrollWidth - one.clientWidth; })()`;
    expect(await page.evaluate<number>(cut)).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 800 });
    const id = page.url().split('/').at(-1) ?? '';
    // The page reads its own writes; another reader may see them a moment later.
    const saved = await eventually(async () => {
      const { body } = await stage.owner.get<{ version: number; dimensions: { weight: number }[] }>(
        stage.at(`/roles/${id}`),
      );
      return body.version === 2 && body;
    });
    expect(saved).toMatchObject({ aiPolicy: 'allowed', notice: { version: '1' } });
    expect(saved.dimensions[0]?.weight).toBe(100);

    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('cell', { name: OWNER }).first().waitFor();
    await page.getByRole('link', { name: 'From version 1 to version 2' }).click();
    await focusComesTo(page, /^h2 From version 1 to version 2/);
    await page.getByRole('row', { name: 'AI assistants The notice says nothing of them Allowed' }).waitFor();
    await expectSound(page, 'role-versions');
    expect(wrong).toEqual([]);
  });

  it('show both versions if two people edit one, and keep what was typed', async () => {
    const { page, stage, role } = scene;
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await signInAs(page, OWNER);
    const name = page.getByLabel('Role', { exact: true });
    await name.fill('Engineer <b>one</b>');
    await stage.owner.patch(stage.at(`/roles/${role}`), { ...definition('Engineer two'), ticketIds: [] });
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByRole('heading', { name: 'Somebody else saved this meanwhile' }).waitFor();
    await page.getByRole('cell', { name: 'Engineer two' }).waitFor();
    expect(await name.inputValue()).toBe('Engineer <b>one</b>');
    await expectSound(page, 'role-conflict');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await heading(page, 'Engineer <b>one</b>').waitFor();
    await stage.owner.patch(stage.at(`/roles/${role}`), definition());
  });

  it('are listed on a phone with nothing beside the window, and compared line by line', async () => {
    const { page, stage } = scene;
    const id = await stage.role('Harbour clerk');
    const ticket = await stage.owner.post<{ id: string }>(stage.at('/tickets'), { title: 'Parser' });
    const changed = { reminderDays: [], ticketIds: [ticket.body.id] };
    await stage.owner.patch(stage.at(`/roles/${id}`), { ...definition('Harbour clerk'), ...changed });
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(`${stage.service.url}/console/${stage.org}/roles`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: 'Harbour clerk' }).waitFor();
    const beside = `(() => { const { scrollWidth, clientWidth } = document.querySelector('.scroll'); return scrollWidth - clientWidth; })()`;
    expect(await page.evaluate(beside)).toBe(0);
    const sorting = await page.getByRole('link', { name: 'Created' }).boundingBox();
    expect(sorting?.height ?? 0).toBeGreaterThanOrEqual(24);
    // What a dimension counts is a text: it is below its figures, not squeezed beside them.
    await page.getByRole('link', { name: 'Harbour clerk' }).click();
    await heading(page, 'Harbour clerk').waitFor();
    await page.getByText('up to').first().waitFor();
    expect(await page.evaluate(beside)).toBe(0);
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${id}/versions`);
    const link = page.getByRole('link', { name: 'From version 1 to version 2' });
    const target = await link.boundingBox();
    expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await link.click();
    await page.getByRole('row', { name: /^Reminders/ }).waitFor();
    // A task that was added is named by its title.
    await page.getByRole('row', { name: /^Tasks .*Parser/ }).waitFor();
    // Its values begin where its name does, each on lines of its own.
    const places = `(() => { const row = [...document.querySelectorAll('tr')].find((one) => one.textContent.startsWith('Reminders')); return [...row.children].map((cell) => { const { left, top } = cell.getBoundingClientRect(); return [left, top]; }); })()`;
    const cells = await page.evaluate<[number, number][]>(places);
    expect(new Set(cells.map(([left]) => left)).size).toBe(1);
    expect(new Set(cells.map(([, top]) => top)).size).toBe(3);
  });

  it('show the choice after a conflict where the user is: at the end of a long form too', async () => {
    const { page, stage, role } = scene;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await signInAs(page, OWNER);
    await page.getByLabel('Pause that ends a spoken answer').fill('3000');
    await stage.owner.patch(stage.at(`/roles/${role}`), { ...definition(), overallThreshold: 61 });
    await page.getByRole('button', { name: 'Save role' }).click();
    const title = page.getByRole('heading', { name: 'Somebody else saved this meanwhile' });
    await focusComesTo(page, /^h2/);
    const top = (await title.boundingBox())?.y ?? -1;
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top).toBeLessThan(844);
    await page.getByRole('button', { name: 'Take what is saved' }).click();
    await stage.owner.patch(stage.at(`/roles/${role}`), definition());
  });

  it('keep the field that has the focus in sight: one that a button adds, and one at the bar with the buttons', async () => {
    const { page, stage, role } = scene;
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await signInAs(page, OWNER);
    await heading(page, 'Edit role').waitFor();
    const isInSight = `(() => { const field = document.activeElement; const { left, top, width, height } = field.getBoundingClientRect(); const there = document.elementFromPoint(left + width / 2, top + height / 2); return there !== null && (field.contains(there) || there.contains(field)); })()`;
    for (const [width, height] of [
      [1_280, 800],
      [390, 844],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.getByRole('button', { name: 'Add a dimension' }).click();
      await focusComesTo(page, /^input/);
      expect(await page.evaluate(`document.activeElement.name`)).toMatch(/^dimensions\[\d+\]\.name$/);
      await page.getByRole('button', { name: 'Add a question' }).click();
      await focusComesTo(page, /^textarea/);
      await page.getByLabel('Role', { exact: true }).focus();
      for (let presses = 0; presses < 25; presses += 1) {
        await page.keyboard.press('Tab');
        expect([width, presses, await page.evaluate(isInSight)]).toEqual([width, presses, true]);
      }
    }
  });

  it('get no name of spaces alone, and one without a name has a link with words', async () => {
    const { page, stage } = scene;
    await page.goto(`${stage.service.url}/console/${stage.org}/roles`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Begin with').selectOption('An empty role');
    const name = dialog.getByLabel('Name', { exact: true });
    await name.fill('   ');
    await dialog.getByRole('button', { name: 'Create role' }).click();
    const message = `document.querySelector('dialog input').validationMessage`;
    expect(await page.evaluate(message)).toBe('This must not be empty.');
    await page.keyboard.press('Escape');
    await stage.owner.post(stage.at('/roles'), { name: '', overallThreshold: 60, dimensions: [] });
    await page.reload();
    await page.getByRole('link', { name: 'Role without a name' }).click();
    await heading(page, 'Role without a name').waitFor();
  });

  it('are saved once if the answer was lost: one’s own write is not taken for another person’s', async () => {
    const { page, stage } = scene;
    const id = await stage.role('Harbour pilot');
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${id}/edit`);
    await signInAs(page, OWNER);
    const name = page.getByLabel('Role', { exact: true });
    await name.fill('Harbour pilot on call');
    await page.route(`**/roles/${id}`, async (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.locator('.failure').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByRole('button', { name: 'Save role' }).click();
    await heading(page, 'Harbour pilot on call').waitFor();
    const { body } = await stage.owner.get<{ version: number }>(stage.at(`/roles/${id}`));
    expect(body.version).toBe(2);
  });

  it('keep what was typed, by whatever way the page would be left, until the user agrees', async () => {
    const { page, stage } = scene;
    const id = await stage.role('Harbour guard');
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${id}`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: 'Edit' }).click();
    const name = page.getByLabel('Role', { exact: true });
    await name.fill('Harbour guard at night');
    let agrees = false;
    const questions: string[] = [];
    page.on('dialog', (dialog) => {
      questions.push(dialog.message());
      void (agrees ? dialog.accept() : dialog.dismiss());
    });
    await page.evaluate('history.back()');
    await eventually(async () => questions.length === 1);
    expect(await name.inputValue()).toBe('Harbour guard at night');
    expect(page.url()).toContain(`/roles/${id}/edit`);
    await page.getByText(OWNER).first().click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    expect([questions.length, await name.inputValue()]).toEqual([2, 'Harbour guard at night']);
    agrees = true;
    await page.evaluate('history.back()');
    await heading(page, 'Harbour guard').waitFor();
    expect(questions).toHaveLength(3);
    page.removeAllListeners('dialog');
  });

  it('are archived, taken out again, and copied', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    const id = await stage.role('Lighthouse keeper');
    const read = async () =>
      (await stage.owner.get<{ archivedAt: string | null }>(stage.at(`/roles/${id}`))).body;
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${id}`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'Archive' }).click();
    await page.getByText('Nobody can be invited to an archived role.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await page.getByText('This role is archived').waitFor();
    await eventually(async () => (await read()).archivedAt !== null);
    await expectSound(page, 'role-archived');
    await page.getByRole('button', { name: 'Take out of the archive' }).click();
    await page.getByRole('button', { name: 'Archive' }).waitFor();
    await eventually(async () => (await read()).archivedAt === null);
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = page.getByRole('dialog').getByLabel('Role', { exact: true });
    expect(await copied.inputValue()).toMatch(/ \(copy\)$/);
    await copied.fill('Deputy keeper');
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click();
    await heading(page, 'Edit role').waitFor();
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('Deputy keeper');
    expect(wrong).toEqual([]);
  });

  it('get a task that is written, given files and checks, and chosen, without anything but the pages', async () => {
    const { page, stage, role } = scene;
    const wrong = troubles(page);
    const choose = async (name: string, file: { name: string; mimeType: string; buffer: Buffer }) => {
      const asked = page.waitForEvent('filechooser');
      await page.getByRole('button', { name, exact: true }).click();
      await (await asked).setFiles(file);
    };
    const text = (name: string, content: string | Buffer) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(content) },
    });
    await page.goto(`${stage.service.url}/console/${stage.org}/tickets`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'New task' }).click();
    await page.getByLabel('Task', { exact: true }).fill('Round to cents');
    await page.getByRole('dialog').getByRole('button', { name: 'New task' }).click();
    await heading(page, 'Edit task').waitFor();
    await page.getByLabel('Description').fill('Print the *total*.');
    await page.getByText('As candidates read it').click();
    await page.locator('em', { hasText: 'total' }).waitFor();
    await page.getByRole('button', { name: 'Add a link' }).click();
    await page.getByLabel('What it is called').fill('Repository');
    await page.getByLabel('Address').fill('javascript:alert(1)');
    await page.getByText('An address that begins with http').first().waitFor();
    await page.getByLabel('Address').fill('https://git.example.org/till');
    const hidden = 'Choose files or an archive: Hidden checks';
    await choose(hidden, text('large.bin', Buffer.alloc(5 * 1024 * 1024 + 1)));
    await page.getByText('This is too large: at most 5 MB.').waitFor();
    await choose(hidden, text('till.check.mjs', 'import { test } from "node:test";'));
    await page.getByText('till.check.mjs').first().waitFor();
    // A file of several pieces.
    await choose('Choose files or an archive: Starter', text('prices.csv', '1,2\n'.repeat(60_000)));
    await page.getByText('prices.csv').first().waitFor();
    await expectSound(page, 'ticket-edit');
    // Somebody else saves meanwhile: their title stays, and so does what was chosen here.
    const id = page.url().split('/').at(-2) ?? '';
    await stage.owner.patch(stage.at(`/tickets/${id}`), { title: 'Round up to cents' });
    await page.getByRole('button', { name: 'Save task' }).click();
    await page.getByRole('cell', { name: 'Round up to cents' }).waitFor();
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await heading(page, 'Round up to cents').waitFor();
    await expectSound(page, 'ticket');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save to this computer: prices.csv' }).click();
    expect((await download).suggestedFilename()).toBe('prices.csv');
    await page.getByRole('link', { name: 'Tasks' }).first().click();
    await page.getByRole('row', { name: /Round up to cents Files 1 hidden/ }).waitFor();
    await expectSound(page, 'tickets');
    const { body } = await stage.owner.get<object>(stage.at(`/tickets/${id}`));
    expect(body).toMatchObject({
      ...{ description: 'Print the *total*.', kind: 'files', starter: { bytes: 240_000 } },
      links: [{ title: 'Repository', url: 'https://git.example.org/till' }],
      checks: { visible: null, hidden: { name: 'till.check.mjs' }, slug: 'work', isolation: 'separate' },
    });

    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await page.getByLabel('Round up to cents').check();
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByRole('link', { name: 'Round up to cents' }).waitFor();
    await stage.owner.patch(stage.at(`/roles/${role}`), { ticketIds: [] });
    // The browser reports the conflict, too.
    expect(wrong.filter((one) => !one.includes('412'))).toEqual([]);
  });

  it('ask before typed words are left', async () => {
    const { page, stage, role } = scene;
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await signInAs(page, OWNER);
    await page.getByLabel('Role', { exact: true }).fill('Half a na');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      void (asked.length === 1 ? dialog.dismiss() : dialog.accept());
    });
    await page.getByRole('link', { name: 'Home' }).click();
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('Half a na');
    await page.getByRole('link', { name: 'Home' }).click();
    await heading(page, 'Home').waitFor();
    expect(asked).toEqual(Array(2).fill('What you changed is not saved. Leave all the same?'));
  });

  it('give a reviewer no button that would answer 403', async () => {
    const { page, stage, role } = scene;
    await stage.member('reviewer');
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}`);
    await signInAs(page, 'reviewer@example.org');
    await heading(page, 'Backend engineer').waitFor();
    await page.getByText('Passes at 60').waitFor();
    for (const name of ['Archive', 'Copy']) expect(await page.getByRole('button', { name }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Edit role' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Roles' }).first().click();
    await heading(page, 'Roles').waitFor();
    expect(await page.getByRole('button', { name: 'New role' }).count()).toBe(0);
    await page.goto(`${stage.service.url}/console/${stage.org}/roles/${role}/edit`);
    await heading(page, 'Page not found').waitFor();
  });
});
