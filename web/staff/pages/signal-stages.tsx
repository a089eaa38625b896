import { usePlace } from '../console.js';
import { Bars } from '../parts/bars.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';
import { durationOf, STAGES, type Stage } from './signal-figures.js';

/** How many units of a duration the picture shows, as in "12 hr 34 min". The table beside it has all. */
const UNITS_SHOWN = 2;

/** How long applications take from stage to stage, of one role or of all. */
export const Stages = ({ roleId }: { readonly roleId: string | undefined }) => {
  const { client, t, language, orgId } = usePlace();
  const times = useLoading(
    (signal) => client.get('/organisations/{orgId}/signal/stages', { params: { orgId }, signal }),
    [orgId],
  );
  const words = t.signal.stages;
  return (
    <section>
      <h2>{words.title}</h2>
      <p class="soft">{words.text}</p>
      <Loaded of={times} what={words.what}>
        {({ roles, totals, applicationCount, isCut }) => {
          const shown = roles.find((one) => one.roleId === roleId) ?? totals;
          const duration = (seconds: number | null): string =>
            seconds === null ? '–' : durationOf(seconds, language);
          return (
            <>
              {isCut && <p class="soft small">{words.newestOnly(applicationCount)}</p>}
              <div class="chart">
                <Bars
                  label={words.title}
                  figureOf={(seconds) => durationOf(seconds, language, UNITS_SHOWN)}
                  bars={STAGES.filter((stage) => shown[stage].count > 0).map((stage) => ({
                    name: words.stage[stage],
                    parts: [{ count: shown[stage].medianSeconds ?? 0, tone: 'completed' }],
                  }))}
                />
                <Table<Stage>
                  caption={words.title}
                  rows={STAGES}
                  rowKey={(stage) => stage}
                  columns={[
                    { key: 'stage', head: words.name, cell: (stage) => words.stage[stage] },
                    {
                      key: 'count',
                      head: t.signal.count,
                      figures: true,
                      cell: (stage) => shown[stage].count,
                    },
                    {
                      key: 'median',
                      head: words.median,
                      figures: true,
                      cell: (stage) => duration(shown[stage].medianSeconds),
                    },
                    {
                      key: 'p90',
                      head: words.p90,
                      figures: true,
                      cell: (stage) => duration(shown[stage].p90Seconds),
                    },
                  ]}
                />
              </div>
            </>
          );
        }}
      </Loaded>
    </section>
  );
};
