import { NO_WORK, type TicketContent } from '../src/domain/ticket/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** A ticket's current content, by the ticket's id. */
export interface TicketDocument extends ViewDocument {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const tickets = defineView<TicketDocument>()({
  name: 'tickets',
  version: 2,
  documentId: (event) => event.data.ticketId,
  initial: (ticketId) => ({
    organisationId: '',
    ticketId,
    content: { title: '', description: null, links: [], estimatedMinutes: null, ...NO_WORK },
    version: 0,
    createdAt: '',
    updatedAt: '',
  }),
  on: onEach(['ticket.created', 'ticket.updated'], (document: TicketDocument, { type, data, metadata }) => ({
    ...document,
    organisationId: data.organisationId,
    content: data.content,
    version: document.version + 1,
    createdAt: type === 'ticket.created' ? metadata.recordedAt : document.createdAt,
    updatedAt: metadata.recordedAt,
  })),
  indexes: { byOrganisation: ['organisationId', 'createdAt'] },
});
