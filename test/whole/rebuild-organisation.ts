import { Ledger, sumOf, type Signal } from '../../tools/simulate/ledger.js';
import type { Outcome } from '../../tools/simulate/plan.js';
import type { Api, Person } from '../support/api.js';
import { createOrganisation, definition, invite } from '../support/organisation.js';

/** A role as lists show it. */
export interface RoleRow {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** The expected answers of every view of an organisation after one write. */
export interface OrganisationState {
  readonly signal: Signal;
  /** Oldest first, in the order of the list. */
  readonly roles: readonly RoleRow[];
}

/** A trial session, and what is needed to use it further. */
interface KnownTrial {
  readonly applicationId: string;
  readonly sessionId: string;
  readonly candidate: Person;
}

export interface OrganisationSize {
  readonly roles: number;
  /** The number of completed trials, half of them with an outcome. */
  readonly completed: number;
  /** The number of started trials, which can be completed later. */
  readonly started: number;
  /** The number of events of each candidate in a trial. */
  readonly activities: number;
}

const MAX_ACTIVITIES = 100;

/**
 * An organisation whose only writer is the test, so that the test can compute every view's answer after each write.
 * States are numbered from 0. An open write makes the next state.
 */
export class KnownOrganisation {
  readonly #ledger = new Ledger();
  readonly #states: OrganisationState[] = [];
  #roles: RoleRow[] = [];
  #token: string | null = null;
  #acknowledged = 0;
  readonly completed: KnownTrial[] = [];
  readonly started: KnownTrial[] = [];

  private constructor(
    readonly id: string,
    readonly owner: Person,
  ) {}

  static async create(api: Api, where: string, name: string): Promise<KnownOrganisation> {
    const email = `owner@${name}.example.org`;
    const id = await createOrganisation(where, name, email);
    const owner = await api.as(email);
    await owner.get('/me');
    return new KnownOrganisation(id, owner);
  }

  /** Fills the organisation to its size before anything is compared. */
  async fill({ roles, completed, started, activities }: OrganisationSize): Promise<void> {
    for (let n = 0; n < roles; n++) {
      const name = `Role ${n}`;
      const { body } = await this.owner.post<{ id: string; version: number }>(
        this.at('/roles'),
        definition(name),
      );
      this.#ledger.role(body.id, name);
      this.#roles.push({ id: body.id, name, version: body.version });
    }
    for (let n = 0; n < completed + started; n++) {
      const trial = await this.#newTrial(n, activities);
      if (n >= completed) {
        this.started.push(trial);
        continue;
      }
      await this.#ask('POST', `/trial-sessions/${trial.sessionId}/complete`, trial.candidate);
      this.#ledger.ended(trial.applicationId, 'completed');
      this.completed.push(trial);
      if (n % 2 === 0) {
        const outcome: Outcome = { humanRound: n % 4 === 0 ? 'passed' : 'failed' };
        await this.#ask('PUT', this.at(`/trial-sessions/${trial.sessionId}/outcome`), this.owner, outcome);
        this.#ledger.outcome(trial.applicationId, outcome);
      }
    }
    this.#states.push(this.#stateNow());
  }

  at(path = ''): string {
    return `/organisations/${this.id}${path}`;
  }

  get roles(): readonly RoleRow[] {
    return this.#roles;
  }

  /** The token of the last write that was acknowledged. */
  get token(): string | null {
    return this.#token;
  }

  /** The state that the last acknowledged write has made. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  /** The last state that may be seen: also that of an open write. */
  get newest(): number {
    return this.#states.length - 1;
  }

  state(number: number): OrganisationState {
    const state = this.#states[number];
    if (state === undefined) throw new RangeError(`There is no state ${number} yet.`);
    return state;
  }

  /** Whether a read with the last write's token is answered. It is not while a starting projector feeds no view yet. */
  async isShown(): Promise<boolean> {
    const { api, token } = this.owner;
    const headers = this.#token === null ? {} : { 'consistency-token': this.#token };
    return (await api.send('GET', this.at('/signal'), { token, headers })).status === 200;
  }

