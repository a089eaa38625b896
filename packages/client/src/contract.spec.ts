import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CLIENT, clientOf } from '../../../test/contract/client.js';
import { kept } from '../../../test/contract/kept.js';

describe('the client’s types and limits', () => {
  it('are those of the kept OpenAPI document: npm run contract:write writes both', async () => {
    const generated = await clientOf(kept('openapi'));
    // The difference of two long texts would take minutes.
    expect(readFileSync(CLIENT, 'utf8') === generated).toBe(true);
  });
});
