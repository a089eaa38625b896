import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unaskedContext, type RequestContext } from '../core/command-context.js';
import { UseCase } from './use-case.js';

const FOLDER = join('src', 'application');
type Made = new (context: RequestContext, input: object) => UseCase<unknown, object>;

/** The commands that the files of this room export, by the names in their texts. */
const commands = async (): Promise<ReadonlyMap<string, Made>> => {
  const paths = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /(?<!\.spec|\.whole)\.ts$/.test(path),
  );
  const found = new Map<string, Made>();
  for (const path of paths) {
    const exported = (await import(pathToFileURL(join(FOLDER, path)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported))
      if (typeof value === 'function' && value.prototype instanceof UseCase) found.set(name, value as Made);
  }
  return found;
};

const context: RequestContext = {
  ...unaskedContext({ type: 'system', id: 'test' }, 'correlation'),
  ...{ expectedVersion: null, newId: () => '', newRecordId: () => '' },
};

describe('a command', () => {
  it('has the name of its class, also where a bundler renames classes', async () => {
    const all = await commands();
    expect(all.size).toBeGreaterThan(30);
    for (const [name, Command] of all) expect(new Command(context, {}).name).toBe(name);
  });
});
