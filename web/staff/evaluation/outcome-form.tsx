import { useState } from 'preact/hooks';
import { type Application, isAssayError } from '../../../packages/client/src/index.js';
import type { EvaluationTexts } from '../../../src/languages/en/console-evaluation.js';
import { usePlace } from '../console.js';
import { Conflict } from '../parts/conflict.js';
import { Asking, Dialog } from '../parts/dialog.js';
import { Choice, Field, FormEnd, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Moment } from '../parts/layout.js';
import { readNewer } from '../parts/newer.js';
import { afterConflict, type ChosenOutcome, chosenOf, isSame, outcomeBody } from './outcome.js';
import { useTexts } from './texts.js';
import { OutcomeWords } from './words.js';

interface Props {
  readonly application: Application;
  readonly sessionId: string;
  /** The application as it is now. */
  readonly changed: (application: Application) => void;
}

/** The outcome of the application, and who recorded it. */
export const OutcomeCard = ({
  memberOf,
  ...props
}: Props & { readonly memberOf: (subject: string) => string }) => {
  const { may } = usePlace();
  const e = useTexts();
  const { outcome } = props.application;
  return (
    <section class="card row" aria-label={e.outcome.title}>
      <div>
        <h2>{e.outcome.title}</h2>
        {outcome === null ? (
          <p class="soft">{e.outcome.none}</p>
        ) : (
          <>
            <p>
              <strong>
                <OutcomeWords outcome={outcome} />
              </strong>
            </p>
            {outcome.reason !== null && <p class="pre">{outcome.reason}</p>}
            <p class="soft small">
              {e.outcome.recordedBy} {memberOf(outcome.recordedBy)},{' '}
              <Moment at={outcome.recordedAt} withTime />
            </p>
          </>
        )}
      </div>
      {may('outcomes.record') && (
        <div class="actions">
          <Record {...props} />
          {outcome !== null && <Retract {...props} />}
        </div>
      )}
    </section>
  );
};

const useOutcomeCalls = ({ application, sessionId, changed }: Props) => {
  const { client, orgId } = usePlace();
  const path = '/organisations/{orgId}/trial-sessions/{trialSessionId}/outcome';
  const params = { orgId, trialSessionId: sessionId };
  return {
    changed,
    read: (): Promise<Application> =>
      client.get('/organisations/{orgId}/applications/{applicationId}', {
        params: { orgId, applicationId: application.id },
      }),
    save: (chosen: ChosenOutcome, version: number) => {
      const body = outcomeBody(chosen);
      return body && client.put(path, { params, body, ifMatch: version });
    },
    retract: (version: number) => client.delete(path, { params, ifMatch: version }),
  };
};

const Record = (props: Props) => {
  const e = useTexts();
  const [isOpen, setOpen] = useState(false);
  const label = props.application.outcome === null ? e.outcome.record : e.outcome.correct;
  return (
    <>
      <button class="button" type="button" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && <OutcomeDialog {...props} title={label} close={() => setOpen(false)} />}
    </>
  );
};

const OutcomeDialog = ({
  title,
  close,
  ...props
}: Props & { readonly title: string; readonly close: () => void }) => {
  const { t } = usePlace();
  const e = useTexts();
  const { application } = props;
  const { save, read, changed } = useOutcomeCalls(props);
  const command = useCommand();
  /** What the form began with: the last saved outcome that this page has read. */
  const [began, setBegan] = useState({ chosen: chosenOf(application.outcome), version: application.version });
  const [chosen, choose] = useState(began.chosen);
  const [theirs, setTheirs] = useState<Application | null>(null);
  const [isEmpty, setEmpty] = useState(false);
  const isChanged = !isSame(began.chosen, chosen);
  useUnsaved(isChanged);
  const leave = (): void => {
    if (!isChanged || confirm(t.form.unsaved)) close();
  };
  const send = (version: number): void => {
    setEmpty(outcomeBody(chosen) === null);
    if (outcomeBody(chosen) === null) return;
    void command.run(async () => {
      try {
        await save(chosen, version);
      } catch (error) {
        if (!isAssayError(error, 'version_mismatch')) throw error;
        const now = await readNewer(read, version);
        changed(now);
        const next = afterConflict(began.chosen, chosen, now);
        if (next === 'ask') {
          setTheirs(now);
          return;
        }
        if (next === 'save again') await save(chosen, now.version);
      }
      const now = await read();
      // At once, so that the form does not count as unsaved.
      close();
      changed(now);
    });
  };
  const change = (part: Partial<ChosenOutcome>): void => choose((former) => ({ ...former, ...part }));
  return (
    <Dialog title={title} close={leave}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send(began.version);
        }}
      >
        {theirs && (
          <Conflict
            version={theirs.version}
            differences={differencesOf(chosen, chosenOf(theirs.outcome), e)}
            keepMine={() => send(theirs.version)}
            takeTheirs={() => {
              const saved = chosenOf(theirs.outcome);
              setBegan({ chosen: saved, version: theirs.version });
              choose(saved);
              setTheirs(null);
            }}
          />
        )}
        <Choice
          label={e.outcome.humanRound}
          value={chosen.humanRound}
          change={(value) => change({ humanRound: value as ChosenOutcome['humanRound'] })}
          options={Object.entries(e.outcome.rounds)}
        />
        <Choice
          label={e.outcome.disposition}
          value={chosen.disposition}
          change={(value) => change({ disposition: value as ChosenOutcome['disposition'] })}
          options={Object.entries(e.outcome.dispositions)}
        />
        <Field
          label={e.outcome.reason}
          rows={4}
          value={chosen.reason}
          change={(reason) => change({ reason })}
          hint={e.outcome.reasonHint}
          wrong={wrongOf(command.error, 'reason', t.failure)}
        />
        {isEmpty && (
          <p class="wrong" role="alert">
            {e.outcome.nothing}
          </p>
        )}
        <FormEnd command={command} label={e.outcome.save} cancel={leave} />
      </form>
    </Dialog>
  );
};

/** The fields in which a chosen outcome and the saved one differ. */
const differencesOf = (mine: ChosenOutcome, theirs: ChosenOutcome, e: EvaluationTexts) =>
  [
    { name: e.outcome.humanRound, of: ({ humanRound }: ChosenOutcome) => e.outcome.rounds[humanRound] },
    {
      name: e.outcome.disposition,
      of: ({ disposition }: ChosenOutcome) => e.outcome.dispositions[disposition],
    },
    { name: e.outcome.reason, of: ({ reason }: ChosenOutcome) => reason || '–' },
  ]
    .map(({ name, of }) => ({ name, mine: of(mine), theirs: of(theirs) }))
    .filter((one) => one.mine !== one.theirs);

const Retract = (props: Props) => {
  const e = useTexts();
  const { retract, read, changed } = useOutcomeCalls(props);
  return (
    <Asking
      label={e.outcome.retract}
      title={e.outcome.retract}
      text={e.outcome.retractText}
      danger
      work={async () => {
        await retract(props.application.version);
        changed(await read());
      }}
    />
  );
};
