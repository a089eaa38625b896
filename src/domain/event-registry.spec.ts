import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventRegistry } from './event-registry.js';
import { OPERATIONS } from './operations/operations.js';

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
    // An operation names its request in the table of operations.
    const asked = Object.values(OPERATIONS).map(({ event }) => event);
    expect([...eventRegistry.keys()].sort()).toEqual([...named, ...asked].sort());
  });
});
