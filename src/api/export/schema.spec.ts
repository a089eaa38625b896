import { describe, expect, it } from '@jest/globals';
import { registeredComponents } from '../../core/json-schema.js';
import { exportSchema } from './schema.js';

describe('the description of an export', () => {
  it('refers to nothing that is not described', () => {
    exportSchema();
    const document: unknown = { components: { schemas: registeredComponents() } };
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path!,
    );
    expect(references.some((path) => path.includes('/properties/'))).toBe(true);
    const found = (path: string): unknown =>
      path
        .split('/')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], document);
    expect(references.filter((path) => typeof found(path) !== 'object')).toEqual([]);
  });
});
