import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isRefused, type Refused } from '../../core/decider.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { handInLate, lateHandIn, refuseLate } from '../../domain/evaluation/late-work-decider.js';
import { type SessionCode, sessionEnded } from '../../domain/session/decider.js';
import {
  handIn,
  type HandIntoSession,
  NO_SUCH_HAND_IN,
  refuseHandIn,
} from '../../domain/session/hand-in-decider.js';
import { type HandIn, handInById } from '../../domain/session/hand-ins.js';
import { type Trial, trial, type TrialState } from '../../domain/session/state.js';
import type { FileOf } from '../../vault/port.js';
import { HAND_IN_LIMITS } from '../../work/limits.js';
import { wrapperOf } from '../../work/paths.js';
import { inFolder, treeHash } from '../../work/tree.js';
import { handleEvaluation, readCompletion, unlessErased } from '../applications/reading.js';
import { type CandidateSession, NO_SESSION, sessionCommandOf } from '../sessions/candidate-sessions.js';
import { starterIn } from '../tickets/ticket-versions.js';
import { isFinal, Uploads } from '../uploads/uploads.js';
import { UseCase } from '../use-case.js';
import { arrivalOf } from './arrival.js';

type Arrived = Pick<HandIntoSession, 'manifest' | 'treeSha256'>;

/**
 * Unpacks a hand-in of which all bytes have arrived, and records it: in the session, or in the evaluation once the
 * session is completed. If the bytes can never be taken, the refusal is recorded, so that no evaluation waits for them,
 * and then they are discarded. After a crash in between, the command discards them when it is sent again, else the
 * sweep does.
 */
export class CompleteHandIn extends UseCase<
  TrialState,
  CandidateSession & { readonly ticketId: string; readonly handInId: string }
> {
  readonly name = 'CompleteHandIn';
}

@CommandHandler(CompleteHandIn)
export class CompleteHandInHandler implements ICommandHandler<CompleteHandIn> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly uploads: Uploads,
  ) {}

  execute(command: CompleteHandIn): Promise<Handled<TrialState>> {
    return unlessErased(NO_SESSION, () => this.complete(command));
  }

  private async complete({ context, input }: CompleteHandIn): Promise<Handled<TrialState>> {
    const { application, ticketId, handInId } = input;
    const { trialSessionId, candidateId } = application;
    const { state: before } = await this.streams.read(trial, trialSessionId);
    const begun = before && handInById(before.handIns, handInId);
    if (!before || begun?.ticketId !== ticketId) return NO_SUCH_HAND_IN;
    const arrival = await arrivalOf(this.streams, before, handInId, context.now.toISOString());
    if (arrival === 'over') return sessionEnded();
    if (typeof arrival === 'object') return arrival;
    // Before `handle`, which queues other commands on the session until it is done.
    const file = { person: candidateId as PersonId, fileId: handInId };
    const work = arrival === 'arrived' ? NOTHING_NEW : await this.unpacked(file, begun, before);
    if (isRefused(work) && !isFinal(work)) return work;
    const handled = await this.streams.handle(trial, trialSessionId, context, async (state) => {
      const command = await sessionCommandOf(this.streams, input, context);
      if (isRefused(command)) return command;
      return isRefused(work)
        ? refuseHandIn(state, { ...command, handInId, refused: work })
        : handIn(state, { ...command, handInId, name: begun.name ?? '', ...work });
    });
    if (!isRefused(handled))
      return this.answer(handled, file, handled.state && handInById(handled.state.handIns, handInId));
    const hasEnded = handled.refusal.code === ('session_ended' satisfies SessionCode);
    return hasEnded ? this.completeLate({ context, input }, file, begun, work) : handled;
  }

  /** For a session that has ended, perhaps only a moment ago. */
  private async completeLate(
    { context, input }: Pick<CompleteHandIn, 'context' | 'input'>,
    file: FileOf,
    { handInId, name }: HandIn,
    work: Arrived | Refused,
  ): Promise<Handled<TrialState>> {
    const { trialSessionId } = input.application;
    const completed = await readCompletion(this.streams, trialSessionId);
    const { state } = await this.streams.read(trial, trialSessionId);
    if (completed === null || state === null) return sessionEnded();
    const { evaluationId } = completed.data;
    const session = { ...state, evaluationId };
    const evaluation = { evaluationId, completed };
    const handled = await handleEvaluation(this.streams, evaluation, context, async (before) => {
      const command = await sessionCommandOf(this.streams, input, context);
      if (isRefused(command)) return command;
      const late = { handInId, session, now: command.now };
      return isRefused(work)
        ? refuseLate(before, { ...late, refused: work })
        : handInLate(before, { ...late, name: name ?? '', ...work });
    });
    if (isRefused(handled)) return handled;
    return this.answer({ ...handled, state }, file, lateHandIn(handled.state, session, handInId));
  }

  /** Discards the bytes of a refused hand-in, and answers with its refusal, as often as the command is sent. */
  private async answer(
    handled: Handled<TrialState>,
    file: FileOf,
    ended: HandIn | null | undefined,
  ): Promise<Handled<TrialState>> {
    if (!ended?.refused) return handled;
    await this.uploads.discard(file);
    return ended.refused;
  }

  private async unpacked(file: FileOf, begun: HandIn, session: Trial): Promise<Arrived | Refused> {
    const files = await this.uploads.manifest(file, begun, begun.name ?? '', HAND_IN_LIMITS);
    if (isRefused(files)) return files;
    const version = session.ticketVersions.get(begun.ticketId) ?? null;
    const starter = await starterIn(this.streams, begun.ticketId, version);
    const paths = files.map(({ path }) => path);
    const { files: manifest } = inFolder({ files }, wrapperOf(paths, starter?.files ?? []));
    return { manifest, treeSha256: treeHash(manifest) };
  }
}

/** The outcome for work that has arrived before: nothing is recorded. */
const NOTHING_NEW: Arrived = { manifest: [], treeSha256: '' };
