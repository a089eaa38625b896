import { useLocation, useRoute } from 'preact-iso/router';
import { useMemo, useState } from 'preact/hooks';
import { isAssayError, type Role } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Conflict } from '../parts/conflict.js';
import { Field, FormEnd, showField, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { readNewer, rebased } from '../parts/newer.js';
import {
  bodyOf,
  differencesOf,
  draftOf,
  nameOfField,
  type Problem,
  problemsOf,
  type RoleDraft,
} from './role-draft.js';
import { Dimensions, Questions, Tickets } from './role-fields.js';
import { ForCandidates } from './role-candidates.js';

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
    return problem === undefined ? wrongOf(command.error, path, t.failure) : t.role.problems[problem];
  };
  const save = async (over: Role, what: RoleDraft): Promise<void> => {
    const params = { orgId, roleId: over.id };
    try {
      await client.patch('/organisations/{orgId}/roles/{roleId}', {
        params,
        body: bodyOf(what),
        ifMatch: over.version,
      });
    } catch (error) {
      if (!isAssayError(error, 'version_mismatch')) throw error;
      const read = () => client.get('/organisations/{orgId}/roles/{roleId}', { params });
      setNewer(await readNewer(read, over.version));
      return;
    }
    setSaved(true);
    route(to(`roles/${over.id}`));
  };
  const part = { draft, change, wrong };
  const merged = newer && rebased(draft, draftOf(base), draftOf(newer));
  return (
    <form
      class="editor"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (problems.size === 0) void command.run(() => save(base, draft));
      }}
    >
      {newer && merged && (
        <Conflict
          version={newer.version}
          differences={differencesOf(draft, draftOf(newer)).map(({ field, mine, theirs }) => ({
            name: t.role.fields[field],
            mine: differencesOf(draft, draftOf(base)).some((one) => one.field === field) ? mine : null,
            theirs,
          }))}
          keepMine={() => {
            setBase(newer);
            setDraft(merged);
            setNewer(null);
            if (problemsOf(merged).size === 0) void command.run(() => save(newer, merged));
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
            name="name"
          />
          <Field
            label={t.role.threshold}
            value={draft.overallThreshold}
            change={(overallThreshold) => change({ overallThreshold })}
            wrong={wrong('overallThreshold')}
            name="overallThreshold"
            hint={t.role.thresholdHint}
          />
        </div>
      </section>
      <Dimensions {...part} />
      <Tickets draft={draft} change={change} />
      <Questions {...part} />
      <ForCandidates {...part} roleId={base.id} />
      <div class="form-bar">
        <ToBeMended problems={problems} />
        <FormEnd command={command} label={t.role.save}>
          <a class="button quiet" href={to(`roles/${base.id}`)}>
            {t.form.cancel}
          </a>
        </FormEnd>
      </div>
    </form>
  );
};

/** What keeps the role from being saved, as it is typed; each leads to its field. */
const ToBeMended = ({ problems }: { readonly problems: ReadonlyMap<string, Problem> }) => {
  const { t } = usePlace();
  return (
    <div role="status">
      {problems.size > 0 && (
        <details class="mend">
          <summary class="bad">{t.role.incomplete(problems.size)}</summary>
          <ul class="plain-list">
            {[...problems].map(([path, problem]) => (
              <li key={path}>
                <button class="link" type="button" onClick={() => showField(path)}>
                  {nameOfField(path, t.role)}
                </button>{' '}
                {t.role.problems[problem]}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
};
