import { useLocation } from 'preact-iso/router';
import type { Application, TimelineEntry } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { ApplicationBadges, OutcomeSoFar } from '../parts/application-status.js';
import { Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { useActors } from '../parts/people.js';
import { Pager, Table } from '../parts/table.js';

interface PersonProps {
  readonly application: Application;
}

/** Most applications of one person that are shown together. */
const MAX_TOGETHER = 200;

/** All applications of a person, retakes too, and what was done with them. */
export const Person = ({ application }: PersonProps) => {
  const { client, t, orgId } = usePlace();
  const { candidateId, version } = application;
  const all = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/applications', {
        params: { orgId, candidateId, sort: '-invitedAt', limit: MAX_TOGETHER },
        signal,
      }),
    [orgId, candidateId, version],
  );
  const roles = new Map(all.data?.items.map(({ id, roleName }) => [id, roleName]));
  return (
    <>
      <Loaded of={all} what={t.candidates.person.whatAll}>
        {({ items }) => (items.length > 1 ? <Together applications={items} shown={application.id} /> : null)}
      </Loaded>
      <Timeline application={application} roles={roles} />
    </>
  );
};

const Together = ({
  applications,
  shown,
}: {
  readonly applications: readonly Application[];
  /** The id of the application that the page is about. */
  readonly shown: string;
}) => {
  const { t, to } = usePlace();
  const words = t.candidates.person;
  return (
    <section>
      <h2>{words.all}</h2>
      <Table<Application>
        caption={words.all}
        rows={applications}
        rowKey={({ id }) => id}
        columns={[
          {
            key: 'role',
            head: t.roles.name,
            cell: ({ id, roleName }) =>
              id === shown ? (
                <span aria-current="page">
                  {roleName} <span class="soft small">{words.thisOne}</span>
                </span>
              ) : (
                <a href={to(`candidates/${id}`)}>{roleName}</a>
              ),
          },
          { key: 'status', head: t.roles.status, cell: (one) => <ApplicationBadges application={one} /> },
          {
            key: 'outcome',
            head: t.candidates.outcome,
            wideOnly: true,
            cell: (one) => <OutcomeSoFar application={one} />,
          },
          {
            key: 'invited',
            head: t.candidates.invitedAt,
            cell: ({ invitedAt }) => <Moment at={invitedAt} />,
          },
        ]}
      />
    </section>
  );
};

/** Who did what and when, newest first. @param roles names of the person's applications, by id */
const Timeline = ({ application, roles }: PersonProps & { readonly roles: ReadonlyMap<string, string> }) => {
  const { client, t, orgId } = usePlace();
  const { query } = useLocation();
  const nameOf = useActors();
  const words = t.candidates.person;
  const { id: applicationId, candidateId, version } = application;
  const entries = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/applications/{applicationId}/timeline', {
        params: { orgId, applicationId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, applicationId, version, query['after']],
  );
  const whoOf = ({ actor }: TimelineEntry): string =>
    actor.type === 'candidate' && actor.id === candidateId ? t.actors.candidate : nameOf(actor);
  return (
    <section>
      <h2>{words.timeline}</h2>
      <Loaded of={entries} what={words.whatTimeline}>
        {({ items, nextCursor }) => (
          <>
            <ol class="card timeline" aria-label={words.timeline}>
              {items.map((entry) => (
                <li key={entry.id}>
                  <p>
                    <strong>{t.settings.audit.actions[entry.action] ?? <code>{entry.action}</code>}</strong>
                    {roles.size > 1 && (
                      <span class="soft"> · {roles.get(entry.applicationId ?? '') ?? words.inAll}</span>
                    )}
                  </p>
                  <p class="soft small">
                    {whoOf(entry)} · <Moment at={entry.at} withTime />
                  </p>
                </li>
              ))}
            </ol>
            <Pager page={`candidates/${applicationId}`} query={query} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </section>
  );
};
