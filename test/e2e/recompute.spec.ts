import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Explanation } from '../../src/api/evaluations/explanation.js';
import { createCodec } from '../../src/core/codec.js';
import { Sealer } from '../../src/core/sealing.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { recomputeAll } from '../../src/operator/evaluations/recompute.js';
import type { RecomputeReport } from '../../src/operator/evaluations/report.js';
import { openVault } from '../../src/process/adapters.js';
import { readConfiguration } from '../../src/process/config.js';
import { serviceKeys } from '../../src/process/secret-files.js';
import { currentRuleSet, type RuleSet, ruleSets } from '../../src/scoring/rule-sets.js';
import type { Vault } from '../../src/vault/port.js';
import { assay } from '../support/assay.js';
import { eventually } from '../support/eventually.js';
import { work } from '../support/organisation.js';
import { openStage, type Stage } from '../support/stage.js';

/** Non-blank characters that each candidate pastes. */
const PASTES = [0, 120, 150, 260, 150];
const SECRET = 'pasted~secret';

let stage: Stage;
const evaluations: string[] = [];

beforeAll(async () => {
  stage = await openStage();
  const role = await stage.role();
  for (const [n, nonBlankCharacters] of PASTES.entries()) {
    const candidate = await stage.started(role);
    const { person, session } = candidate;
    const { events } = work();
    // Each later candidate leaves out more of the good work.
    const pasted = { characters: nonBlankCharacters, nonBlankCharacters, note: SECRET };
    const last = { clientEventId: 'p', eventType: 'clipboard.pasted', payload: pasted };
    await person.post(`${session}/activity`, {
      events: [...events.slice(n), { ...events[0]!, ...last }],
    });
    await person.post(`${session}/complete`);
    stage.owner.follow(person);
  }
  evaluations.push(...(await eventually(allReady)));
});
afterAll(() => stage.close());

const allReady = async (): Promise<string[] | false> => {
  const path = stage.at('/evaluations?status=ready');
  const { body } = await stage.owner.get<{ items: { id: string }[] }>(path);
  return body.items.length === PASTES.length && body.items.map(({ id }) => id);
};

const recompute = (...args: readonly string[]) =>
  assay(stage.service.dataDir, 'evaluations', 'recompute', ...args);

const withVault = async <T>(use: (vault: Vault) => Promise<T>): Promise<T> => {
  const configuration = readConfiguration({ DATA_DIR: stage.service.dataDir });
  const vault = await openVault(configuration, await serviceKeys(configuration));
  try {
    return await use(vault);
  } finally {
    await vault.close();
  }
};

const noProgress = { begin: () => undefined, update: () => undefined, end: () => undefined };

/** Recomputes as the command does, but with a rule set that the service does not have. */
const recomputed = (ruleSet: RuleSet, signal = new AbortController().signal): Promise<RecomputeReport> =>
  withVault(async (vault) => {
    const codec = createCodec(eventRegistry, new Sealer(vault));
    return recomputeAll(
      { log: await stage.log(), codec, unit: 'events' },
      { ruleSet, examples: 10, progress: noProgress, signal },
    );
  });

