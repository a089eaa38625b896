import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCodec } from '../../src/core/codec.js';
import type { CommandContext } from '../../src/core/command-context.js';
import type { Decision } from '../../src/core/decider.js';
import { CommandStreams } from '../../src/core/handle.js';
import { Sealer } from '../../src/core/sealing.js';
import { eventRegistry } from '../../src/domain/event-registry.js';
import { closeMail, mailsDecider } from '../../src/domain/mail/decider.js';
import type { TrialEvent } from '../../src/domain/session/events.js';
import { ask, connect, recordAnswer } from '../../src/domain/session/interview-decider.js';
import { trial, type TrialState } from '../../src/domain/session/state.js';
import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedVault } from '../../src/vault/lmdb/vault.js';
import type { AudioOf } from '../../src/vault/port.js';

/** Opens the stores of a running service, as another of its processes does. Close them. */
export const openBeside = async (dataDir: string) => {
  const dataKey = Buffer.from(readFileSync(join(dataDir, 'data.key'), 'utf8').trim(), 'base64');
  const vault = await openEmbeddedVault(join(dataDir, 'vault'), dataKey);
  const log = await openEmbeddedLog(join(dataDir, 'log'));
  const streams = new CommandStreams(log, createCodec(eventRegistry, new Sealer(vault)));
  /** Appends to a session's stream as another process does. */
  const record = async (
    trialSessionId: string,
    decide: (state: TrialState) => Decision<TrialEvent>,
  ): Promise<void> => {
    const handled = await streams.handle(trial, trialSessionId, context(), decide);
    if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  };
  /** Closes a mail without an attempt, as a process does at an operator's request. */
  const endMail = async (applicationId: string, input: Parameters<typeof closeMail>[1]): Promise<void> => {
    await streams.handle(mailsDecider, applicationId, context(), (state) => closeMail(state, input));
  };
  return {
    closeMail: endMail,
    vault,
    streams,
    record,
    close: async () => {
      await log.close();
      await vault.close();
    },
  };
};

export type Beside = Awaited<ReturnType<typeof openBeside>>;

const context = (): CommandContext => ({
  commandId: randomUUID(),
  requestHash: null,
  actor: { type: 'system', id: 'test' },
  correlationId: 'test',
  causationId: null,
  now: new Date(),
});

/** Records a started session's interview as the socket does: by its events and its audio. */
export class RecordedInterview {
  private constructor(
    private readonly beside: Beside,
    readonly of: AudioOf,
  ) {}

  static async begin(beside: Beside, trialSessionId: string): Promise<RecordedInterview> {
    const { state } = await beside.streams.read(trial, trialSessionId);
    if (!state) throw new Error('The session has not been started.');
    const interview = new RecordedInterview(beside, { person: state.candidateId, trialSessionId });
    await interview.decide((session) =>
      connect(session, {
        connectionId: 'one',
        host: 'test',
        identity: 'verified',
        recorded: true,
        deviceId: null,
        now: new Date().toISOString(),
      }),
    );
    return interview;
  }

  ask(text = 'How do you test a parser?'): Promise<void> {
    return this.decide((session) =>
      ask(session, {
        connectionId: 'one',
        questionId: randomUUID(),
        kind: 'planned',
        preface: null,
        text,
        dimensionIds: [],
        planned: 0,
        planSize: 1,
        askedBy: { interviewer: 'scripted', version: 1, model: null, instead: null },
        endsAt: new Date(Date.now() + 3_600_000).toISOString(),
        elapsedMs: 0,
      }),
    );
  }

  /** Answers a question. @param kept whether its audio is kept; `null`: nothing was spoken */
  answer(turn: number, kept: boolean | null, text = 'With small inputs first.'): Promise<void> {
    return this.decide((session) =>
      recordAnswer(session, {
        connectionId: 'one',
        turn,
        text,
        source: 'transcribed',
        messageId: null,
        gapMs: 100,
        lastAudioSeq: 0,
        voice: kept === null ? null : { durationMs: 1000, kept },
        transcriber: 'test',
        elapsedMs: 0,
      }),
    );
  }

  /** Appends PCM to a turn, in chunks of so many bytes. */
  async speak(turn: number, pcm: Uint8Array, chunkBytes = 16_000): Promise<void> {
    const { audio } = this.beside.vault;
    for (let at = 0; at < pcm.byteLength; at += chunkBytes) {
      const { lastSeq } = await audio.state(this.of);
      const stored = await audio.append(this.of, lastSeq, {
        turn,
        firstSeq: lastSeq + 1,
        lastSeq: lastSeq + 10,
        timestampMs: at / 32,
        endOfTurn: at + chunkBytes >= pcm.byteLength,
        answerGapMs: null,
        pcm: pcm.subarray(at, at + chunkBytes),
      });
      if (!stored) throw new Error('Somebody else appended.');
    }
  }

  private decide(decide: (state: TrialState) => Decision<TrialEvent>): Promise<void> {
    return this.beside.record(this.of.trialSessionId, decide);
  }
}
