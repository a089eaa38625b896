import type { ListedTicket, ListedTicketPage } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { type Loading, useLoading } from '../parts/load.js';

/** The organisation's first 200 tickets. */
export const useTickets = (): Loading<ListedTicketPage> => {
  const { client, orgId } = usePlace();
  return useLoading(
    (signal) => client.get('/organisations/{orgId}/tickets', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
};

/** The title of a ticket; its id if it is not among these. */
export const titleOf = (tickets: readonly Pick<ListedTicket, 'id' | 'title'>[], ticketId: string): string =>
  tickets.find(({ id }) => id === ticketId)?.title ?? ticketId;
