import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { FakeService, Trouble } from '../../test/support/fake-service.js';
import { startFakeService } from '../../test/support/fake-service.js';

/** The compiled program, as a user runs it. */
async function run(...flags: string[]): Promise<{ code: number; out: string; err: string }> {
  const child = spawn(process.execPath, ['dist/bin/simulate.js', ...flags], { env: { PORT: '9' } });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, out, err };
}

describe('npm run simulate', () => {
  let fake: FakeService | null = null;
  afterEach(async () => fake?.close());

  const against = async (trouble: Trouble): ReturnType<typeof run> => {
    fake = await startFakeService(trouble);
    const { url, organisationId, ownerEmail } = fake;
    return run('--candidates', '4', '--url', url, '--organisation', organisationId, '--email', ownerEmail);
  };

  it('exits 0 where everything agrees', async () => {
    expect(await against({})).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/Everything agrees\.\n$/),
    });
  });

  it('lists what differs and exits 1', async () => {
    const { code, out } = await against({ flaw: 'forgets_rename' });
    expect(code).toBe(1);
    expect(out).toMatch(/\nDIFFERENT {2}rows of the signal: .*\n(.*\n)*\d+ differences?\.\n$/);
  });

  it.each([
    ['no service', [], /^No service answers at http:\/\/127\.0\.0\.1:9 [^\n]+\n$/],
    [
      'half an organisation',
      ['--email', 'a@b.example'],
      /^error: --organisation and --email belong together/,
    ],
    ['a number that is none', ['--candidates', '1.5'], /whole number from 1 to 100000/],
    ['an address that is none', ['--url', 'ftp://x'], /http or https address/],
  ])('says in one line what is wrong with %s, and exits 1', async (_, flags, sentence) => {
    const { code, out, err } = await run(...flags);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});
