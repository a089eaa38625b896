import { expect, it } from '@jest/globals';
import sharp from 'sharp';
import { eventually } from '../support/eventually.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';
import { focusComesTo } from './support.js';

interface List<T> {
  readonly items: readonly T[];
}

describeScene('settings in the console', (scene: Scene) => {
  it('add a member, change what they may do, and remove them', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/settings/members`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'Add a member' }).click();
    // A dialog that is opened again shows no refusal of before.
    await page.getByLabel('E-mail address').fill(OWNER);
    await page.getByRole('dialog').getByRole('button', { name: 'Add a member' }).click();
    await page.getByText('This person is a member already.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Add a member' }).click();
    expect(await page.getByText('This person is a member already.').count()).toBe(0);
    await page.getByLabel('E-mail address').fill('grace@example.org');
    await page.getByRole('dialog').getByRole('button', { name: 'Add a member' }).click();
    const row = page.getByRole('row', { name: /grace@example\.org/ });
    await row.getByText('Recruiter').waitFor();
    await expectSound(page, 'settings-members');
    await page.getByRole('button', { name: 'Change role: grace@example.org' }).click();
    await page.getByRole('dialog').getByLabel('Role').selectOption('Reviewer');
    const members = async () => {
      const path = stage.at('/members');
      return (await stage.owner.get<List<{ id: string; email: string; role: string }>>(path)).body.items;
    };
    const roles = async () => (await members()).map(({ email, role }) => `${email} ${role}`).join();
    // Somebody else is faster: what was chosen stays, beside what is saved now.
    await eventually(async () => (await members()).length === 2);
    const grace = (await members()).find(({ email }) => email === 'grace@example.org')!;
    expect((await stage.owner.patch(stage.at(`/members/${grace.id}`), { role: 'admin' })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody else changed this meanwhile.').waitFor();
    await page.getByText('Now: Admin').waitFor();
    await expectSound(page, 'settings-member-role');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByText('Reviewer').waitFor();
    await eventually(async () => (await roles()) === `${OWNER} owner,grace@example.org reviewer`);
    await page.getByRole('button', { name: 'Remove: grace@example.org' }).click();
    await page.getByText('can no longer open this organisation').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    await eventually(async () => (await roles()) === `${OWNER} owner`);
    // The last owner cannot be removed: the page shows why.
    await page.getByRole('button', { name: `Remove: ${OWNER}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(wrong.filter((one) => !/status of (409|412)/.test(one))).toEqual([]);
  });

  it('make a key that is shown once and works, and revoke it', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/settings/keys`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('Tracking <b>system</b>');
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await page.getByText('Choose at least one scope.').waitFor();
    await page.getByLabel('Read roles and tasks').check();
    await expectSound(page, 'settings-key');
    // What is wrong is not in view beside the button: it gets the focus.
    await page.getByLabel('Valid for days').fill('9999');
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    await focusComesTo(page, /^input/);
    await page.getByLabel('Valid for days').fill('90');
    await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click();
    const token = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(token).toMatch(/^assay_[\w-]{43}$/);
    await page.keyboard.press('Escape');
    await expectSound(page, 'settings-key-made');
    const { status } = await stage.api.send('GET', stage.at('/roles'), { token });
    expect(status).toBe(200);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('row', { name: /Tracking <b>system<\/b> Active/ }).waitFor();
    expect(await page.content()).not.toContain(token);
    await expectSound(page, 'settings-keys');
    await page.getByRole('button', { name: 'Revoke: Tracking' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('row', { name: /Tracking <b>system<\/b> Revoked/ }).waitFor();
    await eventually(async () => {
      return (await stage.api.send('GET', stage.at('/roles'), { token })).status === 401;
    });

    await page.getByRole('link', { name: 'Audit trail' }).click();
    await page.getByRole('row', { name: /owner@example\.org API key revoked/ }).waitFor();
    await expectSound(page, 'settings-audit');
    expect(wrong).toEqual([]);
  });

  it('make a webhook, send it a test notice and deliver it again, and list who asked to be erased', async () => {
    const { page, stage, role } = scene;
    const wrong = troubles(page);
    const { person, applicationId, email } = await stage.candidate(role);
    await person.post(`/applications/${applicationId}/erasure-requests`);
    await page.goto(`${stage.service.url}/console/${stage.org}/settings/webhooks`);
    await signInAs(page, OWNER);
    await page.getByRole('button', { name: 'New webhook' }).click();
    // A host that no machine has: every attempt fails at once.
    await page.getByLabel('Address').fill('https://hooks.invalid/<b>');
    await page.getByLabel('Outcome recorded').check();
    await page.getByRole('dialog').getByRole('button', { name: 'New webhook' }).click();
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByRole('link', { name: 'https://hooks.invalid/' }).click();
    await page.getByText('Nothing was sent yet.').waitFor();
    await page.getByRole('button', { name: 'Send a test notice' }).click();
    const row = page.getByRole('row', { name: /^Test notice/ });
    await row.getByText('Given up').waitFor();
    await row.getByText(/the host|in time/).waitFor();
    await expectSound(page, 'settings-webhook');
    await page.getByRole('button', { name: 'Deliver again: Test notice' }).click();
    await row.getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByRole('button', { name: 'New secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click();
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret);
    await page.getByRole('button', { name: 'I have kept it' }).click();
    await page.getByText('The former secret signs too until').waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByRole('link', { name: 'Erasure' }).click();
    await page.getByRole('link', { name: email }).waitFor();
    await expectSound(page, 'settings-erasure');
    expect(wrong).toEqual([]);
  });

  it('save what was changed, and show both versions after a conflict', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: 'Settings' }).click();
    await heading(page, 'Organisation').waitFor();
    await page.getByLabel('Erase candidates after').fill('never');
    await page.getByText('A whole number from 1 to 36500').waitFor();
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Sender of mails').fill('Hiring at Example');
    await page.getByLabel('Erase candidates after').fill('180');
    await page.getByText('are erased automatically').waitFor();
    await expectSound(page, 'settings-organisation');
    await stage.owner.patch(stage.at(), { candidateResults: 'result' });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Somebody else saved this meanwhile' }).waitFor();
    await expectSound(page, 'settings-conflict');
    await page.getByRole('button', { name: 'Save mine over it' }).click();
    await page.getByText('Saved.').waitFor();
    await eventually(async () => {
      const { body } = await stage.owner.get<{
        retentionDays: number | null;
        timeZone: string;
        senderName: string | null;
      }>(stage.at());
      const { retentionDays, timeZone, senderName } = body;
      return retentionDays === 180 && timeZone === 'Europe/Berlin' && senderName === 'Hiring at Example';
    });
    // Another person's change of another field is kept.
    expect((await stage.owner.get(stage.at())).body).toMatchObject({ candidateResults: 'result' });
    expect(wrong.filter((one) => !one.includes('status of 412'))).toEqual([]);
  });

  it('set the logo, say why a file is none, show it in the frame, and remove it', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    await page.goto(`${stage.service.url}/console/${stage.org}/settings`);
    await signInAs(page, OWNER);
    const file = page.getByLabel('PNG or JPEG file');
    const choose = (name: string, buffer: Buffer) =>
      file.setInputFiles({ name, mimeType: 'image/png', buffer });
    await choose('large.png', Buffer.alloc(200 * 1024 + 1));
    await page.getByText('The file has more than 200 KB').waitFor();
    await choose('none.png', Buffer.from('no picture'));
    await page.getByText('This picture cannot be taken.').waitFor();
    await expectSound(page, 'settings-logo-refused');
    const picture = sharp({
      create: { width: 240, height: 80, channels: 4, background: { r: 20, g: 60, b: 120, alpha: 0.8 } },
    });
    await choose('logo.png', await picture.png().toBuffer());
    await page.getByText('Saved.').waitFor();
    const shown = page.locator('img.logo');
    const loaded = () =>
      shown.evaluateAll(
        (all) =>
          all.filter((one) => (one as unknown as { naturalWidth: number }).naturalWidth === 240).length,
      );
    await eventually(async () => (await loaded()) === 2);
    await expectSound(page, 'settings-logo');
    // The settings can be saved at once: the logo made another version.
    await page.getByLabel('Sender of mails').fill('Hiring');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => {
      const { body } = await stage.owner.get<{ senderName: string | null }>(stage.at());
      return body.senderName === 'Hiring';
    });
    // A refused file is no longer the matter once the logo is removed.
    const refusal = page.getByText('This picture cannot be taken.');
    await choose('logo.png', Buffer.from('No picture.'));
    await refusal.waitFor();
    await page.getByRole('button', { name: 'Remove the logo' }).click();
    await page.getByText('show the name of the organisation in its place').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the logo' }).click();
    await eventually(async () => (await shown.count()) === 0);
    expect(await refusal.count()).toBe(0);
    expect(wrong.filter((one) => !one.includes('status of 400'))).toEqual([]);
  });

  it('show a reviewer what they may read alone', async () => {
    const { page, stage } = scene;
    await stage.member('reviewer');
    await page.goto(`${stage.service.url}/console/${stage.org}/settings`);
    await signInAs(page, 'reviewer@example.org');
    await heading(page, 'Organisation').waitFor();
    await page.getByText('What candidates see of their evaluation').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    expect(await tabs.allInnerTexts()).toEqual(['Organisation', 'Members']);
    await tabs.getByText('Members').click();
    await page.getByRole('row', { name: /owner@example\.org/ }).waitFor();
    expect(await page.getByRole('button', { name: /Add a member|Remove|Change role/ }).count()).toBe(0);
    await page.goto(`${stage.service.url}/console/${stage.org}/settings/keys`);
    await heading(page, 'Page not found').waitFor();
  });
});
