import { CommandContexts } from '../core/command-context.js';
import type { Detector } from '../scoring/detector/detector.js';
import { eraseCandidates } from '../reactors/erasure.js';
import { OverdueErasure } from '../reactors/retention/overdue.js';
import { startRetention } from '../reactors/retention/worker.js';
import { GenerateEvaluationHandler } from '../reactors/evaluation/command.js';
import { evaluationCountsOf } from '../reactors/evaluation/metrics.js';
import { generateEvaluations } from '../reactors/evaluation/reactor.js';
import type { Scorer } from '../scoring/scores/scorer.js';
import { longLived } from '../core/signals.js';
import type { InterviewEnding } from '../domain/session/ending.js';
import { startAbandonedInterviews } from '../interview/watch/abandoned.js';
import { finishInterviews } from '../interview/session/closing.js';
import { startAudioSweep } from '../reactors/recordings/sweep.js';
import { installedAt } from '../reactors/installed-at.js';
import type { EngineLog } from '../engine/log.js';
import { startReactor } from '../engine/reactor.js';
import type { Projector } from '../engine/runner.js';
import { conductorOf, type GenerationSettings, projectorOf } from '../process/conducting.js';
import { startBuildWorkerProcess } from './build-worker-process.js';
import { isGone, ownName } from '../process/owner.js';
import type { Stores } from '../process/stores.js';
import { ExpireTrialHandler, expireTrials } from '../reactors/expiry.js';
import { startDeliveries } from '../reactors/webhooks/worker.js';
import { requestDeliveries } from '../reactors/webhooks/request-deliveries.js';
import { WebhookSecrets } from '../api/webhooks/secrets.js';
import type { WebhookTargets } from '../api/webhooks/targets.js';

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
  /** Where views are rebuilt and operators' requests carried out: a child process keeps the speed of this one. */
  readonly buildWorker: 'this process' | 'child process';
  /** How interviews end that no process holds. */
  readonly ending: InterviewEnding;
  readonly webhookTargets: WebhookTargets;
}

export const startWorkers = (stores: Stores, options: WorkersOptions): Workers => {
  const { scorer, detector, log, segments, ending } = options;
  const { readStore, streams, reader, hasher, vault } = stores;
  const owner = ownName();
  const contexts = new CommandContexts(hasher);
  const here = options.buildWorker === 'this process';
  const projector = projectorOf(stores, { log, segments, feeds: here ? 'all' : 'serving' });
  const common = (name: string) => ({
    installedAt: () => installedAt(streams, contexts, name),
    readStore,
    reader,
    owner,
    log,
    isGone,
  });
  const generator = new GenerateEvaluationHandler(streams, scorer, detector, vault);
  const stopping = longLived();
  const generating = generateEvaluations(generator, contexts, stopping.signal, evaluationCountsOf(readStore));
  const expiring = expireTrials(new ExpireTrialHandler(streams), contexts);
  const erasing = eraseCandidates(stores, contexts);
  const finishing = finishInterviews(ending);
  const requesting = requestDeliveries(streams, contexts);
  const secrets = new WebhookSecrets(vault);
  const post = options.webhookTargets;
  const others: readonly { stop(): Promise<void> }[] = [
    here ? conductorOf(stores, log, options) : startBuildWorkerProcess({ ...options, stores }),
    startReactor({ ...common(generating.name), ...generating }),
    startReactor({ ...common(expiring.name), ...expiring }),
    startReactor({ ...common(finishing.name), ...finishing }),
    startReactor({ ...common(erasing.name), ...erasing }),
    startReactor({ ...common(requesting.name), ...requesting }),
    startDeliveries({ readStore, reader, streams, contexts, secrets, post, owner, log, isGone }),
    startAbandonedInterviews({ readStore, reader, ending, owner, log, isGone }),
    startAudioSweep({ stores, log }),
    startRetention({
      erasure: new OverdueErasure(streams, vault),
      contexts,
      readStore,
      reader,
      owner,
      log,
      isGone,
    }),
  ];
  return {
    projector,
    stop: async () => {
      stopping.abort();
      await Promise.all([projector.stop(), ...others.map((other) => other.stop())]);
      await generator.leave();
    },
  };
};
