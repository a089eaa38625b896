import type { RoleSignal } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Empty, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';

/** What waits: for each role, the candidates whose outcome nobody has recorded. */
const Home = () => {
  const { client, t, orgId, to } = usePlace();
  const signal = useLoading(
    (leaving) => client.get('/organisations/{orgId}/signal', { params: { orgId }, signal: leaving }),
    [orgId],
  );
  return (
    <Page title={t.home.title}>
      <Loaded of={signal} what={t.home.what}>
        {({ roles }) => {
          const waiting = roles.filter(({ awaitingOutcomeCount }) => awaitingOutcomeCount > 0);
          return waiting.length === 0 ? (
            <Empty title={t.home.nothing}>
              <p class="soft">{roles.length === 0 ? t.home.begin : t.home.nothingText}</p>
              <p>
                <a class="button quiet" href={to('roles')}>
                  {t.home.toRoles}
                </a>
              </p>
            </Empty>
          ) : (
            <section>
              <h2>{t.home.outcomes}</h2>
              <Table<RoleSignal>
                caption={t.home.outcomes}
                rows={waiting}
                rowKey={({ roleId }) => roleId}
                columns={[
                  { key: 'role', head: t.home.role, cell: ({ roleName }) => roleName },
                  {
                    key: 'waiting',
                    head: t.home.waiting,
                    figures: true,
                    cell: ({ awaitingOutcomeCount }) => awaitingOutcomeCount,
                  },
                  {
                    key: 'completed',
                    head: t.home.completed,
                    figures: true,
                    cell: ({ trialCompletedCount }) => trialCompletedCount,
                  },
                ]}
              />
            </section>
          );
        }}
      </Loaded>
    </Page>
  );
};
export default Home;
