import { Api, Person } from '../support/api.js';
import { eventually } from '../support/eventually.js';
import { createOrganisation, invite } from '../support/organisation.js';
import { tokenFor } from '../support/tokens.js';
import type { Arrangement } from './arrangement.js';

/** A candidate with a started trial session. */
export interface ArrangedCandidate {
  readonly person: Person;
  readonly sessionId: string;
}

/** The parts of an evaluation that contain the candidate's words. */
export interface InterviewEvidence {
  readonly status: string;
  readonly evidence: {
    readonly questions: readonly { readonly text: string; readonly answer: string | null }[];
    readonly events: readonly {
      readonly eventType: string;
      readonly payload: Readonly<Record<string, unknown>>;
    }[];
  };
}

/** An organisation on an arrangement's servers, with one role of few dimensions. */
export class ArrangedHiring {
  private candidates = 0;

  private constructor(
    private readonly api: Api,
    private readonly issuer: string,
    private readonly org: string,
    private readonly owner: Person,
    private readonly roleId: string,
  ) {}

  /** @param url the API process that candidates and staff use */
  static async open({ direct }: Arrangement, url: string): Promise<ArrangedHiring> {
    const api = new Api(url);
    const issuer = direct.OIDC_ISSUER!.replace(/\/issuer$/, '');
    const email = 'owner@example.org';
    const org = await createOrganisation(direct, 'Example', email);
    const owner = new Person(api, email, await tokenFor(issuer, email));
    await owner.get('/me');
    const dimensions = ['Correct', 'Clear'].map((name) => ({ name, weight: 50, category: 'correctness' }));
    const role = { name: 'Interviewed', overallThreshold: 50, dimensions };
    const { body } = await owner.post<{ id: string }>(`/organisations/${org}/roles`, role);
    return new ArrangedHiring(api, issuer, org, owner, body.id);
  }

  /** A new candidate, invited. */
  async invited() {
    const email = `candidate-${++this.candidates}@example.org`;
    return { email, ...(await invite(this.owner, this.org, this.roleId, email)) };
  }

  /** The path of the role's editor in the console. */
  get roleEditor(): string {
    return `/console/${this.org}/roles/${this.roleId}/edit`;
  }

  async started(): Promise<ArrangedCandidate> {
    const { api, issuer, owner } = this;
    const { email, sessionId } = await this.invited();
    const person = new Person(api, email, await tokenFor(issuer, email));
    person.follow(owner);
    await person.get('/me');
    const { status, text } = await person.post(`/trial-sessions/${sessionId}/start`, { consent: true });
    if (status !== 200) throw new Error(`Not started: ${text}`);
    return { person, sessionId };
  }

  async statusOf({ person, sessionId }: ArrangedCandidate): Promise<string> {
    return (await person.get<{ status: string }>(`/trial-sessions/${sessionId}`)).body.status;
  }

  /** Waits for the evaluation of a session that has just ended. */
  evaluationOf({ sessionId }: ArrangedCandidate): Promise<InterviewEvidence> {
    const at = `/organisations/${this.org}/evaluations`;
    return eventually(async () => {
      const list = await this.owner.get<{ items: { id: string; trialSessionId: string }[] }>(
        `${at}?limit=200`,
      );
      const found = list.body.items.find(({ trialSessionId }) => trialSessionId === sessionId);
      if (!found) return null;
      const { body } = await this.owner.get<InterviewEvidence>(`${at}/${found.id}`);
      return body.status === 'ready' && body;
    });
  }
}