  /** @throws {Error} the write was not acknowledged, or wrongly */
  async rename(role: RoleRow, name: string): Promise<void> {
    const next = { id: role.id, name, version: role.version + 1 };
    this.#roles = this.#roles.map((one) => (one.id === role.id ? next : one));
    this.#ledger.role(role.id, name);
    const body = await this.#write<{ version: number }>(
      'PATCH',
      this.at(`/roles/${role.id}`),
      definition(name),
    );
    if (body.version !== next.version) throw new Error(`The role has version ${body.version} by now.`);
  }

  /** @param outcome `null`: retracts the current one */
  async decide({ applicationId, sessionId }: KnownTrial, outcome: Outcome | null): Promise<void> {
    this.#ledger.outcome(applicationId, outcome);
    const path = this.at(`/trial-sessions/${sessionId}/outcome`);
    await this.#write(outcome === null ? 'DELETE' : 'PUT', path, outcome ?? undefined);
  }

  /** Completes the trial that was started first. @returns false: there is none */
  async completeOne(): Promise<boolean> {
    const trial = this.started.shift();
    if (trial === undefined) return false;
    this.#ledger.ended(trial.applicationId, 'completed');
    await this.#write('POST', `/trial-sessions/${trial.sessionId}/complete`, undefined, trial.candidate);
    this.completed.push(trial);
    return true;
  }

  outcomeOf({ applicationId }: KnownTrial): Outcome | null {
    return this.#ledger.trials().find((one) => one.applicationId === applicationId)?.outcome ?? null;
  }

  async #newTrial(number: number, activities: number): Promise<KnownTrial> {
    const role = this.#roles[number % this.#roles.length];
    if (role === undefined) throw new RangeError('There is no role to be invited to.');
    const candidateEmail = `candidate-${number}@${this.id}.example.org`;
    const { applicationId, sessionId } = await invite(this.owner, this.id, role.id, candidateEmail);
    this.#ledger.invited({
      ...{ applicationId, trialSessionId: sessionId, roleId: role.id },
      ...{ candidateEmail, roleName: role.name },
    });
    const candidate = await this.owner.api.as(candidateEmail);
    candidate.follow(this.owner);
    await candidate.get('/me');
    await this.#ask('POST', `/trial-sessions/${sessionId}/start`, candidate, { consent: true });
    for (let done = 0; done < activities; done += MAX_ACTIVITIES) {
      const events = Array.from({ length: Math.min(MAX_ACTIVITIES, activities - done) }, (_, n) => ({
        clientEventId: `${done + n}`,
        eventType: 'message.sent',
        occurredAt: new Date(Date.UTC(2026, 0, 5, 9, 0, done + n)).toISOString(),
        payload: { text: `The parser drops line ${done + n}.`, to: 'assistant' },
      }));
      await this.#ask('POST', `/trial-sessions/${sessionId}/activity`, candidate, { events });
    }
    this.owner.follow(candidate);
    return { applicationId, sessionId, candidate };
  }

  async #ask<B>(method: string, path: string, person: Person, sent?: unknown): Promise<B> {
    const { status, headers, body, text } = await person.api.send<B>(method, path, {
      token: person.token,
      ...(sent !== undefined && { body: sent }),
      ...(this.#token !== null && { headers: { 'consistency-token': this.#token } }),
    });
    if (status < 200 || status > 299) throw new Error(`${method} ${path} answered ${status}: ${text}`);
    this.#token = headers.get('consistency-token') ?? this.#token;
    return body;
  }

  /** Writes. The next state may be seen from the request on, and must be seen from its answer on. */
  async #write<B>(method: string, path: string, sent: unknown, person = this.owner): Promise<B> {
    const number = this.#states.push(this.#stateNow()) - 1;
    const body = await this.#ask<B>(method, path, person, sent);
    this.#acknowledged = number;
    return body;
  }

  #stateNow(): OrganisationState {
    const roles = this.#ledger.rows();
    return { signal: { roles, totals: sumOf(roles) }, roles: this.#roles };
  }
}
