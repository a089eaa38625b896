import { computed, signal } from '@preact/signals';
import { serviceClock } from '../../shared/clock.js';
import { isInFrame } from '../../shared/oidc.js';
import { ApiFailure, noAnswer, withRetries, request } from '../../shared/request.js';
import { clearPersonStorage, personStorage, tabStorage, type TextStorage } from '../../shared/storage.js';
import type { SignedOutReason } from '../state.js';
import type { WaitsFor } from '../waiting.js';
import { ProviderSession, type SignInConfig, isSignOut } from './provider-session.js';

/** What the account needs of the page around it. */
export interface AccountOptions {
  /** The service's address, ending in a slash. */
  readonly base: string;
  readonly language: () => string;
  readonly waitsFor: WaitsFor;
  /** Whether an application is shown. */
  readonly isOpen: () => boolean;
  /** Shows the page for signed-out candidates, with the reason. */
  readonly signedOut: (because: SignedOutReason) => void;
  /** Shows that the provider cannot be reached. */
  readonly unavailable: () => void;
  /** How many messages of the interview have no receipt. */
  readonly unsaved: () => number;
  /** Sends unsent activities, messages and drafts. @returns how many are left after `maxMs` */
  readonly sendRest: (maxMs: number) => Promise<number>;
  /** Closes and forgets everything of the person. */
  readonly forget: () => void;
}

/** How often the page checks whether its clock still follows the service's. */
const CLOCK_MS = 2_000;
const CONFIG_TRIES = 3;
/** How long a sign-out waits until everything is sent. */
const SIGN_OUT_MS = 6_000;
/** How long, and in which steps, leaving for the provider waits for receipts. */
const RECEIPTS_MS = 5_000;
const STEP_MS = 100;

/**
 * The candidate's sign-in: how it begins, is renewed and ends.
 *
 * Call `open` first: it reads how candidates sign in, finishes a sign-out that did not reach the service, then takes the
 * provider's answer from the address or renews a former sign-in. `leave` goes to the provider, which returns to `open`.
 * `token` gives each request its ID token. `signOut` asks first if something would be lost.
 */
export class Account {
  /** How candidates sign in; `null`: unknown yet, or the service has no sign-in for candidates. */
  readonly config = signal<SignInConfig | null>(null);
  readonly email = signal<string | null>(null);
  /** How many items are not sent, while the page asks whether to sign out nevertheless; `null`: it does not ask. */
  readonly unsent = signal<number | null>(null);
  /** When the page leaves for the provider by itself, by the service's time; `null`: it need not. */
  readonly leavesAt = computed(() => this.session.value?.leavesAt.value ?? null);
  /** The application that the candidate opened by its link. */
  applicationId = '';
  private readonly session = signal<ProviderSession | null>(null);
  private person: string | null = null;
  /** The navigation to the provider. A second one would replace the pending sign-in to which the provider answers. */
  private leaving: Promise<void> | null = null;

  constructor(private readonly options: AccountOptions) {
    // After a sleep, or if the device's clock was set, the service's time is unknown.
    setInterval(() => {
      if (!serviceClock.isSynchronised && navigator.onLine) void this.readConfig();
    }, CLOCK_MS);
    addEventListener('storage', (event) => {
      // Another tab has signed out the same person.
      if (isSignOut(event) && this.person !== null) this.leavePerson('left');
    });
  }

  /** The provider's id of the person who is signed in; `null`: signed out. */
  get subject(): string | null {
    return this.person;
  }

  /** If false, an answer that arrives now was requested by the former person, and must not be shown. */
  isSignedIn(): boolean {
    return this.person !== null;
  }

  /** The storage of the person who is signed in, which the sign-out clears; while signed out, that of this tab. */
  get storage(): TextStorage {
    return this.person === null ? tabStorage : personStorage(this.person);
  }

  /**
   * @param place the last part of the page's path: an application's id, or `callback`
   * @returns whether the candidate is signed in now
   */
  async open(place: string): Promise<boolean> {
    const { waitsFor, signedOut } = this.options;
    if (place !== 'callback') this.applicationId = place;
    this.config.value = await waitsFor('service', () => this.readConfig(CONFIG_TRIES));
    if (this.config.value === null) {
      signedOut('new');
      return false;
    }
    const session = new ProviderSession(
      this.config.value,
      this.options.language,
      () => void this.renewByLeaving(),
    );
    this.session.value = session;
    // First, since until then the next user of this browser could continue as the former person.
    if (session.isSignOutPending && !(await this.finishSignOut())) return false;
    const because = await waitsFor('signIn', () =>
      place === 'callback' && !isInFrame() ? this.arrive(session) : this.resume(session),
    );
    if (because !== null) {
      if (because !== 'leaving') signedOut(because);
      return false;
    }
    this.email.value = session.email;
    this.person = session.subject;
    return true;
  }

