import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { KeptMail } from '../../src/clients/mail.js';
import { codeIn } from '../support/candidate-sign-in.js';
import { eventually } from '../support/eventually.js';
import type { Candidate, Stage } from '../support/stage.js';

/** Longest wait for anything on a page, in milliseconds. */
export const WAIT_LIMIT_MS = 60_000;

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** The findings of axe on the current page, a line each. It is evaluated: the page's policy allows no script tag. */
export const violations = async (page: Page): Promise<readonly string[]> => {
  await page.evaluate(await readFile(axe, 'utf8'));
  const found = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(STANDARDS)}, resultTypes: ['violations'] })`,
  );
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id}: ${html} ${failureSummary}`),
  );
};

/** By how many pixels the page is wider than the window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');

/** The focused element: its role or tag, and its name. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `(() => { const { localName, textContent, ariaLabel } = document.activeElement; return localName + ' ' + (ariaLabel ?? textContent).trim().slice(0, 80); })()`,
  );

/** Waits until something of that name has the focus. */
export const focusComesTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let tries = 0; tries < 100; tries += 1) {
    if (name.test(await focused(page))) return;
    await page.waitForTimeout(50);
  }
  throw new Error(`The focus is on ${await focused(page)}, not on ${String(name)}.`);
};

/** Presses Tab until something of that name has the focus. */
export const tabTo = async (page: Page, name: RegExp): Promise<void> => {
  for (let presses = 0; presses < 60; presses += 1) {
    if (name.test(await focused(page))) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not reach ${String(name)}.`);
};

export const openApply = async (page: Page, stage: Stage, { applicationId }: Candidate): Promise<void> => {
  await page.goto(`${stage.service.url}/apply/${applicationId}`);
};

/** The mails to an address, newest first. */
export const outboxOf = async ({ service }: Stage, email: string): Promise<readonly KeptMail[]> => {
  const response = await fetch(`${service.url}/outbox`, { headers: { accept: 'application/json' } });
  const { items } = (await response.json()) as { items: readonly KeptMail[] };
  return items.filter(({ to }) => to === email);
};

/** The newest code that was mailed to an address. */
export const mailedCode = (stage: Stage, email: string): Promise<string> =>
  eventually(async () => (await outboxOf(stage, email)).map(codeIn).find((code) => code !== null));

/** @param code gives the code that was mailed to the address */
export const signInByCode = async (page: Page, email: string, code: () => Promise<string>): Promise<void> => {
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a code' }).click();
  await page.getByLabel('Code from the e-mail').fill(await code());
  await page.getByRole('button', { name: 'Sign in' }).click();
};

export const signIn = (page: Page, stage: Stage, email: string): Promise<void> =>
  signInByCode(page, email, () => mailedCode(stage, email));

export const question = (page: Page) => page.locator('h2.question');

/** Leads the page from the tasks to the first question. */
export const enterRoom = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Go to the interview' }).click();
  await page.getByRole('button', { name: 'Start the interview' }).click();
  await question(page).waitFor();
};

/** Types an answer to the open question. @returns whether another question follows */
export const answer = async (page: Page, text: string): Promise<boolean> => {
  const asked = await question(page).innerText();
  await page.getByRole('textbox', { name: 'Your answer' }).fill(text);
  await page.getByRole('button', { name: 'Send the answer' }).click();
  const over = page.getByRole('heading', { level: 1, name: 'Thank you' });
  await question(page).filter({ hasNotText: asked }).or(over).first().waitFor();
  return !(await over.isVisible());
};

/**
 * A script for the page that makes the device's clock wrong, as after a flight or with a wrong zone. `jump` sets it
 * again. The monotonic clock stays right.
 */
export const wrongBy = (ms: number): string => `(() => {
  const Right = Date;
  let shift = ${ms};
  globalThis.jump = (more) => { shift += more; };
  globalThis.Date = class extends Right {
    constructor(...given) { given.length === 0 ? super(Right.now() + shift) : super(...given); }
    static now() { return Right.now() + shift; }
  };
})()`;
