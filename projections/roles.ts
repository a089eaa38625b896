import type { RoleDefinition, RoleStatus } from '../src/domain/role/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView } from './view.js';

/** The current definition of an assessment role, by the role's id. */
export interface RoleDocument extends ViewDocument {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
  /** `null` if it is not archived. */
  readonly archivedAt: string | null;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const roles = defineView<RoleDocument>()({
  name: 'roles',
  version: 3,
  documentId: (event) => event.data.roleId,
  initial: (roleId) => ({
    organisationId: '',
    roleId,
    // The first event sets the whole definition, so this is never read.
    definition: {} as RoleDefinition,
    status: 'draft',
    archivedAt: null,
    version: 0,
    createdAt: '',
    updatedAt: '',
  }),
  every(document, { data: { organisationId }, metadata }) {
    const { version } = document;
    return { ...document, organisationId, version: version + 1, updatedAt: metadata.recordedAt };
  },
  on: {
    'role.created': (document, { data: { definition, status }, metadata }) => ({
      ...document,
      definition,
      status,
      createdAt: metadata.recordedAt,
    }),
    'role.updated': (document, { data: { definition, status } }) => ({ ...document, definition, status }),
    'role.archived': (document, { metadata }) => ({ ...document, archivedAt: metadata.recordedAt }),
    'role.unarchived': (document) => ({ ...document, archivedAt: null }),
  },
  keys: { archived: ({ archivedAt }) => `${archivedAt !== null}` },
  indexes: {
    byOrganisation: ['organisationId', 'createdAt'],
    byOrganisationArchived: ['organisationId', 'archived', 'createdAt'],
  },
});
