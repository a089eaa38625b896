import { useEffect, useRef, useState } from 'preact/hooks';
import { CandidateMicrophone } from '../audio/candidate-microphone.js';
import type { MicrophoneHealth, MicrophoneProblem } from '../audio/microphone.js';
import { Player } from '../audio/player.js';

/** A higher level counts as a voice. */
const VOICE = 0.02;
const VOICED_PIECES = 5;
const MAX_SECONDS = 10;
const PIECES_A_SECOND = 25;

/** The state of a check of microphone and loudspeaker. */
export interface SoundCheck {
  readonly state: 'off' | 'opening' | 'on' | 'muted' | 'recording';
  readonly level: number;
  /** A voice was detected. */
  readonly voice: boolean;
  /** Why the microphone is not open; `null`: nothing has failed since `open`. */
  readonly problem: MicrophoneProblem | null;
  readonly health: MicrophoneHealth;
  /** The browser plays nothing: it waits for a touch, or another program uses the sound. */
  readonly stalled: boolean;
  /** Whole seconds of the sentence so far; `null`: none was recorded. */
  readonly seconds: number | null;
  /** Asks the browser for the microphone. Does nothing unless the state is `off`. */
  readonly open: () => void;
  /** Records a sentence with the open microphone, in place of the former one, until `stop` or for 10 s. */
  readonly record: () => void;
  readonly stop: () => void;
  /** Plays the recorded sentence. */
  readonly play: () => void;
  /** Plays PCM through the loudspeaker, piece after piece. */
  readonly sound: (...pieces: readonly Uint8Array[]) => void;
  /** Closes the microphone. The sentence stays. */
  readonly close: () => void;
}

/** A microphone and a loudspeaker for trying; nothing leaves the page. */
export const useSoundCheck = (worklet: string): SoundCheck => {
  const [voice, setVoice] = useState(false);
  const [stalled, setStalled] = useState(false);
  const [recording, setRecording] = useState(false);
  const [seconds, setSeconds] = useState<number | null>(null);
  const stop = () => {
    parts.recording = false;
    setRecording(false);
  };
  const heard = (pcm: Uint8Array) => {
    if (microphone.level.value > VOICE && (parts.voiced += 1) === VOICED_PIECES) setVoice(true);
    if (!parts.recording) return;
    parts.pieces.push(pcm);
    setSeconds(Math.floor(parts.pieces.length / PIECES_A_SECOND));
    if (parts.pieces.length >= MAX_SECONDS * PIECES_A_SECOND) stop();
  };
  const parts = useRef({
    microphone: new CandidateMicrophone(worklet, heard, () => stop()),
    player: new Player(undefined, () => setStalled(true)),
    pieces: [] as Uint8Array[],
    recording: false,
    voiced: 0,
    turn: 0,
  }).current;
  const { microphone, player } = parts;
  const state = microphone.state.value;
  const health = microphone.health.value;
  useEffect(() => {
    // A recording with a gap would not show how the microphone sounds.
    if (health === 'stopped') stop();
  }, [health]);
  useEffect(
    () => () => {
      microphone.close();
      player.close();
    },
    [],
  );
  const sound = (...pieces: readonly Uint8Array[]) => {
    parts.turn += 1;
    setStalled(false);
    void player.allow().then((allowed) => {
      setStalled(!allowed);
      if (allowed) for (const pcm of pieces) player.play(parts.turn, pcm);
    });
  };
  return {
    state: recording ? 'recording' : state,
    level: microphone.level.value,
    voice,
    problem: microphone.problem.value,
    health,
    stalled,
    seconds,
    open: () => {
      if (state === 'off') void microphone.open();
    },
    stop,
    close: () => microphone.close(),
    sound,
    record: () => {
      parts.pieces = [];
      parts.recording = true;
      setSeconds(0);
      setRecording(true);
    },
    play: () => sound(...parts.pieces),
  };
};
