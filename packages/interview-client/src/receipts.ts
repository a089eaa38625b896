import { problemWith } from './protocol/fields.js';
import { type ClientMessage, clientMessages, MAX_FRAME_BYTES } from './protocol/messages.js';
import type { Receipt } from './handlers.js';
import type { Outbox } from './outbox.js';

/** A message that records something: the service answers its `id` by `ack`. */
type Recording = Extract<ClientMessage, { readonly id: string }>;
/** One that has not been given its id yet. */
export type Draft = Recording extends infer One ? (One extends Recording ? Omit<One, 'id'> : never) : never;

/** What is spoken has to be there before them: the turn is closed with what there is. */
const CLOSES_AUDIO: ReadonlySet<string> = new Set(['turn.commit', 'session.end']);

/** Gives messages their ids, and whoever recorded one its answer. */
export class Receipts {
  /** Told apart from the ids of every other client that this session may have had. */
  private readonly prefix = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  private readonly open = new Map<string, (receipt: Receipt) => void>();
  private count = 0;
  private ended: string | null = null;

  constructor(private readonly outbox: Outbox) {}

  /** Puts the message into the outbox, unless the service would refuse it anyway. */
  record(draft: Draft): Promise<Receipt> {
    if (this.ended !== null)
      return Promise.resolve({ acknowledged: false, ended: true, sentence: this.ended });
    const id = `${this.prefix}-${(this.count += 1)}`;
    const message = { ...draft, id };
    const text = JSON.stringify(message);
    const problem = problemWith(clientMessages[draft.type].fields, message) ?? tooLarge(text);
    if (problem !== null) return refused(problem);
    if (!this.outbox.addMessage(id, text, CLOSES_AUDIO.has(draft.type)))
      return refused('More text waits for a connection than may.');
    return new Promise((resolve) => this.open.set(id, resolve));
  }

  acknowledge(id: string): void {
    this.settle(id, { acknowledged: true });
  }

  refuse(id: string, sentence: string): void {
    this.settle(id, { acknowledged: false, ended: false, sentence });
  }

  /** No answer will come any more. */
  end(sentence: string): void {
    this.ended = sentence;
    for (const id of [...this.open.keys()]) this.settle(id, { acknowledged: false, ended: true, sentence });
    this.outbox.clear();
  }

  private settle(id: string, receipt: Receipt): void {
    this.outbox.settle(id);
    this.open.get(id)?.(receipt);
    this.open.delete(id);
  }
}

const refused = (sentence: string): Promise<Receipt> =>
  Promise.resolve({ acknowledged: false, ended: false, sentence });

const tooLarge = (text: string): string | null =>
  new TextEncoder().encode(text).length > MAX_FRAME_BYTES
    ? `A message takes at most ${MAX_FRAME_BYTES} bytes as JSON.`
    : null;
