/**
 * Limits of a session's size. Every reader of a session's evidence relies on them: at most this much is read, and only a
 * part of it is in memory at once.
 */

/** Maximum bytes of a session's activities, as `storedBytes` and `parsedBytes` count them. */
export const MAX_EVIDENCE_BYTES = 16 * 1024 * 1024;
/** Maximum number of events of a session, of any type, with which an activity is still recorded. */
export const MAX_EVIDENCE_EVENTS = 10_000;
export const EVIDENCE_FULL =
  'This session holds as much evidence as it can (16 MiB, 10,000 events): nothing was recorded.';
/**
 * Maximum number of events with which a connection, a question or a late answer is still recorded: the rest is reserved
 * for the end of the interview.
 */
export const MAX_SESSION_EVENTS = 16_000;

/**
 * What an event takes up beside its sealed text, at most: ids, metadata, chain link, the seal's own bytes, and its
 * place in the store's index. An activity counts as if it was sent alone, so that batches make no difference.
 */
const FIXED_BYTES = 1_536;

/**
 * What an event takes up in the log, estimated upwards.
 * @param sealed its personal part's JSON; base64 makes four bytes of three. `null`: it has none that can be read
 */
export const storedBytes = (sealed: string | null): number =>
  FIXED_BYTES + (sealed === null ? 0 : Math.ceil((Buffer.byteLength(sealed) * 4) / 3));

/** About what an object, an array or a member of one takes up in memory beside its text. */
const VALUE_BYTES = 64;

/** What a parsed payload takes up beyond its text, in bytes: `[{},{}]` is short, and twenty times as large in memory. */
export const parsedBytes = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + parsedBytes(one), VALUE_BYTES)
    : VALUE_BYTES;
