import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable, StreamIncomplete, VaultUnavailable } from '../core/errors.js';
import { ReadModelBehind, ViewParked } from '../engine/errors.js';
import { toApiError } from './to-api-error.js';

describe('what cannot be answered for the service’s own reasons', () => {
  it('is 503 with a time to try again, and names no stream, view or server', () => {
    const thrown = [
      new StreamIncomplete('application-0197f0c2', 4),
      new StreamIncomplete('application-0197f0c2', null),
      new StoreUnavailable('The event store at db.internal cannot answer.'),
      new VaultUnavailable('The vault at db.internal cannot answer.'),
      new ReadModelBehind('signal'),
      new ViewParked('signal', 'role-1'),
    ];
    for (const error of thrown) {
      const { status, message, headers } = toApiError(error);
      expect([status, headers['Retry-After']]).toEqual([503, expect.stringMatching(/^\d+$/)]);
      expect(message).not.toMatch(/application|internal|signal|role/);
    }
  });

  it('is told for a stream whose beginning is missing, as what an operator has to mend', () => {
    const { code, message, cause } = toApiError(new StreamIncomplete('role-1', 2));
    expect([code, message]).toEqual([
      'unavailable',
      'The stream’s beginning is missing: this record cannot be used until an operator has restored it.',
    ]);
    expect(String(cause)).toContain('of role-1, it begins with event 3');
  });
});
