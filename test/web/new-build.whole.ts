import { beforeEach, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { describeScene } from './scene.js';
import { openApply, signIn, violations } from './support.js';

describeScene(
  'a page whose files are gone',
  (scene) => {
    beforeEach(() => scene.browser.context.grantPermissions(['microphone']));

    it.each([
      ['is gone', { status: 404, body: '{}' }],
      [
        'is of a later language than the browser’s',
        { contentType: 'text/javascript', body: 'let = #new syntax;' },
      ],
    ])('says what to do if its script %s', async (_, answer) => {
      await scene.page.route(/assets\/app-/, (route) => route.fulfill(answer));
      await openApply(scene.page, scene.stage, await scene.stage.candidate(scene.role));
      await scene.page.getByText('This page did not load completely.').waitFor();
      await scene.page.getByText('Diese Seite wurde nicht vollständig geladen.').waitFor();
      await scene.page.unroute(/assets\/app-/);
      await scene.page.getByRole('link', { name: 'Load the page again' }).click();
      await scene.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await scene.page.getByText('did not load completely').count()).toBe(0);
    });

    it('reloads itself once, if nothing is lost by that, and else shows a message', async () => {
      const candidate = await scene.stage.candidate(scene.role);
      await openApply(scene.page, scene.stage, candidate);
      await signIn(scene.page, scene.stage, candidate.email);
      await scene.page.getByRole('button', { name: 'Check microphone and sound' }).click();
      await scene.page.route(/assets\/worklet-/, (route) => route.fulfill({ status: 404, body: '{}' }));
      // A test's routes do not see the request for a worklet: it fails as Chromium's does for a 404.
      const breaks = `AudioWorklet.prototype.addModule = async () => { throw new DOMException('Unable to load a worklet module.', 'AbortError'); }`;
      await scene.page.evaluate(breaks);
      const loads: string[] = [];
      scene.page.on('load', () => loads.push(scene.page.url()));
      await scene.page.getByRole('button', { name: 'Test the microphone' }).click();
      await eventually(async () => loads.length === 1);
      await scene.page.evaluate(breaks);
      await scene.page.getByRole('heading', { level: 1, name: 'Check your sound' }).waitFor();
      await scene.page.getByRole('button', { name: 'Test the microphone' }).click();
      await scene.page.getByText('There is a new version of this page.').waitFor();
      await scene.page.getByText('The microphone needs the new version of this page.').waitFor();
      expect(await violations(scene.page)).toEqual([]);
      expect(loads).toHaveLength(1);
      await scene.page.unroute(/assets\/worklet-/);
      await scene.page.getByRole('button', { name: 'Load the page again' }).click();
      await scene.page.getByRole('button', { name: 'Test the microphone' }).click();
      await scene.page
        .getByText('Speak: the bar moves with your voice.')
        .or(scene.page.getByText('Your microphone works.'))
        .waitFor();
    });
  },
  ['--use-fake-device-for-media-stream'],
);
