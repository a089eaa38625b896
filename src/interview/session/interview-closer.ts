import { v7 as uuidV7 } from 'uuid';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { openInterviews } from '../../../projections/open-interviews.js';
import type { OpenTurns } from '../../application/sessions/complete-trial.js';
import { type Speech, ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { Handled } from '../../core/handle.js';
import { longLived } from '../../core/signals.js';
import { PersonErased } from '../../core/vault/port.js';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import type { EndReason } from '../../domain/session/events.js';
import { hasId } from '../../domain/session/id-set.js';
import {
  disconnect,
  interrupt,
  recordAnswer,
  type RecordAnswer,
} from '../../domain/session/interview-decider.js';
import { type Interview, isClosedTurn, openQuestion } from '../../domain/session/interview-state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import type { Trial, TrialState } from '../../domain/session/state.js';
import { endOfTime } from '../../domain/session/time-limit.js';
import type { EngineLog } from '../../engine/log.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { interviewLanguage } from '../../languages/languages.js';
import { lateTurn } from '../../vault/late-turns.js';
import type { AudioOf, AudioStore } from '../../vault/port.js';
import type { InterviewEnding } from '../watch/abandoned.js';
import type { InterviewCommands, SessionContext } from './commands.js';
import { audioOf, type StoredSpeech, storedSpeech, transcribed } from './stored-speech.js';

export interface InterviewCloserOptions {
  readonly commands: InterviewCommands;
  readonly audio: AudioStore;
  readonly speech: Speech;
  readonly log: EngineLog;
}

/**
 * What happens to audio that cannot be transcribed. `may_wait`: it stays in the vault and is transcribed later.
 * `last_chance`: an empty answer is recorded and the audio is kept, so that no acknowledged speech is lost.
 */
type Urgency = 'may_wait' | 'last_chance';

/** Attempts if other writers cause conflicts, or the candidate continues to speak. */
const MAX_TRIES = 5;

/**
 * Records a candidate's speech from the vault, and ends turns and interviews that have no connection. Any process may
 * call it at any time, also several at once or again after a failure: nothing is recorded twice.
 *
 * Callers: `interrupt` by the connection's process and the watch for abandoned interviews, `finishOverdue` by the reactor
 * below, `transcribeOpenTurn` and `discardClosedAudio` also by the completion of a session over REST, the others by a
 * connection.
 *
 * Late speech is what a candidate says after their turn was closed. The vault has each stretch of it under a number of
 * its own (`lateTurn`); it is recorded as a late answer to that turn.
 */
export class InterviewCloser implements InterviewEnding, OpenTurns {
  private readonly stopping = longLived();

  constructor(private readonly options: InterviewCloserOptions) {}

  /**
   * Records that the connection has ended. If it is still the newest, closes the open turn and interrupts the session.
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  async interrupt(session: ApplicationRef, connectionId: string): Promise<void> {
    const { commands } = this.options;
    const context = contextOf(session);
    const gone = { connectionId, code: null, waited: null, elapsedMs: null };
    await retryConflicts(() => commands.record(context, 'system', (state) => disconnect(state, gone)));
    const { state } = await commands.read(session);
    const { connection } = state?.interview ?? {};
    if (connection?.connectionId !== connectionId) return;
    await this.closeOpenTurn(session, 'may_wait', connectionId);
    await retryConflicts(() =>
      commands.record(context, 'system', (session) => interrupt(session, { connectionId })),
    );
  }

  stop(): void {
    this.stopping.abort(new Error('The service stops.'));
  }

  /**
   * Closes the open turn and completes the session. Has no effect on a session that has ended.
   * @param isDue whether the session is to be completed. Called for the current state, and again for the state on which
   *   the end is recorded: transcribing the open turn can take long in between. Default: always
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  async finish(
    session: ApplicationRef,
    reason: EndReason,
    isDue: (state: TrialState) => Promise<boolean> = async () => true,
  ): Promise<void> {
    const { commands } = this.options;
    if (!(await isDue((await commands.read(session)).state))) return;
    await this.closeOpenTurn(session, 'last_chance');
    await retryConflicts(() => commands.finish(contextOf(session), reason, isDue));
  }

  /**
   * Completes the session if it is interrupted and its interview's time is over.
   * @param now the present time, which the caller trusts
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  async finishOverdue(session: ApplicationRef, now: Date): Promise<void> {
    await this.finish(session, 'time_limit', async (state) => {
      const endsAt = state?.interview?.endsAt ?? null;
      if (state?.status !== 'interrupted' || endsAt === null) return false;
      const timeFactor = await this.options.commands.timeFactor(session);
      return endOfTime(endsAt, timeFactor) <= now.toISOString();
    });
  }

  /**
   * Closes the open turn with its speech so far. A turn without speech stays open.
   * @param goneConnectionId closes the turn only if this connection is still the newest. Default: closes it in any case
   */
  async closeOpenTurn(session: ApplicationRef, urgency: Urgency, goneConnectionId?: string): Promise<void> {
    const openAnswer = await this.transcribeOpenTurn(session, urgency);
    if (openAnswer === null) return;
    const answer = { ...openAnswer, ...(goneConnectionId !== undefined && { goneConnectionId }) };
    const answered = await retryConflicts(() =>
      this.options.commands.record(contextOf(session), 'candidate', (state) => recordAnswer(state, answer)),
    );
    await this.discardClosedAudio(session, answered, openAnswer.turn);
  }

  /**
   * Records late speech, and transcribes the open turn's speech so far.
   * @param urgency default: it is the last chance, as when the candidate completes the session
   * @returns the answer to record; `null`: no speech, or no open turn
   */
  async transcribeOpenTurn(
    session: ApplicationRef,
    urgency: Urgency = 'last_chance',
  ): Promise<RecordAnswer | null> {
    await this.recordLateSpeech(session, urgency);
    const running = await this.readRunning(session);
    const question = running && openQuestion(running.interview);
    if (!running || !question) return null;
    const { turn } = question;
    const heard = await this.transcribeStored(running, turn);
    if (heard === null || heard.text === '' || (heard.text === null && urgency === 'may_wait')) return null;
    const kept = heard.text === null || running.interview.keepsOpenTurn;
    return {
      ...answerWith(heard, running),
      turn,
      messageId: null,
      gapMs: heard.spoken.answerGapMs,
      voice: { durationMs: durationOf(heard.spoken), kept },
    };
  }

  /**
   * Records late speech that is still in the vault because its connection was cut off or its transcriber failed. Also
   * records the speech of turns that a text has closed, unless it is kept as audio.
   * @param stored the session's audio in the vault: bytes by number of turn or late speech. Default: reads it now
   * @throws {StoreUnavailable | VaultUnavailable}
   */
  async recordLateSpeech(
    session: ApplicationRef,
    urgency: Urgency,
    stored?: ReadonlyMap<number, number>,
  ): Promise<void> {
    const turns = stored ?? (await this.options.audio.turns(audioOf(session)));
    const kept = (await this.readRunning(session))?.interview.keptTurns ?? [];
    for (const number of turns.keys())
      if (!kept.includes(number)) await this.recordLate(session, number, urgency);
  }

  /**
   * Records speech as a late answer to its turn, once, if it has words. Then discards its audio, unless the audio is
   * kept. Does nothing if the session has ended. Also does nothing if the speech is stored under the turn's own number
   * and is the turn's answer, or may become it: the turn has a transcribed answer, or none yet.
   * @param number the number under which the vault has the speech: one of its own for late speech, the turn's for speech
   *   of a turn that a text has closed
   * @param known its words, if it is already transcribed
   * @throws {StoreUnavailable | VaultUnavailable} try again
   */
  async recordLate(session: ApplicationRef, number: number, urgency: Urgency, known?: string): Promise<void> {
    const { commands, audio } = this.options;
    const running = await this.readRunning(session);
    if (!running) return;
    const { state, interview, of } = running;
    const { turn } = lateTurn(number) ?? { turn: number };
    const answer = interview.questions.find((one) => one.turn === turn)?.answer ?? null;
    const isItsAnswer = turn === number && (answer === null || answer.source === 'transcribed');
    if (isItsAnswer) return;
    // Contains the first frame's `seq`, since a turn can have several stretches of late speech, each with its answer.
    const messageIdOf = ({ firstSeq }: StoredSpeech): string => `late speech ${turn} ${firstSeq}`;
    // Recorded speech is done with: its audio is kept for good, or a sweep discards it.
    const isRecorded = (spoken: StoredSpeech): boolean =>
      hasId(interview.messageIds.ids, messageIdOf(spoken));
    const heard = await this.transcribeStored(running, number, isRecorded, known);
    if (heard === null || (heard.text === null && urgency === 'may_wait')) return;
    const { spoken, text } = heard;
    const late: RecordAnswer = {
      ...answerWith(heard, running),
      turn,
      messageId: messageIdOf(spoken),
      gapMs: null,
      voice: text === null ? { durationMs: durationOf(spoken), kept: true } : null,
    };
    if (text !== '')
      await retryConflicts(() =>
        commands.record(contextOf(session), 'candidate', (latest) => recordAnswer(latest, late)),
      );
    if (text === null) return;
    if (turn === number) await this.discardClosedAudio(session, state, turn);
    else await audio.discard(of, number);
  }

  /** Discards a turn's audio if the turn is closed and its audio not kept. @param state after the last append */
  async discardClosedAudio(session: ApplicationRef, state: TrialState, turn: number): Promise<void> {
    if (state && mayBeDiscarded(state.interview, turn))
      await this.options.audio.discard(audioOf(session), turn);
  }

  /** The interview; `null`: it has ended, or the client transcribes it. */
  private async readRunning(session: ApplicationRef): Promise<Running | null> {
    const { commands, speech } = this.options;
    const { state } = await commands.read(session);
    if (!state || isClosed(state) || !state.interview || speech.transcriber === 'client') return null;
    return { of: audioOf(session), state, interview: state.interview, transcriber: speech.transcriber };
  }

  /**
   * Reads a turn's stored speech and transcribes it.
   * @param isRecorded whether the speech is already recorded as an answer
   * @param known its words, if it is already transcribed
   * @returns `null`: there is no speech, it is already recorded, or the candidate is erased
   */
  private async transcribeStored(
    running: Running,
    turn: number,
    isRecorded: (spoken: StoredSpeech) => boolean = () => false,
    known?: string,
  ): Promise<TranscribedSpeech | null> {
    const { audio, log } = this.options;
    try {
      for (let tries = 1; ; tries++) {
        const spoken = await storedSpeech(audio, running.of, turn);
        if (spoken.bytes === 0 || isRecorded(spoken)) return null;
        const text = known ?? (await this.transcribe(spoken, running));
        // A connected candidate can continue to speak meanwhile. That audio is acknowledged, so it must be included.
        if ((await audio.turns(running.of)).get(turn) === spoken.bytes || tries === MAX_TRIES)
          return { spoken, text };
      }
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      log.info({}, 'The open turn of an erased candidate was not closed.');
      return null;
    }
  }

  /**
   * The text of the speech; `null`: it could not be transcribed, which is logged.
   * @throws {Error} `stop` was called: the speech stays in the vault, and nothing is recorded of it
   */
  private async transcribe(spoken: StoredSpeech, { transcriber, state }: Running): Promise<string | null> {
    const language = interviewLanguage(state.language);
    const { signal } = this.stopping;
    try {
      return await transcribed(transcriber, spoken, signal, language);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProviderFailed)) throw error;
      const { message } = error;
      this.options.log.warn({ reason: message }, 'Speech could not be transcribed.');
      return null;
    }
  }
}

