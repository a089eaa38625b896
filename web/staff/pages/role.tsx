import { useRoute } from 'preact-iso/router';
import type { Dimension, DimensionMeasures, Role, RoleMeasures } from '../../../packages/client/src/index.js';
import type { ConsoleTexts } from '../../../src/languages/en/console.js';
import { Markdown } from '../../shared/markdown-view.js';
import { usePlace } from '../console.js';
import { labelOf, useFigures } from '../evaluation/texts.js';
import { Moment, Page } from '../parts/layout.js';
import { Loaded, type Loading, useLoading } from '../parts/load.js';
import { nameOfField } from '../parts/problems.js';
import { faultOf } from '../parts/sentences.js';
import { Table } from '../parts/table.js';
import { titleOf, useTickets } from '../tickets/titles.js';
import { ArchiveButton, ArchivedNote, CloneButton } from './role-actions.js';
import { roleName } from './role-draft.js';
import { RoleBadge } from './roles.js';

/** A role: what it measures and by which evidence, what it cannot measure, and what candidates work on. */
const RolePage = () => {
  const { client, t, orgId, to, may } = usePlace();
  const { roleId = '' } = useRoute().params;
  const params = { orgId, roleId };
  const role = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles/{roleId}', { params, signal }),
    [orgId, roleId],
  );
  const measures = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles/{roleId}/measures', { params, signal }),
    [orgId, roleId],
  );
  return (
    <Page
      title={role.data ? roleName(role.data, t.roles) : t.roles.name}
      above={{ label: t.roles.title, page: 'roles' }}
      actions={
        <>
          <a class="button quiet" href={to(`roles/${roleId}/versions`)}>
            {t.role.history}
          </a>
          {may('candidates.invite') && role.data?.status === 'ready' && role.data.archivedAt === null && (
            <a class="button quiet" href={to(`candidates/import?role=${roleId}`)}>
              {t.candidates.importTo}
            </a>
          )}
          {may('roles.write') && role.data && (
            <>
              <CloneButton role={role.data} />
              {role.data.archivedAt === null && <ArchiveButton role={role.data} done={role.set} />}
              <a class="button" href={to(`roles/${roleId}/edit`)}>
                {t.role.edit}
              </a>
            </>
          )}
        </>
      }
    >
      <Loaded of={role} what={t.role.what}>
        {(one) => (
          <>
            {one.archivedAt !== null && <ArchivedNote role={one} done={role.set} />}
            <Facts role={one} measures={measures} />
            <section>
              <h2>{t.role.measures}</h2>
              <Dimensions role={one} measures={measures.data?.dimensions ?? []} />
            </section>
            {one.ticketIds.length > 0 && <Tickets ids={one.ticketIds} />}
            {one.questions.length > 0 && (
              <section>
                <h2>{t.role.questions}</h2>
                <ol class="card list-card">
                  {one.questions.map(({ text, dimensionName }, index) => (
                    <li key={index}>
                      {text} {dimensionName !== null && <span class="soft small">{dimensionName}</span>}
                    </li>
                  ))}
                </ol>
              </section>
            )}
            {one.instructions !== null && (
              <section>
                <h2>{t.role.instructions}</h2>
                <div class="card">
                  <Markdown text={one.instructions} />
                </div>
              </section>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
};
export default RolePage;

/** What candidates work on. A ticket that is not among the first 200 is shown by its id. */
const Tickets = ({ ids }: { readonly ids: readonly string[] }) => {
  const { t, to } = usePlace();
  const tickets = useTickets();
  return (
    <section>
      <h2>{t.role.tickets}</h2>
      <Loaded of={tickets} what={t.role.ticketsWhat}>
        {({ items }) => (
          <ul class="card list-card">
            {ids.map((id) => (
              <li key={id}>
                <a href={to(`tickets/${id}`)}>{titleOf(items, id)}</a>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
};

/** A warning in the reader's language if its code is known, else as the service sent it, in English. */
const warningIn = (
  t: ConsoleTexts['role'],
  { dimensionName, warning, warningCode, refusedChecks }: DimensionMeasures,
): string | null => {
  if (warning === null || warningCode === null) return warning;
  const texts: Readonly<Partial<Record<string, (name: string) => string>>> = t.warningOf;
  const known = texts[warningCode]?.(dimensionName) ?? warning;
  return refusedChecks === null
    ? known
    : `${known} ${t.refusedChecks(refusedChecks.tickets, refusedChecks.asked.join(', '), refusedChecks.offered.join(', '))}`;
};

const Facts = ({ role, measures }: { readonly role: Role; readonly measures: Loading<RoleMeasures> }) => {
  const { t } = usePlace();
  const { missing } = role;
  const { data, error } = measures;
  // `role.warnings` are English sentences: they are shown only if the measures, which have codes, cannot be loaded.
  const ofRole = error === undefined ? [] : role.warnings;
  const warnings = data ? data.dimensions.flatMap((one) => warningIn(t.role, one) ?? []) : ofRole;
  return (
    <>
      <p class="facts">
        <RoleBadge role={role} />
        <span>{t.role.passesAt(role.overallThreshold)}</span>
        {role.aiPolicy !== null && (
          <span>
            {t.role.aiPolicy}: {t.role.aiPolicies[role.aiPolicy]}
          </span>
        )}
        <span class="soft">
          {t.role.version(role.version)} · <Moment at={role.updatedAt} withTime />
        </span>
      </p>
      {missing.length > 0 && (
        <section class="note" aria-label={t.role.missing}>
          <strong>{t.role.missing}</strong>
          <ul>
            {missing.map((fault) => (
              <li key={fault.path}>
                {nameOfField(fault.path, t.role)}: {faultOf(fault, t.failure)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {warnings.length > 0 && (
        <section class="note" aria-label={t.role.warnings}>
          <strong>{t.role.warnings}</strong>
          <ul>
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
};

const Dimensions = ({
  role,
  measures,
}: {
  readonly role: Role;
  readonly measures: readonly DimensionMeasures[];
}) => {
  const figure = useFigures();
  const { t } = usePlace();
  const measured = new Map(measures.map((one) => [one.dimensionId, one]));
  return (
    <Table<Dimension>
      caption={t.role.measures}
      rows={role.dimensions}
      rowKey={({ id }) => id}
      columns={[
        {
          key: 'name',
          head: t.role.dimension,
          cell: ({ name, category }) => (
            <>
              {name}
              <br />
              <span class="soft small plain">
                {category === 'process' || category === 'correctness'
                  ? t.role.categories[category]
                  : category}
              </span>
            </>
          ),
        },
        { key: 'weight', head: t.role.weight, figures: true, cell: ({ weight }) => weight },
        {
          key: 'threshold',
          head: t.roles.passesAt,
          figures: true,
          cell: ({ threshold }) => threshold ?? '–',
        },
        {
          key: 'signals',
          head: t.role.counts,
          long: true,
          cell: ({ id }) => (
            <ul class="plain-list">
              {measured.get(id)?.signals.map(({ signal, points, sources }) => (
                <li key={signal}>
                  {labelOf(t.role.signals, signal)}{' '}
                  <span class="soft small">
                    {t.role.points(figure(points))} ·{' '}
                    {sources.map((source) => t.role.sources[source]).join(', ')}
                  </span>
                </li>
              ))}
            </ul>
          ),
        },
      ]}
    />
  );
};
