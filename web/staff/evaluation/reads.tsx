import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import type { useActors } from '../parts/people.js';
import { Pager, Table } from '../parts/table.js';
import { type Reading, readingsOf } from './parts.js';
import { useTexts } from './texts.js';

/** Who read an evaluation, newest first. */
export const Reads = ({
  evaluationId,
  page,
  query,
  actorOf,
}: {
  readonly evaluationId: string;
  readonly page: string;
  readonly query: Readonly<Record<string, string>>;
  readonly actorOf: ReturnType<typeof useActors>;
}) => {
  const { client, orgId } = usePlace();
  const e = useTexts();
  const reads = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/evaluations/{evaluationId}/reads', {
        params: { orgId, evaluationId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, evaluationId, query['after']],
  );
  return (
    <section>
      <h2>{e.page.reads}</h2>
      <p class="soft">{e.reads.text}</p>
      <Loaded of={reads} what={e.reads.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={e.reads.none} />
          ) : (
            <>
              <Table<Reading>
                caption={e.page.reads}
                rows={readingsOf(items)}
                rowKey={({ actor, at }) => `${actor.id} ${at}`}
                columns={[
                  { key: 'reader', head: e.reads.reader, cell: ({ actor }) => actorOf(actor) },
                  {
                    key: 'at',
                    head: e.reads.at,
                    cell: ({ at, times }) => (
                      <>
                        <Moment at={at} withTime />{' '}
                        {times > 1 && <span class="soft small">{e.reads.times(times)}</span>}
                      </>
                    ),
                  },
                ]}
              />
              <Pager page={page} query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </section>
  );
};
