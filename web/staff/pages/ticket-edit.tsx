import { useLocation } from 'preact-iso/router';
import {
  type CheckIsolation,
  checkIsolationValues,
  type Ticket,
  type TicketKind,
  ticketKindValues,
  updateTicketLimits,
} from '../../../packages/client/src/index.js';
import { Markdown } from '../../shared/markdown-view.js';
import { usePlace } from '../console.js';
import { type Editor as Editing, useEditing } from '../parts/editing.js';
import { EditorForm } from '../parts/editor-form.js';
import { Choice, Field, useAdding, wrongOf } from '../parts/form.js';
import { Page } from '../parts/layout.js';
import { Loaded } from '../parts/load.js';
import { nameOfField } from '../parts/problems.js';
import {
  bodyOf,
  differencesOf,
  draftOf,
  type FilesField,
  newLink,
  PATH_OF,
  problemsOf,
  takes,
  type TicketDraft,
  wordsIn,
} from '../tickets/draft.js';
import { FilesEditor } from '../tickets/files.js';
import { useTicket } from './ticket.js';

/** The editor of a ticket. */
const TicketEditor = () => {
  const { t } = usePlace();
  const { ticketId, ticket } = useTicket();
  return (
    <Page
      title={t.ticket.edit}
      above={{ label: ticket.data?.title ?? t.tickets.title, page: `tickets/${ticketId}` }}
    >
      <Loaded of={ticket} what={t.ticket.what}>
        {(read) => <Editor read={read} key={read.id} />}
      </Loaded>
    </Page>
  );
};
export default TicketEditor;

/** What each part of the editor gets. */
interface PartProps {
  readonly draft: TicketDraft;
  readonly change: Editing<Ticket, TicketDraft, unknown, unknown>['change'];
  /** What is wrong with a field, by its path in the body; `null`: nothing. */
  readonly wrong: (path: string) => string | null;
}

const Editor = ({ read }: { readonly read: Ticket }) => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  const params = { orgId, ticketId: read.id };
  const editor = useEditing(read, {
    draftOf,
    problemsOf,
    differencesOf,
    wordsOf: wordsIn({ kinds: t.tickets.kinds, isolations: t.ticket.isolations }),
    save: ({ version }, draft) =>
      client.patch('/organisations/{orgId}/tickets/{ticketId}', {
        params,
        body: bodyOf(draft),
        ifMatch: version,
      }),
    read: () => client.get('/organisations/{orgId}/tickets/{ticketId}', { params }),
    done: () => route(to(`tickets/${read.id}`)),
  });
  const { draft, change, problems, command, conflict } = editor;
  const words = t.ticket;
  const wrong = (path: string): string | null => {
    const problem = problems.get(path);
    return problem === undefined ? wrongOf(command.error, path, t.failure) : words.problems[problem];
  };
  const part = { draft, change, wrong };
  return (
    <EditorForm
      editor={editor}
      differences={conflict?.differences.map((one) => ({ ...one, name: words.fields[one.field] })) ?? []}
      toMend={[...problems].map(([path, problem]) => ({
        path,
        name: nameOfField(path, words),
        sentence: words.problems[problem],
      }))}
      save={words.save}
      cancel={`tickets/${read.id}`}
    >
      <section class="card">
        <div class="columns">
          <Field
            label={t.tickets.name}
            value={draft.title}
            change={(title) => change({ title })}
            wrong={wrong('title')}
            name="title"
          />
          <Field
            label={words.minutes}
            value={draft.estimatedMinutes}
            change={(estimatedMinutes) => change({ estimatedMinutes })}
            wrong={wrong('estimatedMinutes')}
            name="estimatedMinutes"
            digits
            hint={words.minutesHint}
          />
        </div>
        <Field
          label={words.description}
          rows={10}
          value={draft.description}
          change={(description) => change({ description })}
          wrong={wrong('description')}
          name="description"
          hint={t.role.markdown}
        />
        {draft.description.trim() !== '' && (
          <details class="preview">
            <summary>{words.preview}</summary>
            <Markdown text={draft.description} />
          </details>
        )}
        <Links {...part} />
      </section>
      <Work {...part} ticketId={read.id} />
    </EditorForm>
  );
};

