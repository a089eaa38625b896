import { useEffect, useState } from 'preact/hooks';
import { ANSWER, collectedText } from '../../shared/collecting.js';
import { Status } from '../../shared/components.js';
import { EditorField } from './editor-field.js';
import { textOfFile } from './lines.js';
import type { TicketProps } from './panel.js';

/** A ticket that is answered in writing. The text is saved while it is typed, and handed in by a button. */
export const TextAnswer = ({ handIns, ticket, title }: TicketProps) => {
  const t = handIns.t.value.answer;
  const work = handIns.of(ticket.id);
  const [text, setText] = useState(() => work.drafts.of(ANSWER));
  const [isKept, setKept] = useState(true);
  const [isEmpty, setEmpty] = useState(false);
  const latest = work.handedIn[0];
  // Restores a text that was handed in from another device, or before a sign-out.
  useEffect(() => {
    if (text !== null || latest === undefined) return;
    void handIns.app.api
      .getBytes(`${work.path}/${latest.id}/content`)
      .then((content) => {
        const handedIn = textOfFile(content) ?? '';
        work.drafts.handedIn(ANSWER, handedIn);
        setText((written) => written ?? handedIn);
      })
      .catch(() => undefined);
  }, [latest?.id]);
  useEffect(() => work.drafts.watch(ANSWER, setText), []);
  const isUnsent = work.drafts.unsentNames.length > 0;
  const send = async () => {
    const sent = text ?? '';
    setEmpty(sent.trim() === '');
    if (sent.trim() === '' || work.sending.value) return;
    if (await work.handIn(await collectedText(sent))) setKept(true);
  };
  return (
    <>
      <EditorField
        handIns={handIns}
        label={`${t.label}: ${title}`}
        visibleLabel={t.label}
        path={ANSWER}
        isProse
        text={text ?? ''}
        changed={(typed) => {
          setText(typed);
          setEmpty(false);
          setKept(work.drafts.keep(ANSWER, typed));
        }}
      />
      <Status tone={isEmpty || !isKept ? 'bad' : ''}>
        {isEmpty
          ? t.empty
          : !isKept
            ? t.notKept
            : isUnsent
              ? t.kept
              : latest && text !== null
                ? t.asHandedIn
                : ''}
      </Status>
      <div class="actions">
        <button
          class="button"
          type="button"
          aria-label={`${t.send}: ${title}`}
          aria-disabled={work.sending.value !== null}
          onClick={() => void send()}
        >
          {t.send}
        </button>
      </div>
    </>
  );
};
