import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import { type Role, type RoleTemplateId, roleTemplateIdValues } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { given, queryWith } from '../addresses.js';
import { Badge, Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, Field, FormEnd, useCommand } from '../parts/form.js';
import { Pager, Table } from '../parts/table.js';

const ORDERS = ['createdAt', '-createdAt'] as const;

/** The roles of the organisation; archived ones apart. */
const Roles = () => {
  const { client, t, orgId, to, may } = usePlace();
  const { query } = useLocation();
  const sort = ORDERS.find((order) => order === query['sort']);
  const archived = query['archived'] === 'yes';
  const roles = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/roles', {
        params: { orgId, archived, ...given({ sort, cursor: query['after'] }) },
        signal,
      }),
    [orgId, sort, archived, query['after']],
  );
  return (
    <Page title={t.roles.title} actions={may('roles.write') && <NewRole />}>
      <nav class="tabs" aria-label={t.roles.which}>
        <a
          href={to('roles' + queryWith(query, { archived: null, after: null }))}
          aria-current={archived ? undefined : 'page'}
        >
          {t.roles.inUse}
        </a>
        <a
          href={to('roles' + queryWith(query, { archived: 'yes', after: null }))}
          aria-current={archived ? 'page' : undefined}
        >
          {t.roles.archived}
        </a>
      </nav>
      <Loaded of={roles} what={t.roles.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={archived ? t.roles.noneArchived : t.roles.none}>
              {!archived && <p class="soft">{t.roles.noneText}</p>}
            </Empty>
          ) : (
            <>
              <Table<Role>
                caption={t.roles.title}
                rows={items}
                rowKey={({ id }) => id}
                query={query}
                page="roles"
                columns={[
                  {
                    key: 'name',
                    head: t.roles.name,
                    cell: ({ id, name }) => <a href={to(`roles/${id}`)}>{name}</a>,
                  },
                  { key: 'status', head: t.roles.status, cell: (role) => <RoleBadge role={role} /> },
                  {
                    key: 'dimensions',
                    head: t.roles.dimensions,
                    figures: true,
                    cell: ({ dimensions }) => dimensions.length,
                  },
                  {
                    key: 'threshold',
                    head: t.roles.passesAt,
                    figures: true,
                    cell: ({ overallThreshold }) => overallThreshold,
                  },
                  {
                    key: 'created',
                    head: t.roles.created,
                    wideOnly: true,
                    sort: ['createdAt', '-createdAt'],
                    cell: ({ createdAt }) => <Moment at={createdAt} />,
                  },
                ]}
              />
              <Pager page="roles" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
};
export default Roles;

const BLANK = 'blank';

/** Makes a draft, from a template or empty, and leads to its editor. */
const NewRole = () => {
  const { client, t, language, orgId, to } = usePlace();
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [template, setTemplate] = useState<string>('backend');
  const [name, setName] = useState('');
  const command = useCommand();
  const make = (): Promise<Role> => {
    const params = { orgId };
    return template === BLANK
      ? client.post('/organisations/{orgId}/roles', {
          params,
          body: { name: name.trim(), overallThreshold: 60, dimensions: [] },
        })
      : client.post('/organisations/{orgId}/role-templates/roles', {
          params,
          body: {
            template: template as RoleTemplateId,
            language,
            ...(name.trim() !== '' && { name: name.trim() }),
          },
        });
  };
  return (
    <>
      <button class="button" type="button" onClick={() => setOpen(true)}>
        {t.roles.create}
      </button>
      {isOpen && (
        <Dialog title={t.roles.create} close={() => setOpen(false)}>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void command.run(async () => {
                const { id } = await make();
                route(to(`roles/${id}/edit`));
              });
            }}
          >
            <Choice
              label={t.roles.template}
              value={template}
              change={setTemplate}
              options={[
                ...roleTemplateIdValues.map((id) => [id, t.roles.templates[id]] as const),
                [BLANK, t.roles.blank],
              ]}
            />
            <TemplateWords template={template} />
            <Field
              label={t.roles.newName}
              value={name}
              change={setName}
              required={template === BLANK}
              hint={template === BLANK ? '' : t.roles.nameOfTemplate}
            />
            <FormEnd command={command} label={t.roles.makeRole}>
              <button class="button quiet" type="button" onClick={() => setOpen(false)}>
                {t.form.cancel}
              </button>
            </FormEnd>
          </form>
        </Dialog>
      )}
    </>
  );
};

/** What a template is for, and which task it brings. */
const TemplateWords = ({ template }: { readonly template: string }) => {
  const { client, t, language, orgId } = usePlace();
  const templates = useLoading(
    (signal) => client.get('/organisations/{orgId}/role-templates', { params: { orgId, language }, signal }),
    [orgId, language],
  );
  const chosen = templates.data?.items.find(({ id }) => id === template);
  return (
    chosen !== undefined && (
      <p class="soft small">
        {chosen.description} {t.roles.templateTask(chosen.ticket.title, chosen.ticket.estimatedMinutes)}
      </p>
    )
  );
};

/** Whether a role can be invited to, and whether something about it should be looked at. */
export const RoleBadge = ({ role }: { readonly role: Role }) => {
  const { t } = usePlace();
  const { archivedAt, status, warnings } = role;
  return (
    <>
      <Badge tone={archivedAt === null && status === 'ready' ? 'good' : ''}>
        {archivedAt === null ? t.roles.statuses[status] : t.roles.archived}
      </Badge>
      {warnings.length > 0 && <Badge tone="warn">{t.roles.warnings(warnings.length)}</Badge>}
    </>
  );
};
