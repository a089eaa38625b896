import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import {
  type Application,
  applicationStatusValues,
  outcomeStatusValues,
  waitingApplicationValues,
} from '../../../packages/client/src/index.js';
import { Status } from '../../shared/components.js';
import { given, isNarrowed, queryWith } from '../addresses.js';
import { BulkBar } from '../bulk/bar.js';
import { pageState, pageToggled, type Selection, toggled } from '../bulk/selection.js';
import { usePlace } from '../console.js';
import { ApplicationBadges, OutcomeSoFar } from '../parts/application-status.js';
import { withMoments } from '../parts/days.js';
import { Export } from '../parts/export.js';
import { Filters } from '../parts/filters.js';
import { Field } from '../parts/form.js';
import { Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate, nameOf } from '../parts/people.js';
import { ErasedView, SavedViews } from '../parts/saved-views.js';
import { Pager, Table } from '../parts/table.js';
import { useTyped } from '../parts/typed.js';
import { useListTexts, useSavedViews } from '../parts/views-of-list.js';
import { Invite } from './candidate-invite.js';
import {
  candidateCall,
  filterOf,
  filtersAfter,
  filtersAfterSearch,
  fragmentOf,
  isCounted,
  queryOf,
  searchedBy,
  searchedIn,
  textAfter,
} from './candidate-query.js';
import { roleName } from './role-draft.js';

/** All invited people, newest first; narrowed by role, status and what they wait for, by the address. */
const Candidates = () => {
  const { client, t, orgId, to, may, membership } = usePlace();
  const w = useListTexts();
  const { query, route } = useLocation();
  const text = useSearchedText();
  const moments = withMoments(query, membership.timeZone);
  const { role: roleId } = query;
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const counts = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/application-counts', {
        params: { orgId, ...given({ roleId }) },
        signal,
      }),
    [orgId, roleId],
  );
  const asked = candidateCall(orgId, moments, text);
  const applications = useLoading(
    (signal) => client.get('/organisations/{orgId}/applications', { ...asked, signal }),
    [JSON.stringify(asked)],
  );
  const reload = (): void => {
    applications.reload();
    counts.reload();
  };
  const address = (changes: Readonly<Record<string, string | null>>, searched = text): string =>
    to('candidates' + queryWith(query, changes) + fragmentOf(searched));
  const [selected, select] = useState<Selection>(new Map());
  const [invited, setInvited] = useState<string | null>(null);
  const matching = candidateCall(orgId, { ...moments, after: undefined }, text);
  // Clears the selection, so that no command changes rows that are not shown.
  useEffect(() => select(new Map()), [JSON.stringify(matching)]);
  const mayAct = may('candidates.invite') || may('data.export');
  const known = roles.data?.items ?? [];
  const filter = filterOf(moments, text);
  const isFiltered = isNarrowed(filter);
  const views = useSavedViews({
    list: 'applications',
    filter,
    isNarrowed: isFiltered,
    comparable: (saved) => filterOf(withMoments(queryOf(saved), membership.timeZone), searchedBy(saved)),
    addressOf: (saved, view) =>
      to('candidates' + queryWith(queryOf(saved), { view }) + fragmentOf(searchedBy(saved))),
  });
  const person = usePerson(filter.candidateId);
  const counted = isCounted(filter) ? counts.data : undefined;
  const sort = 'sort' in asked.params ? asked.params.sort : '';
  const mayOrder = [filter.from, filter.to, filter.candidateId].every((one) => one === undefined);
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
          {may('candidates.invite') && (
            <Invite
              roles={known}
              invited={(email) => {
                setInvited(email);
                reload();
              }}
            />
          )}
        </>
      }
    >
      {/* The list may be narrowed to others: then nothing else shows that the invitation was taken. */}
      <Status tone="good">{invited !== null && t.candidates.sentTo(invited)}</Status>
      <SavedViews of={views} />
      <Filters
        {...{ query, filter }}
        change={(changes) => route(address(filtersAfter(changes), textAfter(changes, text)))}
        without={(name) =>
          name === TEXT ? address({ after: null }, '') : address({ [name]: null, after: null })
        }
        plain={to('candidates' + queryWith({}, { sort: query['sort'] ?? null }))}
        choices={[
          {
            ...{ name: 'role', field: 'roleId', label: t.roles.name },
            options: [
              ['', t.candidates.all],
              ...known.map((one) => [one.id, roleName(one, t.roles)] as const),
            ],
          },
          {
            ...{ name: 'status', field: 'status', label: t.roles.status },
            options: [
              ['', t.candidates.all],
              ...applicationStatusValues.map(
                (one) => [one, t.candidates.statuses[one], counted?.status[one]] as const,
              ),
            ],
          },
          {
            ...{ name: 'outcome', field: 'outcome', label: t.candidates.outcome },
            options: [
              ['', t.candidates.all],
              ...outcomeStatusValues.map(
                (one) => [one, t.candidates.outcomes[one], counted?.outcome[one]] as const,
              ),
            ],
          },
          {
            ...{ name: 'waiting', field: 'waiting', label: t.candidates.waiting },
            options: [
              ['', t.candidates.anything],
              ...waitingApplicationValues.map(
                (one) => [one, t.home.waits[one].name, counts.data?.waiting[one]] as const,
              ),
            ],
          },
        ]}
        ranges={[
          {
            type: 'date',
            from: { name: 'from', field: 'from', label: w.invited.from },
            to: { name: 'to', field: 'to', label: w.invited.to },
          },
        ]}
        further={[
          {
            ...{ name: 'candidate', label: w.active.person, value: query['candidate'] ?? '' },
            words: filter.candidateId === undefined ? undefined : person,
          },
          { name: TEXT, label: w.active.search, value: text, words: filter.text },
        ]}
      >
        <Search text={text} search={(next) => route(address(filtersAfterSearch(next), next), true)} />
      </Filters>
      {views.hidesList ? (
        <ErasedView of={views} />
      ) : (
        <Loaded of={applications} what={t.candidates.what}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <Empty title={isFiltered ? t.candidates.noneOfThese : t.candidates.none}>
                {!isFiltered && <p class="soft">{t.candidates.noneText}</p>}
              </Empty>
            ) : (
              <>
                <Table<Application>
                  caption={t.candidates.title}
                  rows={items}
                  rowKey={({ id }) => id}
                  query={{ ...query, sort }}
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
                      ...(sort !== '' && mayOrder && { sort: ['roleName', '-roleName'] as const }),
                      cell: ({ roleName }) => roleName,
                    },
                    {
                      key: 'status',
                      head: t.roles.status,
                      cell: (one) => <ApplicationBadges application={one} />,
                    },
                    {
                      key: 'outcome',
                      head: t.candidates.outcome,
                      cell: (one) => <OutcomeSoFar application={one} />,
                    },
                    {
                      key: 'invited',
                      head: t.candidates.invitedAt,
                      wideOnly: true,
                      ...(sort !== '' && { sort: ['invitedAt', '-invitedAt'] as const }),
                      cell: ({ invitedAt }) => <Moment at={invitedAt} />,
                    },
                  ]}
                />
                <Pager page="candidates" {...{ query, nextCursor }} fragment={fragmentOf(text)} />
                {/* Below the list: above it, it would move the row that was just chosen. */}
                {selected.size > 0 && (
                  <BulkBar selected={selected} select={select} matching={matching} changed={reload} />
                )}
              </>
            )
          }
        </Loaded>
      )}
    </Page>
  );
};
export default Candidates;

