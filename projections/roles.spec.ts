import { it } from '@jest/globals';
import { givenView } from '../test/support/given-view.js';
import { roles } from './roles.js';
import { DEFINITION_DEFAULTS } from '../src/domain/role/events.js';

const [first, second] = ['2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z'];
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
      version: 2,
      createdAt: first,
      updatedAt: second,
    })
    .thenKey('r', 'byOrganisation', ['o', first])
    .sameWhateverThePages();
});
