import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, openBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { describeInBrowser } from './scene.js';
import {
  answer,
  enterRoom,
  focused,
  openApply,
  overflow,
  WAIT_LIMIT_MS,
  question,
  signIn,
  violations,
} from './support.js';

const DRAFT = 'I had only begun to write this down.';

/** Fake recognisers and a fake voice, with behaviour that was reported of browsers. */
const SPEECH = `{
  globalThis.recognisers = [];
  globalThis.SpeechRecognition = globalThis.webkitSpeechRecognition = class {
    start() { recognisers.push(this); }
    stop() { this.stopped = true; }
    abort() {}
    hear(...said) {
      const results = said.map(([transcript, isFinal]) => Object.assign([{ transcript }], { isFinal }));
      this.onresult?.({ resultIndex: 0, results });
    }
    end(error) { if (error) this.onerror?.({ error }); this.onend?.(); }
  };
  globalThis.utterances = [];
  Object.defineProperty(globalThis, 'speechSynthesis', { value: {
    speaking: false, pending: false, getVoices: () => [], resume() {},
    speak(one) { utterances.push(one); this.speaking = true; },
    cancel() { this.speaking = false; },
  } });
}`;

describeInBrowser('a candidate in the interview', () => {
  let stage: Stage;
  let role: string;
  let browser: Browser;
  let page: Page;
  let candidate: Candidate;

  beforeAll(async () => {
    stage = await openStage();
    role = await stage.role('Backend engineer');
    browser = await openBrowser(WAIT_LIMIT_MS);
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
  });
  beforeEach(async () => {
    await browser.context.clearCookies();
    page = await browser.context.newPage();
    await page.addInitScript(SPEECH);
    candidate = await stage.started(role);
  });
  afterEach(async () => {
    await page.evaluate('localStorage.clear()');
    await page.close();
  });

  const intoRoom = async (): Promise<void> => {
    await openApply(page, stage, candidate);
    await signIn(page, stage, candidate.email);
    await enterRoom(page);
  };
  const field = () => page.getByRole('textbox', { name: 'Your answer' });
  const send = () => page.getByRole('button', { name: 'Send the answer' });
  const over = () => page.getByRole('heading', { level: 1, name: 'Thank you' });
  /** Changes the service's next `session.ready`, so that the page has so much time left. */
  const endsIn = async (leftMs: number): Promise<void> => {
    const expiresAt = new Date(Date.now() + leftMs).toISOString();
    await page.routeWebSocket(/\/socket/, (route) => {
      const server = route.connectToServer();
      server.onMessage((message) => {
        const told = typeof message === 'string' ? (JSON.parse(message) as object) : null;
        const isReady = told !== null && 'type' in told && told.type === 'session.ready';
        route.send(isReady ? JSON.stringify({ ...told, expiresAt }) : message);
      });
    });
    await page.reload();
    await question(page).waitFor();
  };
  /** Waits from outside: the page's policy allows no script of a test that waits. */
  const comes = (what: string): Promise<boolean> => eventually(() => page.evaluate<boolean>(what));
  const evidence = async (): Promise<string> => {
    const { body } = await candidate.person.get('/me/export');
    return JSON.stringify(body);
  };

  describe('sees every refusal', () => {
    it('before it is sent: what is too long in bytes stays, and says by how much', async () => {
      await intoRoom();
      await field().fill('ш'.repeat(9_000));
      await page.getByText('too long to send, by 808 characters').waitFor();
      const asked = await question(page).innerText();
      await send().click();
      await page.waitForTimeout(1_500);
      expect(await question(page).innerText()).toBe(asked);
      expect(await field().inputValue()).toHaveLength(9_000);
      expect(await violations(page)).toEqual([]);
      await field().fill('x'.repeat(200_000));
      expect(await field().inputValue()).toHaveLength(200_000);
      await field().fill(`${'ш'.repeat(8_191)}\ud800`);
      expect(await page.getByText('too long to send').count()).toBe(1);
      await field().fill(`${'ш'.repeat(8_190)}\ud800`);
      await send().click();
      await question(page).filter({ hasNotText: asked }).waitFor();
      await page.getByText('Earlier questions (1)').click();
      await page.getByText('Correct or add something').click();
      await page.getByRole('textbox', { name: 'Your correction' }).fill('"'.repeat(16_200));
      await page.getByText('too long to send, by 73 characters').waitFor();
    });

    it('before it is sent: with the figure as the language of the page writes it, whatever the browser’s is', async () => {
      await intoRoom();
      await field().fill('x'.repeat(20_000));
      await page.getByText('by 3,616 characters').waitFor();
      await page.getByLabel('Language').selectOption('Deutsch');
      await page.getByText('3.616 Zeichen').waitFor();
    });

    it('of the service: of an answer, a skip, a correction and the end, and loses no text', async () => {
      const refused = new Set<string>();
      await page.routeWebSocket(/\/socket/, (route) => {
        const server = route.connectToServer();
        route.onMessage((message) => {
          const { type, id } =
            typeof message === 'string' ? (JSON.parse(message) as Record<string, string>) : {};
          if (type !== undefined && refused.has(type))
            route.send(
              JSON.stringify({ type: 'error', code: 'session_full', error: 'Full.', fatal: false, id }),
            );
          else server.send(message);
        });
      });
      await intoRoom();
      expect(await answer(page, 'The first answer.')).toBe(true);
      for (const type of ['message.text', 'turn.skip', 'session.end']) refused.add(type);
      await field().fill(DRAFT);
      await send().click();
      await page.getByText('Your answer was not saved').waitFor();
      await page.getByText('Not everything was saved').waitFor();
      expect(await field().inputValue()).toBe(DRAFT);
      await page.getByRole('button', { name: 'Skip this question' }).click();
      await page.getByText('The question could not be skipped').waitFor();
      await page.getByText('Earlier questions (1)').click();
      await page.getByText('Correct or add something').click();
      await page.getByRole('textbox', { name: 'Your correction' }).fill('A correction.');
      await page.getByRole('button', { name: 'Send the correction' }).click();
      await page.getByText('Your correction was not saved').waitFor();
      expect(await page.getByRole('textbox', { name: 'Your correction' }).inputValue()).toBe('A correction.');
      await page.getByRole('button', { name: 'End the interview' }).click();
      await page.getByRole('button', { name: 'End without sending it' }).click();
      await page.getByText('The interview could not be ended').waitFor();
      expect(await violations(page)).toEqual([]);
      refused.clear();
      const asked = await question(page).innerText();
      await send().click();
      await question(page).filter({ hasNotText: asked }).waitFor();
      expect(await page.getByText('Your answer was not saved').count()).toBe(0);
    });
  });

  it('waits for no session that is gone: after an erasure the page says that there is none', async () => {
    await intoRoom();
    await question(page).waitFor();
    await stage.owner.post(stage.at(`/applications/${candidate.applicationId}/erasure`));
    await page.getByRole('heading', { level: 1, name: 'We can’t find this assessment' }).waitFor();
  });

  it('skips a question: the next one comes, and the skipped one says so', async () => {
    await intoRoom();
    const asked = await question(page).innerText();
    await page.getByRole('button', { name: 'Skip this question' }).click();
    await question(page).filter({ hasNotText: asked }).waitFor();
    await page.getByText('Earlier questions (1)').click();
    await page.getByText('Skipped', { exact: true }).waitFor();
    expect(await page.locator('.kind').innerText()).toMatch(/^Question 2 of \d+$/);
    expect(await question(page).getAttribute('lang')).toBe('en');
  });

  it('has each question marked as in its own language, where the page is read in another', async () => {
    await intoRoom();
    expect(await answer(page, 'I wrote a failing test first, and split it: 2 files.')).toBe(true);
    await page.getByLabel('Language').selectOption('de');
    await page
      .getByRole('button', { name: 'Antwort senden' })
      .or(page.getByText('Frühere Fragen'))
      .first()
      .waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    const asked = await page.locator('h2.question, .former h3').all();
    const marked = await Promise.all(asked.map((one) => one.getAttribute('lang')));
    expect(marked).toEqual(['en', 'en']);
    expect(await violations(page)).toEqual([]);
  });

  describe('has the recogniser of a browser as it is', () => {
    const listen = async (): Promise<void> => {
      await intoRoom();
      await field().fill('Typed first.');
      await page.getByRole('button', { name: 'Answer by voice' }).click();
    };

    it('whose finals grow, and which ends by itself', async () => {
      await listen();
      await page.evaluate(`recognisers[0].hear(['I wrote', true], ['I wrote a test', true])`);
      expect(await field().inputValue()).toBe('Typed first. I wrote a test');
      await page.evaluate(`recognisers[0].end('no-speech')`);
      await comes('recognisers.length === 2');
      await page.evaluate(`recognisers[1].hear(['and a fix', true]); recognisers[1].end()`);
      await comes('recognisers.length === 3');
      expect(await field().inputValue()).toBe('Typed first. I wrote a test and a fix');
      await page.getByText('Listening …').waitFor();
      await page.evaluate(`recognisers[2].end('not-allowed')`);
      await page.getByText('is blocking speech recognition').waitFor();
      expect(await page.getByText('Listening …').count()).toBe(0);
    });

    it('and sends the last words that it showed, though their end never comes', async () => {
      await listen();
      const asked = await question(page).innerText();
      await page.evaluate(`recognisers[0].hear(['I wrote', true], [' a test', false])`);
      await page.locator('.caption').filter({ hasText: 'a test' }).waitFor();
      await send().click();
      await question(page).filter({ hasNotText: asked }).waitFor();
      await page.getByText('Earlier questions (1)').click();
      await page.getByText('Typed first. I wrote a test', { exact: true }).waitFor();
    });

    it('which hears the loudspeaker too: it never listens while the question is read aloud', async () => {
      await intoRoom();
      const stop = page.getByRole('button', { name: 'Stop audio' });
      const listening = page.getByText('Listening …');
      await stop.waitFor();
      await page.getByRole('button', { name: 'Answer by voice' }).click();
      await listening.waitFor();
      expect(await stop.count()).toBe(0);
      expect(await page.evaluate('speechSynthesis.speaking')).toBe(false);
      await page.evaluate(`recognisers[0].hear(['I wrote a test', true])`);
      await page.getByRole('button', { name: 'Read the question again' }).click();
      await comes('recognisers[0].stopped');
      await page.evaluate(`recognisers[0].end()`);
      await listening.waitFor({ state: 'hidden' });
      await stop.waitFor();
      await page.evaluate(`recognisers[0].hear(['I wrote a test', true], [' how did you find', true])`);
      expect(await field().inputValue()).toBe('I wrote a test');
      expect(await page.evaluate('recognisers.length')).toBe(1);
    });

    it('which hears the loudspeaker too: nor does it listen to it in the practice', async () => {
      await openApply(page, stage, candidate);
      await signIn(page, stage, candidate.email);
      await page.getByRole('button', { name: 'Practice' }).click();
      const listening = page.getByText('Listening …');
      for (const runs of [1, 2]) {
        await page.getByRole('button', { name: 'Answer by voice' }).click();
        await listening.waitFor();
        expect(await page.evaluate('speechSynthesis.speaking')).toBe(false);
        await page.getByRole('button', { name: 'Read questions aloud' }).click();
        await comes(`recognisers.at(-1).stopped`);
        await page.evaluate(`recognisers.at(-1).end()`);
        await listening.waitFor({ state: 'hidden' });
        expect(await page.evaluate('recognisers.length')).toBe(runs);
      }
    });

    it('and a voice that never ends, or whose late error is of the one before', async () => {
      await intoRoom();
      const stop = page.getByRole('button', { name: 'Stop audio' });
      await stop.waitFor();
      await page.evaluate('globalThis.first = utterances.at(-1); globalThis.late = first.onerror');
      await stop.click();
      await page.getByRole('button', { name: 'Read the question again' }).click();
      await comes('utterances.at(-1) !== first');
      await page.evaluate(`first.onerror?.(new Event('error')); late?.call(first, new Event('error'))`);
      await page.waitForTimeout(500);
      expect(await stop.isVisible()).toBe(true);
      await stop.waitFor({ state: 'hidden' });
    });
  });

  describe('loses nothing at the end of the time', () => {
    it('when the service ends it: what is typed is sent before', async () => {
      await intoRoom();
      expect(await answer(page, 'The first answer.')).toBe(true);
      const asked = await question(page).innerText();
      await endsIn(25_000);
      await field().fill(DRAFT);
      await page.getByText('Earlier questions (1)').click();
      await page.getByText('Correct or add something').click();
      await page.getByRole('textbox', { name: 'Your correction' }).fill('And a correction.');
      await page.getByText('will be sent in a few seconds').waitFor();
      await question(page).filter({ hasNotText: asked }).waitFor();
      await field().fill('What I wrote after that.');
      const all = [DRAFT, 'And a correction.', 'What I wrote after that.'];
      await eventually(async () => {
        const sent = await evidence();
        return all.every((text) => sent.includes(text));
      });
    });

    it('when it ends by hand: the page asks, and sends it first', async () => {
      await intoRoom();
      await field().fill(DRAFT);
      await page.getByRole('button', { name: 'End the interview' }).click();
      expect(await focused(page)).toBe('button Continue the interview');
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Send it and end' }).click();
      await over().waitFor();
      await eventually(async () => (await evidence()).includes(DRAFT));
    });

    it.each(['its receipt was cut off', 'the page was loaded again before its receipt'])(
      'is told of what was sent last as it was recorded, though %s',
      async (how) => {
        for (const reaches of [true, false]) {
          if (!reaches) candidate = await stage.started(role);
          let sent = false;
          let cut: () => void = () => undefined;
          await page.routeWebSocket(/\/socket/, (route) => {
            const server = route.connectToServer();
            cut = () => void route.close({ code: 1011 });
            route.onMessage((message) => {
              sent ||= String(message).includes(DRAFT);
              if (!sent || reaches) server.send(message);
            });
            server.onMessage((message) => {
              if (!sent) route.send(message);
            });
          });
          if (!reaches) await page.evaluate('localStorage.clear(), sessionStorage.clear()');
          await browser.context.clearCookies();
          await intoRoom();
          await field().fill(DRAFT);
          await send().click();
          await eventually(() => Promise.resolve(sent));
          if (reaches) await eventually(async () => (await evidence()).includes(DRAFT));
          await candidate.person.post(`${candidate.session}/complete`);
          if (how.includes('again')) await page.reload();
          else cut();
          await over().waitFor();
          expect(await page.getByText(DRAFT).count()).toBe(reaches ? 0 : 1);
        }
      },
    );

    it('shows no text as unsent that was sent in several messages', async () => {
      await intoRoom();
      const long = `${'ш'.repeat(5_000)} ${'ж'.repeat(5_000)}`;
      await field().fill(long);
      await page.getByRole('button', { name: 'End the interview' }).click();
      await page.getByRole('button', { name: 'Send it and end' }).click();
      await over().waitFor();
      await eventually(async () => {
        const sent = await evidence();
        return ['ш'.repeat(5_000), 'ж'.repeat(1_000)].every((text) => sent.includes(text));
      });
      expect(await page.getByRole('heading', { name: 'Not sent' }).count()).toBe(0);
      await page.reload();
      await over().waitFor();
      expect(await page.getByRole('heading', { name: 'Not sent' }).count()).toBe(0);
    });

    it('or keeps it and shows it, until the sign-out', async () => {
      await intoRoom();
      const asked = await question(page).innerText();
      await field().fill(DRAFT);
      await page.getByRole('button', { name: 'End the interview' }).click();
      await page.getByRole('button', { name: 'End without sending it' }).click();
      await over().waitFor();
      await page.getByRole('heading', { name: 'Not sent' }).waitFor();
      // By its question, not by a number: follow-ups are turns too.
      await page.getByRole('heading', { name: asked }).waitFor();
      await page.getByText(DRAFT).waitFor();
      expect(await page.getByText('Everything is saved').count()).toBe(0);
      expect(await violations(page)).toEqual([]);
      await page.reload();
      await page.getByText(DRAFT).waitFor();
      await page.getByRole('heading', { name: asked }).waitFor();
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign out and lose them' }).click();
      await page.getByRole('button', { name: 'Sign in' }).waitFor();
      const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');
      expect(kept).not.toContain(DRAFT);
    });
  });

  describe('who cannot see it', () => {
    it('has the time at any moment, and is warned once at each mark, also if it is hidden', async () => {
      await intoRoom();
      const timer = page.getByRole('timer');
      expect(await timer.innerText()).toMatch(/^(60|59) minutes left$/);
      await page.getByRole('button', { name: 'Hide the time' }).click();
      expect(await timer.count()).toBe(1);
      await endsIn(5 * 60_000 + 12_000);
      await page.getByText('You have 6 minutes for the rest').waitFor();
      await page.getByText('You have 5 minutes for the rest').waitFor();
      expect(await timer.innerText()).toBe('5 minutes left');
      expect(await violations(page)).toEqual([]);
    });

    it('reaches every button of what asks before it destroys at 400 %', async () => {
      await page.setViewportSize({ width: 320, height: 256 });
      await intoRoom();
      await field().fill(DRAFT);
      await page.getByRole('button', { name: 'End the interview' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      const ways = await dialog.getByRole('button').all();
      expect(ways).toHaveLength(3);
      for (const way of ways) {
        await way.scrollIntoViewIfNeeded();
        const { x, y, width, height } = (await way.boundingBox())!;
        expect([x, y].every((edge) => edge >= 0)).toBe(true);
        expect([x + width <= 320, y + height <= 256]).toEqual([true, true]);
        const seen = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})?.textContent`;
        expect(await page.evaluate<string>(seen)).toBe(await way.innerText());
      }
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.getByRole('button', { name: 'Continue the interview' }).click();
      await dialog.waitFor({ state: 'hidden' });
    });

    it('finds the question on the first screen at 400 %, and every button', async () => {
      await page.setViewportSize({ width: 320, height: 256 });
      await intoRoom();
      for (let turn = 1; turn <= 2; turn += 1) {
        await page.waitForTimeout(300);
        expect(
          await page.evaluate<boolean>(
            `(() => { const { top } = document.querySelector('h2.question').getBoundingClientRect(); return top >= 0 && top < innerHeight - 40; })()`,
          ),
        ).toBe(true);
        expect(
          await page.evaluate<boolean>(
            `document.activeElement.closest('[aria-live], [role=status]') === null`,
          ),
        ).toBe(true);
        const covered = await page.evaluate<
          string[]
        >(`[...document.querySelectorAll('button, textarea, summary')]
          .filter((one) => one.checkVisibility())
          .filter((one) => {
            one.scrollIntoView({ block: 'nearest' });
            const { left, top, width, height } = one.getBoundingClientRect();
            const seen = document.elementFromPoint(left + width / 2, Math.min(top + height / 2, innerHeight - 2));
            return !(one.contains(seen) || seen?.contains(one));
          })
          .map((one) => one.textContent)`);
        expect(covered).toEqual([]);
        expect(await overflow(page)).toBeLessThanOrEqual(0);
        if (turn === 1)
          expect(await answer(page, 'I wrote a failing test first, and split it: 2 files.')).toBe(true);
      }
    });
  });
});
