import { it } from '@jest/globals';
import { DEFINITION_DEFAULTS } from '../src/domain/role/events.js';
import { givenView } from '../test/support/given-view.js';
import { roles } from './roles.js';

const [first, second, third] = [1, 2, 3].map((day) => `2026-03-0${day}T09:00:00.000Z`) as [
  string,
  string,
  string,
];
const definition = {
  name: 'Engineer',
  overallThreshold: 70,
  dimensions: [],
  ticketIds: ['T'],
  questions: [],
  ...DEFINITION_DEFAULTS,
};
const data = { organisationId: 'o', roleId: 'r', definition, status: 'draft' };

it('a role is what its last definition says, and keeps its place in the list', () => {
  givenView(roles, [
    { type: 'role.created', data, at: first },
    {
      type: 'role.updated',
      data: { ...data, definition: { ...definition, name: 'Builder' }, status: 'ready' },
      at: second,
    },
  ])
    .then('r', {
      organisationId: 'o',
      roleId: 'r',
      definition: { ...definition, name: 'Builder' },
      status: 'ready',
      archivedAt: null,
      version: 2,
      createdAt: first,
      updatedAt: second,
    })
    .thenKey('r', 'byOrganisation', ['o', first])
    .sameWhateverThePages();
});

it('a role that is archived keeps all else, and is listed apart until it is taken out again', () => {
  const archived = { organisationId: 'o', roleId: 'r' };
  const past = [
    { type: 'role.created', data: { ...data, status: 'ready' }, at: first },
    { type: 'role.archived', data: archived, at: second },
  ];
  const document = {
    organisationId: 'o',
    roleId: 'r',
    definition,
    status: 'ready' as const,
    archivedAt: second,
    version: 2,
    createdAt: first,
    updatedAt: second,
  };
  givenView(roles, past)
    .then('r', document)
    .thenKey('r', 'byOrganisationArchived', ['o', 'true', first])
    .sameWhateverThePages();
  givenView(roles, [...past, { type: 'role.unarchived', data: archived, at: third }])
    .then('r', { ...document, archivedAt: null, version: 3, updatedAt: third })
    .thenKey('r', 'byOrganisationArchived', ['o', 'false', first])
    .sameWhateverThePages();
});
