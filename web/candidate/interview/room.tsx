import { useEffect, useState } from 'preact/hooks';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { Confirm, Screen, Status } from '../../shared/components.js';
import { browserStorage } from '../../shared/storage.js';
import type { App } from '../app.js';
import type { Visit } from '../state.js';
import { AnswerForm } from './answer-form.js';
import { EarlierQuestions } from './earlier-questions.js';
import { Interview } from './interview.js';
import { Bar } from './room-bar.js';
import { Question } from './room-question.js';
import { problemText, Refused } from './room-refused.js';
import { isSending, openExchange, type RoomState } from './room-state.js';
import { Voice } from './room-voice.js';

/** Opens the interview, in place of one that this page has open. The handlers that are set here end with it. */
const enter = (app: App, sessionId: string): void => {
  app.leaveInterview();
  const interview = new Interview({
    sessionId,
    base: app.base,
    api: app.api,
    token: () => app.account.token(),
    worklet: app.worklet,
    language: () => app.language.value,
    drafts: app.draftsOf(sessionId),
    deviceId: deviceId(),
    flush: () => app.recording.flushed(),
    waiting: () => app.recording.unsent,
    over: (session, handedIn) => {
      app.handedIn.value = handedIn;
      app.change({ type: 'session', session });
    },
    gone: () => void app.load(),
  });
  interview.start();
  app.interview.value = interview;
};

/** An id of this browser, by which the service recognises a device that connects again. */
const deviceId = (): string => {
  const known = browserStorage.get('device') ?? crypto.randomUUID();
  browserStorage.set('device', known);
  return known;
};

/** The interview's screen. It opens the interview when it is mounted, and leaves it when it is unmounted. */
export const Room = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  useEffect(() => {
    enter(app, visit.session.id);
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
                draft={interview.written.draft(current.turn)}
                byVoice={state.transcription === 'client' && !app.typing.value}
                sending={isSending(state, 'answer', current.turn)}
                speaks={state.interviewerSpeaks}
                silence={() => {
                  if (state.interviewerSpeaks) interview.speech.interrupt();
                }}
                keep={(text) => interview.written.keepDraft({ turn: current.turn, kind: 'answer', text })}
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
        <Ended app={app} sessionId={visit.session.id} by={state.ended} />
      )}
      <EarlierQuestions
        t={t}
        language={language}
        interview={interview}
        exchanges={state.exchanges.filter(({ answer }) => answer !== null)}
      />
      {state.ended === null && <End t={t} interview={interview} state={state} />}
    </Screen>
  );
};

/** The button that ends the interview, which asks first. */
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
  const draft = interview.written.unsent.value.length > 0;
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

/** Shown if the interview has ended on this page only, such as after another device took it over. */
const Ended = ({
  app,
  sessionId,
  by,
}: {
  readonly app: App;
  readonly sessionId: string;
  readonly by: NonNullable<RoomState['ended']>;
}) => {
  const t = app.t.value;
  if (by === 'session_over' || by === 'closed') return <Status>{t.loading}</Status>;
  const sentence = by === 'superseded' ? t.room.elsewhere : by === 'refused' ? t.room.refused : t.room.lost;
  return (
    <section class="card">
      <p role="alert">{sentence}</p>
      <button class="button" type="button" onClick={() => enter(app, sessionId)}>
        {by === 'superseded' ? t.room.here : t.tryAgain}
      </button>
    </section>
  );
};
