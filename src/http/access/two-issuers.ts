import { isCandidateSubject } from '../../domain/candidate/events.js';
import type { Caller } from '../../application/caller.js';
import { IdTokens, type IdTokenOptions } from './identity.js';

/**
 * Verifies the ID tokens of an organisation's issuer and, if there is one, of the issuer for candidates. A token is
 * verified by the keys of the issuer that it names and by no others, and neither issuer can speak for a subject of the
 * other.
 */
export class IdTokensOfBoth implements Pick<IdTokens, 'verify'> {
  private readonly organisation: IdTokens;
  private readonly candidates: IdTokens | null;

  /** @param candidates `null`: candidates sign in where members do */
  constructor(
    organisation: IdTokenOptions,
    private readonly candidatesOptions: IdTokenOptions | null,
  ) {
    this.organisation = new IdTokens({
      ...organisation,
      speaksFor: (subject) => !isCandidateSubject(subject),
    });
    this.candidates =
      candidatesOptions && new IdTokens({ ...candidatesOptions, speaksFor: isCandidateSubject });
  }

  /** As `IdTokens.verify`. */
  verify(token: string): Caller | Promise<Caller> {
    const known = this.organisation.known(token);
    if (known) return known;
    return this.candidates && issuerIn(token) === this.candidatesOptions?.issuer
      ? this.asCandidate(this.candidates, token)
      : this.organisation.verify(token);
  }

  private async asCandidate(candidates: IdTokens, token: string): Promise<Caller> {
    return { ...(await candidates.verify(token)), candidateOnly: true };
  }
}

/** The issuer that a token names, which nothing has verified yet. */
const issuerIn = (token: string): unknown => {
  try {
    const payload: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    return typeof payload === 'object' && payload !== null && 'iss' in payload ? payload.iss : undefined;
  } catch {
    return undefined;
  }
};
