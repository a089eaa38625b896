import { useRef, useState } from 'preact/hooks';
import {
  contestAboutLimits,
  contestedKindValues,
  type ContestEvaluation,
  contestEvaluationLimits,
  type OwnContest,
  type OwnEvaluation,
} from '../../../packages/client/src/contract.js';
import { dateTime } from '../../shared/clock.js';
import { LimitedField, Status, textOf } from '../../shared/components.js';
import type { App } from '../app.js';

interface Props {
  readonly app: App;
  readonly evaluation: OwnEvaluation;
  readonly added: (contest: OwnContest) => void;
}

/** What the candidate disputes, with the answers, and a form for more. */
export const Contests = ({ app, evaluation, added }: Props) => {
  const t = app.t.value.contest;
  const language = app.language.value;
  return (
    <section class="card">
      <h2>{t.title}</h2>
      <p>{evaluation.released === 'nothing' ? t.transcriptOnly : t.text}</p>
      {evaluation.contests.length > 0 && (
        <ul class="contests">
          {evaluation.contests.map(({ id, about, text, createdAt, answer }) => (
            <li key={id}>
              <p class="kind">
                {t.kinds[about.kind]}
                {about.reference && ` · ${about.reference}`}
              </p>
              <p class="soft small">{t.yours(dateTime(language, createdAt))}</p>
              <p class="answer">{text}</p>
              {answer ? (
                <>
                  <p class="soft small">{t.answer(dateTime(language, answer.answeredAt))}</p>
                  <p class="answer later">{answer.text}</p>
                </>
              ) : (
                <p class="soft small">{t.waiting}</p>
              )}
            </li>
          ))}
        </ul>
      )}
      <ContestForm app={app} evaluation={evaluation} added={added} />
    </section>
  );
};

/**
 * @param key the same when the same contest is sent again
 * @returns the contest, or the code of the failure
 */
const send = async (
  app: App,
  evaluationId: string,
  contest: ContestEvaluation,
  key: string,
): Promise<OwnContest | string> => {
  const sent = await app.attempt('sending', (signal) =>
    app.api.post<OwnContest>(`me/evaluations/${evaluationId}/contests`, contest, { key, signal }),
  );
  return 'done' in sent ? sent.done : sent.failure.code;
};

const ContestForm = ({ app, evaluation, added }: Props) => {
  const t = app.t.value.contest;
  const [state, setState] = useState<'idle' | 'sending' | 'sent' | 'failed' | 'full'>('idle');
  const key = useRef(crypto.randomUUID());
  const kinds = contestedKindValues.filter(
    (kind) => evaluation.released !== 'nothing' || kind === 'transcript',
  );
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const fields = new FormData(form);
    const kind = kinds.find((one) => one === fields.get('kind'));
    const [reference, text] = [textOf(fields, 'reference'), textOf(fields, 'text')];
    if (state === 'sending' || kind === undefined || text === '') return;
    setState('sending');
    const about = { kind, ...(reference && { reference }) };
    const sent = await send(app, evaluation.evaluationId, { about, text }, key.current);
    if (typeof sent === 'string') {
      // The service has another text under this key and did not record this one: send it under a new key.
      if (sent === 'idempotency_key_reused') key.current = crypto.randomUUID();
      setState(sent === 'too_many_contests' ? 'full' : 'failed');
      return;
    }
    key.current = crypto.randomUUID();
    form.reset();
    setState('sent');
    added(sent);
  };
  const sentence = { idle: '', sending: t.sending, sent: t.sent, failed: t.failed, full: t.full }[state];
  return (
    <details>
      <summary>{t.open}</summary>
      <form class="stack" onSubmit={(event) => void submit(event)}>
        <label>
          <span>{t.kind}</span>
          <select class="field" name="kind">
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {t.kinds[kind]}
              </option>
            ))}
          </select>
        </label>
        <LimitedField
          t={app.t.value}
          label={t.place}
          limit={contestAboutLimits.reference}
          name="reference"
          describedBy="place-hint"
        />
        <p class="soft small" id="place-hint">
          {t.placeHint}
        </p>
        <LimitedField
          t={app.t.value}
          label={t.words}
          limit={contestEvaluationLimits.text}
          name="text"
          rows={4}
          required
        />
        <div class="actions">
          <button class="button quiet" type="submit" aria-disabled={state === 'sending'}>
            {t.send}
          </button>
        </div>
      </form>
      <Status tone={state === 'failed' || state === 'full' ? 'bad' : 'good'}>{sentence}</Status>
    </details>
  );
};
