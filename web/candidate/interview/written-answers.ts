import { signal } from '@preact/signals';
import type { Receipt } from '../../../packages/interview-client/src/index.js';
import type { Api } from '../../shared/api.js';
import { hasVisible, partsOf, wellFormed } from '../../shared/text-limits.js';
import { ANSWER_LIMIT, type Draft, type Drafts } from './drafts.js';
import { isSending, openExchange, type RoomStore } from './room-state.js';

export interface WrittenAnswersOptions {
  readonly room: RoomStore;
  readonly drafts: Drafts;
  readonly api: Api;
  /** Sends a message to the interview. */
  readonly send: (
    text: string,
    message: { readonly turn: number; readonly source: 'typed' | 'speech'; readonly id: string },
  ) => Promise<Receipt>;
  /** Sends what else was recorded: the last answer ends the session, which takes nothing more. */
  readonly flush: () => Promise<void>;
}

/**
 * What the candidate writes, from the first letter to the service's receipt. `keepDraft` keeps each change; `answer` and
 * `correct` send a draft, and `handIn` all that can be sent before the interview ends. A draft ends once the service has
 * it: by a receipt, by `turnClosed`, or by `askWhatWasRecorded`, for what was sent before a reload.
 */
export class WrittenAnswers {
  /** What is written and not sent. */
  readonly unsent = signal<readonly Draft[]>([]);
  private closed = false;

  constructor(private readonly options: WrittenAnswersOptions) {
    this.draftsChanged();
  }

  /** What is written and not sent; empty: nothing. */
  draft(turn: number, kind: Draft['kind'] = 'answer'): string {
    return this.options.drafts.of(turn, kind);
  }

  /** What is being typed outlives a reload until the service has it. */
  keepDraft(draft: Draft): void {
    // A recogniser's late result is dropped after a sign-out.
    if (this.closed) return;
    this.options.drafts.keep(draft);
    this.draftsChanged();
  }

  /** @returns whether the service has the answer */
  async answer(turn: number, text: string, source: 'typed' | 'speech'): Promise<boolean> {
    // Sent twice, the second one would be recorded as an addition.
    if (isSending(this.options.room.now, 'answer', turn)) return false;
    const draft = { turn, kind: 'answer', text } as const;
    return this.send(draft, [text], { source, after: () => this.options.flush() });
  }

  /** A remark on an answer that was recorded before. @returns whether the service has it */
  async correct(turn: number, text: string): Promise<boolean> {
    if (isSending(this.options.room.now, 'correction', turn)) return false;
    return this.send({ turn, kind: 'correction', text }, [text]);
  }

  /** Sends what is written and not sent, as far as its turn still takes it. @returns whether the service has it */
  async handIn(): Promise<boolean> {
    const { now } = this.options.room;
    const open = openExchange(now);
    const drafts = this.unsent.value.filter(
      ({ turn, kind }) => !isSending(now, kind, turn) && (kind === 'correction' || turn === open?.turn),
    );
    const saved = await Promise.all(
      drafts.map((draft) => this.send(draft, partsOf(wellFormed(draft.text.trim()), ANSWER_LIMIT))),
    );
    return saved.every(Boolean);
  }

  /** This text was recorded for the turn. A draft that is another text stays beside it. */
  turnClosed(turn: number, text: string): void {
    this.options.drafts.closed(turn, wellFormed(text));
    this.draftsChanged();
  }

  /** Asks the service for what was sent before a reload, and has no receipt. */
  async askWhatWasRecorded(): Promise<void> {
    await this.options.drafts.askWhatWasRecorded(this.options.api).catch(() => undefined);
    this.draftsChanged();
  }

  /** Drafts are not kept any more. */
  close(): void {
    this.closed = true;
  }

  private draftsChanged(): void {
    this.unsent.value = this.options.drafts.all().filter(({ text }) => hasVisible(text));
  }

  /**
   * Sends a draft in as many messages as it needs. It ends once the service has them, unless it was changed meanwhile.
   * @returns whether the service has all of it
   */
  private async send(
    draft: Draft,
    texts: readonly string[],
    { source = 'typed', after }: { source?: 'typed' | 'speech'; after?: () => Promise<void> } = {},
  ): Promise<boolean> {
    const { turn, kind } = draft;
    const parts = texts.map((text) => ({ id: crypto.randomUUID(), text }));
    this.keepDraft({ ...draft, sent: parts });
    // In this order they are sent.
    const receipts = parts.map(async ({ id, text }, at) => {
      const send = () => this.options.send(wellFormed(text), { turn, source, id });
      const receipt = await this.options.room.counted({ action: at === 0 ? kind : 'correction', turn }, () =>
        after ? after().then(send) : send(),
      );
      if (receipt.acknowledged) this.options.drafts.recorded([id]);
      return receipt.acknowledged;
    });
    const saved = await Promise.all(receipts);
    this.draftsChanged();
    return saved.every(Boolean);
  }
}
