import { pendingEvaluations } from '../../../projections/pending-evaluations.js';
import type { CommandContexts } from '../../core/command-context.js';
import type { Found } from '../../engine/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { EvaluationCounts } from './metrics.js';
import { GenerateEvaluation, type GenerateEvaluationHandler } from './command.js';

/** Under which its commands are known: never to be changed. */
export const NAME = 'generate-evaluation';

/**
 * Generates every evaluation that is asked for and not answered.
 * @param stopping ends what is being generated: whoever works next takes it up again
 * @param counts what they came to
 */
export const generateEvaluations = (
  handler: GenerateEvaluationHandler,
  contexts: CommandContexts,
  stopping: AbortSignal,
  counts: EvaluationCounts,
) => ({
  name: NAME,
  view: pendingEvaluations,
  index: 'byState',
  prefix: ['requested'],
  act: async ({ document }: Found<DocumentOf<typeof pendingEvaluations>>): Promise<void> => {
    const { evaluationId, trialSessionId, generation, causedBy, correlationId } = document;
    const context = contexts.forReaction(NAME, causedBy, correlationId);
    const command = new GenerateEvaluation(context, evaluationId, trialSessionId, generation);
    try {
      const handled = await handler.execute(command, stopping);
      if (handled.kind === 'refused') throw new Error(handled.refusal.message);
      const { status } = handled.state;
      if (handled.changed && (status === 'ready' || status === 'failed')) counts[status]++;
    } catch (error) {
      if (!stopping.aborted) throw error;
    }
  },
});
