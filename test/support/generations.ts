import { CommandContexts } from '../../src/core/command-context.js';
import { evaluationDecider, recordResult, requestRegeneration } from '../../src/domain/evaluation/decider.js';
import { trial } from '../../src/domain/session/state.js';
import { readConfiguration } from '../../src/process/config.js';
import { openWriteSide } from '../../src/process/stores.js';
import { generateEvaluation } from '../../src/scoring/generate.js';
import type { RuleSet } from '../../src/scoring/rule-sets.js';
import type { Scorer } from '../../src/scoring/scores/scorer.js';

/**
 * Makes the next generation of an evaluation as another version of the service would have: by another scorer, under
 * another rule set. No service may run on the folder, since it would make that generation itself.
 */
export const generateAgain = async (
  dataDir: string,
  evaluationId: string,
  { scorer, ruleSet }: { readonly scorer: Scorer; readonly ruleSet: RuleSet },
): Promise<void> => {
  const { streams, hasher, close } = await openWriteSide(readConfiguration({ DATA_DIR: dataDir }));
  try {
    const context = () => new CommandContexts(hasher).forSystem({ type: 'system', id: 'test' }, 'test');
    const asked = await streams.handle(evaluationDecider, evaluationId, context(), (state) =>
      requestRegeneration(state, { begun: true }),
    );
    if (asked.kind === 'refused' || asked.state.status === 'none')
      throw new Error('It could not be asked for.');
    const { generation, ids } = asked.state;
    const session = await streams.events(trial, ids.trialSessionId);
    const { result, answers } = await generateEvaluation({ session, generation, scorer, ruleSet });
    const done = await streams.handle(evaluationDecider, evaluationId, context(), (state) =>
      recordResult(state, result, answers),
    );
    if (done.kind === 'refused' || !done.changed) throw new Error('It was not recorded.');
  } finally {
    await close();
  }
};