/** An interview that has not ended and that the service transcribes. */
interface Running {
  readonly of: AudioOf;
  readonly state: Trial;
  readonly interview: Interview;
  readonly transcriber: Transcriber;
}

interface TranscribedSpeech {
  readonly spoken: StoredSpeech;
  /** `null`: it could not be transcribed. */
  readonly text: string | null;
}

/** The fields that an answer records of transcribed speech. */
const answerWith = ({ spoken, text }: TranscribedSpeech, { interview, transcriber }: Running) =>
  ({
    connectionId: null,
    text: text ?? '',
    source: 'transcribed',
    lastAudioSeq: spoken.lastSeq,
    transcriber: text === null ? null : transcriber.name,
    // The time that was measured last: without a connection no clock runs.
    elapsedMs: interview.elapsed.ms,
  }) as const;

const durationOf = ({ bytes }: StoredSpeech): number => Math.round(bytes / BYTES_PER_MS);

/**
 * Repeats a command while it conflicts with other writers.
 * @returns the session after the append; `null`: it was refused, so the session has ended
 * @throws {StoreUnavailable} conflicts persist
 */
const retryConflicts = async (step: () => Promise<Handled<TrialState>>): Promise<TrialState> => {
  for (let tries = 1; ; tries++) {
    const handled = await step();
    if (handled.kind === 'done') return handled.state;
    const { code, message } = handled.refusal;
    if (code !== 'conflict') return null;
    if (tries === MAX_TRIES) throw new StoreUnavailable(message);
  }
};

/** Whether a turn is closed and its audio not kept. */
const mayBeDiscarded = (interview: Interview | null, turn: number): boolean => {
  const question = interview?.questions.find((one) => one.turn === turn);
  return question !== undefined && isClosedTurn(question) && !interview?.keptTurns.includes(turn);
};

const contextOf = (session: ApplicationRef): SessionContext => ({ session, correlationId: uuidV7() });

/**
 * The reactor that completes interrupted interviews whose time is over. An interview with a connection is completed by
 * the connection's process.
 */
export const finishInterviews = (ending: Pick<InterviewEnding, 'finishOverdue'>) => ({
  /** The reactor's stored name: never change it. */
  name: 'finish-interview',
  view: openInterviews,
  index: 'byDeadline',
  dueAt: ({ endsAt, timeFactor }: DocumentOf<typeof openInterviews>): string =>
    endsAt === null ? '' : endOfTime(endsAt, timeFactor),
  act: ({ document }: Found<DocumentOf<typeof openInterviews>>, now: Date): Promise<void> =>
    ending.finishOverdue(document, now),
});
