import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PersonId } from '../../core/vault/port.js';
import { WrappingKey } from '../data-key.js';
import { ChunkErasures } from './chunk-entries.js';
import { KeyFiles } from './key-files.js';
import { EmbeddedKeys } from './keys.js';
import { LookUpEnvironment } from './look-up-environment.js';

const person = '8c1f2b1e-56e3-4a1b-8d3c-6b54f3f5a001' as PersonId;

describe('the keys of persons in files', () => {
  let folder: string;
  let environment: LookUpEnvironment;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-keys-'));
    environment = await LookUpEnvironment.openIn(folder);
  });
  afterEach(async () => {
    await environment.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are replaced if they are those seen before, as in every store: no parameter of the port is ignored', async () => {
    const wrapping = new WrappingKey(randomBytes(32));
    const files = new KeyFiles(folder, wrapping);
    files.prepare();
    const noChunks = (): never => {
      throw new Error('There are no chunks.');
    };
    const keys = new EmbeddedKeys(environment, files, new ChunkErasures(noChunks));
    const secret = randomBytes(32);
    const [first, second, third] = [1, 2, 3].map(() => wrapping.wrap(secret, person)) as [
      Buffer,
      Buffer,
      Buffer,
    ];
    expect(await keys.insertIfAbsent(person, first)).toEqual(first);
    await keys.replace(person, first, second);
    expect(files.wrapped(person)).toEqual(second);
    await keys.replace(person, first, third);
    expect(files.wrapped(person)).toEqual(second);
  });
});
