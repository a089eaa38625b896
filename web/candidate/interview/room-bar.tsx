import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { minutesOf, useMillisecondsUntil } from '../../shared/components.js';
import { tabStorage } from '../../shared/storage.js';
import { HAND_IN_MS, type Interview } from './interview.js';
import { dueWarning, type RoomState, savedState } from './room-state.js';

interface BarProps {
  readonly t: Texts;
  readonly interview: Interview;
  readonly state: RoomState;
}

/** What is saved, and the time. */
export const Bar = ({ t, interview, state }: BarProps) => {
  const [hidden, setHidden] = useState(tabStorage.get('time') === 'hidden');
  const left = useMillisecondsUntil(state.deadline);
  const running = state.exchanges.length > 0 && left !== null && state.ended === null;
  const draft = interview.written.unsent.value.length > 0;
  const saved = state.connection === 'connecting' ? 'connecting' : savedState(state, interview.waiting);
  const toggle = () => {
    tabStorage.set('time', hidden ? null : 'hidden');
    setHidden(!hidden);
  };
  return (
    <div class="bar">
      <span role="status" class={`saved ${saved}`}>
        {saved === 'saved' && draft ? t.room.savedButDraft : t.room[saved]}
      </span>
      {running && (
        <span class="time">
          {/* Rendered also if it is hidden, for screen readers. `off`: it is not read out at each change. */}
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

/** How long a warning is shown. Screen readers read it out. */
const WARNING_MS = 30_000;
/** With less time left, the page shows that the written answer is about to be sent. */
const ENDING_MS = 20_000;

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
    // After more time was granted, earlier warnings are due again.
    const isNew = due !== null && (given.current === null || due < given.current);
    given.current = due;
    if (isNew && left !== null) {
      until.current = performance.now() + WARNING_MS;
      setText(t.room.timeWarning(minutesOf(t, left)));
    } else if (text !== '' && performance.now() > until.current) setText('');
  });
  const ends = draft && left !== null && left < ENDING_MS && left > HAND_IN_MS[1];
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
