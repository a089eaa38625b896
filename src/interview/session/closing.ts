import { v7 as uuidV7 } from 'uuid';
import type { ApplicationRef } from '../../domain/candidate/events.js';
import { StoreUnavailable } from '../../core/errors.js';
import type { Handled } from '../../core/handle.js';
import type { TrialState } from '../../domain/session/state.js';
import { isClosed } from '../../domain/session/lifecycle.js';
import type { AudioOf, AudioStore } from '../../vault/port.js';
import { PersonErased } from '../../core/vault/port.js';
import {
  disconnect,
  interrupt,
  recordAnswer,
  type RecordAnswer,
} from '../../domain/session/interview-decider.js';
import type { EngineLog } from '../../engine/log.js';
import { BYTES_PER_MS } from '../../../packages/interview-client/src/protocol/audio-frame.js';
import { type Speech, ProviderFailed, type Transcriber } from '../../clients/speech.js';
import { type Interview, openQuestion } from '../../domain/session/interview-state.js';
import type { InterviewCommands, SessionContext } from './commands.js';
import type { InterviewEnding, OpenTurns } from '../../domain/session/ending.js';
import { audioOf, transcribed } from './spoken-turn.js';
import { openInterviews } from '../../../projections/open-interviews.js';
import type { Found } from '../../engine/reads.js';
import type { DocumentOf } from '../../engine/view.js';

export interface ClosingOptions {
  readonly commands: InterviewCommands;
  readonly audio: AudioStore;
  readonly speech: Speech;
  readonly log: EngineLog;
}

/** Ends what no connection will end any more. */
export class Closing implements InterviewEnding, OpenTurns {
  constructor(private readonly options: ClosingOptions) {}

  async away(session: ApplicationRef, connectionId: string): Promise<void> {
    const { commands } = this.options;
    const context = contextOf(session);
    const gone = { connectionId, code: null, waited: null, elapsedMs: null };
    await carriedOut(() => commands.record(context, 'system', (state) => disconnect(state, gone)));
    const { state } = await commands.read(session);
    const { connection } = state?.interview ?? {};
    if (connection?.connectionId !== connectionId) return;
    await this.closeOpenTurn(session, 'may_wait', connectionId);
    await carriedOut(() =>
      commands.record(context, 'system', (session) => interrupt(session, { connectionId })),
    );
  }

  async finish(session: ApplicationRef, reason: 'finished' | 'ended' | 'time_limit'): Promise<void> {
    await this.closeOpenTurn(session, 'last_chance');
    await carriedOut(() => this.options.commands.finish(contextOf(session), reason));
  }

  /**
   * Closes the open turn with what was said so far. One in which nothing was said stays open: its question still
   * stands when the candidate comes back.
   * @param urgency `last_chance`: what cannot be transcribed is recorded as an empty answer whose audio is kept, so
   *   that no acknowledged word is lost
   * @param away only while this connection is the newest; unless said, whichever is
   */
  async closeOpenTurn(
    session: ApplicationRef,
    urgency: 'may_wait' | 'last_chance',
    away?: string,
  ): Promise<void> {
    const said = await this.saidSoFar(session, urgency);
    if (said === null) return;
    const answer = { ...said, ...(away !== undefined && { away }) };
    const answered = await carriedOut(() =>
      this.options.commands.record(contextOf(session), 'candidate', (state) => recordAnswer(state, answer)),
    );
    await this.letGo(session, answered, said.turn);
  }

  /** What was said in the open turn, as its answer; `null`: nothing, or there is none. */
  async saidSoFar(
    session: ApplicationRef,
    urgency: 'may_wait' | 'last_chance' = 'last_chance',
  ): Promise<RecordAnswer | null> {
    const { commands, speech } = this.options;
    const { state } = await commands.read(session);
    const question = openQuestion(state?.interview ?? null);
    if (!state || isClosed(state) || !state.interview || !question || speech.transcriber === 'client')
      return null;
    const { interview } = state;
    const { turn } = question;
    const heard = await this.hear(audioOf(session), turn, speech.transcriber);
    if (heard === null || (urgency === 'may_wait' ? !heard.text : heard.text === '')) return null;
    const { spoken, text } = heard;
    return {
      connectionId: null,
      turn,
      text: text ?? '',
      source: 'transcribed',
      messageId: null,
      gapMs: spoken.answerGapMs,
      lastAudioSeq: spoken.lastSeq,
      voice: {
        durationMs: Math.round(spoken.pcm.byteLength / BYTES_PER_MS),
        kept: text === null || interview.keepsOpenTurn,
      },
      transcriber: text === null ? null : heard.transcriber,
      elapsedMs: elapsedAtLeast(interview),
    };
  }

