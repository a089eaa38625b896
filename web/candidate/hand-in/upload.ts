import { MAX_PIECE_BYTES } from '../../../src/work/limits.js';
import type { Api } from '../../shared/api.js';
import { ApiFailure, LARGE_MS } from '../../shared/api.js';
import { base64Of } from '../../shared/base64.js';
import type { HandIn } from './contract.js';

/** What is sent for a ticket. */
export interface Upload {
  readonly name: string;
  readonly sha256: string;
  readonly content: Uint8Array;
  /** The idempotency key of its beginning: sent again, it is the same hand-in, also if newer work has arrived. */
  readonly key?: string | undefined;
}

/** How often the upload is continued from the position that the service has, before the error counts. */
const MAX_DETOURS = 5;

/**
 * Sends a file in pieces and hands it in. Called again after a failure or a reload, it continues with the first byte that
 * the service lacks.
 * @param path of the ticket's hand-ins
 * @param progress called with the number of bytes that have arrived
 * @throws {ApiFailure}
 */
export const send = async (
  api: Pick<Api, 'get' | 'post'>,
  path: string,
  { name, sha256, content, key }: Upload,
  { progress, signal }: { readonly progress: (received: number) => void; readonly signal?: AbortSignal },
): Promise<HandIn> => {
  const sending = { limitMs: LARGE_MS, signal };
  const begun = await api.post<HandIn>(
    path,
    { name, bytes: content.byteLength, sha256 },
    { ...sending, key },
  );
  const own = `${path}/${begun.id}`;
  let current = begun;
  for (let detours = 0; ; detours += 1) {
    if (current.status === 'handed_in') return current;
    try {
      await sendRest(api, own, content, current.received, { progress, sending });
      // Idempotent, as each step is.
      return await api.post<HandIn>(`${own}/complete`, {}, sending);
    } catch (error) {
      if (detours >= MAX_DETOURS || !isElsewhere(error)) throw error;
      current = await api.get<HandIn>(own, sending);
    }
  }
};

const sendRest = async (
  api: Pick<Api, 'post'>,
  own: string,
  content: Uint8Array,
  from: number,
  on: {
    readonly progress: (received: number) => void;
    readonly sending: { readonly limitMs: number; readonly signal: AbortSignal | undefined };
  },
): Promise<void> => {
  for (let offset = from; ;) {
    on.progress(offset);
    if (offset >= content.byteLength) return;
    const data = base64Of(content.subarray(offset, offset + MAX_PIECE_BYTES));
    const { received } = await api.post<Pick<HandIn, 'received'>>(
      `${own}/pieces`,
      { offset, data },
      { ...on.sending, key: crypto.randomUUID() },
    );
    if (received <= offset) throw new ApiFailure(409, INCOMPLETE, 'The service did not take the piece.');
    offset = received;
  }
};

const INCOMPLETE = 'hand_in_incomplete';

/** Whether the service has received more or less than this page counted: another tab sends too, or an answer was lost. */
const isElsewhere = (error: unknown): boolean =>
  error instanceof ApiFailure && error.status === 409 && error.code === INCOMPLETE;
