import { Named, Nullable, type Static, Type } from '../../core/json-schema.js';
import { type EventIn, eventsOf, eventType } from '../../core/registry.js';
import { MARKDOWN } from '../role/events.js';

/** Stored names and latest shapes of a ticket's stream (`ticket-<id>`): the storage contract. */

export const TicketLink = Named('TicketLink', {
  title: Type.String(),
  url: Type.String({ description: 'As it was given.' }),
});

/** What candidates are shown of a ticket that their role names by its id. */
export type TicketContent = Static<typeof TicketContent>;
export const TicketContent = Type.Object({
  title: Type.String(),
  description: Nullable(Type.String({ description: MARKDOWN })),
  links: Type.Array(TicketLink),
  estimatedMinutes: Nullable(Type.Integer()),
});

/** The largest ticket: characters of each text, items of the list. */
export const TICKET_LIMITS = {
  title: 200,
  description: 16_000,
  links: 20,
  linkTitle: 200,
  url: 2_000,
  /** A week. */
  estimatedMinutes: 10_080,
} as const;

interface Ticket {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
}

export const ticketEvents = {
  'ticket.created': eventType<Ticket>(),
  'ticket.updated': eventType<Ticket>(),
};

export type TicketEvent = EventIn<typeof ticketEvents>;
export const ticketEvent = eventsOf<typeof ticketEvents>();
