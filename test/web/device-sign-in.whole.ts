import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { askForDeviceCode, tokensOf } from '../support/device-sign-in.js';
import { describeScene } from './scene.js';
import { focused, mailedCode, overflow, violations } from './support.js';

describeScene('the sign-in of a program, in a browser', (scene) => {
  /** Expects no finding of axe, and no overflow, on a wide light screen and on a small dark one. */
  const isWell = async (page: Page): Promise<void> => {
    for (const [width, colorScheme] of [
      [1_000, 'light'],
      [320, 'dark'],
    ] as const) {
      await page.setViewportSize({ width, height: 640 });
      await page.emulateMedia({ colorScheme });
      expect([page.url(), width, await violations(page)]).toEqual([page.url(), width, []]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
    }
  };

  it('goes by the keyboard alone, from a wrong code to the end', async () => {
    const { page, stage, role } = scene;
    const { email } = await stage.started(role);
    const issuer = `${stage.service.url}/candidate`;
    const { device_code: device, user_code: code } = await askForDeviceCode(issuer);
    const type = async (label: string, text: string): Promise<void> => {
      const field = page.getByRole('textbox', { name: label });
      await field.waitFor();
      await page.keyboard.type(text);
      expect(await field.inputValue()).toBe(text);
      await page.keyboard.press('Enter');
    };
    await page.goto(`${issuer}/device`);
    await isWell(page);
    await type('Code from the terminal', 'BBBB-BBBB');
    await page.getByRole('alert').getByText('This code is wrong or has expired.').waitFor();
    await isWell(page);
    await type('Code from the terminal', code.toLowerCase().replace('-', ' '));
    await type('E-mail address', email);
    await type('Code from the e-mail', await mailedCode(stage, email));
    await page.getByText(code).waitFor();
    await isWell(page);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('button Yes, I started it');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Go back to your terminal.').waitFor();
    await isWell(page);
    expect((await tokensOf(issuer, { device })).id_token).toBeDefined();
  });
});
