import { createHash } from 'node:crypto';
import { MAX_PIECE_BYTES } from '../../src/work/limits.js';
import type { Person } from './api.js';

/**
 * Announces an upload of a file, without sending any of it.
 * @param path the path at which such uploads are announced
 * @returns its id
 */
export const announceFile = async (
  person: Person,
  path: string,
  name: string,
  bytes: Uint8Array,
): Promise<string> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { body, text } = await person.post<{ id: string }>(path, { name, bytes: bytes.byteLength, sha256 });
  if (!body.id) throw new Error(text);
  return body.id;
};

/** Sends an announced file piece by piece, and completes it. */
export const sendAnnounced = async (person: Person, file: string, bytes: Uint8Array): Promise<void> => {
  for (let offset = 0; offset < bytes.byteLength; offset += MAX_PIECE_BYTES) {
    const data = Buffer.from(bytes.subarray(offset, offset + MAX_PIECE_BYTES)).toString('base64');
    const piece = await person.post(`${file}/pieces`, { offset, data });
    if (piece.status !== 200) throw new Error(piece.text);
  }
  const { status, text } = await person.post(`${file}/complete`);
  if (status !== 200) throw new Error(text);
};

/** Announces a file, sends it and completes it. @see announceFile */
export const sendFile = async (
  person: Person,
  path: string,
  name: string,
  bytes: Uint8Array,
): Promise<string> => {
  const id = await announceFile(person, path, name, bytes);
  await sendAnnounced(person, `${path}/${id}`, bytes);
  return id;
};
