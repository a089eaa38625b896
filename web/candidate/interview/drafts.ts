import type { Recorded } from '../../../packages/interview-client/src/index.js';
import {
  MAX_ACTIVITIES,
  MAX_TEXT_AS_JSON,
  MAX_TEXT_BYTES,
} from '../../../packages/interview-client/src/protocol/messages.js';
import type { Api } from '../../shared/api.js';
import type { TextStorage } from '../../shared/storage.js';
import type { TextLimit } from '../../shared/text-limits.js';

/** The limit of an answer, and of a correction. */
export const ANSWER_LIMIT: TextLimit = { bytes: MAX_TEXT_BYTES, asJson: MAX_TEXT_AS_JSON };

/** A text that is not known to be recorded: an answer, or a correction of a recorded one. */
export interface Draft {
  readonly turn: number;
  readonly kind: 'answer' | 'correction';
  readonly text: string;
  /** Left out: it is unknown, as of drafts of a former version of the page. */
  readonly question?: string;
  /** The messages that it was sent in, in their order; left out: its current text was not sent. */
  readonly sent?: readonly Part[];
}

/** A message that a draft was sent in, or a part of it that was not sent. */
export interface Part {
  /** `null`: not sent. */
  readonly id: string | null;
  readonly text: string;
}

/**
 * The drafts of a session, in the browser: they survive a reload. `keep` stores each change. A draft is removed as soon as
 * the service has its text: by `recorded`, by `closed`, or by `askWhatWasRecorded` after a reload.
 */
export class Drafts {
  private texts: ReadonlyMap<string, Draft>;

  constructor(
    private readonly storage: TextStorage,
    private readonly sessionId: string,
  ) {
    this.texts = new Map(read(storage.get(this.name)).map((draft) => [keyOf(draft), draft]));
  }

  /** The text that is kept; empty: none. */
  of(turn: number, kind: Draft['kind'] = 'answer'): string {
    return this.get(turn, kind)?.text ?? '';
  }

  /** @param text `''` removes it */
  keep(draft: Draft): void {
    const others = [...this.texts].filter(([key]) => key !== keyOf(draft));
    const texts = draft.text === '' ? others : [...others, [keyOf(draft), draft] as const];
    this.texts = new Map(texts);
    const text = JSON.stringify([...this.texts.values()]);
    this.storage.set(this.name, this.texts.size === 0 ? null : text);
  }

  /** In the order of their turns. */
  all(): readonly Draft[] {
    return [...this.texts.values()].sort((one, other) => one.turn - other.turn);
  }

  /** Removes the parts that the service has recorded, by the ids of their messages. */
  recorded(ids: readonly string[]): void {
    for (const draft of this.all()) this.without(draft, ({ id }) => id !== null && ids.includes(id));
  }

  /** Asks the service which sent messages it has recorded: a page that was closed has no receipts. */
  async askWhatWasRecorded(api: Pick<Api, 'get'>): Promise<void> {
    const ids = this.all().flatMap(({ sent = [] }) => sent.flatMap(({ id }) => id ?? []));
    if (ids.length === 0) return;
    const { recorded } = await recordedOf(api, this.sessionId, ids.slice(0, MAX_ACTIVITIES));
    this.recorded(recorded);
  }

  /** The turn was closed with this text. A draft with another text stays, to be sent as a correction. */
  closed(turn: number, text: string): void {
    const isIt = (one: { readonly text: string }): boolean => one.text.trim() === text.trim();
    for (const kind of ['answer', 'correction'] as const) {
      const draft = this.get(turn, kind);
      if (draft && isIt(draft)) this.keep({ turn, kind, text: '' });
      else if (draft) this.without(draft, isIt);
    }
    const draft = this.get(turn, 'answer');
    this.keep({ turn, kind: 'answer', text: '' });
    if (draft && draft.text.trim() !== '') this.keep(joined(this.get(turn, 'correction'), draft));
  }

  private get(turn: number, kind: Draft['kind']): Draft | undefined {
    return this.texts.get(keyOf({ turn, kind }));
  }

  private without({ sent = [], ...draft }: Draft, isRecorded: (part: Part) => boolean): void {
    const left = sent.filter((part) => !isRecorded(part));
    if (left.length < sent.length)
      this.keep({ ...draft, text: left.map(({ text }) => text).join(''), sent: left });
  }

  private get name(): string {
    return `drafts.${this.sessionId}`;
  }
}

/** Which messages of a session the service has recorded. @throws {ApiFailure} */
export const recordedOf = (
  api: Pick<Api, 'get'>,
  sessionId: string,
  ids: readonly string[],
): Promise<Recorded> =>
  api.get<Recorded>(`trial-sessions/${sessionId}/receipts?${ids.map((id) => `id=${id}`).join('&')}`);

/** One correction of two drafts, with what each was sent in. */
const joined = (first: Draft | undefined, draft: Draft): Draft => {
  const { text, sent } = draft;
  const parts = sent ?? [{ id: null, text }];
  if (!first) return { ...draft, kind: 'correction' };
  return {
    ...draft,
    kind: 'correction',
    text: `${first.text}\n${text}`,
    sent: [...(first.sent ?? [{ id: null, text: first.text }]), { id: null, text: '\n' }, ...parts],
  };
};

const keyOf = ({ turn, kind }: Pick<Draft, 'turn' | 'kind'>): string => `${kind}.${turn}`;

const read = (text: string | null): readonly Draft[] => {
  try {
    const drafts: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(drafts) ? (drafts as Draft[]) : [];
  } catch {
    return [];
  }
};
