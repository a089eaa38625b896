import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventRegistry } from './event-registry.js';

describe('event registry', () => {
  it('holds exactly the types that the events files name', () => {
    const source = join(process.cwd(), 'src');
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /(?:^|[\\/-])events\.ts$/.test(name),
    );
    const named = files.flatMap((file) =>
      [...readFileSync(join(source, file), 'utf8').matchAll(/EventOf<\s*'([^']+)'/g)].map(([, type]) => type),
    );
    expect(named.length).toBeGreaterThan(20);
    expect([...eventRegistry.keys()].sort()).toEqual(named.sort());
  });
});
