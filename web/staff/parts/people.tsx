import type { Actor } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { useLoading } from './load.js';

/** Whole ids would fill a table: their beginning tells them apart. */
const SHORT = 8;

/** A function that names who did something: members by their address, others by what they are. */
export const useActors = (): ((actor: Actor) => string) => {
  const { client, t, orgId } = usePlace();
  const members = useLoading(
    (signal) => client.get('/organisations/{orgId}/members', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const addresses = new Map(members.data?.items.map(({ subject, email }) => [subject, email]));
  return ({ type, id }) =>
    type === 'staff' ? (addresses.get(id) ?? id) : t.actor(t.actors[type], id.slice(0, SHORT));
};
