import { CommandContexts } from './app/commands/context.js';
import type { Detector } from './evaluations/detector/detector.js';
import { GenerateEvaluationHandler } from './evaluations/generate-evaluation/command.js';
import { generateEvaluations } from './evaluations/generate-evaluation/reactor.js';
import type { Scorer } from './evaluations/scorer.js';
import type { InterviewEnding } from './interview/session/ending.js';
import { startAbandonedInterviews } from './interview/watch/abandoned-worker.js';
import { finishInterviews } from './interview/watch/finish-interview.js';
import { startAudioSweep } from './interview/recording/sweep.js';
import { installedAt } from './operator/reactors.js';
import type { EngineLog } from './projection-engine/log.js';
import { startReactor } from './projection-engine/reactor.js';
import type { Projector } from './projection-engine/runner.js';
import { conductorOf, type GenerationSettings, projectorOf } from './conducting.js';
import { startErrandChild } from './errand-child.js';
import { isGone, ownName } from './owner.js';
import type { Stores } from './stores.js';
import { ExpireTrialHandler } from './trials/expire-trial/command.js';
import { expireTrials } from './trials/expire-trial/reactor.js';

/** What works in the background of one process: the views' projector, the reactors, and what tidies up. */
export interface Workers {
  readonly projector: Projector;
  /** Ends after what is at hand. */
  stop(): Promise<void>;
}

export interface WorkersOptions extends GenerationSettings {
  readonly scorer: Scorer;
  readonly detector: Detector;
  readonly log: EngineLog;
  /**
   * Where views are built and operators' wishes carried out: `here`, or in a child process, so that requests that this
   * process answers are answered as quickly meanwhile.
   */
  readonly errands: 'here' | 'child';
  /** How interviews end that no process holds. */
  readonly ending: InterviewEnding;
}

export const startWorkers = (stores: Stores, options: WorkersOptions): Workers => {
  const { scorer, detector, log, segments, ending } = options;
  const { readStore, streams, reader, hasher } = stores;
  const owner = ownName();
  const contexts = new CommandContexts(hasher);
  const here = options.errands === 'here';
  const projector = projectorOf(stores, { log, segments, feeds: here ? 'all' : 'serving' });
  const common = (name: string) => ({
    installedAt: () => installedAt(streams, contexts, name),
    readStore,
    reader,
    owner,
    log,
    isGone,
  });
  const generator = new GenerateEvaluationHandler(streams, scorer, detector);
  const generating = generateEvaluations(generator, contexts);
  const expiring = expireTrials(new ExpireTrialHandler(streams), contexts);
  const finishing = finishInterviews(ending);
  const others: readonly { stop(): Promise<void> }[] = [
    here ? conductorOf(stores, log, options) : startErrandChild({ ...options, stores }),
    startReactor({ ...common(generating.name), ...generating }),
    startReactor({ ...common(expiring.name), ...expiring }),
    startReactor({ ...common(finishing.name), ...finishing }),
    startAbandonedInterviews({ readStore, reader, ending, owner, log, isGone }),
    startAudioSweep({ stores, log }),
  ];
  return {
    projector,
    stop: async () => {
      await Promise.all([projector.stop(), ...others.map((other) => other.stop())]);
    },
  };
};
