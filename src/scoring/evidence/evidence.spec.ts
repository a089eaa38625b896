import { describe, expect, it } from '@jest/globals';
import { SessionBuilder, testId } from '../../../test/support/evidence-builder.js';
import { evidenceOf } from './evidence.js';

describe('hand-ins as evidence', () => {
  const session = new SessionBuilder().started().handsIn('T-1').completed();
  const work = { handInId: testId(12, 1), ticketId: 'T-1', bytes: 120, sha256: '1'.padStart(64, '0') };
  const arrived = { ...work, ticketVersion: 1, files: 1, treeSha256: work.sha256 };

  it('are what the service itself vouches for, without anything personal', () => {
    expect(evidenceOf(session)?.slice(1, 3)).toMatchObject([
      { eventType: 'work.hand_in_begun', source: 'service', payload: work },
      { eventType: 'work.handed_in', source: 'service', payload: arrived },
    ]);
    expect(JSON.stringify(evidenceOf(session))).not.toMatch(/work\.zip|parser/);
  });

  it('are the same once their names can no longer be read', () => {
    const unreadable = session.map((event) => ({ ...event, personal: null }));
    expect(evidenceOf(unreadable)).toEqual(evidenceOf(session));
  });
});
