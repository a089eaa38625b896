import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { App } from '../app.js';
import { canSpeak } from '../audio/browser-speech.js';
import { HAND_IN_MS, type Interview } from '../interview.js';
import { forTab } from '../kept.js';
import { ANSWER_LIMIT, excessOf, hasVisible } from '../limits.js';
import {
  Confirm,
  hasKeyboard,
  Level,
  LimitedField,
  minutesOf,
  Screen,
  Status,
  useMillisecondsUntil,
} from '../parts.js';
import {
  type Action,
  dueWarning,
  type Exchange,
  isSending,
  openExchange,
  refusalOf,
  type RoomState,
  savedState,
} from '../room-state.js';
import type { PageTexts as Texts } from '../../src/languages/en/page.js';
import { AnswerForm } from './answer-form.js';

/** The interview. */
export const Room = ({ app }: { readonly app: App }) => {
  const t = app.t.value;
  useEffect(() => {
    app.enterInterview();
    return () => app.leaveInterview();
  }, []);
  const interview = app.interview.value;
  const state = interview?.state.value;
  if (!interview || !state) return <Screen title={t.room.title}>{null}</Screen>;
  const current = openExchange(state);
  const language = state.language ?? app.language.value;
  return (
    <Screen title={t.room.title}>
      <Bar t={t} interview={interview} state={state} />
      {state.ended === null || state.ended === 'completed' ? (
        <>
          <Question t={t} language={language} interview={interview} state={state} current={current} />
          {current && (
            <section class="card">
              {!app.typedOnly.value && state.transcription === 'server' && (
                <Voice app={app} interview={interview} state={state} current={current} />
              )}
              <AnswerForm
                key={current.turn}
                t={t}
                language={language}
                draft={interview.draft(current.turn)}
                byVoice={state.transcription === 'client' && !app.typing.value}
                sending={isSending(state, 'answer', current.turn)}
                keep={(text) => interview.keepDraft({ turn: current.turn, kind: 'answer', text })}
                send={(text, source) => void interview.answer(current.turn, text, source)}
              />
              <Refused t={t} state={state} actions={['answer', 'commit', 'skip']} turn={current.turn} />
              <button
                class="link"
                type="button"
                aria-disabled={isSending(state, 'skip', current.turn)}
                onClick={() => interview.skip(current.turn)}
              >
                {isSending(state, 'skip', current.turn) ? t.room.skipping : t.room.skip}
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
        language={language}
        interview={interview}
        exchanges={state.exchanges.filter(({ answer }) => answer !== null)}
      />
      {state.ended === null && <End t={t} interview={interview} state={state} />}
    </Screen>
  );
};

const known = (texts: Readonly<Record<string, string>> & { readonly other: string }, code: string): string =>
  (Object.hasOwn(texts, code) ? texts[code] : undefined) ?? texts.other;

const problemText = (t: Texts, code: string): string => known(t.room.problem, code);

interface RefusedProps {
  readonly t: Texts;
  readonly state: RoomState;
  readonly actions: readonly Action[];
  readonly turn: number;
}

/** What of the turn was not taken, why, and what to do. */
const Refused = ({ t, state, actions, turn }: RefusedProps) => (
  <>
    {actions
      .flatMap((action) => refusalOf(state, action, turn) ?? [])
      .map(({ action, code }) => (
        <p class="note bad" role="alert" key={action}>
          {t.room.refusal[action]} {action !== 'interrupt' && known(t.room.because, code)}
        </p>
      ))}
  </>
);

const End = ({
  t,
  interview,
  state,
}: {
  readonly t: Texts;
  readonly interview: Interview;
  readonly state: RoomState;
}) => {
  const [asking, setAsking] = useState(false);
  const turn = state.exchanges.at(-1)?.turn ?? 1;
  const ending = isSending(state, 'end', turn);
  const draft = interview.unsent.value.length > 0;
  const end = (handIn: boolean) => {
    setAsking(false);
    void interview.end(handIn);
  };
  return (
    <>
      <Refused t={t} state={state} actions={['end']} turn={turn} />
      <button class="link" type="button" aria-disabled={ending} onClick={() => setAsking(!ending)}>
        {ending ? t.room.ending : t.room.end}
      </button>
      {asking && (
        <Confirm
          title={t.room.endTitle}
          text={draft ? `${t.room.endText} ${t.room.endDraft}` : t.room.endText}
          yes={draft ? t.room.endWithout : t.room.endConfirm}
          no={t.room.endCancel}
          other={draft ? { label: t.room.endSend, confirm: () => end(true) } : undefined}
          dangerous
          close={() => setAsking(false)}
          confirm={() => end(false)}
        />
      )}
    </>
  );
};

interface BarProps {
  readonly t: Texts;
  readonly interview: Interview;
  readonly state: RoomState;
}

/** What is saved, and the time. */
const Bar = ({ t, interview, state }: BarProps) => {
  const [hidden, setHidden] = useState(forTab.get('time') === 'hidden');
  const left = useMillisecondsUntil(state.deadline);
  const running = state.exchanges.length > 0 && left !== null && state.ended === null;
  const draft = interview.unsent.value.length > 0;
  const saved = state.connection === 'connecting' ? 'connecting' : savedState(state, interview.waiting);
  const toggle = () => {
    forTab.set('time', hidden ? null : 'hidden');
    setHidden(!hidden);
  };
  return (
    <div class="bar">
      <span role="status" class={`saved ${saved}`}>
        {saved === 'saved' && draft ? t.room.savedButDraft : t.room[saved]}
      </span>
      {running && (
        <span class="time">
          {/* Also if it is hidden: who cannot see the page may ask for it, and it is never read out by itself. */}
          <span role="timer" aria-live="off" class={hidden ? 'hidden' : ''}>
            {left < 60_000 ? t.room.timeShort : t.room.timeLeft(minutesOf(t, left))}
          </span>
          <button class="link" type="button" onClick={toggle}>
            {hidden ? t.room.showTime : t.room.hideTime}
          </button>
        </span>
      )}
      <Warning t={t} left={running ? left : null} visible={hidden} draft={draft} />
    </div>
  );
};

/** A warning is read out, and leaves the page again. */
const WARNED_MS = 30_000;
const ENDS_MS = 20_000;

interface WarningProps {
  readonly t: Texts;
  /** `null`: no time runs. */
  readonly left: number | null;
  /** Nothing else shows the time. */
  readonly visible: boolean;
  readonly draft: boolean;
}

const Warning = ({ t, left, visible, draft }: WarningProps) => {
  const [text, setText] = useState('');
  const given = useRef<number | null>(null);
  const until = useRef(0);
  useEffect(() => {
    const due = left === null || left === 0 ? null : dueWarning(left);
    // More time was granted: what was warned of comes again.
    const isNew = due !== null && (given.current === null || due < given.current);
    given.current = due;
    if (isNew && left !== null) {
      until.current = performance.now() + WARNED_MS;
      setText(t.room.timeWarning(minutesOf(t, left)));
    } else if (text !== '' && performance.now() > until.current) setText('');
  });
  const ends = draft && left !== null && left < ENDS_MS && left > HAND_IN_MS[1];
  return (
    <>
      <span class={text !== '' && visible ? 'warning' : 'hidden'} role="status">
        {text}
      </span>
      <span class={ends ? 'warning' : 'hidden'} role="status">
        {ends ? t.room.timeEnds : ''}
      </span>
    </>
  );
};

interface QuestionProps {
  readonly t: Texts;
  readonly language: string;
  readonly interview: Interview;
  readonly state: RoomState;
  readonly current: Exchange | null;
}

/** Which question it is, and of what kind. */
const placeOf = (t: Texts, exchange: Exchange, count: number): string => {
  const { kind, place } = exchange;
  if (kind === 'closing') return t.room.closing;
  const number = place ? t.room.questionOf(place.number, place.of) : t.room.question(count);
  return kind === 'planned' ? number : `${number} · ${t.room.followUp}`;
};

const Question = ({ t, language, interview, state, current }: QuestionProps) => {
  const sound = interview.sound.value;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = current?.turn ?? 0;
  useLayoutEffect(() => {
    if (turn === 0) return;
    const { top = 0, bottom = 0 } = heading.current?.getBoundingClientRect() ?? {};
    // On a small or enlarged screen what is above it would hide it.
    if (turn > 1 || top < 0 || bottom > innerHeight) heading.current?.scrollIntoView();
    // Around what is read out by itself, never in it.
    if (turn > 1 && !hasKeyboard()) section.current?.focus({ preventScroll: true });
  }, [turn]);
  const speaks = state.speech === 'server' || canSpeak();
  return (
    <section
      class="card asked"
      tabIndex={-1}
      ref={section}
      aria-label={current ? placeOf(t, current, state.exchanges.length) : t.room.title}
    >
      <div aria-live="polite" aria-atomic="true">
        {current ? (
          <>
            {current.preface && (
              <p class="preface" lang={language}>
                {current.preface}
              </p>
            )}
            <p class="kind">{placeOf(t, current, state.exchanges.length)}</p>
            <h2 class="question" lang={language} ref={heading}>
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
          {sound === 'on' && !state.interviewerSpeaks && current && (
            <button class="button quiet" type="button" onClick={() => void interview.repeat()}>
              {t.room.repeat}
            </button>
          )}
          {sound === 'on' ? (
            <button class="link" type="button" onClick={() => interview.soundOff()}>
              {t.room.soundOff}
            </button>
          ) : (
            <button class="button quiet" type="button" onClick={() => void interview.repeat()}>
              {sound === 'blocked' ? t.room.soundBlocked : t.room.soundOn}
            </button>
          )}
        </div>
      )}
      {current && <Refused t={t} state={state} actions={['interrupt']} turn={current.turn} />}
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
  const health = interview.microphoneHealth.value;
  const transcribing = state.transcribing === current.turn || isSending(state, 'commit', current.turn);
  return (
    <div class="voice">
      {problem && (
        <p class="note bad" role="alert">
          {t.problem[problem]}
        </p>
      )}
      {on && health !== 'live' && (
        <p class="note bad" role="alert">
          {t.problem[health]}
        </p>
      )}
      {on && health !== 'stopped' && <Level label={t.check.level} level={interview.level.value} />}
      <Status>
        {microphone === 'muted' && t.room.muted}
        {microphone === 'on' &&
          health === 'live' &&
          !transcribing &&
          (state.heard ? t.room.listening : t.room.speakNow)}
        {transcribing && t.room.transcribing}
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
  language,
  interview,
  exchanges,
}: {
  readonly t: Texts;
  readonly language: string;
  readonly interview: Interview;
  readonly exchanges: readonly Exchange[];
}) => {
  const unsent = interview.unsent.value.some(({ kind }) => kind === 'correction');
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
  const kept = interview.unsent.value.find((one) => one.turn === turn && one.kind === 'correction');
  const text = kept?.text ?? interview.draft(turn, 'correction');
  const sending = isSending(state, 'correction', turn);
  const [typing, setTyping] = useState(false);
  const submit = () => {
    if (sending || !hasVisible(text) || excessOf(text.trim(), ANSWER_LIMIT) > 0) return;
    setTyping(false);
    void interview.correct(turn, text);
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
            interview.keepDraft({ turn, kind: 'correction', text: now });
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
