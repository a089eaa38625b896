import { countText } from '../../shared/sizes.js';
import { usePlace } from '../console.js';
import { Empty, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { waitingOf } from './waiting.js';

/** What waits for the reader: each kind with a link to the list where it is done. */
const Home = () => {
  const { client, t, orgId, to, may, language } = usePlace();
  const counts = useLoading(
    async (signal) => {
      const params = { orgId };
      const [applications, evaluations] = await Promise.all([
        client.get('/organisations/{orgId}/application-counts', { params, signal }),
        client.get('/organisations/{orgId}/evaluation-counts', { params, signal }),
      ]);
      return { applications, evaluations };
    },
    [orgId],
  );
  return (
    <Page title={t.home.title}>
      <Loaded of={counts} what={t.home.what}>
        {({ applications, evaluations }) => {
          const waiting = waitingOf(applications, evaluations, may);
          const isEmpty = Object.values(applications.status).every((count) => count === 0);
          return waiting.length === 0 ? (
            <Empty title={t.home.nothing}>
              <p class="soft">{isEmpty ? t.home.begin : t.home.nothingText}</p>
              <p>
                <a class="button quiet" href={to(isEmpty ? 'roles' : 'candidates')}>
                  {isEmpty ? t.home.toRoles : t.home.toCandidates}
                </a>
              </p>
            </Empty>
          ) : (
            <ul class="waits">
              {waiting.map(({ kind, count, page }) => (
                <li key={kind}>
                  <a class="card" href={to(page)}>
                    <strong>{countText(count, language)}</strong>
                    <span class="wait-name">{t.home.waits[kind].name}</span>
                    <span class="soft small">{t.home.waits[kind].text}</span>
                  </a>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Page>
  );
};
export default Home;
