import { useLocation } from 'preact-iso/router';
import { useState } from 'preact/hooks';
import {
  type EvaluationSummary,
  evaluationStatusValues,
  waitingEvaluationValues,
} from '../../../packages/client/src/index.js';
import { queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { useTexts } from '../evaluation/texts.js';
import { OutcomeWords, ResultBadge } from '../evaluation/words.js';
import { Export } from '../parts/export.js';
import { Choice, Field } from '../parts/form.js';
import { useFollow } from '../parts/follow.js';
import { Empty, Moment, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate } from '../parts/people.js';
import { ErasedView, FurtherFilters, SavedViews, useSavedViews } from '../parts/saved-views.js';
import { Pager, Table } from '../parts/table.js';
import {
  evaluationParams,
  filterOf,
  filtersAfter,
  FURTHER,
  isNarrowed,
  queryOf,
  WITHOUT_FURTHER,
} from './evaluation-query.js';

/** Every evaluation, newest first; narrowed as the address says. It follows what is generated. */
const Evaluations = () => {
  const { client, t, orgId, to } = usePlace();
  const e = useTexts();
  const { query, route } = useLocation();
  const params = evaluationParams(query);
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const read = (signal: AbortSignal) =>
    client.get('/organisations/{orgId}/evaluations', { params: { orgId, ...params }, signal });
  const evaluations = useLoading(read, [orgId, JSON.stringify(params)]);
  const filter = (changes: Readonly<Record<string, string>>): void =>
    route(to('evaluations' + queryWith(query, filtersAfter(changes))));
  const pending = evaluations.data?.items.filter((one) => one.status === 'generating') ?? [];
  useFollow(
    pending.length > 0,
    async (signal) => {
      const { items } = await read(signal);
      return !pending.every(({ id }) => items.some((one) => one.id === id && one.status === 'generating'));
    },
    evaluations.reload,
  );
  const isFiltered = isNarrowed(query);
  const views = useSavedViews({
    list: 'evaluations',
    filter: filterOf(query),
    isNarrowed: isFiltered,
    comparable: (saved) => filterOf(queryOf(saved)),
    addressOf: (saved, view) => to('evaluations' + queryWith(queryOf(saved), { view })),
  });
  const order = 'sort' in params ? params.sort : '';
  const isByDate = order !== '' && !('minScore' in params) && !('maxScore' in params);
  return (
    <Page
      title={e.list.title}
      actions={
        <>
          <a
            class="button quiet"
            href={to('evaluations/compare' + queryWith({}, { role: query['role'] ?? null }))}
          >
            {e.list.compare}
          </a>
          <Export
            name="evaluations"
            read={(call) =>
              client.get('/organisations/{orgId}/exports/evaluations', {
                params: { orgId, ...evaluationParams({ ...query, after: undefined }) },
                ...call,
              })
            }
          />
        </>
      }
    >
      <SavedViews of={views} />
      <div class="filters">
        <Choice
          label={t.roles.name}
          value={query['role'] ?? ''}
          change={(role) => filter({ role })}
          options={[
            ['', e.list.all],
            ...(roles.data?.items ?? []).map(({ id, name }) => [id, name] as const),
          ]}
        />
        <Choice
          label={t.roles.status}
          value={query['status'] ?? ''}
          change={(one) => filter({ status: one })}
          options={[
            ['', e.list.all],
            ...evaluationStatusValues.map((one) => [one, e.statuses[one]] as const),
          ]}
        />
        <Choice
          label={e.list.result}
          value={query['passed'] ?? ''}
          change={(one) => filter({ passed: one })}
          options={[
            ['', e.list.all],
            ['yes', e.list.passed],
            ['no', e.list.notPassed],
          ]}
        />
        <Choice
          label={e.list.waiting}
          value={query['waiting'] ?? ''}
          change={(waiting) => filter({ waiting })}
          options={[
            ['', e.list.all],
            ...waitingEvaluationValues.map((one) => [one, t.home.waits[one].name] as const),
          ]}
        />
        <Scores
          key={`${query['min'] ?? ''}-${query['max'] ?? ''}`}
          min={query['min'] ?? ''}
          max={query['max'] ?? ''}
          apply={filter}
        />
      </div>
      {FURTHER.some((name) => query[name]) && (
        <FurtherFilters without={to('evaluations' + queryWith(query, WITHOUT_FURTHER))} />
      )}
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
  /** How they are sorted; '': by what waits longest, which no heading changes. */
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

/** The range of scores: taken over as a whole, since it is typed. */
const Scores = ({
  min,
  max,
  apply,
}: {
  readonly min: string;
  readonly max: string;
  readonly apply: (changes: Readonly<Record<string, string>>) => void;
}) => {
  const e = useTexts();
  const [least, setLeast] = useState(min);
  const [most, setMost] = useState(max);
  return (
    <form
      class="filters score-range"
      onSubmit={(event) => {
        event.preventDefault();
        apply({ min: least.trim(), max: most.trim() });
      }}
    >
      <Field label={e.list.minScore} type="number" min={0} max={100} value={least} change={setLeast} />
      <Field label={e.list.maxScore} type="number" min={0} max={100} value={most} change={setMost} />
      <button class="button quiet" type="submit">
        {e.list.apply}
      </button>
    </form>
  );
};
