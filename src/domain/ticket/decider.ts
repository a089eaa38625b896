import { isDeepStrictEqual } from 'node:util';
import { accept, type Decider, type Decision, refuse, staleVersion } from '../../core/decider.js';
import { type TicketContent, ticketEvent, type TicketEvent } from './events.js';

/** A ticket as its stream has it. */
export interface Ticket {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
  /** Events that changed the ticket. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `null` until it is created. */
export type TicketState = Ticket | null;

export const ticket: Decider<TicketState, TicketEvent> = {
  kind: 'ticket',
  initial: null,
  evolve(state, event) {
    const { recordedAt } = event.metadata;
    const { createdAt = recordedAt, version = 0 } = state ?? {};
    return { ...event.data, version: version + 1, createdAt, updatedAt: recordedAt };
  },
};

/** There is none by that id in the organisation. */
export const NO_TICKET = refuse('not_found', 'There is no such ticket.');

export interface CreateTicket {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
}

export const createTicket = (state: TicketState, input: CreateTicket): Decision<TicketEvent> =>
  state === null
    ? accept(ticketEvent('ticket.created', input))
    : refuse('conflict', 'There is a ticket by that id already.');

export interface UpdateTicket {
  /** What is left out stays. */
  readonly content: Partial<TicketContent>;
  readonly expectedVersion: number | null;
}

export const updateTicket = (state: TicketState, input: UpdateTicket): Decision<TicketEvent> => {
  if (state === null) return NO_TICKET;
  const stale = staleVersion(input.expectedVersion, state.version);
  if (stale) return stale;
  const content = { ...state.content, ...input.content };
  if (isDeepStrictEqual(content, state.content)) return accept();
  const { organisationId, ticketId } = state;
  return accept(ticketEvent('ticket.updated', { organisationId, ticketId, content }));
};
