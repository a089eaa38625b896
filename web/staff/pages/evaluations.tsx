import { useLocation } from 'preact-iso/router';
import {
  type EvaluationSummary,
  evaluationStatusValues,
  waitingEvaluationValues,
} from '../../../packages/client/src/index.js';
import { given, isNarrowed, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { useTexts } from '../evaluation/texts.js';
import { OutcomeWords, ResultBadge } from '../evaluation/words.js';
import { withMoments } from '../parts/days.js';
import { Export } from '../parts/export.js';
import { Filters } from '../parts/filters.js';
import { useFollow } from '../parts/follow.js';
import { Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate } from '../parts/people.js';
import { ErasedView, SavedViews } from '../parts/saved-views.js';
import { Pager, Table } from '../parts/table.js';
import { useListTexts, useSavedViews } from '../parts/views-of-list.js';
import { evaluationParams, filterOf, filtersAfter, isCounted, queryOf } from './evaluation-query.js';
import { roleName } from './role-draft.js';

/** All evaluations, newest first; narrowed by the address. It polls while one is generated. */
const Evaluations = () => {
  const { client, t, orgId, to, membership } = usePlace();
  const e = useTexts();
  const w = useListTexts();
  const { query, route } = useLocation();
  const moments = withMoments(query, membership.timeZone);
  const { role: roleId } = query;
  const params = evaluationParams(moments);
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const counts = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/evaluation-counts', {
        params: { orgId, ...given({ roleId }) },
        signal,
      }),
    [orgId, roleId],
  );
  const read = (signal: AbortSignal) =>
    client.get('/organisations/{orgId}/evaluations', { params: { orgId, ...params }, signal });
  const evaluations = useLoading(read, [orgId, JSON.stringify(params)]);
  const pending = evaluations.data?.items.filter((one) => one.status === 'generating') ?? [];
  useFollow(
    pending.length > 0,
    async (signal) => {
      const { items } = await read(signal);
      return !pending.every(({ id }) => items.some((one) => one.id === id && one.status === 'generating'));
    },
    () => {
      evaluations.reload();
      counts.reload();
    },
  );
  const filter = filterOf(moments);
  const isFiltered = isNarrowed(filter);
  const views = useSavedViews({
    list: 'evaluations',
    filter,
    isNarrowed: isFiltered,
    comparable: (saved) => filterOf(withMoments(queryOf(saved), membership.timeZone)),
    addressOf: (saved, view) => to('evaluations' + queryWith(queryOf(saved), { view })),
  });
  const counted = (by: 'status' | 'passed') => (isCounted(filter, by) ? counts.data : undefined);
  const order = 'sort' in params ? params.sort : '';
  const isByDate = order !== '' && !('minScore' in params) && !('maxScore' in params);
  return (
    <Page
      title={e.list.title}
      actions={
        <>
          <a class="button quiet" href={to('evaluations/compare' + queryWith({}, { role: roleId ?? null }))}>
            {e.list.compare}
          </a>
          <Export
            name="evaluations"
            read={(call) =>
              client.get('/organisations/{orgId}/exports/evaluations', {
                params: { orgId, ...evaluationParams({ ...moments, after: undefined }) },
                ...call,
              })
            }
          />
        </>
      }
    >
      <SavedViews of={views} />
      <Filters
        {...{ query, filter }}
        change={(changes) => route(to('evaluations' + queryWith(query, filtersAfter(changes))))}
        without={(name) => to('evaluations' + queryWith(query, { [name]: null, after: null }))}
        plain={to('evaluations' + queryWith({}, { sort: query['sort'] ?? null }))}
        choices={[
          {
            ...{ name: 'role', field: 'roleId', label: t.roles.name },
            options: [
              ['', e.list.all],
              ...(roles.data?.items ?? []).map((one) => [one.id, roleName(one, t.roles)] as const),
            ],
          },
          {
            ...{ name: 'status', field: 'status', label: t.roles.status },
            options: [
              ['', e.list.all],
              ...evaluationStatusValues.map(
                (one) => [one, e.statuses[one], counted('status')?.status[one]] as const,
              ),
            ],
          },
          {
            ...{ name: 'passed', field: 'passed', label: e.list.result },
            options: [
              ['', e.list.all],
              ['yes', e.list.passed, counted('passed')?.passed.true],
              ['no', e.list.notPassed, counted('passed')?.passed.false],
            ],
          },
          {
            ...{ name: 'waiting', field: 'waiting', label: e.list.waiting },
            options: [
              ['', e.list.all],
              ...waitingEvaluationValues.map(
                (one) => [one, t.home.waits[one].name, counts.data?.waiting[one]] as const,
              ),
            ],
          },
        ]}
        ranges={[
          {
            type: 'number',
            from: { name: 'min', field: 'minScore', label: e.list.minScore },
            to: { name: 'max', field: 'maxScore', label: e.list.maxScore },
          },
          {
            type: 'date',
            from: { name: 'from', field: 'from', label: w.completed.from },
            to: { name: 'to', field: 'to', label: w.completed.to },
          },
        ]}
      />
      {pending.length > 0 && (
        <p class="soft" role="status">
          {e.list.updating(pending.length)}
        </p>
      )}
      {views.hidesList ? (
        <ErasedView of={views} />
      ) : (
        <Loaded of={evaluations} what={e.list.what}>
          {({ items, nextCursor }) =>
            items.length === 0 ? (
              <Empty title={isFiltered ? e.list.noneOfThese : e.list.none}>
                {!isFiltered && <p class="soft">{e.list.noneText}</p>}
              </Empty>
            ) : (
              <>
                <Rows items={items} query={query} order={order} isByDate={isByDate} />
                <Pager page="evaluations" query={query} nextCursor={nextCursor} />
              </>
            )
          }
        </Loaded>
      )}
    </Page>
  );
};
export default Evaluations;

const Rows = ({
  items,
  query,
  order,
  isByDate,
}: {
  readonly items: readonly EvaluationSummary[];
  readonly query: Readonly<Record<string, string>>;
  /** How they are sorted; '': those that wait longest first, which no heading changes. */
  readonly order: string;
  /** Whether they may be sorted by their date: within a range of scores they are sorted by score. */
  readonly isByDate: boolean;
}) => {
  const { t } = usePlace();
  const e = useTexts();
  return (
    <Table<EvaluationSummary>
      caption={e.list.title}
      rows={items}
      rowKey={({ id }) => id}
      query={{ ...query, sort: order }}
      page="evaluations"
      columns={[
        {
          key: 'candidate',
          head: e.list.candidate,
          cell: (one) => <Candidate person={one} page={`evaluations/${one.id}`} />,
        },
        { key: 'role', head: t.roles.name, wideOnly: true, cell: ({ roleName }) => roleName },
        {
          key: 'result',
          head: e.list.result,
          cell: (one) => <ResultBadge {...one} />,
        },
        {
          key: 'score',
          head: e.list.score,
          figures: true,
          ...(order !== '' && { sort: ['overallScore', '-overallScore'] as const }),
          cell: ({ overallScore }) => overallScore ?? '–',
        },
        {
          key: 'outcome',
          head: e.list.outcome,
          wideOnly: true,
          cell: ({ outcome }) => <OutcomeWords outcome={outcome} />,
        },
        {
          key: 'generated',
          head: e.list.generatedAt,
          wideOnly: true,
          ...(isByDate && { sort: ['completedAt', '-completedAt'] as const }),
          cell: ({ generatedAt }) => <Moment at={generatedAt} />,
        },
      ]}
    />
  );
};
