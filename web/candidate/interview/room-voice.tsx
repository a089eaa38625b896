import { Level, Status } from '../../shared/components.js';
import type { App } from '../app.js';
import type { Interview } from './interview.js';
import { type Exchange, isSending, type RoomState } from './room-state.js';

interface VoiceProps {
  readonly app: App;
  readonly interview: Interview;
  readonly state: RoomState;
  readonly current: Exchange;
}

/** The microphone, whose sound the service turns into text. */
export const Voice = ({ app, interview, state, current }: VoiceProps) => {
  const t = app.t.value;
  const { microphone: device } = interview.speech;
  const microphone = device.state.value;
  const problem = device.problem.value;
  const on = microphone === 'on' || microphone === 'muted';
  const health = device.health.value;
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
      {on && health !== 'stopped' && <Level label={t.check.level} level={device.level.value} />}
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
        {(on || interview.speech.spokenTurn === current.turn) && (
          <button class="button" type="button" onClick={() => interview.speech.commit(current.turn)}>
            {t.room.spoken}
          </button>
        )}
        {on ? (
          <>
            <button
              class="button quiet"
              type="button"
              aria-pressed={microphone === 'muted'}
              onClick={() => device.mute(microphone === 'on')}
            >
              {microphone === 'muted' ? t.room.unmute : t.room.mute}
            </button>
            <button class="link" type="button" onClick={() => device.close()}>
              {t.room.microphoneOff}
            </button>
          </>
        ) : (
          <button
            class="button quiet"
            type="button"
            aria-disabled={microphone === 'opening'}
            onClick={() => {
              if (microphone === 'off') void device.open();
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
