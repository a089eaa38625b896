import { Markdown, Outside } from '../text.js';
import type { Ticket } from '../records.js';
import type { PageTexts as Texts } from '../../src/languages/en/page.js';

interface Props {
  readonly t: Texts;
  readonly ticket: Ticket;
  readonly number: number;
}

/** A ticket that the service does not know has an id alone, which means nothing to the candidate. */
export const ticketName = ({ t, ticket, number }: Props): string => ticket.title ?? t.work.unnamed(number);

export const TicketBody = ({ t, ticket }: Omit<Props, 'number'>) => (
  <>
    {ticket.description && <Markdown text={ticket.description} />}
    {ticket.links.length > 0 && (
      <ul aria-label={t.work.links}>
        {ticket.links.map(({ title, url }) => (
          <li key={url}>
            <Outside url={url}>
              {title} <span class="hidden">{t.newTab}</span>
            </Outside>
          </li>
        ))}
      </ul>
    )}
  </>
);

export const TicketDetails = (props: Props) => (
  <details>
    <summary>
      {ticketName(props)}
      {props.ticket.estimatedMinutes !== null && (
        <span class="soft"> · {props.t.work.estimated(props.t.minutes(props.ticket.estimatedMinutes))}</span>
      )}
    </summary>
    <TicketBody t={props.t} ticket={props.ticket} />
  </details>
);
