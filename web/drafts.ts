import type { Kept } from './kept.js';

/** What is written and not sent: an answer, or what is to be added to one that is recorded. */
export interface Draft {
  readonly turn: number;
  readonly kind: 'answer' | 'correction';
  readonly text: string;
}

/** The drafts of a session. They outlive a reload, and end with `drop`. */
export class Drafts {
  private texts: ReadonlyMap<string, Draft>;

  constructor(
    private readonly kept: Kept,
    private readonly sessionId: string,
  ) {
    this.texts = new Map(read(kept.get(this.name)).map((draft) => [keyOf(draft), draft]));
  }

  of(turn: number, kind: Draft['kind'] = 'answer'): string {
    return this.texts.get(keyOf({ turn, kind }))?.text ?? '';
  }

  /** @param text `''` removes it */
  keep(draft: Draft): void {
    const others = [...this.texts].filter(([key]) => key !== keyOf(draft));
    const texts = draft.text === '' ? others : [...others, [keyOf(draft), draft] as const];
    this.texts = new Map(texts);
    const text = JSON.stringify([...this.texts.values()]);
    this.kept.set(this.name, this.texts.size === 0 ? null : text);
  }

  /** In the order of their turns. */
  all(): readonly Draft[] {
    return [...this.texts.values()].sort((one, other) => one.turn - other.turn);
  }

  /**
   * The turn is closed with this text. A draft that is another one stays, to be sent as a correction.
   * @returns whether there is one
   */
  closed(turn: number, text: string): boolean {
    for (const kind of ['answer', 'correction'] as const)
      if (this.of(turn, kind).trim() === text.trim()) this.keep({ turn, kind, text: '' });
    const draft = this.of(turn).trim();
    if (draft === '') return false;
    this.keep({ turn, kind: 'answer', text: '' });
    const parts = [this.of(turn, 'correction'), draft];
    this.keep({ turn, kind: 'correction', text: parts.filter(Boolean).join('\n') });
    return true;
  }

  drop(): void {
    this.texts = new Map();
    this.kept.set(this.name, null);
  }

  private get name(): string {
    return `drafts.${this.sessionId}`;
  }
}

const keyOf = ({ turn, kind }: Pick<Draft, 'turn' | 'kind'>): string => `${kind}.${turn}`;

const read = (text: string | null): readonly Draft[] => {
  try {
    const drafts: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(drafts) ? (drafts as Draft[]) : [];
  } catch {
    return [];
  }
};