/** The search among the filters: it is in no query. */
const TEXT = 'q';

/** The searched text, from the fragment of the address, which no server's log has. */
const useSearchedText = (): string => {
  // The router does not report a change of the fragment.
  const [, notice] = useState('');
  useEffect(() => {
    const changed = (): void => notice(location.hash);
    addEventListener('hashchange', changed);
    return () => removeEventListener('hashchange', changed);
  }, []);
  return searchedIn(location.hash);
};

/** The person that the list is narrowed to, with a link to their page. @param candidateId `undefined`: all persons */
const usePerson = (candidateId: string | undefined): ComponentChildren => {
  const { client, t, orgId, to } = usePlace();
  const { active: words } = useListTexts();
  const found = useLoading(
    async (signal) =>
      candidateId === undefined
        ? { items: [] }
        : client.get('/organisations/{orgId}/applications', {
            params: { orgId, candidateId, sort: '-invitedAt', limit: 1 },
            signal,
          }),
    [orgId, candidateId],
  );
  if (found.isLoading || found.data === undefined) return '…';
  const [latest] = found.data.items;
  if (latest === undefined) return words.nobody;
  return <a href={to(`candidates/${latest.id}`)}>{nameOf(latest, t.candidates.erased)}</a>;
};

const Search = ({ text, search }: { readonly text: string; readonly search: (text: string) => void }) => {
  const { t } = usePlace();
  const [typed, setTyped] = useTyped(text);
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
