import type { RecordedEvent } from '../../core/event-store.js';

/** What was asked for lies further back in the log than the limits allow to read. */
export class TooFar extends Error {
  readonly code = 'too_far';
  override readonly name = 'TooFar';
  constructor(what: string) {
    super(`${what}: this reaches too far back in the log to be folded on demand.`);
  }
}

/** An event of the log stands in the way of a fold. Nothing that was folded without it would be right. */
export class CannotFold extends Error {
  readonly code = 'cannot_fold';
  override readonly name = 'CannotFold';
  constructor(
    readonly event: Pick<RecordedEvent, 'id' | 'type' | 'stream' | 'revision' | 'position'>,
    why: string,
  ) {
    const { id, stream, revision } = event;
    super(`Event ${id} (${stream}, revision ${revision}) is in the way: ${why}`);
  }
}

/** The generation was dropped while it was read. */
export class GenerationGone extends Error {
  readonly code = 'generation_gone';
  override readonly name = 'GenerationGone';
  constructor(readonly generation: string) {
    super(`The generation ${generation} is no longer there: it was dropped meanwhile, or never begun.`);
  }
}
