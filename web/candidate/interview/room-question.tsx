import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { hasKeyboard } from '../../shared/components.js';
import { canSpeak } from '../audio/browser-speech.js';
import type { Interview } from './interview.js';
import { Refused } from './room-refused.js';
import type { Exchange, RoomState } from './room-state.js';

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

/** The question that is open, with its sound. */
export const Question = ({ t, language, interview, state, current }: QuestionProps) => {
  const sound = interview.speech.sound.value;
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const turn = current?.turn ?? 0;
  useLayoutEffect(() => {
    if (turn === 0) return;
    const { top = 0, bottom = 0 } = heading.current?.getBoundingClientRect() ?? {};
    // On a small or enlarged screen the parts above would push it out of view.
    if (turn > 1 || top < 0 || bottom > innerHeight) heading.current?.scrollIntoView();
    // The focus is on the section, not on the live region in it, which would be read out twice.
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
            <button class="button quiet" type="button" onClick={() => interview.speech.interrupt()}>
              {t.room.interrupt}
            </button>
          )}
          {sound === 'on' && !state.interviewerSpeaks && current && (
            <button class="button quiet" type="button" onClick={() => void interview.speech.repeat()}>
              {t.room.repeat}
            </button>
          )}
          {sound === 'on' ? (
            <button class="link" type="button" onClick={() => interview.speech.soundOff()}>
              {t.room.soundOff}
            </button>
          ) : (
            <button class="button quiet" type="button" onClick={() => void interview.speech.repeat()}>
              {sound === 'blocked' ? t.room.soundBlocked : t.room.soundOn}
            </button>
          )}
        </div>
      )}
      {current && <Refused t={t} state={state} actions={['interrupt']} turn={current.turn} />}
    </section>
  );
};
