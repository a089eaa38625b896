import { buffer } from 'node:stream/consumers';
import { BrokenSeal, PersonErased, type PersonId } from '../../core/vault/port.js';
import type { FileOf, Vault } from '../../vault/port.js';
import { isErased } from '../applications/erased.js';

/** A hand-in of another candidate. */
export interface OtherHandIn {
  readonly trialSessionId: string;
  readonly handInId: string;
}

/** A hand-in, and the person under whose key it is sealed. */
export interface HandInOf {
  readonly person: PersonId;
  readonly handInId: string;
}

type Files = Pick<Vault, 'keys' | 'files'>;

const END = '-similar';

const fileOf = ({ person, handInId }: HandInOf): FileOf => ({ person, fileId: `${handInId}${END}` });

/** Whether a file names the hand-in that another one is similar to. */
export const isReference = ({ fileId }: FileOf): boolean => fileId.endsWith(END);

const NONE = Buffer.alloc(0);

const referenceTo = ({ person, trialSessionId, handInId }: OtherHandIn & HandInOf): Buffer =>
  Buffer.from(JSON.stringify({ person, trialSessionId, handInId }));

const has = async (files: Vault['files'], file: FileOf, content: Buffer): Promise<boolean> => {
  try {
    return (await buffer(files.read(file))).equals(content);
  } catch (error) {
    if (error instanceof BrokenSeal) return false;
    throw error;
  }
};

/**
 * Stores which hand-in this one was found to be similar to, in place of what was stored before. It is stored in the vault
 * and in no event, so that no export has it and it can be removed once the other candidate is erased.
 * @param other `null`: none
 * @throws {VaultUnavailable}
 */
export const keepSimilar = async (
  { files }: Pick<Vault, 'files'>,
  handIn: HandInOf,
  other: (OtherHandIn & HandInOf) | null,
): Promise<void> => {
  const file = fileOf(handIn);
  const content = other === null ? NONE : referenceTo(other);
  try {
    // Another generation may store the same at this moment: the same content is never discarded.
    if (await has(files, file, content)) return;
    await files.discard(file);
    if (content.length > 0) await files.append(file, 0, content);
  } catch (error) {
    // The candidate of this hand-in was erased meanwhile: there is nothing to keep.
    if (!(error instanceof PersonErased)) throw error;
  }
};

/**
 * Which hand-in this one was found to be similar to by the last evaluation; `null`: none, or its candidate was erased.
 * @throws {VaultUnavailable | BrokenSeal}
 */
export const similarTo = (vault: Files, handIn: HandInOf): Promise<OtherHandIn | null> =>
  similarIn(vault, fileOf(handIn));

/**
 * As `similarTo`, but by the file that names the other hand-in. The file is discarded once that candidate is erased.
 */
export const similarIn = async (vault: Files, file: FileOf): Promise<OtherHandIn | null> => {
  if ((await vault.files.size(file)) === 0) return null;
  const content = await buffer(vault.files.read(file));
  if (content.length === 0) return null;
  const { person, trialSessionId, handInId } = JSON.parse(content.toString()) as OtherHandIn & HandInOf;
  if (!(await isErased(vault, person))) return { trialSessionId, handInId };
  await vault.files.discard(file);
  return null;
};
