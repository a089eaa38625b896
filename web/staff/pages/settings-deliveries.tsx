import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { WebhookDelivery } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { useFollow } from '../parts/follow.js';
import { useCommand } from '../parts/form.js';
import { Badge, Moment } from '../parts/layout.js';
import { Failure, Loaded, useLoading } from '../parts/load.js';
import { Pager, Table } from '../parts/table.js';

/** The page polls while the next attempt is due within this time. */
const SOON_MS = 60_000;

const isDueSoon = ({ status, nextAttemptAt }: WebhookDelivery): boolean =>
  status === 'pending' &&
  (nextAttemptAt === null || new Date(nextAttemptAt).getTime() - Date.now() < SOON_MS);

/** The result of each notice, newest first. It polls while attempts are due. @param sent counts test notices */
export const Deliveries = ({ webhookId, sent }: { readonly webhookId: string; readonly sent: number }) => {
  const { client, t, orgId } = usePlace();
  const { query } = useLocation();
  const words = t.settings.webhooks;
  const params = { orgId, webhookId };
  const read = (signal: AbortSignal) =>
    client.get('/organisations/{orgId}/webhooks/{webhookId}/deliveries', {
      params: { ...params, ...given({ cursor: query['after'] }) },
      signal,
    });
  const deliveries = useLoading(read, [orgId, webhookId, query['after']]);
  const { reload } = deliveries;
  useEffect(() => {
    if (sent > 0) reload();
  }, [sent]);
  const pending = deliveries.data?.items.filter(isDueSoon) ?? [];
  useFollow(
    pending.length > 0,
    async (signal) => {
      const { items } = await read(signal);
      return pending.some(({ id }) => items.some((one) => one.id === id && !isDueSoon(one)));
    },
    reload,
  );
  const command = useCommand();
  const redeliver = (deliveryId: string): Promise<boolean> =>
    command.run(async () => {
      await client.post('/organisations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', {
        params: { ...params, deliveryId },
      });
      reload();
    });
  return (
    <section>
      <h2>{words.deliveries}</h2>
      {command.error !== undefined && <Failure error={command.error} />}
      <Loaded of={deliveries} what={words.whatDeliveries}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <p class="soft">{words.noDeliveries}</p>
          ) : (
            <>
              <Table<WebhookDelivery>
                caption={words.deliveries}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  { key: 'notice', head: words.notice, cell: ({ type }) => words.types[type] },
                  { key: 'status', head: words.status, cell: (one) => <Status {...one} /> },
                  {
                    key: 'result',
                    head: words.result,
                    cell: ({ lastResponseStatus, lastFault }) =>
                      lastFault === null ? (lastResponseStatus ?? '–') : words.faults[lastFault],
                  },
                  {
                    key: 'attempts',
                    head: words.attempts,
                    figures: true,
                    cell: ({ attempts }) => attempts,
                  },
                  {
                    key: 'at',
                    head: words.at,
                    cell: ({ createdAt }) => <Moment at={createdAt} withTime />,
                  },
                  {
                    key: 'redeliver',
                    acts: true,
                    head: t.settings.members.actions,
                    cell: ({ id, type }) => (
                      <button
                        class="link"
                        type="button"
                        aria-label={words.redeliverOf(words.types[type])}
                        aria-disabled={command.isRunning}
                        onClick={() => void redeliver(id)}
                      >
                        {words.redeliver}
                      </button>
                    ),
                  },
                ]}
              />
              <Pager page={`settings/webhooks/${webhookId}`} query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};

const Status = ({ status, nextAttemptAt }: WebhookDelivery) => {
  const words = usePlace().t.settings.webhooks;
  return (
    <>
      <Badge tone={status === 'delivered' ? 'good' : status === 'failed' ? 'bad' : ''}>
        {words.statuses[status]}
      </Badge>
      {nextAttemptAt !== null && (
        <span class="soft small next-attempt">
          {words.next}: <Moment at={nextAttemptAt} withTime />
        </span>
      )}
    </>
  );
};
