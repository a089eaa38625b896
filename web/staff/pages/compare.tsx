import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { EvaluationOrder, EvaluationSummary } from '../../../packages/client/src/index.js';
import { given, queryWith } from '../addresses.js';
import { usePlace } from '../console.js';
import { compareDimensions, type ComparedDimension } from '../evaluation/compared.js';
import { labelOf, useTexts } from '../evaluation/texts.js';
import { OutcomeWords, ResultBadge } from '../evaluation/words.js';
import { Choice } from '../parts/form.js';
import { Badge, Empty, Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { Candidate, nameOf } from '../parts/people.js';
import { Pager } from '../parts/table.js';
import { roleName } from './role-draft.js';

const SIDE_BY_SIDE = 10;
const ORDERS = [
  '-overallScore',
  'overallScore',
  '-completedAt',
] as const satisfies readonly EvaluationOrder[];

/** Up to ten evaluations of a role side by side, by dimension. Each is recorded as read. */
const Compare = () => {
  const { client, t, orgId, to } = usePlace();
  const e = useTexts();
  const { query, route } = useLocation();
  const roleId = query['role'] ?? '';
  const sort = ORDERS.find((order) => order === query['sort']) ?? '-overallScore';
  const roles = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const evaluations = useLoading(
    async (signal) =>
      roleId === ''
        ? null
        : client.get('/organisations/{orgId}/evaluations', {
            params: {
              ...{ orgId, roleId, sort, status: 'ready' as const, scores: 'dimensions' as const },
              limit: SIDE_BY_SIDE,
              ...given({ cursor: query['after'] }),
            },
            signal,
          }),
    [orgId, roleId, sort, query['after']],
  );
  const filter = (changes: Readonly<Record<string, string>>): void =>
    route(to('evaluations/compare' + queryWith(query, { ...changes, after: null })));
  return (
    <Page title={e.compare.title} above={{ label: e.list.title, page: 'evaluations' }}>
      <p class="soft">{e.compare.text}</p>
      <div class="filters">
        <Choice
          label={t.roles.name}
          value={roleId}
          change={(role) => filter({ role })}
          options={[
            ['', e.compare.chooseRole],
            ...(roles.data?.items ?? []).map((one) => [one.id, roleName(one, t.roles)] as const),
          ]}
        />
        <Choice
          label={e.compare.order}
          value={sort}
          change={(order) => filter({ sort: order })}
          options={ORDERS.map((order) => [order, e.compare.orders[order]] as const)}
        />
      </div>
      <Loaded of={evaluations} what={e.list.what}>
        {(data) =>
          data === null ? (
            <Empty title={e.compare.chooseRole}>
              <p class="soft">{e.compare.chooseRoleText}</p>
            </Empty>
          ) : data.items.length === 0 ? (
            <Empty title={e.compare.none} />
          ) : (
            <>
              <SideBySide key={`${roleId} ${sort} ${query['after'] ?? ''}`} items={data.items} />
              <Pager page="evaluations/compare" query={query} nextCursor={data.nextCursor} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
};
export default Compare;

const SideBySide = ({ items }: { readonly items: readonly EvaluationSummary[] }) => {
  const { t } = usePlace();
  const e = useTexts();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const shown = items.filter(({ id }) => !hidden.includes(id));
  return (
    <>
      {hidden.length > 0 && (
        <p role="status">
          {e.compare.hidden(hidden.length)}{' '}
          <button class="link" type="button" onClick={() => setHidden([])}>
            {e.compare.showAll}
          </button>
        </p>
      )}
      <div class="scroll" role="region" aria-label={e.compare.caption} tabIndex={0}>
        <table class="list side-by-side">
          <caption class="hidden">{e.compare.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{e.scores.dimension}</th>
              {shown.map((one) => (
                <th key={one.id} scope="col">
                  <Candidate person={one} page={`evaluations/${one.id}`} />
                  {shown.length > 1 && (
                    <button
                      class="link hide"
                      type="button"
                      aria-label={e.compare.hide(nameOf(one, t.candidates.erased))}
                      onClick={() => setHidden([...hidden, one.id])}
                    >
                      ×
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            <tr>
              <th scope="row">{e.scores.overall}</th>
              {shown.map((one) => (
                <td key={one.id}>
                  <strong class="figure">{one.overallScore ?? '–'}</strong> <ResultBadge {...one} />
                </td>
              ))}
            </tr>
            {compareDimensions(shown).map((row) => (
              <DimensionRow key={row.dimensionId} row={row} />
            ))}
            <tr>
              <th scope="row">{e.list.outcome}</th>
              {shown.map(({ id, outcome }) => (
                <td key={id}>
                  <OutcomeWords outcome={outcome} />
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
    </>
  );
};

const DimensionRow = ({ row }: { readonly row: ComparedDimension }) => {
  const { t } = usePlace();
  const e = useTexts();
  const { name, category, cells } = row;
  return (
    <tr>
      <th scope="row">
        {name}
        <br />
        <span class="soft small plain">{labelOf(t.role.categories, category)}</span>
      </th>
      {cells.map((cell, index) => (
        <td key={index}>
          {cell === null ? (
            <span class="soft small">{e.compare.missing}</span>
          ) : (
            <>
              {cell.score}{' '}
              {cell.threshold !== null && <span class="soft small">{e.scores.passesAt(cell.threshold)}</span>}
              <meter
                class="score-bar"
                min={0}
                max={100}
                value={cell.score}
                low={cell.threshold ?? 0}
                optimum={100}
                aria-label={`${name}: ${cell.score}`}
              />
              {cell.unchecked !== null && <Badge tone="warn">{e.compare.unchecked}</Badge>}
            </>
          )}
        </td>
      ))}
    </tr>
  );
};
