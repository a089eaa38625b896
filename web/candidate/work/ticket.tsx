import { useState } from 'preact/hooks';
import type { BriefingTicket } from '../../../packages/client/src/contract.js';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { Status } from '../../shared/components.js';
import { Markdown, ExternalLink } from '../../shared/markdown-view.js';
import type { App } from '../app.js';

interface Props {
  readonly t: Texts;
  readonly ticket: BriefingTicket;
  readonly number: number;
}

/** A ticket's title, or its number: a ticket that is not stored in the service has only an id. */
export const ticketName = ({ t, ticket, number }: Props): string => ticket.title ?? t.work.unnamed(number);

interface BodyProps {
  readonly app: App;
  readonly sessionId: string;
  readonly ticket: BriefingTicket;
}

/** Reads what the briefing leaves out of a ticket. @returns whether it succeeded */
const readWhole = async ({ app, sessionId, ticket: { id } }: BodyProps): Promise<boolean> => {
  const read = await app.attempt('application', (signal) =>
    app.api.get<BriefingTicket>(`trial-sessions/${sessionId}/tickets/${id}`, { signal }),
  );
  if (!('done' in read)) return false;
  app.changeBriefing(({ tickets }) => ({ tickets: tickets.map((one) => (one.id === id ? read.done : one)) }));
  return true;
};

/** The text of a ticket. The rest of a long one is loaded by a button. */
export const TicketBody = (props: BodyProps) => {
  const { app, ticket } = props;
  const t = app.t.value;
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle');
  const read = async () => {
    if (state === 'reading') return;
    setState('reading');
    setState((await readWhole(props)) ? 'idle' : 'failed');
  };
  return (
    // Gets the focus of the button, which is removed.
    <div tabIndex={-1}>
      {ticket.contentLeftOut && (
        <button
          class="button quiet"
          type="button"
          aria-label={`${t.work.read}: ${ticket.title ?? ''}`}
          aria-disabled={state === 'reading'}
          onClick={() => void read()}
        >
          {t.work.read}
        </button>
      )}
      {state === 'failed' && <Status tone="bad">{t.work.notRead}</Status>}
      {ticket.description && <Markdown text={ticket.description} />}
      {ticket.links.length > 0 && (
        <ul aria-label={t.work.links}>
          {ticket.links.map(({ title, url }) => (
            <li key={url}>
              <ExternalLink url={url}>
                {title} <span class="hidden">{t.newTab}</span>
              </ExternalLink>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** A ticket as the candidate reads it before the start. */
export const TicketDetails = ({
  app,
  sessionId,
  ticket,
  number,
}: BodyProps & { readonly number: number }) => {
  const t = app.t.value;
  return (
    <details>
      <summary>
        {ticketName({ t, ticket, number })}
        {ticket.estimatedMinutes !== null && (
          <span class="soft"> · {t.work.estimated(t.minutes(ticket.estimatedMinutes))}</span>
        )}
      </summary>
      <TicketBody app={app} sessionId={sessionId} ticket={ticket} />
    </details>
  );
};
