import { useEffect, useState } from 'preact/hooks';
import { Card, Level, Screen, Status } from '../../shared/components.js';
import { request } from '../../shared/request.js';
import type { App } from '../app.js';
import { canSpeak, speak, stopSpeaking } from '../audio/browser-speech.js';
import { chime } from '../audio/player.js';
import { AnswerForm } from '../interview/answer-form.js';
import { stepsOf, type Visit } from '../state.js';
import { type SoundCheck, useSoundCheck } from './use-sound-check.js';

/** An answer that takes longer, in milliseconds, means a slow connection. */
const SLOW_MS = 400;
/** How many requests are timed. */
const REQUESTS = 4;

/** Microphone, loudspeaker and connection, each tried by a button. */
export const Check = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value.check;
  const sound = useSoundCheck(app.worklet);
  const typedOnly = app.typedOnly.value;
  const goOn = () => app.go(stepsOf(visit)[0] ?? 'before');
  return (
    <Screen title={t.title}>
      <p class="soft">{t.text}</p>
      {!typedOnly && <MicrophoneCheck app={app} sound={sound} />}
      <Card title={t.loudspeaker}>
        <button class="button quiet" type="button" onClick={() => sound.sound(chime())}>
          {t.chime}
        </button>
        <p class="soft">{t.chimeText}</p>
        <Status tone="bad">{sound.stalled && t.chimeStalled}</Status>
      </Card>
      <Network app={app} />
      <section class="card">
        <p>{typedOnly ? t.typedOnlyText : t.typingText}</p>
        <div class="actions">
          <button
            class="button"
            type="button"
            onClick={() => {
              if (!typedOnly) app.chooseTyping(false);
              goOn();
            }}
          >
            {t.done}
          </button>
          {!typedOnly && (
            <button
              class="button quiet"
              type="button"
              onClick={() => {
                app.chooseTyping(true);
                goOn();
              }}
            >
              {t.typing}
            </button>
          )}
        </div>
      </section>
    </Screen>
  );
};

const MicrophoneCheck = ({ app, sound }: { readonly app: App; readonly sound: SoundCheck }) => {
  const t = app.t.value.check;
  const { state, seconds } = sound;
  const on = state === 'on' || state === 'recording';
  const recorded = seconds !== null && state !== 'recording';
  return (
    <Card title={t.microphone}>
      {sound.problem && (
        <p class="note bad" role="alert">
          {app.t.value.problem[sound.problem]}
        </p>
      )}
      {!on && (
        <>
          <p class="soft">{t.ask}</p>
          <button class="button" type="button" aria-disabled={state === 'opening'} onClick={sound.open}>
            {state === 'opening' ? t.opening : t.test}
          </button>
        </>
      )}
      {on && sound.health !== 'live' && (
        <p class="note bad" role="alert">
          {app.t.value.problem[sound.health]}
        </p>
      )}
      {on && sound.health !== 'stopped' && <Level label={t.level} level={sound.level} />}
      <Status tone={sound.voice ? 'good' : ''}>
        {on && sound.health === 'live' && (sound.voice ? t.works : t.speakNow)}
      </Status>
      {on && (
        <div class="actions">
          {state === 'recording' ? (
            <button class="button" type="button" onClick={sound.stop}>
              {t.stop}
            </button>
          ) : (
            <button class="button" type="button" onClick={sound.record}>
              {t.record}
            </button>
          )}
          {recorded && (
            <button class="button" type="button" onClick={sound.play}>
              {t.play}
            </button>
          )}
          <button class="button quiet" type="button" onClick={sound.close}>
            {t.off}
          </button>
        </div>
      )}
      {state === 'recording' && <p>{t.recording(seconds ?? 0)}</p>}
      <Status>{recorded && on && t.recorded}</Status>
    </Card>
  );
};

const Network = ({ app }: { readonly app: App }) => {
  const t = app.t.value.check;
  const [result, setResult] = useState<'idle' | 'measuring' | 'away' | number>('idle');
  const measure = async () => {
    setResult('measuring');
    const took: number[] = [];
    for (let left = REQUESTS; left > 0; left -= 1) {
      const began = performance.now();
      const answer = await request(`${app.base}health/live`).catch(() => null);
      if (!answer) {
        setResult('away');
        return;
      }
      took.push(performance.now() - began);
    }
    // Without the first request, which is slower since it opens a connection.
    setResult(Math.round(Math.min(...took.slice(1))));
  };
  return (
    <Card title={t.network}>
      <button class="button quiet" type="button" onClick={() => void measure()}>
        {t.measure}
      </button>
      <Status tone={result === 'away' ? 'bad' : typeof result === 'number' && result < SLOW_MS ? 'good' : ''}>
        {result === 'measuring' && t.measuring}
        {result === 'away' && t.away}
        {typeof result === 'number' && (result < SLOW_MS ? t.good(result) : t.slow(result))}
      </Status>
    </Card>
  );
};

/** One question as in the interview. The answer is not sent. */
export const Practice = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const language = app.language.value;
  const [answer, setAnswer] = useState<string | null>(null);
  const [speaks, setSpeaks] = useState(false);
  const silence = () => {
    stopSpeaking();
    setSpeaks(false);
  };
  useEffect(() => stopSpeaking, []);
  return (
    <Screen title={t.practice.title}>
      <p class="soft">{t.practice.text}</p>
      <section class="card">
        <h2 class="question">{t.practice.question}</h2>
        {canSpeak() && (
          <div class="actions">
            <button
              class="button quiet"
              type="button"
              onClick={() => {
                setSpeaks(true);
                speak(t.practice.question, language, () => setSpeaks(false));
              }}
            >
              {t.room.soundOn}
            </button>
          </div>
        )}
        {answer === null ? (
          <AnswerForm
            t={t}
            language={language}
            draft=""
            byVoice={!app.typing.value}
            speaks={speaks}
            silence={silence}
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
