import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Browser, openBrowser } from '../support/browser.js';
import { codeSentTo, mailsTo } from '../support/candidate-sign-in.js';
import { DevicePage } from '../support/device-sign-in.js';
import { eventually } from '../support/eventually.js';
import { sendFile } from '../support/send-file.js';
import { Browser as CookieJar } from '../support/sign-in-client.js';
import { type MailServer, openMailServer } from '../support/smtp.js';
import { type Candidate, openStage, type Stage } from '../support/stage.js';
import { WorkProgram } from '../support/work-program.js';
import { describeInBrowser } from './scene.js';
import { answer, enterRoom, openApply, WAIT_LIMIT_MS, signInByCode } from './support.js';

const run = promisify(execFile);
const EXAMPLE = 'docs/examples/javascript';
const SHIPPED = {
  CHECKER: 'command',
  CHECKER_ISOLATION: 'separate',
  CHECKER_COMMAND: `${process.execPath} dist/bin/checker.js "$@"`,
};
const FORGED = { passed: 9_999, failed: 0, durationMs: 1 };

interface Explained {
  readonly overall: { readonly score: number };
  readonly dimensions: readonly {
    readonly score: number;
    readonly terms: readonly {
      readonly signal: string;
      readonly contribution: number;
      readonly vouchedBy: string;
    }[];
  }[];
}

