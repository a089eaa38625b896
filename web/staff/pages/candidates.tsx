import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  type Application,
  type ApplicationStatus,
  applicationStatusValues,
  type Role,
} from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Choice, Field, FormEnd, useCommand, wrongOf } from '../parts/form.js';
import { Badge, Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Pager, Table } from '../parts/table.js';

const ORDERS = ['invitedAt', '-invitedAt', 'roleName', '-roleName'] as const;

/** Everybody who was invited, newest first; by role and status, as the address says. */
const Candidates = () => {
  const { client, t, orgId, to, may } = usePlace();
  const { query, route } = useLocation();
  const sort = ORDERS.find((order) => order === query['sort']);
  const status = applicationStatusValues.find((one) => one === query['status']);
  const roleId = query['role'];
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const applications = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/applications', {
        params: { orgId, sort: sort ?? '-invitedAt', ...given({ roleId, status, cursor: query['after'] }) },
        signal,
      }),
    [orgId, sort, status, roleId, query['after']],
  );
  const filter = (changes: Readonly<Record<string, string>>): void =>
    route(to('candidates' + queryWith(query, { ...changes, after: null })));
  const known = roles.data?.items ?? [];
  return (
    <Page
      title={t.candidates.title}
      actions={may('candidates.invite') && <Invite roles={known} invited={applications.reload} />}
    >
      <div class="filters">
        <Choice
          label={t.roles.name}
          value={roleId ?? ''}
          change={(role) => filter({ role })}
          options={[['', t.candidates.all], ...known.map(({ id, name }) => [id, name] as const)]}
        />
        <Choice
          label={t.roles.status}
          value={status ?? ''}
          change={(one) => filter({ status: one })}
          options={[
            ['', t.candidates.all],
            ...applicationStatusValues.map((one) => [one, t.candidates.statuses[one]] as const),
          ]}
        />
      </div>
      <Loaded of={applications} what={t.candidates.what}>
        {({ items, nextCursor }) =>
          items.length === 0 ? (
            <Empty title={roleId || status ? t.candidates.noneOfThese : t.candidates.none}>
              {!(roleId || status) && <p class="soft">{t.candidates.noneText}</p>}
            </Empty>
          ) : (
            <>
              <Table<Application>
                caption={t.candidates.title}
                rows={items}
                rowKey={({ id }) => id}
                query={{ sort: '-invitedAt', ...query }}
                page="candidates"
                columns={[
                  {
                    key: 'candidate',
                    head: t.candidates.candidate,
                    cell: (one) => (
                      <a href={to(`candidates/${one.id}`)}>{nameOf(one, t.candidates.erased)}</a>
                    ),
                  },
                  {
                    key: 'role',
                    head: t.roles.name,
                    sort: ['roleName', '-roleName'],
                    cell: ({ roleName }) => roleName,
                  },
                  {
                    key: 'status',
                    head: t.roles.status,
                    cell: ({ status: one }) => <StatusBadge status={one} />,
                  },
                  {
                    key: 'invited',
                    head: t.candidates.invitedAt,
                    wideOnly: true,
                    sort: ['invitedAt', '-invitedAt'],
                    cell: ({ invitedAt }) => <Moment at={invitedAt} />,
                  },
                ]}
              />
              <Pager page="candidates" query={query} nextCursor={nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
};
export default Candidates;

/** What a candidate is called: by name, else by address. @param erased if neither is kept any more */
export const nameOf = (
  { candidateName, candidateEmail }: Pick<Application, 'candidateName' | 'candidateEmail'>,
  erased: string,
): string => candidateName ?? candidateEmail ?? erased;

export const StatusBadge = ({ status }: { readonly status: ApplicationStatus }) => {
  const { t } = usePlace();
  return <Badge tone={status === 'completed' ? 'good' : ''}>{t.candidates.statuses[status]}</Badge>;
};

/** Invites one person to a role that can be invited to. */
const Invite = ({ roles, invited }: { readonly roles: readonly Role[]; readonly invited: () => void }) => {
  const { client, t, language, orgId } = usePlace();
  const ready = roles.filter(({ status, archivedAt }) => status === 'ready' && archivedAt === null);
  const [isOpen, setOpen] = useState(false);
  const [roleId, setRole] = useState('');
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const command = useCommand();
  const role = roleId || (ready[0]?.id ?? '');
  const close = (): void => {
    setOpen(false);
    command.forget();
  };
  return (
    <>
      <button class="button" type="button" onClick={() => setOpen(true)}>
        {t.candidates.invite}
      </button>
      {isOpen && (
        <Dialog title={t.candidates.invite} close={close}>
          {ready.length === 0 ? (
            <>
              <p>{t.candidates.noRole}</p>
              <button class="button quiet" type="button" onClick={close}>
                {t.form.close}
              </button>
            </>
          ) : (
            <form
              onSubmit={(event) => {
                event.preventDefault();
                void command
                  .run(() =>
                    client.post('/organisations/{orgId}/roles/{roleId}/invitations', {
                      params: { orgId, roleId: role },
                      body: {
                        candidateEmail: email.trim(),
                        language,
                        ...(name.trim() !== '' && { candidateName: name.trim() }),
                      },
                    }),
                  )
                  .then((done) => {
                    if (!done) return;
                    setEmail('');
                    setName('');
                    close();
                    invited();
                  });
              }}
            >
              <Choice
                label={t.roles.name}
                value={role}
                change={setRole}
                options={ready.map((one) => [one.id, one.name] as const)}
              />
              <Field
                label={t.candidates.email}
                type="email"
                required
                value={email}
                change={setEmail}
                wrong={wrongOf(command.error, 'candidateEmail')}
              />
              <Field
                label={t.candidates.name}
                value={name}
                change={setName}
                hint={t.candidates.nameHint}
                wrong={wrongOf(command.error, 'candidateName')}
              />
              <FormEnd command={command} label={t.candidates.send}>
                <button class="button quiet" type="button" onClick={close}>
                  {t.form.cancel}
                </button>
              </FormEnd>
            </form>
          )}
        </Dialog>
      )}
    </>
  );
};