  /** Discards a turn's audio where it is closed and nobody is to hear it. @param state as it was left */
  async letGo(session: ApplicationRef, state: TrialState, turn: number): Promise<void> {
    if (state && mayGo(state.interview, turn)) await this.options.audio.discard(audioOf(session), turn);
  }

  /** @returns `null`: nothing was said, or it is nobody's any more; `text` is `null` where that is not known */
  private async hear(
    of: AudioOf,
    turn: number,
    transcriber: Transcriber,
  ): Promise<{ readonly spoken: Spoken; readonly text: string | null; readonly transcriber: string } | null> {
    const { audio, log } = this.options;
    const { name } = transcriber;
    try {
      let spoken = await spokenIn(audio, of, turn);
      for (let tries = 1; ; tries++) {
        if (spoken.pcm.byteLength === 0) return null;
        const text = await this.understood(spoken.pcm, transcriber);
        // A client that is still there goes on speaking meanwhile, and is told that it was heard.
        const before = spoken.pcm.byteLength;
        if ((await audio.turns(of)).get(turn) === before || tries === TRIES)
          return { spoken, text, transcriber: name };
        spoken = await spokenIn(audio, of, turn);
      }
    } catch (error) {
      if (!(error instanceof PersonErased)) throw error;
      log.info({}, 'The open turn of a candidate who was erased was left.');
      return null;
    }
  }

  private async understood(pcm: Uint8Array, transcriber: Transcriber): Promise<string | null> {
    try {
      return await transcribed(transcriber, pcm, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof ProviderFailed)) throw error;
      const { message } = error;
      this.options.log.warn(
        { reason: message },
        'A turn could not be transcribed as its interview was left.',
      );
      return null;
    }
  }
}

/** Others who write at the same time, or a client that goes on speaking, are given way to so often. */
const TRIES = 5;

/**
 * @returns the session as it was left; `null`: it has ended
 * @throws {StoreUnavailable} others keep changing it
 */
const carriedOut = async (step: () => Promise<Handled<TrialState>>): Promise<TrialState> => {
  for (let tries = 1; ; tries++) {
    const handled = await step();
    if (handled.kind === 'done') return handled.state;
    const { code, message } = handled.refusal;
    if (code !== 'conflict') return null;
    if (tries === TRIES) throw new StoreUnavailable(message);
  }
};

/** The turn is closed, by whomever, and nobody is to hear it any more. */
const mayGo = (interview: Interview | null, turn: number): boolean => {
  const question = interview?.questions.find((one) => one.turn === turn);
  return (question?.answer ?? null) !== null && !interview?.keptTurns.includes(turn);
};

interface Spoken {
  readonly pcm: Uint8Array;
  readonly lastSeq: number;
  readonly answerGapMs: number | null;
}

const spokenIn = async (audio: AudioStore, of: AudioOf, turn: number): Promise<Spoken> => {
  const pieces: Uint8Array[] = [];
  let lastSeq = 0;
  let gapMs: number | null = null;
  for await (const chunk of audio.read(of, turn)) {
    pieces.push(chunk.pcm);
    lastSeq = chunk.lastSeq;
    gapMs ??= chunk.answerGapMs;
  }
  return { pcm: Buffer.concat(pieces), lastSeq, answerGapMs: gapMs };
};

const contextOf = (session: ApplicationRef): SessionContext => ({ session, correlationId: uuidV7() });

/** Nobody has measured on: what was known last. */
const elapsedAtLeast = ({ elapsed }: Interview): number => elapsed.ms;

/** Completes every interrupted interview whose time is over; one that is connected is its host's to end. */
export const finishInterviews = (ending: Pick<InterviewEnding, 'finish'>) => ({
  /** The reactor's stored name: never change it. */
  name: 'finish-interview',
  view: openInterviews,
  index: 'byDeadline',
  upTo: (): string => new Date().toISOString(),
  // What becomes due wakes nobody.
  pollMs: 500,
  act: ({ document }: Found<DocumentOf<typeof openInterviews>>): Promise<void> =>
    ending.finish(document, 'time_limit'),
});
