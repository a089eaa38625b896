import { describe, expect, it } from '@jest/globals';
import { AssayError } from '../../../packages/client/src/index.js';
import { removed } from './removed.js';

describe('a removal', () => {
  it('is done also if an earlier try did it, whose answer was lost', async () => {
    await removed(Promise.resolve());
    await removed(Promise.reject(new AssayError(404, 'not_found', 'Not found')));
    const other = new AssayError(412, 'version_mismatch', 'Another version.');
    await expect(removed(Promise.reject(other))).rejects.toBe(other);
  });
});