describe('assay evaluations recompute', () => {
  it('reports no change under the rule set that the results were made under, and writes nothing', async () => {
    const before = await stage.head();
    const { code, out, err } = await recompute('--dry-run', '--json');
    expect({ code, err: err.replace(/^(log|results): .*\n/gm, '') }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      ruleSet: currentRuleSet.name,
      ...{ evaluations: PASTES.length, recomputed: PASTES.length, changed: 0, erased: 0, unusable: 0 },
      madeUnder: { [currentRuleSet.name]: PASTES.length },
      byFigure: { score: 0, terms: 0, overall: 0, passed: 0, findings: 0, failure: 0 },
      ...{ findingsByKind: {}, examples: [], unusableExamples: [] },
    });
    expect(await stage.head()).toBe(before);
  });

  it('describes the effect of another rule set in words, with ids only', async () => {
    const { code, out } = await recompute('--rule-set', ruleSets[0]!.name, '--dry-run', '--examples', '2');
    expect(code).toBe(0);
    expect(out).toMatch(
      new RegExp(
        `^${PASTES.length} results recomputed under ${ruleSets[0]!.name} \\(made: ${PASTES.length} under ${currentRuleSet.name}\\): `,
        'm',
      ),
    );
    expect(out).toMatch(/^Nothing was written\.$/m);
    for (const text of [SECRET, 'candidate-', '@example.org', 'parser', 'Does it work', 'src/a.ts'])
      expect(out).not.toContain(text);
  });

  it('counts what a changed threshold changes, no more and no less', async () => {
    const { paste_burst } = currentRuleSet.integrity;
    if (paste_burst === undefined) throw new Error('The current rule set finds no paste bursts.');
    const least = 150;
    const report = await recomputed({
      ...currentRuleSet,
      name: 'stricter',
      integrity: {
        ...currentRuleSet.integrity,
        paste_burst: { ...paste_burst, minimumNonBlankCharacters: least },
      },
    });
    // Evaluations with a new finding, and evaluations whose finding names another threshold.
    const changed = evaluations.filter((_, n) => PASTES[n]! >= least);
    expect(report).toMatchObject({
      ruleSet: 'stricter',
      ...{ recomputed: PASTES.length, changed: changed.length },
      byFigure: { score: 0, terms: 0, overall: 0, passed: 0, findings: changed.length, failure: 0 },
      findingsByKind: { paste_burst: changed.length },
    });
    expect(report.examples.map(({ evaluationId }) => evaluationId)).toEqual(changed);
    expect(report.examples.map(({ differences }) => differences)).toEqual(
      changed.map((id) => [
        {
          ...{ figure: 'findings', kind: 'paste_burst' },
          ...{ from: PASTES[evaluations.indexOf(id)]! >= 200 ? 1 : 0, to: 1 },
        },
      ]),
    );
  });

  it('shows the figures that were stored beside those of other weights', async () => {
    const { rubric } = currentRuleSet;
    if (!('base' in rubric.process)) throw new Error('The current rule set weighs by no setup.');
    const { base, reported } = rubric.process;
    const { changes_tested = 0, sent_messages_with_substance = 0 } = reported;
    const swapped = {
      ...reported,
      changes_tested: sent_messages_with_substance,
      sent_messages_with_substance: changes_tested,
    };
    const ruleSet = {
      ...currentRuleSet,
      rubric: { ...rubric, process: { base, reported: swapped } },
    };
    const report = await recomputed(ruleSet);
    const gained = sent_messages_with_substance - changes_tested;
    let [others, unchanged] = [0, 0];
    for (const id of evaluations) {
      const { body } = await stage.owner.get<Explanation>(stage.at(`/evaluations/${id}/explanation`));
      const dimension = body.dimensions[1]!;
      // The gain for each point of a signal that only raises: the point is taken from those of the base.
      const ofBase = dimension.terms.filter(({ signal }) => Object.hasOwn(base, signal));
      const mean =
        ofBase.reduce((sum, { contribution }) => sum + contribution, 0) /
        ofBase.reduce((sum, { weight }) => sum + weight, 0);
      const raise = (signal: string) => {
        const found = dimension.terms.find((term) => term.signal === signal);
        return found === undefined ? 0 : found.value - mean;
      };
      const found = report.examples.find(({ evaluationId }) => evaluationId === id);
      const score = found?.differences.find(
        (one) => one.figure === 'score' && one.dimensionId === dimension.dimensionId,
      );
      const change = gained * (raise('changes_tested') - raise('sent_messages_with_substance'));
      if (Math.abs(change) < 1e-6) {
        expect(score).toBeUndefined();
        if (found === undefined) unchanged++;
        continue;
      }
      others++;
      expect(score).toMatchObject({ from: dimension.exact });
      expect(score).toHaveProperty('to', expect.closeTo(dimension.exact + change, 4));
    }
    expect(others).toBeGreaterThan(0);
    // Some have other terms with the same score.
    expect(report).toMatchObject({
      changed: PASTES.length - unchanged,
      byFigure: { score: others, terms: PASTES.length - unchanged - others },
    });
  });

  it('reads only the latest ready generation', async () => {
    const [id] = evaluations;
    await stage.owner.post(stage.at(`/evaluations/${id}/regenerations`));
    await eventually(async () => (await allReady()) !== false);
    const { out } = await recompute('--dry-run', '--json');
    expect(JSON.parse(out)).toMatchObject({ evaluations: PASTES.length, changed: 0 });
    const report = await recomputed({
      ...currentRuleSet,
      integrity: { ...currentRuleSet.integrity, identity_verified: { version: 99 } },
    });
    expect(report).toMatchObject({
      changed: PASTES.length,
      findingsByKind: { identity_verified: PASTES.length },
    });
    expect(report.examples.map(({ evaluationId, generation }) => [evaluationId, generation])).toEqual(
      evaluations.map((one) => [one, one === id ? 2 : 1]),
    );
  });

  it('counts those that could not be recomputed since they were erased', async () => {
    const { body } = await stage.owner.get<{ items: { id: string }[] }>(stage.at('/applications'));
    const erased = await stage.owner.post(stage.at(`/applications/${body.items[0]!.id}/erasure`));
    expect(erased.status).toBe(202);
    // Wait for the last event of the erasure: nothing else is appended afterwards.
    await eventually(async () => {
      for await (const { type } of (await stage.log()).readAll())
        if (type === 'evaluation.erased') return true;
      return false;
    });
    const { code, out } = await recompute('--dry-run', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      ...{ evaluations: PASTES.length, recomputed: PASTES.length - 1, changed: 0, erased: 1, unusable: 0 },
    });
    expect((await recompute('--dry-run')).out).toContain(
      '1 result could not be recomputed: the candidate was erased.',
    );
  });

  it('makes no key where the one that it needs is missing', async () => {
    const key = join(stage.service.dataDir, 'data.key');
    await rename(key, `${key}.away`);
    try {
      const { code, out, err } = await recompute('--dry-run');
      expect([code, out]).toEqual([1, '']);
      expect(err).toMatch(/^DATA_KEY is not set: /);
      expect(existsSync(key)).toBe(false);
    } finally {
      await rename(`${key}.away`, key);
    }
  });

  it('ends when its signal aborts', async () => {
    const stopped = new AbortController();
    stopped.abort(new Error('enough'));
    await expect(recomputed(currentRuleSet, stopped.signal)).rejects.toThrow('enough');
  });

  it.each([
    [['--dry-run', '--rule-set', 'r0'], /^error: there is no rule set "r0"\. The rule sets are: r1, r2/],
    [
      ['--dry-run', '--rule-set', '__proto__'],
      /^error: there is no rule set "__proto__"\. The rule sets are: r1/,
    ],
    [[], /^error: pass --dry-run\. This command changes no result: .*regenerate/],
    [['--dry-run', '--examples', '-1'], /whole number from 0 on/],
  ])('ends with exit code 2 and a sentence: %j', async (args, sentence) => {
    const { code, out, err } = await recompute(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(sentence);
  });
});
