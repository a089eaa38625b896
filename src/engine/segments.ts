import type { GenerationName, ViewCollection } from '../stores/read-store.js';
import type { AnyView } from './view.js';

/** One segment of one generation of a view: the unit that a process feeds. */
export interface Segment {
  readonly view: AnyView;
  /** The types that the view handles. */
  readonly handled: ReadonlySet<string>;
  readonly collection: Pick<ViewCollection, 'get' | 'getMany' | 'apply'>;
  /** The checkpoint's name. */
  readonly name: string;
  /** Counted from 0. */
  readonly index: number;
  readonly count: number;
  readonly rules: FoldRules;
}

/** How folds treat an event that cannot be folded. */
export interface FoldRules {
  /** They stop at it and do not park the document: a generation that is being built has no gaps. */
  readonly strict: boolean;
  /** Ids of the events that operators skip; replaced when they change. Each page reads it once. */
  readonly skipped: ReadonlySet<string>;
}

/**
 * The segment, counted from 0, that a document belongs to. Part of the storage contract: checkpoints are only
 * meaningful under the hash they were made with, so it never changes (golden tests).
 */
export function segmentOf(documentId: string, segments: number): number {
  return segments === 1 ? 0 : hash(documentId) % segments;
}

/** A segment's checkpoint and lease, counted from 1: `signal.v2.g7.3of8`. */
export function segmentName(generation: GenerationName, segment: number, segments: number): string {
  return `${generation}.${segment + 1}of${segments}`;
}

/**
 * The lease under which a build worker feeds a segment, so that a serving process need not wait until the worker has
 * ended. For some seconds both may feed it: a document is written only at the position that was read.
 */
export const builderLeaseName = (segment: string): string => `${segment}.builder`;

/** FNV-1a over UTF-8, then murmur3's finaliser: FNV's low bits alone are poor for small moduli. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (const byte of Buffer.from(text, 'utf8')) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
