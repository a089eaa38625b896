import { createHash } from 'node:crypto';
import type { Member } from './slots.js';

/** Of what a process works on: those with the same one share it among themselves. */
export const digestOf = (segments: readonly string[]): string =>
  createHash('sha256').update(segments.join('\n')).digest('hex').slice(0, 12);

/**
 * Who is to work on which segment: they are dealt out in turn, so that every view is spread over all, and none has
 * more than one segment more than another. All who work on the same segments come to the same, without a word.
 * @param segments in the order that they are dealt out in
 * @returns segment to owner; empty while nobody is known to work on them
 */
export function sharesOf(
  segments: readonly string[],
  members: readonly Member[],
): ReadonlyMap<string, string> {
  const digest = digestOf(segments);
  const peers = members.filter(({ feeds }) => feeds === digest).sort((a, b) => a.slot - b.slot);
  return new Map(
    segments.flatMap((segment, index) => {
      const peer = peers[index % peers.length];
      return peer === undefined ? [] : [[segment, peer.owner] as const];
    }),
  );
}
