import { expect, it } from '@jest/globals';
import type { Route } from 'playwright-core';
import { describeScene } from './scene.js';
import { answer, enterRoom, openApply, signIn, violations } from './support.js';

const TEXT = 'I wrote a failing test first, and then split the parser in two.';

describeScene('a wait of the page has an end', (scene) => {
  const welcome = () =>
    scene.page.getByRole('heading', { level: 1, name: 'Your assessment: Backend engineer' });
  const button = (name: string) => scene.page.getByRole('button', { name, exact: true });
  /** Lets the first so many requests of this address hang. */
  const hang = (pattern: RegExp, count: number): Promise<unknown> =>
    scene.browser.context.route(pattern, (route: Route) => {
      count -= 1;
      return count < 0 ? route.continue() : undefined;
    });
  const signedIn = async () => {
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    await signIn(scene.page, scene.stage, candidate.email);
    await welcome().waitFor();
    return candidate;
  };

  it('at the start: what hangs is tried again, and says what it waits for', async () => {
    await hang(/apply\/config\.json/, 1);
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    await scene.page.getByText('Waiting for the service to answer').waitFor();
    await button('Try again').waitFor();
    await button('Sign in').waitFor();
  });

  it('at the start: the candidate can begin again without waiting', async () => {
    await hang(/apply\/config\.json/, 1);
    await openApply(scene.page, scene.stage, await scene.stage.candidate(scene.role));
    await button('Try again').click();
    await button('Sign in').waitFor({ timeout: 7_000 });
  });

  it('of the sign-in: the exchange of a code', async () => {
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    await hang(/candidate\/token$/, 1);
    await signIn(scene.page, scene.stage, candidate.email);
    await welcome().waitFor();
  });

  it('of the sign-in: the provider’s metadata, whose button can be pressed again', async () => {
    const candidate = await scene.stage.candidate(scene.role);
    await openApply(scene.page, scene.stage, candidate);
    // The page tries three times by itself.
    await hang(/openid-configuration$/, 3);
    await button('Sign in').click();
    await scene.page.getByText('The service cannot be reached').waitFor();
    await button('Try again').click();
    await signIn(scene.page, scene.stage, candidate.email);
    await welcome().waitFor();
  });

  it('of reads and commands: each is tried again as the same command', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/(start|briefing)$/, 1);
    await scene.page.getByRole('checkbox').check();
    await button('Start now').click();
    await scene.page.getByRole('status').filter({ hasText: 'Waiting for the service to start' }).waitFor();
    expect(await violations(scene.page)).toEqual([]);
    await scene.page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  });

  it('of a button: the candidate can leave it, and press it again', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/start$/, 1);
    await scene.page.getByRole('checkbox').check();
    await button('Start now').click();
    await button('Stop waiting').click();
    await scene.page.getByText('The assessment could not be started.').waitFor();
    await button('Start now').click();
    await scene.page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
  });

  it('of the sound check: it reports a connection that does not answer', async () => {
    await signedIn();
    await button('Check microphone and sound').click();
    await hang(/health\/live$/, 1);
    await button('Test the connection').click();
    await scene.page
      .getByText('The service did not answer. Check your connection.')
      .waitFor({ timeout: 20_000 });
  });

  it('of a button: a sign-out ends it too', async () => {
    await signedIn();
    await hang(/trial-sessions\/[^/]+\/start$/, 1);
    await scene.page.getByRole('checkbox').check();
    await button('Start now').click();
    await button('Stop waiting').waitFor();
    await button('Sign out').click();
    await scene.page.getByText('You are signed out.').waitFor();
    expect(await button('Stop waiting').count()).toBe(0);
  });

  it('while one request in ten hangs, from the sign-in to the receipt', async () => {
    let requests = 0;
    await scene.browser.context.route(
      /\/(applications|trial-sessions|me|apply\/config|candidate)\b/,
      (route) => {
        requests += 1;
        return requests % 10 === 0 && route.request().resourceType() === 'fetch'
          ? undefined
          : route.continue();
      },
    );
    await signedIn();
    await scene.page.getByRole('checkbox').check();
    await button('Start now').click();
    await enterRoom(scene.page);
    while (await answer(scene.page, TEXT)) continue;
    await scene.page.getByRole('heading', { level: 1, name: 'Thank you' }).waitFor();
    expect(requests).toBeGreaterThan(10);
  });
});
