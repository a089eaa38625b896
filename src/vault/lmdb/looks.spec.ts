import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { PersonId } from '../../core/vault/port.js';
import type { ArchivableVault } from '../archive.js';

/** Called before each look of the vault at a file of this process that is named like a person. */
let beforeLook: (person: string) => void = () => undefined;

const watched = Object.fromEntries(
  Object.entries(fs).map(([name, member]) => [
    name,
    typeof member !== 'function' || /^[A-Z]/.test(name)
      ? member
      : (...given: unknown[]): unknown => {
          if (typeof given[0] === 'string') beforeLook(basename(given[0]));
          return (member as (...given: unknown[]) => unknown)(...given);
        },
  ]),
);
jest.unstable_mockModule('node:fs', () => watched);
const { openEmbeddedVault } = await import('./vault.js');

/** The steps of an erasure by another process, as the files show them. */
const STEPS = 3;

describe('a key that is read from files while another process erases it', () => {
  const dataKey = randomBytes(32);
  let folder: string;
  let vault: ArchivableVault;
  beforeAll(async () => {
    folder = fs.mkdtempSync(join(tmpdir(), 'assay-looks-'));
    vault = await openEmbeddedVault(folder, dataKey);
  });
  afterAll(async () => {
    await vault.close();
    fs.rmSync(folder, { recursive: true });
  });

  const eraseIn = (person: PersonId): readonly (() => void)[] => {
    const key = fs
      .readdirSync(join(folder, 'keys'), { recursive: true, encoding: 'utf8' })
      .find((name) => basename(name) === person)!;
    const path = join(folder, 'keys', key);
    const tombstone = join(folder, 'erased', key);
    return [
      () => {
        fs.mkdirSync(dirname(tombstone), { recursive: true });
        fs.writeFileSync(tombstone, '');
      },
      () => fs.writeFileSync(path, Buffer.alloc(fs.statSync(path).size)),
      () => fs.unlinkSync(path),
    ];
  };

  /**
   * Reads a key that is not cached, with each step of its erasure before one of the looks at the files.
   * @returns the result, and how many looks at the files it took
   */
  const readWith = async (places: readonly number[]) => {
    const person = randomUUID() as PersonId;
    await vault.keys.create(person);
    const reader = await openEmbeddedVault(folder, dataKey);
    const steps = eraseIn(person);
    let looks = 0;
    let done = 0;
    beforeLook = (name) => {
      if (name !== person) return;
      for (; done < steps.length && places[done] === looks; done++) steps[done]?.();
      looks++;
    };
    try {
      return { answer: (await reader.keys.get(person))?.kind ?? 'missing', looks };
    } finally {
      beforeLook = () => undefined;
      await reader.close();
    }
  };

  it('is a key or erased, never missing and no fault, wherever each step falls between the looks', async () => {
    const { looks, answer } = await readWith([]);
    expect(answer).toBe('key');
    expect(looks).toBeGreaterThan(1);
    const most = looks + 1;
    const places = Array.from({ length: most ** STEPS }, (_, n) =>
      Array.from({ length: STEPS }, (_, step) => Math.floor(n / most ** step) % most),
    ).filter(([one = 0, two = 0, three = 0]) => one <= two && two <= three);
    const answers = new Map<string, string>();
    for (const at of places) answers.set(at.join(), await readWith(at).then((read) => read.answer, String));
    expect([...answers].filter(([, one]) => one !== 'key' && one !== 'erased')).toEqual([]);
    expect(new Set(answers.values())).toEqual(new Set(['key', 'erased']));
  });
});
