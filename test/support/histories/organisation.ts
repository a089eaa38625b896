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
import {
  addMember,
  bindMember,
  changeMemberRole,
  createOrganisation,
  organisation,
  removeMember,
  updateSettings,
} from '../../../src/domain/organisation/decider.js';
import type { MemberRole } from '../../../src/domain/organisation/events.js';
import { changeLogo } from '../../../src/domain/organisation/logo.js';
import { SCOPES } from '../../../src/domain/organisation/permissions.js';
import { archiveRole, createRole, role, updateRole } from '../../../src/domain/role/decider.js';
import type { DefinitionInput } from '../../../src/domain/role/decider.js';
import {
  changeSavedView,
  createSavedView,
  removeSavedView,
  savedViewsDecider,
} from '../../../src/domain/saved-view/decider.js';
import { createTicket, ticket, updateTicket } from '../../../src/domain/ticket/decider.js';
import { NO_WORK } from '../../../src/domain/ticket/events.js';
import type { MemberAction } from './actions.js';
import { TICKETS } from './hand-ins.js';
import { SECRET, STAFF, SYSTEM, type World } from './world.js';

const ROLES: readonly MemberRole[] = ['owner', 'admin', 'recruiter', 'reviewer'];
const LOGO = { type: 'image/png', width: 320, height: 96, sha256: 'a1'.repeat(32) } as const;
const at = { expectedVersion: null } as const;

const memberEmail = (who: number): string => `${SECRET}member${who}@example.org`;

/** Makes an organisation, whose owner signs in. @returns its id */
export const openOrganisation = (world: World, name: string): string => {
  const organisationId = world.newId();
  const owner = { memberId: world.newId() as PersonId, email: memberEmail(0) };
  world.submit(organisation, organisationId, SYSTEM, (state) =>
    createOrganisation(state, { organisationId, name, owner }),
  );
  world.submit(organisation, organisationId, SYSTEM, (state) =>
    bindMember(state, { subject: 'sub-0', verifiedEmail: owner.email }),
  );
  return organisationId;
};

/** Changes an organisation's settings or logo, or one of its members. */
export const memberStep = (world: World, organisationId: string, action: MemberAction): void => {
  const actorRole = 'owner';
  world.submit(organisation, organisationId, STAFF, (state) => {
    if (action.name === 'settings' && action.value % 3 === 1)
      return changeLogo(state, { ...at, logo: state?.logo ? null : { ...LOGO, id: world.newId() } });
    if (action.name === 'settings')
      return updateSettings(state, { ...at, settings: { retentionDays: action.value || null } });
    const named = { subject: `sub-${action.who}`, email: memberEmail(action.who) };
    const known = state?.members.some(({ subject }) => subject === named.subject);
    const member = known ? named.subject : named.email;
    if (action.name === 'signIn')
      return bindMember(state, { subject: named.subject, verifiedEmail: named.email });
    if (action.name === 'removeMember') return removeMember(state, { ...at, actorRole, member });
    const role = ROLES[action.role % ROLES.length] ?? 'reviewer';
    if (action.name === 'memberRole') return changeMemberRole(state, { ...at, actorRole, member, role });
    const name =
      action.who % 2 === 0
        ? ({ email: named.email, subject: null } as const)
        : ({ email: null, subject: named.subject } as const);
    return addMember(state, { actorRole, memberId: world.newId() as PersonId, name, role });
  });
};

/** Few names, so that roles share one; some whose order depends on the locale. */
const definitionOf = (value: number): DefinitionInput => ({
  name: ['Engineer', 'engineer', 'Éclair', 'Zoo', 'Äther', 'Engineer '][value % 6] ?? '',
  overallThreshold: value,
  dimensions: [
    { name: 'Care', weight: value, category: 'process', threshold: 50 },
    { name: 'Proof', weight: 50, category: 'correctness' },
  ],
  ticketIds: TICKETS.map(({ ticketId }) => ticketId),
});

/** The ids for the two dimensions of a definition. */
export const drawDimensionIds = (world: World): readonly string[] => [world.newId(), world.newId()];

/** Makes a role of an organisation; 0 makes a draft. @returns its id */
export const makeRole = (world: World, organisationId: string, value: number): string => {
  const dimensionIds = drawDimensionIds(world);
  const definition = definitionOf(value);
  const roleId = world.newId();
  world.submit(role, roleId, STAFF, (state) =>
    createRole(state, {
      organisationId,
      roleId,
      dimensionIds,
      definition: value === 0 ? { ...definition, dimensions: [] } : definition,
    }),
  );
  return roleId;
};

/** Changes a role's definition; at every fourth value, archives it or takes it out of the archive. */
export const changeRole = (world: World, roleId: string, value: number): void => {
  const dimensionIds = drawDimensionIds(world);
  const definition = definitionOf(value);
  world.submit(role, roleId, STAFF, (state) =>
    // No action of its own, so that the histories of known seeds stay as they are.
    value % 4 === 3
      ? archiveRole(state, { ...at, archived: state?.archivedAt === null })
      : updateRole(state, { ...at, definition, dimensionIds }),
  );
};

const contentOf = (value: number) => ({
  title: `Ticket ${value}`,
  description: null,
  links: [],
  estimatedMinutes: value + 1,
  ...NO_WORK,
});

/** Makes a ticket of an organisation. @returns its id */
export const makeTicket = (world: World, organisationId: string, value: number): string => {
  const ticketId = world.newId();
  world.submit(ticket, ticketId, STAFF, (state) =>
    createTicket(state, { organisationId, ticketId, content: contentOf(value) }),
  );
  return ticketId;
};

/** Changes a ticket's content. */
export const changeTicket = (world: World, ticketId: string, value: number): void => {
  world.submit(ticket, ticketId, STAFF, (state) => updateTicket(state, { ...at, content: contentOf(value) }));
};

/** Makes an API key of an organisation at an even value, revokes one at an odd value. */
export const apiKeyStep = (world: World, organisationId: string, value: number): void => {
  const keys = world.read(apiKeysDecider, organisationId);
  const key = keys[value % (keys.length || 1)];
  if (key && value % 2 === 1) {
    world.submit(apiKeysDecider, organisationId, STAFF, (state) => revokeApiKey(state, key));
    return;
  }
  const members = world.read(organisation, organisationId)?.members ?? [];
  const maker = members.find(({ subject }) => subject === STAFF.id);
  const input = {
    ...{ organisationId, apiKeyId: world.newId(), maker, members, now: new Date(world.now) },
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
