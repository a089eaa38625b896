import { expect, it } from '@jest/globals';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import type { ApplicationCounts } from '../../packages/client/src/index.js';
import type { MemberRole } from '../../src/domain/organisation/events.js';
import { may, type Permission } from '../../src/domain/organisation/permissions.js';
import { openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { cellsOf, counted, ROUND, Round } from './console-round.js';
import { follow, heading, OWNER, signInAs, troubles } from './console-support.js';
import { HOSTILE, HOSTILE_ADDRESS, type Hostile, hostileTexts } from './hostile-texts.js';
import { describeScene, type Scene } from './scene.js';
import { openApply, outboxOf, WAIT_LIMIT_MS, signIn } from './support.js';

interface Visit {
  readonly path: string;
  readonly title: string | RegExp;
  /** Whether the page shows a hostile text to every member. */
  readonly shows?: boolean;
  /** The permission that opens the page, if not every member may. */
  readonly opens?: Permission;
  /** Buttons and links by their names, each with the permission for its action. */
  readonly offers?: readonly (readonly [name: string, permission: Permission])[];
}

const visits = ({
  role,
  draft,
  ticket,
  view,
  importId,
  webhook,
  done: { applicationId, evaluationId, email },
}: Hostile): readonly Visit[] => [
  {
    ...{ path: 'roles', title: 'Roles', shows: true },
    offers: [['New role', 'roles.write']],
  },
  {
    ...{ path: `roles/${role}`, title: /^Keeper/, shows: true },
    offers: [
      ['Edit role', 'roles.write'],
      ['Copy', 'roles.write'],
      ['Archive', 'roles.write'],
    ],
  },
  { path: `roles/${draft}`, title: HOSTILE, shows: true },
  {
    ...{ path: `roles/${role}/edit`, title: 'Edit role', opens: 'roles.write' },
    offers: [['Save role', 'roles.write']],
  },
  { path: `roles/${role}/versions`, title: 'Versions', shows: true },
  {
    ...{ path: 'tickets', title: 'Tasks', shows: true },
    offers: [['New task', 'roles.write']],
  },
  {
    ...{ path: `tickets/${ticket}`, title: HOSTILE, shows: true },
    offers: [['Edit task', 'roles.write']],
  },
  {
    ...{ path: `tickets/${ticket}/edit`, title: 'Edit task', opens: 'roles.write' },
    offers: [['Save task', 'roles.write']],
  },
  {
    ...{ path: 'candidates', title: 'Candidates', shows: true },
    offers: [
      ['Export as CSV', 'data.export'],
      ['Invite a candidate', 'candidates.invite'],
      ['Import', 'candidates.invite'],
    ],
  },
  {
    ...{ path: `candidates?view=${view}`, title: 'Candidates', shows: true },
    offers: [
      ['Change the view', 'views.manage'],
      ['Remove the view', 'views.manage'],
    ],
  },
  { path: 'candidates/import', title: 'Import candidates', opens: 'candidates.invite' },
  { path: `candidates/imports/${importId}`, title: /^Import/ },
  {
    ...{ path: `candidates/${applicationId}`, title: email, shows: true },
    offers: [
      ['Erase', 'candidates.erase'],
      ['Retake', 'candidates.invite'],
    ],
  },
  {
    ...{ path: 'evaluations', title: 'Evaluations', shows: true },
    offers: [['Export as CSV', 'data.export']],
  },
  {
    ...{ path: `evaluations/${evaluationId}`, title: email, shows: true },
    offers: [
      ['Generate again', 'evaluations.regenerate'],
      ['Correct the outcome', 'outcomes.record'],
    ],
  },
  ...(['transcript', 'findings', 'sharing', 'reads', 'generations'] as const).map((part) => ({
    ...{ path: `evaluations/${evaluationId}?part=${part}`, title: email, shows: true },
  })),
  { path: `evaluations/compare?role=${role}`, title: 'Compare evaluations', shows: true },
  {
    ...{ path: 'signal', title: 'Signal', shows: true },
    offers: [['Export as CSV', 'data.export']],
  },
  {
    ...{ path: 'settings', title: 'Organisation' },
    offers: [['Save', 'organisation.write']],
  },
  {
    ...{ path: 'settings/members', title: 'Members', shows: true },
    offers: [['Add a member', 'members.manage']],
  },
  {
    ...{ path: 'settings/keys', title: 'API keys', opens: 'keys.manage' },
    offers: [['New key', 'keys.manage']],
  },
  {
    ...{ path: 'settings/webhooks', title: 'Webhooks', opens: 'webhooks.manage' },
    offers: [['New webhook', 'webhooks.manage']],
  },
  { path: `settings/webhooks/${webhook}`, title: /example\.org/, opens: 'webhooks.manage' },
  { path: 'settings/erasure', title: 'Erasure', opens: 'candidates.erase' },
  { path: 'settings/audit', title: 'Audit trail', opens: 'audit.read' },
];

/** Expects that no typed text has run as a script or is rendered as HTML. */
const expectHarmless = async (page: Page): Promise<void> => {
  expect(await page.evaluate('typeof hostile')).toBe('undefined');
  expect(await page.locator('img[src=x], svg[onload], [href^="javascript:" i]').count()).toBe(0);
};

/** Visits each page as a member of that role. */
const walk = async (page: Page, base: string, role: MemberRole, all: readonly Visit[]): Promise<void> => {
  for (const { path, title, opens, shows = false, offers = [] } of all) {
    const isOpen = opens === undefined || may(role, opens);
    await follow(page, base + path);
    await heading(page, isOpen ? title : 'Page not found').waitFor();
    const main = page.getByRole('main');
    const offered = (name: string) =>
      main.getByRole('button', { name, exact: true }).or(main.getByRole('link', { name, exact: true }));
    for (const [name, permission] of offers)
      if (isOpen && may(role, permission)) await offered(name).first().waitFor();
    await eventually(async () => (await main.locator('.wait').count()) === 0);
    for (const [name, permission] of offers)
      if (!may(role, permission))
        expect([role, path, name, await offered(name).count()]).toEqual([role, path, name, 0]);
    if (shows) await main.getByText(HOSTILE).first().waitFor({ state: 'attached' });
    await expectHarmless(page);
  }
};

describeScene('people in the console', (scene: Scene) => {
  it('see no link or button that would answer 403, and no typed text runs', async () => {
    const { page, stage } = scene;
    const hostile = await hostileTexts(stage);
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const wrong = troubles(page);
    const base = `${stage.service.url}/console/${stage.org}/`;
    for (const one of ['admin', 'recruiter', 'reviewer'] as const) {
      await stage.member(one);
      await page.goto(base);
      await signInAs(page, `${one}@example.org`);
      await heading(page, 'Home').waitFor();
      await walk(page, base, one, visits(hostile));
      await page.getByText(`${one}@example.org`).first().click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('E-mail address').waitFor();
    }
    expect(refused).toEqual([]);
    await page.goto(hostile.report);
    await page.getByText(HOSTILE).first().waitFor();
    await expectHarmless(page);
    const mails = await outboxOf(stage, HOSTILE_ADDRESS);
    expect(mails.map(({ subject }) => subject).join()).toContain(HOSTILE);
    for (const address of ['', ...mails.map(({ number }) => `/${number}`)]) {
      await page.goto(`${stage.service.url}/outbox${address}`);
      await page.getByText(HOSTILE).first().waitFor();
      await expectHarmless(page);
    }
    for (const candidate of [hostile.done, hostile.atWork]) {
      await page.context().clearCookies();
      await openApply(page, stage, candidate);
      await page.evaluate('(localStorage.clear(), sessionStorage.clear())');
      await openApply(page, stage, candidate);
      await signIn(page, stage, candidate.email);
      await page.getByText(HOSTILE).first().waitFor({ state: 'attached' });
      await expectHarmless(page);
    }
    expect(wrong).toEqual([]);
  });

  it('see if a page’s script is missing or hangs, or the service is unreachable, and keep what they typed', async () => {
    const { page, stage, role } = scene;
    const base = `${stage.service.url}/console/${stage.org}/`;
    await page.goto(`${base}roles/${role}/edit`);
    await signInAs(page, OWNER);
    const name = page.getByLabel('Role', { exact: true });
    await name.fill('Typed while it was away');
    const answers: (() => object | null)[] = [];
    await page.route(`**/roles/${role}`, async (route) => {
      const answer = route.request().method() === 'PATCH' ? answers.shift()?.() : null;
      if (answer === undefined || answer === null) await route.fallback();
      else await route.fulfill(answer);
    });
    const away = { code: 'unavailable', error: 'The service is starting.', requestId: 'r-1' };
    const isAway = () => ({ status: 503, headers: { 'retry-after': '0' }, json: away });
    // More often than the client tries again.
    answers.push(isAway, isAway, isAway, isAway);
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('The service is not available at the moment. Try again.').waitFor();
    expect(await name.inputValue()).toBe('Typed while it was away');

    await page.unroute(`**/roles/${role}`);
    await page.context().setOffline(true);
    await page.getByText('no connection').first().waitFor();
    await page.getByRole('button', { name: 'Save role' }).click();
    await page.getByText('There was no answer. Check your connection and try again.').waitFor();
    expect(await name.inputValue()).toBe('Typed while it was away');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Save role' }).click();
    await heading(page, 'Typed while it was away').waitFor();

    // As after the start of another build, which does not have the scripts of this page.
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.getByRole('link', { name: 'Signal', exact: true }).click();
    await heading(page, 'This page did not load').waitFor();
    await page.unroute('**/console/assets/**');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await heading(page, 'Signal').waitFor();

    // A request without an answer: the browser would wait for ever.
    await page.route('**/console/assets/**', () => undefined);
    await page.getByRole('link', { name: 'Candidates', exact: true }).click();
    await heading(page, 'This page did not load').waitFor();
    await page.unroute('**/console/assets/**');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await heading(page, 'Candidates').waitFor();
  });

  it('run a round of 30 in two browsers, and read the figures that the API and the simulator count', async () => {
    const { page, stage } = scene;
    await stage.member('recruiter', 'rita');
    const base = `${stage.service.url}/console/${stage.org}/`;
    const second = await openBrowser(WAIT_LIMIT_MS);
    try {
      const other = await second.context.newPage();
      const wrong = [troubles(page), troubles(other)];
      await page.goto(`${base}roles`);
      await signInAs(page, 'rita@example.org');
      await page.getByRole('button', { name: 'New role' }).click();
      await page.getByLabel('Name', { exact: true }).fill('Lighthouse keeper');
      await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click();
      await heading(page, 'Edit role').waitFor();
      await page.getByRole('button', { name: 'Save role' }).click();
      await heading(page, 'Lighthouse keeper').waitFor();
      const role = page.url().split('/').at(-1) ?? '';
      const round = new Round(stage.service.url, stage.org, role, 'Lighthouse keeper');
      await round.inviteByFile(page);
      await other.goto(`${base}candidates?role=${role}`);
      await signInAs(other, OWNER);
      await heading(other, 'Candidates').waitFor();
      await round.extendAll(other);

      await round.play(ROUND);
      const [again, ...rest] = await round.evaluations();
      await follow(page, `${base}candidates/${again?.applicationId}`);
      await page.getByRole('button', { name: 'Retake' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Retake' }).click();
      await page.locator(`dl a[href$="/candidates/${again?.applicationId}"]`).waitFor();
      await round.play(1);
      const retaken = (await round.evaluations()).filter(
        ({ id }) => id !== again?.id && !rest.some((one) => one.id === id),
      );
      expect(retaken).toHaveLength(1);
      // One of the last is left without an outcome.
      const decided = [...retaken, ...rest.slice(1)];
      const half = Math.ceil(decided.length / 2);
      await Promise.all([
        round.decide(page, base, decided.slice(0, half)),
        round.decide(other, base, decided.slice(half)),
      ]);
      await follow(page, `${base}evaluations/${retaken[0]?.id}?part=sharing`);
      await page.getByRole('button', { name: 'Share the report' }).click();
      await page.getByLabel('Label').fill('For the panel');
      await page.getByRole('dialog').getByRole('button', { name: 'Share the report' }).click();
      const url = await page.getByLabel('Link', { exact: true }).inputValue();
      await eventually(async () => (await fetch(url)).status === 200);
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

      const [own] = round.ledger.rows();
      if (own === undefined) throw new Error('The simulator counted nothing.');
      await eventually(async () => isDeepStrictEqual(await round.figures(), own));
      expect(own).toMatchObject({
        trialCompletedCount: 25,
        outcomeRecordedCount: 23,
        awaitingOutcomeCount: 2,
      });
      const { body } = await stage.owner.get<ApplicationCounts>(
        stage.at(`/application-counts?roleId=${role}`),
      );
      expect(body.status).toMatchObject({ completed: 25, withdrawn: 2, invited: 2, in_progress: 2 });
      expect([counted(round.ledger, 'completed'), counted(round.ledger, 'withdrawn')]).toEqual([25, 2]);
      for (const one of [page, other]) {
        await follow(one, `${base}signal`);
        const row = one.getByRole('table', { name: 'Per role' }).getByRole('row', { name: /Lighthouse/ });
        await row.waitFor();
        const cells = await row.getByRole('cell').allInnerTexts();
        expect(cells.map((cell) => cell.trim())).toEqual(cellsOf(own));
      }
      expect(wrong).toEqual([[], []]);
    } finally {
      await second.close();
    }
  });
});
