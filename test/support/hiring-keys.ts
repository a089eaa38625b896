import type { Actor } from '../../src/core/event.js';
import { apiKeysDecider, createApiKey, revokeApiKey } from '../../src/domain/api-key/decider.js';
import { dataExport, recordExport } from '../../src/domain/data-export/decider.js';
import { EXPORTED } from '../../src/domain/data-export/events.js';
import { organisation } from '../../src/domain/organisation/decider.js';
import { SCOPES } from '../../src/domain/organisation/permissions.js';
import { SECRET, type World } from './world.js';

/** Something about an organisation's API keys: even values make one, odd ones revoke one. */
export const apiKeyStep = (world: World, organisationId: string, value: number, staff: Actor): void => {
  const keys = world.read(apiKeysDecider, organisationId);
  const key = keys[value % (keys.length || 1)];
  if (key && value % 2 === 1) {
    world.submit(apiKeysDecider, organisationId, staff, (state) => revokeApiKey(state, key));
    return;
  }
  const maker = world.read(organisation, organisationId)?.members.find(({ subject }) => subject === staff.id);
  const input = {
    ...{ organisationId, apiKeyId: world.newId(), maker, now: new Date(world.now) },
    name: `${SECRET}key ${value}`,
    scopes: SCOPES.slice(value % SCOPES.length),
    expiresInDays: 1 + value,
  };
  world.submit(apiKeysDecider, organisationId, staff, (state) => createApiKey(state, input));
};

/** A list of the organisation's is exported. */
export const dataExportStep = (world: World, organisationId: string, value: number, staff: Actor): void => {
  const exportId = world.newId();
  const what = EXPORTED[value % EXPORTED.length] ?? 'signal';
  world.submit(dataExport, exportId, staff, (state) =>
    recordExport(state, what, { organisationId, exportId }),
  );
};
