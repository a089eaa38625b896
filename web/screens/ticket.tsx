import { useRef, useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Status } from '../parts.js';
import { Markdown, Outside } from '../text.js';
import type { BriefingTicket } from '../../packages/client/src/contract.js';
import type { PageTexts as Texts } from '../../src/languages/en/page.js';

interface Props {
  readonly t: Texts;
  readonly ticket: BriefingTicket;
  readonly number: number;
}

/** A ticket that the service does not know has an id alone, which means nothing to the candidate. */
export const ticketName = ({ t, ticket, number }: Props): string => ticket.title ?? t.work.unnamed(number);

export const TicketBody = ({ app, ticket }: { readonly app: App; readonly ticket: BriefingTicket }) => {
  const t = app.t.value;
  const body = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'idle' | 'reading' | 'failed'>('idle');
  const read = async () => {
    if (state === 'reading') return;
    setState('reading');
    const done = await app.readTicket(ticket);
    setState(done ? 'idle' : 'failed');
    // The button is gone.
    if (done) body.current?.focus();
  };
  return (
    <div ref={body} tabIndex={-1}>
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
              <Outside url={url}>
                {title} <span class="hidden">{t.newTab}</span>
              </Outside>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

export const TicketDetails = ({ app, ...props }: Omit<Props, 't'> & { readonly app: App }) => {
  const t = app.t.value;
  const { ticket } = props;
  return (
    <details>
      <summary>
        {ticketName({ t, ...props })}
        {ticket.estimatedMinutes !== null && (
          <span class="soft"> · {t.work.estimated(t.minutes(ticket.estimatedMinutes))}</span>
        )}
      </summary>
      <TicketBody app={app} ticket={ticket} />
    </details>
  );
};
