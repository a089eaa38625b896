import type { View, ViewDocument } from '../src/engine/view.js';
import type { RoleDefinition, RoleEvent, RoleStatus } from '../src/domain/role/events.js';

/** The current definition of an assessment role, by the role's id. */
export interface RoleDocument extends ViewDocument {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const roles: View<RoleDocument, RoleEvent> = {
  name: 'roles',
  version: 1,
  handles: ['role.created', 'role.updated'],
  documentId: (event) => event.data.roleId,
  initial: (roleId) => ({
    organisationId: '',
    roleId,
    // Both events carry a whole one, so none is read before it is set.
    definition: {} as RoleDefinition,
    status: 'draft',
    version: 0,
    createdAt: '',
    updatedAt: '',
  }),
  evolve(document, { type, data, metadata }) {
    const { organisationId, definition, status } = data;
    return {
      ...document,
      organisationId,
      definition,
      status,
      version: document.version + 1,
      createdAt: type === 'role.created' ? metadata.recordedAt : document.createdAt,
      updatedAt: metadata.recordedAt,
    };
  },
  indexes: { byOrganisation: ({ organisationId, createdAt }) => [organisationId, createdAt] },
};
