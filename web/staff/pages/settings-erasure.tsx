import { useLocation } from 'preact-iso/router';
import type { Application } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Empty, Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate } from '../parts/people.js';
import { Settings } from '../parts/settings.js';
import { Pager, Table } from '../parts/table.js';

/** What an erasure deletes, and the open requests for one. Staff erase on the candidate's page. */
const Erasure = () => {
  const { client, t, orgId } = usePlace();
  const { query } = useLocation();
  const words = t.settings.erasure;
  const asking = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/applications', {
        params: { orgId, waiting: 'erasure', ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  return (
    <Settings name="erasure">
      <p class="prose">{words.text}</p>
      <Loaded of={asking} what={words.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={words.none}>
              <p class="soft">{words.noneText}</p>
            </Empty>
          ) : (
            <>
              <p class="prose">{words.how}</p>
              <Table<Application>
                caption={t.settings.pages.erasure}
                rows={items}
                rowKey={({ id }) => id}
                columns={[
                  {
                    key: 'candidate',
                    head: words.candidate,
                    cell: (one) => <Candidate person={one} page={`candidates/${one.id}`} />,
                  },
                  { key: 'role', head: t.roles.name, cell: ({ roleName }) => roleName },
                  {
                    key: 'asked',
                    head: words.asked,
                    cell: ({ erasureRequestedAt }) => <Moment at={erasureRequestedAt} withTime />,
                  },
                ]}
              />
              <Pager page="settings/erasure" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Settings>
  );
};
export default Erasure;
