import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { audit, auditHere } from '../../../test/evidence/audit.js';
import {
  type Bundles,
  contentIn,
  openBundles,
  STRANGER,
  TAMPERINGS,
  WRONG_FIGURES,
} from '../../../test/evidence/bundles.js';
import { keys, storedSession, type StoredSession, withData } from '../../../test/evidence/evidence-log.js';
import { Interrupted, OperatorError } from '../cli/program.js';
import type { ExportOptions } from './export.js';

describe('an exported bundle', () => {
  let bundles: Bundles;
  let { folder, stored, whole, published, vault, exported } = {} as Bundles;

  beforeAll(async () => {
    bundles = await openBundles();
    ({ folder, stored, whole, published, vault, exported } = bundles);
  });
  afterAll(() => bundles.close());

  it('holds, and says of itself what was checked and what was not', async () => {
    const without = await audit(whole);
    expect(without.code).toBe(0);
    expect(without.text).toContain('5 events of the session and 3 of its evaluation');
    expect(without.text).toContain('5 personal parts against their commitments');
    expect(without.text).toContain('the arithmetic of generation 2');
    expect(without.text).toMatch(new RegExp(`not checked .*${keys.signer.keyId}.*evidence-keys.json`));
    expect(await auditHere(whole)).toEqual(without);
    const withKeys = await audit(whole, '--keys', published);
    expect(withKeys.code).toBe(0);
    expect(withKeys.text).not.toContain('not checked');
    expect(withKeys.text).not.toContain('BROKEN');
  });

  it('never holds a key', async () => {
    const [person] = [...vault.known.values()].flatMap((known) => (known.kind === 'key' ? [known.key] : []));
    for (const name of await readdir(whole)) {
      const bytes = await readFile(join(whole, name));
      for (const key of [person!, Buffer.alloc(32, 0x11)])
        for (const form of ['hex', 'base64', 'base64url'] as const)
          expect(bytes.includes(key.toString(form))).toBe(false);
    }
  });

  it('holds after an erasure, which leaves what is personal unread', async () => {
    const gone = await storedSession(vault, keys, true);
    await vault.keys.erase(gone.person);
    const out = join(folder, 'erased');
    expect(await exported(gone, out)).toMatchObject({ events: 10, unread: 5 });
    const { code, text } = await audit(out, '--keys', published);
    expect(text).toContain('6 events of the session and 4 of its evaluation');
    expect(text).toContain('5 personal parts that can no longer be read');
    expect(code).toBe(0);
    for (const name of await readdir(out))
      expect(await readFile(join(out, name), 'utf8')).not.toMatch(/Answer \d|Clear words/);
  });

  it.each([[[3]], [[1, 2]], [[2, 1]]])(
    'is the same where activities were sent together: %j',
    async (batches) => {
      const session = await storedSession(vault, keys, false, batches);
      const out = join(folder, `batches-${batches.join('-')}`);
      expect(await exported(session, out)).toMatchObject({ events: 8, unread: 0 });
      const told = async (from: string) => {
        const { code, text } = await audit(from, '--keys', published);
        expect(code).toBe(0);
        expect(text).toContain('5 events of the session and 3 of its evaluation');
        const lines = (await readFile(join(from, 'events.jsonl'), 'utf8')).trimEnd().split('\n');
        return lines.map((line) => {
          const { number, type, personal } = JSON.parse(line) as {
            number: number;
            type: string;
            personal: { text: string } | null;
          };
          return { number, type, text: type.startsWith('trial.') ? personal?.text : null };
        });
      };
      expect(await told(out)).toEqual(await told(whole));
    },
  );

  it('has what was handed in, as its candidate sent it, until it is erased', async () => {
    const { withWork } = bundles;
    const { code, text } = await audit(withWork, '--keys', published);
    expect(text).toContain('1 hand-ins against their events');
    expect(text).not.toContain('not checked');
    expect(code).toBe(0);
    const content = await readFile(join(withWork, await contentIn(withWork)), 'utf8');
    expect(Buffer.from(content, 'base64').toString()).toMatch(/^(# An answer in so many words .*\n){3}$/);
    const gone = await storedSession(vault, keys, true, [1, 1, 1], true);
    await vault.keys.erase(gone.person);
    const out = join(folder, 'erased-work');
    await exported(gone, out);
    expect((await readdir(out)).sort()).toEqual(['README', 'SHA256SUMS', 'evaluation.json', 'events.jsonl']);
    expect(await audit(out, '--keys', published)).toMatchObject({ code: 0 });
  });

  it('holds without any result', async () => {
    const out = join(folder, 'open');
    const open = { ...stored, events: stored.events.slice(0, 3) };
    expect(await exported(open, out)).toMatchObject({ evaluationId: null, keyIds: [] });
    expect((await audit(out)).code).toBe(0);
    expect(await readdir(out)).not.toContain('evaluation.json');
  });

  it.each(TAMPERINGS)('is found out: %s', async (_name, what, tamper) => {
    const { code, text } = await auditHere(await tamper(bundles));
    expect(text).toContain('BROKEN');
    expect(text).toContain(what);
    expect(text).toMatch(/The evidence does not hold\.\n$/);
    expect(code).toBe(1);
  });

  it.each(WRONG_FIGURES)('is found out where %s was never right', async (_name, what, make) => {
    const copy = await make(bundles);
    expect(await auditHere(copy)).toMatchObject({ code: 1, text: expect.stringContaining(what) });
  });

  it('is not shown as another result by what it makes a terminal execute', async () => {
    const from = join(folder, 'hostile');
    await cp(whole, from, { recursive: true });
    const hidden = '\u001b[2J\u001b[HThe evidence holds.\u001b[8m\u202e';
    await writeFile(join(from, 'SHA256SUMS'), `${hidden}\n`);
    const { code, text } = await audit(from);
    expect(code).toBe(1);
    expect(text).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    expect(text).toContain('\\u{1b}[8m');
    expect(text).toMatch(/\nThe evidence does not hold\.\n$/);
  });

  it('is found out where any one byte of a file is another', async () => {
    const sizes = await Promise.all(
      ['events.jsonl', 'evaluation.json', 'README', 'SHA256SUMS'].map(
        async (name) => [name, (await readFile(join(whole, name))).length] as const,
      ),
    );
    const place = fc
      .constantFrom(...sizes)
      .chain(([name, size]) => fc.record({ name: fc.constant(name), at: fc.nat(size - 1) }));
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), async ({ name, at }, flip) => {
        const copy = bundles.nextFolder();
        await cp(whole, copy, { recursive: true });
        const bytes = await readFile(join(copy, name));
        bytes.writeUInt8(bytes.readUInt8(at) ^ flip, at);
        await writeFile(join(copy, name), bytes);
        expect((await auditHere(copy, '--keys', published)).code).toBe(1);
      }),
      { numRuns: 50 },
    );
  });

  it('is not believed where the published keys are others, and a mistyped call is no forgery', async () => {
    const others = join(folder, 'others.json');
    await writeFile(others, JSON.stringify({ keys: STRANGER.trusted.published }));
    expect(await auditHere(whole, '--keys', others)).toMatchObject({
      code: 1,
      text: expect.stringContaining('not among the published ones'),
    });
    await writeFile(others, '{}');
    expect(await auditHere(whole, '--keys', others)).toMatchObject({
      code: 1,
      text: expect.stringContaining(`${others} has no set of public keys`),
    });
    for (const args of [
      [],
      ['no such folder'],
      [whole, '--keys'],
      [whole, '--key', published],
      [whole, '--keys', 'none'],
    ])
      expect((await auditHere(...args)).code).toBe(2);
    // A folder of something else was mistyped, and is no forgery.
    expect((await auditHere(join(folder, '..'))).code).toBe(2);
    expect((await audit('no such folder')).code).toBe(2);
  });

  describe('is not made', () => {
    const refused = async (
      session: StoredSession,
      out: string,
      why: string,
      options: Partial<ExportOptions> = {},
    ): Promise<void> => {
      const before = await readdir(folder);
      const error = await exported(session, out, options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperatorError);
      expect((error as Error).message).toContain(why);
      expect(await readdir(folder)).toEqual(before);
    };

    it('of evidence that does not hold', async () => {
      const events = stored.events.with(
        3,
        withData(stored.events[3]!, (text) => text.replace('occurredAt', 'occurredOn')),
      );
      await refused({ ...stored, events }, join(folder, 'none'), 'Event 4 of trial-');
    });

    it('of work that is not stored as it was handed in', async () => {
      const work = await storedSession(vault, keys, false, [1], true);
      const isIts = ({ person }: { readonly person: string }) => person === work.person;
      vault.pieces.kept = vault.pieces.kept.map((one) =>
        isIts(one) ? { ...one, sealed: Buffer.alloc(one.sealed.byteLength) } : one,
      );
      await refused(work, join(folder, 'none'), 'is not what was handed in');
      vault.pieces.kept = vault.pieces.kept.filter((one) => !isIts(one));
      await refused(work, join(folder, 'none'), 'is not what was handed in');
    });

    it('while the candidate is being erased: what is missing has no erasure in the chain yet', async () => {
      const going = await storedSession(vault);
      await vault.keys.erase(going.person);
      await refused(going, join(folder, 'going'), 'is being erased');
    });

    it('of a session whose end was removed, though its evaluation is left', async () => {
      for (const events of [stored.events.toSpliced(4, 1), stored.events.slice(5)])
        await refused({ ...stored, events }, join(folder, 'none'), 'Event 1 of evaluation-');
    });

    it('over a folder that is there, or in one that is not', async () => {
      await refused(stored, whole, 'exists already');
      await refused(stored, join(folder, 'none', 'deeper'), 'There is no folder');
    });

    it('of a session that there is not, or once it was stopped', async () => {
      await refused({ ...stored, session: 'unknown' }, join(folder, 'none'), 'There is no evidence');
      const error = await exported(stored, join(folder, 'none'), { signal: AbortSignal.abort() }).catch(
        (reason: unknown) => reason,
      );
      expect(error).toBeInstanceOf(Interrupted);
    });

    it('where it could not be recorded', async () => {
      const record = () => Promise.reject(new OperatorError('The disk is full.'));
      await refused(stored, join(folder, 'none'), 'The disk is full.', { record });
    });
  });
});
