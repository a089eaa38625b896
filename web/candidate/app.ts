import { computed, effect, signal } from '@preact/signals';
import type { Briefing, OwnApplication, OwnTrialSession } from '../../packages/client/src/contract.js';
import { DEFAULT_LANGUAGE, firstKnown, type Language, PAGE_TEXTS } from '../../src/languages/languages.js';
import { Api, ApiFailure, UNKNOWN } from '../shared/api.js';
import { serviceNow } from '../shared/clock.js';
import { browserStorage, personStorage, tabStorage } from '../shared/storage.js';
import { OUTDATED } from './audio/microphone.js';
import type { HandIns } from './hand-in/hand-ins.js';
import { loadHandIns } from './hand-in/load.js';
import { Drafts } from './interview/drafts.js';
import type { Interview } from './interview/interview.js';
import { isSending, type Recorded } from './interview/room-state.js';
import { Account } from './sign-in/account.js';
import { type Change, isOpen, next, type State, type Step, type Visit } from './state.js';
import { type Waiting, Waits } from './waiting.js';
import { Recording } from './work/recording.js';

/** The item that is the step that a tab is in, and for a person `room` once the interview was opened. */
const stepItem = (sessionId: string): string => `step.${sessionId}`;

/** When the page last loaded itself again, in this tab. */
const LOADED_AGAIN = 'loaded-again';
const LOAD_AGAIN_MS = 10 * 60_000;

/**
 * The candidate's page: what it shows, and what its screens share. Call `open` first. From then on each screen runs its
 * commands by `attempt` and reports their results by `change`. What is shown depends only on `state`.
 */
export class App {
  readonly state = signal<State>({ at: 'loading' });
  readonly language = signal<Language>(
    firstKnown([browserStorage.get('language'), ...navigator.languages]) ?? DEFAULT_LANGUAGE,
  );
  readonly t = computed(() => PAGE_TEXTS[this.language.value]);
  readonly online = signal(navigator.onLine);
  /** Staff have granted that the candidate needs no microphone. */
  readonly typedOnly = computed(() => {
    const state = this.state.value;
    return state.at === 'in' && state.visit.briefing.accommodations.typedOnly;
  });
  /** The candidate answers by typing. */
  readonly typing = computed(() => this.typedOnly.value || this.choseTyping.value);
  readonly interview = signal<Interview | null>(null);
  /** The work of the open session; `null`: this part of the page is not loaded. */
  readonly handIns = signal<HandIns | null>(null);
  /** Texts that the page sent by itself when the time of the interview ended. */
  readonly handedIn = signal<readonly Recorded[]>([]);
  /** The service has a newer build than this page, which could not load itself again without a loss. */
  readonly outdated = signal(false);
  readonly waits = new Waits();
  readonly account: Account;
  readonly api: Api;
  /** What the candidate does in the open session. */
  readonly recording: Recording;

  private readonly choseTyping = signal(false);

  /**
   * @param base the service's address, ending in a slash
   * @param worklet the address of `audio/worklet.ts`
   */
  constructor(
    readonly base: string,
    readonly worklet: string,
  ) {
    this.account = new Account({
      base,
      language: () => this.language.value,
      waitsFor: this.waits.waitsFor,
      isOpen: () => this.visit !== null,
      signedOut: (because) => this.change({ type: 'signed out', because }),
      unavailable: () => this.change({ type: 'unavailable' }),
      unsaved: () => this.unsaved,
      sendRest: (maxMs) => this.sendRest(maxMs),
      forget: () => this.forget(),
    });
    this.api = new Api({
      base,
      token: () => this.account.token(),
      tokenNow: () => this.account.tokenNow(),
      renew: (refused) => this.account.renew(refused),
    });
    this.recording = new Recording(this.api, () => this.prompts());
    for (const name of ['online', 'offline'] as const)
      addEventListener(name, () => {
        this.online.value = navigator.onLine;
      });
    document.addEventListener('visibilitychange', () => {
      // After the listeners that record the change: an event that is recorded during a read makes it read twice.
      if (document.visibilityState === 'visible') setTimeout(() => void this.readBriefing());
    });
    addEventListener(OUTDATED, () => this.loadAgain());
    addEventListener('popstate', ({ state }) => this.change({ type: 'go', step: state as Step }));
    effect(() => {
      document.documentElement.lang = this.language.value;
    });
  }

