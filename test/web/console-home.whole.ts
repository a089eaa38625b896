import { expect, it } from '@jest/globals';
import { eventually } from '../support/organisation.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './support.js';

describeScene('the first page of the console', (scene: Scene) => {
  it('counts what waits as the API does, and leads to the list where it is done', async () => {
    const { page, stage, role } = scene;
    const wrong = troubles(page);
    const asking = await stage.candidate(role);
    await asking.person.post(`/applications/${asking.applicationId}/accommodation-requests`, {
      text: 'I <b>type</b> slowly.',
    });
    const ended = await stage.started(role);
    await ended.person.post(`${ended.session}/complete`);
    await eventually(async () => {
      const { body } = await stage.owner.get<{ waiting: object }>(stage.at('/application-counts'));
      return JSON.stringify(body.waiting) === '{"outcome":1,"expiring":0,"accommodation":1,"erasure":0}';
    });
    await page.goto(`${stage.service.url}/console/${stage.org}`);
    await signInAs(page, OWNER);
    await page.getByRole('link', { name: '1 Outcomes to record' }).waitFor();
    await expectSound(page, 'home-waiting');
    await page.getByRole('link', { name: '1 Accommodations asked for' }).click();
    await page.getByRole('link', { name: asking.email }).click();
    await page.getByRole('button', { name: 'Accommodate' }).click();
    await page.getByText('I <b>type</b> slowly.').waitFor();
    await page.getByLabel('Time', { exact: true }).selectOption('1.5 times as long');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('1.5 times as long').waitFor();
    await expectSound(page, 'application-accommodated');
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Outcomes to record' }).waitFor();
    await eventually(async () => {
      await page.reload();
      await page.getByRole('link', { name: 'Outcomes to record' }).waitFor();
      return (await page.getByRole('link', { name: 'Accommodations asked for' }).count()) === 0;
    });
    expect(wrong).toEqual([]);
  });

  it('shows a reviewer nothing that they may not do', async () => {
    const { page, stage } = scene;
    await stage.member('reviewer');
    await page.goto(`${stage.service.url}/console/${stage.org}`);
    await signInAs(page, 'reviewer@example.org');
    await heading(page, 'Home').waitFor();
    await page.getByRole('heading', { name: 'Nothing waits for you' }).waitFor();
  });
});
