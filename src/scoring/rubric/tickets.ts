import type { EvidenceEvent } from '../evidence.js';
import { textIn } from '../evidence.js';
import { quoteText } from '../quotes.js';

/** One of the role's tickets was marked as finished. */
export interface TicketFinish {
  readonly ticket: string;
  readonly event: EvidenceEvent;
  /** It had been marked so before. */
  readonly again: boolean;
  /** It had been marked as started before. */
  readonly startedFirst: boolean;
}

/** The role's distinct tickets. */
export const ticketsOf = (ticketIds: readonly string[]): ReadonlySet<string> => new Set(ticketIds);

/** Every time that one of the role's tickets was marked as finished, in order. */
export function finishedTickets(
  evidence: readonly EvidenceEvent[],
  tickets: ReadonlySet<string>,
): readonly TicketFinish[] {
  const started = new Set<string>();
  const finished = new Set<string>();
  const finishes: TicketFinish[] = [];
  for (const event of evidence) {
    if (event.eventType !== 'ticket.started' && event.eventType !== 'ticket.finished') continue;
    const ticket = textIn(event, 'ticketId');
    if (ticket === null || !tickets.has(ticket)) continue;
    if (event.eventType === 'ticket.started') {
      started.add(ticket);
      continue;
    }
    finishes.push({ ticket, event, again: finished.has(ticket), startedFirst: started.has(ticket) });
    finished.add(ticket);
  }
  return finishes;
}

export const quoteTicket = (event: EvidenceEvent): string | null => quoteText(event, 'ticketId');
