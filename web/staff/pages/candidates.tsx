import { useLocation } from 'preact-iso/router';
import { useEffect, useState } from 'preact/hooks';
import {
  type Application,
  type ApplicationStatus,
  applicationStatusValues,
  outcomeStatusValues,
  type Role,
  waitingApplicationValues,
} from '../../../packages/client/src/index.js';
import { queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Dialog } from '../parts/dialog.js';
import { Export } from '../parts/export.js';
import { Choice, Field, FormEnd, useCommand, wrongOf } from '../parts/form.js';
import { Badge, Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate, nameOf } from '../parts/people.js';
import { ErasedView, FurtherFilters, SavedViews, useSavedViews } from '../parts/saved-views.js';
import { Pager, Table } from '../parts/table.js';
import { BulkBar } from '../bulk/bar.js';
import { pageState, pageToggled, type Selection, toggled } from '../bulk/selection.js';
import {
  candidateCall,
  filterOf,
  filtersAfter,
  fragmentOf,
  FURTHER,
  queryOf,
  searchedBy,
  searchedIn,
  WITHOUT_FURTHER,
} from './candidate-query.js';

/** Everybody who was invited, newest first; by role, status and what they wait for, as the address says. */
const Candidates = () => {
  const { client, t, orgId, to, may } = usePlace();
  const { query, route } = useLocation();
  const [text, search] = useSearch();
  const { role: roleId, status, outcome, waiting } = query;
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const asked = candidateCall(orgId, query, text);
  const applications = useLoading(
    (signal) => client.get('/organisations/{orgId}/applications', { ...asked, signal }),
    [JSON.stringify(asked)],
  );
  const filter = (changes: Readonly<Record<string, string>>): void =>
    route(to('candidates' + queryWith(query, filtersAfter(changes)) + fragmentOf(text)));
  const [selected, select] = useState<Selection>(new Map());
  const matching = candidateCall(orgId, { ...query, after: undefined }, text);
  // What is no longer in sight must not be changed unawares.
  useEffect(() => select(new Map()), [JSON.stringify(matching)]);
  const mayAct = may('candidates.invite') || may('data.export');
  const known = roles.data?.items ?? [];
  const isFurther = FURTHER.some((name) => query[name]);
  const isNarrowed = isFurther || [roleId, status, outcome, waiting, text].some(Boolean);
  const views = useSavedViews({
    list: 'applications',
    filter: filterOf(query, text),
    isNarrowed,
    comparable: (saved) => filterOf(queryOf(saved), searchedBy(saved)),
    addressOf: (saved, view) =>
      to('candidates' + queryWith(queryOf(saved), { view }) + fragmentOf(searchedBy(saved))),
  });
  return (
    <Page
      title={t.candidates.title}
      actions={
        <>
          <Export
            name="applications"
            read={(call) =>
              client.get('/organisations/{orgId}/exports/applications', { ...matching, ...call })
            }
          />
          {may('candidates.invite') && (
            <a class="button quiet" href={to('candidates/import' + queryWith({}, { role: roleId ?? null }))}>
              {t.candidates.import}
            </a>
          )}
          {may('candidates.invite') && <Invite roles={known} invited={applications.reload} />}
        </>
      }
    >
      <SavedViews of={views} />
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
        <Choice
          label={t.candidates.outcome}
          value={outcome ?? ''}
          change={(one) => filter({ outcome: one })}
          options={[
            ['', t.candidates.all],
            ...outcomeStatusValues.map((one) => [one, t.candidates.outcomes[one]] as const),
          ]}
        />
        <Choice
          label={t.candidates.waiting}
          value={waiting ?? ''}
          change={(one) => filter({ waiting: one })}
          options={[
            ['', t.candidates.anything],
            ...waitingApplicationValues.map((one) => [one, t.home.waits[one].name] as const),
          ]}
        />
        <Search
          text={text}
          search={(next) => {
            if (waiting || query['after'])
              route(to('candidates' + queryWith(query, { waiting: null, after: null })));
            search(next);
          }}
          key={text}
        />
      </div>
      {isFurther && (
        <FurtherFilters without={to('candidates' + queryWith(query, WITHOUT_FURTHER) + fragmentOf(text))} />
      )}
      {views.hidesList ? (
        <ErasedView of={views} />
      ) : (
        <Loaded of={applications} what={t.candidates.what}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <Empty title={isNarrowed ? t.candidates.noneOfThese : t.candidates.none}>
                {!isNarrowed && <p class="soft">{t.candidates.noneText}</p>}
              </Empty>
            ) : (
              <>
                {selected.size > 0 && (
                  <BulkBar
                    selected={selected}
                    select={select}
                    matching={matching}
                    changed={applications.reload}
                  />
                )}
                <Table<Application>
                  caption={t.candidates.title}
                  rows={items}
                  rowKey={({ id }) => id}
                  query={{ sort: '-invitedAt', ...query }}
                  page="candidates"
                  columns={[
                    ...(mayAct
                      ? [
                          {
                            key: 'select',
                            head: (
                              <input
                                type="checkbox"
                                aria-label={t.candidates.bulk.selectPage}
                                checked={pageState(selected, items) === 'all'}
                                indeterminate={pageState(selected, items) === 'some'}
                                onChange={() => select(pageToggled(selected, items))}
                              />
                            ),
                            cell: (one: Application) => (
                              <input
                                type="checkbox"
                                aria-label={t.candidates.bulk.select(nameOf(one, t.candidates.erased))}
                                checked={selected.has(one.id)}
                                onChange={() => select(toggled(selected, one))}
                              />
                            ),
                          },
                        ]
                      : []),
                    {
                      rowHeading: true,
                      key: 'candidate',
                      head: t.candidates.candidate,
                      cell: (one) => <Candidate person={one} page={`candidates/${one.id}`} />,
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
                      cell: (one) => <ApplicationBadges application={one} />,
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
      )}
    </Page>
  );
};
export default Candidates;

/** What is searched for: in the fragment of the address, so that no server's log has it. */
const useSearch = (): readonly [text: string, search: (text: string) => void] => {
  const { route } = useLocation();
  // A link of the console changes the location too; one that changes the fragment alone tells nobody but this.
  const [, notice] = useState('');
  useEffect(() => {
    const changed = (): void => notice(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return [
    searchedIn(location.hash),
    (next) => route(location.pathname + location.search + fragmentOf(next), true),
  ];
};

const Search = ({ text, search }: { readonly text: string; readonly search: (text: string) => void }) => {
  const { t } = usePlace();
  const [typed, setTyped] = useState(text);
  return (
    <form
      class="search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        search(typed);
      }}
    >
      <Field label={t.candidates.search} type="search" value={typed} change={setTyped} />
      <button class="button quiet" type="submit">
        {t.candidates.find}
      </button>
    </form>
  );
};

export const StatusBadge = ({ status }: { readonly status: ApplicationStatus }) => {
  const { t } = usePlace();
  return <Badge tone={status === 'completed' ? 'good' : ''}>{t.candidates.statuses[status]}</Badge>;
};

/** How far an application is, and whether it is a further attempt. */
export const ApplicationBadges = ({ application }: { readonly application: Application }) => {
  const { t } = usePlace();
  return (
    <>
      <StatusBadge status={application.status} />
      {application.retakeOf !== null && <Badge>{t.candidates.person.retake}</Badge>}
    </>
  );
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
                wrong={wrongOf(command.error, 'candidateEmail', t.failure)}
              />
              <Field
                label={t.candidates.name}
                value={name}
                change={setName}
                hint={t.candidates.nameHint}
                wrong={wrongOf(command.error, 'candidateName', t.failure)}
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
