import type { StoredDocument } from '../../stores/read-store.js';
import { BrokenSeal, MissingKey } from '../../core/vault/errors.js';
import { reasonOf } from '../errors.js';
import type { DocumentSealer } from '../sealer.js';
import type { ViewDocument } from '../view.js';
import type { FreshDocument } from './afresh.js';
import { differencesOf, isNone, type Difference, type Differences } from './differences.js';

/** What a document says, whoever folded it and however often: without its position and its repairs. */
export interface Said {
  readonly parkedAt: string | null;
  readonly deleted: boolean;
  /** Open. */
  readonly body: ViewDocument | null;
}

/** A stored document that does not open: its sentence says why. */
export class Unreadable {
  constructor(readonly reason: string) {}
}

/** What a document that was changed in the store may bring about: another person's seal, no seal, a person unknown. */
const FAULTS = [BrokenSeal, MissingKey, TypeError, SyntaxError] as const;

/**
 * What a stored document says; `null`: there is none, or nothing but an empty tombstone, which a repair leaves where
 * all that a document was made of is skipped.
 * @throws {VaultUnavailable} and whatever else of the vault's troubles is none of the document's
 */
export async function saidByStored(
  sealer: DocumentSealer,
  stored: StoredDocument | null,
): Promise<Said | Unreadable | null> {
  if (stored === null || (stored.deleted && stored.body === null)) return null;
  const { parkedAt, deleted, body } = stored;
  try {
    return { parkedAt, deleted, body: body === null ? null : await sealer.open(body) };
  } catch (error) {
    if (FAULTS.some((fault) => error instanceof fault)) return new Unreadable(reasonOf(error));
    throw error;
  }
}

/** What a fresh fold would say once it was stored: personal parts of whoever is erased by now are gone. */
export async function saidByFresh(sealer: DocumentSealer, fresh: FreshDocument | null): Promise<Said | null> {
  if (fresh === null) return null;
  const { content, listing, parked } = fresh;
  return {
    parkedAt: parked?.position ?? null,
    deleted: listing.removed && parked === null,
    body: content?.personal ? await sealer.open(await sealer.seal(content)) : content,
  };
}

/** Stands for what must not be shown; no JSON text looks so. */
const CONCEALED = '(personal)';

/**
 * What two documents say differently, as pointers into the stored document (`/parkedAt`, `/body/…`). Of a personal part
 * only that it differs.
 * @param most how many places are looked for
 */
export function saidDifferently(left: Said, right: Said, most: number): Differences {
  const plain = differencesOf(withoutPersonal(left), withoutPersonal(right), most);
  const mine = left.body?.personal;
  const theirs = right.body?.personal;
  if (isNone(differencesOf(mine, theirs, 0))) return plain;
  const personal: Difference = { path: '/body/personal', left: concealed(mine), right: concealed(theirs) };
  if (plain.more || plain.first.length >= most) return { ...plain, more: true };
  return { first: [...plain.first, personal], more: false };
}

export const isSaidAlike = (left: Said | null, right: Said | null): boolean =>
  left === null || right === null ? left === right : isNone(saidDifferently(left, right, 0));

const withoutPersonal = (said: Said): object =>
  said.body === null ? said : { ...said, body: { ...said.body, personal: undefined } };

const concealed = (personal: unknown): string | null => {
  if (personal === undefined) return null;
  return personal === null ? 'null' : CONCEALED;
};
