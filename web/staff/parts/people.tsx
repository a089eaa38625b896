import type { Actor } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { useLoading } from './load.js';

/** The end of an id: whole ones would fill a table, and those of one moment begin alike. */
export const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id);

/** A function that names who did something: members by their address, others by what they are. */
export const useActors = (): ((actor: Actor) => string) => {
  const { client, t, orgId } = usePlace();
  const members = useLoading(
    (signal) => client.get('/organisations/{orgId}/members', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const addresses = new Map(members.data?.items.map(({ subject, email }) => [subject, email]));
  return ({ type, id }) =>
    type === 'staff' ? (addresses.get(id) ?? id) : t.actor(t.actors[type], shortId(id));
};
