import { useLocation, useRoute } from 'preact-iso/router';
import type { Role } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { useEditing } from '../parts/editing.js';
import { EditorForm } from '../parts/editor-form.js';
import { Field, wrongOf } from '../parts/form.js';
import { Page } from '../parts/layout.js';
import { Loaded, useLoading } from '../parts/load.js';
import { nameOfField } from '../parts/problems.js';
import { titleOf, useTickets } from '../tickets/titles.js';
import { ForCandidates } from './role-candidates.js';
import { bodyOf, differencesOf, draftOf, problemsOf, roleName, wordsIn } from './role-draft.js';
import { Dimensions, Questions, Tickets } from './role-fields.js';

/** The editor of a role. The draft is checked while it is typed, and saved over the version that was read. */
const RoleEditor = () => {
  const { client, t, orgId } = usePlace();
  const { roleId = '' } = useRoute().params;
  const role = useLoading(
    (signal) => client.get('/organisations/{orgId}/roles/{roleId}', { params: { orgId, roleId }, signal }),
    [orgId, roleId],
  );
  return (
    <Page
      title={t.role.edit}
      above={{ label: role.data ? roleName(role.data, t.roles) : t.roles.title, page: `roles/${roleId}` }}
    >
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
  const params = { orgId, roleId: read.id };
  const tickets = useTickets();
  const titled = (id: string): string => titleOf(tickets.data?.items ?? [], id);
  const editor = useEditing(read, {
    ...{ draftOf, problemsOf, differencesOf, wordsOf: wordsIn({ ...t.role, titleOf: titled }) },
    save: ({ version }, draft) =>
      client.patch('/organisations/{orgId}/roles/{roleId}', {
        ...{ params, body: bodyOf(draft), ifMatch: version },
      }),
    read: () => client.get('/organisations/{orgId}/roles/{roleId}', { params }),
    done: () => route(to(`roles/${read.id}`)),
  });
  const { draft, change, problems, command, conflict } = editor;
  /** The problem of a field: by the rules of the page, else by the service's refusal. */
  const wrong = (path: string): string | null => {
    const problem = problems.get(path);
    return problem === undefined ? wrongOf(command.error, path, t.failure) : t.role.problems[problem];
  };
  const part = { draft, change, wrong };
  return (
    <EditorForm
      editor={editor}
      differences={conflict?.differences.map((one) => ({ ...one, name: t.role.fields[one.field] })) ?? []}
      toMend={[...problems].map(([path, problem]) => ({
        ...{ path, name: nameOfField(path, t.role), sentence: t.role.problems[problem] },
      }))}
      save={t.role.save}
      cancel={`roles/${read.id}`}
    >
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
            digits
            hint={t.role.thresholdHint}
          />
        </div>
      </section>
      <Dimensions {...part} />
      <Tickets draft={draft} change={change} tickets={tickets} />
      <Questions {...part} />
      <ForCandidates {...part} roleId={read.id} />
    </EditorForm>
  );
};
