import { createHash } from 'node:crypto';
import type { BeginHandIn, HandIn, Received } from '../../packages/client/src/index.js';
import type { SentFile } from './exercise.js';
import { isRefusal, type Person } from './person.js';
import { Unexpected } from './service.js';

/** Most bytes of a piece, as docs/work.md has them. */
const PIECE_BYTES = 128 * 1024;

/**
 * Where files of a ticket are sent to. `begin` may send its command a second time, to test repetition (`Resends`); the
 * others send theirs once.
 */
export interface Uploads {
  begin(file: BeginHandIn): Promise<Pick<HandIn, 'id'>>;
  add(id: string, piece: { readonly offset: number; readonly data: string }): Promise<Received>;
  complete(id: string): Promise<unknown>;
}

/** Sends hand-ins of a candidate for a ticket. */
export const handInsOf = (candidate: Person, trialSessionId: string, ticketId: string): Uploads => {
  const path = '/trial-sessions/{trialSessionId}/tickets/{ticketId}/hand-ins';
  const params = { trialSessionId, ticketId };
  const one = (handInId: string) => ({ params: { ...params, handInId } });
  return {
    begin: (body) => candidate.command('post', path, 201, { params, body }),
    add: (id, body) => candidate.once('post', `${path}/{handInId}/pieces`, 200, { ...one(id), body }),
    complete: (id) => candidate.once('post', `${path}/{handInId}/complete`, 200, one(id)),
  };
};

/** Sends file sets of a ticket, as staff do. */
export const fileSetsOf = (staff: Person, orgId: string, ticketId: string): Uploads => {
  const path = '/organisations/{orgId}/tickets/{ticketId}/file-sets';
  const params = { orgId, ticketId };
  const one = (fileSetId: string) => ({ params: { ...params, fileSetId } });
  return {
    begin: (body) => staff.command('post', path, 201, { params, body }),
    add: (id, body) => staff.once('post', `${path}/{fileSetId}/pieces`, 200, { ...one(id), body }),
    complete: (id) => staff.once('post', `${path}/{fileSetId}/complete`, 200, one(id)),
  };
};

/**
 * Announces a file, sends it in pieces and completes it.
 * @returns its id
 * @throws {Unexpected} it was not taken
 */
export const sendFile = async (uploads: Uploads, file: SentFile): Promise<string> => {
  const id = await announce(uploads, file);
  await complete(uploads, id, file);
  return id;
};

/**
 * Sends what must be refused as a whole.
 * @throws {Unexpected} it was taken
 */
export const sendRefused = async (uploads: Uploads, file: SentFile): Promise<void> => {
  const id = await announce(uploads, file);
  for (;;) {
    try {
      await complete(uploads, id, file);
    } catch (error) {
      if (isRefusal(error, '400 work_refused')) return;
      // A refusal discards what has arrived. If its answer was lost, the retry finds nothing: send all again.
      if (isRefusal(error, '409 hand_in_incomplete')) continue;
      throw error;
    }
    throw new Unexpected(`What must be refused was taken: ${file.name}.`);
  }
};

const announce = async (uploads: Uploads, { name, content }: SentFile): Promise<string> => {
  const sha256 = createHash('sha256').update(content).digest('hex');
  return (await uploads.begin({ name, bytes: content.byteLength, sha256 })).id;
};

const complete = async (uploads: Uploads, id: string, { name, content }: SentFile): Promise<void> => {
  for (let offset = 0; offset < content.byteLength;) {
    const data = Buffer.from(content.subarray(offset, offset + PIECE_BYTES)).toString('base64');
    const { received } = await uploads.add(id, { offset, data });
    if (received <= offset) throw new Unexpected(`The service took nothing of ${name} at ${offset}.`);
    offset = received;
  }
  await uploads.complete(id);
};
