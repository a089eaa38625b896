import type { Difference, Differences } from './differences.js';

/** A document that is not as it should be. */
export interface Finding<Kind extends string> {
  readonly id: string;
  readonly kind: Kind;
  /** The first places at which it differs; empty where the kind says it all. */
  readonly fields: readonly Difference[];
  /** It differs in others as well. */
  readonly more: boolean;
  /** A sentence where there is more to say. */
  readonly note: string | null;
}

/** What a comparison of documents came to: plain data, for people's eyes and for machines. */
export interface Report<Kind extends string> {
  /** Documents that were compared, the findings among them. */
  readonly compared: number;
  /** All findings. */
  readonly different: number;
  readonly kinds: Readonly<Record<Kind, number>>;
  /** Documents that changed faster than they could be compared. */
  readonly moving: number;
  readonly first: readonly Finding<Kind>[];
}

/** How much of what is found is described. */
export interface Shown {
  /** Documents. */
  readonly documents: number;
  /** Places in each. */
  readonly fields: number;
}

export const SHOWN: Shown = { documents: 10, fields: 5 };

/** Gathers a report. */
export class Findings<Kind extends string> {
  compared = 0;
  moving = 0;
  readonly #kinds: Record<Kind, number>;
  readonly #first: Finding<Kind>[] = [];

  constructor(
    none: Readonly<Record<Kind, 0>>,
    readonly shown: Shown,
  ) {
    this.#kinds = { ...none };
  }

  add(kind: Kind, id: string, { first, more }: Differences = NOTHING, note: string | null = null): void {
    this.#kinds[kind]++;
    if (this.#first.length < this.shown.documents) this.#first.push({ id, kind, fields: first, more, note });
  }

  report(): Report<Kind> {
    const { compared, moving } = this;
    const kinds = { ...this.#kinds };
    const different = Object.values<number>(kinds).reduce((sum, count) => sum + count, 0);
    return { compared, different, kinds, moving, first: [...this.#first] };
  }
}

const NOTHING: Differences = { first: [], more: false };
