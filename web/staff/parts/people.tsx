import type { Actor, Application } from '../../../packages/client/src/index.js';
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
  return ({ type, id }) => {
    if (type === 'staff') return addresses.get(id) ?? id;
    // Which part of the service it was is a name of the program's.
    return t.actor(t.actors[type], type === 'system' ? '' : shortId(id));
  };
};

/** A candidate as lists have one. */
export interface Named {
  readonly candidateName: string | null;
  readonly candidateEmail: string | null;
}

/** What a candidate is called: by name, else by address. @param erased if neither is kept any more */
export const nameOf = ({ candidateName, candidateEmail }: Named, erased: string): string =>
  candidateName ?? candidateEmail ?? erased;

/** Whether the trial of an application may still be begun or gone on with. */
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
