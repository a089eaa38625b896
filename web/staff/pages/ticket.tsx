import { useRoute } from 'preact-iso/router';
import type { Ticket } from '../../../packages/client/src/index.js';
import { ExternalLink, Markdown } from '../../shared/markdown-view.js';
import { usePlace } from '../console.js';
import { Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { FilesOf } from '../tickets/files.js';

/** A ticket: what candidates read, the files that they begin with, and the checks of what they hand in. */
const TicketPage = () => {
  const { t, to, may } = usePlace();
  const { ticketId, ticket } = useTicket();
  return (
    <Page
      title={ticket.data?.title ?? t.tickets.name}
      above={{ label: t.tickets.title, page: 'tickets' }}
      actions={
        may('roles.write') &&
        ticket.data && (
          <a class="button" href={to(`tickets/${ticketId}/edit`)}>
            {t.ticket.edit}
          </a>
        )
      }
    >
      <Loaded of={ticket} what={t.ticket.what}>
        {(one) => <Content ticket={one} />}
      </Loaded>
    </Page>
  );
};
export default TicketPage;

/** The ticket that the address names. */
export const useTicket = () => {
  const { client, orgId } = usePlace();
  const { ticketId = '' } = useRoute().params;
  const ticket = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/tickets/{ticketId}', { params: { orgId, ticketId }, signal }),
    [orgId, ticketId],
  );
  return { ticketId, ticket };
};

const Content = ({ ticket }: { readonly ticket: Ticket }) => {
  const { t } = usePlace();
  const { id, kind, estimatedMinutes, description, links, starter, checks } = ticket;
  const words = t.ticket;
  const sets = [
    [words.starter, starter],
    [words.visible, checks?.visible ?? null],
    [words.hidden, checks?.hidden ?? null],
  ] as const;
  return (
    <>
      <p class="facts">
        <span>
          {t.tickets.kind}: {t.tickets.kinds[kind ?? 'none']}
        </span>
        {estimatedMinutes !== null && (
          <span>
            {t.tickets.minutes}: {t.tickets.minutesOf(estimatedMinutes)}
          </span>
        )}
        <span class="soft">
          {words.version(ticket.version)} · <Moment at={ticket.updatedAt} withTime />
        </span>
      </p>
      <section>
        <h2>{words.preview}</h2>
        <div class="card">
          {description === null ? <p class="soft">{words.noDescription}</p> : <Markdown text={description} />}
          {links.length > 0 && (
            <ul aria-label={words.links}>
              {links.map(({ title, url }) => (
                <li key={url}>
                  <ExternalLink url={url}>{title}</ExternalLink>
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      {sets.map(
        ([name, files]) =>
          files && (
            <section key={name}>
              <h2>{name}</h2>
              <div class="card">
                <FilesOf ticketId={id} files={files} />
              </div>
            </section>
          ),
      )}
      {checks && (
        <p class="soft">
          {words.isolation}: {words.isolations[checks.isolation]}. {words.isolationHint[checks.isolation]}{' '}
          {words.slug}: <code>{checks.slug}</code>
        </p>
      )}
    </>
  );
};
