import { useEffect, useState } from 'preact/hooks';
import type { App } from '../app.js';
import { canSpeak, speak, stopSpeaking } from '../audio/browser-speech.js';
import { Screen, Status } from '../parts.js';
import { stepsOf, type Visit } from '../state.js';
import { AnswerForm } from './answer-form.js';

/** One question as in the interview. Nothing of it leaves the page. */
export const Practice = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const language = app.language.value;
  const [answer, setAnswer] = useState<string | null>(null);
  useEffect(() => stopSpeaking, []);
  return (
    <Screen title={t.practice.title}>
      <p class="soft">{t.practice.text}</p>
      <section class="card">
        <h2 class="question">{t.practice.question}</h2>
        {canSpeak() && (
          <button class="button quiet" type="button" onClick={() => speak(t.practice.question, language)}>
            {t.room.soundOn}
          </button>
        )}
        {answer === null ? (
          <AnswerForm
            t={t}
            language={language}
            draft=""
            byVoice={!app.typing.value}
            keep={() => undefined}
            send={setAnswer}
          />
        ) : (
          <>
            <h3>{t.room.you}</h3>
            <p class="answer">{answer}</p>
            <Status tone="good">{t.practice.done}</Status>
            <div class="actions">
              <button class="button" type="button" onClick={() => app.go(stepsOf(visit)[0] ?? 'before')}>
                {t.check.done}
              </button>
              <button class="button quiet" type="button" onClick={() => setAnswer(null)}>
                {t.practice.again}
              </button>
            </div>
          </>
        )}
      </section>
    </Screen>
  );
};
