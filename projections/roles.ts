import type { RoleDefinition, RoleStatus } from '../src/domain/role/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

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

export const roles = defineView<RoleDocument>()({
  name: 'roles',
  version: 2,
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
  every(document, { data: { organisationId, definition, status }, metadata }) {
    const { version } = document;
    return {
      ...document,
      organisationId,
      definition,
      status,
      version: version + 1,
      updatedAt: metadata.recordedAt,
    };
  },
  on: {
    'role.created': (document, { metadata }) => ({ ...document, createdAt: metadata.recordedAt }),
    'role.updated': (document) => document,
  },
  indexes: { byOrganisation: ['organisationId', 'createdAt'] },
});
