import { contests } from '../../../projections/contests.js';
import { evaluationResultId, evaluationResults } from '../../../projections/evaluation-results.js';
import { evaluations, type SignedHead } from '../../../projections/evaluations.js';
import { handIns } from '../../../projections/hand-ins.js';
import { isErased } from '../../application/applications/erased.js';
import { candidateHandIn, type CandidateHandIn } from '../../application/hand-ins/candidate-hand-ins.js';
import type { Freshness, Reads } from '../../application/reads.js';
import { KeptSpeech, type KeptTurns } from '../../application/recordings/recorded-turns.js';
import type { Stored } from '../../core/event.js';
import type { CommandStreams } from '../../core/handle.js';
import { pick } from '../../core/json-schema.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import type { Outcome } from '../../domain/application/decider.js';
import { outcome } from '../../domain/application/decider.js';
import { feedback } from '../../domain/application/feedback.js';
import { evaluationDecider } from '../../domain/evaluation/decider.js';
import type { EvaluationEvent } from '../../domain/evaluation/events.js';
import type { AnswerRecorded, TurnSkipped } from '../../domain/session/events.js';
import { trial } from '../../domain/session/state.js';
import { array, base64, object, type Pieces, value } from '../../http/json-pieces.js';
import type { AudioOf, FileOf, Vault } from '../../vault/port.js';
import { type FoundApplication, OutcomeRecord } from '../applications/record.js';
import { contestsOf, type OwnContestRecord, ownContestRecord } from '../evaluations/contests.js';
import { EvidencePieces } from '../evaluations/evidence-pieces.js';
import { explanationOf } from '../evaluations/explanation.js';
import { evaluationRecord, formerRecord } from '../evaluations/record.js';
import type { FoundEvaluation } from '../evaluations/staff-evaluations.js';
import { handInRecord } from '../hand-ins/candidate-hand-ins.js';
import { recordingOf } from '../recordings/recordings.js';
import type { FeedbackRecord } from '../sessions/feedback.js';
import type { ExportedEvaluation, ExportedOutcome, FormerOutcome } from './record.js';

/** One running export: what it reads from. */
export class Exporting {
  constructor(
    readonly reads: Reads,
    readonly streams: CommandStreams,
    readonly vault: Pick<Vault, 'audio' | 'files' | 'keys'>,
    readonly freshness: Freshness,
  ) {}

  /**
   * Called after each read and before its result is written: if the candidate was erased, the export fails. Otherwise it
   * would show a candidate without answers.
   * @throws {PersonErased}
   */
  async assertNotErased(candidateId: string): Promise<void> {
    if (await isErased(this.vault, candidateId)) throw new PersonErased(candidateId as PersonId);
  }
}

const NO_EVIDENCE = { events: [], questions: [] };

/** The evaluation that a session has led to, `null` if there is none. */
export const evaluationOf = async (
  { reads, freshness }: Exporting,
  { document, position }: FoundApplication,
): Promise<FoundEvaluation | null> => {
  const id = document.trial.evaluationId;
  return id === null ? null : reads.getAt(evaluations, id, position, freshness);
};

/** What the candidate said of the assessment; `null`: nothing. */
export const feedbackOn = async (
  { streams }: Exporting,
  trialSessionId: string,
): Promise<FeedbackRecord | null> => {
  const { state } = await streams.read(feedback, trialSessionId);
  return state && { trialSessionId, ...state };
};

/** What the candidate contests of an evaluation, with the answers. */
export const contestsIn = async (
  { reads, freshness }: Exporting,
  { id, position }: FoundEvaluation,
): Promise<readonly OwnContestRecord[]> => {
  const found = await reads.getAt(contests, id, position, freshness);
  return contestsOf(found?.document ?? null).map(ownContestRecord);
};

/** All generations of an evaluation, oldest first, one in memory at a time. */
export async function* generationsOf(
  exporting: Exporting,
  { document, position }: FoundEvaluation,
  candidateEmail: string | null,
): AsyncGenerator<ExportedEvaluation, void, undefined> {
  const { reads, streams, freshness } = exporting;
  const { evaluationId, candidateId } = document;
  const stored = besides(streams.each(evaluationDecider, evaluationId));
  for (let generation = 1; generation <= document.generation; generation++) {
    const beside = await stored.next();
    const id = evaluationResultId(evaluationId, generation);
    const result = (await reads.getAt(evaluationResults, id, position, freshness))?.document ?? null;
    await exporting.assertNotErased(candidateId);
    const isLatest = generation === document.generation;
    if (!result && !isLatest) continue;
    const { evidence, ...record } =
      result && !isLatest
        ? formerRecord(document, result, candidateEmail, NO_EVIDENCE)
        : evaluationRecord(document, candidateEmail, NO_EVIDENCE);
    // If the evaluation was being generated when it was found, a result that came since is left out.
    const isAnswered = record.status !== 'generating';
    yield {
      ...record,
      head: evidence.head,
      explanation: isAnswered && result?.result ? explanationOf(result, result.result) : null,
      ...(isAnswered && !beside.done ? beside.value : NOTHING),
    };
  }
}

type Besides = Pick<ExportedEvaluation, 'detections' | 'modelAnswers'>;

const NOTHING: Besides = { detections: [], modelAnswers: [] };