  /** The application that is shown; `null`: none is. */
  get visit(): Visit | null {
    return this.state.value.at === 'in' ? this.state.value.visit : null;
  }

  /** Signs in if it can, and shows the application. @param place see `Account.open` */
  async open(place: string): Promise<void> {
    if (!(await this.account.open(place))) return;
    this.choseTyping.value = this.account.storage.get('typing') === 'yes';
    await this.load();
  }

  /** Reads everything that the page shows. */
  async load(): Promise<void> {
    try {
      const path = `applications/${encodeURIComponent(this.account.applicationId)}`;
      const application = await this.waits.waitsFor('application', (signal) =>
        this.api.get<OwnApplication>(path, { signal }),
      );
      if (!this.account.isSignedIn()) return;
      const session = application.trialSessions.at(-1);
      if (session === undefined) {
        this.change({ type: 'not found' });
        return;
      }
      const before = this.recorded(session.id);
      const briefing = await this.briefingOf(session.id);
      if (browserStorage.get('language') === null)
        this.language.value = firstKnown([briefing.language]) ?? this.language.value;
      // Before the page shows a text as not sent.
      if (!isOpen(session))
        await this.draftsOf(session.id)
          .askWhatWasRecorded(this.api)
          .catch(() => undefined);
      const { subject } = this.account;
      if (subject === null) return;
      const resume = tabStorage.get(stepItem(session.id)) as Step | null;
      this.change({ type: 'loaded', visit: { application, session, briefing }, resume });
      this.recording.takeOver(briefing.tickets);
      if (before !== this.recorded(session.id)) void this.readBriefing();
      if (!isOpen(session)) this.recording.sendRestOf(subject, session.id);
      // A hand-in is sent in the background, whatever the page shows.
      if (personStorage(subject).names(`sending/${session.id}/`).length > 0) void loadHandIns(this);
    } catch (error) {
      this.showFailure(error);
    }
  }

  /** Reads the briefing again: staff may have granted something, and another device may have reported progress. */
  async readBriefing(): Promise<void> {
    const { visit } = this;
    if (visit === null || (visit.session.status !== 'invited' && !isOpen(visit.session))) return;
    const before = this.recorded(visit.session.id);
    const current = await this.briefingOf(visit.session.id).catch(() => null);
    if (!current) return;
    // The answer may lack what a tab has recorded meanwhile.
    if (before !== this.recorded(visit.session.id)) return this.readBriefing();
    this.changeBriefing(() => ({ accommodations: current.accommodations }));
    this.recording.takeOver(current.tickets);
  }

  /** @throws {ApiFailure} */
  briefingOf(sessionId: string): Promise<Briefing> {
    return this.api.get<Briefing>(`trial-sessions/${sessionId}/briefing`);
  }

  /** Changes a part of the briefing. The rest stays as it was read: the candidate agrees to that notice. */
  changeBriefing(change: (briefing: Briefing) => Partial<Briefing>): void {
    const briefing = this.visit?.briefing;
    if (!briefing) return;
    this.change({ type: 'briefing', briefing: { ...briefing, ...change(briefing) } });
    if (this.typedOnly.value) this.interview.value?.speech.microphone.close();
  }

  /** Applies what has happened: to what is shown, and to whether the work is recorded. */
  change(change: Change): void {
    this.state.value = next(this.state.value, change);
    const state = this.state.value;
    if (state.at === 'in') {
      const { session } = state.visit;
      const item = stepItem(session.id);
      tabStorage.set(item, state.step);
      // An entry of the browser's history whose step is over leads to the current one.
      if (history.state !== state.step) history.replaceState(state.step, '');
      if (state.step === 'room') this.account.storage.set(item, state.step);
      if (isOpen(session)) this.recording.begin(this.account.subject, session.id);
      else this.recording.end();
    } else if (state.at !== 'unavailable') this.recording.end();
  }

