import { evaluations } from '../../../projections/evaluations.js';
import { openInvitation } from '../../application/applications/reading.js';
import { unaskedContext } from '../../core/command-context.js';
import { isRefused, refuse } from '../../core/decider.js';
import { isStreamName } from '../../core/event-store.js';
import { evaluationDecider, requestRegeneration } from '../../domain/evaluation/decider.js';
import { checksToRepeat } from '../../domain/evaluation/late-work-decider.js';
import type { AwaitedCheck } from '../../domain/session/events.js';
import { type Trial, trial } from '../../domain/session/state.js';
import type { Stores } from '../../process/stores.js';
import { OperatorError } from '../cli/program.js';

/** The outcome of `runAgain`. */
export interface AskedAgain {
  readonly trialSessionId: string;
  readonly evaluationId: string;
  /** The number of the generation that will be made. */
  readonly generation: number;
  /** Hand-ins that are checked again. */
  readonly checks: number;
}

type Needed = Pick<Stores, 'reader' | 'streams'>;

/**
 * Requests a new generation of an evaluation, before which all checks run again.
 * @param id of the evaluation or its session
 * @throws {OperatorError} there is none with this id, it has nothing to check, or it is being generated
 */
export const runAgain = async (stores: Needed, id: string): Promise<AskedAgain> => {
  const { streams } = stores;
  const session = await sessionOf(stores, id);
  const { trialSessionId, evaluationId } = session;
  if (evaluationId === null)
    throw new OperatorError(
      `Session ${trialSessionId} has no evaluation: checks run again only after a session’s completion.`,
    );
  const context = unaskedContext({ type: 'operator', id: 'assay' }, evaluationId);
  let repeated: readonly AwaitedCheck[] = [];
  const handled = await streams.handle(evaluationDecider, evaluationId, context, async (state) => {
    const invited = await openInvitation(streams, session, { ...context, expectedVersion: null });
    if (isRefused(invited)) return invited;
    repeated = checksToRepeat(state, session);
    if (repeated.length === 0)
      return refuse(
        'not_found',
        `Nothing to check: session ${trialSessionId} has no hand-in for a ticket with checks.`,
      );
    return requestRegeneration(state, { begun: true, checks: repeated });
  });
  if (handled.kind === 'refused') throw new OperatorError(handled.refusal.message);
  return { trialSessionId, evaluationId, generation: handled.state.generation, checks: repeated.length };
};

/** @throws {OperatorError} there is no such session or evaluation */
const sessionOf = async (stores: Needed, id: string): Promise<Trial> => {
  // Checked within the longer of the two streams' names.
  const isId = isStreamName(`${evaluationDecider.kind}-${id}`);
  const session = isId ? ((await startedSession(stores, id)) ?? (await evaluatedSession(stores, id))) : null;
  if (session === null)
    throw new OperatorError(
      `There is no evaluation or session ${JSON.stringify(id)}, or the session was never started.`,
    );
  return session;
};

const startedSession = async ({ streams }: Pick<Needed, 'streams'>, id: string): Promise<Trial | null> =>
  (await streams.read(trial, id)).state;

const evaluatedSession = async ({ streams, reader }: Needed, id: string): Promise<Trial | null> => {
  const { state } = await streams.read(evaluationDecider, id);
  const ids = state.status === 'none' ? (await reader.outline(evaluations, id))?.document : state.ids;
  return ids === undefined ? null : startedSession({ streams }, ids.trialSessionId);
};
