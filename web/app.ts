import { computed, effect, signal } from '@preact/signals';
import { Api, ApiFailure, LARGE_MS, noAnswer } from './api.js';
import type { Lost } from './activity-log.js';
import { serviceClock } from './clock.js';
import { Drafts } from './drafts.js';
import { OUTDATED } from './audio/microphone.js';
import { Interview } from './interview.js';
import { dropAllOf, forBrowser, forPerson, forTab, type Kept } from './kept.js';
import type {
  AccommodationRequest,
  Briefing,
  BriefingTicket,
  ContestEvaluation,
  ErasureRequest,
  GiveFeedbackText,
  Me,
  OwnApplication,
  OwnContest,
  OwnEvaluation,
  OwnEvaluations,
  OwnTrialSession,
} from '../packages/client/src/contract.js';
import { persistently, request } from './request.js';
import { isSending, type Recorded } from './room-state.js';
import { SessionActivity } from './session-activity.js';
import { isInFrame } from './oidc.js';
import { SIGNED_IN, SignIn, type SignInConfig } from './sign-in.js';
import { type Because, type Change, isOpen, next, type State, type Step } from './state.js';
import { DEFAULT_LANGUAGE, firstKnown, type Language, PAGE_TEXTS } from '../src/languages/languages.js';

/** The page: what it shows, and what can be done on it. */
export class App {
  readonly state = signal<State>({ at: 'loading' });
  readonly language = signal<Language>(
    firstKnown([forBrowser.get('language'), ...navigator.languages]) ?? DEFAULT_LANGUAGE,
  );
  readonly t = computed(() => PAGE_TEXTS[this.language.value]);
  readonly online = signal(navigator.onLine);
  /** `null`: the service has no sign-in for candidates. */
  readonly config = signal<SignInConfig | null>(null);
  readonly email = signal<string | null>(null);
  /** It was granted that no microphone is asked for. */
  readonly typedOnly = computed(() => {
    const state = this.state.value;
    return state.at === 'in' && state.visit.briefing?.accommodations.typedOnly === true;
  });
  /** The candidate answers by typing. */
  readonly typing = computed(() => this.typedOnly.value || this.choseTyping.value);
  readonly interview = signal<Interview | null>(null);
  /** What the candidate does in the open session. */
  readonly activity = signal<SessionActivity | null>(null);
  /** What the page sent by itself as the interview ended. */
  readonly handedIn = signal<readonly Recorded[]>([]);
  /** What could not be recorded. */
  readonly lost = signal<{ readonly count: number; readonly why: Lost } | null>(null);
  /** What the page waits for, once it takes long, with a way to leave the wait. */
  readonly waiting = signal<{ readonly what: Waiting; readonly leave: () => void } | null>(null);
  /** The service has a newer build than this page, which could not load itself again without a loss. */
  readonly outdated = signal(false);
  /** How much is not sent, while the page asks whether to sign out all the same. */
  readonly unsent = signal<number | null>(null);
  readonly signIn = signal<SignIn | null>(null);
  readonly api: Api;

  private readonly choseTyping = signal(false);
  private applicationId = '';
  private subject: string | null = null;

