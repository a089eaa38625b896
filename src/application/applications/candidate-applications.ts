import { Injectable } from '@nestjs/common';
import { applications } from '../../../projections/applications.js';
import { candidates } from '../../../projections/candidates.js';
import { CommandContexts } from '../../core/command-context.js';
import { isSameEmail } from '../../core/email-address.js';
import { CommandStreams } from '../../core/handle.js';
import { PersonErased, type PersonId } from '../../core/vault/port.js';
import { bindCandidate, candidate } from '../../domain/candidate/decider.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import { AddressDoesNotCount, type Caller, unclearEmail } from '../caller.js';
import { type Freshness, Reads } from '../reads.js';
import { CandidateDirectory } from './directory.js';

/** An application as its view shows it. */
export type FoundApplication = Found<DocumentOf<typeof applications>>;
type FoundCandidate = Found<DocumentOf<typeof candidates>>;

/** An application that is the caller's own, with the candidate whom it belongs to. */
export interface CandidateApplication {
  readonly application: FoundApplication;
  readonly candidate: FoundCandidate;
}

/**
 * The caller's own applications. A candidate is matched by subject, and once by a verified e-mail address, which
 * binds the subject. Another person's application is `null`, as an unknown one is; `AddressDoesNotCount` is thrown with
 * the reason if the caller's address was not compared.
 */
@Injectable()
export class CandidateApplications {
  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    private readonly directory: CandidateDirectory,
    private readonly contexts: CommandContexts,
  ) {}

  /** An application of the caller’s; `null`: there is none by that id. */
  async byId(caller: Caller, id: string, freshness: Freshness): Promise<CandidateApplication | null> {
    return this.own(caller, await this.reads.get(applications, id, freshness), freshness);
  }

  /** The application of a session of the caller’s; `null`: there is none. */
  async bySession(
    caller: Caller,
    sessionId: string,
    freshness: Freshness,
  ): Promise<CandidateApplication | null> {
    const application = await this.reads.only(applications, 'bySession', [sessionId], freshness);
    return this.own(caller, application, freshness);
  }

  /** All of the caller's applications, of every organisation, oldest first in each. */
  async all(caller: Caller, freshness: Freshness): Promise<readonly CandidateApplication[]> {
    const persons = new Set(await this.directory.ofSubject(caller.subject));
    if (caller.email !== null && caller.emailVerified)
      for (const person of await this.directory.ofEmail(caller.email)) persons.add(person);
    const found = await this.reads.getMany(candidates, [...persons], freshness);
    const own: CandidateApplication[] = [];
    for (const person of [...persons].sort()) {
      const one = found.get(person);
      const candidate = one && (await this.matched(caller, one));
      if (candidate)
        for (const application of await this.ofPerson(person, freshness))
          own.push({ application, candidate });
    }
    return own;
  }

  private async ofPerson(person: PersonId, freshness: Freshness): Promise<readonly FoundApplication[]> {
    const query = { index: 'byCandidate', prefix: [person], limit: 1_000 };
    return (await this.reads.page(applications, query, freshness)).items;
  }

  private async own(
    caller: Caller,
    application: FoundApplication | null,
    freshness: Freshness,
  ): Promise<CandidateApplication | null> {
    const found =
      application && (await this.reads.get(candidates, application.document.candidateId, freshness));
    const candidate = found && (await this.matched(caller, found));
    if (application && candidate) return { application, candidate };
    // Another's application and one that does not exist get the same answer.
    const unclear = unclearEmail(caller);
    if (unclear !== null) throw new AddressDoesNotCount(unclear);
    return null;
  }

  private async matched(caller: Caller, found: FoundCandidate): Promise<FoundCandidate | null> {
    const { bound, personal } = found.document;
    if (bound)
      return personal?.subject === caller.subject || hasMailbox(caller, personal?.email ?? null)
        ? found
        : null;
    if (caller.email === null || !caller.emailVerified) return null;
    return this.bind(caller, found);
  }

  private async bind(caller: Caller, found: FoundCandidate): Promise<FoundCandidate | null> {
    const { subject, email } = caller;
    const person = found.id as PersonId;
    const handled = await this.streams
      .handle(
        candidate,
        person,
        this.contexts.forSystem({ type: 'candidate', id: person }, 'first sign-in'),
        async (state) => {
          const decision = bindCandidate(state, { subject, verifiedEmail: email });
          if (decision.kind === 'accepted' && decision.events.length > 0)
            await this.directory.carrySubject(found.document.organisationId, person, subject);
          return decision;
        },
      )
      .catch(nullIfErased);
    if (handled === null || handled.kind === 'refused') return null;
    // The answer to this request must show the binding, also if the answer to an earlier one was lost.
    await this.reads.waitFor([candidates], handled.position);
    return found;
  }
}

/**
 * Whether the caller signed in with the invited address at the issuer for candidates. That issuer makes its subjects from
 * the address alone, so such a caller counts even if the candidate is bound to another issuer's subject.
 */
const hasMailbox = (caller: Caller, invited: string | null): boolean =>
  caller.candidateOnly === true &&
  caller.emailVerified &&
  caller.email !== null &&
  invited !== null &&
  isSameEmail(invited, caller.email);

/** If the key is erased between the decision and the sealing, there is no candidate to bind. */
const nullIfErased = (error: unknown): null => {
  if (error instanceof PersonErased) return null;
  throw error;
};
