import { describe, expect, it } from '@jest/globals';
import { withReferences } from '../openapi/document.js';
import { ExportRecord } from './record.js';
import { EvaluationRecord } from '../evaluations/record.js';

describe('the description of an export', () => {
  it('refers to nothing that is not described', () => {
    const schemas = new Map<string, unknown>();
    withReferences([ExportRecord, EvaluationRecord], schemas);
    const document: unknown = { components: { schemas: Object.fromEntries(schemas) } };
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
