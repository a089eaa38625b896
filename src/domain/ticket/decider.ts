import { isDeepStrictEqual } from 'node:util';
import {
  accept,
  type Decider,
  type Decision,
  refuse,
  refuseInvalid,
  type Refused,
  staleVersion,
} from '../../core/decider.js';
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

/** Folds the stream `ticket-<ticketId>`. */
export const ticket: Decider<TicketState, TicketEvent> = {
  kind: 'ticket',
  initial: null,
  evolve(state, event) {
    const { recordedAt } = event.metadata;
    const { createdAt = recordedAt, version = 0 } = state ?? {};
    return { ...event.data, version: version + 1, createdAt, updatedAt: recordedAt };
  },
};

/** The organisation has no ticket with that id. */
export const NO_TICKET = refuse('not_found', 'There is no such ticket.');

export interface CreateTicket {
  readonly organisationId: string;
  readonly ticketId: string;
  readonly content: TicketContent;
}

/** Makes a ticket, unless its parts contradict each other or there is one by that id. */
export const createTicket = (state: TicketState, input: CreateTicket): Decision<TicketEvent> =>
  state === null
    ? (whenAtOdds(input.content) ?? accept(ticketEvent('ticket.created', input)))
    : refuse('conflict', 'There is a ticket by that id already.');

export interface UpdateTicket {
  /** What is left out stays. */
  readonly content: Partial<TicketContent>;
  /** The version named by If-Match; `null`: any. */
  readonly expectedVersion: number | null;
}

/** Changes a ticket. What is left out stays as it is. */
export const updateTicket = (state: TicketState, input: UpdateTicket): Decision<TicketEvent> => {
  if (state === null) return NO_TICKET;
  const stale = staleVersion(input.expectedVersion, state.version);
  if (stale) return stale;
  const content = { ...state.content, ...input.content };
  if (isDeepStrictEqual(content, state.content)) return accept();
  const atOdds = whenAtOdds(content);
  if (atOdds) return atOdds;
  const { organisationId, ticketId } = state;
  return accept(ticketEvent('ticket.updated', { organisationId, ticketId, content }));
};

/** The refusal of parts that contradict each other; `null`: none do. */
const whenAtOdds = ({ kind, starter, checks }: TicketContent): Refused | null => {
  if (kind !== 'files' && starter !== null)
    return invalid(
      'starter',
      'starter is for a ticket of kind files: set kind to files, or starter to null.',
    );
  if (kind === null && checks !== null)
    return invalid(
      'checks',
      'checks run over what is handed in: set kind to files or text, or checks to null.',
    );
  if (checks !== null && checks.visible === null && checks.hidden === null)
    return invalid('checks', 'checks needs visible or hidden files; without either it is null.');
  return null;
};

const invalid = (path: string, message: string): Refused =>
  refuseInvalid([{ path, rule: 'consistent', message }]);
