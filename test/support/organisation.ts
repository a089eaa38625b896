import { addOrganisation } from '../../src/operator/organisations.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import type { Person } from './api.js';

/**
 * Makes an organisation by the operator's command. The service may run.
 * @param where a data folder, or the settings of the service
 * @returns its id
 */
export const createOrganisation = async (
  where: string | Readonly<Record<string, string>>,
  name: string,
  ownerEmail: string,
): Promise<string> => {
  const stores = await openWriteSide(
    readConfiguration(typeof where === 'string' ? { DATA_DIR: where } : where),
  );
  try {
    return await addOrganisation(stores, name, ownerEmail);
  } finally {
    await stores.close();
  }
};

/** A PNG, in base64. */
export const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A role's definition that an update accepts. */
export const definition = (name = 'Backend engineer') => ({
  name,
  overallThreshold: 60,
  dimensions: [
    { name: 'Does it work?', weight: 60, category: 'correctness', threshold: 50 },
    { name: 'How did it go?', weight: 40, category: 'process' },
  ],
  ticketIds: ['T-1'],
});

interface Application {
  readonly id: string;
  readonly trialSessions: readonly { readonly id: string }[];
}

/** Invites an address to a role. @returns the ids of the application and of its trial session */
export const invite = async (
  staff: Person,
  organisationId: string,
  roleId: string,
  candidateEmail: string,
): Promise<{ readonly applicationId: string; readonly sessionId: string }> => {
  const path = `/organisations/${organisationId}/roles/${roleId}/invitations`;
  const { status, body, text } = await staff.post<Application>(path, { candidateEmail });
  if (status !== 201) throw new Error(`Not invited: ${text}`);
  return { applicationId: body.id, sessionId: body.trialSessions[0]!.id };
};

/** The body of a request with a few activities of a candidate at work. */
export const work = (prefix = 'e') => ({
  events: [
    ['ticket.started', { ticketId: 'T-1' }],
    ['file.changed', { path: 'src/a.ts', linesAdded: 40, linesRemoved: 2 }],
    ['test.run', { passed: 9, failed: 1, durationMs: 800 }],
    ['message.sent', { text: 'The parser drops the last line; I will read it to the end.', to: 'assistant' }],
    ['ticket.finished', { ticketId: 'T-1' }],
  ].map(([eventType, payload], index) => ({
    clientEventId: `${prefix}${index}`,
    eventType,
    occurredAt: new Date(Date.UTC(2026, 0, 5, 9, index)).toISOString(),
    payload,
  })),
});
