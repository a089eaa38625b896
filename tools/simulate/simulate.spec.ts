import { afterEach, describe, expect, it } from '@jest/globals';
import { linesOn } from '../../src/operator/cli/progress.js';
import { type FakeService, startFakeService, type Trouble } from '../../test/simulate/fake-service.js';
import { simulate } from './simulate.js';

const pace = { expiresInMs: 600, pollMs: 50 };

describe('a simulated round', () => {
  let fake: FakeService | null = null;
  afterEach(async () => {
    await fake?.close();
    fake = null;
  });

  async function round(
    trouble: Trouble,
    candidates = 20,
    interviews = false,
  ): Promise<{ differences: readonly string[]; said: string }> {
    fake ??= await startFakeService(trouble);
    const lines: string[] = [];
    const write = (line: string): void => void lines.push(line);
    const { url, organisationId: id, ownerEmail } = fake;
    const options = {
      candidates,
      seed: 7,
      urls: [url] as const,
      issuer: `${url}/issuer`,
      interviews,
      organisation: { id, ownerEmail },
      pace,
    };
    const differences = await simulate(options, write, linesOn(write));
    return { differences, said: lines.join('\n') };
  }

  it('agrees with a service that counts rightly, and prints the signal', async () => {
    const { differences, said } = await round({});
    expect(differences).toEqual([]);
    expect(said).toMatch(/Role .* Completed/);
    expect(said).toMatch(/Platform engineer/);
    expect(said).toMatch(/Site reliability engineer *│ *0 │/);
    expect(said).toMatch(/Candidates: 20 of 20/);
  });

  it('agrees again in the same organisation: a former round stands as it stood', async () => {
    expect((await round({}, 8)).differences).toEqual([]);
    expect((await round({}, 8)).differences).toEqual([]);
  });

  it('agrees where answers are cut off and the service is away now and then', async () => {
    expect((await round({ cutEvery: 7, unavailableEvery: 11 }, 12)).differences).toEqual([]);
  });

  it.each([
    ['counts_resends', /trialCompletedCount: counted \d+, the service says \d+/],
    ['stores_duplicates', /evidence of .*: counted \d+, the service says \d+/],
    ['ignores_retraction', /outcomeRecordedCount: counted/],
    ['checks_first_hand_in', /hand-in that was checked: counted/],
    ['believes_reports', /exact correctness \(hostile\): counted 0, the service says 100/],
    ['forgets_rename', /Platform engineer .*the service says .*Backend engineer/],
  ] as const)('finds out a service that %s', async (flaw, sentence) => {
    const { differences } = await round({ flaw }, 36);
    expect(differences.join('\n')).toMatch(sentence);
  });

  it('agrees about interviews, on connections that break in the middle and are refused', async () => {
    const { differences, said } = await round({ breakEvery: 40, cutEvery: 31 }, 8, true);
    expect(differences).toEqual([]);
    expect(said).toMatch(/ [1-9]\d* interviews of [1-9]\d* questions, /);
  });

  it.each([
    ['loses_answers', /question \d, answer: counted .+, the service says /],
    ['asks_more', /questions: counted (\d), the service says (?!\1)/],
  ] as const)('finds out a service whose interview %s', async (flaw, sentence) => {
    const { differences } = await round({ flaw }, 8, true);
    expect(differences.join('\n')).toMatch(sentence);
  });

  it('says in one line that no service answers', async () => {
    const urls = ['http://127.0.0.1:9'] as const;
    const options = { candidates: 1, seed: 1, urls, issuer: '', organisation: null };
    const run = simulate(
      options,
      () => undefined,
      linesOn(() => undefined),
    );
    await expect(run).rejects.toThrow(
      /^No service answers at http:\/\/127\.0\.0\.1:9 \([^\n]+\): start one .*\.$/,
    );
  });
});
