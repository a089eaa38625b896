import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventRegistry } from './event-registry.js';

const files = readdirSync(join(process.cwd(), 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?:^|[/-])events\.ts$/.test(file));

/** The types in a file's exported declarations, `<aggregate>Events`. */
const declaredIn = async (file: string): Promise<readonly string[]> => {
  const module = (await import(`../${file.replace(/ts$/, 'js')}`)) as object;
  const declarations = Object.entries(module).filter(([name]) => name.endsWith('Events'));
  return declarations.flatMap(([, declared]) => Object.keys(declared as object));
};

describe('event registry', () => {
  it('holds exactly the types that the events files declare', async () => {
    const declared = (await Promise.all(files.map(declaredIn))).flat();
    expect(declared.length).toBeGreaterThan(20);
    expect([...eventRegistry.keys()].sort()).toEqual([...new Set(declared)].sort());
  });
});
