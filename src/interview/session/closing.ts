import { v7 as uuidV7 } from 'uuid';
import type { ApplicationRef } from '../../candidates/invitation.js';
import type { AudioStore } from '../../vault/audio.js';
import { isClosed } from '../../trials/trial.js';
import type { EngineLog } from '../../projection-engine/log.js';
import { BYTES_PER_MS } from '../protocol/audio-frame.js';
import { SpeechFailed, type Speech } from '../speech/speech.js';
import { type Interview, openQuestion } from '../state.js';
import type { InterviewCommands, Party } from './commands.js';
import type { InterviewEnding } from './ending.js';
import { audioOf, pcmOf, transcribed } from './listening.js';

export interface ClosingOptions {
  readonly commands: InterviewCommands;
  readonly audio: AudioStore;
  readonly speech: Speech;
  readonly log: EngineLog;
}

/** Ends what no connection will end any more. */
export class Closing implements InterviewEnding {
  constructor(private readonly options: ClosingOptions) {}

  async away(session: ApplicationRef, connectionId: string): Promise<void> {
    const { commands } = this.options;
    const party = partyOf(session);
    const gone = { connectionId, code: null, waitedMs: null, elapsedMs: null };
    await commands.disconnect(party, gone);
    const state = await commands.read(session);
    const { connection } = state?.interview ?? {};
    if (connection?.connectionId !== connectionId) return;
    await this.closeOpenTurn(session, 'may_wait');
    await commands.interrupt(party, connectionId);
  }

  async finish(session: ApplicationRef, reason: 'finished' | 'ended' | 'time_limit'): Promise<void> {
    await this.closeOpenTurn(session, 'last_chance');
    await this.options.commands.finish(partyOf(session), reason);
  }

  /**
   * Closes the open turn with what was said so far. One in which nothing was said stays open: its question still
   * stands when the candidate comes back.
   * @param urgency `last_chance`: what cannot be transcribed is recorded as an empty answer whose audio is kept, so
   *   that no acknowledged word is lost
   */
  async closeOpenTurn(session: ApplicationRef, urgency: 'may_wait' | 'last_chance'): Promise<void> {
    const { commands, audio, speech, log } = this.options;
    const state = await commands.read(session);
    const question = openQuestion(state?.interview ?? null);
    if (!state || isClosed(state) || !state.interview || !question || speech.transcriber === 'client') return;
    const of = audioOf(session);
    const pcm = await pcmOf(audio, of, question.turn);
    if (pcm.byteLength === 0) return;
    let text = '';
    let failed = false;
    try {
      text = await transcribed(speech.transcriber, pcm, new AbortController().signal);
    } catch (error) {
      if (!(error instanceof SpeechFailed)) throw error;
      log.warn({ reason: error.message }, 'A turn could not be transcribed as its interview was left.');
      failed = true;
    }
    if (urgency === 'may_wait' ? failed || text === '' : !failed && text === '') return;
    await commands.answer(partyOf(session), {
      connectionId: null,
      turn: question.turn,
      text,
      source: 'transcribed',
      messageId: null,
      gapMs: await gapIn(audio, of, question.turn),
      lastAudioSeq: (await audio.state(of)).lastSeq,
      voice: {
        durationMs: Math.round(pcm.byteLength / BYTES_PER_MS),
        kept: failed || state.interview.recorded,
      },
      transcriber: failed ? null : speech.transcriber.name,
      elapsedMs: elapsedAtLeast(state.interview),
    });
    if (!failed && !state.interview.recorded) await audio.discard(of, question.turn);
  }
}

const partyOf = (session: ApplicationRef): Party => ({ session, correlationId: uuidV7() });

const gapIn = async (
  audio: AudioStore,
  of: ReturnType<typeof audioOf>,
  turn: number,
): Promise<number | null> => {
  for await (const { answerGapMs } of audio.read(of, turn)) if (answerGapMs !== null) return answerGapMs;
  return null;
};

/** Nobody has measured on: what was known last. */
const elapsedAtLeast = ({ elapsed }: Interview): number => elapsed.ms;
