import { isDeepStrictEqual } from 'node:util';
import type { KnownOrganisation, OrganisationState, RoleRow } from './rebuild-organisation.js';

/** A view that a reader reads: all reads of one view share the last state that it showed. */
type Looked = 'signal' | 'roles' | 'role';

type ViewName = 'signal' | 'roles';

interface ReadsCounted {
  readonly reads: number;
  /** Milliseconds that each read took. */
  readonly took: readonly number[];
  /** A sentence for each read that was refused or wrong. */
  readonly faults: readonly string[];
}

/**
 * Reads an organisation and expects every answer to be one of its states. With a token it may not be older than the
 * token's write; without one, not older than any state that a read had shown before this one was sent.
 */
export class CheckedReader {
  readonly #organisation: KnownOrganisation;
  readonly #shown: Record<ViewName, number> = { signal: 0, roles: 0 };
  readonly #took: number[] = [];
  readonly #faults: string[] = [];

  constructor(organisation: KnownOrganisation) {
    this.#organisation = organisation;
  }

  get counted(): ReadsCounted {
    return { reads: this.#took.length, took: this.#took, faults: this.#faults };
  }

  /** While no write is open, a read with the last write's token must show exactly that write's state. */
  async read(what: Looked, withToken: boolean, pick = 0): Promise<void> {
    const { roles, token, acknowledged } = this.#organisation;
    const view = what === 'signal' ? 'signal' : 'roles';
    const shown = this.#shown[view];
    const least = withToken ? Math.max(acknowledged, shown) : shown;
    const role = roles[pick % roles.length];
    const path = { signal: '/signal', roles: '/roles?limit=200', role: `/roles/${role?.id ?? ''}` }[what];
    const started = performance.now();
    const fault = (sentence: string): void => {
      this.#faults.push(`${what}${withToken ? ' with a token' : ''}, from state ${least}: ${sentence}`);
    };
    try {
      const { owner } = this.#organisation;
      const { status, body, text } = await owner.api.send(
        'GET',
        this.#organisation.at(path),
        withToken && token !== null
          ? { token: owner.token, headers: { 'consistency-token': token } }
          : { token: owner.token },
      );
      this.#took.push(performance.now() - started);
      if (status !== 200) {
        fault(`answered ${status}: ${text}`);
        return;
      }
      const { newest } = this.#organisation;
      for (let number = least; number <= newest; number++) {
        if (!isDeepStrictEqual(answered(what, body), expected(what, this.#organisation.state(number), role)))
          continue;
        this.#shown[view] = Math.max(this.#shown[view], number);
        return;
      }
      fault(`shows none of the states to ${newest}: ${text.slice(0, 500)}`);
    } catch (error) {
      fault(`failed: ${String(error)}`);
    }
  }
}

const answered = (what: Looked, body: unknown): unknown => {
  if (what === 'signal') return body;
  if (what === 'role') return rowOf(body as RoleRow);
  return (body as { readonly items: readonly RoleRow[] }).items.map(rowOf);
};

const expected = (what: Looked, { signal, roles }: OrganisationState, role: RoleRow | undefined): unknown => {
  if (what === 'signal') return signal;
  return what === 'roles' ? roles : roles.find(({ id }) => id === role?.id);
};

const rowOf = ({ id, name, version }: RoleRow): RoleRow => ({ id, name, version });
