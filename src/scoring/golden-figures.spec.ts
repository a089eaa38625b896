import { describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { testId } from '../../test/support/evidence-builder.js';
import {
  everyGeneration,
  fixedInterview,
  fixedSession,
  generationBy,
} from '../../test/support/fixed-sessions.js';
import type { Stored } from '../core/event.js';
import type { EvaluationGenerated } from '../domain/evaluation/events.js';
import type { TrialEvent } from '../domain/session/events.js';
import { ruleSetNamed } from './rule-sets.js';

const generated = async (
  name: string,
  session: readonly Stored<TrialEvent>[],
): Promise<EvaluationGenerated> => {
  const { result } = await generationBy(ruleSetNamed(name)!, session, 2);
  if (result.type !== 'evaluation.generated') throw new Error(result.personal?.failure);
  return result;
};
const termsOf = ({ data }: EvaluationGenerated) =>
  data.scores.map(({ terms }) => terms.map((t) => [t.signal, t.value, t.weight, t.contribution]));

describe('the golden figures', () => {
  it('of the first rule set never change', async () => {
    const result = await generated('r1', fixedSession());
    expect(result.data).toMatchObject({
      evaluationId: testId(8, 1),
      generation: 2,
      ruleSet: 'r1',
      scoredBy: { scorer: 'rubric', version: 1 },
      overallScore: 69,
      overallExact: 69.25,
      overallThreshold: 70,
      passed: false,
    });
    expect(result.data.scores.map(({ score, exact, passed }) => [score, exact, passed])).toEqual([
      [67, 66.547619, false],
      [76, 75.833333, null],
    ]);
    expect(termsOf(result)).toEqual([
      [
        ['last_run_passed', 0.714286, 50, 35.714286],
        ['failures_fixed', 0.5, 15, 7.5],
        ['tickets_finished', 0.666667, 35, 23.333333],
      ],
      [
        ['changes_tested', 1, 35, 35],
        ['small_steps', 0.666667, 25, 16.666667],
        ['tickets_started_first', 0.5, 15, 7.5],
        ['messages_with_substance', 0.666667, 25, 16.666666],
      ],
    ]);
    expect(result.data.integrity.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['identity_verified', 'info'],
      ['paste_burst', 'low'],
      ['focus_lost', 'low'],
    ]);
    expect(result).toMatchSnapshot();
  });

  it('of the second rule set never change', async () => {
    const result = await generated('r2', fixedInterview());
    expect(result.data).toMatchObject({ ruleSet: 'r2', scoredBy: { scorer: 'rubric', version: 2 } });
    expect(result.data.scores.map(({ score, exact, passed }) => [score, exact, passed])).toEqual([
      [62, 62.083333, false],
      [82, 82.333333, null],
    ]);
    expect(termsOf(result)).toEqual([
      [
        ['last_run_passed', 0.75, 45, 33.75],
        ['failures_fixed', 0.5, 10, 5],
        ['tickets_finished', 0.666667, 25, 16.666667],
        ['tickets_finished_green', 0.333333, 20, 6.666666],
      ],
      [
        ['changes_tested', 1, 25, 25],
        ['small_steps', 1, 15, 15],
        ['tickets_started_first', 0.5, 10, 5],
        ['sent_messages_with_substance', 1, 15, 15],
        ['questions_answered', 0.666667, 20, 13.333333],
        ['answers_with_substance', 0.6, 15, 9],
      ],
    ]);
    expect(result.data.integrity.map(({ kind, severity }) => [kind, severity])).toEqual([
      ['identity_verified', 'info'],
      ['network_changed', 'info'],
      ['activity_gap', 'info'],
      ['paste_burst', 'low'],
      ['prompt_copied', 'low'],
      ['response_gap_outlier', 'medium'],
      ['identity_mismatch', 'high'],
      ['focus_lost', 'info'],
      ['concurrent_connection', 'medium'],
      ['generated_text_suspected', 'low'],
      ['response_gap_outlier', 'low'],
    ]);
    expect(result.data.detections).toMatchObject([{ detector: 'test', likelihood: 0.9 }]);
    expect(result).toMatchSnapshot();
  });

  it('of the fourth rule set never change', async () => {
    const work = await generated('r4', fixedSession());
    expect(work.data).toMatchObject({ overallScore: 59, overallExact: 58.75, passed: false });
    expect(termsOf(work)).toEqual([
      [
        ['tickets_finished', 0.666667, 70, 46.666667],
        ['last_run_passed', 0.714286, 30, 21.428571],
      ],
      [
        ['tickets_started_first', 0.5, 11.666667, 5.833333],
        ['questions_answered', 0, 35, 0],
        ['answers_with_substance', 0, 23.333333, 0],
        ['changes_tested', 1, 15, 15],
        ['small_steps', 0.666667, 5, 3.333333],
        ['sent_messages_with_substance', 0.666667, 10, 6.666667],
      ],
    ]);
    const result = await generated('r4', fixedInterview());
    expect(result.data).toMatchObject({ ruleSet: 'r4', scoredBy: { scorer: 'rubric', version: 4 } });
    expect(result.data.scores.map(({ score, exact, passed }) => [score, exact, passed])).toEqual([
      [69, 69.166667, false],
      [73, 73.166667, null],
    ]);
    expect(termsOf(result)).toEqual([
      [
        ['tickets_finished', 0.666667, 70, 46.666667],
        ['last_run_passed', 0.75, 30, 22.5],
      ],
      [
        ['tickets_started_first', 0.5, 11.666667, 5.833333],
        ['questions_answered', 0.666667, 35, 23.333333],
        ['answers_with_substance', 0.6, 23.333333, 14],
        ['changes_tested', 1, 15, 15],
        ['small_steps', 1, 5, 5],
        ['sent_messages_with_substance', 1, 10, 10.000001],
      ],
    ]);
    expect(result.data).toMatchObject({ overallScore: 70, overallExact: 70, passed: true });
    expect(result).toMatchSnapshot();
  });

  it('of the fifth rule set are those of the fourth where no hand-in was compared', async () => {
    for (const session of [fixedSession(), fixedInterview()]) {
      const { data, ...rest } = await generated('r4', session);
      expect(await generated('r5', session)).toEqual({ ...rest, data: { ...data, ruleSet: 'r5' } });
    }
  });

  it('are the same in every time zone and language', async () => {
    const sessions = pathToFileURL(resolve('dist/test/support/fixed-sessions.js')).href;
    const program = `import { everyGeneration } from '${sessions}'; process.stdout.write(await everyGeneration());`;
    const elsewhere = { TZ: 'Asia/Kathmandu', LC_ALL: 'tr_TR.UTF-8', LANG: 'tr_TR.UTF-8' };
    const { PATH = '' } = process.env;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        env: { PATH, ...elsewhere },
      },
    );
    expect(stdout).toBe(await everyGeneration());
  });
});
