import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { definition } from '../support/organisation.js';
import type { Candidate } from '../support/stage.js';
import { describeScene } from './scene.js';
import { openApply, WAIT_LIMIT_MS, signIn, violations } from './support.js';

const TICKETS = ['T-1', 'T-2', 'T-3'];

/** Uses the browser's own protocol, since a test's routes do not see the requests of a closing tab. */
const HANGS = `(() => {
  const send = globalThis.fetch;
  globalThis.fetch = (url, ...more) =>
    String(url).endsWith('/activity') && localStorage.getItem('test-hangs')
      ? new Promise(() => undefined)
      : send(url, ...more);
})()`;

interface Evidence {
  readonly organisations: readonly {
    readonly applications: readonly {
      readonly evidence: { readonly events: readonly { readonly eventType: string }[] };
    }[];
  }[];
}

describeScene('work that is not sent yet', (scene) => {
  let role: string;
  beforeAll(async () => {
    const { stage } = scene;
    const body = { ...definition('Backend engineer'), ticketIds: TICKETS };
    role = (await stage.owner.post<{ id: string }>(stage.at('/roles'), body)).body.id;
  });
  beforeEach(() => scene.browser.context.addInitScript(HANGS));

  const atWork = async (): Promise<Candidate> => {
    const candidate = await scene.stage.started(role);
    await openApply(scene.page, scene.stage, candidate);
    await signIn(scene.page, scene.stage, candidate.email);
    await tasks(scene.page);
    return candidate;
  };
  const tasks = (on: Page) => on.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  const task = (on: Page, number: number) => on.getByRole('region', { name: `Task ${number}` });
  const press = (on: Page, number: number) => task(on, number).getByRole('button').click();
  const shows = (on: Page, number: number, progress: string) =>
    task(on, number).getByText(progress, { exact: true }).waitFor();
  /** From now on activity gets no answer, also when a tab closes. @returns ends that, by an open tab */
  const hang = async (): Promise<(on: Page) => Promise<void>> => {
    await scene.page.evaluate(`localStorage.setItem('test-hangs', 'yes')`);
    return (on) => on.evaluate(`localStorage.removeItem('test-hangs')`);
  };
  const recorded = async ({ person }: Candidate): Promise<readonly string[]> => {
    const { body } = await person.get<Evidence>('/me/export');
    return body.organisations
      .flatMap(({ applications }) => applications.flatMap(({ evidence }) => evidence.events))
      .map(({ eventType }) => eventType)
      .filter((type) => type.startsWith('ticket.'));
  };
  const keptHere = (on: Page): Promise<number> =>
    on.evaluate<number>(`Object.keys(localStorage).filter((key) => key.includes('/activity/')).length`);

  it('survives its tab: another tab shows it and sends it, once', async () => {
    const candidate = await atWork();
    const heal = await hang();
    await press(scene.page, 1);
    await press(scene.page, 1);
    await press(scene.page, 2);
    await shows(scene.page, 1, 'Finished');
    const other = await scene.browser.context.newPage();
    await scene.page.close();
    await openApply(other, scene.stage, candidate);
    await tasks(other);
    await shows(other, 1, 'Finished');
    await shows(other, 2, 'Started');
    expect(await recorded(candidate)).toEqual([]);
    await heal(other);
    await eventually(async () => (await recorded(candidate)).length >= 3);
    await eventually(async () => (await keptHere(other)) === 0);
    expect(await recorded(candidate)).toEqual(['ticket.started', 'ticket.finished', 'ticket.started']);
  });

  it('is shared by tabs: what one does the other shows at once, and a third browser from the service', async () => {
    const candidate = await atWork();
    const other = await scene.browser.context.newPage();
    await openApply(other, scene.stage, candidate);
    await tasks(other);
    await Promise.all([press(scene.page, 1), press(other, 2)]);
    await shows(other, 1, 'Started');
    await shows(scene.page, 2, 'Started');
    await press(other, 1);
    await shows(scene.page, 1, 'Finished');
    await eventually(async () => (await recorded(candidate)).length === 3);
    expect([...(await recorded(candidate))].sort()).toEqual([
      'ticket.finished',
      'ticket.started',
      'ticket.started',
    ]);
    const elsewhere = await openBrowser(WAIT_LIMIT_MS);
    try {
      const third = await elsewhere.context.newPage();
      await openApply(third, scene.stage, candidate);
      await signIn(third, scene.stage, candidate.email);
      await tasks(third);
      await shows(third, 1, 'Finished');
      await shows(third, 2, 'Started');
    } finally {
      await elsewhere.close();
    }
  });

  it('is not undone on the page by an answer that the service gave before', async () => {
    const candidate = await atWork();
    const other = await scene.browser.context.newPage();
    await openApply(other, scene.stage, candidate);
    await tasks(other);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    let asked = 0;
    await scene.page.route('**/briefing', async (route) => {
      const response = await route.fetch();
      if (++asked === 1) await released;
      await route.fulfill({ response });
    });
    await scene.page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
    await eventually(async () => asked === 1);
    await press(other, 1);
    await shows(scene.page, 1, 'Started');
    await eventually(async () => (await recorded(candidate)).length === 1);
    await eventually(async () => (await keptHere(other)) === 0);
    release();
    await eventually(async () => asked === 2);
    await shows(scene.page, 1, 'Started');
  });

  it('is sent when the tab closes, without a later reload', async () => {
    const candidate = await atWork();
    await press(scene.page, 3);
    await scene.page.close();
    await eventually(async () => (await recorded(candidate)).includes('ticket.started'));
  });

  it.each([409, 429, 500, 503])('is tried again after a failure that passes: %d', async (status) => {
    const candidate = await atWork();
    let failures = 0;
    await scene.browser.context.route('**/activity', async (route) => {
      if (++failures > 2) return route.continue();
      return route.fulfill({
        status,
        json: { error: 'Not now.', code: status === 409 ? 'conflict' : 'x', requestId: 'r' },
      });
    });
    await press(scene.page, 1);
    await eventually(async () => (await recorded(candidate)).length === 1);
    expect(failures).toBeGreaterThan(2);
    expect(await keptHere(scene.page)).toBe(0);
  });

  it('loses of a refused batch only what can never be recorded, and says so', async () => {
    const candidate = await atWork();
    const subject = await scene.page.evaluate<string>(`JSON.stringify(Object.keys(localStorage))`);
    expect(subject).not.toContain(candidate.email);
    const heal = await hang();
    await press(scene.page, 1);
    await press(scene.page, 2);
    // As a former build may have stored it: the service refuses such an event, and its whole batch.
    await scene.page.evaluate(`(() => {
      const [name, text] = Object.entries(localStorage).find(([key]) => key.includes('/activity/'));
      const bad = { ...JSON.parse(text), clientEventId: 'bad', eventType: 'Not a type!' };
      localStorage.setItem(name.replace(/[^/]+$/, 'bad'), JSON.stringify(bad));
    })()`);
    await heal(scene.page);
    await scene.page.getByText('The service cannot save one thing that you did.').waitFor();
    expect(await violations(scene.page)).toEqual([]);
    await eventually(async () => (await recorded(candidate)).length === 2);
    expect(await keptHere(scene.page)).toBe(0);
  });

  it('is not lost by signing out unseen, and is shown to no other person afterwards', async () => {
    const candidate = await atWork();
    const heal = await hang();
    for (const number of [1, 2, 3]) await press(scene.page, number);
    await scene.page.getByRole('button', { name: 'Sign out' }).click();
    const dialog = scene.page.getByRole('dialog');
    await dialog.getByText('3 things are not sent').waitFor();
    expect(await violations(scene.page)).toEqual([]);
    await scene.page.keyboard.press('Escape');
    await tasks(scene.page);
    expect(await keptHere(scene.page)).toBe(3);
    await scene.page.getByRole('button', { name: 'Sign out' }).click();
    await dialog.getByRole('button', { name: 'Sign out and lose them' }).click();
    await scene.page.getByText('You are signed out').waitFor();
    expect(
      await scene.page.evaluate('Object.keys(localStorage).filter((key) => key.includes("assay.of/"))'),
    ).toEqual([]);
    await heal(scene.page);
    expect(await recorded(candidate)).toEqual([]);
  });

  it('is never sent by another person’s sign-in, and waits for its own', async () => {
    const candidate = await atWork();
    const heal = await hang();
    await press(scene.page, 1);
    await scene.browser.context.clearCookies();
    const stranger = await scene.stage.started(role);
    const other = await scene.browser.context.newPage();
    await openApply(other, scene.stage, stranger);
    await scene.page.close();
    await heal(other);
    await signIn(other, scene.stage, stranger.email);
    await tasks(other);
    await other.waitForTimeout(5_000);
    expect([await recorded(candidate), await recorded(stranger)]).toEqual([[], []]);
    expect(await task(other, 1).getByText('Started', { exact: true }).isVisible()).toBe(false);
    await scene.browser.context.clearCookies();
    await openApply(other, scene.stage, candidate);
    await signIn(other, scene.stage, candidate.email);
    await tasks(other);
    await shows(other, 1, 'Started');
    await eventually(async () => (await recorded(candidate)).length === 1);
  });

  it('is sent by the sign-out if there is a connection', async () => {
    const candidate = await atWork();
    await press(scene.page, 1);
    await scene.page.getByRole('button', { name: 'Sign out' }).click();
    await scene.page.getByText('You are signed out').waitFor();
    expect(await recorded(candidate)).toEqual(['ticket.started']);
  });
});
