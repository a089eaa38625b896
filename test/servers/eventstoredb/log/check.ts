import { DELETED, type Entry, type Expectation, type Outcome, type Stream } from './entry.js';

/** Whether an append may be written, was written before, or conflicts with the stream. */
type Check =
  | { readonly kind: 'ok'; readonly undelete: boolean }
  /** A repeated append: nothing is written, and the answer names this entry. */
  | { readonly kind: 'known'; readonly last: Entry }
  | Exclude<Outcome, { kind: 'written' | 'not-ready' }>;

/**
 * Applies the real server's rules: ids and the expected revision are compared, never data. It is a conflict if only the
 * beginning of a batch was written before, or if another event has the revision of its first event.
 * @param recent the entry of an id that was written lately, for writers without an exact expectation
 */
export function check(
  stream: Stream,
  expected: Expectation,
  ids: readonly string[],
  recent: (id: string) => Entry | undefined,
): Check {
  if (stream.tombstoned) return { kind: 'stream-deleted' };
  const current = stream.entries.length - 1;
  const undelete = stream.truncateBefore >= DELETED;
  const wrong: Check = { kind: 'wrong-expected-version', current };
  const ok: Check = { kind: 'ok', undelete };
  if (expected === 'any' || expected === 'stream_exists') {
    if (expected === 'stream_exists') {
      if (undelete) return { kind: 'stream-deleted' };
      if (current < 0) return wrong;
    }
    return known(ids, (id) => inStream(recent(id), stream), ok, wrong);
  }
  const last = expected === 'no_stream' ? -1 : Number(expected);
  if (last > current) return wrong;
  if (last === current) return ok;
  const otherwise = expected === 'no_stream' && undelete ? ok : wrong;
  return known(ids, (id, index) => same(stream.entries[last + 1 + index], id), otherwise, wrong);
}

function known(
  ids: readonly string[],
  find: (id: string, index: number) => Entry | undefined,
  unknown: Check,
  partly: Check,
): Check {
  let last: Entry | undefined;
  for (const [index, id] of ids.entries()) {
    const entry = find(id, index);
    if (!entry) return index === 0 ? unknown : partly;
    last = entry;
  }
  return last ? { kind: 'known', last } : unknown;
}

const inStream = (entry: Entry | undefined, stream: Stream): Entry | undefined =>
  entry?.stream === stream ? entry : undefined;

const same = (entry: Entry | undefined, id: string): Entry | undefined =>
  entry?.id === id ? entry : undefined;
