import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandContexts, type RequestContext } from '../../core/command-context.js';
import type { Position } from '../../core/event-store.js';
import { CommandStreams, type Handled } from '../../core/handle.js';
import type { PersonId } from '../../core/vault/port.js';
import { eraseApplication, outcome } from '../../domain/application/decider.js';
import { candidate, type CandidateState, eraseCandidate } from '../../domain/candidate/decider.js';
import type { Invitation } from '../../domain/candidate/events.js';
import { eraseEvaluation } from '../../domain/evaluation/decider.js';
import { eraseTrial } from '../../domain/session/decider.js';
import { trial } from '../../domain/session/state.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';
import { UseCase } from '../use-case.js';
import { handleEvaluation, readCompletion } from './reading.js';

/** Part of its commands' ids: never to be changed. */
export const NAME = 'erase-candidate';

/**
 * Records a candidate's erasure in the streams of their sessions, applications and evaluations, which ends those that
 * are open. Its commands have the same ids in every process, so each stream records it once.
 * @param mayGoOn false: stop here, another call does the rest
 * @returns the position of the last event, `null` if the candidate was not erased
 * @throws {StoreUnavailable | Error} call again later
 */
export const propagateErasure = async (
  streams: CommandStreams,
  contexts: CommandContexts,
  candidateId: string,
  mayGoOn: () => boolean = () => true,
): Promise<Position | null> => {
  const events = await streams.events(candidate, candidateId);
  const erasure = events.find(({ type }) => type === 'candidate.erased');
  if (!erasure) return null;
  const context = contexts.forReaction(NAME, erasure.id, erasure.metadata.correlationId);
  const { state } = await streams.read(candidate, candidateId);
  let last = erasure.position;
  for (const invitation of state?.invitations ?? []) {
    if (!mayGoOn()) break;
    const position = await eraseInStreams(streams, invitation, context);
    if (position > last) last = position;
  }
  return last;
};

/** @returns the position of the last event in the application's three streams */
const eraseInStreams = async (
  streams: CommandStreams,
  invitation: Invitation,
  context: RequestContext,
): Promise<Position> => {
  const { organisationId, roleId, candidateId, applicationId, trialSessionId } = invitation;
  const ids = { organisationId, roleId, candidateId, applicationId, trialSessionId };
  const { state: session } = requireDone(
    await streams.handle(trial, trialSessionId, context, (state) => eraseTrial(state, { invitation })),
  );
  const { position } = requireDone(
    await streams.handle(outcome, applicationId, context, (state) => eraseApplication(state, ids)),
  );
  // Nothing else can end the session from here on, so it is certain whether there is an evaluation.
  const evaluationId = session?.evaluationId ?? null;
  if (evaluationId === null) return position;
  const completed = await readCompletion(streams, trialSessionId);
  const evaluation = requireDone(
    await handleEvaluation(streams, { evaluationId, completed }, context, (state) =>
      eraseEvaluation(state, { ...ids, evaluationId }),
    ),
  );
  return evaluation.position;
};

/**
 * The result of a command that was executed.
 * @throws {Error} other commands keep changing the stream: call again later
 */
const requireDone = <S>(handled: Handled<S>): Extract<Handled<S>, { kind: 'done' }> => {
  if (handled.kind === 'refused') throw new Error(handled.refusal.message);
  return handled;
};

/** Erases for good what an organisation holds about a candidate, in all of their applications there. */
export class EraseCandidate extends UseCase<CandidateState, { readonly candidateId: string }> {
  readonly name = 'EraseCandidate';
}

/** Sends candidates a mail about their erasure, if mails are sent and the address can be read. */
export interface ErasureAnnouncer {
  /**
   * Called before an erasure, while the address can still be read.
   * @returns sends the mail: call it after the erasure
   */
  prepare(candidateId: string): Promise<() => void>;
}

/** Injection token of `ErasureAnnouncer`. */
export const ERASURE_ANNOUNCER = Symbol('ErasureAnnouncer');

/** How long the command itself erases a candidate's applications; the reactor does the rest. There may be a hundred. */
const PROPAGATED_WITHIN_MS = 1_000;

/**
 * Records the event first, then destroys the key: after the event nothing more is accepted, and if the process ends then,
 * the reactor destroys the key. In the other order an erasure could be lost. Open sessions end within the command, so that
 * a read with the answer's token shows it.
 */
@CommandHandler(EraseCandidate)
export class EraseCandidateHandler implements ICommandHandler<EraseCandidate> {
  constructor(
    private readonly streams: CommandStreams,
    private readonly contexts: CommandContexts,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
    @Inject(ERASURE_ANNOUNCER) private readonly notices: ErasureAnnouncer,
  ) {}

  /** @throws {VaultUnavailable} the erasure is recorded but not complete: send it again */
  async execute({ context, input }: EraseCandidate): Promise<Handled<CandidateState>> {
    const { candidateId } = input;
    const sendMail = await this.notices.prepare(candidateId);
    const handled = await this.streams.handle(candidate, candidateId, context, (state) =>
      eraseCandidate(state, { cause: 'staff' }),
    );
    // Also if the event was recorded before: the process that recorded it may have ended before it destroyed the key.
    if (handled.kind === 'refused') return handled;
    await this.vault.keys.erase(candidateId as PersonId);
    if (handled.changed) sendMail();
    const position = await this.propagated(candidateId);
    return {
      ...handled,
      position: position !== null && position > handled.position ? position : handled.position,
    };
  }

  /** The position of the last event; `null` if it failed: the reactor repeats it and reports the failure. */
  private async propagated(candidateId: string): Promise<Position | null> {
    const until = performance.now() + PROPAGATED_WITHIN_MS;
    try {
      return await propagateErasure(
        this.streams,
        this.contexts,
        candidateId,
        () => performance.now() < until,
      );
    } catch {
      return null;
    }
  }
}
