import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { App } from '../app.js';
import { canSpeak } from '../audio/browser-speech.js';
import type { Interview } from '../interview.js';
import { forTab } from '../kept.js';
import { Confirm, hasKeyboard, Level, minutesOf, Screen, Status, useMillisecondsUntil } from '../parts.js';
import { type Exchange, openExchange, type RoomState, savedState } from '../room-state.js';
import type { PageTexts as Texts } from '../../src/languages/en/page.js';
import { AnswerForm } from './answer-form.js';

/** The interview. */
export const Room = ({ app }: { readonly app: App }) => {
  const t = app.t.value;
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    app.enterInterview();
    return () => app.leaveInterview();
  }, []);
  const interview = app.interview.value;
  const state = interview?.state.value;
  if (!interview || !state) return <Screen title={t.room.title}>{null}</Screen>;
  const current = openExchange(state);
  return (
    <Screen title={t.room.title}>
      <Bar t={t} state={state} />
      {state.ended === null || state.ended === 'completed' ? (
        <>
          <Question t={t} interview={interview} state={state} current={current} />
          {current && (
            <section class="card">
              {!app.typedOnly.value && state.transcription === 'server' && (
                <Voice app={app} interview={interview} state={state} current={current} />
              )}
              <AnswerForm
                key={current.turn}
                t={t}
                language={app.language.value}
                draft={interview.draft(current.turn)}
                byVoice={state.transcription === 'client' && !app.typing.value}
                keep={(text) => interview.keepDraft(current.turn, text)}
                send={(text, source) => void interview.answer(current.turn, text, source)}
              />
              <button class="link" type="button" onClick={() => interview.commit(current.turn)}>
                {t.room.skip}
              </button>
            </section>
          )}
          {state.problem && (
            <p class="note bad" role="alert">
              {problemText(t, state.problem)}
            </p>
          )}
        </>
      ) : (
        <Ended app={app} by={state.ended} />
      )}
      <Former
        t={t}
        interview={interview}
        exchanges={state.exchanges.filter(({ answer }) => answer !== null)}
      />
      {state.ended === null && (
        <button class="link" type="button" onClick={() => setAsking(true)}>
          {t.room.end}
        </button>
      )}
      {asking && (
        <Confirm
          title={t.room.endTitle}
          text={t.room.endText}
          yes={t.room.endConfirm}
          no={t.room.endCancel}
          dangerous
          close={() => setAsking(false)}
          confirm={() => {
            setAsking(false);
            void interview.end();
          }}
        />
      )}
    </Screen>
  );
};

const problemText = (t: Texts, code: string): string => {
  const known = t.room.problem as Readonly<Record<string, string>>;
  return known[code] ?? t.room.problem.other;
};

/** What is saved, and the time. */
const Bar = ({ t, state }: { readonly t: Texts; readonly state: RoomState }) => {
  const [hidden, setHidden] = useState(forTab.get('time') === 'hidden');
  const left = useMillisecondsUntil(state.deadline);
  const began = state.exchanges.length > 0;
  const saved = state.connection === 'connecting' ? 'connecting' : savedState(state);
  const minutes = left === null ? null : Math.ceil(left / 60_000);
  const toggle = () => {
    forTab.set('time', hidden ? null : 'hidden');
    setHidden(!hidden);
  };
  return (
    <div class="bar">
      <span role="status" class={`saved ${saved}`}>
        {t.room[saved]}
      </span>
      {began && left !== null && state.ended === null && (
        <span class="time">
          {!hidden && (
            <span aria-hidden="true">
              {left < 60_000 ? t.room.timeShort : t.room.timeLeft(minutesOf(t, left))}
            </span>
          )}
          <button class="link" type="button" onClick={toggle}>
            {hidden ? t.room.showTime : t.room.hideTime}
          </button>
          {/* Read out at some moments alone. */}
          <span class="hidden" role="status">
            {!hidden &&
              minutes !== null &&
              [30, 10, 5, 1].includes(minutes) &&
              t.room.timeLeft(t.minutes(minutes))}
          </span>
        </span>
      )}
    </div>
  );
};

interface QuestionProps {
  readonly t: Texts;
  readonly interview: Interview;
  readonly state: RoomState;
  readonly current: Exchange | null;
}

