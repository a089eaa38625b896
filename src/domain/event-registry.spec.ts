import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventRegistry } from './event-registry.js';

const folder = join(process.cwd(), 'src');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /(?:^|[/-])events\.ts$/.test(file));

/** The types that a file declares: its exported objects of declarations, and the names of its `EventOf`. */
const declaredIn = async (file: string): Promise<readonly string[]> => {
  const module = (await import(`../${file.replace(/ts$/, 'js')}`)) as object;
  const declarations = Object.entries(module).filter(([name]) => name.endsWith('Events'));
  const named = [...readFileSync(join(folder, file), 'utf8').matchAll(/EventOf<\s*'([^']+)'/g)];
  return [
    ...declarations.flatMap(([, declared]) => Object.keys(declared as object)),
    ...named.map(([, type = '']) => type),
  ];
};

describe('event registry', () => {
  it('holds exactly the types that the events files declare', async () => {
    const declared = (await Promise.all(files.map(declaredIn))).flat();
    expect(declared.length).toBeGreaterThan(20);
    expect([...eventRegistry.keys()].sort()).toEqual([...new Set(declared)].sort());
  });
});
