import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { babble } from '../support/interviewee.js';
import { work } from '../support/organisation.js';
import { openBeside, RecordedInterview } from '../support/recorded-interview.js';
import type { Candidate } from '../support/stage.js';
import { expectSound, follow, heading, OWNER, signInAs, troubles } from './console-support.js';
import { describeScene, type Scene } from './scene.js';

const SPOKEN = 'I would begin with <i>small inputs</i>, then "أحمد" and broken ones.';
/** The detector waits for a file, so that a test decides how long a generation takes. */
const LONG = 'As a matter of fact, this is a most comprehensive and multi-faceted topic. '.repeat(5);
const folder = mkdtempSync(join(tmpdir(), 'assay-evaluation-'));
const gate = join(folder, 'open');
const DETECTOR = {
  DETECTOR: 'command',
  DETECTOR_COMMAND: `until [ -f ${gate} ]; do sleep 0.05; done; echo 0.97`,
};

interface Evaluated extends Candidate {
  /** The path of the evaluation's page, below the organisation's. */
  readonly page: string;
  readonly evaluationId: string;
  /** The evaluation as staff read it. */
  readonly evaluation: string;
}

describeScene(
  'an evaluation in the console',
  (scene: Scene) => {
    let carol: Evaluated;

    /** A candidate who has worked, and spoken if `spoken`, with a ready evaluation. */
    const evaluated = async (isSpoken: boolean): Promise<Evaluated> => {
      const { stage, role } = scene;
      const candidate = await stage.started(role);
      const { events } = work();
      const more = [
        ['clipboard.pasted', { characters: 1_300, nonBlankCharacters: 1_200, source: 'prompt' }],
        ['message.sent', { text: LONG, to: 'assistant' }],
      ].map(([eventType, payload], n) => ({ ...events[0], clientEventId: `more${n}`, eventType, payload }));
      await candidate.person.post(`${candidate.session}/activity`, { events: [...events, ...more] });
      if (isSpoken) {
        const beside = await openBeside(stage.service.dataDir);
        const interview = await RecordedInterview.begin(beside, candidate.sessionId);
        await interview.ask();
        await interview.speak(1, babble(1_000, 1));
        await interview.answer(1, true, SPOKEN);
        await interview.ask('What would you do next?');
        await interview.answer(2, null, 'I would measure where the time goes.');
        await beside.close();
      }
      await candidate.person.post(`${candidate.session}/complete`);
      stage.owner.follow(candidate.person);
      const { body } = await stage.owner.get<{ trialSessions: { evaluationId: string }[] }>(
        candidate.application,
      );
      const { evaluationId } = body.trialSessions[0]!;
      const evaluation = stage.at(`/evaluations/${evaluationId}`);
      await eventually(
        async () => (await stage.owner.get<{ status: string }>(evaluation)).body.status === 'ready',
      );
      const page = `${stage.service.url}/console/${stage.org}/evaluations/${evaluationId}`;
      return { ...candidate, evaluationId, evaluation, page };
    };
    const outcomeOf = async () =>
      (await scene.stage.owner.get<{ outcome: object | null; version: number }>(carol.application)).body;
    const part = (page: Page, name: string | RegExp) =>
      page.getByRole('navigation', { name: 'Parts of the evaluation' }).getByRole('link', { name });

    beforeAll(async () => {
      writeFileSync(gate, '');
      carol = await evaluated(true);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    it('is read from the candidate down to a spoken line, which plays', async () => {
      const { page, stage } = scene;
      const wrong = troubles(page);
      await page.goto(`${stage.service.url}/console/${stage.org}/candidates/${carol.applicationId}`);
      await signInAs(page, OWNER);
      await page.getByRole('link', { name: 'Open the evaluation' }).click();
      await heading(page, carol.email).waitFor();
      await page.getByRole('heading', { name: 'How the overall score is composed' }).waitFor();
      const { body } = await stage.owner.get<{ overallScore: number }>(carol.evaluation);
      await page.getByText(`${body.overallScore} passes at 60`).waitFor();
      await expectSound(page, 'evaluation');

      const term = page.locator('details.term').filter({ hasText: 'Answers with substance' });
      await term.locator('summary').click();
      await term.getByText('Recorded by the service itself.').waitFor();
      await term.getByRole('link', { name: `“${SPOKEN}”` }).click();
      const line = page.locator('.transcript [aria-current=true]');
      await line.getByText(SPOKEN).waitFor();
      await page.locator('.transcript [aria-current=true]:focus').waitFor();
      await line.getByRole('button', { name: 'Play' }).click();
      const player = line.locator('audio');
      await player.waitFor();
      await eventually(
        async () => (await player.evaluate((one) => (one as unknown as { duration: number }).duration)) === 1,
      );
      await expectSound(page, 'evaluation-transcript');

      await part(page, 'Hints').click();
      await page.getByText('Much text was pasted at once.').waitFor();
      await page.getByText('They are never a verdict').waitFor();
      await expectSound(page, 'evaluation-findings');
      await page.getByRole('link', { name: 'See the evidence' }).nth(1).click();
      await page.locator('.transcript [aria-current=true]').getByText('Text was pasted').waitFor();
      expect(wrong).toEqual([]);
    });

    it('shows in the page’s language what the service writes in English, with its own words to be opened', async () => {
      const { page } = scene;
      await page.goto(carol.page);
      await signInAs(page, OWNER);
      await page.getByText('A rule-based rubric').waitFor();
      await page.getByText('What this score does not prove').first().waitFor();
      await page.getByText(OWNER).click();
      await page.getByLabel('Language').selectOption('de');
      await page.getByText('Nach festen Regeln').waitFor();
      await page.getByText('Was diese Punkte nicht beweisen').first().waitFor();
      await page.getByText('Keine Prüfung lief über die Arbeit').waitFor();
      await eventually(async () => (await page.locator('main [lang=en]:visible').count()) === 0);
      await page.getByText('Im Wortlaut des Dienstes').last().click();
      await page.locator('main [lang=en]', { hasText: 'A rule-based rubric' }).waitFor();
      await expectSound(page, 'evaluation-german');
      await page.getByLabel('Sprache').selectOption('en');
      await page.getByText('A rule-based rubric').waitFor();
    });

    it('gets an outcome, and shows both if somebody else has recorded another meanwhile', async () => {
      const { page, stage } = scene;
      await page.goto(carol.page);
      await signInAs(page, OWNER);
      await page.getByRole('button', { name: 'Record the outcome' }).click();
      await page.getByRole('button', { name: 'Save the outcome' }).click();
      await page.getByText('Choose a human round or a decision.').waitFor();
      await page.getByLabel('Human round').selectOption('passed');
      await page.getByLabel('Reason').fill('Clear <b>answers</b>.');
      await expectSound(page, 'evaluation-outcome');
      await page.getByRole('button', { name: 'Save the outcome' }).click();
      await page.getByText('passed the human round').waitFor();
      await page.getByText('Clear <b>answers</b>.').waitFor();

      await page.getByRole('button', { name: 'Correct the outcome' }).click();
      await page.getByLabel('Decision').selectOption('hired');
      await eventually(async () => (await outcomeOf()).outcome !== null);
      const trial = stage.at(`/trial-sessions/${carol.sessionId}/outcome`);
      await stage.owner.put(trial, { humanRound: 'failed' });
      await page.getByRole('button', { name: 'Save the outcome' }).click();
      await page.getByRole('heading', { name: 'Somebody else saved this meanwhile' }).waitFor();
      await page.getByRole('cell', { name: 'Failed' }).waitFor();
      expect(await page.getByLabel('Decision').inputValue()).toBe('hired');
      await expectSound(page, 'evaluation-outcome-conflict');
      // On a phone both versions fit, so that they can be compared.
      await page.setViewportSize({ width: 320, height: 800 });
      const cut = `(() => { const one = document.querySelector('dialog .scroll'); return one.scrollWidth - one.clientWidth; })()`;
      expect(await page.evaluate<number>(cut)).toBe(0);
      await page.setViewportSize({ width: 1_280, height: 800 });
      await page.getByRole('button', { name: 'Save mine over it' }).click();
      await page.getByText('Passed the human round · Hired').waitFor();
      await eventually(async () =>
        JSON.stringify((await outcomeOf()).outcome).includes('"disposition":"hired"'),
      );
      await follow(page, `/console/${stage.org}/candidates?outcome=hired`);
      const row = page.getByRole('row').filter({ hasText: carol.email });
      await row.getByRole('cell', { name: 'Hired', exact: true }).waitFor();
    });

    it('has what is contested beside it, and takes one answer', async () => {
      const { page, stage } = scene;
      const { person } = carol;
      person.follow(stage.owner);
      await person.post(`/me/evaluations/${carol.evaluationId}/contests`, {
        about: { kind: 'transcript', reference: 'the second question' },
        text: 'I said “measure”, not “treasure”.',
      });
      stage.owner.follow(person);
      await eventually(async () => {
        const { body } = await stage.owner.get<{ items: unknown[] }>(`${carol.evaluation}/contests`);
        return body.items.length === 1;
      });
      await page.goto(carol.page);
      await signInAs(page, OWNER);
      await part(page, /Transcript.*1 to answer/).click();
      await page.getByText('I said “measure”, not “treasure”.').waitFor();
      await page.getByLabel('Your answer').fill('We read it as you say.');
      const asked: string[] = [];
      page.on('dialog', (dialog) => {
        asked.push(dialog.message());
        void dialog.dismiss();
      });
      await part(page, 'Scores').click();
      expect(asked).toEqual(['What you changed is not saved. Leave all the same?']);
      await page.getByRole('button', { name: 'Send the answer' }).click();
      await page.getByText('Answered by owner@example.org').waitFor();
      await page.getByText('We read it as you say.').waitFor();
      await expectSound(page, 'evaluation-contest');
    });

    it('is followed while it is generated again', async () => {
      const { page } = scene;
      rmSync(gate);
      await page.goto(carol.page);
      await signInAs(page, OWNER);
      await page.getByRole('button', { name: 'Generate again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Generate again' }).click();
      await page.getByText('This page updates itself when it is ready.').waitFor();
      await page.getByText('Generation 2').waitFor();
      expect(await page.getByRole('heading', { name: 'How the overall score is composed' }).count()).toBe(0);
      writeFileSync(gate, '');
      await page.getByRole('heading', { name: 'How the overall score is composed' }).waitFor();
    });

    it('is compared with its former generation, and shows who read it', async () => {
      const { page } = scene;
      const wrong = troubles(page);
      await page.goto(`${carol.page}?part=generations`);
      await signInAs(page, OWNER);
      await page.getByRole('row', { name: /^Overall score \d+ \d+ 0$/ }).waitFor();
      await expectSound(page, 'evaluation-generations');
      await page.getByRole('link', { name: 'Generation 1' }).click();
      await page.getByText('This is generation 1').waitFor();
      await page.getByRole('link', { name: 'Go to the latest' }).click();
      await part(page, 'Who read it').click();
      await page.getByRole('rowheader', { name: OWNER }).first().waitFor();
      await expectSound(page, 'evaluation-reads');
      expect(wrong).toEqual([]);
    });

    it('is shared by a link that is shown once, counted and revoked', async () => {
      const { page, stage } = scene;
      const wrong = troubles(page);
      await page.goto(`${carol.page}?part=sharing`);
      await signInAs(page, OWNER);
      await page.getByRole('heading', { name: 'No links yet' }).waitFor();
      await page.getByRole('button', { name: 'Share the report' }).click();
      await page.getByLabel('Label').fill('For <b>the panel</b>');
      await page.getByLabel('Valid for days').fill('7');
      await page.getByRole('dialog').getByRole('button', { name: 'Share the report' }).click();
      const url = await page.getByLabel('Link', { exact: true }).inputValue();
      await expectSound(page, 'evaluation-shared');
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
      await page.getByRole('rowheader', { name: 'For <b>the panel</b>' }).waitFor();
      await eventually(async () => (await fetch(url)).status === 200);
      await eventually(async () => {
        const { body } = await stage.owner.get<{ items: { views: number }[] }>(
          `${carol.evaluation}/share-links`,
        );
        return body.items[0]?.views === 1;
      });
      await page.reload();
      await page.getByRole('row', { name: /For <b>the panel<\/b> Valid until .* 1 / }).waitFor();
      await expectSound(page, 'evaluation-sharing');
      await page.getByRole('button', { name: 'Revoke: For <b>the panel</b>' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
      await page.getByRole('cell', { name: 'Revoked' }).waitFor();
      await eventually(async () => (await fetch(url)).status === 404);
      expect(wrong).toEqual([]);
    });

    it('is found by its result, in a list that a colleague can open', async () => {
      const { page, stage } = scene;
      const other = await evaluated(false);
      const wrong = troubles(page);
      await page.goto(`${stage.service.url}/console/${stage.org}/evaluations?status=ready`);
      await signInAs(page, OWNER);
      await page.getByRole('link', { name: other.email }).waitFor();
      await page.getByRole('link', { name: carol.email }).waitFor();
      await expectSound(page, 'evaluations');
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export as CSV' }).click();
      const file = await saved;
      expect(file.suggestedFilename()).toBe('evaluations.csv');
      const csv = await readFile(await file.path(), 'utf8');
      for (const { email } of [carol, other]) expect(csv).toContain(email);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByLabel('Score at least').fill('100');
      await page.getByLabel('Score at most').fill('100');
      await page.getByRole('button', { name: 'Apply' }).click();
      await page.getByLabel('Result').selectOption('no');
      await page.getByRole('heading', { name: 'No evaluations match these filters' }).waitFor();
      expect(new URL(page.url()).search).toBe('?status=ready&min=100&max=100&passed=no');
      await page.getByText('Score at least: 100').waitFor();
      await page.getByRole('button', { name: 'Save this view' }).click();
      await page.getByLabel('Name of the view').fill('All or nothing');
      await page.keyboard.press('Enter');
      await page.locator('.shown-view').getByText('All or nothing').waitFor();
      // A range of scores and one of days exclude each other.
      await page.getByLabel('Completed until').fill('2001-05-02');
      await page.keyboard.press('Enter');
      await page.getByText('Completed until: May 2, 2001').waitFor();
      await page.getByText('Filters changed').waitFor();
      expect(await page.getByText('Score at least: 100').count()).toBe(0);
      await expectSound(page, 'evaluations-filtered');
      await page.getByRole('button', { name: 'Clear all filters' }).click();
      await page.getByRole('option', { name: /^Ready \([1-9]\d*\)$/ }).waitFor({ state: 'attached' });
      await page.getByRole('link', { name: other.email }).click();
      await heading(page, other.email).waitFor();
      expect(wrong).toEqual([]);
    });

    it('is compared with others of its role', async () => {
      const { page, stage, role } = scene;
      const other = await evaluated(false);
      const wrong = troubles(page);
      await page.goto(`${stage.service.url}/console/${stage.org}/evaluations`);
      await signInAs(page, OWNER);
      await page.getByRole('link', { name: 'Compare' }).click();
      await page.getByRole('heading', { name: 'Choose a role' }).waitFor();
      await page.getByLabel('Role').selectOption(role);
      for (const { email } of [carol, other]) await page.getByRole('columnheader', { name: email }).waitFor();
      await page.getByRole('row', { name: /^Does it work\? Correctness/ }).waitFor();
      expect(new URL(page.url()).search).toBe(`?role=${role}`);
      await expectSound(page, 'evaluations-compared');
      await page.getByRole('button', { name: `Hide ${other.email}` }).click();
      await page.getByText('1 is hidden.').waitFor();
      expect(await page.getByRole('columnheader', { name: other.email }).count()).toBe(0);
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByRole('link', { name: other.email }).click();
      await heading(page, other.email).waitFor();
      expect(wrong).toEqual([]);
    });

    it('is read by a reviewer without a button that would answer 403, and is gone with its person', async () => {
      const { page, stage } = scene;
      const gone = await evaluated(true);
      await stage.member('reviewer');
      await page.goto(gone.page);
      await signInAs(page, 'reviewer@example.org');
      await page.getByText('No outcome recorded yet').waitFor();
      expect(await page.getByRole('button', { name: 'Record the outcome' }).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Generate again' }).count()).toBe(0);
      for (const name of ['Sharing', 'Who read it']) expect(await part(page, name).count()).toBe(0);
      await part(page, 'Transcript').click();
      await page.getByText(SPOKEN).first().waitFor();
      expect(await page.getByRole('button', { name: 'Play' }).count()).toBe(0);
      await stage.owner.post(`${gone.application}/erasure`);
      await page.reload();
      await page.getByRole('heading', { name: 'This candidate was erased' }).waitFor();
      await expectSound(page, 'evaluation-erased');
      expect(await page.content()).not.toContain(gone.email);
    });
  },
  [],
  DETECTOR,
);
