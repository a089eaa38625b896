import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { auditHere } from '../../../test/evidence/audit.js';
import {
  type Bundles,
  contentIn,
  openBundles,
  TAMPERINGS,
  WRONG_FIGURES,
} from '../../../test/evidence/bundles.js';
import { keys, storedSession } from '../../../test/evidence/evidence-log.js';

/** What a verifier says that was written in another language, from docs/evidence.md alone. */
const second = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync('python3', ['test/evidence/verify_evidence.py', ...args], {
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

  it('holds, also without what was erased, without any result, and with work that arrived late', async () => {
    const { whole, withWork, published, folder, stored, vault, exported } = bundles;
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
    const { code, text } = second(withWork, '--keys', published);
    expect(text).toContain('1 hand-ins against their events');
    expect(text).not.toContain('not checked');
    expect(code).toBe(0);
  });

  it('may lack what was handed in, as one of former versions does', async () => {
    const without = await bundles.copied(
      async (copy) => rm(join(copy, await contentIn(copy))),
      bundles.withWork,
    );
    for (const audited of [second(without), await auditHere(without)]) {
      expect(audited.text).toMatch(/not checked {2}what was handed in: /);
      expect(audited.code).toBe(0);
    }
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
