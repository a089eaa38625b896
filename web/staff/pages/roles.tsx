import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Role, type RoleTemplateId, roleTemplateIdValues } from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, type Command, Field, FormEnd, useCommand, wrongOf } from '../parts/form.js';
import { Badge, Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Pager, Table } from '../parts/table.js';
import { freeName, isTaken, roleName } from './role-draft.js';

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
                    cell: (one) => <a href={to(`roles/${one.id}`)}>{roleName(one, t.roles)}</a>,
                  },
                  { key: 'status', head: t.roles.status, cell: (role) => <RoleBadge role={role} /> },
                  {
                    key: 'dimensions',
                    head: t.roles.dimensions,
                    figures: true,
                    wideOnly: true,
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
  const { t } = usePlace();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button class="button" type="button" onClick={() => setOpen(true)}>
        {t.roles.create}
      </button>
      {isOpen && <NewRoleDialog close={() => setOpen(false)} />}
    </>
  );
};

const NewRoleDialog = ({ close }: { readonly close: () => void }) => {
  const { client, t, language, orgId, to } = usePlace();
  const { route } = useLocation();
  const [template, setTemplate] = useState<string>('backend');
  const templates = useLoading(
    (signal) => client.get('/organisations/{orgId}/role-templates', { params: { orgId, language }, signal }),
    [orgId, language],
  );
  const chosen = templates.data?.items.find(({ id }) => id === template);
  const name = useNewName(chosen?.name ?? '');
  const command = useCommand();
  const make = (): Promise<Role> => {
    const params = { orgId };
    return template === BLANK
      ? client.post('/organisations/{orgId}/roles', {
          params,
          body: { name: name.value.trim(), overallThreshold: 60, dimensions: [] },
        })
      : client.post('/organisations/{orgId}/role-templates/roles', {
          params,
          body: { template: template as RoleTemplateId, language, name: name.value.trim() },
        });
  };
  return (
    <Dialog title={t.roles.create} close={close}>
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
        {/* What the template is for, and which task it brings. */}
        {chosen && (
          <p class="soft small">
            {chosen.description} {t.roles.templateTask(chosen.ticket.title, chosen.ticket.estimatedMinutes)}
          </p>
        )}
        <NewName label={t.roles.newName} name={name} command={command} />
        <FormEnd command={command} label={t.roles.makeRole} cancel={close} />
      </form>
    </Dialog>
  );
};

/** How many of the newest roles a proposed name is compared with. */
const MAX_COMPARED = 200;

/** The name of a role that is about to be made. */
interface ChosenName {
  readonly value: string;
  readonly change: (value: string) => void;
  /** Whether a role in use has it. */
  readonly isTaken: boolean;
  /** The proposed name if a role in use has it, so that another is offered; `null`: none has it. */
  readonly replaced: string | null;
}

/** A role's name as it is typed; until then the proposed name, with a number if a role in use has it. */
export const useNewName = (proposed: string): ChosenName => {
  const { client, orgId } = usePlace();
  const [typed, setTyped] = useState<string | null>(null);
  const roles = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/roles', {
        params: { orgId, archived: false, sort: '-createdAt', limit: MAX_COMPARED },
        signal,
      }),
    [orgId],
  );
  const names = (roles.data?.items ?? []).map(({ name }) => name);
  const offered = proposed === '' ? '' : freeName(proposed, names);
  const value = typed ?? offered;
  return {
    ...{ value, change: setTyped, isTaken: isTaken(value, names) },
    replaced: typed === null && offered !== proposed ? proposed : null,
  };
};

/** The field for a role's name. It warns of a name that another role has, but allows it. */
export const NewName = ({
  label,
  name: { value, change, isTaken: isUsed, replaced },
  command,
}: {
  readonly label: string;
  readonly name: ChosenName;
  readonly command: Command;
}) => {
  const { t } = usePlace();
  return (
    <>
      <Field
        {...{ label, value, change }}
        required
        hint={replaced === null ? t.roles.nameSeen : t.roles.nameFree(replaced)}
        wrong={wrongOf(command.error, 'name', t.failure)}
      />
      <div role="status">{isUsed && <p class="note">{t.roles.nameTaken}</p>}</div>
    </>
  );
};

/** Whether candidates can be invited to a role, and whether it needs attention. */
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
