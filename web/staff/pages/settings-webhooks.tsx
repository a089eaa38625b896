import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type NoticeType, noticeTypeValues, type Webhook } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Opening } from '../parts/dialog.js';
import { Field, FormEnd, Several, useCommand, wrongOf } from '../parts/form.js';
import { Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Secret } from '../parts/secret.js';
import { Settings } from '../parts/settings.js';
import { Pager, Table } from '../parts/table.js';

/** The addresses that get notices of events. */
const Webhooks = () => {
  const { client, t, orgId, to } = usePlace();
  const { query } = useLocation();
  const words = t.settings.webhooks;
  const webhooks = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/webhooks', {
        params: { orgId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  return (
    <Settings name="webhooks" actions={<Add added={webhooks.reload} />}>
      <p class="soft">{words.text}</p>
      <Loaded of={webhooks} what={words.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={words.none} />
          ) : (
            <>
              <Table<Webhook>
                caption={t.settings.pages.webhooks}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'url',
                    head: words.url,
                    cell: ({ id, url }) => <a href={to(`settings/webhooks/${id}`)}>{url}</a>,
                  },
                  {
                    key: 'events',
                    head: words.events,
                    wideOnly: true,
                    cell: ({ events }) => (
                      <span class="small">{events.map((one) => words.types[one]).join(', ')}</span>
                    ),
                  },
                  {
                    key: 'created',
                    head: words.created,
                    wideOnly: true,
                    cell: ({ createdAt }) => <Moment at={createdAt} />,
                  },
                ]}
              />
              <Pager page="settings/webhooks" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Settings>
  );
};
export default Webhooks;

/** Makes a webhook, and shows its secret once. */
const Add = ({ added }: { readonly added: () => void }) => {
  const words = usePlace().t.settings.webhooks;
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null)
    return (
      <Secret
        title={words.made}
        text={words.madeText}
        label={words.secret}
        value={secret}
        done={() => {
          setSecret(null);
          added();
        }}
      />
    );
  return (
    <Opening look="main" label={words.add}>
      {(close) => <Adding made={setSecret} close={close} />}
    </Opening>
  );
};

const Adding = ({ made, close }: { readonly made: (secret: string) => void; readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const words = t.settings.webhooks;
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly NoticeType[]>([]);
  const [isTried, setTried] = useState(false);
  const command = useCommand();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (events.length === 0) return;
        void command.run(async () => {
          const { secret } = await client.post('/organisations/{orgId}/webhooks', {
            params: { orgId },
            body: { url: url.trim(), events: [...events] },
          });
          made(secret);
        });
      }}
    >
      <Field
        label={words.url}
        required
        value={url}
        change={setUrl}
        hint={words.urlHint}
        wrong={wrongOf(command.error, 'url', t.failure)}
      />
      <Several<NoticeType>
        label={words.events}
        chosen={events}
        change={setEvents}
        options={noticeTypeValues.map((one) => [one, words.types[one]] as const)}
        wrong={isTried && events.length === 0 ? words.noEvent : null}
      />
      <FormEnd command={command} label={words.add} conflict={{ limit: words.full }} cancel={close} />
    </form>
  );
};
