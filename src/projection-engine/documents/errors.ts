import type { RecordedEvent } from '../../event-store/port.js';
import { reasonOf } from '../errors.js';

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
    options?: ErrorOptions,
  ) {
    super(
      `Event ${event.id} (${event.type}, ${event.stream}, revision ${event.revision}) is in the way: ${why}`,
      options,
    );
  }

  /** Somebody newer wrote it. */
  static newer(event: RecordedEvent, type: string, schemaVersion: number): CannotFold {
    const written = `it is a ${type} of schema version ${schemaVersion}, which this version does not know.`;
    return new CannotFold(event, `${written} Fold with the version that wrote it, or a later one.`);
  }

  static unreadable(event: RecordedEvent, error: unknown): CannotFold {
    return new CannotFold(event, `it cannot be read. ${reasonOf(error)}`, { cause: error });
  }

  static unassigned(event: RecordedEvent, view: string, error: unknown): CannotFold {
    return new CannotFold(event, `the view "${view}" cannot tell its document. ${reasonOf(error)}`, {
      cause: error,
    });
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
