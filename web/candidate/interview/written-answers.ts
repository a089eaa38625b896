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
  /** Sends recorded activities. Called before the last answer, which ends the session. */
  readonly flush: () => Promise<void>;
}

/**
 * What the candidate writes, from the first letter to the service's receipt. `keepDraft` stores each change. `answer` and
 * `correct` send a draft, `handIn` sends all drafts that can be sent before the interview ends. A draft is removed once the
 * service has it: by a receipt, by `turnClosed`, or by `askWhatWasRecorded` for what was sent before a reload.
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

  /** Stores what is being typed, so that a reload does not lose it. */
  keepDraft(draft: Draft): void {
    // After a sign-out a late result of a recogniser is dropped.
    if (this.closed) return;
    const { drafts, room } = this.options;
    const question = room.now.exchanges.find(({ turn }) => turn === draft.turn)?.question;
    drafts.keep({ ...draft, ...(question && { question }) });
    this.draftsChanged();
  }

  /** @returns whether the service has the answer */
  async answer(turn: number, text: string, source: 'typed' | 'speech'): Promise<boolean> {
    // The service would record a second message as a correction.
    if (isSending(this.options.room.now, 'answer', turn)) return false;
    const draft = { turn, kind: 'answer', text } as const;
    return this.send(draft, [text], { source, after: () => this.options.flush() });
  }

  /** A remark on an answer that was recorded before. @returns whether the service has it */
  async correct(turn: number, text: string): Promise<boolean> {
    if (isSending(this.options.room.now, 'correction', turn)) return false;
    return this.send({ turn, kind: 'correction', text }, [text]);
  }

  /** Sends the unsent drafts whose turn can still take them. @returns whether the service has them */
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

  /** The turn was closed with this text. A draft with another text stays, as a correction. */
  turnClosed(turn: number, text: string): void {
    this.options.drafts.closed(turn, wellFormed(text));
    this.draftsChanged();
  }

  /** Asks the service about messages that were sent before a reload and have no receipt. */
  async askWhatWasRecorded(): Promise<void> {
    await this.options.drafts.askWhatWasRecorded(this.options.api).catch(() => undefined);
    this.draftsChanged();
  }

  /** Stops storing drafts. */
  close(): void {
    this.closed = true;
  }

  private draftsChanged(): void {
    this.unsent.value = this.options.drafts.all().filter(({ text }) => hasVisible(text));
  }

  /**
   * Sends a draft in as many messages as it needs. It is removed once the service has them, unless it was changed meanwhile.
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
    // Sends in this order.
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