  /** Navigates to the provider, which returns to this application and step. Concurrent calls navigate once. */
  async leave(why: 'asked' | 'silent' | 'renewal' = 'asked'): Promise<void> {
    this.leaving ??= this.leaveOnce(why).finally(() => (this.leaving = null));
    await this.leaving;
  }

  /** Starts again after a failure. */
  async tryAgain(): Promise<void> {
    // A sign-in that returned here is good for one try.
    if (location.pathname.endsWith('/callback') && this.session.value) await this.leave();
    else location.reload();
  }

  /** Signs out after sending what is not sent. If that fails, the page asks. @param losing signs out without sending */
  async signOut(losing = false): Promise<void> {
    if (!losing) {
      const unsent = await this.options.waitsFor('sending', () => this.options.sendRest(SIGN_OUT_MS));
      if (unsent > 0) {
        this.unsent.value = unsent;
        return;
      }
    }
    this.leavePerson('leaving');
    await this.endBy(() => this.session.value?.end());
  }

  /** Repeats a sign-out that did not reach the service. @returns whether it is done */
  finishSignOut(): Promise<boolean> {
    return this.endBy(() => this.session.value?.finishSignOut());
  }

  /** @param end returns whether the session has ended at the service; `undefined`: there is no session */
  private async endBy(end: () => Promise<boolean> | undefined): Promise<boolean> {
    this.options.signedOut('leaving');
    const done = (await end()) ?? true;
    this.options.signedOut(done ? 'left' : 'unreached');
    return done;
  }

  /**
   * A valid ID token; `null`: the sign-in has ended, and the page shows it.
   * @throws {ApiFailure} there is no connection to renew the token
   */
  async token(): Promise<string | null> {
    const session = this.session.value;
    if (session === null) return null;
    if (!serviceClock.isSynchronised) await this.readConfig();
    const token = await session.token();
    if (token !== null || !this.options.isOpen()) return token;
    // Without a connection it is unknown whether the sign-in has ended.
    if (!(await session.isReachable())) throw noAnswer();
    const renewed = await session.token();
    if (renewed !== null) return renewed;
    await this.renewByLeaving();
    return null;
  }

  /** The ID token without a wait; `null`: there is none. */
  tokenNow(): string | null {
    return this.session.value?.tokenNow() ?? null;
  }

  /** @param refused a token that the service did not accept @returns another; `null`: there is none */
  async renew(refused: string): Promise<string | null> {
    return (await this.session.value?.renewed(refused)) ?? null;
  }

  /** Shows that the service refused the sign-in. It is not renewed, since the service would refuse it again. */
  refused({ code }: ApiFailure): void {
    if (this.person === null || this.leaving !== null) return;
    this.options.signedOut(code === 'missing_token' ? 'expired' : 'refused');
  }

  /** Removes everything of the person from this device. */
  private leavePerson(because: SignedOutReason): void {
    this.options.forget();
    this.unsent.value = null;
    if (this.person !== null) clearPersonStorage(this.person);
    this.session.value?.forget();
    this.person = this.email.value = null;
    this.options.signedOut(because);
  }

  private async arrive(session: ProviderSession): Promise<SignedOutReason | null> {
    const { applicationId, arrival } = await session.arrive();
    this.applicationId = applicationId;
    history.replaceState(null, '', `./${applicationId}`);
    if (arrival === 'again') {
      await this.leave();
      return 'leaving';
    }
    return arrival === 'in' ? null : arrival === 'none' ? 'new' : arrival;
  }

  private async resume(session: ProviderSession): Promise<SignedOutReason | null> {
    const resumed = await session.resume();
    if (resumed !== 'leave') return resumed ? null : 'new';
    await this.leave('silent');
    return 'leaving';
  }

  private async leaveOnce(why: 'asked' | 'silent' | 'renewal'): Promise<void> {
    const { unsaved, unavailable, signedOut } = this.options;
    // The navigation would lose messages of the interview that are not acknowledged.
    for (let waited = 0; waited < RECEIPTS_MS && unsaved() > 0; waited += STEP_MS)
      await new Promise((done) => setTimeout(done, STEP_MS));
    try {
      await this.session.value?.leave(this.applicationId, why);
    } catch {
      if (why === 'asked') unavailable();
      else signedOut('expired');
    }
  }

  /** Navigates to the provider, since the token expires and cannot be renewed from this page. */
  private async renewByLeaving(): Promise<void> {
    if (!this.options.isOpen()) return;
    const canLeave = await this.session.value?.canLeave();
    if (this.person === null) return;
    if (canLeave || this.leaving !== null) await this.leave('renewal');
    else this.options.signedOut('expired');
  }

  /** `null`: the service has no sign-in for candidates, or did not answer. Its answer sets the page's clock. */
  private async readConfig(tries = 1): Promise<SignInConfig | null> {
    const read = () => request(`${this.options.base}apply/config.json`);
    const answer = await withRetries(read, { tries }).catch(() => null);
    if (!answer?.ok || !answer.headers.get('Content-Type')?.startsWith('application/json')) return null;
    return JSON.parse(answer.text) as SignInConfig;
  }
}
