import { pause } from '../../core/backoff.js';
import { joined } from '../../core/signals.js';
import { ProviderFailed, type Transcriber } from '../../clients/speech.js';
import type { AudioIntake } from './audio-intake.js';
import type { ConnectedSession } from './connected-session.js';
import type { Heard, SpokenTurn, Transcription } from './spoken-turn.js';
import { storedSpeech, transcribed } from './stored-speech.js';

/** Longest wait until a sound proves to be speech, and how often it is looked at, in milliseconds. */
const STIRRING_MS = 500;
const TELL_MS = 20;

export interface TurnToTranscribe {
  readonly turn: SpokenTurn;
  readonly transcriber: Transcriber;
  /** The candidate ended the turn, else silence did. */
  readonly said: boolean;
  readonly intake: Pick<AudioIntake, 'flush'>;
  /** Records the answer; its words are empty only if the candidate ended the turn. */
  readonly record: (text: string, said: boolean) => Promise<void>;
}

/**
 * Transcribes a turn's speech and has the words recorded. Without words the turn stays open, unless the candidate has
 * ended it. If the candidate speaks on, the transcription is given up.
 */
export const transcribeTurn = (session: ConnectedSession, task: TurnToTranscribe): Transcription => {
  const { turn } = task;
  const ending = joined(session.signal);
  const over = (): void => {
    ending.end();
    if (turn.transcription === transcription) turn.transcription = null;
  };
  const transcription: Transcription = {
    said: task.said,
    // It begins later: `turn.transcription` is set by then.
    outcome: Promise.resolve().then(() => outcomeOf(session, task, transcription, ending.signal)),
    end: () => ending.end(),
  };
  transcription.outcome.then(over, over);
  return transcription;
};

const outcomeOf = async (
  session: ConnectedSession,
  { turn, transcriber, intake, record }: TurnToTranscribe,
  transcription: Transcription,
  signal: AbortSignal,
): Promise<Heard> => {
  const { line, services, audioOf, language } = session;
  try {
    await intake.flush();
    const text = await session.persistently(async () => {
      const spoken = await storedSpeech(services.audio, audioOf, turn.number);
      if (signal.aborted) return null;
      return transcribed(transcriber, spoken, signal, language, () =>
        line.send({ type: 'transcript.pending', turn: turn.number }),
      );
    });
    if (text === null) return 'left';
    // What is being said just now may go on with the answer.
    for (let waits = 0; waits < STIRRING_MS / TELL_MS && turn.stirs && !transcription.said; waits += 1)
      await pause(TELL_MS, signal);
    if (signal.aborted || (text === '' && turn.isOvertaken)) return 'left';
    if (text === '' && !transcription.said) {
      turn.listenOn();
      line.send({ type: 'transcript.none', turn: turn.number });
      return 'nothing';
    }
    await record(text, transcription.said);
    return 'recorded';
  } catch (error) {
    if (signal.aborted) return 'left';
    if (!(error instanceof ProviderFailed)) throw error;
    services.log.warn({ reason: error.message }, 'A turn could not be transcribed.');
    turn.listenOn();
    return 'failed';
  }
};
