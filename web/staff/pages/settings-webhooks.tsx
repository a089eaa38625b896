import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  type NewWebhook,
  type NoticeType,
  noticeTypeValues,
  type Webhook,
} from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
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
  const { client, t, orgId } = usePlace();
  const words = t.settings.webhooks;
  const [isShown, setShown] = useState(false);
  const [url, setUrl] = useState('https://');
  const [events, setEvents] = useState<readonly NoticeType[]>([]);
  const [made, setMade] = useState<NewWebhook | null>(null);
  const [isTried, setTried] = useState(false);
  const command = useCommand();
  if (made !== null)
    return (
      <Secret
        title={words.made}
        text={words.madeText}
        label={words.secret}
        value={made.secret}
        done={() => {
          setMade(null);
          added();
        }}
      />
    );
  return (
    <>
      <button class="button" type="button" onClick={() => setShown(true)}>
        {words.add}
      </button>
      {isShown && (
        <Dialog title={words.add} close={() => setShown(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              setTried(true);
              if (events.length === 0) return;
              void command.run(async () => {
                const webhook = await client.post('/organisations/{orgId}/webhooks', {
                  params: { orgId },
                  body: { url: url.trim(), events: [...events] },
                });
                setShown(false);
                setUrl('https://');
                setEvents([]);
                setTried(false);
                setMade(webhook);
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
            <FormEnd
              command={command}
              label={words.add}
              conflict={{ limit: words.full }}
              cancel={() => setShown(false)}
            />
          </form>
        </Dialog>
      )}
    </>
  );
};
