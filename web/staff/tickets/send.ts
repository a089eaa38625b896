import type { AssayClient } from '../../../packages/client/src/index.js';
import { MAX_PIECE_BYTES } from '../../../src/work/limits.js';
import { base64Of } from '../../shared/base64.js';
import type { Work } from '../../shared/collecting.js';
import type { SentFiles } from './draft.js';

/** A piece takes longer than other requests over a slow network. */
const PIECE_MS = 60_000;

/**
 * Sends files for a ticket in pieces.
 * @param progress called with the number of bytes that have arrived
 * @throws {AssayError}
 */
export const sendFiles = async (
  client: Pick<AssayClient, 'post'>,
  ticket: { readonly orgId: string; readonly ticketId: string },
  { name, sha256, content }: Work,
  progress: (received: number) => void,
): Promise<SentFiles> => {
  const begun = await client.post('/organisations/{orgId}/tickets/{ticketId}/file-sets', {
    params: ticket,
    body: { name, bytes: content.byteLength, sha256 },
  });
  const params = { ...ticket, fileSetId: begun.id };
  for (let offset = begun.received; offset < content.byteLength;) {
    progress(offset);
    const data = base64Of(content.subarray(offset, offset + MAX_PIECE_BYTES));
    const { received } = await client.post(
      '/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/pieces',
      { params, body: { offset, data }, timeoutMs: PIECE_MS },
    );
    if (received <= offset) throw new Error('The service took nothing of a piece.');
    offset = received;
  }
  progress(content.byteLength);
  const sent = await client.post('/organisations/{orgId}/tickets/{ticketId}/file-sets/{fileSetId}/complete', {
    params,
    timeoutMs: PIECE_MS,
  });
  return { id: sent.id, name: sent.name, bytes: sent.bytes, files: sent.files ?? [] };
};
