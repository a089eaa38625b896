import { createHash } from 'node:crypto';
import type { StoredLink } from '../../core/codec-evidence.js';
import { BrokenSeal, PersonErased, type PersonId } from '../../core/vault/port.js';
import type { HandedInWork } from '../../domain/session/events.js';
import type { FileStore } from '../../vault/port.js';

/** A hand-in that has arrived, as its event in the chain says. */
export interface RecordedHandIn extends Pick<HandedInWork, 'handInId' | 'bytes' | 'sha256'> {
  readonly person: PersonId;
}

const ARRIVALS: ReadonlySet<string> = new Set(['work.handed_in', 'evaluation.work_handed_in']);

type Readable = Pick<FileStore, 'read'>;

/** A hand-in's id, which becomes the name of a file. */
const ID = /^[\w-]{1,128}$/;

/** The hand-in whose arrival an event is; `null`: the event is no arrival. */
export const handInOf = ({ content, data }: StoredLink): RecordedHandIn | null => {
  const { type, person } = content;
  if (!ARRIVALS.has(type) || person === null) return null;
  const { handInId, bytes, sha256 } = data as Partial<HandedInWork>;
  if (handInId === undefined || bytes === undefined || sha256 === undefined || !ID.test(handInId))
    return null;
  return { person: person as PersonId, handInId, bytes, sha256 };
};

/** What is stored of a hand-in is not what its event says. */
export class OtherContent extends Error {
  override readonly name = 'OtherContent';
}

/**
 * The bytes of a hand-in as they are stored.
 * @throws {OtherContent} at the end: they are not those that the event names
 * @throws {PersonErased | MissingKey | BrokenSeal | VaultUnavailable}
 */
export async function* recordedContent(
  files: Readable,
  { person, handInId, bytes, sha256 }: RecordedHandIn,
): AsyncGenerator<Buffer, void, undefined> {
  const of = { person, fileId: handInId };
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of files.read(of)) {
    hash.update(piece);
    length += piece.byteLength;
    yield piece;
  }
  if (length === bytes && hash.digest('hex') === sha256) return;
  // An erasure meanwhile ends the content early: of an erased person nothing can be read.
  await files.read(of)[Symbol.asyncIterator]().next();
  throw new OtherContent(`What is stored of the hand-in ${handInId} is not what was handed in.`);
}

/** Why what is stored of a hand-in is not what was handed in, as a part of a sentence; `null`: it is, or was erased. */
export const contentFault = async (files: Readable, handIn: RecordedHandIn): Promise<string | null> => {
  try {
    const content = recordedContent(files, handIn);
    for (;;) if ((await content.next()).done) return null;
  } catch (error) {
    if (error instanceof PersonErased) return null;
    if (error instanceof OtherContent || error instanceof BrokenSeal) return CHANGED;
    throw error;
  }
};

const CHANGED = 'what is stored of its hand-in is not what was handed in';
