import { openEmbeddedLog } from '../../src/stores/lmdb/log/log.js';
import { openEmbeddedReadStore } from '../../src/stores/lmdb/views/open.js';
import type { ReadStore } from '../../src/stores/read-store.js';
import { startProjector } from '../support/alone.js';
import { accounts, markingSealer, plainCodec } from '../support/projection-rig.js';

/** A projector in a process of its own that can kill itself at a given step. */
export interface ProjectorPlan {
  readonly log: string;
  readonly views: string;
  /** SIGKILL after the views are written and before the n-th movement of a checkpoint. */
  readonly beforeCheckpoint?: number;
  /** SIGKILL right after the n-th write of documents was sent, whether or not it is stored. */
  readonly duringWrite?: number;
  /** Uses the production timeout of leases; without it a far shorter one. */
  readonly inEarnest?: boolean;
}

const plan = JSON.parse(process.argv[2] ?? '') as ProjectorPlan;

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('unreachable');
}

function deadly(store: ReadStore): ReadStore {
  let advances = 0;
  let writes = 0;
  return {
    ...store,
    checkpoints: {
      get: (name) => store.checkpoints.get(name),
      advance: (...move) =>
        ++advances === plan.beforeCheckpoint ? die() : store.checkpoints.advance(...move),
    },
    collection: (name, indexes) => {
      const inner = store.collection(name, indexes);
      return {
        get: (id) => inner.get(id),
        getMany: (ids) => inner.getMany(ids),
        heads: (ids) => inner.heads(ids),
        page: (options) => inner.page(options),
        count: (options) => inner.count(options),
        all: () => inner.all(),
        apply: async (batch) => {
          const written = inner.apply(batch);
          if (++writes === plan.duringWrite) setTimeout(die, Math.random() * 3);
          return await written;
        },
      };
    },
  };
}

const projector = startProjector({
  eventStore: await openEmbeddedLog(plan.log),
  readStore: deadly(await openEmbeddedReadStore(plan.views)),
  codec: plainCodec(),
  sealer: markingSealer,
  views: [accounts],
  owner: String(process.pid),
  segments: 3,
  leaseTimings: plan.inEarnest ? {} : { renewMs: 50, deadMs: 300 },
  feed: { pageEvents: 5, ringEvents: 8 },
});
await projector.ready;
process.stdout.write('ready\n');
process.stdin.on('end', () => {
  void projector.stop().then(() => process.exit(0));
});
process.stdin.resume();
