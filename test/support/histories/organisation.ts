import type { PersonId } from '../../../src/core/vault/port.js';
import { apiKeysDecider, createApiKey, revokeApiKey } from '../../../src/domain/api-key/decider.js';
import {
  beginImport,
  candidateImport,
  dropRows,
  endRow,
} from '../../../src/domain/candidate-import/decider.js';
import { dataExport, recordExport } from '../../../src/domain/data-export/events.js';
import { EXPORTED } from '../../../src/domain/data-export/events.js';
import { organisation } from '../../../src/domain/organisation/decider.js';
import { SCOPES } from '../../../src/domain/organisation/permissions.js';
import {
  changeSavedView,
  createSavedView,
  removeSavedView,
  savedViewsDecider,
} from '../../../src/domain/saved-view/decider.js';
import { SECRET, STAFF, type World } from './world.js';

/** Makes an API key of an organisation at an even value, revokes one at an odd value. */
export const apiKeyStep = (world: World, organisationId: string, value: number): void => {
  const keys = world.read(apiKeysDecider, organisationId);
  const key = keys[value % (keys.length || 1)];
  if (key && value % 2 === 1) {
    world.submit(apiKeysDecider, organisationId, STAFF, (state) => revokeApiKey(state, key));
    return;
  }
  const maker = world.read(organisation, organisationId)?.members.find(({ subject }) => subject === STAFF.id);
  const input = {
    ...{ organisationId, apiKeyId: world.newId(), maker, now: new Date(world.now) },
    name: `${SECRET}key ${value}`,
    scopes: SCOPES.slice(value % SCOPES.length),
    expiresInDays: 1 + value,
  };
  world.submit(apiKeysDecider, organisationId, STAFF, (state) => createApiKey(state, input));
};

/** Makes, changes or removes a saved view of an organisation. */
export const savedViewStep = (world: World, organisationId: string, value: number): void => {
  const views = world.read(savedViewsDecider, organisationId);
  const savedViewId = views[value % (views.length || 1)]?.savedViewId;
  const viewer = world
    .read(organisation, organisationId)
    ?.members.find(({ subject }) => subject === STAFF.id);
  const text = `${SECRET}text ${value}`;
  const search = value % 3 === 0 ? null : { text, person: null };
  const on = { viewer, expectedVersion: null };
  world.submit(savedViewsDecider, organisationId, STAFF, (state) => {
    if (savedViewId !== undefined && value % 4 === 1) return removeSavedView(state, { ...on, savedViewId });
    const narrowed = { filter: { minScore: value }, search };
    if (savedViewId !== undefined && value % 4 === 2)
      return changeSavedView(state, {
        ...{ ...on, savedViewId, narrowed, shared: value % 8 === 2, erased: false },
      });
    const made = { organisationId, savedViewId: world.newId(), list: 'evaluations' as const, viewer };
    const name = `${SECRET}view ${value}`;
    return createSavedView(state, { ...made, ...narrowed, name, shared: value % 5 === 0 });
  });
};

/** Exports a list of an organisation. */
export const dataExportStep = (world: World, organisationId: string, value: number): void => {
  const exportId = world.newId();
  const what = EXPORTED[value % EXPORTED.length] ?? 'signal';
  world.submit(dataExport, exportId, STAFF, (state) =>
    recordExport(state, what, { organisationId, exportId }),
  );
};

/** Imports candidates: some rows are invited, some refused, and sometimes all are dropped. */
export const importStep = (world: World, organisationId: string, value: number): void => {
  const importId = world.newId();
  const rows = [2, 3, 4].map((row) => ({
    row,
    person: world.newId() as PersonId,
    sealed: `${SECRET}row ${value}`,
  }));
  const input = { organisationId, importId, roleId: world.newId(), rows, now: new Date(world.now) };
  world.submit(candidateImport, importId, STAFF, (state) => beginImport(state, input));
  const results = [{ applicationId: world.newId() }, { code: 'already_invited' }] as const;
  for (const [at, result] of results.entries())
    world.submit(candidateImport, importId, STAFF, (state) => endRow(state, at + 2, result));
  if (value % 2 === 1) world.submit(candidateImport, importId, STAFF, dropRows);
};
