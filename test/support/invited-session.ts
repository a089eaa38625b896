import { HOUR_MS } from '../../src/core/timestamp.js';
import type { PersonId } from '../../src/core/vault/port.js';
import type { Invitation, InvitationTerms } from '../../src/domain/candidate/events.js';
import { DEFINITION_DEFAULTS, type RoleDefinition } from '../../src/domain/role/events.js';
import type { TicketVersion, TrialEvent } from '../../src/domain/session/events.js';
import { after } from './given-when-then.js';

/** The ids of a trial session and of the records to which it belongs. */
export const ids = {
  organisationId: 'o',
  candidateId: 'c',
  applicationId: 'a',
  trialSessionId: 't',
  roleId: 'r',
};

export const person = ids.candidateId as PersonId;

/** A role that has only these tickets. */
export const roleWith = (...ticketIds: readonly string[]): RoleDefinition => ({
  name: 'Engineer',
  overallThreshold: 70,
  dimensions: [],
  ticketIds,
  questions: [],
  ...DEFINITION_DEFAULTS,
});

/** An invitation to the role that was made an hour ago and expires in an hour. */
export const openingFor = (role: RoleDefinition): InvitationTerms => ({
  roleVersion: 2,
  role,
  invitedAt: after(-HOUR_MS),
  expiresAt: after(HOUR_MS),
  language: 'en',
});

export const invitationFor = (role: RoleDefinition): Invitation => ({ ...ids, ...openingFor(role) });

/** The event that starts a session of a role with these tickets. */
export const startedWith = (...tickets: readonly TicketVersion[]): TrialEvent => ({
  type: 'trial.started',
  data: {
    ...{ ...ids, sequenceNumber: 1, consent: true, identity: 'verified', tickets },
    opening: openingFor(roleWith(...tickets.map(({ ticketId }) => ticketId))),
  },
  person,
  personal: null,
});
