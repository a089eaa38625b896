import { useState } from 'preact/hooks';
import {
  type CandidateResults,
  candidateResultsValues,
  type Organisation,
} from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Conflict } from '../parts/conflict.js';
import { useEditing } from '../parts/editing.js';
import { Choice, Field, FormEnd, wrongOf } from '../parts/form.js';
import { Loaded, useLoading } from '../parts/load.js';
import { differencesBy } from '../parts/newer.js';
import { Settings } from '../parts/settings.js';
import {
  erasesMore,
  FIELDS,
  problemsOf,
  settingsBody,
  type SettingsDraft,
  settingsOf,
} from './settings-draft.js';
import { LogoEditor, Picture } from './settings-logo.js';

/** The organisation's own settings: its name, audio, retention, and what candidates see. */
const OrganisationSettings = () => {
  const { client, t, orgId, may } = usePlace();
  const organisation = useLoading(
    (signal) => client.get('/organisations/{orgId}', { params: { orgId }, signal }),
    [orgId],
  );
  return (
    <Settings name="organisation">
      <Loaded of={organisation} what={t.settings.organisation.what}>
        {(one) =>
          may('organisation.write') ? (
            <Editor read={one} key={one.id} />
          ) : (
            <>
              <Facts settings={settingsOf(one)} />
              {one.logo && <Picture logo={one.logo} name={one.name} />}
            </>
          )
        }
      </Loaded>
    </Settings>
  );
};
export default OrganisationSettings;

// Some browsers list UTC themselves.
const TIME_ZONES = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** The texts of this page: `names` has each setting's name, `textOf` a setting's value in words. */
const useWords = () => {
  const words = usePlace().t.settings.organisation;
  const names = {
    name: words.name,
    senderName: words.sender,
    timeZone: words.timeZone,
    candidateResults: words.results,
    recordAudio: words.recordAudio,
    retentionDays: words.retention,
  };
  const textOf = (draft: SettingsDraft, field: keyof SettingsDraft): string => {
    if (field === 'recordAudio') return draft.recordAudio ? words.yes : words.no;
    if (field === 'candidateResults') return words.candidateResults[draft.candidateResults];
    if (field === 'retentionDays') return draft.retentionDays.trim() || words.none;
    return draft[field].trim() || '–';
  };
  return { words, names, textOf };
};

const Facts = ({ settings }: { readonly settings: SettingsDraft }) => {
  const { names, textOf } = useWords();
  const shown = { ...settings, senderName: settings.senderName || settings.name };
  return (
    <section class="card">
      <dl>
        {FIELDS.map((field) => (
          <div key={field}>
            <dt>{names[field]}</dt>
            <dd>{textOf(shown, field)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const Editor = ({ read }: { readonly read: Organisation }) => {
  const { client, t, orgId, console } = usePlace();
  const { words, names, textOf } = useWords();
  const [isSaved, setSaved] = useState(false);
  const params = { orgId };
  const editor = useEditing(read, {
    ...{ draftOf: settingsOf, problemsOf, differencesOf: differencesBy(FIELDS, textOf) },
    save: (base, draft) =>
      client.patch('/organisations/{orgId}', {
        ...{ params, body: settingsBody(draft, settingsOf(base)), ifMatch: base.version },
      }),
    read: () => client.get('/organisations/{orgId}', { params }),
    done: async (saved, former) => {
      setSaved(true);
      // The shell shows the organisation's name, and pages show time limits in its zone.
      if (saved.name !== former.name || saved.timeZone !== former.timeZone) await console.readMe();
    },
  });
  const { base, draft, problems, command, conflict } = editor;
  const change = (part: Partial<SettingsDraft>): void => {
    setSaved(false);
    editor.change(part);
  };
  const sentences = {
    ...{ name: t.role.problems.name, tooLong: t.role.problems.tooLong },
    ...{ days: words.retentionWrong, zone: words.timeZoneWrong },
  };
  const wrong = (field: keyof SettingsDraft): string | null => {
    const problem = problems.get(field);
    return problem === undefined ? wrongOf(command.error, field, t.failure) : sentences[problem];
  };
  return (
    <>
      <form
        class="editor card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          editor.submit();
        }}
      >
        {conflict && (
          <Conflict
            {...conflict}
            differences={conflict.differences.map((one) => ({ ...one, name: names[one.field] }))}
          />
        )}
        <Field
          label={words.name}
          value={draft.name}
          change={(name) => change({ name })}
          hint={words.nameHint}
          name="name"
          wrong={wrong('name')}
        />
        <Field
          label={words.sender}
          value={draft.senderName}
          change={(senderName) => change({ senderName })}
          hint={words.senderHint}
          placeholder={draft.name}
          name="senderName"
          wrong={wrong('senderName')}
        />
        <Field
          label={words.timeZone}
          value={draft.timeZone}
          change={(timeZone) => change({ timeZone })}
          hint={words.timeZoneHint}
          suggestions={TIME_ZONES}
          name="timeZone"
          wrong={wrong('timeZone')}
        />
        <Choice
          label={words.results}
          value={draft.candidateResults}
          change={(one) => change({ candidateResults: one as CandidateResults })}
          hint={words.resultsHint}
          options={candidateResultsValues.map((one) => [one, words.candidateResults[one]] as const)}
        />
        <label class="check">
          <input
            type="checkbox"
            checked={draft.recordAudio}
            onChange={({ currentTarget }) => change({ recordAudio: currentTarget.checked })}
          />
          <span>
            {words.recordAudio} <span class="soft small">{words.recordAudioHint}</span>
          </span>
        </label>
        <Field
          label={words.retention}
          value={draft.retentionDays}
          change={(retentionDays) => change({ retentionDays })}
          hint={words.retentionHint}
          name="retentionDays"
          digits
          wrong={wrong('retentionDays')}
        />
        <div role="status">
          {erasesMore(draft, settingsOf(base)) && <p class="note">{words.retentionLoses}</p>}
          {isSaved && <p>{words.saved}</p>}
        </div>
        <FormEnd command={command} label={words.save} />
      </form>
      <LogoEditor
        organisation={base}
        changed={(saved) =>
          // If other people changed settings meanwhile, only the logo is taken over: the form's save shows the conflict.
          editor.changeBase((former) =>
            saved.version === former.version + 1 ? saved : { ...former, logo: saved.logo },
          )
        }
      />
    </>
  );
};
