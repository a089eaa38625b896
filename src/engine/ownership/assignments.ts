import { createHash } from 'node:crypto';

/** A process with a slot that is alive, as the others know it. */
export interface Member {
  /** Counted from 1. */
  readonly slot: number;
  readonly owner: string;
  /** `digestOf` the segments that it can feed; empty until it knows them. */
  readonly digest: string;
}

/** Names a set of segments. Members that publish the same digest share these segments. */
export const digestOf = (segments: readonly string[]): string =>
  createHash('sha256').update(segments.join('\n')).digest('hex').slice(0, 12);

/**
 * Assigns the segments of a process by turns to the members that can feed the same ones. So each view is spread over all
 * of them, and no member has more than one segment more than another. All of them compute the same.
 * @param segments in the order in which they are assigned
 * @param able those of them that this process can feed now: the others are assigned to no member
 * @returns segment to owner; empty while no member is known to feed them
 */
export function assignmentsOf(
  segments: readonly string[],
  able: readonly string[],
  members: readonly Member[],
): ReadonlyMap<string, string> {
  const shared = digestOf(able);
  const feedable = new Set(able);
  const peers = members.filter(({ digest }) => digest === shared).sort((a, b) => a.slot - b.slot);
  return new Map(
    segments.flatMap((segment, index) => {
      const peer = peers[index % peers.length];
      return peer === undefined || !feedable.has(segment) ? [] : [[segment, peer.owner] as const];
    }),
  );
}
