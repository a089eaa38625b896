import { useLocation, useRoute } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import { isAssayError, type Role } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Page } from '../parts/layout.js';
import { Choice, Field, FormEnd, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Loaded, useLoading } from '../parts/load.js';
import {
  bodyOf,
  differencesOf,
  type DraftDimension,
  type DraftQuestion,
  draftOf,
  problemsOf,
  type RoleDraft,
  shareOf,
  weightSum,
} from './role-draft.js';

/** The editor of a role. What is typed is checked as it is typed, and saved over the version that was read. */
const RoleEditor = () => {
  const { client, t, orgId } = usePlace();
  const { roleId = '' } = useRoute().params;
  const role = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles/{roleId}', { params: { orgId, roleId }, signal }),
    [orgId, roleId],
  );
  return (
    <Page title={t.role.edit} above={{ label: role.data?.name ?? t.roles.title, page: `roles/${roleId}` }}>
      <Loaded of={role} what={t.role.what}>
        {(read) => <Editor read={read} key={read.id} />}
      </Loaded>
    </Page>
  );
};
export default RoleEditor;

const Editor = ({ read }: { readonly read: Role }) => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  /** The version that is edited: the one that was read, or a newer one that was looked at since. */
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => draftOf(read));
  const [newer, setNewer] = useState<Role | null>(null);
  const [saved, setSaved] = useState(false);
  const command = useCommand();
  const problems = useMemo(() => problemsOf(draft), [draft]);
  const isChanged = differencesOf(draft, draftOf(base)).length > 0;
  useUnsaved(isChanged && !saved);
  const change = (part: Partial<RoleDraft>): void => setDraft((before) => ({ ...before, ...part }));
  /** What is wrong with a field: by the rules of the page, else what the service refused. */
  const wrong = (path: string): string | null => {
    const problem = problems.get(path);
    return problem === undefined ? wrongOf(command.error, path) : t.role.problems[problem];
  };
  const save = async (over: Role): Promise<void> => {
    const params = { orgId, roleId: over.id };
    try {
      await client.patch('/organisations/{orgId}/roles/{roleId}', {
        params,
        body: bodyOf(draft),
        ifMatch: over.version,
      });
    } catch (error) {
      if (!isAssayError(error, 'version_mismatch')) throw error;
      setNewer(await client.get('/organisations/{orgId}/roles/{roleId}', { params }));
      return;
    }
    setSaved(true);
    route(to(`roles/${over.id}`));
  };
  const dimension = (index: number, part: Partial<DraftDimension>): void =>
    change({ dimensions: draft.dimensions.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const question = (index: number, part: Partial<DraftQuestion>): void =>
    change({ questions: draft.questions.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const sum = weightSum(draft);
  return (
    <form
      class="editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.size === 0) void command.run(() => save(base));
      }}
    >
      {newer && (
        <Conflict
          draft={draft}
          newer={newer}
          keepMine={() => {
            setBase(newer);
            setNewer(null);
            void command.run(() => save(newer));
          }}
          takeTheirs={() => {
            setBase(newer);
            setDraft(draftOf(newer));
            setNewer(null);
          }}
        />
      )}
      <section class="card">
        <div class="columns">
          <Field
            label={t.roles.name}
            value={draft.name}
            change={(name) => change({ name })}
            wrong={wrong('name')}
          />
          <Field
            label={t.role.threshold}
            value={draft.overallThreshold}
            change={(overallThreshold) => change({ overallThreshold })}
            wrong={wrong('overallThreshold')}
            hint={t.role.thresholdHint}
          />
        </div>
      </section>
      <section class="card">
        <h2>{t.role.dimensions}</h2>
        <p class="soft" role="status">
          {problems.get('dimensions') ? t.role.problems.noDimension : t.role.sum(sum)}
        </p>
        {draft.dimensions.map((one, index) => (
          <fieldset key={one.key} class="item">
            <legend>{one.name || t.role.dimensionNumber(index + 1)}</legend>
            <div class="columns">
              <Field
                label={t.role.dimension}
                value={one.name}
                change={(name) => dimension(index, { name })}
                wrong={wrong(`dimensions[${index}].name`)}
              />
              <Choice
                label={t.role.category}
                value={one.category}
                change={(category) => dimension(index, { category: category as DraftDimension['category'] })}
                options={[
                  ['process', t.role.categories.process],
                  ['correctness', t.role.categories.correctness],
                ]}
              />
              <Field
                label={t.role.weight}
                value={one.weight}
                change={(weight) => dimension(index, { weight })}
                wrong={wrong(`dimensions[${index}].weight`)}
                hint={t.role.share(shareOf(draft, one))}
              />
              <Field
                label={t.role.dimensionThreshold}
                value={one.threshold}
                change={(threshold) => dimension(index, { threshold })}
                wrong={wrong(`dimensions[${index}].threshold`)}
                hint={t.role.optional}
              />
            </div>
            <Field
              label={t.role.rubric}
              rows={2}
              value={one.rubric}
              change={(rubric) => dimension(index, { rubric })}
              wrong={wrong(`dimensions[${index}].rubric`)}
            />
            <button
              class="link"
              type="button"
              onClick={() => change({ dimensions: draft.dimensions.filter((_, at) => at !== index) })}
            >
              {t.role.remove(one.name || t.role.dimensionNumber(index + 1))}
            </button>
          </fieldset>
        ))}
        <button
          class="button quiet small"
          type="button"
          onClick={() =>
            change({
              dimensions: [
                ...draft.dimensions,
                {
                  ...{ key: crypto.randomUUID(), id: null, name: '', weight: '10', category: 'process' },
                  ...{ threshold: '', rubric: '' },
                },
              ],
            })
          }
        >
          {t.role.addDimension}
        </button>
      </section>
      <Tickets draft={draft} change={change} />
      <section class="card">
        <h2>{t.role.questions}</h2>
        {draft.questions.map((one, index) => (
          <fieldset key={one.key} class="item">
            <legend>{t.role.questionNumber(index + 1)}</legend>
            <Field
              label={t.role.question}
              rows={2}
              value={one.text}
              change={(text) => question(index, { text })}
              wrong={wrong(`questions[${index}].text`) ?? wrong(`questions[${index}].dimensionName`)}
            />
            <Choice
              label={t.role.about}
              value={one.dimensionName}
              change={(dimensionName) => question(index, { dimensionName })}
              options={[
                ['', t.role.aboutNone],
                ...[...new Set([one.dimensionName, ...draft.dimensions.map(({ name }) => name)])]
                  .filter((name) => name !== '')
                  .map((name) => [name, name] as const),
              ]}
            />
            <button
              class="link"
              type="button"
              onClick={() => change({ questions: draft.questions.filter((_, at) => at !== index) })}
            >
              {t.role.remove(t.role.questionNumber(index + 1))}
            </button>
          </fieldset>
        ))}
        <button
          class="button quiet small"
          type="button"
          onClick={() =>
            change({
              questions: [...draft.questions, { key: crypto.randomUUID(), text: '', dimensionName: '' }],
            })
          }
        >
          {t.role.addQuestion}
        </button>
      </section>
      <section class="card">
        <Field
          label={t.role.instructions}
          rows={6}
          value={draft.instructions}
          change={(instructions) => change({ instructions })}
          wrong={wrong('instructions')}
          hint={t.role.markdown}
        />
      </section>
      <div class="form-bar">
        {problems.size > 0 && (
          <p class="bad" role="status">
            {t.role.incomplete(problems.size)}
          </p>
        )}
        <FormEnd command={command} label={t.role.save}>
          <a class="button quiet" href={to(`roles/${base.id}`)}>
            {t.form.cancel}
          </a>
        </FormEnd>
      </div>
    </form>
  );
};

/** The tasks of the role, to be chosen among the organisation's. */
const Tickets = ({
  draft,
  change,
}: {
  readonly draft: RoleDraft;
  readonly change: (part: Partial<RoleDraft>) => void;
}) => {
  const { client, t, orgId } = usePlace();
  const tickets = useLoading(
    (signal) => client.get('/organisations/{orgId}/tickets', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  return (
    <section class="card">
      <h2>{t.role.tickets}</h2>
      <Loaded of={tickets} what={t.role.ticketsWhat}>
        {({ items }) => {
          const others = draft.ticketIds.filter((id) => !items.some((ticket) => ticket.id === id));
          const all = [
            ...items.map(({ id, title }) => ({ id, title })),
            ...others.map((id) => ({ id, title: id })),
          ];
          return (
            <>
              {all.length === 0 && <p class="soft">{t.role.noTickets}</p>}
              {all.map(({ id, title }) => (
                <label class="check" key={id}>
                  <input
                    type="checkbox"
                    checked={draft.ticketIds.includes(id)}
                    onChange={({ currentTarget }) =>
                      change({
                        ticketIds: currentTarget.checked
                          ? [...draft.ticketIds, id]
                          : draft.ticketIds.filter((one) => one !== id),
                      })
                    }
                  />
                  <span>{title}</span>
                </label>
              ))}
            </>
          );
        }}
      </Loaded>
    </section>
  );
};

/** Somebody else saved meanwhile: both versions beside each other, and nothing typed is lost. */
const Conflict = ({
  draft,
  newer,
  keepMine,
  takeTheirs,
}: {
  readonly draft: RoleDraft;
  readonly newer: Role;
  readonly keepMine: () => void;
  readonly takeTheirs: () => void;
}) => {
  const { t } = usePlace();
  const differences = differencesOf(draft, draftOf(newer));
  return (
    <section class="note conflict" role="alert">
      <h2>{t.conflict.title}</h2>
      <p>{t.conflict.text(newer.version)}</p>
      <div class="scroll" role="region" aria-label={t.conflict.title} tabIndex={0}>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">{t.conflict.field}</th>
              <th scope="col">{t.conflict.mine}</th>
              <th scope="col">{t.conflict.theirs}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, mine, theirs }) => (
              <tr key={field}>
                <th scope="row">{t.role.fields[field]}</th>
                <td class="pre">{mine}</td>
                <td class="pre">{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="actions">
        <button class="button small" type="button" onClick={keepMine}>
          {t.conflict.keepMine}
        </button>
        <button class="button quiet small" type="button" onClick={takeTheirs}>
          {t.conflict.takeTheirs}
        </button>
      </div>
    </section>
  );
};
