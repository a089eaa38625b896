import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type Microphone,
  type MicrophoneHealth,
  openMicrophone,
  type MicrophoneProblem,
  problemOf,
} from '../audio/microphone.js';
import { Player } from '../audio/player.js';

/** A higher level counts as a voice. */
const VOICE = 0.02;
const VOICED_PIECES = 5;
const MAX_SECONDS = 10;
const PIECES_A_SECOND = 25;

/** The state of a check of microphone and loudspeaker. */
export interface SoundCheck {
  readonly state: 'off' | 'opening' | 'on' | 'recording';
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
  const [state, setState] = useState<SoundCheck['state']>('off');
  const [level, setLevel] = useState(0);
  const [voice, setVoice] = useState(false);
  const [problem, setProblem] = useState<MicrophoneProblem | null>(null);
  const [health, setHealth] = useState<MicrophoneHealth>('live');
  const [stalled, setStalled] = useState(false);
  const [seconds, setSeconds] = useState<number | null>(null);
  const parts = useRef({
    microphone: null as Microphone | null,
    player: new Player(undefined, () => setStalled(true)),
    pieces: [] as Uint8Array[],
    recording: false,
    voiced: 0,
    turn: 0,
    gone: false,
  }).current;

  const stop = () => {
    parts.recording = false;
    setState((was) => (was === 'recording' ? 'on' : was));
  };
  const close = () => {
    parts.microphone?.close();
    parts.microphone = null;
    parts.recording = false;
    setState('off');
    setLevel(0);
  };
  const heard = (pcm: Uint8Array, now: number) => {
    setLevel(now);
    if (now > VOICE && (parts.voiced += 1) === VOICED_PIECES) setVoice(true);
    if (!parts.recording) return;
    parts.pieces.push(pcm);
    setSeconds(Math.floor(parts.pieces.length / PIECES_A_SECOND));
    if (parts.pieces.length >= MAX_SECONDS * PIECES_A_SECOND) stop();
  };
  useEffect(
    () => () => {
      parts.gone = true;
      parts.microphone?.close();
      parts.player.close();
    },
    [],
  );

  const open = () => {
    if (state !== 'off') return;
    setProblem(null);
    setHealth('live');
    setState('opening');
    const lost = () => {
      close();
      setProblem('unplugged');
    };
    const changed = (now: MicrophoneHealth) => {
      setHealth(now);
      if (now !== 'live') setLevel(0);
      // A recording with a gap would not show how the microphone sounds.
      if (now === 'stopped') stop();
    };
    openMicrophone(worklet, { sound: heard, health: changed, lost }).then(
      (microphone) => {
        if (parts.gone) {
          microphone.close();
          return;
        }
        parts.microphone = microphone;
        parts.voiced = 0;
        setState('on');
      },
      (error: unknown) => {
        setState('off');
        setProblem(problemOf(error));
      },
    );
  };
  const sound = (...pieces: readonly Uint8Array[]) => {
    parts.turn += 1;
    setStalled(false);
    void parts.player.allow().then((allowed) => {
      setStalled(!allowed);
      if (allowed) for (const pcm of pieces) parts.player.play(parts.turn, pcm);
    });
  };
  return {
    state,
    level,
    voice,
    problem,
    health,
    stalled,
    seconds,
    open,
    stop,
    close,
    sound,
    record: () => {
      parts.pieces = [];
      parts.recording = true;
      setSeconds(0);
      setState('recording');
    },
    play: () => sound(...parts.pieces),
  };
};
