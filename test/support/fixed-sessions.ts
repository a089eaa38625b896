import type { Stored } from '../../src/core/event.js';
import type { TrialEvent } from '../../src/domain/session/events.js';
import { type Generation, generateEvaluation } from '../../src/scoring/generate.js';
import { RubricScorer } from '../../src/scoring/rubric/scorer.js';
import { type RuleSet, ruleSets } from '../../src/scoring/rule-sets.js';
import { dimension, roleDefinition, SessionBuilder, testId } from './evidence-builder.js';

const role = roleDefinition({
  overallThreshold: 70,
  ticketIds: ['T-1', 'T-2', 'T-3'],
  dimensions: [
    dimension(1, { name: 'It works', weight: 3, threshold: 75 }),
    dimension(2, { name: 'How', weight: 1, category: 'process' }),
  ],
});

/** A session with work, without an interview. It must never change, since golden figures depend on it. */
export const fixedSession = (): readonly Stored<TrialEvent>[] =>
  new SessionBuilder(role)
    .started()
    .activity('ticket.started', { ticketId: 'T-1' })
    .message('Which of the two parsers does the report use?')
    .change('src/parser.ts', 24, 3)
    .testRun(7, 2)
    .change('src/parser.ts', 5, 4)
    .testRun(9, 0)
    .activity('ticket.finished', { ticketId: 'T-1' })
    .message('ok')
    .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: 260 })
    .change('src/report.ts', 140, 0)
    .activity('page.hidden', {}, 100)
    .activity('page.shown', {}, 145)
    .activity('ticket.finished', { ticketId: 'T-2' })
    .message('The totals of an empty report are undefined, I think.')
    .testRun(10, 4)
    .completed();

/** A session with evidence of every kind and an interview. It must never change, either. */
export const fixedInterview = (): readonly Stored<TrialEvent>[] =>
  new SessionBuilder(role)
    .started()
    .activity('network.changed')
    .activity('ticket.started', { ticketId: 'T-1' })
    .message('Which of the two parsers does the report use?')
    .change('src/parser.ts', 24, 3)
    .testRun(7, 2)
    .change('src/parser.ts', 5, 4)
    .testRun(9, 0)
    .activity('ticket.finished', { ticketId: 'T-1' })
    .activity('clipboard.pasted', { characters: 300, nonBlankCharacters: 260, source: 'prompt' })
    .message('İ believe the totals are undefined, ısn’t it?', 500)
    .testRun(3, 1)
    .activity('ticket.finished', { ticketId: 'T-2' })
    .identityChecked('mismatch')
    .activity('page.hidden', {}, 520)
    .connected(null, { connectionId: testId(10, 1) })
    .asked('How did you find the fault in the parser?')
    .answered('By a test with an empty report, and then by halving the input.', { gapMs: 2_500 })
    .asked('Could you say more?', { kind: 'follow_up' })
    .answered('No.', { gapMs: 1_500 })
    .connected(testId(10, 1), { ordinal: 2, sameDevice: false })
    .asked('What would you do next?')
    .answered('', { gapMs: null })
    .asked('How do you work with others?')
    .answered('I write down what I intend and ask early. '.repeat(8), { gapMs: 40_000 })
    .asked('Is there anything else?', { kind: 'closing' })
    .answered('Thank you.', { gapMs: 2_000 })
    .answered('One more thing: the totals.', { turn: 1, late: true, gapMs: null })
    .completed();

/** A generation by the rubric and the rules of one rule set. */
export const generationBy = (
  ruleSet: RuleSet,
  session: readonly Stored<TrialEvent>[],
  generation = 1,
): Promise<Generation> =>
  generateEvaluation({
    session,
    generation,
    scorer: new RubricScorer(ruleSet.rubric),
    ruleSet,
    detector: {
      detect: async (texts) =>
        texts.map(({ eventId }) => ({ eventId, detector: 'test', version: 1, likelihood: 0.9 })),
    },
  });

/** The stored results of the fixed sessions by every rule set. */
export const everyGeneration = async (): Promise<string> => {
  const sessions = [fixedSession(), fixedInterview()];
  const all = ruleSets.flatMap((ruleSet) => sessions.map((session) => generationBy(ruleSet, session)));
  return JSON.stringify(await Promise.all(all), null, 1);
};
