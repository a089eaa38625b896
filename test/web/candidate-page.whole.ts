import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { disconnect } from '../../src/domain/session/interview-decider.js';
import { MAX_DURATION_MS } from '../../src/domain/session/time-limit.js';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { definition, LOGO } from '../support/organisation.js';
import { openBeside } from '../support/recorded-interview.js';
import { type Service, startService } from '../support/service.js';
import { openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import {
  answer,
  enterRoom,
  focusComesTo,
  mailedCode,
  openApply,
  outboxOf,
  overflow,
  WAIT_LIMIT_MS,
  question,
  signIn,
  tabTo,
  violations,
} from './support.js';

const TEXT = 'I wrote a failing test first, and then split the parser in two: 40 lines, 3 cases.';

interface Evidence {
  readonly organisations: readonly {
    readonly applications: readonly {
      readonly evidence: {
        readonly events: readonly { readonly eventType: string; readonly payload: unknown }[];
      };
    }[];
  }[];
}

describeInBrowser('a candidate in a browser', () => {
  let stage: Stage;
  /** Replaces the stage's own service, once that was killed. */
  let another: Service | null = null;
  let role: string;
  let browser: Browser;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    stage = await openStage();
    role = await stage.role('Backend engineer');
    browser = await openBrowser(WAIT_LIMIT_MS);
  });
  afterAll(async () => {
    await browser.close();
    await another?.stop();
    await stage.close();
  });

  const newPage = async (): Promise<Page> => {
    const opened = await browser.context.newPage();
    opened.on('pageerror', (error) => complaints.push(error.message));
    opened.on('console', (message) => {
      // A stranger's application is not found, and a browser reports what it could not load.
      if (message.type() === 'error' && !/status of 404|ERR_INTERNET_DISCONNECTED/.test(message.text()))
        complaints.push(message.text());
    });
    return opened;
  };
  beforeEach(async () => {
    complaints = [];
    await browser.context.clearCookies();
    page = await newPage();
  });
  afterEach(async () => {
    await page.evaluate('localStorage.clear()');
    await page.close();
    expect(complaints).toEqual([]);
  });

  /** Leads the page to the first question. */
  const intoRoom = async (): Promise<Awaited<ReturnType<Stage['candidate']>>> => {
    const candidate = await stage.started(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await enterRoom(page);
    return candidate;
  };

  /** Expects no finding of axe, in both colour schemes, and no overflow on a small phone or a screen at 400 %. */
  const isAccessible = async (): Promise<void> => {
    for (const [width, colorScheme] of [
      [1_280, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      expect(await violations(page)).toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
  };

  it('goes the whole way by keyboard alone, and the focus is never lost', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await page.getByRole('heading', { name: 'Your assessment' }).waitFor();
    await isAccessible();
    await tabTo(page, /^button Sign in/);
    await page.keyboard.press('Enter');
    await page.getByLabel('E-mail address').waitFor();
    await focusComesTo(page, /^input/);
    await isAccessible();
    await page.keyboard.type(candidate.email);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Enter the code' }).waitFor();
    await focusComesTo(page, /^input/);
    await isAccessible();
    await page.keyboard.type('12345');
    await page.keyboard.press('Enter');
    await page.getByText('Enter the 8 digits').waitFor();
    await isAccessible();
    expect(complaints.splice(0)).toEqual([expect.stringContaining('status of 400')]);
    await page.keyboard.press('Control+A');
    await page.keyboard.type(await mailedCode(stage, candidate.email));
    await page.keyboard.press('Enter');

    await page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' }).waitFor();
    await page.getByText('Example invites you.').waitFor();
    await focusComesTo(page, /^h1 Your assessment/);
    await isAccessible();
    await tabTo(page, /^button Start now/);
    await page.keyboard.press('Enter');
    await page.getByText('Tick the box first').waitFor();
    await focusComesTo(page, /^input/);
    await page.keyboard.press('Space');

    await tabTo(page, /^button Check microphone and sound/);
    await page.keyboard.press('Enter');
    await focusComesTo(page, /^h1 Check your sound$/);
    await isAccessible();
    await tabTo(page, /^button Test the connection/);
    await page.keyboard.press('Enter');
    await page.getByText(/answers take \d+ ms/).waitFor();
    await tabTo(page, /^button I’ll type instead/);
    await page.keyboard.press('Enter');
    await focusComesTo(page, /^h1 Your assessment/);

    await tabTo(page, /^button Practise with one question/);
    await page.keyboard.press('Enter');
    await isAccessible();
    await page.keyboard.type('An answer to practise with.');
    await page.keyboard.press('Control+Enter');
    await page.getByText('Nothing was stored.').waitFor();
    await tabTo(page, /^button Continue/);
    await page.keyboard.press('Enter');

    await tabTo(page, /^input/);
    await page.keyboard.press('Space');
    await tabTo(page, /^button Start now/);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
    await focusComesTo(page, /^h1 Your tasks$/);
    await isAccessible();
    await tabTo(page, /^button Go to the interview/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await isAccessible();
    await page.keyboard.press('Escape');
    await focusComesTo(page, /^button Go to the interview$/);
    await page.keyboard.press('Enter');
    await tabTo(page, /^button Start the interview/);
    await page.keyboard.press('Enter');

    await question(page).waitFor();
    await isAccessible();
    const over = page.getByRole('heading', { level: 1, name: 'Thank you' });
    for (let turn = 1; ; turn += 1) {
      const asked = await question(page).innerText();
      await tabTo(page, /^textarea/);
      await page.keyboard.type(`${TEXT} (${turn})`);
      await page.keyboard.press('Control+Enter');
      await question(page).filter({ hasNotText: asked }).or(over).first().waitFor();
      if (await over.isVisible()) break;
      if (turn > 1) continue;
      await page.getByText('Saved').waitFor();
      await page.getByText('Earlier questions (1)').click();
      await isAccessible();
    }
    await focusComesTo(page, /^h1 Thank you/);
    await isAccessible();
    const { body } = await candidate.person.get(candidate.session);
    expect(body).toMatchObject({ status: 'completed' });

    const downloaded = page.waitForEvent('download');
    await tabTo(page, /^button Download my data/);
    await page.keyboard.press('Enter');
    expect((await downloaded).suggestedFilename()).toBe('assay-my-data.json');
    await page.getByText('The file was downloaded.').waitFor();
  });

  it('comes by the link of the mail, and signs out for good', async () => {
    const candidate = await stage.candidate(role);
    await eventually(async () => (await outboxOf(stage, candidate.email)).length > 0);
    await page.goto(`${stage.service.url}/outbox`);
    await page.getByRole('link', { name: candidate.applicationId }).click();
    await signIn(page, stage, candidate.email);
    await page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    // As for the next person at this browser.
    await page.evaluate('localStorage.clear()');
    await openApply(page, stage, candidate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').waitFor();
  });

  it('prepares before it starts: what is expected, then sound check and practice, then the consent', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    const start = page.getByRole('button', { name: 'Start now' });
    await start.waitFor();
    const shown = await page.locator('main').innerText();
    const places = ['What to expect', 'Check microphone and sound', 'Practise with', 'Start now'].map(
      (text) => shown.toLowerCase().indexOf(text.toLowerCase()),
    );
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((one, other) => one - other));
  });

  it('goes back by the browser to the step before, in each step, and not out of the assessment', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    const isAt = (step: string) =>
      page.getByRole('navigation').locator('[aria-current=step]', { hasText: step }).waitFor();
    const choose = async (step: string) => {
      await page.getByRole('navigation').getByRole('button', { name: step }).click();
      await isAt(step);
    };
    await isAt('Welcome');
    await choose('Sound check');
    await choose('Practice');
    await page.goBack();
    await isAt('Sound check');
    await page.goBack();
    await isAt('Welcome');
    await page.goForward();
    await isAt('Sound check');
    // After a reload too.
    await page.reload();
    await isAt('Sound check');
    await page.goBack();
    await isAt('Welcome');
    await choose('Practice');
    await choose('Welcome');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start now' }).click();
    await isAt('Tasks');
    await page.goBack();
    await isAt('Practice');
    // A step that is over: the current one stays.
    await page.goBack();
    await isAt('Practice');
    await choose('Tasks');
    await enterRoom(page);
    await question(page).waitFor();
    await page.goBack();
    await isAt('Tasks');
    await page.getByText('You have begun the interview.').waitFor();
    await page.goForward();
    await question(page).waitFor();
    await page.getByRole('button', { name: 'End the interview' }).click();
    await page.getByRole('button', { name: 'End it now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
  });

  it('shows a task that a large briefing leaves out once it is asked for', async () => {
    const ids: string[] = [];
    for (let at = 1; at <= 34; at += 1) {
      // Characters of four bytes: 32 such tasks fill a briefing.
      const ticket = {
        title: `Task of many ${at}`,
        description: `Words of ${at}. ${'\u{1F4A1}'.repeat(7_980)}`,
      };
      ids.push((await stage.owner.post<{ id: string }>(stage.at('/tickets'), ticket)).body.id);
    }
    const body = { ...definition(), name: 'Many tasks', ticketIds: ids };
    const { id } = (await stage.owner.post<{ id: string }>(stage.at('/roles'), body)).body;
    const candidate = await stage.started(id);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    const last = page.getByRole('region', { name: 'Task of many 34' });
    const show = last.getByRole('button', { name: 'Show this task' });
    await show.waitFor();
    expect(await page.getByText('Words of 1.').count()).toBe(1);
    await page.route('**/tickets/*', (route) => route.fulfill({ status: 404, body: '{}' }));
    await show.click();
    await last.getByText('The task could not be loaded.').waitFor();
    await page.unroute('**/tickets/*');
    await show.click();
    await last.getByText('Words of 34.').waitFor();
    expect(await show.count()).toBe(0);
    expect(await last.getByText('could not be loaded').count()).toBe(0);
    expect(await violations(page)).toEqual([]);
  });

  it('says nothing of others to a stranger', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, (await stage.candidate(role)).email);
    await page.getByRole('heading', { name: 'We can’t find this assessment' }).waitFor();
    const foreign = await page.locator('main').innerText();
    await isAccessible();
    await page.goto(`${stage.service.url}/apply/no-such-application`);
    await page.getByRole('heading', { name: 'We can’t find this assessment' }).waitFor();
    expect(await page.locator('main').innerText()).toBe(foreign);
    expect(foreign).not.toMatch(/Backend|Example|candidate/);
  });

  it('reloads in mid-word, signed in and with the word', async () => {
    await intoRoom();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('I was just sayi');
    const asked = await question(page).innerText();
    await page.reload();
    await question(page).filter({ hasText: asked }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Your answer' }).inputValue()).toBe('I was just sayi');
    expect(await answer(page, TEXT)).toBe(true);
  });

  it('is offline for 30 s in mid-word and loses nothing', async () => {
    const candidate = await intoRoom();
    const asked = await question(page).innerText();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Into the tunnel, ');
    await browser.context.setOffline(true);
    await page.getByText('No connection.').waitFor();
    await page.waitForTimeout(30_000);
    await page.getByText('Reconnecting').waitFor();
    await isAccessible();
    await page.getByRole('textbox', { name: 'Your answer' }).press('End');
    await page.keyboard.type('and out of it.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
    await browser.context.setOffline(false);
    await question(page).filter({ hasNotText: asked }).waitFor();
    await page.getByText('Saved').waitFor();
    // The export is read without a token: its view may follow a moment later.
    await eventually(async () => {
      const { body } = await candidate.person.get<Evidence>('/me/export');
      return JSON.stringify(body).includes('Into the tunnel, and out of it.');
    });
  });

  it('is told the day on which the work began, which may be another day', async () => {
    const candidate = await stage.started(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    const year = new Date().getFullYear();
    await page.getByText(new RegExp(`^Started on [A-Z][a-z]+ \\d{1,2}, ${year} at \\d`)).waitFor();
  });

  it('goes back to a sign-in that has succeeded, and is not told that it has failed', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'This sign-in has ended' }).waitFor();
    await isAccessible();
    complaints = complaints.filter((one) => !one.includes('status of 400'));
    await page.goForward();
    await page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' }).waitFor();
  });

  it('loads a page that answers a form again, and goes back to it, and the browser asks nothing', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(candidate.email);
    await page.getByRole('button', { name: 'Send me a code' }).click();
    const enterWrongly = async (code: string, says: string) => {
      await page.getByLabel('Code from the e-mail').fill(code);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText(says).waitFor();
    };
    await enterWrongly('1', 'Enter the 8 digits');
    await page.reload();
    await page.getByText('Enter the 8 digits').waitFor();
    await isAccessible();
    await page.goto(`${stage.service.url}/candidate/sign-out`);
    await page.goBack();
    await page.getByText('Enter the 8 digits').waitFor();
    await enterWrongly('2', 'Enter the 8 digits');
    complaints = complaints.filter((one) => !one.includes('status of 400'));
  });

  it('continues in a second tab, and then in the first again', async () => {
    const candidate = await intoRoom();
    const second = await newPage();
    await openApply(second, stage, candidate);
    await second.getByRole('button', { name: 'Go to the interview' }).click();
    await page.getByText('opened in another tab').waitFor();
    await isAccessible();
    expect(await answer(second, TEXT)).toBe(true);
    await page.getByRole('button', { name: 'Continue here' }).click();
    await page.getByText('Earlier questions (1)').waitFor();
    await second.getByText('opened in another tab').waitFor();
    await second.close();
  });

  it('is told that an interview has begun, wherever the link is opened again, and not asked to start it', async () => {
    const begun = 'You have begun the interview. Your time runs from the first question on.';
    const goBack = async (from: Page) => {
      await from.getByText(begun).waitFor();
      await from.getByRole('button', { name: 'Go to the interview' }).click();
      await question(from).waitFor();
      expect(await from.getByRole('dialog').count()).toBe(0);
    };
    const candidate = await intoRoom();
    const second = await newPage();
    await openApply(second, stage, candidate);
    await goBack(second);
    await second.close();

    // In a browser without the interview: the service has lost the connection to another device.
    await page.evaluate(
      `localStorage.removeItem(Object.keys(localStorage).find((key) => key.includes('/step.')))`,
    );
    const third = await newPage();
    await third.route(/\/applications\/[^/]+$/, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace('"status":"started"', '"status":"interrupted"');
      await route.fulfill({ response, body });
    });
    await openApply(third, stage, candidate);
    await goBack(third);
    await third.close();
  });

  it('is notified if staff withdraw the application meanwhile', async () => {
    const candidate = await intoRoom();
    await stage.owner.post(`${candidate.application}/cancel`, {});
    await page.getByRole('heading', { level: 1, name: 'This assessment was withdrawn' }).waitFor();
    await isAccessible();
  });

  it('reports what is hidden and pasted, and no text of it', async () => {
    const candidate = await intoRoom();
    const field = page.getByRole('textbox', { name: 'Your answer' });
    await field.focus();
    await page.evaluate(`(() => {
      const data = new DataTransfer();
      data.setData('text/plain', 'secret words');
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
    })()`);
    await page.waitForResponse(
      (response) => response.url().endsWith('/activity') && response.status() === 202,
    );
    const pasted = await eventually(async () => {
      const { body } = await candidate.person.get<Evidence>('/me/export');
      return body.organisations
        .flatMap(({ applications }) => applications.flatMap(({ evidence }) => evidence.events))
        .find(({ eventType }) => eventType === 'clipboard.pasted');
    });
    expect(pasted.payload).toEqual({ characters: 12, nonBlankCharacters: 11 });
  });

  it('is brought to the end when the time is over, and all that was sent is kept', async () => {
    const candidate = await intoRoom();
    expect(await answer(page, TEXT)).toBe(true);
    const beside = await openBeside(stage.service.dataDir);
    // As another process records it for a lost connection, late in the interview.
    await beside.record(candidate.sessionId, (session) =>
      disconnect(session, {
        connectionId: session?.interview?.connection.connectionId ?? '',
        code: null,
        waited: null,
        elapsedMs: MAX_DURATION_MS - 5_000,
      }),
    );
    await beside.close();
    await page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    await isAccessible();
    const { body } = await candidate.person.get<Evidence>('/me/export');
    expect(JSON.stringify(body)).toContain(TEXT);
    const { events } = body.organisations[0]!.applications.at(-1)!.evidence;
    expect(events.filter(({ eventType }) => eventType === 'interview.ended')).toMatchObject([
      { payload: { reason: 'time_limit' } },
    ]);
  });

  it('continues if the process is killed in mid-word and another one answers', async () => {
    const candidate = await intoRoom();
    const asked = await question(page).innerText();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Before the crash, ');
    const { pid, port, dataDir } = stage.service;
    process.kill(pid, 'SIGKILL');
    await stage.service.ended();
    await page.getByText('Reconnecting').waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).press('End');
    await page.keyboard.type('and after it.');
    await page.getByRole('button', { name: 'Send the answer' }).click();
    const env = { RATE_LIMITS: 'off', LOG_LEVEL: 'warn', PORT: `${port}` };
    another = await startService({ dataDir, env });
    await question(page).filter({ hasNotText: asked }).waitFor();
    await page.getByText('Saved').waitFor();
    expect(await answer(page, TEXT)).toBe(true);
    const { body } = await candidate.person.get<Evidence>('/me/export');
    expect(JSON.stringify(body)).toContain('Before the crash, and after it.');
    // A browser reports what the process cut off, what none accepted, and what the next one answered as it started.
    const lost = /ERR_CONNECTION_(RESET|REFUSED)|status of 503/;
    const others = complaints.splice(0).filter((one) => !lost.test(one));
    expect(others).toEqual([]);
  });

  it('shows the logo of the organisation that invites, once signed in', async () => {
    await stage.owner.put(stage.at('/logo'), { data: LOGO });
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await page.getByRole('banner').getByRole('img', { name: 'Example' }).waitFor();
    await eventually(async () => (await page.evaluate(`document.querySelector('.logo').naturalWidth`)) === 1);
    await isAccessible();
    await stage.owner.delete(stage.at('/logo'));
  });

  it('reads the page in German', async () => {
    const candidate = await stage.candidate(role);
    await openApply(page, stage, candidate);
    await page.getByLabel('Language').selectOption('de');
    await page.getByRole('button', { name: 'Anmelden' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    await isAccessible();
  });
});
