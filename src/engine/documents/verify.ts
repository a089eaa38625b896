import type { Position } from '../../core/event-store.js';
import type { Generation } from '../../stores/read-store.js';
import { collectionOf } from '../generations.js';
import { segmentOf } from '../segments.js';
import type { AnyView } from '../view.js';
import { chunksOf } from './chunks.js';
import { Findings, SHOWN, type Report, type Shown } from './findings.js';
import type { ReadingOptions } from './own-events.js';
import { partsFor, sampleOf, type Sample } from './sampling.js';
import { Verifier, type Flaw, type VerifyStores } from './verifier.js';
import { whileThere } from './while-there.js';

export type Verification = Report<Flaw>;

export interface VerifyOptions extends Omit<ReadingOptions, 'onProgress' | 'events'> {
  /** Every document, or some by chance. */
  readonly which: 'all' | Sample;
  readonly shown?: Shown;
  /** Told how far the log was read, and which reading of how many it is. */
  readonly onProgress?: (progress: {
    readonly part: number;
    readonly parts: number;
    readonly position: Position;
  }) => void;
  /** How many documents are folded in one reading of the log, and so held in memory at once. */
  readonly atOnce?: number;
}

const AT_ONCE = 20_000;
const NONE = { different: 0, missing: 0, extra: 0, behind: 0, unreadable: 0 } as const;

/**
 * Folds a generation's documents afresh from the log and compares them with what is stored, each at the position at
 * which it was read, while the generation moves on. Positions, repairs and index entries are not compared. With `all`
 * it is also found which documents are missing: up to the checkpoints, everything has to be there. One reading of the
 * log for each `atOnce` documents; memory for as many, and for their ids.
 * @throws {GenerationGone} it was dropped meanwhile
 * Throws what `foldAfresh` and the stores throw.
 */
export async function verifyGeneration(
  stores: VerifyStores,
  view: AnyView,
  generation: Generation,
  options: VerifyOptions,
): Promise<Verification> {
  const { which, shown = SHOWN, atOnce = AT_ONCE } = options;
  const collection = collectionOf(stores.readStore, view, generation);
  const findings = new Findings<Flaw>(NONE, shown);
  const verifier = new Verifier(stores, view, generation, collection, findings);
  await whileThere(stores.readStore, generation, async () => {
    if (which === 'all') {
      const parts = await partsFor(collection, atOnce);
      for (let part = 0; part < parts; part++)
        await verifier.part((id) => segmentOf(id, parts) === part, readingOf(options, part, parts));
    } else {
      const sample = await sampleOf(collection, which);
      const batches = [...chunksOf(sample, atOnce)];
      for (const [part, batch] of batches.entries())
        await verifier.documents(new Map(batch), readingOf(options, part, batches.length));
    }
  });
  return findings.report();
}

function readingOf(
  { skipped, signal, guard, onProgress }: VerifyOptions,
  part: number,
  parts: number,
): ReadingOptions {
  return {
    skipped,
    ...(signal && { signal }),
    ...(guard && { guard }),
    ...(onProgress && { onProgress: (position) => onProgress({ part: part + 1, parts, position }) }),
  };
}
