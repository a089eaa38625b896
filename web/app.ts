import { computed, effect, signal } from '@preact/signals';
import { ActivityLog } from './activity-log.js';
import { Api, ApiFailure, LARGE_MS, noAnswer } from './api.js';
import { serviceClock } from './clock.js';
import { Interview } from './interview.js';
import { forBrowser, forTab } from './kept.js';
import type {
  Application,
  Briefing,
  Contest,
  Evaluation,
  Feedback,
  Me,
  Session,
  SignInConfig,
} from './records.js';
import { request } from './request.js';
import { isRenewal, SignIn } from './sign-in.js';
import { recordSignals } from './signals-of-work.js';
import { type Change, isOpen, next, type State, type Step } from './state.js';
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
  readonly api: Api;

  private readonly choseTyping = signal(forTab.get('typing') === 'yes');
  private applicationId = '';
  private signIn: SignIn | null = null;
  private log: ActivityLog | null = null;
  private stopSignals: (() => void) | null = null;

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
      renew: (refused) => this.renew(refused),
    });
    // After a sleep, or if the device's clock was set, the service's time is unknown.
    setInterval(() => {
      if (!serviceClock.isSure && navigator.onLine) void this.readConfig();
    }, CLOCK_MS);
    for (const name of ['online', 'offline'] as const)
      addEventListener(name, () => {
        this.online.value = navigator.onLine;
        if (navigator.onLine) void this.log?.flush();
      });
    addEventListener('pagehide', () => void this.log?.flush());
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') void this.readAccommodations();
    });
    effect(() => {
      document.documentElement.lang = this.language.value;
    });
  }

  /** @param place the last part of the page's path: an application's id, or `callback` */
  async open(place: string): Promise<void> {
    this.config.value = await this.readConfig();
    if (this.config.value === null) {
      this.applicationId = place;
      this.change({ type: 'signed out', because: 'new' });
      return;
    }
    this.signIn = new SignIn(this.config.value, () => this.language.value);
    if (place === 'callback' && !isRenewal()) {
      const { applicationId, succeeded } = await this.signIn.arrive();
      this.applicationId = applicationId;
      history.replaceState(null, '', `./${applicationId}`);
      if (!succeeded) {
        this.change({ type: 'signed out', because: 'failed' });
        return;
      }
    } else {
      this.applicationId = place;
      if (!(await this.signIn.resume())) {
        this.change({ type: 'signed out', because: 'new' });
        return;
      }
    }
    this.email.value = this.signIn.email;
    await this.load();
  }

  async leaveToSignIn(): Promise<void> {
    await this.signIn?.leave(this.applicationId).catch(() => this.change({ type: 'unavailable' }));
  }

  async signOut(): Promise<void> {
    this.interview.value?.close();
    this.interview.value = null;
    this.stopRecording();
    await this.signIn?.end();
    this.email.value = null;
    this.change({ type: 'signed out', because: 'new' });
  }

  /** Reads everything that the page shows. */
  async load(): Promise<void> {
    try {
      const application = await this.api.get<Application>(
        `applications/${encodeURIComponent(this.applicationId)}`,
      );
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
      const resume = forTab.get(`step.${session.id}`) as Step | null;
      this.change({ type: 'loaded', visit: { application, session, briefing, organisationName }, resume });
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
      const started = await this.api.post<Session>(`trial-sessions/${session.id}/start`, body);
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
      this.change({
        type: 'session',
        session: await this.api.post<Session>(`trial-sessions/${id}/withdraw`, {}),
      });
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
      const accommodationRequest = await this.api.post<Briefing['accommodationRequest']>(
        `applications/${id}/accommodation-requests`,
        { text },
      );
      this.accommodate({ accommodationRequest });
      return true;
    } catch (error) {
      this.refused(error);
      return false;
    }
  }

  /** Staff may have granted something since the page was opened. */
  async readAccommodations(): Promise<void> {
    if (this.state.value.at !== 'in') return;
    const { session } = this.state.value.visit;
    if (session.status !== 'invited' && !isOpen(session)) return;
    const current = await this.briefing(session.id).catch(() => null);
    if (current) this.accommodate({ accommodations: current.accommodations });
  }

  /** Asks staff to erase the candidate. @returns when it was asked for; `null`: it was not sent */
  async askForErasure(): Promise<string | null> {
    if (this.state.value.at !== 'in') return null;
    const { id } = this.state.value.visit.application;
    try {
      const path = `applications/${id}/erasure-requests`;
      return (await this.api.post<{ requestedAt: string }>(path, {})).requestedAt;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  /** Downloads everything that is held about the candidate. @returns whether it succeeded */
  async export(): Promise<boolean> {
    try {
      const data = await this.api.get<unknown>('me/export', { limitMs: LARGE_MS });
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
  async evaluation(): Promise<Evaluation | null> {
    if (this.state.value.at !== 'in') return null;
    const { id } = this.state.value.visit.application;
    try {
      const { items } = await this.api.get<{ items: readonly Evaluation[] }>('me/evaluations');
      const own = items.find(({ applicationId }) => applicationId === id);
      return own ? await this.api.get<Evaluation>(`me/evaluations/${own.evaluationId}`) : null;
    } catch (error) {
      this.refused(error);
      return null;
    }
  }

  /**
   * @param key the same when the same contest is sent again
   * @returns the contest, or the code of what hindered it
   */
  async contest(
    evaluationId: string,
    contest: Pick<Contest, 'text'> & { readonly about: { kind: string; reference?: string } },
    key: string,
  ): Promise<Contest | string> {
    try {
      return await this.api.post<Contest>(`me/evaluations/${evaluationId}/contests`, contest, { key });
    } catch (error) {
      this.refused(error);
      return error instanceof ApiFailure ? error.code : 'unknown';
    }
  }

  /** @returns whether the service has it, now or from before */
  async giveFeedback(feedback: Feedback): Promise<boolean> {
    if (this.state.value.at !== 'in') return false;
    const { id } = this.state.value.visit.session;
    try {
      await this.api.post(`trial-sessions/${id}/feedback`, feedback);
    } catch (error) {
      this.refused(error);
      if (!(error instanceof ApiFailure) || error.code !== 'already_given') return false;
    }
    forTab.set(`feedback.${id}`, 'given');
    return true;
  }

  /** Whether feedback was given in this tab. */
  hasGivenFeedback(sessionId: string): boolean {
    return forTab.get(`feedback.${sessionId}`) !== null;
  }

  go(step: Step): void {
    this.change({ type: 'go', step });
    void this.readAccommodations();
  }

  chooseTyping(typing: boolean): void {
    this.choseTyping.value = typing;
    forTab.set('typing', typing ? 'yes' : null);
  }

  chooseLanguage(language: Language): void {
    this.language.value = language;
    forBrowser.set('language', language);
  }

  /** Something the candidate did in a started session. */
  did(eventType: string, payload: Readonly<Record<string, unknown>> = {}): void {
    this.log?.add(eventType, payload);
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
      kept: forTab,
      deviceId: deviceId(),
      flush: () => this.log?.flushed() ?? Promise.resolve(),
      over: (ended) => this.change({ type: 'session', session: ended }),
    });
    interview.start();
    return (this.interview.value = interview);
  }

  leaveInterview(): void {
    this.interview.value?.close();
    this.interview.value = null;
  }

  /** The rest of the briefing stays as it was read: the candidate agrees to that notice. */
  private accommodate(changed: Partial<Pick<Briefing, 'accommodations' | 'accommodationRequest'>>): void {
    const state = this.state.value;
    if (state.at !== 'in' || !state.visit.briefing) return;
    this.change({ type: 'briefing', briefing: { ...state.visit.briefing, ...changed } });
    if (this.typedOnly.value) this.interview.value?.closeMicrophone();
  }

  private change(change: Change): void {
    this.state.value = next(this.state.value, change);
    const state = this.state.value;
    if (state.at === 'in') {
      const { session } = state.visit;
      forTab.set(`step.${session.id}`, state.step);
      if (isOpen(session)) this.record(session.id);
      else this.stopRecording();
    } else this.stopRecording();
  }

  private record(sessionId: string): void {
    if (this.log) return;
    const log = new ActivityLog({
      send: (events) => this.api.post(`trial-sessions/${sessionId}/activity`, { events }),
      kept: forTab,
      name: `activity.${sessionId}`,
    });
    this.log = log;
    this.stopSignals = recordSignals(log, () => this.prompts());
  }

  private stopRecording(): void {
    this.stopSignals?.();
    this.log?.close();
    this.stopSignals = this.log = null;
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
    if (this.signIn !== null && !serviceClock.isSure) await this.readConfig();
    const token = (await this.signIn?.token()) ?? null;
    if (token !== null || this.state.value.at !== 'in') return token;
    // Without a connection it is unknown whether the sign-in is over. With one, a renewal shows it.
    if ((await this.readConfig()) === null) throw noAnswer();
    const renewed = (await this.signIn?.token()) ?? null;
    if (renewed === null) this.change({ type: 'signed out', because: 'expired' });
    return renewed;
  }

  private async renew(refused: string): Promise<string | null> {
    return (await this.signIn?.renewed(refused)) ?? null;
  }

  /** `null`: the service has none. */
  private async briefing(sessionId: string): Promise<Briefing | null> {
    return this.api.get<Briefing>(`trial-sessions/${sessionId}/briefing`).catch((error: unknown) => {
      if (error instanceof ApiFailure && error.status === 404) return null;
      throw error;
    });
  }

  private async readConfig(): Promise<SignInConfig | null> {
    const answer = await request(`${this.base}apply/config.json`).catch(() => null);
    if (!answer?.ok || !answer.headers.get('Content-Type')?.startsWith('application/json')) return null;
    return JSON.parse(answer.text) as SignInConfig;
  }

  /** What is open stays open: only a sign-in that is over is more than this one failure. */
  private refused(error: unknown): void {
    if (error instanceof ApiFailure && error.status === 401) this.signedOut(error);
  }

  /** A token that was renewed and refused again would be refused for ever: the candidate is told, and decides. */
  private signedOut({ code }: ApiFailure): void {
    this.change({ type: 'signed out', because: code === 'missing_token' ? 'expired' : 'refused' });
  }

  private failed(error: unknown): void {
    const status = error instanceof ApiFailure ? error.status : 0;
    if (error instanceof ApiFailure && status === 401) this.signedOut(error);
    else if ([403, 404, 410].includes(status)) this.change({ type: 'not found' });
    else this.change({ type: 'unavailable' });
  }
}

/** How often the page looks whether its clock is sure. */
const CLOCK_MS = 2_000;

const deviceId = (): string => {
  const known = forBrowser.get('device') ?? crypto.randomUUID();
  forBrowser.set('device', known);
  return known;
};
