import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso/router';
import type { Application } from '../../../packages/client/src/index.js';
import type { ConsoleTexts } from '../../../src/languages/en/console.js';
import { usePlace } from '../console.js';
import { Asking, Opening } from '../parts/dialog.js';
import { Choice, Field, FormEnd, Now, useCommand } from '../parts/form.js';
import { readNewer } from '../parts/newer.js';
import { nameOf } from '../parts/people.js';

export interface ActionProps {
  readonly application: Application;
  /** Called with the application after the command. */
  readonly done: (application: Application) => void;
}

/** Reads an application again, for a command that named a version that is no longer the newest. */
export const useNewer = ({ application, done }: ActionProps): (() => Promise<void>) => {
  const { client, orgId } = usePlace();
  const params = { orgId, applicationId: application.id };
  const read = () => client.get('/organisations/{orgId}/applications/{applicationId}', { params });
  return async () => done(await readNewer(read, application.version));
};

/** What was granted, in words; `''`: nothing. */
export const wordsOf = (
  { timeFactor, typedOnly, captions }: Application['accommodations'],
  { candidates }: ConsoleTexts,
): string =>
  [
    timeFactor !== 1 && candidates.timeFactors(timeFactor),
    typedOnly && candidates.typedOnly,
    captions && candidates.captions,
  ]
    .filter(Boolean)
    .join('. ');

const FACTORS = [1, 1.25, 1.5, 2, 3];

/** Grants accommodations, and shows what the candidate asked for. */
export const Accommodate = (props: ActionProps) => (
  <Opening label={usePlace().t.candidates.accommodate}>
    {(close) => <Accommodating {...props} close={close} />}
  </Opening>
);

const Accommodating = ({ application, done, close }: ActionProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const { accommodations, accommodationRequest } = application;
  const [granted, setGranted] = useState(accommodations);
  const command = useCommand(useNewer({ application, done }));
  const factors = [...new Set([...FACTORS, accommodations.timeFactor])].sort((a, b) => a - b);
  const check = (name: 'typedOnly' | 'captions') => (
    <label class="check">
      <input
        type="checkbox"
        checked={granted[name]}
        onChange={({ currentTarget }) => setGranted({ ...granted, [name]: currentTarget.checked })}
      />
      <span>{t.candidates[name]}</span>
    </label>
  );
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          const changed = await client.put(
            '/organisations/{orgId}/applications/{applicationId}/accommodations',
            {
              params: { orgId, applicationId: application.id },
              body: granted,
              ifMatch: application.version,
            },
          );
          close();
          done(changed);
        });
      }}
    >
      {accommodationRequest && (
        <blockquote>
          <p class="soft small">{t.candidates.asked}</p>
          <p class="pre">{accommodationRequest.text}</p>
        </blockquote>
      )}
      {accommodationRequest && <p class="soft small">{t.candidates.asksForAnswer}</p>}
      <Now>{wordsOf(accommodations, t) || t.candidates.timeFactors(1)}</Now>
      <Choice
        label={t.candidates.timeFactor}
        value={`${granted.timeFactor}`}
        change={(factor) => setGranted({ ...granted, timeFactor: Number(factor) })}
        options={factors.map((one) => [`${one}`, t.candidates.timeFactors(one)] as const)}
      />
      {check('typedOnly')}
      {check('captions')}
      <p class="soft small">{t.candidates.accommodateText}</p>
      <FormEnd command={command} label={t.candidates.save} cancel={close} />
    </form>
  );
};

/** Invites the same person to the same role once more, and leads to that application. */
export const Retake = ({ application }: { readonly application: Application }) => {
  const { client, t, orgId, to } = usePlace();
  const { route } = useLocation();
  const { id, roleId, roleName, candidateEmail, candidateName, externalId, language } = application;
  if (candidateEmail === null) return null;
  const invite = async (): Promise<void> => {
    const made = await client.post('/organisations/{orgId}/roles/{roleId}/invitations', {
      params: { orgId, roleId },
      body: {
        ...{ candidateEmail, language, retakeOf: id },
        ...(candidateName !== null && { candidateName }),
        ...(externalId !== null && { externalId }),
      },
    });
    route(to(`candidates/${made.id}`));
  };
  return (
    <Asking
      label={t.candidates.retake}
      title={t.candidates.retakeTitle(nameOf(application, t.candidates.erased))}
      text={t.candidates.retakeText(roleName)}
      work={invite}
    />
  );
};

interface EraseProps {
  readonly application: Application;
  readonly erased: () => void;
}

/** Erases the person, after explaining what is deleted and asking for the name. */
export const Erase = (props: EraseProps) => {
  const { t } = usePlace();
  return (
    <Opening
      label={t.candidates.erase}
      title={t.candidates.eraseTitle(nameOf(props.application, t.candidates.erased))}
      text={t.candidates.eraseText}
    >
      {(close) => <Erasing {...props} close={close} />}
    </Opening>
  );
};

const Erasing = ({ application, erased, close }: EraseProps & { readonly close: () => void }) => {
  const { client, t, orgId } = usePlace();
  const [typed, setTyped] = useState('');
  const [isWrong, setWrong] = useState(false);
  const command = useCommand();
  const name = nameOf(application, t.candidates.erased);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(typed.trim() !== name);
        if (typed.trim() !== name) return;
        void command.run(async () => {
          await client.post('/organisations/{orgId}/applications/{applicationId}/erasure', {
            params: { orgId, applicationId: application.id },
          });
          close();
          erased();
        });
      }}
    >
      <Field
        label={t.candidates.eraseName}
        value={typed}
        change={setTyped}
        {...(isWrong ? { wrong: t.candidates.eraseAsks(name) } : { hint: t.candidates.eraseAsks(name) })}
      />
      <FormEnd command={command} label={t.candidates.erase} tone="danger" cancel={close} />
    </form>
  );
};