const Question = ({ t, interview, state, current }: QuestionProps) => {
  const sound = interview.sound.value;
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = current?.turn ?? 1;
  useLayoutEffect(() => {
    if (turn === 1) return;
    heading.current?.closest('section')?.scrollIntoView();
    if (!hasKeyboard()) heading.current?.focus({ preventScroll: true });
  }, [turn]);
  const speaks = state.speech === 'server' || canSpeak();
  const kind =
    current &&
    (current.kind === 'closing' ? t.room.closing : current.kind === 'planned' ? null : t.room.followUp);
  return (
    <section class="card asked">
      <div aria-live="polite">
        {current ? (
          <>
            <p class="kind">
              {t.room.question(state.exchanges.length)}
              {kind && ` · ${kind}`}
            </p>
            <h2 class="question" tabIndex={-1} ref={heading}>
              {current.question}
            </h2>
          </>
        ) : (
          <p>{state.connection === 'connecting' ? t.room.connecting : t.room.waiting}</p>
        )}
      </div>
      {speaks && (
        <div class="actions">
          {state.interviewerSpeaks && sound === 'on' && (
            <button class="button quiet" type="button" onClick={() => interview.interrupt()}>
              {t.room.interrupt}
            </button>
          )}
          {sound === 'on' && !state.interviewerSpeaks && state.speech === 'client' && current && (
            <button class="button quiet" type="button" onClick={() => void interview.soundOn()}>
              {t.room.repeat}
            </button>
          )}
          {sound === 'on' ? (
            <button class="link" type="button" onClick={() => interview.soundOff()}>
              {t.room.soundOff}
            </button>
          ) : (
            <button class="button quiet" type="button" onClick={() => void interview.soundOn()}>
              {sound === 'blocked' ? t.room.soundBlocked : t.room.soundOn}
            </button>
          )}
        </div>
      )}
    </section>
  );
};

interface VoiceProps {
  readonly app: App;
  readonly interview: Interview;
  readonly state: RoomState;
  readonly current: Exchange;
}

/** The microphone, whose sound the service turns into text. */
const Voice = ({ app, interview, state, current }: VoiceProps) => {
  const t = app.t.value;
  const microphone = interview.microphone.value;
  const problem = interview.microphoneProblem.value;
  const on = microphone === 'on' || microphone === 'muted';
  return (
    <div class="voice">
      {problem && (
        <p class="note bad" role="alert">
          {t.problem[problem]}
        </p>
      )}
      {on && <Level label={t.check.level} level={interview.level.value} />}
      <Status>
        {microphone === 'muted' && t.room.muted}
        {microphone === 'on' && (state.heard ? t.room.listening : t.room.speakNow)}
      </Status>
      {state.caption && (
        <p class="caption" aria-label={t.room.captions}>
          {state.caption}
        </p>
      )}
      <div class="actions">
        {on ? (
          <>
            <button class="button" type="button" onClick={() => interview.commit(current.turn)}>
              {t.room.spoken}
            </button>
            <button
              class="button quiet"
              type="button"
              aria-pressed={microphone === 'muted'}
              onClick={() => interview.mute(microphone === 'on')}
            >
              {microphone === 'muted' ? t.room.unmute : t.room.mute}
            </button>
            <button class="link" type="button" onClick={() => interview.closeMicrophone()}>
              {t.room.microphoneOff}
            </button>
          </>
        ) : (
          <button
            class="button quiet"
            type="button"
            aria-disabled={microphone === 'opening'}
            onClick={() => {
              if (microphone === 'off') void interview.openMicrophone();
            }}
          >
            {microphone === 'opening' ? t.room.microphoneOpening : t.room.microphoneOn}
          </button>
        )}
      </div>
      <p class="soft small">{state.recorded ? t.room.recorded : t.room.notRecorded}</p>
    </div>
  );
};

/** The interview has ended for this page alone. */
const Ended = ({ app, by }: { readonly app: App; readonly by: NonNullable<RoomState['ended']> }) => {
  const t = app.t.value;
  if (by === 'session_over' || by === 'closed') return <Status>{t.loading}</Status>;
  const sentence = by === 'superseded' ? t.room.elsewhere : by === 'refused' ? t.room.refused : t.room.lost;
  return (
    <section class="card">
      <p role="alert">{sentence}</p>
      <button class="button" type="button" onClick={() => app.enterInterview()}>
        {by === 'superseded' ? t.room.here : t.tryAgain}
      </button>
    </section>
  );
};

const Former = ({
  t,
  interview,
  exchanges,
}: {
  readonly t: Texts;
  readonly interview: Interview;
  readonly exchanges: readonly Exchange[];
}) =>
  exchanges.length === 0 ? null : (
    <details class="card">
      <summary>
        {t.room.former} ({exchanges.length})
      </summary>
      <ol class="former">
        {exchanges.map((one) => (
          <li key={one.turn}>
            <h3>{one.question}</h3>
            <p class="answer">{one.answer === '' ? <em>{t.room.skipped}</em> : one.answer}</p>
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

const Correction = ({
  t,
  interview,
  turn,
}: {
  readonly t: Texts;
  readonly interview: Interview;
  readonly turn: number;
}) => (
  <details>
    <summary>{t.room.correct}</summary>
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const text = new FormData(form).get('text');
        if (typeof text !== 'string' || text.trim() === '') return;
        form.reset();
        void interview.correct(turn, text.trim());
      }}
    >
      <label>
        <span>{t.room.correctLabel}</span>
        <textarea class="field" name="text" rows={3} maxLength={16_000} required />
      </label>
      <p class="soft small">{t.room.correctText}</p>
      <button class="button quiet" type="submit">
        {t.room.correctSend}
      </button>
    </form>
  </details>
);