/** The worked example of the documentation as a ticket, with the shipped checker: from the hand-in to the figures. */
describeInBrowser('work from its ticket to its figures', () => {
  let mails: MailServer;
  let stage: Stage;
  let browser: Browser;
  let role: string;
  let ticket: string;
  let folder: string;

  beforeAll(async () => {
    mails = await openMailServer();
    stage = await openStage({ ...mailsTo(mails), ...SHIPPED });
    browser = await openBrowser(WAIT_LIMIT_MS);
    folder = await mkdtemp(join(tmpdir(), 'assay-whole-way-'));
    const body = JSON.parse(await readFile(`${EXAMPLE}/ticket.json`, 'utf8')) as object;
    ticket = (await stage.owner.post<{ id: string }>(stage.at('/tickets'), body)).body.id;
    const starter = await fileSet('starter/main.mjs');
    const [visible, hidden] = [
      await fileSet('visible/till.check.mjs'),
      await fileSet('hidden/till.check.mjs'),
    ];
    const checks = { visible, hidden, slug: 'till', isolation: 'separate' };
    await stage.owner.patch(stage.at(`/tickets/${ticket}`), { starter, checks });
    const created = await stage.owner.post<{ id: string }>(stage.at('/roles'), {
      ...{ name: 'Backend engineer', overallThreshold: 60, ticketIds: [ticket] },
      dimensions: [
        { name: 'Does it work?', weight: 60, category: 'correctness' },
        { name: 'How did it go?', weight: 40, category: 'process' },
      ],
    });
    role = created.body.id;
  });
  afterAll(async () => {
    await browser.close();
    await stage.close();
    await mails.close();
    await rm(folder, { recursive: true });
  });

  const fileSet = async (file: string): Promise<string> =>
    sendFile(
      stage.owner,
      stage.at(`/tickets/${ticket}/file-sets`),
      file.split('/').at(-1) ?? '',
      await readFile(`${EXAMPLE}/${file}`),
    );
  const forge = ({ person, session }: Candidate) =>
    person.post(`${session}/activity`, {
      events: [
        {
          ...{ clientEventId: 'forged', eventType: 'test.run' },
          ...{ occurredAt: new Date().toISOString(), payload: FORGED },
        },
      ],
    });
  /** The figures once the session is completed and its checks have run, with the source of each point. */
  const figures = async ({ person, session, sessionId }: Candidate) => {
    // An interview has already completed the session.
    expect(await person.post(`${session}/complete`)).toMatchObject({ status: 200 });
    stage.owner.follow(person);
    const explanation = await eventually(async () => {
      const list = await stage.owner.get<{ items: { id: string; trialSessionId: string }[] }>(
        stage.at('/evaluations'),
      );
      const found = list.body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
      const read = await stage.owner.get<Explained>(stage.at(`/evaluations/${found?.id}/explanation`));
      return read.status === 200 && read.body;
    });
    const { overall, dimensions } = explanation;
    return {
      correctness: dimensions[0]?.score,
      process: dimensions[1]?.score,
      overall: overall.score,
      earned: dimensions.map(({ terms }) =>
        terms
          .filter(({ contribution }) => contribution > 0)
          .map(({ signal, contribution, vouchedBy }) => [signal, contribution, vouchedBy]),
      ),
    };
  };
  /**
   * Works on the page, offline from the first view of the task to the hand-in.
   * @param said the answers in the interview; without it there is no interview
   */
  const handsInOnThePage = async (candidate: Candidate, work: string, said?: string): Promise<void> => {
    const page = await browser.context.newPage();
    await openApply(page, stage, candidate);
    await signInByCode(page, candidate.email, () => codeSentTo(mails, candidate.email));
    const card = page.getByRole('region', { name: 'Totals of a till', exact: true });
    await card.getByText('Nothing is handed in yet.').waitFor();
    await browser.context.setOffline(true);
    await card
      .locator('input[type=file]')
      .first()
      .setInputFiles(resolve(EXAMPLE, work, 'main.mjs'));
    await card.getByRole('button', { name: 'Hand in', exact: true }).click();
    await card.getByText('No connection. It is kept on this device and goes on by itself.').waitFor();
    await browser.context.setOffline(false);
    await card.getByText('Your work has arrived.').waitFor();
    if (said !== undefined) {
      await enterRoom(page);
      while (await answer(page, said));
    }
    await page.evaluate('localStorage.clear()');
    await page.close();
    await browser.context.clearCookies();
  };

  const RUN_BY = 'run by the checker.';
  const BY_SERVICE = 'Recorded by the service itself.';
  const BY_CANDIDATE = 'Reported by the candidate’s own page or program, not checked.';

  it('has every point if it is right and explained, on the page alone and after a time offline', async () => {
    const candidate = await stage.started(role);
    await handsInOnThePage(candidate, 'solution', 'I count in tenths of a cent, which are exact.');
    expect(await figures(candidate)).toEqual({
      ...{ correctness: 100, process: 100, overall: 100 },
      earned: [
        [
          ['hidden_tests_passed', 80, `4 of 4 hidden tests, ${RUN_BY}`],
          ['visible_tests_passed', 20, `2 of 2 visible tests, ${RUN_BY}`],
        ],
        [
          ['tickets_handed_in', 30, BY_SERVICE],
          ['visible_failures_resolved', 20, 'Run by the checker.'],
          ['questions_answered', 30, BY_SERVICE],
          ['answers_with_substance', 20, BY_SERVICE],
        ],
      ],
    });
  });

  it('has what its tests give if it is half right, whatever its candidate claims', async () => {
    const candidate = await stage.started(role);
    await forge(candidate);
    await handsInOnThePage(candidate, 'half');
    // Process: of 30 for the hand-in, 20 for its visible tests and 50 for an interview, which was not held.
    expect(await figures(candidate)).toMatchObject({
      ...{ correctness: 60, process: 50, overall: 56 },
      earned: [
        [
          ['hidden_tests_passed', 40, `2 of 4 hidden tests, ${RUN_BY}`],
          ['visible_tests_passed', 20, `2 of 2 visible tests, ${RUN_BY}`],
        ],
        [
          ['tickets_handed_in', 30, BY_SERVICE],
          ['visible_failures_resolved', 20, 'Run by the checker.'],
        ],
      ],
    });
  });

  it('has nothing if nothing is handed in, and a forged run earns nothing', async () => {
    const candidate = await stage.started(role);
    await forge(candidate);
    expect(await figures(candidate)).toEqual({ correctness: 0, process: 0, overall: 0, earned: [[], []] });
  });

  it('comes from the packed program as from the page, with what that may add', async () => {
    const { stdout } = await run('npm', ['pack', '--pack-destination', folder], { cwd: 'packages/work' });
    const packed = join(folder, stdout.trim().split('\n').at(-1) ?? '');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, packed]);
    const program = await WorkProgram.open([join(folder, 'node_modules/.bin/assay-work')]);
    try {
      const candidate = await stage.started(role);
      const link = `${stage.service.url}/apply/${candidate.applicationId}`;
      const signing = program.run([link, '--folder', program.folder, '--yes', '--once']);
      const [, address = '', code = ''] = await signing.says(/ {2}(http\S+)\n {2}(\S{4}-\S{4})\n/);
      const page = new DevicePage(new CookieJar(stage.service.url), new URL(address).pathname);
      await page.answer(await page.signIn(await page.enter(code), mails, candidate.email), 'confirm');
      expect(await signing.ended).toMatchObject({ code: 0 });
      const work = join(program.folder, '1-totals-of-a-till');
      await cp(`${EXAMPLE}/solution`, work, { recursive: true });
      await writeFile(join(work, 'notes.txt'), 'BigInt: exact.\n');
      expect(await program.inside('watch', '--once', '-y')).toMatchObject({ code: 0 });
      const tests = ['--', process.execPath, '-e', '0'];
      expect(await program.inside('test', '-y', ...tests)).toMatchObject({ code: 0 });
      expect(await program.inside('hand-in', '1', '-y')).toMatchObject({ code: 0 });
      // All changes are small and tested: 20 of the 100 points, which the others make room for.
      expect(await figures(candidate)).toEqual({
        ...{ correctness: 100, process: 60, overall: 84 },
        earned: [
          [
            ['hidden_tests_passed', 80, `4 of 4 hidden tests, ${RUN_BY}`],
            ['visible_tests_passed', 20, `2 of 2 visible tests, ${RUN_BY}`],
          ],
          [
            ['tickets_handed_in', 24, BY_SERVICE],
            ['visible_failures_resolved', 16, 'Run by the checker.'],
            ['changes_tested', 15, BY_CANDIDATE],
            ['small_steps', 5, BY_CANDIDATE],
          ],
        ],
      });
    } finally {
      await program.close();
    }
  });
});
