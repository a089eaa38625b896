import { useState } from 'preact/hooks';
import { type Contest, isAssayError } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { Field, FormEnd, useCommand, useUnsaved, wrongOf } from '../parts/form.js';
import { Moment } from '../parts/layout.js';
import { useTexts } from './texts.js';

interface Props {
  readonly evaluationId: string;
  readonly memberOf: (subject: string) => string;
  /** Called after a change, so that the contests are read again. */
  readonly changed: () => void;
}

/** The candidate's contests of the part that is shown, each with its answer or a field for it. */
export const Contests = ({ contests, ...props }: Props & { readonly contests: readonly Contest[] }) => {
  const e = useTexts();
  if (contests.length === 0) return null;
  return (
    <section aria-label={e.contests.title}>
      <h2>{e.contests.title}</h2>
      {contests.map((contest) => (
        <ContestCard key={contest.id} contest={contest} {...props} />
      ))}
    </section>
  );
};

const ContestCard = ({ contest, memberOf, ...props }: Props & { readonly contest: Contest }) => {
  const { may } = usePlace();
  const e = useTexts();
  const { about, text, createdAt, answer } = contest;
  return (
    <article class="card contest">
      <p class="facts">
        <strong>{e.contests.abouts[about.kind]}</strong>
        {about.reference !== null && <span>{about.reference}</span>}
        <span class="soft small">
          <Moment at={createdAt} withTime />
        </span>
      </p>
      <blockquote class="pre">{text ?? e.transcript.unreadable}</blockquote>
      {answer === null ? (
        may('outcomes.record') ? (
          <Answer contest={contest} {...props} />
        ) : (
          <p class="soft">{e.contests.unanswered}</p>
        )
      ) : (
        <>
          <p class="soft small">
            {e.contests.answered} {memberOf(answer.answeredBy)}, <Moment at={answer.answeredAt} withTime />
          </p>
          <p class="pre">{answer.text ?? e.transcript.unreadable}</p>
        </>
      )}
    </article>
  );
};

const Answer = ({
  contest,
  evaluationId,
  changed,
}: Omit<Props, 'memberOf'> & { readonly contest: Contest }) => {
  const { client, t, orgId } = usePlace();
  const e = useTexts();
  const [text, setText] = useState('');
  const [isLate, setLate] = useState(false);
  const command = useCommand();
  useUnsaved(text.trim() !== '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void command.run(async () => {
          try {
            await client.post(
              '/organisations/{orgId}/evaluations/{evaluationId}/contests/{contestId}/answer',
              {
                params: { orgId, evaluationId, contestId: contest.id },
                body: { text: text.trim() },
              },
            );
            changed();
          } catch (error) {
            if (!isAssayError(error, 'already_answered')) throw error;
            setLate(true);
          }
        });
      }}
    >
      <Field
        label={e.contests.answerTo}
        rows={3}
        required
        value={text}
        change={setText}
        hint={e.contests.answerHint}
        wrong={wrongOf(command.error, 'text', t.failure)}
      />
      {isLate && (
        <p class="note" role="alert">
          {e.contests.already}{' '}
          <button class="link" type="button" onClick={changed}>
            {e.contests.showTheirs}
          </button>
        </p>
      )}
      <FormEnd command={command} label={e.contests.send} />
    </form>
  );
};