  /** Whether the interview was opened in this browser, or elsewhere and its connection was lost for long. */
  hasBegun({ id, status }: OwnTrialSession): boolean {
    return status === 'interrupted' || this.account.storage.get(stepItem(id)) !== null;
  }

  /** Goes to a step, if the session allows it. The browser's Back leads to the step before. */
  go(step: Step): void {
    if (history.state !== step) history.pushState(step, '');
    this.change({ type: 'go', step });
    void this.readBriefing();
  }

  /** The candidate answers by typing, or speaks after all. */
  chooseTyping(typing: boolean): void {
    this.choseTyping.value = typing;
    this.account.storage.set('typing', typing ? 'yes' : null);
  }

  /** Shows the page in this language from now on, in this browser. */
  chooseLanguage(language: Language): void {
    this.language.value = language;
    browserStorage.set('language', language);
  }

  /**
   * Runs a command of the candidate. If it fails, the open screen stays, unless the sign-in has ended.
   * @returns the result of the work, or the failure
   */
  async attempt<T>(
    what: Waiting,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<{ readonly done: T } | { readonly failure: ApiFailure }> {
    try {
      return { done: await this.waits.waitsFor(what, work) };
    } catch (error) {
      const failure = error instanceof ApiFailure ? error : new ApiFailure(0, UNKNOWN, String(error));
      if (failure.status === 401) this.account.refused(failure);
      return { failure };
    }
  }

  /** Texts of the interview that are not sent. */
  draftsOf(sessionId: string): Drafts {
    return new Drafts(this.account.storage, sessionId);
  }

  /** Disconnects from the open interview, if there is one. The interview itself does not end. */
  leaveInterview(): void {
    this.interview.value?.close();
    this.interview.value = null;
  }

  /** @see Recording.stampOf */
  private recorded(sessionId: string): string {
    const { subject } = this.account;
    return subject === null ? '' : this.recording.stampOf(subject, sessionId);
  }

  /** Messages of the interview without a receipt. */
  private get unsaved(): number {
    return this.interview.value?.state.value.sending.length ?? 0;
  }

  private get unsentDrafts(): number {
    const { subject } = this.account;
    if (this.visit === null || subject === null) return 0;
    const written = ['work/', 'sending/'].flatMap((kind) => personStorage(subject).names(kind));
    const room = this.interview.value?.state.value;
    const answers = this.draftsOf(this.visit.session.id)
      .all()
      .filter(({ turn, kind }) => !room || !isSending(room, kind, turn));
    return written.length + answers.length;
  }

  private async sendRest(maxMs: number): Promise<number> {
    await this.recording.flushed(maxMs);
    return this.recording.unsent + this.unsaved + this.unsentDrafts;
  }

  private forget(): void {
    this.waits.shown.value?.leave();
    this.leaveInterview();
    this.handedIn.value = [];
    this.handIns.value?.close();
    this.handIns.value = null;
    this.recording.forget();
  }

  /** Reloads the page if nothing would be lost, at most once in `LOAD_AGAIN_MS`. */
  private loadAgain(): void {
    const isBusy = this.unsaved > 0 || this.unsentDrafts > 0;
    const loadedAt = Number(tabStorage.get(LOADED_AGAIN) ?? 0);
    if (isBusy || Math.abs(serviceNow() - loadedAt) < LOAD_AGAIN_MS) {
      this.outdated.value = true;
      return;
    }
    tabStorage.set(LOADED_AGAIN, `${serviceNow()}`);
    location.reload();
  }

  /** The texts of tasks and questions: text that is pasted from them has no foreign source. */
  private prompts(): readonly string[] {
    if (this.visit === null) return [];
    return [
      ...this.visit.briefing.tickets.map(({ description }) => description ?? ''),
      ...(this.interview.value?.state.value.exchanges.map(({ question }) => question) ?? []),
    ];
  }

  private showFailure(error: unknown): void {
    if (!this.account.isSignedIn()) return;
    const status = error instanceof ApiFailure ? error.status : 0;
    if (error instanceof ApiFailure && status === 401) this.account.refused(error);
    else if ([403, 404, 410].includes(status)) this.change({ type: 'not found' });
    else this.change({ type: 'unavailable' });
  }
}