const Links = ({ draft: { links }, change, wrong }: PartProps) => {
  const words = usePlace().t.ticket;
  const link = (index: number, part: Partial<(typeof links)[number]>): void =>
    change({ links: links.map((one, at) => (at === index ? { ...one, ...part } : one)) });
  const focusAdded = useAdding(links.length, (index) => `links[${index}].title`);
  return (
    <>
      {links.map((one, index) => (
        <fieldset key={one.key} class="item">
          <legend>{words.link(index + 1)}</legend>
          <div class="columns">
            <Field
              label={words.linkTitle}
              value={one.title}
              change={(title) => link(index, { title })}
              wrong={wrong(`links[${index}].title`)}
              name={`links[${index}].title`}
            />
            <Field
              label={words.url}
              value={one.url}
              change={(url) => link(index, { url })}
              wrong={wrong(`links[${index}].url`)}
              name={`links[${index}].url`}
            />
          </div>
          <button
            class="link"
            type="button"
            onClick={() => change({ links: links.filter((_, at) => at !== index) })}
          >
            {words.removeLink(index + 1)}
          </button>
        </fieldset>
      ))}
      {links.length < updateTicketLimits.links.maxItems && (
        <button
          class="button quiet small"
          type="button"
          onClick={() => {
            focusAdded();
            change({ links: [...links, newLink()] });
          }}
        >
          {words.addLink}
        </button>
      )}
    </>
  );
};

/** What candidates hand in, the starter files that they get, and the checks of their work. */
const Work = ({ draft, change, wrong, ticketId }: PartProps & { readonly ticketId: string }) => {
  const { t } = usePlace();
  const words = t.ticket;
  const files = (field: FilesField, label: string, hint: string) => (
    <FilesEditor
      {...{ ticketId, label, hint, files: draft[field], wrong: wrong(PATH_OF[field]) }}
      change={(set) => change({ [field]: set })}
      isSending={(is) =>
        change(({ sending }) => ({
          sending: is ? [...sending, field] : sending.filter((one) => one !== field),
        }))
      }
    />
  );
  return (
    <>
      <section class="card">
        <h2>{words.work}</h2>
        <Choice
          label={t.tickets.kind}
          value={draft.kind || 'none'}
          change={(kind) => change({ kind: kind === 'none' ? '' : (kind as TicketKind) })}
          options={([...ticketKindValues, 'none'] as const).map(
            (one) => [one, t.tickets.kinds[one]] as const,
          )}
          hint={words.kindHint[draft.kind || 'none']}
          name="kind"
        />
        {takes(draft, 'starter') && files('starter', words.starter, words.starterHint)}
      </section>
      {takes(draft, 'visible') && (
        <section class="card">
          <h2>{words.checks}</h2>
          <p class="soft">{words.checksText}</p>
          {files('visible', words.visible, words.visibleHint)}
          {files('hidden', words.hidden, words.hiddenHint)}
          {(draft.visible ?? draft.hidden) && (
            <div class="columns">
              <Field
                label={words.slug}
                value={draft.slug}
                change={(slug) => change({ slug })}
                wrong={wrong('checks.slug')}
                name="checks.slug"
                hint={words.slugHint}
              />
              <Choice
                label={words.isolation}
                value={draft.isolation}
                change={(isolation) => change({ isolation: isolation as CheckIsolation })}
                options={checkIsolationValues.map((one) => [one, words.isolations[one]] as const)}
                hint={words.isolationHint[draft.isolation]}
              />
            </div>
          )}
        </section>
      )}
    </>
  );
};
