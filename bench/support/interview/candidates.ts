import { makeOrganisation } from '../hiring.js';

/** More questions than any benchmark answers. */
const QUESTIONS = 40;
const AT_ONCE = 8;

/** An organisation that records audio, so that it can be compared with what was sent. */
export interface Employer {
  readonly url: string;
  readonly id: string;
  readonly token: string;
  readonly roleId: string;
}

export interface Candidate {
  readonly sessionId: string;
  readonly token: string;
  /** The socket's address, with the token. */
  readonly socket: string;
}

const request = async (
  method: string,
  url: string,
  token: string | null,
  body: object,
  consistency = '',
): Promise<{ readonly body: Record<string, unknown>; readonly consistency: string }> => {
  const response = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(consistency !== '' && { 'consistency-token': consistency }),
    },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${url}: ${text}`);
  return {
    body: JSON.parse(text) as Record<string, unknown>,
    consistency: response.headers.get('consistency-token') ?? '',
  };
};

export const makeEmployer = async (url: string, folder: string): Promise<Employer> => {
  const { id, token } = await makeOrganisation(url, folder, 0);
  const organisation = `${url}/organisations/${id}`;
  await request('PATCH', organisation, token, { name: 'Bench', recordAudio: true, retentionDays: null });
  const { body } = await request('POST', `${organisation}/roles`, token, {
    name: 'Interviewed',
    overallThreshold: 60,
    dimensions: [{ name: 'Does it work?', weight: 100, category: 'correctness', threshold: 50 }],
    questions: Array.from({ length: QUESTIONS }, (_, index) => ({
      text: `What did you do on day ${index + 1}?`,
    })),
  });
  return { url, id, token, roleId: String(body.id) };
};

/** People who were invited and have started. */
export const makeCandidates = async (
  { url, id, token, roleId }: Employer,
  prefix: string,
  count: number,
): Promise<readonly Candidate[]> => {
  const made: Candidate[] = [];
  let begun = 0;
  const make = async (): Promise<void> => {
    while (begun < count) {
      const email = `${prefix}-${begun++}@example.org`;
      const invitations = `${url}/organisations/${id}/roles/${roleId}/invitations`;
      const invited = await request('POST', invitations, token, { candidateEmail: email });
      const [session] = invited.body.trialSessions as { id: string }[];
      const { body } = await request('POST', `${url}/issuer/token-for`, null, { email, emailVerified: true });
      const candidate = String(body.idToken);
      const sessionId = session?.id ?? '';
      const start = `${url}/trial-sessions/${sessionId}/start`;
      await request('POST', start, candidate, { consent: true }, invited.consistency);
      const socket = `${url}/interrogation/${sessionId}/socket?token=${candidate}`;
      made.push({ sessionId, token: candidate, socket });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, make));
  return made;
};
