import type { Actor, Application } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { useLoading } from './load.js';

/** The end of an id, to save space in tables. Ids that were made at the same time have the same beginning. */
export const shortId = (id: string): string => (id.length > 12 ? `…${id.slice(-8)}` : id);

/** A function that names who did something: members by their address, others by their kind. */
export const useActors = (): ((actor: Actor) => string) => {
  const { client, t, orgId } = usePlace();
  const members = useLoading(
    (signal) => client.get('/organisations/{orgId}/members', { params: { orgId, limit: 200 }, signal }),
    [orgId],
  );
  const addresses = new Map(members.data?.items.map(({ subject, email }) => [subject, email]));
  return ({ type, id }) => {
    if (type === 'staff') return addresses.get(id) ?? id;
    // The id of a part of the service is a name in the program, so it is not shown.
    return t.actor(t.actors[type], type === 'system' ? '' : shortId(id));
  };
};

/**
 * A candidate as lists have one. `candidateName` is `null` if the invitation named none. After an erasure both it and
 * `candidateEmail` are `null`.
 */
export interface Named {
  readonly candidateName: string | null;
  readonly candidateEmail: string | null;
}

/** A candidate's name, else the address. @param erased the text if neither is stored any more */
export const nameOf = ({ candidateName, candidateEmail }: Named, erased: string): string =>
  candidateName ?? candidateEmail ?? erased;

/** Whether the trial of an application can still be started or continued. */
export const isOpen = ({ status }: Pick<Application, 'status'>): boolean =>
  status === 'invited' || status === 'in_progress';

/** A candidate in a list: the name leads to a page, the address is below it. */
export const Candidate = ({ person, page }: { readonly person: Named; readonly page: string }) => {
  const { t, to } = usePlace();
  return (
    <>
      <a href={to(page)}>{nameOf(person, t.candidates.erased)}</a>
      {person.candidateName !== null && person.candidateEmail !== null && (
        <span class="soft small second">{person.candidateEmail}</span>
      )}
    </>
  );
};