  /**
   * @param base the service's address, ending in a slash
   * @param worklet the address of `audio/worklet.ts`
   */
  constructor(
    readonly base: string,
    readonly worklet: string,
  ) {
    this.api = new Api({
      base,
      token: () => this.token(),
      tokenNow: () => this.signIn.value?.tokenNow() ?? null,
      renew: (refused) => this.renew(refused),
    });
    // After a sleep, or if the device's clock was set, the service's time is unknown.
    setInterval(() => {
      if (!serviceClock.isSure && navigator.onLine) void this.readConfig();
    }, CLOCK_MS);
    for (const name of ['online', 'offline'] as const)
      addEventListener(name, () => {
        this.online.value = navigator.onLine;
      });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void this.readBriefing();
    });
    addEventListener(OUTDATED, () => this.loadAgain());
    addEventListener('storage', ({ key, newValue }) => {
      // Signed out in another tab: this one is of the same person.
      if (key === `assay.${SIGNED_IN}` && newValue === 'out' && this.subject !== null) this.leave('left');
    });
    effect(() => {
      document.documentElement.lang = this.language.value;
    });
  }

  /** @param place the last part of the page's path: an application's id, or `callback` */
  async open(place: string): Promise<void> {
    if (place !== 'callback') this.applicationId = place;
    this.config.value = await this.waitsFor('service', () => this.readConfig(CONFIG_TRIES));
    if (this.config.value === null) {
      this.change({ type: 'signed out', because: 'new' });
      return;
    }
    const signIn = new SignIn(
      this.config.value,
      () => this.language.value,
      () => void this.renewByLeaving(),
    );
    this.signIn.value = signIn;
    // Before anything else: until then whoever uses this browser could go on as the former person.
    if (signIn.isSignOutPending && !(await this.finishSignOut())) return;
    const because = await this.waitsFor('signIn', () =>
      place === 'callback' && !isInFrame() ? this.arrive(signIn) : this.resume(signIn),
    );
    if (because !== null) {
      if (because !== 'leaving') this.change({ type: 'signed out', because });
      return;
    }
    this.email.value = signIn.email;
    this.subject = signIn.subject;
    this.choseTyping.value = this.kept.get('typing') === 'yes';
    await this.load();
  }

  /** Leaves for the provider, which returns to this application and step. */
  async leaveToSignIn(why: 'asked' | 'silent' | 'renewal' = 'asked'): Promise<void> {
    // What the interview still sends would be lost with the page.
    for (let tries = 50; tries > 0 && this.unsaved > 0; tries -= 1)
      await new Promise((done) => setTimeout(done, 100));
    await this.signIn.value
      ?.leave(this.applicationId, why)
      .catch(() =>
        this.change(why === 'asked' ? { type: 'unavailable' } : { type: 'signed out', because: 'expired' }),
      );
  }

  /** Begins again where the page cannot go on. */
  async tryAgain(): Promise<void> {
    // A sign-in that returned here is good for one try.
    if (location.pathname.endsWith('/callback') && this.signIn.value) await this.leaveToSignIn();
    else location.reload();
  }

  /** Sends what is not sent yet. If that fails, the candidate decides. @param losing what is not sent */
  async signOut(losing = false): Promise<void> {
    if (!losing) {
      await this.waitsFor('sending', () => this.activity.value?.flushed(SIGN_OUT_MS) ?? Promise.resolve());
      const unsent = (this.activity.value?.unsent ?? 0) + this.unsaved + this.unsentDrafts;
      if (unsent > 0) {
        this.unsent.value = unsent;
        return;
      }
    }
    this.leave('leaving');
    await this.finishSignOut(() => this.signIn.value?.end());
  }

  /** Once more, after a sign-out that did not reach the service. */
  async finishSignOut(end = () => this.signIn.value?.finishSignOut()): Promise<boolean> {
    this.change({ type: 'signed out', because: 'leaving' });
    const done = (await end()) ?? true;
    this.change({ type: 'signed out', because: done ? 'left' : 'unreached' });
    return done;
  }

  /** Reads everything that the page shows. */
  async load(): Promise<void> {
    try {
      const application = await this.waitsFor('application', (signal) =>
        this.api.get<OwnApplication>(`applications/${encodeURIComponent(this.applicationId)}`, { signal }),
      );
      if (this.hasLeft()) return;
      const session = application.trialSessions.at(-1);
      if (session === undefined) {
        this.change({ type: 'not found' });
        return;
      }
      const [briefing, me] = await Promise.all([this.briefing(session.id), this.api.get<Me>('me')]);
      const organisationName =
        briefing?.organisationName ??
        me.applications.find(({ id }) => id === application.id)?.organisationName ??
        null;
      if (briefing && forBrowser.get('language') === null)
        this.language.value = firstKnown([briefing.language]) ?? this.language.value;
      // Before the page says of one that it was not sent.
      if (!isOpen(session))
        await this.draftsOf(session.id)
          .settle(this.api)
          .catch(() => undefined);
      if (this.hasLeft()) return;
      const resume = forTab.get(`step.${session.id}`) as Step | null;
      this.change({ type: 'loaded', visit: { application, session, briefing, organisationName }, resume });
      this.activity.value?.told(briefing?.tickets ?? []);
      if (!isOpen(session)) this.sendLeftOver(session.id);
    } catch (error) {
      this.failed(error);
    }
  }

  /** @returns what hindered it */
  async start(): Promise<'changed' | 'failed' | null> {
    const { state } = this;
    if (state.value.at !== 'in') return 'failed';
    const { session, briefing } = state.value.visit;
    try {
      const body = { consent: true, ...(briefing && { noticeVersion: briefing.notice.version }) };
      const started = await this.waitsFor('start', (signal) =>
        this.api.post<OwnTrialSession>(`trial-sessions/${session.id}/start`, body, { signal }),
      );
      this.change({ type: 'session', session: started });
      return null;
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 409) {
        this.refused(error);
        return 'failed';
      }
      if (error.code !== 'notice_changed') {
        // Another tab has started or ended it.
        await this.load();
        return null;
      }
      const current = await this.briefing(session.id).catch(() => null);
      if (current) this.change({ type: 'briefing', briefing: current });
      return 'changed';
    }
  }

  /** @returns whether the session has ended by it */
  async withdraw(): Promise<boolean> {
    if (this.state.value.at !== 'in') return false;
    const { id } = this.state.value.visit.session;
    try {
      const session = await this.waitsFor('sending', (signal) =>
        this.api.post<OwnTrialSession>(`trial-sessions/${id}/withdraw`, {}, { signal }),
      );
      this.change({ type: 'session', session });
      return true;
    } catch (error) {
      if (error instanceof ApiFailure && error.status === 409) await this.load();
      else this.refused(error);
      return false;
    }
  }

  /** @returns whether it was sent */
  async askForAccommodation(text: string): Promise<boolean> {
    if (this.state.value.at !== 'in') return false;
    const { id } = this.state.value.visit.application;
    try {
      const accommodationRequest = await this.waitsFor('sending', (signal) =>
        this.api.post<AccommodationRequest>(
          `applications/${id}/accommodation-requests`,
          { text },
          { signal },
        ),
      );
      this.told(() => ({ accommodationRequest }));
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** Staff may have granted something since the page was opened, and another device may have gone on with a task. */
  async readBriefing(): Promise<void> {
    if (this.state.value.at !== 'in') return;
    const { session } = this.state.value.visit;
    if (session.status !== 'invited' && !isOpen(session)) return;
    const current = await this.briefing(session.id).catch(() => null);
    if (!current) return;
    this.told(() => ({ accommodations: current.accommodations }));
    this.activity.value?.told(current.tickets);
  }

  /** Reads what the briefing leaves out of a ticket. @returns whether it succeeded */
  async readTicket({ id }: BriefingTicket): Promise<boolean> {
    if (this.state.value.at !== 'in') return false;
    const { session } = this.state.value.visit;
    try {
      const whole = await this.waitsFor('application', (signal) =>
        this.api.get<BriefingTicket>(`trial-sessions/${session.id}/tickets/${id}`, { signal }),
      );
      this.told(({ tickets }) => ({ tickets: tickets.map((one) => (one.id === id ? whole : one)) }));
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** Asks staff to erase the candidate. @returns when it was asked for; `null`: it was not sent */
  async askForErasure(): Promise<string | null> {
    if (this.state.value.at !== 'in') return null;
    const { id } = this.state.value.visit.application;
    try {
      const path = `applications/${id}/erasure-requests`;
      const { requestedAt } = await this.waitsFor('sending', (signal) =>
        this.api.post<ErasureRequest>(path, {}, { signal }),
      );
      return requestedAt;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  /** Downloads everything that is held about the candidate. @returns whether it succeeded */
  async export(): Promise<boolean> {
    try {
      const data = await this.waitsFor('file', (signal) =>
        this.api.get<unknown>('me/export', { limitMs: LARGE_MS, signal }),
      );
      const file = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
      const link = document.createElement('a');
      link.href = URL.createObjectURL(file);
      link.download = 'assay-my-data.json';
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** What is released of the evaluation. @returns `null` if there is none, or it cannot be read at the moment */
  async evaluation(): Promise<OwnEvaluation | null> {
    if (this.state.value.at !== 'in') return null;
    const { id } = this.state.value.visit.application;
    try {
      const { items } = await this.api.get<OwnEvaluations>('me/evaluations');
      const own = items.find(({ applicationId }) => applicationId === id);
      return own ? await this.api.get<OwnEvaluation>(`me/evaluations/${own.evaluationId}`) : null;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  /**
   * @param key the same when the same contest is sent again
   * @returns the contest, or the code of what hindered it
   */
  async contest(evaluationId: string, contest: ContestEvaluation, key: string): Promise<OwnContest | string> {
    try {
      return await this.waitsFor('sending', (signal) =>
        this.api.post<OwnContest>(`me/evaluations/${evaluationId}/contests`, contest, { key, signal }),
      );
    } catch (error) {
      this.refused(error);
      return error instanceof ApiFailure ? error.code : 'unknown';
    }
  }

  /** @returns whether the service has it, now or from before */
  async giveFeedback(feedback: Partial<GiveFeedbackText>): Promise<boolean> {
    if (this.state.value.at !== 'in') return false;
    const { id } = this.state.value.visit.session;
    try {
      await this.waitsFor('sending', (signal) =>
        this.api.post(`trial-sessions/${id}/feedback`, feedback, { signal }),
      );
    } catch (error) {
      this.refused(error);
      if (!(error instanceof ApiFailure) || error.code !== 'already_given') return false;
    }
    this.kept.set(`feedback/${id}`, 'given');
    return true;
  }

  /** Whether feedback was given in this browser. */
  hasGivenFeedback(sessionId: string): boolean {
    return this.kept.get(`feedback/${sessionId}`) !== null;
  }

  go(step: Step): void {
    this.change({ type: 'go', step });
    void this.readBriefing();
  }

  chooseTyping(typing: boolean): void {
    this.choseTyping.value = typing;
    this.kept.set('typing', typing ? 'yes' : null);
  }

  chooseLanguage(language: Language): void {
    this.language.value = language;
    forBrowser.set('language', language);
  }

  /** Something the candidate did in a started session. */
  did(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.activity.value?.did(eventType, payload);
  }

  enterInterview(): Interview | null {
    if (this.state.value.at !== 'in') return null;
    const { session } = this.state.value.visit;
    this.interview.value?.close();
    const interview = new Interview({
      sessionId: session.id,
      base: this.base,
      api: this.api,
      token: () => this.token(),
      worklet: this.worklet,
      language: () => this.language.value,
      drafts: this.draftsOf(session.id),
      deviceId: deviceId(),
      flush: () => this.activity.value?.flushed() ?? Promise.resolve(),
      waiting: () => this.activity.value?.unsent ?? 0,
      over: (ended, handedIn) => {
        this.handedIn.value = handedIn;
        this.change({ type: 'session', session: ended });
      },
    });
    interview.start();
    return (this.interview.value = interview);
  }

  /** What is written in the interview and not sent. */
  draftsOf(sessionId: string): Drafts {
    return new Drafts(this.kept, sessionId);
  }

  leaveInterview(): void {
    this.interview.value?.close();
    this.interview.value = null;
  }

  /** The rest of the briefing stays as it was read: the candidate agrees to that notice. */
  private told(change: (briefing: Briefing) => Partial<Briefing>): void {
    const state = this.state.value;
    if (state.at !== 'in' || !state.visit.briefing) return;
    const { briefing } = state.visit;
    this.change({ type: 'briefing', briefing: { ...briefing, ...change(briefing) } });
    if (this.typedOnly.value) this.interview.value?.microphone.close();
  }

  private change(change: Change): void {
    this.state.value = next(this.state.value, change);
    const state = this.state.value;
    if (state.at === 'in') {
      const { session } = state.visit;
      forTab.set(`step.${session.id}`, state.step);
      if (isOpen(session)) this.record(session.id);
      else this.stopRecording();
    } else if (state.at !== 'unavailable') this.stopRecording();
  }

  private record(sessionId: string): void {
    this.activity.value ??= this.activityOf(sessionId);
  }

  private activityOf(sessionId: string): SessionActivity | null {
    if (this.subject === null) return null;
    return new SessionActivity({
      api: this.api,
      subject: this.subject,
      sessionId,
      prompts: () => this.prompts(),
      lost: (count, why) => {
        this.lost.value = { count: count + (this.lost.value?.count ?? 0), why };
      },
    });
  }

  /** What a tab left behind before the session ended. */
  private sendLeftOver(sessionId: string): void {
    this.activityOf(sessionId)?.close();
  }

  private stopRecording(): void {
    this.activity.value?.close();
    this.activity.value = null;
  }

  /** The service has a newer build. Where nothing is under way, the page loads itself again: once, not in a circle. */
  private loadAgain(): void {
    const isBusy = this.unsaved > 0 || this.unsentDrafts > 0;
    const loadedAt = Number(forTab.get(LOADED_AGAIN) ?? 0);
    if (isBusy || Math.abs(serviceClock.now() - loadedAt) < LOAD_AGAIN_MS) {
      this.outdated.value = true;
      return;
    }
    forTab.set(LOADED_AGAIN, `${serviceClock.now()}`);
    location.reload();
  }

  /** Messages of the interview without a receipt. */
  private get unsaved(): number {
    return this.interview.value?.state.value.unsaved ?? 0;
  }

  private get unsentDrafts(): number {
    const state = this.state.value;
    if (state.at !== 'in') return 0;
    const room = this.interview.value?.state.value;
    return this.draftsOf(state.visit.session.id)
      .all()
      .filter(({ turn, kind }) => !room || !isSending(room, kind, turn)).length;
  }

  /** Of the person who is signed in: it ends with the sign-out. */
  private get kept(): Kept {
    return this.subject === null ? forTab : forPerson(this.subject);
  }

  /** Nobody is signed in: what is answered now was asked by the person before, and is not shown. */
  private hasLeft(): boolean {
    return this.subject === null;
  }

  /** Nothing of the person stays on this device. */
  private leave(because: Because): void {
    this.waiting.value?.leave();
    this.unsent.value = this.lost.value = null;
    this.leaveInterview();
    this.handedIn.value = [];
    this.activity.value?.forget();
    this.activity.value = null;
    if (this.subject !== null) dropAllOf(this.subject);
    this.signIn.value?.forget();
    this.subject = this.email.value = null;
    this.change({ type: 'signed out', because });
  }

  private async arrive(signIn: SignIn): Promise<Because | null> {
    const { applicationId, arrival } = await signIn.arrive();
    this.applicationId = applicationId;
    history.replaceState(null, '', `./${applicationId}`);
    if (arrival === 'again') {
      await this.leaveToSignIn();
      return 'leaving';
    }
    return arrival === 'in' ? null : arrival === 'none' ? 'new' : arrival;
  }

  private async resume(signIn: SignIn): Promise<Because | null> {
    const resumed = await signIn.resume();
    if (resumed !== 'leave') return resumed ? null : 'new';
    await this.leaveToSignIn('silent');
    return 'leaving';
  }

  /** The token ends, and only the provider's own page gives another. */
  private async renewByLeaving(): Promise<void> {
    if (this.state.value.at !== 'in') return;
    const canLeave = await this.signIn.value?.canLeave();
    if (this.hasLeft()) return;
    if (canLeave) await this.leaveToSignIn('renewal');
    else this.change({ type: 'signed out', because: 'expired' });
  }

  /** Says what the page waits for if it takes long. @param work given what ends it if the candidate does not wait */
  private async waitsFor<T>(what: Waiting, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const leaving = new AbortController();
    const mine = { what, leave: () => leaving.abort() };
    const timer = setTimeout(() => (this.waiting.value = mine), LONG_MS);
    try {
      return await work(leaving.signal);
    } finally {
      clearTimeout(timer);
      if (this.waiting.value === mine) this.waiting.value = null;
    }
  }

  private prompts(): readonly string[] {
    if (this.state.value.at !== 'in') return [];
    const { briefing } = this.state.value.visit;
    return [
      ...(briefing?.tickets.map(({ description }) => description ?? '') ?? []),
      ...(this.interview.value?.state.value.exchanges.map(({ question }) => question) ?? []),
    ];
  }

  private async token(): Promise<string | null> {
    const signIn = this.signIn.value;
    if (signIn === null) return null;
    if (!serviceClock.isSure) await this.readConfig();
    const token = await signIn.token();
    if (token !== null || this.state.value.at !== 'in') return token;
    // Without a connection it is unknown whether the sign-in is over. With one, a renewal shows it.
    if (!(await signIn.answers())) throw noAnswer();
    const renewed = await signIn.token();
    if (renewed !== null) return renewed;
    await this.renewByLeaving();
    return null;
  }

  private async renew(refused: string): Promise<string | null> {
    return (await this.signIn.value?.renewed(refused)) ?? null;
  }

  /** `null`: the service has none. */
  private async briefing(sessionId: string): Promise<Briefing | null> {
    return this.api.get<Briefing>(`trial-sessions/${sessionId}/briefing`).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === 404) return null;
      throw error;
    });
  }

  private async readConfig(tries = 1): Promise<SignInConfig | null> {
    const read = () => request(`${this.base}apply/config.json`);
    const answer = await persistently(read, { tries }).catch(() => null);
    if (!answer?.ok || !answer.headers.get('Content-Type')?.startsWith('application/json')) return null;
    return JSON.parse(answer.text) as SignInConfig;
  }

  /** What is open stays open: only a sign-in that is over is more than this one failure. */
  private refused(error: unknown): void {
    if (error instanceof ApiFailure && error.status === 401) this.signedOut(error);
  }

  /** A token that was renewed and refused again would be refused for ever: the candidate is told, and decides. */
  private signedOut({ code }: ApiFailure): void {
    if (this.hasLeft()) return;
    this.change({ type: 'signed out', because: code === 'missing_token' ? 'expired' : 'refused' });
  }

  private failed(error: unknown): void {
    if (this.hasLeft()) return;
    const status = error instanceof ApiFailure ? error.status : 0;
    if (error instanceof ApiFailure && status === 401) this.signedOut(error);
    else if ([403, 404, 410].includes(status)) this.change({ type: 'not found' });
    else this.change({ type: 'unavailable' });
  }
}

/** What the page may wait for. */
export type Waiting = 'service' | 'signIn' | 'application' | 'start' | 'sending' | 'file';

/** When the page last loaded itself again, in this tab. */
const LOADED_AGAIN = 'loaded-again';
const LOAD_AGAIN_MS = 10 * 60_000;
const CONFIG_TRIES = 3;
/** A wait that is shorter is not spoken of. */
const LONG_MS = 3_000;
/** How long a sign-out waits for what is not sent. */
const SIGN_OUT_MS = 6_000;
/** How often the page checks whether its clock is sure. */
const CLOCK_MS = 2_000;

const deviceId = (): string => {
  const known = forBrowser.get('device') ?? crypto.randomUUID();
  forBrowser.set('device', known);
  return known;
};
