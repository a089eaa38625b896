import type { Position } from '../../src/core/event-store.js';
import { documentWork } from '../../src/engine/documents/work.js';
import { startProjector } from '../../src/engine/feeding/runner.js';
import { startConductor } from '../../src/engine/generations/conductor.js';
import { viewHealth } from '../../src/engine/health/health.js';
import { silentLog } from '../../src/engine/log.js';
import { createViewReader } from '../../src/engine/reads/reads.js';
import type { AnyView, ViewDocument } from '../../src/engine/view.js';
import { leasesOf } from '../../src/process/conducting.js';
import { readConfiguration } from '../../src/process/config.js';
import { StreamOperations } from '../../src/process/operations/operations.js';
import { openStores } from '../../src/process/stores.js';
import { viewNotices } from '../../src/process/view-component.js';
import { accounts, markingSealer, plainCodec } from '../support/projection-rig.js';

/** A process of an older or a newer version of the service: it feeds and rebuilds views, and reads on request. */
export interface VersionPlan {
  readonly dataDir: string;
  /** 1: the view of accounts; 2: a version that counts double, with the former fold registered too. */
  readonly version: 1 | 2;
  readonly automatic: boolean;
}

/** A message to the process. It answers with a message of the same `id`. */
export interface Question {
  readonly id: number;
  /** The document to read; `null`: asks for the view's state. */
  readonly read: { readonly document: string; readonly token: string | null } | null;
}

export interface Answer {
  readonly id: number;
  readonly total?: number | null;
  readonly error?: string;
  readonly ms: number;
  readonly notices?: readonly string[];
}

const plan = JSON.parse(process.argv[2] ?? '') as VersionPlan;

const doubled: AnyView = {
  ...accounts,
  version: 2,
  fingerprint: 'doubled',
  evolve: (document, event): ViewDocument => {
    const next = accounts.evolve(document as never, event);
    return { ...next, total: next.entries.reduce((sum, amount) => sum + 2 * amount, 0) } as ViewDocument;
  },
};

const stores = await openStores(readConfiguration({ DATA_DIR: plan.dataDir }));
const { eventStore, readStore } = stores;
const operations = new StreamOperations(stores.streams);
const view = plan.version === 1 ? accounts : doubled;
const formerViews: readonly AnyView[] = plan.version === 1 ? [] : [accounts];
const codec = {
  ...plainCodec(),
  latestTypes: (type: string): readonly string[] => [type === 'former' ? 'added' : type],
};
const leases = leasesOf(stores, silentLog);
const common = {
  eventStore,
  readStore,
  codec,
  views: [view],
  formerViews,
  operations,
  leases,
  segments: 2,
};
const projector = startProjector({ ...common, sealer: markingSealer, feed: { pageEvents: 5 } });
const work = documentWork({ eventStore, readStore, codec, documents: markingSealer }, operations);
const settings = { automatic: plan.automatic, graceMs: 3_600_000 };
const conductor = startConductor({ ...common, work, ...settings });
const reader = createViewReader({ eventStore, readStore, sealer: markingSealer });

const answer = async ({ id, read }: Question): Promise<Answer> => {
  const begun = performance.now();
  const ms = (): number => performance.now() - begun;
  try {
    if (read === null) {
      const [health] = await viewHealth(stores, [view], { formerViews });
      return { id, notices: health ? viewNotices(health) : [], ms: ms() };
    }
    const found = await reader.get(view, read.document, { token: read.token as Position | null });
    return { id, total: (found?.document as { total: number } | undefined)?.total ?? null, ms: ms() };
  } catch (error) {
    return { id, error: (error as Error).name, ms: ms() };
  }
};

process.on('message', (question: Question) => {
  void answer(question).then((answered) => process.send?.(answered));
});
process.once('disconnect', () => {
  void conductor
    .stop()
    .then(() => projector.stop())
    .then(() => leases.stop())
    .then(() => stores.close())
    .then(() => process.exit(0));
});
await projector.ready;
process.send?.('ready');
