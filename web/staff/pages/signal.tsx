import { useLocation } from 'preact-iso/router';
import {
  applicationStatusValues,
  type RoleSignal,
  type SignalSummary,
} from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { Bars } from '../parts/bars.js';
import { Export } from '../parts/export.js';
import { Choice } from '../parts/form.js';
import { Empty, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';
import { useTyped } from '../parts/typed.js';
import {
  type Counts,
  dayIn,
  daysBetween,
  endOfDay,
  funnelOf,
  OUTCOMES,
  outcomesOf,
  percentOf,
  STEPS,
} from './signal-figures.js';
import { Scores } from './signal-scores.js';
import { Stages } from './signal-stages.js';

/** The outcomes of assessments: per role and in total, now and on any day since the first role. */
const Signal = () => {
  const { client, t, orgId, to } = usePlace();
  const { query, route } = useLocation();
  const first = useLoading(
    async (signal) => {
      const params = { orgId, limit: 1, sort: 'createdAt' as const };
      const { items } = await client.get('/organisations/{orgId}/roles', { params, signal });
      return items[0] ? new Date(items[0].createdAt) : null;
    },
    [orgId],
  );
  const begin = first.data ?? new Date();
  const last = daysBetween(begin, new Date());
  const day = dayIn(query['day'], last);
  const at = day < last ? endOfDay(begin, day).toISOString() : null;
  const summary = useLoading(
    (signal): Promise<SignalSummary> =>
      at === null
        ? client.get('/organisations/{orgId}/signal', { params: { orgId }, signal })
        : client.get('/organisations/{orgId}/signal/history', { params: { orgId, at }, signal }),
    [orgId, at],
  );
  const change = (changes: Readonly<Record<string, string | null>>): void =>
    route(to('signal' + queryWith(query, changes)), true);
  return (
    <Page
      title={t.signal.title}
      actions={
        <Export
          name="signal"
          read={(call) => client.get('/organisations/{orgId}/exports/signal', { params: { orgId }, ...call })}
        />
      }
    >
      <Loaded of={summary} what={t.signal.what}>
        {({ roles, totals }) => {
          const role = roles.find(({ roleId }) => roleId === query['role']);
          return (
            <>
              <div class="filters">
                <Choice
                  label={t.roles.name}
                  value={role?.roleId ?? ''}
                  change={(roleId) => change({ role: roleId })}
                  options={[
                    ['', t.signal.total],
                    ...roles.map(({ roleId, roleName }) => [roleId, roleName] as const),
                  ]}
                />
                {last > 0 && (
                  <Day
                    begin={begin}
                    day={day}
                    last={last}
                    change={(next) => change({ day: next < last ? `${next}` : null })}
                  />
                )}
              </div>
              {roles.length === 0 ? (
                <Empty title={t.signal.none}>
                  <p class="soft">{t.signal.noneText}</p>
                </Empty>
              ) : (
                <>
                  <Funnel counts={role ?? totals} />
                  {at === null && <Stages roleId={role?.roleId} />}
                  <Outcomes counts={role ?? totals} />
                  {at === null && (
                    <>
                      <Open roleId={role?.roleId} />
                      <Scores roleId={role?.roleId} key={role?.roleId} />
                    </>
                  )}
                  <Roles roles={roles} totals={totals} />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
};
export default Signal;

/** A slider over the days since the first role. */
const Day = ({
  begin,
  day,
  last,
  change,
}: {
  readonly begin: Date;
  readonly day: number;
  readonly last: number;
  readonly change: (day: number) => void;
}) => {
  const { t, language } = usePlace();
  const [shown, setShown] = useTyped(day);
  const name =
    shown >= last
      ? t.signal.now
      : t.signal.endOf(
          new Date(begin.getFullYear(), begin.getMonth(), begin.getDate() + shown).toLocaleDateString(
            language,
            {
              dateStyle: 'medium',
            },
          ),
        );
  return (
    <div class="form-field slider">
      <label for="signal-day">
        {t.signal.asOf}: <output>{name}</output>
      </label>
      <input
        id="signal-day"
        type="range"
        min={0}
        max={last}
        value={shown}
        aria-valuetext={name}
        onInput={({ currentTarget }) => setShown(Number(currentTarget.value))}
        onChange={({ currentTarget }) => change(Number(currentTarget.value))}
      />
    </div>
  );
};

interface CountsProps {
  readonly counts: Counts;
}

/** How many got from a completed assessment to a hire. */
const Funnel = ({ counts }: CountsProps) => {
  const { t, language } = usePlace();
  const funnel = funnelOf(counts);
  const percent = (count: number): string => {
    const part = percentOf(count, funnel.completed);
    return part === null ? '–' : `${part.toLocaleString(language)}\u00a0%`;
  };
  return (
    <section>
      <h2>{t.signal.funnel}</h2>
      <div class="chart">
        <Bars
          label={t.signal.funnel}
          bars={STEPS.map((step) => ({
            name: t.signal.steps[step],
            parts: [{ count: funnel[step], tone: step }],
          }))}
        />
        <Table<(typeof STEPS)[number]>
          caption={t.signal.funnel}
          rows={STEPS}
          rowKey={(step) => step}
          columns={[
            { key: 'step', head: t.signal.step, cell: (step) => t.signal.steps[step] },
            { key: 'count', head: t.signal.count, figures: true, cell: (step) => funnel[step] },
            { key: 'part', head: t.signal.ofCompleted, figures: true, cell: (step) => percent(funnel[step]) },
          ]}
        />
      </div>
    </section>
  );
};

const Outcomes = ({ counts }: CountsProps) => {
  const { t } = usePlace();
  const outcomes = outcomesOf(counts);
  return (
    <section>
      <h2>{t.signal.outcomes}</h2>
      <div class="chart">
        <Bars
          label={t.signal.outcomes}
          bars={OUTCOMES.map((one) => ({
            name: t.signal.outcome[one],
            parts: [{ count: outcomes[one], tone: one }],
          }))}
        />
        <Table<(typeof OUTCOMES)[number]>
          caption={t.signal.outcomes}
          rows={OUTCOMES}
          rowKey={(one) => one}
          columns={[
            { key: 'outcome', head: t.candidates.outcome, cell: (one) => t.signal.outcome[one] },
            { key: 'count', head: t.signal.count, figures: true, cell: (one) => outcomes[one] },
          ]}
        />
      </div>
    </section>
  );
};

/** How many applications are at each stage now; each figure leads to its list. */
const Open = ({ roleId }: { readonly roleId: string | undefined }) => {
  const { client, t, orgId, to } = usePlace();
  const counts = useLoading(
    (signal) =>
      client.get('/organisations/{orgId}/application-counts', {
        params: { orgId, ...given({ roleId }) },
        signal,
      }),
    [orgId, roleId],
  );
  return (
    <section>
      <h2>{t.signal.applications}</h2>
      <Loaded of={counts} what={t.signal.whatApplications}>
        {({ status }) => (
          <Table<(typeof applicationStatusValues)[number]>
            caption={t.signal.applications}
            rows={applicationStatusValues}
            rowKey={(one) => one}
            columns={[
              {
                key: 'status',
                head: t.roles.status,
                cell: (one) => (
                  <a href={to('candidates' + queryWith({}, { status: one, role: roleId ?? null }))}>
                    {t.candidates.statuses[one]}
                  </a>
                ),
              },
              { key: 'count', head: t.signal.count, figures: true, cell: (one) => status[one] },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
};

const Roles = ({ roles, totals }: SignalSummary) => {
  const { t } = usePlace();
  const rows = [...roles, { roleId: '', roleName: t.signal.total, ...totals }];
  const figure = (key: string, head: string, of: (counts: Counts) => number, wideOnly = false) => ({
    ...{ key, head, figures: true, wideOnly },
    cell: (row: RoleSignal) => of(row),
  });
  return (
    <section>
      <h2>{t.signal.perRole}</h2>
      <Table<RoleSignal>
        caption={t.signal.perRole}
        rows={rows}
        rowKey={({ roleId }) => roleId}
        columns={[
          { key: 'role', head: t.roles.name, cell: ({ roleName }) => roleName },
          figure('completed', t.signal.steps.completed, (one) => one.trialCompletedCount),
          figure('recorded', t.signal.steps.recorded, (one) => one.outcomeRecordedCount, true),
          figure('awaiting', t.signal.outcome.awaiting, (one) => one.awaitingOutcomeCount, true),
          figure('passed', t.signal.outcome.passed, (one) => one.humanRound.passed, true),
          figure('failed', t.signal.outcome.failed, (one) => one.humanRound.failed, true),
          figure('hired', t.signal.outcome.hired, (one) => one.disposition.hired),
          figure('declined', t.signal.outcome.declined, (one) => one.disposition.declined, true),
        ]}
      />
    </section>
  );
};
