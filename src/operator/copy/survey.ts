import { START, type Position, type RecordedEvent } from '../../core/event-store.js';
import { OperatorError } from '../program.js';
import { isSameEvent, LogDigest } from './log-digest.js';
import type { Patience } from './patience.js';
import { ahead, readOn, type Side } from './side.js';

/** Events read ahead on each side; the largest are 1 MiB. */
const AHEAD = 64;

/** What both logs were found to hold, before anything is written. */
export class Survey {
  /** Of the source's whole log. */
  readonly source = new LogDigest();
  /** The source's last event. */
  end: Position = START;
  /** Of what the target held already, all of which is the source's beginning. */
  readonly target = new LogDigest();
  /** The last event that both have, as each names it. */
  both: { readonly source: Position; readonly target: Position } = { source: START, target: START };

  constructor(
    private readonly sides: { readonly source: Side; readonly target: Side },
    private readonly patience: Patience,
  ) {}

  /** @throws {OperatorError} the target holds anything that is not the source's beginning */
  async compare(): Promise<void> {
    const { source, target } = this.sides;
    const held = ahead((over) => readOn(target, START, this.patience, over), AHEAD);
    try {
      let more = true;
      for await (const event of ahead((over) => readOn(source, START, this.patience, over), AHEAD)) {
        this.take(event);
        if (!more) continue;
        const next = await held.next();
        if (next.done) more = false;
        else this.match(event, next.value);
      }
      if (more && !(await held.next()).done)
        throw new OperatorError(
          `The target holds something else: all ${this.source.events} events of the source and more after them, so it was written to since. Copy to an empty place, or the other way round.`,
        );
    } finally {
      await held.return();
    }
  }

  /** Reads on in the source, where somebody has written to it since. @returns whether there was more */
  async goOn(): Promise<boolean> {
    const before = this.end;
    for await (const event of readOn(this.sides.source, before, this.patience)) this.take(event);
    return this.end !== before;
  }

  private take(event: RecordedEvent): void {
    this.source.add(event);
    this.end = event.position;
  }

  private match(event: RecordedEvent, held: RecordedEvent): void {
    if (!isSameEvent(event, held))
      throw new OperatorError(
        `The target holds something else: its event ${this.target.events + 1} (${held.type} of ${held.stream}) is another than the source’s. Copy to an empty place.`,
      );
    this.target.add(held);
    this.both = { source: event.position, target: held.position };
  }
}