/** What is stored of each generation beside its result, from the first on. */
async function* besides(
  events: AsyncIterable<Stored<EvaluationEvent>>,
): AsyncGenerator<Besides, void, undefined> {
  let generation = 1;
  let own = NOTHING;
  for await (const event of events) {
    for (; generation < event.data.generation; generation++) {
      yield own;
      own = NOTHING;
    }
    if (event.type === 'evaluation.generated') own = { ...own, detections: event.data.detections };
    if (event.type !== 'evaluation.model_answered') continue;
    const { dimensionId, attempt, model, promptVersion, parameters } = event.data;
    const [answer, answeredAt] = [event.personal?.answer ?? null, event.metadata.recordedAt];
    const work = event.personal?.work ?? [];
    const said = { dimensionId, attempt, model, promptVersion, parameters, answer, work, answeredAt };
    own = { ...own, modelAnswers: [...own.modelAnswers, said] };
  }
  yield own;
}

/** A session's evidence as it is exported, a few events at a time. */
export class ExportedEvidence {
  private readonly evidence: EvidencePieces;

  constructor(exporting: Exporting, { document, position }: FoundApplication) {
    const { reads, freshness } = exporting;
    const { trialSessionId, candidateId } = document;
    const assertNotErased = () => exporting.assertNotErased(candidateId);
    this.evidence = new EvidencePieces({ reads, freshness, position, trialSessionId, assertNotErased });
  }

  /** @param head of the latest result that rests on it */
  pieces(head: SignedHead | null): Pieces {
    return this.evidence.pieces(head);
  }

  /** Turns whose speech is recorded; known once the events are written. */
  recordedTurns(): KeptTurns {
    const speech = new KeptSpeech();
    for (const { eventType, facts } of this.evidence.talk.flatMap(({ events }) => events)) {
      if (eventType !== 'interview.answer_recorded' && eventType !== 'interview.turn_skipped') continue;
      speech.add(facts as unknown as (AnswerRecorded | TurnSkipped)['data']);
    }
    return speech;
  }
}

/** An outcome as its candidate gets it: without who recorded it. */
export const exportedOutcome = (outcome: Outcome | null): ExportedOutcome | null =>
  outcome && { ...pick(OutcomeRecord, outcome), recordedBy: null };

/** All events of an application's outcome, oldest first: corrected outcomes are still stored. */
export const outcomeHistory = async (
  { streams }: Exporting,
  applicationId: string,
): Promise<readonly FormerOutcome[]> => {
  const events = await streams.events(outcome, applicationId);
  return events.flatMap((event) => {
    const at = event.metadata.recordedAt;
    switch (event.type) {
      case 'outcome.recorded': {
        const { humanRound, disposition } = event.data;
        return [{ at, humanRound, disposition, reason: event.personal?.reason ?? null }];
      }
      case 'outcome.retracted':
        return [{ at, humanRound: null, disposition: null, reason: null }];
      default:
        return [];
    }
  });
};

/**
 * A session's recorded speech, a WAV file in base64 for each turn, about half a second of it in memory at a time.
 * Speech that is only stored until its transcription is left out.
 * @param turns those whose speech is kept for good
 */
export async function* recordingPieces(
  { vault }: Pick<Exporting, 'vault'>,
  of: AudioOf,
  turns: KeptTurns,
): AsyncGenerator<string, void, undefined> {
  const numbers = [...new Set([...turns.kept, ...turns.keptLate])].sort((one, other) => one - other);
  const stored = numbers.length === 0 ? new Map<number, number>() : await vault.audio.turns(of);
  const there = numbers.flatMap((turn) => {
    const recording = recordingOf(vault.audio, of, turn, turns, stored);
    return recording === null ? [] : [{ turn, recording }];
  });
  yield* array(there, ({ turn, recording }): Pieces => {
    const whole = recording.read({ first: 0, last: recording.bytes - 1 });
    return object({
      turn: value(turn),
      contentType: value('audio/wav'),
      content: base64(complete(whole, recording.bytes)),
    });
  });
}

/** Each lists up to 1,000 files. */
const HAND_INS_AT_ONCE = 5;

/** A session's hand-ins, in the order in which they were begun, a few in memory at a time. */
export async function* handInsOf(
  { reads, streams, freshness }: Exporting,
  trialSessionId: string,
): AsyncGenerator<CandidateHandIn, void, undefined> {
  const { state } = await streams.read(trial, trialSessionId);
  for await (const page of reads.pages(handIns, 'bySession', [trialSessionId], HAND_INS_AT_ONCE, freshness))
    for (const found of page) yield candidateHandIn(state, found);
}

/** A hand-in with the file as it was sent, of which a piece is in memory at a time. */
export async function* handInPieces(
  { vault }: Pick<Exporting, 'vault'>,
  found: CandidateHandIn,
): AsyncGenerator<string, void, undefined> {
  const of: FileOf = { person: found.document.candidateId as PersonId, fileId: found.id };
  const { status, bytes } = found.document;
  // The bytes of a refused hand-in may still be stored for a moment.
  const arrived = status === 'refused' ? 0 : bytes;
  const received = status === 'receiving' ? await vault.files.size(of) : arrived;
  const record = Object.entries(handInRecord(found, received));
  yield* object({
    ...Object.fromEntries(record.map(([name, one]) => [name, value(one)])),
    content: received === 0 ? value(null) : base64(complete(vault.files.read(of), received)),
  });
}

/**
 * The first `bytes` of a content: more may arrive while it is read.
 * @throws {Error} there are fewer than the vault announced: the stored file is gone or damaged
 */
async function* complete(
  pieces: AsyncIterable<Uint8Array>,
  bytes: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let left = bytes;
  for await (const piece of pieces) {
    yield piece.subarray(0, left);
    left -= Math.min(left, piece.byteLength);
    if (left === 0) return;
  }
  throw new Error(`What is exported has ${left} bytes less than the vault said.`);
}
