import { Inject, Injectable } from '@nestjs/common';
import { v4 as uuidV4 } from 'uuid';
import { KeyedHasher } from '../../core/keyed-hash.js';
import type { PersonId } from '../../core/vault/port.js';
import type { Vault } from '../../vault/port.js';
import { VAULT } from '../tokens.js';

/** Finds and creates the persons behind candidates' e-mail addresses. It stores keyed hashes, never an address. */
@Injectable()
export class CandidateDirectory {
  constructor(
    @Inject(VAULT) private readonly vault: Vault,
    private readonly hasher: KeyedHasher,
  ) {}

  /** The candidate with this e-mail address in an organisation; `null`: none yet. */
  async find(organisationId: string, email: string): Promise<PersonId | null> {
    const { identities } = this.vault;
    const known = await identities.get(this.hasher.identityHash(organisationId, email));
    return known ?? this.findFormer(organisationId, email);
  }

  /** By the hashes under which former releases stored the person. */
  private async findFormer(organisationId: string, email: string): Promise<PersonId | null> {
    for (const hash of this.hasher.formerIdentityHashes(organisationId, email)) {
      const known = await this.vault.identities.get(hash);
      if (known) return known;
    }
    return null;
  }

  /**
   * The one candidate with this e-mail address in an organisation, created if there is none. The key and the look-ups
   * are durable when it resolves, before the first event that needs them.
   * @param fresh the id for an address that has none yet
   */
  async resolve(organisationId: string, email: string, fresh: PersonId): Promise<PersonId> {
    const hash = this.hasher.identityHash(organisationId, email);
    for (let person = fresh; ; person = this.fresh()) {
      const known = await this.find(organisationId, email);
      if (known) return known;
      await this.vault.keys.create(person);
      const ref = { person, kind: 'candidate', organisationId } as const;
      await this.vault.carriers.add(this.hasher.emailHash(email), ref);
      if (await this.vault.identities.swap(hash, null, person)) return person;
    }
  }

  /** The id of a new person: random, so that a person who was erased and is invited again gets a new one. */
  fresh(): PersonId {
    return uuidV4() as PersonId;
  }

  /**
   * Destroys the key of a person whose stream records the erasure. After that the address can belong to a new person. The
   * process that recorded the erasure does the same, but may not have done so yet.
   */
  async forget(person: PersonId): Promise<void> {
    await this.vault.keys.erase(person);
  }

  /**
   * Stores the first person of each invitation with an Idempotency-Key. An invitation's stream is found by the address in
   * its body, so the same key with another address, or after an erasure, would lead to another stream.
   * @returns the person that this command was first sent for
   */
  firstOf(commandId: string, person: PersonId): Promise<PersonId> {
    return this.vault.claims.claim(this.hasher.hmac('invitation', commandId), person);
  }

  /** Assigns a keyed invitation to another person, if the first person's was refused and so left nothing behind. */
  async move(commandId: string, from: PersonId, to: PersonId): Promise<void> {
    await this.vault.claims.move(this.hasher.hmac('invitation', commandId), from, to);
  }

  /** Makes the candidate findable by subject; durable before the event that binds it. */
  async carrySubject(organisationId: string, person: PersonId, subject: string): Promise<void> {
    await this.vault.carriers.add(this.hasher.subjectHash(subject), {
      person,
      kind: 'candidate',
      organisationId,
    });
  }

  /** Candidates, of any organisation, that are known by the subject. */
  async ofSubject(subject: string): Promise<readonly PersonId[]> {
    return candidates(await this.vault.carriers.list(this.hasher.subjectHash(subject)));
  }

  /** Candidates, of any organisation, that were invited under the address. */
  async ofEmail(email: string): Promise<readonly PersonId[]> {
    const lists = await Promise.all(
      this.hasher.emailHashes(email).map((hash) => this.vault.carriers.list(hash)),
    );
    return [...new Set(candidates(lists.flat()))];
  }
}

const candidates = (refs: readonly { person: PersonId; kind: string }[]): PersonId[] =>
  refs.filter((ref) => ref.kind === 'candidate').map((ref) => ref.person);
