import { useEffect, useRef, useState } from 'preact/hooks';
import { canRecognise, recognise, type Recognising } from '../audio/browser-speech.js';
import { hasKeyboard } from '../parts.js';
import type { PageTexts as Texts } from '../../src/languages/en/page.js';

interface Props {
  readonly t: Texts;
  readonly language: string;
  readonly draft: string;
  /** Offers the browser's own recognition of speech. */
  readonly byVoice: boolean;
  readonly label?: string;
  readonly keep: (text: string) => void;
  readonly send: (text: string, source: 'typed' | 'speech') => void;
}

/** A typed answer, or one that the browser recognises into the same field. */
export const AnswerForm = ({ t, language, draft, byVoice, label, keep, send }: Props) => {
  const field = useRef<HTMLTextAreaElement>(null);
  const [empty, setEmpty] = useState(false);
  const [listening, setListening] = useState<Recognising | null>(null);
  const [partial, setPartial] = useState('');
  const [failed, setFailed] = useState(false);
  const spoken = useRef(false);
  useEffect(() => {
    if (field.current) field.current.value = draft;
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => () => listening?.stop(), [listening]);

  const submit = () => {
    const text = field.current?.value.trim() ?? '';
    if (text === '') {
      setEmpty(true);
      field.current?.focus();
      return;
    }
    listening?.stop();
    send(text, spoken.current ? 'speech' : 'typed');
  };
  const listen = () => {
    setFailed(false);
    const started = recognise(language, {
      partial: setPartial,
      final: (text) => {
        if (!field.current || text === '') return;
        spoken.current = true;
        field.current.value = [field.current.value.trim(), text].filter(Boolean).join(' ');
        keep(field.current.value);
      },
      ended: (error) => {
        setListening(null);
        setPartial('');
        setFailed(error !== null && error !== 'no-speech' && error !== 'aborted');
      },
    });
    setListening(started);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <label>
        <span>{label ?? t.room.answerLabel}</span>
        <textarea
          ref={field}
          class="field"
          rows={6}
          maxLength={16_000}
          aria-describedby={empty ? 'answer-empty' : undefined}
          aria-invalid={empty}
          onInput={({ currentTarget }) => {
            setEmpty(false);
            keep(currentTarget.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
            event.preventDefault();
            submit();
          }}
        />
      </label>
      <p class="wrong" id="answer-empty" role="alert">
        {empty && t.room.empty}
      </p>
      {listening && (
        <p class="caption" role="status">
          {partial || t.room.listening}
        </p>
      )}
      <div class="actions">
        <button class="button" type="submit">
          {t.room.send}
        </button>
        {byVoice && canRecognise() && (
          <button
            class="button quiet"
            type="button"
            onClick={() => (listening ? listening.stop() : listen())}
          >
            {listening ? t.room.browserSpeechStop : t.room.bySpeech}
          </button>
        )}
      </div>
      {byVoice && canRecognise() && <p class="soft small">{t.room.browserSpeech}</p>}
      {failed && (
        <p class="note bad" role="alert">
          {t.room.browserSpeechFailed}
        </p>
      )}
    </form>
  );
};
