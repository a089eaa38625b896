import { useState } from 'preact/hooks';
import { type EvaluationSummary, outcomeStatusValues } from '../../../packages/client/src/index.js';
import { given } from '../addresses.js';
import { usePlace } from '../console.js';
import { Bars } from '../parts/bars.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Table } from '../parts/table.js';
import { type Bin, binsOf } from './signal-figures.js';

/** How many of the newest evaluations are counted: each page of them is a request. */
const MAX_EVALUATIONS = 1_000;
const PAGE = 200;

interface ScoresProps {
  readonly roleId: string | undefined;
}

/** The distribution of scores by outcome. It takes several requests, so a button starts it. */
export const Scores = ({ roleId }: ScoresProps) => {
  const { t, may } = usePlace();
  const [isOpen, setOpen] = useState(false);
  if (!may('evaluations.read')) return null;
  return (
    <section>
      <h2>{t.signal.scores}</h2>
      {isOpen ? (
        <Distribution roleId={roleId} />
      ) : (
        <button class="button quiet" type="button" onClick={() => setOpen(true)}>
          {t.signal.showScores}
        </button>
      )}
    </section>
  );
};

const Distribution = ({ roleId }: ScoresProps) => {
  const { client, t, orgId } = usePlace();
  const evaluations = useLoading(
    async (signal) => {
      const found: EvaluationSummary[] = [];
      const params = { orgId, status: 'ready' as const, limit: PAGE, ...given({ roleId }) };
      for await (const one of client.list('/organisations/{orgId}/evaluations', { params, signal }))
        if (found.push(one) === MAX_EVALUATIONS) break;
      return found;
    },
    [orgId, roleId],
  );
  const name = ({ from, to }: Bin): string => `${from}–${to}`;
  return (
    <Loaded of={evaluations} what={t.signal.whatScores}>
      {(found) => {
        const bins = binsOf(found);
        return (
          <>
            <p class="soft">{t.signal.scoresOf(found.length, found.length === MAX_EVALUATIONS)}</p>
            <ul class="legend">
              {outcomeStatusValues.map((one) => (
                <li key={one}>
                  <svg viewBox="0 0 12 12" aria-hidden="true">
                    <rect class={`bar ${one}`} width="12" height="12" />
                  </svg>
                  {t.candidates.outcomes[one]}
                </li>
              ))}
            </ul>
            <div class="chart">
              <Bars
                label={t.signal.scores}
                bars={bins.map((bin) => ({
                  name: name(bin),
                  parts: outcomeStatusValues.map((one) => ({ count: bin.by[one], tone: one })),
                }))}
              />
              <Table<Bin>
                caption={t.signal.scores}
                rows={bins}
                rowKey={name}
                columns={[
                  { key: 'score', head: t.signal.score, cell: name },
                  ...outcomeStatusValues.map((one) => ({
                    key: one,
                    head: t.candidates.outcomes[one],
                    figures: true,
                    cell: (bin: Bin) => bin.by[one],
                  })),
                ]}
              />
            </div>
          </>
        );
      }}
    </Loaded>
  );
};
