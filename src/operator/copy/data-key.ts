import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeKey } from '../../process/config.js';
import { OperatorError } from '../program.js';
import type { Place } from './place.js';

/** The key that both vaults are wrapped by, and where it was found. */
export interface DataKey {
  readonly key: Buffer;
  /** `null`: in the environment. */
  readonly file: string | null;
}

/**
 * DATA_KEY as the service on either place finds it: the environment's, else the one kept in a data folder. None is
 * made, and none is put anywhere.
 * @throws {OperatorError} there is none, or two that differ
 */
export const dataKeyOf = async (
  source: Place,
  target: Place,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<DataKey> => {
  const given = environment['DATA_KEY']?.trim();
  if (given) {
    const key = decodeKey(given);
    if (key) return { key, file: null };
    throw new OperatorError('DATA_KEY must be 32 random bytes as base64 or hex.');
  }
  const [first, second] = [await keptBy(source), await keptBy(target)];
  if (first && second && !first.key.equals(second.key))
    throw new OperatorError(
      `${first.file} and ${second.file} hold different keys: set DATA_KEY to the one that the source’s vault was made with, and take the target’s away.`,
    );
  const found = first ?? second;
  if (found) return found;
  const missing = [source, target].flatMap((place) =>
    place.kind === 'folder' ? [keyFile(place.folder)] : [],
  );
  throw new OperatorError(
    `Set DATA_KEY to the key that the source’s vault was made with${missing.length > 0 ? `: ${missing.join(' and ')} is not there` : ''}.`,
  );
};

const keyFile = (folder: string): string => join(folder, 'data.key');

const keptBy = async (place: Place): Promise<(DataKey & { readonly file: string }) | null> => {
  if (place.kind !== 'folder') return null;
  const file = keyFile(place.folder);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new OperatorError(`${file} cannot be read: ${(error as Error).message}.`, { cause: error });
  }
  const key = decodeKey(text.trim());
  if (!key)
    throw new OperatorError(`${file} holds no key: restore that file, or set DATA_KEY to the key it held.`);
  return { key, file };
};
