import { useState } from 'preact/hooks';
import {
  type CandidateResults,
  candidateResultsValues,
  isAssayError,
  type Organisation,
} from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Conflict } from '../parts/conflict.js';
import { Choice, Field, FormEnd, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Loaded, useLoading } from '../parts/load.js';
import { mergeDrafts, readNewer } from '../parts/newer.js';
import { Settings } from '../parts/settings.js';
import { LogoEditor, Picture } from './settings-logo.js';
import {
  changedSettings,
  erasesMore,
  settingsBody,
  type SettingsDraft,
  settingsOf,
  wrongSettings,
} from './settings-draft.js';

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

type Texts = ReturnType<typeof useWords>;

/** Each setting's name and value in words. */
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
  const valueOf = (draft: SettingsDraft, field: keyof SettingsDraft): string => {
    if (field === 'recordAudio') return draft.recordAudio ? words.yes : words.no;
    if (field === 'candidateResults') return words.candidateResults[draft.candidateResults];
    if (field === 'senderName') return draft.senderName.trim() || draft.name;
    return draft[field].trim() || words.none;
  };
  return { words, names, valueOf };
};

const Facts = ({ settings }: { readonly settings: SettingsDraft }) => {
  const { names, valueOf } = useWords();
  return (
    <section class="card">
      <dl>
        {(Object.keys(names) as (keyof Texts['names'])[]).map((field) => (
          <div key={field}>
            <dt>{names[field]}</dt>
            <dd>{valueOf(settings, field)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
};

const Editor = ({ read }: { readonly read: Organisation }) => {
  const { client, t, orgId, console } = usePlace();
  const { words, names, valueOf } = useWords();
  const [base, setBase] = useState(read);
  const [draft, setDraft] = useState(() => settingsOf(read));
  const [newer, setNewer] = useState<Organisation | null>(null);
  const [isSaved, setSaved] = useState(false);
  const command = useCommand();
  const before = settingsOf(base);
  const wrong = wrongSettings(draft);
  const isChanged = changedSettings(draft, before).length > 0;
  useUnsaved(isChanged);
  const change = (part: Partial<SettingsDraft>): void => {
    setSaved(false);
    setDraft((former) => ({ ...former, ...part }));
  };
  const save = async (over: Organisation, what: SettingsDraft): Promise<void> => {
    const params = { orgId };
    try {
      const body = settingsBody(what, settingsOf(over));
      const saved = await client.patch('/organisations/{orgId}', { params, body, ifMatch: over.version });
      setBase(saved);
      setDraft(settingsOf(saved));
      setSaved(true);
      // The frame names the organisation, and pages tell time limits in its zone.
      if (saved.name !== over.name || saved.timeZone !== over.timeZone) await console.readMe();
    } catch (error) {
      if (!isAssayError(error, 'version_mismatch')) throw error;
      const read = () => client.get('/organisations/{orgId}', { params });
      setNewer(await readNewer(read, over.version));
    }
  };
  const merged = newer && mergeDrafts(draft, before, settingsOf(newer));
  return (
    <>
      <form
        class="editor card"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (wrong.length === 0) void command.run(() => save(base, draft));
        }}
      >
        {newer && merged && (
          <Conflict
            version={newer.version}
            differences={changedSettings(draft, settingsOf(newer)).map((field) => ({
              name: names[field],
              mine: draft[field] === before[field] ? null : valueOf(draft, field),
              theirs: valueOf(settingsOf(newer), field),
            }))}
            keepMine={() => {
              setBase(newer);
              setDraft(merged);
              setNewer(null);
              void command.run(() => save(newer, merged));
            }}
            takeTheirs={() => {
              setBase(newer);
              setDraft(settingsOf(newer));
              setNewer(null);
            }}
          />
        )}
        <Field
          label={words.name}
          value={draft.name}
          change={(name) => change({ name })}
          hint={words.nameHint}
          wrong={wrongOf(command.error, 'name', t.failure)}
        />
        <Field
          label={words.sender}
          value={draft.senderName}
          change={(senderName) => change({ senderName })}
          hint={words.senderHint}
          placeholder={draft.name}
          wrong={wrongOf(command.error, 'senderName', t.failure)}
        />
        <Field
          label={words.timeZone}
          value={draft.timeZone}
          change={(timeZone) => change({ timeZone })}
          hint={words.timeZoneHint}
          suggestions={TIME_ZONES}
          wrong={
            wrong.includes('timeZone') || wrongOf(command.error, 'timeZone', t.failure) !== null
              ? words.timeZoneWrong
              : null
          }
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
          wrong={
            wrong.includes('retentionDays')
              ? words.retentionWrong
              : wrongOf(command.error, 'retentionDays', t.failure)
          }
        />
        <div role="status">
          {erasesMore(draft, before) && <p class="note">{words.retentionLoses}</p>}
          {isSaved && <p>{words.saved}</p>}
        </div>
        <FormEnd command={command} label={words.save} />
      </form>
      <LogoEditor
        organisation={base}
        changed={(saved) =>
          // If others changed the settings meanwhile, the form shows it when it is saved.
          setBase((former) =>
            saved.version === former.version + 1 ? saved : { ...former, logo: saved.logo },
          )
        }
      />
    </>
  );
};
