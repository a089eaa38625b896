import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  createTicketLimits,
  type ListedTicket,
  type TicketKind,
  ticketKindValues,
} from '../../../packages/client/src/index.js';
import { excessOf } from '../../shared/text-limits.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Opening } from '../parts/dialog.js';
import { Choice, Field, FormEnd, useCommand, wrongOf } from '../parts/form.js';
import { Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Pager, Table } from '../parts/table.js';

/** The organisation's tickets: what candidates work on. */
const Tickets = () => {
  const { client, t, orgId, to, may } = usePlace();
  const { query } = useLocation();
  const tickets = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/tickets', {
        params: { orgId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  const words = t.tickets;
  return (
    <Page title={words.title} actions={may('roles.write') && <NewTicket />}>
      <Loaded of={tickets} what={words.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={words.none}>
              <p class="soft">{words.noneText}</p>
            </Empty>
          ) : (
            <>
              <Table<ListedTicket>
                caption={words.title}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'title',
                    head: words.name,
                    cell: ({ id, title }) => <a href={to(`tickets/${id}`)}>{title}</a>,
                  },
                  { key: 'kind', head: words.kind, cell: ({ kind }) => words.kinds[kind ?? 'none'] },
                  {
                    key: 'checks',
                    head: words.checks,
                    cell: ({ checks }) =>
                      words.checksOf(checks?.visible?.fileCount ?? 0, checks?.hidden?.fileCount ?? 0),
                  },
                  {
                    key: 'minutes',
                    head: words.minutes,
                    figures: true,
                    cell: ({ estimatedMinutes: minutes }) =>
                      minutes === null ? '–' : words.minutesOf(minutes),
                  },
                  {
                    key: 'created',
                    head: words.created,
                    cell: ({ createdAt }) => <Moment at={createdAt} />,
                  },
                ]}
              />
              <Pager page="tickets" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
};
export default Tickets;

/** Makes a ticket and leads to its editor: files can be sent for one that exists. */
const NewTicket = () => (
  <Opening look="main" label={usePlace().t.tickets.create}>
    {(close) => <Creating close={close} />}
  </Opening>
);

const Creating = ({ close }: { readonly close: () => void }) => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  const [title, setTitle] = useState('');
  const [kind, setKind] = useState<TicketKind | 'none'>('files');
  const command = useCommand();
  const words = t.tickets;
  const isTooLong = excessOf(title, createTicketLimits.title) > 0;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isTooLong) return;
        void command.run(async () => {
          const { id } = await client.post('/organisations/{orgId}/tickets', {
            params: { orgId },
            body: { title: title.trim(), kind: kind === 'none' ? null : kind },
          });
          route(to(`tickets/${id}/edit`));
        });
      }}
    >
      <Field
        label={words.name}
        value={title}
        change={setTitle}
        wrong={isTooLong ? t.ticket.problems.tooLong : wrongOf(command.error, 'title', t.failure)}
        required
      />
      <Choice
        label={words.kind}
        value={kind}
        change={(one) => setKind(one as TicketKind | 'none')}
        options={([...ticketKindValues, 'none'] as const).map((one) => [one, words.kinds[one]] as const)}
        hint={t.ticket.kindHint[kind]}
      />
      <FormEnd command={command} label={words.create} cancel={close} />
    </form>
  );
};
