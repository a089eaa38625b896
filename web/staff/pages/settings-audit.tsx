import { useLocation } from 'preact-iso/router';
import type { AuditEntry, Permission } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { shortId, useActors } from '../parts/people.js';
import { Settings } from '../parts/settings.js';
import { Pager, Table } from '../parts/table.js';

/** The page of each kind of subject that has one, and the permission to open it. */
const PAGES: Readonly<Partial<Record<AuditEntry['subject']['type'], readonly [string, Permission]>>> = {
  role: ['roles', 'roles.read'],
  application: ['candidates', 'applications.read'],
  evaluation: ['evaluations', 'evaluations.read'],
  webhook: ['settings/webhooks', 'webhooks.manage'],
};

/** Who did what, newest first. */
const Audit = () => {
  const { client, t, orgId } = usePlace();
  const { query } = useLocation();
  const nameOf = useActors();
  const words = t.settings.audit;
  const entries = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/audit', {
        params: { orgId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  return (
    <Settings name="audit">
      <p class="soft">{words.text}</p>
      <Loaded of={entries} what={words.what}>
        {({ items, nextCursor }) => (
          <>
            <Table<AuditEntry>
              caption={t.settings.pages.audit}
              rows={items}
              rowKey={({ id }) => id}
              columns={[
                { key: 'at', head: words.at, cell: ({ at }) => <Moment at={at} withTime /> },
                { key: 'actor', head: words.actor, cell: ({ actor }) => nameOf(actor) },
                {
                  key: 'action',
                  head: words.action,
                  cell: ({ action }) => words.actions[action] ?? <code>{action}</code>,
                },
                {
                  key: 'subject',
                  head: words.subject,
                  cell: ({ subject }) => <Subject {...subject} />,
                },
              ]}
            />
            <Pager page="settings/audit" query={query} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </Settings>
  );
};
export default Audit;

/** The subject of an entry, with a link to its page. */
const Subject = ({ type, id }: AuditEntry['subject']) => {
  const { t, to, may } = usePlace();
  const page = PAGES[type];
  const name = t.settings.audit.subjects[type];
  return (
    <>
      {page && may(page[1]) ? <a href={to(`${page[0]}/${id}`)}>{name}</a> : name}{' '}
      <code class="soft small" title={id}>
        {shortId(id)}
      </code>
    </>
  );
};
