import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { auditHere } from '../../../test/support/audit.js';
import { type Bundles, openBundles, TAMPERINGS, WRONG_FIGURES } from '../../../test/support/bundles.js';
import { keys, storedSession } from '../../../test/support/evidence-log.js';

/** What a verifier says that was written in another language, from docs/evidence.md alone. */
const second = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('python3', ['test/support/verify_evidence.py', ...args], {
    encoding: 'utf8',
  });
  return { code: status, text: stdout + stderr };
};

describe('a bundle, to a verifier that was written from the page alone', () => {
  let bundles: Bundles;

  beforeAll(async () => {
    bundles = await openBundles();
  });
  afterAll(() => bundles.close());

  it('holds, also without what was erased and without any result', async () => {
    const { whole, published, folder, stored, vault, exported } = bundles;
    expect(second(whole, '--keys', published)).toMatchObject({ code: 0 });
    const gone = await storedSession(vault, keys, true);
    await vault.keys.erase(gone.person);
    await exported(gone, join(folder, 'erased'));
    await exported({ ...stored, events: stored.events.slice(0, 3) }, join(folder, 'open'));
    for (const name of ['erased', 'open'])
      expect(second(join(folder, name), '--keys', published)).toMatchObject({
        code: 0,
        text: expect.stringMatching(/The evidence holds\.\n$/),
      });
  });

  it.each([...TAMPERINGS, ...WRONG_FIGURES])('is found out: %s', async (_name, _what, tamper) => {
    const copy = await tamper(bundles);
    const { code, text } = second(copy);
    expect(text).toContain('BROKEN');
    expect(text).not.toContain('Traceback');
    expect(code).toBe(1);
    expect(await auditHere(copy)).toMatchObject({ code: 1 });
  });
});
