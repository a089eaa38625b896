import { expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import type { Candidate } from '../support/stage.js';
import { describeScene } from './scene.js';
import { answer, enterRoom, openApply, question, signIn, wrongBy } from './support.js';

const HOUR_MS = 3_600_000;
const TEXT = 'I wrote a failing test first, and then split the parser in two.';

describeScene('a device whose clock is wrong', (scene) => {
  const intoRoom = async (): Promise<Candidate> => {
    const candidate = await scene.stage.started(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    await signIn(scene.page, scene.stage, candidate.email);
    await enterRoom(scene.page);
    return candidate;
  };
  /** The minutes left, as the page has them somewhere. */
  const minutesLeft = async (): Promise<number> =>
    Number(/(\d+) minutes? left/.exec((await scene.page.locator('main').textContent()) ?? '')?.[1]);

  it.each([2 * HOUR_MS, -2 * HOUR_MS])(
    'by %d ms: sign-in, countdown and evidence go by the service’s time',
    async (ms) => {
      await scene.page.addInitScript(wrongBy(ms));
      const candidate = await intoRoom();
      expect(await minutesLeft()).toBeGreaterThanOrEqual(59);
      expect(await minutesLeft()).toBeLessThanOrEqual(60);
      expect(await answer(scene.page, TEXT)).toBe(true);
      await scene.page.reload();
      await question(scene.page).waitFor();
      expect(await minutesLeft()).toBeGreaterThanOrEqual(58);
      await scene.page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', 'some words');
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }));
      })()`);
      const pasted = await eventually(async () => {
        const { body } = await candidate.person.get('/me/export');
        return /"clipboard\.pasted"[^}]*\}[^}]*"occurredAt":"([^"]+)"/.exec(JSON.stringify(body))?.[1];
      });
      expect(Math.abs(Date.parse(pasted) - Date.now())).toBeLessThan(5 * 60_000);
    },
  );

  it.each([3 * HOUR_MS, -3 * HOUR_MS])(
    'that jumps by %d ms in the interview signs nobody out and changes no countdown',
    async (ms) => {
      await scene.page.addInitScript(wrongBy(0));
      await intoRoom();
      await scene.page.evaluate(`globalThis.jump(${ms})`);
      expect(await answer(scene.page, TEXT)).toBe(true);
      await scene.page.waitForTimeout(4_000);
      expect(await minutesLeft()).toBeGreaterThanOrEqual(58);
      expect(await minutesLeft()).toBeLessThanOrEqual(60);
      expect(await answer(scene.page, `${TEXT} Twice.`)).toBe(true);
      expect(await scene.page.getByText('You were signed out').isVisible()).toBe(false);
    },
  );
});
