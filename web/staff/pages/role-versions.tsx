import { useEffect, useRef } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso/router';
import type { AiPolicy, RoleChange, RoleVersion } from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Field } from '../parts/form.js';
import { Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { useActors } from '../parts/people.js';
import { Pager, Table } from '../parts/table.js';
import { useTyped } from '../parts/typed.js';
import { titleOf, useTickets } from '../tickets/titles.js';
import { changedFields, changedText, versionsOf } from './role-changes.js';
import { roleName } from './role-draft.js';

/** The id of the heading of the differences. */
const DIFFERENCE = 'difference';

/** Every version of a role, newest first, and the differences between any two. */
const RoleVersions = () => {
  const { client, t, orgId, to } = usePlace();
  const { query } = useLocation();
  const { roleId = '' } = useRoute().params;
  const nameOf = useActors();
  const compared = versionsOf(query['from'], query['to']);
  const page = `roles/${roleId}/versions`;
  const shown = `${query['from']} ${query['to']}`;
  const before = useRef(shown);
  useEffect(() => {
    // The versions are below their differences: one of them that is chosen far down shows nothing where the user is.
    if (before.current !== shown) document.getElementById(DIFFERENCE)?.focus();
    before.current = shown;
  }, [shown]);
  const role = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles/{roleId}', { params: { orgId, roleId }, signal }),
    [orgId, roleId],
  );
  const versions = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/roles/{roleId}/versions', {
        params: { orgId, roleId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, roleId, query['after']],
  );
  return (
    <Page
      title={t.versions.title}
      above={{ label: role.data ? roleName(role.data, t.roles) : t.roles.title, page: `roles/${roleId}` }}
    >
      <Loaded of={versions} what={t.versions.what}>
        {({ items, nextCursor }) => (
          <>
            <Compare page={page} latest={role.data?.version ?? 1} />
            {compared && <Difference roleId={roleId} {...compared} />}
            <section>
              <Table<RoleVersion>
                caption={t.versions.title}
                rows={items}
                rowKey={({ version }) => `${version}`}
                columns={[
                  {
                    key: 'version',
                    head: t.versions.version,
                    cell: ({ version }) =>
                      version === 1 ? (
                        version
                      ) : (
                        <a
                          href={to(page + queryWith(query, { from: `${version - 1}`, to: `${version}` }))}
                          aria-label={t.versions.difference(version - 1, version)}
                        >
                          {version}
                        </a>
                      ),
                  },
                  { key: 'at', head: t.versions.at, cell: ({ at }) => <Moment at={at} withTime /> },
                  {
                    key: 'actor',
                    head: t.versions.actor,
                    cell: ({ actor }) => nameOf(actor),
                  },
                  {
                    key: 'changes',
                    head: t.versions.changes,
                    cell: ({ action, changes }) => (
                      <>
                        {t.versions.actions[action]}{' '}
                        <span class="soft small">
                          {changedFields(changes)
                            .map((path) => fieldName(t.role.fields, path))
                            .join(', ')}
                        </span>
                      </>
                    ),
                  },
                ]}
              />
              <Pager page={page} query={query} nextCursor={nextCursor} />
            </section>
          </>
        )}
      </Loaded>
    </Page>
  );
};
export default RoleVersions;

const fieldName = (names: Readonly<Record<string, string>>, path: string): string => names[path] ?? path;

/** Two versions to be typed; the address then has them. */
const Compare = ({ page, latest }: { readonly page: string; readonly latest: number }) => {
  const { t, to } = usePlace();
  const { query, route } = useLocation();
  const [from, setFrom] = useTyped(query['from'] ?? `${Math.max(1, latest - 1)}`);
  const [until, setUntil] = useTyped(query['to'] ?? `${latest}`);
  const shared = { type: 'number', min: 1, max: latest, required: true } as const;
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        route(to(page + queryWith(query, { from, to: until })));
      }}
    >
      <Field label={t.versions.from} value={from} change={setFrom} {...shared} />
      <Field label={t.versions.to} value={until} change={setUntil} {...shared} />
      <button class="button quiet" type="submit">
        {t.versions.compare}
      </button>
    </form>
  );
};

const Difference = ({
  roleId,
  from,
  to,
}: {
  readonly roleId: string;
  readonly from: number;
  readonly to: number;
}) => {
  const { client, t, orgId } = usePlace();
  const difference = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/roles/{roleId}/difference', {
        params: { orgId, roleId, from, to },
        signal,
      }),
    [orgId, roleId, from, to],
  );
  const nameOfChange = ({ path, dimensionName, before, after }: RoleChange): string => {
    const name = fieldName(t.role.fields, path);
    if (path === 'dimensions' && Array.isArray(before ?? after)) return t.versions.order;
    return dimensionName === null ? name : t.versions.ofDimension(name, dimensionName);
  };
  const tickets = useTickets();
  const categories: Readonly<Partial<Record<string, string>>> = t.role.categories;
  const categoryOf = (category: string): string => categories[category] ?? category;
  const valueOf = ({ path }: RoleChange, value: unknown): string => {
    if (path === 'aiPolicy') return t.role.aiPolicies[(value as AiPolicy | null) ?? 'none'];
    if (path === 'dimensions.category' && typeof value === 'string') return categoryOf(value);
    if (path === 'ticketIds' && Array.isArray(value))
      return value.map((id) => titleOf(tickets.data?.items ?? [], `${id}`)).join('\n') || '–';
    return changedText(value, categoryOf) || '–';
  };
  return (
    <section>
      <h2 tabIndex={-1} id={DIFFERENCE}>
        {t.versions.difference(from, to)}
      </h2>
      <Loaded of={difference} what={t.versions.whatDifference}>
        {({ changes }) =>
          changes.length === 0 ? (
            <p class="soft">{t.versions.same}</p>
          ) : (
            <Table<RoleChange>
              caption={t.versions.difference(from, to)}
              rows={changes}
              rowKey={(one) => `${changes.indexOf(one)}`}
              columns={[
                { key: 'field', head: t.conflict.field, cell: nameOfChange },
                {
                  key: 'before',
                  head: t.versions.before,
                  cell: (one) => <del class="pre">{valueOf(one, one.before)}</del>,
                },
                {
                  key: 'after',
                  head: t.versions.after,
                  cell: (one) => <ins class="pre">{valueOf(one, one.after)}</ins>,
                },
              ]}
            />
          )
        }
      </Loaded>
    </section>
  );
};
