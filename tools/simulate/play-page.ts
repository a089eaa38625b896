import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import type { ServerMessage } from '../../packages/interview-client/src/protocol/messages.js';
import type { KnownQuestion } from './ledger.js';
import type { PlannedInterview } from './plan-interview.js';
import type { Interviewed } from './play-interview.js';
import { type Service, Unexpected } from './service.js';

/** A candidate who works on the page. */
export interface Visit {
  /** Its `/outbox` has the mailed codes. */
  readonly service: Service;
  readonly email: string;
  /** What the invitation links to. */
  readonly url: string;
  readonly interview: PlannedInterview;
}

const WAIT_LIMIT_MS = 60_000;
const POLL_MS = 200;

/**
 * The whole way on the candidates' page, in a browser of the candidate's own: sign-in, consent, tasks, interview.
 * @throws {Unexpected} the page did not lead to the end
 */
export const playPage = async (browser: Browser, visit: Visit): Promise<Interviewed> => {
  const context = await browser.newContext({ locale: 'en' });
  context.setDefaultTimeout(WAIT_LIMIT_MS);
  try {
    return await new PagePlay(await context.newPage(), visit).play();
  } catch (error) {
    if (error instanceof Unexpected || !(error instanceof Error)) throw error;
    throw new Unexpected(`The page of ${visit.email} went no further: ${firstLines(error.message)}`, {
      cause: error,
    });
  } finally {
    await context.close();
  }
};

class PagePlay {
  /** As the page was sent them, by turn. */
  private readonly questions: KnownQuestion[] = [];
  private readonly activities: string[] = [];
  private readonly faults: string[] = [];

  constructor(
    private readonly page: Page,
    private readonly visit: Visit,
  ) {
    page.on('pageerror', ({ message }) => this.faults.push(message));
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (typeof payload === 'string') this.received(JSON.parse(payload) as ServerMessage);
      }),
    );
  }

  async play(): Promise<Interviewed> {
    const { page } = this;
    await page.goto(this.visit.url);
    await this.signIn();
    await page.getByRole('heading', { level: 1, name: 'Your assessment:' }).waitFor();
    await page.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start now' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your tasks' }).waitFor();
    await this.work();
    await page.getByRole('button', { name: 'Go to the interview' }).click();
    await page.getByRole('button', { name: 'Start the interview' }).click();
    for (let turn = 1; await this.isAsked(turn); turn += 1) await this.reply(turn);
    const [fault] = this.faults;
    if (fault !== undefined) throw new Unexpected(`The page of ${this.visit.email} has an error: ${fault}`);
    return { questions: this.questions, activities: this.activities };
  }

  /** At the service's own provider by a mailed code, at the development issuer without one. */
  private async signIn(): Promise<void> {
    const { page, visit } = this;
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail address').fill(visit.email);
    await page.getByLabel('E-mail address').press('Enter');
    const code = page.getByLabel('Code from the e-mail');
    await code.or(page.getByRole('heading', { level: 1, name: 'Your assessment:' })).waitFor();
    if (!(await code.isVisible())) return;
    await code.fill(await this.mailedCode());
    await code.press('Enter');
  }

  /** Each process has an outbox of its own: requests go to the processes in turn. */
  private async mailedCode(): Promise<string> {
    const { service, email } = this.visit;
    for (const until = Date.now() + WAIT_LIMIT_MS; Date.now() < until;) {
      await sleep(POLL_MS);
      for (const { to, text } of await mailsOf(service).catch(() => [])) {
        const code = /^(\d{4}) (\d{4})$/m.exec(text);
        if (code && to === email) return `${code[1]}${code[2]}`;
      }
    }
    throw new Unexpected(`No code for ${email} came to /outbox: does the service send its mails elsewhere?`);
  }

  private async work(): Promise<void> {
    for (const [name, eventType] of [
      ['Start this task', 'ticket.started'],
      ['Mark as finished', 'ticket.finished'],
    ] as const) {
      const next = this.page.getByRole('button', { name }).first();
      while (await next.isVisible()) {
        await next.click();
        this.activities.push(eventType);
      }
    }
  }

  /** @returns false: the interview is over */
  private async isAsked(turn: number): Promise<boolean> {
    const { page } = this;
    const over = page.getByRole('heading', { level: 1, name: 'Thank you' });
    for (const until = Date.now() + WAIT_LIMIT_MS; Date.now() < until;) {
      await sleep(POLL_MS);
      if (await over.isVisible()) return false;
      const text = this.questions[turn - 1]?.text;
      const shown = page.locator('h2.question');
      if (text !== undefined && (await shown.isVisible()) && (await shown.innerText()) === text) return true;
    }
    throw new Unexpected(`The page of ${this.visit.email} does not show question ${turn} as it was sent.`);
  }

  private async reply(turn: number): Promise<void> {
    const { page } = this;
    const { replies, endsAt } = this.visit.interview;
    if (endsAt === turn) {
      await page.getByRole('button', { name: 'End the interview' }).click();
      await page.getByRole('button', { name: 'End it now' }).click();
      return;
    }
    const { text, drop } = replies[(turn - 1) % replies.length] ?? { text: '', drop: 'never' };
    await page.getByRole('textbox', { name: 'Your answer' }).fill(text);
    // The page restores the draft.
    if (drop !== 'never') await page.reload();
    await page.getByRole('button', { name: 'Send the answer' }).click();
    const question = this.questions[turn - 1];
    if (question) this.questions[turn - 1] = { ...question, answers: [text] };
  }

  private received(message: ServerMessage): void {
    if (message.type !== 'question') return;
    const { turn, questionId, kind, text } = message;
    // After a reload the page receives earlier questions again.
    this.questions[turn - 1] ??= { id: questionId, kind, text, answers: [] };
  }
}

/** The mails of a service that sends none, by a route that is not part of the contract. */
const mailsOf = async (
  service: Service,
): Promise<readonly { readonly to: string; readonly text: string }[]> => {
  const answer = await service.fetch('/outbox', { signal: AbortSignal.timeout(WAIT_LIMIT_MS) });
  return ((await answer.json()) as { readonly items: Awaited<ReturnType<typeof mailsOf>> }).items;
};

const firstLines = (message: string): string => message.split('\n').slice(0, 3).join(' ');
