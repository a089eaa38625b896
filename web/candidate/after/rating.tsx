import { useState } from 'preact/hooks';
import { type GiveFeedbackText, giveFeedbackTextLimits } from '../../../packages/client/src/contract.js';
import { LimitedField, Status, textOf } from '../../shared/components.js';
import type { App } from '../app.js';

const { ease, text } = giveFeedbackTextLimits;
/** Both questions have the same scale. */
const RATINGS = Array.from({ length: ease.maximum - ease.minimum + 1 }, (_, index) => ease.minimum + index);

/** The item of the browser's storage that is set once feedback was given. */
const givenItem = (sessionId: string): string => `feedback/${sessionId}`;

/** @returns whether the service has the feedback, also from an earlier request */
const give = async (app: App, sessionId: string, feedback: Partial<GiveFeedbackText>): Promise<boolean> => {
  const given = await app.attempt('sending', (signal) =>
    app.api.post(`trial-sessions/${sessionId}/feedback`, feedback, { signal }),
  );
  if ('failure' in given && given.failure.code !== 'already_given') return false;
  app.account.storage.set(givenItem(sessionId), 'given');
  return true;
};

/** Two optional questions about the assessment. */
export const Rating = ({ app, sessionId }: { readonly app: App; readonly sessionId: string }) => {
  const t = app.t.value.rating;
  const [state, setState] = useState<'idle' | 'empty' | 'sending' | 'sent' | 'failed'>(
    app.account.storage.get(givenItem(sessionId)) === null ? 'idle' : 'sent',
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (state === 'sending') return;
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const [ease, fairness] = [Number(form.get('ease')), Number(form.get('fairness'))];
    const text = textOf(form, 'text');
    if (!ease && !fairness && !text) {
      setState('empty');
      return;
    }
    setState('sending');
    const sent = await give(app, sessionId, {
      ...(ease && { ease }),
      ...(fairness && { fairness }),
      ...(text && { text }),
    });
    setState(sent ? 'sent' : 'failed');
  };
  return (
    <section class="card">
      <h2>{t.title}</h2>
      {state === 'sent' ? (
        <Status tone="good">{t.sent}</Status>
      ) : (
        <form class="stack" onSubmit={(event) => void submit(event)}>
          <p>{t.text}</p>
          <Scale name="ease" question={t.ease} hint={t.lowEase} />
          <Scale name="fairness" question={t.fairness} hint={t.lowFairness} />
          <LimitedField t={app.t.value} label={t.words} limit={text} name="text" rows={3} />
          <div class="actions">
            <button class="button quiet" type="submit" aria-disabled={state === 'sending'}>
              {t.send}
            </button>
          </div>
          <Status tone="bad">{state === 'empty' || state === 'failed' ? t[state] : ''}</Status>
        </form>
      )}
    </section>
  );
};

interface ScaleProps {
  readonly name: string;
  readonly question: string;
  readonly hint: string;
}

const Scale = ({ name, question, hint }: ScaleProps) => (
  <fieldset aria-describedby={`${name}-hint`}>
    <legend>{question}</legend>
    <div class="scale">
      {RATINGS.map((rating) => (
        <label key={rating}>
          <input type="radio" name={name} value={rating} />
          <span>{rating}</span>
        </label>
      ))}
    </div>
    <p class="soft small" id={`${name}-hint`}>
      {hint}
    </p>
  </fieldset>
);
