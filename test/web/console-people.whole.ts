import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ApplicationCounts, SignalSummary } from '../../packages/client/src/index.js';
import type { MemberRole } from '../../src/domain/organisation/events.js';
import { may, type Permission } from '../../src/domain/organisation/permissions.js';
import { openBrowser } from '../support/browser-interview/browser.js';
import { definition, eventually, work } from '../support/organisation.js';
import { type Evaluated, evaluated } from '../support/shared-report.js';
import type { Stage } from '../support/stage.js';
import { heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';
import { PATIENCE_MS } from './support.js';

/** A text that would run if a page took it for anything but a text. */
const HOSTILE = `<img src="x" onerror="hostile=1">"'><script>hostile=1</script>`;

interface Visit {
  readonly path: string;
  readonly title: string | RegExp;
  /** What it takes to open the page, if not every member may. */
  readonly opens?: Permission;
  /** Buttons and links by their names, and what it takes to do what they do. */
  readonly offers?: readonly (readonly [name: string, permission: Permission])[];
}

const visits = (
  role: string,
  view: string,
  { applicationId, evaluationId, email }: Evaluated,
): readonly Visit[] => [
  {
    ...{ path: 'roles', title: 'Roles' },
    offers: [['New role', 'roles.write']],
  },
  {
    ...{ path: `roles/${role}`, title: /^Keeper/ },
    offers: [
      ['Edit role', 'roles.write'],
      ['Copy', 'roles.write'],
      ['Archive', 'roles.write'],
    ],
  },
  {
    ...{ path: `roles/${role}/edit`, title: 'Edit role', opens: 'roles.write' },
    offers: [['Save role', 'roles.write']],
  },
  { path: `roles/${role}/versions`, title: 'Versions' },
  {
    ...{ path: 'candidates', title: 'Candidates' },
    offers: [
      ['Export as CSV', 'data.export'],
      ['Invite a candidate', 'candidates.invite'],
      ['Import', 'candidates.invite'],
    ],
  },
  {
    ...{ path: `candidates?view=${view}`, title: 'Candidates' },
    offers: [
      ['Change the view', 'views.manage'],
      ['Remove the view', 'views.manage'],
    ],
  },
  { path: 'candidates/import', title: 'Import candidates', opens: 'candidates.invite' },
  {
    ...{ path: `candidates/${applicationId}`, title: email },
    offers: [
      ['Erase', 'candidates.erase'],
      ['Retake', 'candidates.invite'],
    ],
  },
  {
    ...{ path: 'evaluations', title: 'Evaluations' },
    offers: [['Export as CSV', 'data.export']],
  },
  {
    ...{ path: `evaluations/${evaluationId}`, title: email },
    offers: [
      ['Generate again', 'evaluations.regenerate'],
      ['Correct the outcome', 'outcomes.record'],
    ],
  },
  { path: `evaluations/compare?role=${role}`, title: 'Compare evaluations' },
  {
    ...{ path: 'signal', title: 'Signal' },
    offers: [['Export as CSV', 'data.export']],
  },
  {
    ...{ path: 'settings', title: 'Organisation' },
    offers: [['Save', 'organisation.write']],
  },
  {
    ...{ path: 'settings/members', title: 'Members' },
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
  { path: 'settings/erasure', title: 'Erasure', opens: 'candidates.erase' },
  { path: 'settings/audit', title: 'Audit trail', opens: 'audit.read' },
];

/** Follows a link that the page does not have, without loading the console anew. */
const follow = (page: Page, address: string): Promise<undefined> =>
  page.evaluate<undefined>(
    `(() => { const link = document.createElement('a'); link.href = ${JSON.stringify(address)}; document.body.append(link); link.click(); link.remove(); })()`,
  );

/** Looks at each page as a member of that role. */
const walk = async (page: Page, base: string, role: MemberRole, all: readonly Visit[]): Promise<void> => {
  for (const { path, title, opens, offers = [] } of all) {
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
    expect(await page.evaluate('typeof hostile')).toBe('undefined');
    expect(await page.locator('img[src=x]').count()).toBe(0);
  }
};

/** A role and an evaluation whose texts are hostile, as staff and candidates may write them. */
const hostileTexts = async (
  stage: Stage,
): Promise<{ readonly role: string; readonly view: string; readonly done: Evaluated }> => {
  const { owner } = stage;
  const dimensions = [
    { name: HOSTILE, weight: 60, category: 'correctness', threshold: 50, rubric: HOSTILE },
    { name: 'How did it go?', weight: 40, category: 'process' },
  ];
  const { body: role } = await owner.post<{ id: string }>(stage.at('/roles'), {
    ...{ ...definition(`Keeper ${HOSTILE}`), dimensions, instructions: HOSTILE },
    questions: [{ text: HOSTILE, dimensionName: HOSTILE }],
    notice: { version: HOSTILE.slice(0, 50), text: HOSTILE },
  });
  await owner.post(stage.at(`/roles/${role.id}/invitations`), {
    ...{ candidateEmail: 'hostile@example.org', candidateName: HOSTILE, externalId: HOSTILE },
  });
  const done = await evaluated(stage, role.id);
  await owner.put(stage.at(`/trial-sessions/${done.sessionId}/outcome`), {
    ...{ humanRound: 'passed', reason: HOSTILE },
  });
  await owner.post(stage.at('/api-keys'), { name: HOSTILE, scopes: ['roles.read'] });
  await owner.patch(stage.at(), { name: HOSTILE });
  const { body: view } = await owner.post<{ id: string }>(stage.at('/saved-views'), {
    ...{ list: 'applications', name: HOSTILE, filter: {}, shared: true },
  });
  return { role: role.id, view: view.id, done };
};

describeScene('people in the console', (scene: Scene) => {
  it('see no way to what answers them 403, and nothing runs that somebody typed', async () => {
    const { page, stage } = scene;
    const { role, view, done } = await hostileTexts(stage);
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
      await walk(page, base, one, visits(role, view, done));
      await page.getByText(`${one}@example.org`).first().click();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByLabel('E-mail address').waitFor();
    }
    expect(refused).toEqual([]);
    expect(wrong).toEqual([]);
  });

  it('are told if a page’s script is gone, and that the service is away, and keep what they typed', async () => {
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

    // As after another build was started: the scripts that this one names are gone.
    await page.route('**/console/assets/**', (route) => route.fulfill({ status: 404, body: '{}' }));
    await page.getByRole('link', { name: 'Signal', exact: true }).click();
    await heading(page, 'This page did not load').waitFor();
    await page.unroute('**/console/assets/**');
    await page.getByRole('button', { name: 'Load it again' }).click();
    await heading(page, 'Signal').waitFor();
  });

  it('run a round together in two browsers, and read the same figures as the API has', async () => {
    const { page, stage } = scene;
    await stage.member('recruiter', 'rita');
    const base = `${stage.service.url}/console/${stage.org}/`;
    const second = await openBrowser(PATIENCE_MS);
    try {
      const other = await second.context.newPage();
      const wrong = [troubles(page), troubles(other)];
      await page.goto(`${base}roles`);
      await signInAs(page, 'rita@example.org');
      await page.getByRole('button', { name: 'New role' }).click();
      await page.getByLabel('Role', { exact: true }).fill('Lighthouse keeper');
      await page.getByRole('dialog').getByRole('button', { name: 'New role' }).click();
      await heading(page, 'Edit role').waitFor();
      await page.getByRole('button', { name: 'Save role' }).click();
      await heading(page, 'Lighthouse keeper').waitFor();
      const role = page.url().split('/').at(-1) ?? '';

      await page.getByRole('link', { name: 'Candidates', exact: true }).click();
      const people = ['ada', 'ben', 'cleo', 'dai', 'eva', 'finn'];
      for (const person of people) {
        await page.getByRole('button', { name: 'Invite a candidate' }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Role').selectOption('Lighthouse keeper');
        await dialog.getByLabel('E-mail address').fill(`${person}@example.org`);
        await dialog.getByLabel('Name').fill(`The ${person}`);
        await dialog.getByRole('button', { name: 'Send the invitation' }).click();
        await page.getByRole('link', { name: `The ${person}` }).waitFor();
      }

      // Four do the work, one begins, one never comes.
      for (const person of people.slice(0, 5)) await takePart(stage, person, person !== 'eva');
      await other.goto(`${base}evaluations?role=${role}&status=ready`);
      await signInAs(other, OWNER);
      // A reload before that would break the sign-in off.
      await heading(other, 'Evaluations').waitFor();
      await eventually(async () => {
        await other.reload();
        await heading(other, 'Evaluations').waitFor();
        await eventually(async () => (await other.getByRole('main').locator('.wait').count()) === 0);
        return (await other.getByRole('link', { name: /^The / }).count()) === 4;
      }, PATIENCE_MS);
      await recordOutcome(page, `${base}evaluations?role=${role}`, 'The ada', 'passed', 'hired');
      await recordOutcome(other, `${base}evaluations?role=${role}`, 'The ben', 'passed', 'declined');
      await recordOutcome(page, `${base}evaluations?role=${role}`, 'The cleo', 'failed', '');

      const figures = ['4', '3', '1', '2', '1', '1', '1'];
      const read = async <T extends object>(path: string) => (await stage.owner.get<T>(stage.at(path))).body;
      await eventually(async () => {
        const { roles } = await read<SignalSummary>('/signal');
        const one = roles.find(({ roleId }) => roleId === role);
        if (!one) return false;
        const { humanRound, disposition } = one;
        const counted = [one.trialCompletedCount, one.outcomeRecordedCount, one.awaitingOutcomeCount];
        counted.push(humanRound.passed, humanRound.failed, disposition.hired, disposition.declined);
        return counted.join() === figures.join();
      });
      const { status } = await read<ApplicationCounts>(`/application-counts?roleId=${role}`);
      expect(status).toMatchObject({ invited: 1, in_progress: 1, completed: 4 });
      for (const one of [page, other]) {
        await one.goto(`${base}signal`);
        const row = one.getByRole('table', { name: 'Per role' }).getByRole('row', { name: /Lighthouse/ });
        await row.waitFor();
        expect((await row.getByRole('cell').allInnerTexts()).map((cell) => cell.trim())).toEqual(figures);
      }
      expect(wrong).toEqual([[], []]);
    } finally {
      await second.close();
    }
  });
});

/** Somebody who was invited begins, and does the work to its end. */
const takePart = async (stage: Stage, name: string, completes: boolean): Promise<void> => {
  const person = await stage.signIn(`${name}@example.org`);
  const own = await eventually(async () => {
    const { body } = await person.get<{
      applications: readonly { trialSessions: readonly { id: string }[] }[];
    }>('/me');
    return body.applications[0]?.trialSessions[0]?.id;
  });
  const session = `/trial-sessions/${own}`;
  await eventually(async () => (await person.post(`${session}/start`, { consent: true })).status < 300);
  if (!completes) return;
  await person.post(`${session}/activity`, work());
  await person.post(`${session}/complete`);
};

const recordOutcome = async (
  page: Page,
  list: string,
  name: string,
  humanRound: string,
  disposition: string,
): Promise<void> => {
  await follow(page, list);
  await page.getByRole('link', { name, exact: true }).click();
  await heading(page, name).waitFor();
  await page.getByRole('button', { name: 'Record the outcome' }).click();
  await page.getByLabel('Human round').selectOption(humanRound);
  if (disposition !== '') await page.getByLabel('Decision').selectOption(disposition);
  await page.getByRole('button', { name: 'Save the outcome' }).click();
  await page.getByRole('button', { name: 'Correct the outcome' }).waitFor();
};
