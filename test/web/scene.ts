import { afterAll, afterEach, beforeAll, beforeEach, describe } from '@jest/globals';
import type { Page } from 'playwright-core';
import { type Browser, browserPath, openBrowser } from '../support/browser.js';
import { openStage, type Stage } from '../support/stage.js';
import { WAIT_LIMIT_MS } from './support.js';

/** The fixture of a page's test: the suite's service and role, and a page in a new browser. */
export interface Scene {
  readonly stage: Stage;
  /** The id of a role called "Backend engineer". */
  readonly role: string;
  readonly browser: Browser;
  readonly page: Page;
}

/** `describe`, unless this machine has no browser: then `.ci/run` reports the suite as skipped. */
export const describeInBrowser = browserPath === undefined ? describe.skip : describe;

/**
 * A suite with one service for all tests and a browser for each.
 * @param suite declares the tests; the scene is filled when they run
 * @param switches further switches of the browser's command line
 * @param env settings of the service, in addition to those of `openStage`
 */
export const describeScene = (
  title: string,
  suite: (scene: Scene) => void,
  switches: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): void =>
  describeInBrowser(title, () => {
    const scene = {} as { -readonly [Part in keyof Scene]: Scene[Part] };
    beforeAll(async () => {
      scene.stage = await openStage(env);
      scene.role = await scene.stage.role('Backend engineer');
    });
    afterAll(() => scene.stage.close());
    beforeEach(async () => {
      scene.browser = await openBrowser(WAIT_LIMIT_MS, switches);
      scene.page = await scene.browser.context.newPage();
    });
    afterEach(() => scene.browser.close());
    suite(scene);
  });
