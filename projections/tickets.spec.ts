import { it } from '@jest/globals';
import { NO_WORK } from '../src/domain/ticket/events.js';
import { givenView } from '../test/support/given-view.js';
import { tickets } from './tickets.js';

const [first, second] = ['2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z'];
const content = { title: 'Parser', description: null, links: [], estimatedMinutes: null, ...NO_WORK };
const data = { organisationId: 'o', ticketId: 't', content };

it('a ticket has its last content, and keeps its place in the list', () => {
  givenView(tickets, [
    { type: 'ticket.created', data, at: first },
    {
      type: 'ticket.updated',
      data: { ...data, content: { ...content, title: 'Printer', estimatedMinutes: 30 } },
      at: second,
    },
  ])
    .then('t', {
      organisationId: 'o',
      ticketId: 't',
      content: { ...content, title: 'Printer', estimatedMinutes: 30 },
      version: 2,
      createdAt: first,
      updatedAt: second,
    })
    .thenKey('t', 'byOrganisation', ['o', first])
    .sameWhateverThePages();
});
