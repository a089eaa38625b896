import { expect, it } from '@jest/globals';
import type { Candidate } from '../support/stage.js';
import { describeScene } from './scene.js';
import { openApply, signIn, violations } from './support.js';

const SIGN_OUT = '**/candidate/sign-out';

describeScene('a sign-out', (scene) => {
  const button = (name: string, on = scene.page) => on.getByRole('button', { name, exact: true });
  const signedIn = async (): Promise<Candidate> => {
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    await signIn(scene.page, scene.stage, candidate.email);
    await button('Sign out').waitFor();
    return candidate;
  };
  const unreached = () => scene.page.getByRole('heading', { level: 1, name: 'You are not fully signed out' });

  it.each(['answers 503', 'breaks', 'never answers'])(
    'that %s is not called done, is made good by "Try again", and lets nobody in meanwhile',
    async (fault) => {
      const candidate = await signedIn();
      await scene.browser.context.route(SIGN_OUT, async (route) => {
        if (fault === 'answers 503') await route.fulfill({ status: 503, json: {} });
        else if (fault === 'breaks') await route.abort();
      });
      await button('Sign out').click();
      await unreached().waitFor();
      expect(await scene.page.getByText('You are signed out').isVisible()).toBe(false);
      expect(await scene.page.locator('body').innerText()).not.toContain(candidate.email);
      expect(await violations(scene.page)).toEqual([]);
      // The next person opens the link, in this tab or another one.
      const next = await scene.browser.context.newPage();
      await openApply(next, scene.stage, candidate);
      await next.getByText('You are not fully signed out').waitFor();
      expect(await next.locator('body').innerText()).not.toContain('Backend engineer');
      await next.close();
      await scene.browser.context.unroute(SIGN_OUT);
      await button('Try again').click();
      await scene.page.getByText('You are signed out.').waitFor();
      await button('Sign in').click();
      await scene.page.getByLabel('E-mail address').waitFor();
    },
  );

  it('while the application is still being read shows nothing of it when it comes', async () => {
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const read = `**/applications/${candidate.applicationId}`;
    await scene.browser.context.route(read, async (route) => {
      await held;
      await route.continue();
    });
    await scene.browser.context.route(SIGN_OUT, (route) => route.abort());
    await signIn(scene.page, scene.stage, candidate.email);
    await button('Sign out').click();
    await unreached().waitFor();
    const answered = scene.page.waitForResponse(read);
    release();
    await (await answered).finished();
    // Time in which it would be drawn.
    await scene.page.waitForTimeout(500);
    expect(await unreached().isVisible()).toBe(true);
    expect(await scene.page.locator('body').innerText()).not.toContain('Backend engineer');
  });

  it('that did not reach the service is made good at the next start before anything else', async () => {
    const candidate = await signedIn();
    await scene.browser.context.route(SIGN_OUT, (route) => route.abort());
    await button('Sign out').click();
    await unreached().waitFor();
    await scene.browser.context.unroute(SIGN_OUT);
    const told = scene.page.waitForResponse((response) => response.url().endsWith('/candidate/sign-out'));
    await openApply(scene.page, scene.stage, candidate);
    expect((await told).ok()).toBe(true);
    await button('Sign in').click();
    await scene.page.getByLabel('E-mail address').waitFor();
  });

  it('is one in all tabs', async () => {
    const candidate = await signedIn();
    const other = await scene.browser.context.newPage();
    await openApply(other, scene.stage, candidate);
    await button('Sign out', other).waitFor();
    await button('Sign out').click();
    await other.getByText('You are signed out.').waitFor();
    expect(await other.locator('body').innerText()).not.toContain(candidate.email);
  });
});
