import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import { type Member, type MemberRole, memberRoleValues } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Asking, Opening } from '../parts/dialog.js';
import { Choice, Field, FormEnd, Now, useCommand, wrongOf } from '../parts/form.js';
import { Moment } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { readNewer } from '../parts/newer.js';
import { removed } from '../parts/removed.js';
import { Settings } from '../parts/settings.js';
import { Pager, Table } from '../parts/table.js';

/** Who belongs to the organisation, and what each may do. */
const Members = () => {
  const { client, t, orgId, may, console } = usePlace();
  const { query } = useLocation();
  const words = t.settings.members;
  const members = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/members', {
        params: { orgId, ...given({ cursor: query['after'] }) },
        signal,
      }),
    [orgId, query['after']],
  );
  /** Reads a member again, for a command that named a version that is no longer the newest. */
  const newer = ({ id, version }: Member) => {
    const params = { orgId, memberId: id };
    const read = () => client.get('/organisations/{orgId}/members/{memberId}', { params });
    return async (): Promise<void> => {
      await readNewer(read, version).finally(members.reload);
    };
  };
  const state = console.state.value;
  const own = state.at === 'in' ? state.me.subject : null;
  /** Owners are managed by owners. */
  const mayManage = ({ role }: Member): boolean =>
    may('members.manage') && (role !== 'owner' || may('owners.manage'));
  return (
    <Settings name="members" actions={may('members.manage') && <Add added={members.reload} />}>
      <Loaded of={members} what={words.what}>
        {({ items, nextCursor }) => (
          <>
            <Table<Member>
              caption={t.settings.pages.members}
              rows={items}
              rowKey={({ id }) => id}
              columns={[
                {
                  key: 'member',
                  head: words.member,
                  cell: (one) => (
                    <>
                      {nameOf(one)}{' '}
                      {one.subject === own && <span class="soft small plain">({words.you})</span>}
                      {one.subject === null && <span class="soft small plain">{words.notYet}</span>}
                    </>
                  ),
                },
                { key: 'role', head: words.role, cell: ({ role }) => t.memberRole[role] },
                {
                  key: 'since',
                  head: words.since,
                  cell: ({ since }) => <Moment at={since} />,
                },
                ...(may('members.manage')
                  ? [
                      {
                        key: 'actions',
                        acts: true,
                        head: words.actions,
                        cell: (one: Member) =>
                          mayManage(one) && (
                            <span class="row">
                              <ChangeRole member={one} changed={members.reload} newer={newer(one)} />
                              <Asking
                                label={t.settings.remove}
                                name={words.removeOf(nameOf(one))}
                                title={words.removeTitle(nameOf(one))}
                                text={words.removeText(nameOf(one))}
                                danger
                                small
                                renew={newer(one)}
                                work={async () => {
                                  await removed(
                                    client.delete('/organisations/{orgId}/members/{memberId}', {
                                      params: { orgId, memberId: one.id },
                                      ifMatch: one.version,
                                    }),
                                  );
                                  members.reload();
                                }}
                              />
                            </span>
                          ),
                      },
                    ]
                  : []),
              ]}
            />
            <Pager page="settings/members" query={query} nextCursor={nextCursor} />
          </>
        )}
      </Loaded>
    </Settings>
  );
};
export default Members;

const nameOf = ({ email, subject, id }: Member): string => email ?? subject ?? id;

const RoleChoice = ({
  role,
  change,
}: {
  readonly role: MemberRole;
  readonly change: (role: MemberRole) => void;
}) => {
  const { t, may } = usePlace();
  const roles = memberRoleValues.filter((one) => one !== 'owner' || may('owners.manage'));
  return (
    <Choice
      label={t.settings.members.role}
      value={role}
      change={(one) => change(one as MemberRole)}
      hint={t.settings.members.roleText[role]}
      options={roles.map((one) => [one, t.memberRole[one]] as const)}
    />
  );
};

interface ChangeRoleProps {
  readonly member: Member;
  readonly changed: () => void;
  readonly newer: () => Promise<void>;
}

const ChangeRole = (props: ChangeRoleProps) => {
  const words = usePlace().t.settings.members;
  const name = nameOf(props.member);
  return (
    <Opening look="link" label={words.change} name={words.changeOf(name)} title={words.changeTitle(name)}>
      {(close) => <ChangingRole {...props} close={close} />}
    </Opening>
  );
};

const ChangingRole = ({
  member,
  changed,
  newer,
  close,
}: ChangeRoleProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const words = t.settings.members;
  const [role, setRole] = useState(member.role);
  const command = useCommand(newer);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          await client.patch('/organisations/{orgId}/members/{memberId}', {
            params: { orgId, memberId: member.id },
            body: { role },
            ifMatch: member.version,
          });
          close();
          changed();
        });
      }}
    >
      <Now>{t.memberRole[member.role]}</Now>
      <RoleChoice role={role} change={setRole} />
      <FormEnd command={command} label={words.save} cancel={close} />
    </form>
  );
};

interface AddProps {
  readonly added: () => void;
}

const Add = (props: AddProps) => (
  <Opening look="main" label={usePlace().t.settings.members.add}>
    {(close) => <Adding {...props} close={close} />}
  </Opening>
);

const Adding = ({ added, close }: AddProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const words = t.settings.members;
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<MemberRole>('recruiter');
  const command = useCommand();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          await client.post('/organisations/{orgId}/members', {
            params: { orgId },
            body: { email: email.trim(), role },
          });
          close();
          added();
        });
      }}
    >
      <Field
        label={words.email}
        type="email"
        required
        value={email}
        change={setEmail}
        wrong={wrongOf(command.error, 'email', t.failure)}
      />
      <RoleChoice role={role} change={setRole} />
      <p class="soft small">{words.addText}</p>
      <FormEnd command={command} label={words.add} cancel={close} />
    </form>
  );
};
