/** One person within one organisation: a candidate or a member. Random, says nothing about the person. */
export type PersonId = string & { readonly __brand: 'PersonId' };

const PERSON_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** Refuses what could name anything else than a person, such as another file or a part of a query. */
export function assertPersonId(person: PersonId): void {
  if (!PERSON_ID.test(person))
    throw new RangeError('A person id has 1 to 128 characters of A-Z, a-z, 0-9, _ and -.');
}
