import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { HOSTILE } from './hostile-texts.js';
import { describeScene, type Scene } from './scene.js';
import { focusComesTo, overflow, tabTo, violations } from './support.js';

describeScene('the staff’s console', (scene: Scene) => {
  it('leads to the requested page after the sign-in, and signs out', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/roles?sort=-createdAt`);
    await heading(page, 'Sign in to Assay').waitFor();
    await expectSound(page, 'sign-in');
    await signInAs(page, OWNER);
    await heading(page, 'Roles').waitFor();
    expect(page.url()).toBe(`${stage.service.url}/console/${stage.org}/roles?sort=-createdAt`);
    await page.getByRole('rowheader', { name: 'Backend engineer' }).waitFor();
    await expectSound(page, 'roles');
    // The browser stores no token.
    expect(await page.evaluate<string>('JSON.stringify([localStorage, sessionStorage])')).not.toMatch(
      /eyJ[\w-]+\.eyJ/,
    );

    // A reload stays signed in. A sign-out ends the sign-in in every tab and at the provider.
    await page.reload();
    await heading(page, 'Roles').waitFor();
    const other = await page.context().newPage();
    await other.goto(`${stage.service.url}/console/`);
    await heading(other, 'Home').waitFor();
    expect(other.url()).toBe(`${stage.service.url}/console/${stage.org}`);
    await page.getByText(OWNER).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out.').waitFor();
    await other.getByText('You are signed out.').waitFor();
    await page.evaluate(`localStorage.setItem('assay.staff-signed-in', 'in')`);
    await page.reload();
    await heading(page, 'Sign in to Assay').waitFor();
    expect(wrong).toEqual([]);
  });

  it('is reached by the keyboard, in the reader’s language, from page to page', async () => {
    const { page, stage } = scene;
    await page.goto(`${stage.service.url}/console/`);
    await signInAs(page, OWNER);
    await heading(page, 'Home').waitFor();
    await expectSound(page, 'home');
    await focusComesTo(page, /^h1 Home/);
    await page.reload();
    await heading(page, 'Home').waitFor();
    await page.keyboard.press('Tab');
    await tabTo(page, /^a Roles/);
    await page.keyboard.press('Enter');
    await focusComesTo(page, /^h1 Roles/);
    expect(await page.title()).toBe('Roles · Example');
    await page.goBack();
    await heading(page, 'Home').waitFor();
    await page.getByText(OWNER).click();
    await page.getByLabel('Language').selectOption('de');
    await heading(page, 'Start').waitFor();
    expect(await page.evaluate<string>('document.documentElement.lang')).toBe('de');
  });

  it('marks the current page and tab alone in forced colours', async () => {
    const { page, stage } = scene;
    await page.emulateMedia({ forcedColors: 'active' });
    await page.goto(`${stage.service.url}/console/${stage.org}/settings`);
    await signInAs(page, OWNER);
    await heading(page, 'Organisation').waitFor();
    for (const width of [1_280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      for (const links of ['.tabs > a', '.main-nav a']) {
        const drawn = await page.evaluate<readonly { current: boolean; mark: string }[]>(`
          [...document.querySelectorAll('${links}')].map((link) => {
            const { borderBottomColor, borderBottomWidth, outlineStyle } = getComputedStyle(link);
            const isLine = borderBottomWidth !== '0px' && borderBottomColor !== getComputedStyle(document.body).backgroundColor;
            return { current: link.hasAttribute('aria-current'), mark: String(isLine || outlineStyle !== 'none') };
          })`);
        expect(drawn.length).toBeGreaterThan(3);
        expect(drawn.map(({ mark }) => mark)).toEqual(drawn.map(({ current }) => String(current)));
      }
    }
  });

  it('does nothing that cannot be undone by a key that is pressed twice', async () => {
    const { page, stage, role } = scene;
    const candidate = await stage.candidate(role);
    await stage.owner.post(stage.at('/members'), { email: 'second@example.org', role: 'reviewer' });
    await stage.owner.post(stage.at('/api-keys'), { name: 'Tracking', scopes: ['roles.read'] });
    await page.goto(`${stage.service.url}/console/${stage.org}`);
    await signInAs(page, OWNER);
    await heading(page, 'Home').waitFor();
    const asked = [
      { path: 'settings/members', button: 'Remove: second@example.org', stays: 'Cancel' },
      { path: 'settings/keys', button: 'Revoke: Tracking', stays: 'Cancel' },
      { path: `candidates/${candidate.applicationId}`, button: 'End the application', stays: 'Keep it' },
    ];
    for (const { path, button, stays } of asked) {
      await page.goto(`${stage.service.url}/console/${stage.org}/${path}`);
      await page.getByRole('button', { name: button }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      await focusComesTo(page, new RegExp(`^button ${stays}$`));
      // Screen readers read the title, what the dialog describes itself by, and the button.
      const described = await page.getByRole('dialog').getAttribute('aria-describedby');
      expect(await page.locator(`[id="${described}"]`).innerText()).toMatch(/\.$/);
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await focusComesTo(page, new RegExp(`^button ${button}$`));
    }
  });

  it('leads from the button of each editor to the first field to correct', async () => {
    const { page, stage, role } = scene;
    const { body: ticket } = await stage.owner.post<{ id: string }>(stage.at('/tickets'), {
      title: 'A task',
    });
    const editors = [
      {
        path: `roles/${role}/edit`,
        first: 'Passes at',
        second: 'Planned time in minutes',
        save: 'Save role',
      },
      {
        path: `tickets/${ticket.id}/edit`,
        first: 'Task',
        second: 'Planned time in minutes',
        save: 'Save task',
      },
      { path: 'settings', first: 'Time zone', second: 'Erase candidates after', save: 'Save' },
    ];
    await page.goto(`${stage.service.url}/console/${stage.org}`);
    await signInAs(page, OWNER);
    await heading(page, 'Home').waitFor();
    page.on('dialog', (dialog) => void dialog.accept());
    for (const { path, first, second, save } of editors) {
      await page.goto(`${stage.service.url}/console/${stage.org}/${path}`);
      const field = page.getByLabel(first, { exact: true });
      await field.fill('');
      await page.getByLabel(second).fill('never');
      await page.getByRole('button', { name: save, exact: true }).click();
      await eventually(() =>
        page.evaluate<boolean>(`document.activeElement.labels?.[0]?.textContent === '${first}'`),
      );
    }
  });

  it('shows a member only their own organisations, and keeps two apart', async () => {
    const { page, stage } = scene;
    const other = await stage.organisation('Harbour', OWNER);
    await stage.owner.post(`/organisations/${other}/roles`, definition('Data engineer'));
    await page.goto(`${stage.service.url}/console/${stage.org}/roles`);
    await signInAs(page, OWNER);
    await page.getByRole('rowheader', { name: 'Backend engineer' }).waitFor();
    await page.getByLabel('Organisation').selectOption('Harbour');
    await page.getByRole('rowheader', { name: 'Data engineer' }).waitFor();
    expect(page.url()).toBe(`${stage.service.url}/console/${other}/roles`);
    expect(await page.getByRole('rowheader', { name: 'Backend engineer' }).count()).toBe(0);
    await page.goto(`${stage.service.url}/console/0197f0a4-6c1e-7b55-9d3a-1f2e3d4c5b6a/roles`);
    await heading(page, 'You cannot open this organisation').waitFor();
    await page.getByRole('link', { name: 'Harbour' }).click();
    await heading(page, 'Home').waitFor();
    await page.goto(`${stage.service.url}/console/${other}/nothing/here`);
    await heading(page, 'Page not found').waitFor();
  });

  it('is where the service’s own address leads, and in development who has no organisation makes one', async () => {
    const { page, stage } = scene;
    await page.goto(stage.service.url);
    await signInAs(page, 'founder@example.org');
    await heading(page, 'You are not a member of an organisation').waitFor();
    await page.getByLabel('Name of a new organisation').fill(' ');
    await page.getByRole('button', { name: 'Make an organisation' }).click();
    await page.getByText('This must not be empty.').waitFor();
    await expectSound(page, 'new-organisation');
    // While the next attempt is sent, the refusal of the former one is not shown.
    await page.route('**/organisations', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.getByLabel('Name of a new organisation').fill('Founder');
    await page.getByRole('button', { name: 'Make an organisation' }).click();
    await page.getByRole('button', { name: 'Saving' }).waitFor();
    expect(await page.getByText('This must not be empty.').count()).toBe(0);
    await page.getByText('There was no answer.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.getByLabel('Name of a new organisation').fill(' Founder <b>& Co</b> ');
    await page.getByRole('button', { name: 'Make an organisation' }).click();
    await heading(page, 'Home').waitFor();
    await page.getByText('Founder <b>& Co</b>').first().waitFor();
    expect(await page.evaluate(`document.querySelector('.organisation').textContent`)).toBe(
      'Founder <b>& Co</b>',
    );
    await page.goto(stage.service.url);
    await heading(page, 'Home').waitFor();
    const asJson = await fetch(stage.service.url, { headers: { accept: 'application/json' } });
    expect([asJson.status, await asJson.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('shows why it is empty, and continues when the connection is back', async () => {
    const { page, stage } = scene;
    await page.goto(`${stage.service.url}/console/`);
    await signInAs(page, 'stranger@example.org');
    await heading(page, 'You are not a member of an organisation').waitFor();
    await expectSound(page, 'no-member');
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click();
    await signInAs(page, OWNER);
    await heading(page, 'Home').waitFor();
    await page.context().route('**/roles?*', (route) => route.abort());
    await page.getByRole('link', { name: 'Roles', exact: true }).click();
    await page.getByText('Loading the roles').waitFor();
    await page.getByText('There was no answer.').waitFor();
    await page.context().unroute('**/roles?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('rowheader', { name: 'Backend engineer' }).waitFor();
  });

  it('has the API’s reference beside it: an operation by its address, tried as whoever signs in there', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await stage.owner.patch(stage.at(), { name: HOSTILE });
    await page.goto(`${stage.service.url}/docs#/Identity/me.read`);
    const operation = page.locator('.opblock.is-open');
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const answered = operation.locator('.live-responses-table');
    await answered.filter({ hasText: 'missing_token' }).waitFor();
    await page.getByLabel('as', { exact: true }).fill(OWNER);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(`Signed in as ${OWNER}.`).waitFor();
    await operation.getByRole('button', { name: 'Execute' }).click();
    await answered.filter({ hasText: OWNER }).filter({ hasText: '</script>' }).waitFor();
    expect(await page.evaluate('typeof hostile')).toBe('undefined');
    expect(await page.locator('img[src=x]').count()).toBe(0);
    // The page is large: it is checked in two variants only.
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.locator(colorScheme === 'dark' ? 'html.dark-mode' : 'html:not(.dark-mode)').waitFor();
      expect([colorScheme, await overflow(page), await violations(page)]).toEqual([colorScheme, 0, []]);
    }
    expect(wrong).toEqual([]);
  });
});
