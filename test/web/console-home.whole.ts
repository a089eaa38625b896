import { expect, it } from '@jest/globals';
import type { SignalStages, SignalSummary, SignalTotals } from '../../packages/client/src/index.js';
import { durationOf } from '../../web/staff/pages/signal-figures.js';
import { eventually } from '../support/eventually.js';
import { expectSound, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';

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

  it('shows the signal as the API has it, digit by digit', async () => {
    const { page, stage } = scene;
    const wrong = troubles(page);
    const role = await stage.role('Pilot <b>');
    const ended = await stage.started(role);
    await ended.person.post(`${ended.session}/complete`);
    const outcome = { humanRound: 'passed', disposition: 'hired' };
    await stage.owner.put(stage.at(`/trial-sessions/${ended.sessionId}/outcome`), outcome);
    const { body } = await stage.owner.get<SignalSummary>(stage.at('/signal'));
    // The page has no token of these commands.
    await eventually(async () => {
      const { token } = stage.owner;
      const read = await stage.api.send<SignalSummary>('GET', stage.at('/signal'), { token });
      return JSON.stringify(read.body) === JSON.stringify(body);
    });
    // The evaluation is made in the background.
    const decided = async () => {
      const { body: stages } = await stage.owner.get<SignalStages>(stage.at('/signal/stages'));
      return stages.roles.find(({ roleId }) => roleId === role)?.decided;
    };
    await eventually(async () => (await decided())?.count === 1);
    const time = durationOf((await decided())?.medianSeconds ?? -1, 'en');
    await page.goto(`${stage.service.url}/console/${stage.org}/signal`);
    await signInAs(page, OWNER);
    await heading(page, 'Signal').waitFor();
    await page.getByRole('table', { name: 'Per role' }).waitFor();
    const figuresOf = ({ trialCompletedCount, outcomeRecordedCount, ...one }: SignalTotals) =>
      [
        ...[trialCompletedCount, outcomeRecordedCount, one.awaitingOutcomeCount],
        ...[one.humanRound.passed, one.humanRound.failed, one.disposition.hired, one.disposition.declined],
      ].join(' ');
    const rows = page.getByRole('table', { name: 'Per role' }).getByRole('row');
    await rows.filter({ hasText: 'Pilot' }).waitFor();
    const shown = (await rows.allInnerTexts()).slice(1).map((row) => row.replace(/\s+/g, ' ').trim());
    expect(shown).toEqual([
      ...body.roles.map((one) => `${one.roleName} ${figuresOf(one)}`),
      `All roles ${figuresOf(body.totals)}`,
    ]);
    await page.getByLabel('Role', { exact: true }).selectOption('Pilot <b>');
    await page.getByRole('table', { name: 'From assessment to hire' }).getByText('100 %').first().waitFor();
    const times = page.getByRole('table', { name: 'Time in each stage' });
    await times.getByRole('row', { name: `To the outcome 1 ${time} ${time}` }).waitFor();
    await page.getByRole('button', { name: 'Show the distribution' }).click();
    await page.getByRole('table', { name: 'Scores by outcome' }).waitFor();
    await expectSound(page, 'signal');

    // The page's clock is ahead: its past day is future for the service, which answers with the present.
    await page.clock.setFixedTime(Date.now() + 3 * 86_400_000);
    await page.getByRole('link', { name: 'Home' }).click();
    await heading(page, 'Home').waitFor();
    const past = page.waitForRequest(/\/signal\/history\?at=/);
    await page.getByRole('link', { name: 'Signal' }).click();
    await page.getByLabel('As of').press('ArrowLeft');
    await past;
    expect(new URL(page.url()).search).toBe('?day=2');
    await page.getByText('As of: the end of').waitFor();
    // The slider keeps the focus while the address follows it.
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/\?day=1$/);
    await page.keyboard.press('ArrowRight');
    await page.waitForURL(/\?day=2$/);
    await rows.filter({ hasText: 'Pilot' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show the distribution' }).count()).toBe(0);
    await expectSound(page, 'signal-past');
    expect(wrong).toEqual([]);
  });
});
