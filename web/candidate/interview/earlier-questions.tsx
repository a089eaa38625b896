import { useState } from 'preact/hooks';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { LimitedField, Status } from '../../shared/components.js';
import { excessOf, hasVisible } from '../../shared/text-limits.js';
import { ANSWER_LIMIT } from './drafts.js';
import type { Interview } from './interview.js';
import { Refused } from './room-refused.js';
import { type Exchange, isSending } from './room-state.js';

/** The questions before the current one with their answers, and during the interview a form to correct each. */
export const EarlierQuestions = ({
  t,
  language,
  interview,
  exchanges,
}: {
  readonly t: Texts;
  readonly language: string;
  readonly interview: Interview;
  readonly exchanges: readonly Exchange[];
}) => {
  const unsent = interview.written.unsent.value.some(({ kind }) => kind === 'correction');
  return exchanges.length === 0 ? null : (
    <details class="card" open={unsent}>
      <summary>
        {t.room.former} ({exchanges.length})
      </summary>
      <ol class="former">
        {exchanges.map((one) => (
          <li key={one.turn}>
            <h3 lang={language}>{one.question}</h3>
            <p class="answer">
              {one.answer === '' ? <em>{one.skipped ? t.room.skipped : t.room.noAnswer}</em> : one.answer}
            </p>
            {one.later.map((text, at) => (
              <p class="answer later" key={at}>
                <strong>{t.room.corrected}:</strong> {text}
              </p>
            ))}
            {interview.state.value.ended === null && (
              <Correction t={t} interview={interview} turn={one.turn} />
            )}
          </li>
        ))}
      </ol>
    </details>
  );
};

/** A form for a correction. What could not be sent stays in it, with a note until the candidate types again. */
const Correction = ({
  t,
  interview,
  turn,
}: {
  readonly t: Texts;
  readonly interview: Interview;
  readonly turn: number;
}) => {
  const state = interview.state.value;
  const kept = interview.written.unsent.value.find((one) => one.turn === turn && one.kind === 'correction');
  const text = kept?.text ?? interview.written.draft(turn, 'correction');
  const sending = isSending(state, 'correction', turn);
  const [typing, setTyping] = useState(false);
  const submit = () => {
    if (sending || !hasVisible(text) || excessOf(text.trim(), ANSWER_LIMIT) > 0) return;
    setTyping(false);
    void interview.written.correct(turn, text);
  };
  return (
    <details open={kept !== undefined}>
      <summary>{t.room.correct}</summary>
      {kept && !typing && !sending && <p class="note">{t.room.correctKept}</p>}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <LimitedField
          t={t}
          label={t.room.correctLabel}
          limit={ANSWER_LIMIT}
          rows={3}
          value={text}
          readOnly={sending}
          changed={(now) => {
            setTyping(true);
            interview.written.keepDraft({ turn, kind: 'correction', text: now });
          }}
        />
        <p class="soft small">{t.room.correctText}</p>
        <button class="button quiet" type="submit" aria-disabled={sending}>
          {t.room.correctSend}
        </button>
        <Status>{sending && t.room.correctSending}</Status>
        <Refused t={t} state={state} actions={['correction']} turn={turn} />
      </form>
    </details>
  );
};
