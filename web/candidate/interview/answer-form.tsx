import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { hasKeyboard, LimitedField, Status } from '../../shared/components.js';
import { excessOf, hasVisible } from '../../shared/text-limits.js';
import { recognisers } from '../audio/browser-speech.js';
import { Dictation, type DictationProblem } from '../audio/dictation.js';
import { ANSWER_LIMIT } from './drafts.js';

interface Props {
  readonly t: Texts;
  /** The language in which speech is recognised. */
  readonly language: string;
  readonly draft: string;
  /** Offers the browser's own recognition of speech. */
  readonly byVoice: boolean;
  /** The answer was sent, and the service has not confirmed it yet. */
  readonly sending?: boolean;
  /** The interviewer speaks now: a recogniser would write it into the answer. */
  readonly speaks: boolean;
  /** Stops the interviewer, if it speaks. */
  readonly silence: () => void;
  /** Gets the whole text that is shown, also recognised words that may still change. */
  readonly keep: (text: string) => void;
  readonly send: (text: string, source: 'typed' | 'speech') => void;
}

type Listening = 'off' | 'on' | 'last words';

/** A typed answer, or one that the browser recognises into the same field. */
export const AnswerForm = (props: Props) => {
  const { t, language, draft, byVoice, sending = false, speaks, silence, keep, send } = props;
  const field = useRef<HTMLTextAreaElement | null>(null);
  const [text, setText] = useState(draft);
  const [empty, setEmpty] = useState(false);
  const [interim, setInterim] = useState('');
  const [listening, setListening] = useState<Listening>('off');
  const [problem, setProblem] = useState<DictationProblem | null>(null);
  const dictation = useRef<Dictation | null>(null);
  const spoken = useRef(false);
  useEffect(() => {
    if (hasKeyboard()) field.current?.focus({ preventScroll: true });
    const seen = () => dictation.current?.visible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', seen);
    return () => {
      document.removeEventListener('visibilitychange', seen);
      dictation.current?.abandon();
    };
  }, []);
  // The answer was sent since the time ends: stop the recognition.
  useEffect(() => {
    if (sending) dictation.current?.abandon();
    if (sending) setListening('off');
  }, [sending]);
  useEffect(() => {
    if (speaks) void stop();
  }, [speaks]);

  const stop = async (): Promise<string> => {
    const current = dictation.current;
    if (listening !== 'on' || current === null) return text;
    setListening('last words');
    const whole = await current.stop();
    setListening('off');
    setInterim('');
    setText(whole);
    keep(whole);
    return whole;
  };
  const submit = async () => {
    if (sending || listening === 'last words') return;
    const whole = (await stop()).trim();
    if (!hasVisible(whole)) {
      setEmpty(true);
      field.current?.focus();
    } else if (excessOf(whole, ANSWER_LIMIT) > 0) field.current?.focus();
    else send(whole, spoken.current ? 'speech' : 'typed');
  };
  const make = byVoice ? recognisers() : null;
  const listen = () => {
    if (make === null) return;
    silence();
    setProblem(null);
    setListening('on');
    dictation.current?.abandon();
    const started = new Dictation({
      make,
      language,
      text: (whole, now) => {
        spoken.current ||= started.hasHeard;
        setText(whole);
        setInterim(now);
        setEmpty(false);
        keep(started.shown);
      },
      ended: (why) => {
        setListening('off');
        setInterim('');
        setProblem(why);
      },
    });
    dictation.current = started;
    started.start(text);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <LimitedField
        t={t}
        label={t.room.answerLabel}
        limit={ANSWER_LIMIT}
        rows={6}
        value={text}
        field={field}
        readOnly={sending || listening === 'last words'}
        invalid={empty}
        describedBy={empty ? 'answer-empty' : undefined}
        changed={(now) => {
          setEmpty(false);
          setText(now);
          dictation.current?.edited(now);
          keep(listening === 'off' ? now : (dictation.current?.shown ?? now));
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          void submit();
        }}
      />
      <p class="wrong" id="answer-empty" role="alert">
        {empty && t.room.empty}
      </p>
      {listening !== 'off' && (
        <p class="caption" role="status">
          {interim || (listening === 'on' ? t.room.listening : t.room.lastWords)}
        </p>
      )}
      <div class="actions">
        <button class="button" type="submit" aria-disabled={sending || listening === 'last words'}>
          {t.room.send}
        </button>
        {make && !sending && (
          <button
            class="button quiet"
            type="button"
            aria-disabled={listening === 'last words'}
            onClick={() => {
              if (listening === 'on') void stop();
              else if (listening === 'off') listen();
            }}
          >
            {listening === 'off' ? t.room.bySpeech : t.room.browserSpeechStop}
          </button>
        )}
      </div>
      <Status>{sending && t.room.sending}</Status>
      {make && <p class="soft small">{t.room.browserSpeech}</p>}
      {problem && (
        <p class="note bad" role="alert">
          {t.room.dictation[problem]}
        </p>
      )}
    </form>
  );
};
