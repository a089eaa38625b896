import { describe, expect, it } from '@jest/globals';
import { applicationRecord, type ApplicationParts } from './record.js';

const at = '2026-01-05T09:00:00.000Z';
const parts: ApplicationParts = {
  id: 'a1',
  organisationId: 'o1',
  roleId: 'r1',
  candidateId: 'c1',
  candidateEmail: 'ada@example.org',
  candidateName: 'Ada Lovelace',
  externalId: 'ats-7',
  language: 'en',
  retakeOf: null,
  accommodations: { timeFactor: 2, typedOnly: true, captions: true },
  accommodationRequest: { text: 'More time.', requestedAt: at },
  erasureRequestedAt: at,
  trial: {
    id: 't1',
    applicationId: 'a1',
    status: 'completed',
    roleName: 'Backend engineer',
    invitedAt: at,
    startedAt: at,
    endedAt: at,
    expiresAt: at,
    evaluationId: 'e1',
    version: 2,
  },
  outcome: {
    humanRound: 'passed',
    disposition: null,
    reason: 'Her words.',
    recordedAt: at,
    recordedBy: 's1',
  },
  mailProblem: null,
  outcomeVersion: 1,
  erased: false,
};

describe('the record of an application', () => {
  it('of somebody erased says nothing of the person, whatever was read just before', () => {
    const living = applicationRecord(parts, 'https://assay.example');
    expect(applicationRecord({ ...parts, erased: true }, 'https://assay.example')).toEqual({
      ...living,
      status: 'erased',
      candidateEmail: null,
      candidateName: null,
      externalId: null,
      accommodations: { timeFactor: 1, typedOnly: false, captions: false },
      accommodationRequest: null,
      erasureRequestedAt: null,
      outcome: { ...parts.outcome, reason: null },
    });
  });
});
