import { computed, effect, signal } from '@preact/signals';
import { createContext, type FunctionComponent } from 'preact';
import { useContext } from 'preact/hooks';
import type { AssayClient, Me, Membership, Permission } from '../../packages/client/src/index.js';
import type { ConsoleTexts } from '../../src/languages/en/console.js';
import { CONSOLE_TEXTS, DEFAULT_LANGUAGE, firstKnown, type Language } from '../../src/languages/languages.js';
import { request, withRetries } from '../shared/request.js';
import { browserStorage } from '../shared/storage.js';
import { askedAs, returnAddress } from './addresses.js';
import { RepeatingClient } from './repeating-client.js';
import { type Outcome, type SignInConfig, StaffSession, isSignOut } from './sign-in/session.js';
import { answerFromWindow } from './sign-in/window.js';

/** A key of the browser's storage: the organisation that was open last. */
const ORGANISATION = 'staff-organisation';
const CONFIG_TRIES = 3;

/** Parameters by which the development issuer signs in this address at once, even if another person is signed in. */
const asAnybody = (email: string) => ({ sign_in_as: email, login_hint: email, prompt: 'login' });

/** Whether a member of staff is signed in, and as whom. */
export type State =
  | { readonly at: 'loading' }
  | { readonly at: 'unavailable' }
  /** This is the window of a sign-in, and the page that opened it has taken the answer. */
  | { readonly at: 'signed in elsewhere' }
  | { readonly at: 'signed out'; readonly because: 'new' | 'failed' | 'left' }
  | { readonly at: 'in'; readonly me: Me };

/**
 * The staff's console: who is signed in, in which language, and the client that every page calls the API with. Call `open`
 * first; the shell shows `state`.
 */
export class Console {
  readonly state = signal<State>({ at: 'loading' });
  readonly language = signal<Language>(
    firstKnown([browserStorage.get('language'), ...navigator.languages]) ?? DEFAULT_LANGUAGE,
  );
  readonly t = computed(() => CONSOLE_TEXTS[this.language.value]);
  readonly online = signal(navigator.onLine);
  readonly session = signal<StaffSession | null>(null);
  readonly client: AssayClient;
  /** The service's address, ending in a slash. */
  private readonly service: string;

  /** @param base the console's path, ending in a slash */
  constructor(readonly base: string) {
    this.service = new URL('..', new URL(base, location.href)).href;
    this.client = new RepeatingClient({
      baseUrl: this.service,
      token: (refused) => this.session.value?.token(refused) ?? null,
      maxWaitMs: 10_000,
    });
    for (const name of ['online', 'offline'] as const)
      addEventListener(name, () => {
        this.online.value = navigator.onLine;
      });
    addEventListener('storage', (event) => {
      if (!isSignOut(event) || this.session.value?.isSignedIn !== true) return;
      this.session.value.forget();
      this.state.value = { at: 'signed out', because: 'left' };
    });
    // A link that differs from the open page only by its fragment does not load the page.
    addEventListener('hashchange', () => {
      if (askedAs(location.hash) !== null) void this.open();
    });
    effect(() => {
      document.documentElement.lang = this.language.value;
    });
  }

  /** Signs in if it can, and opens the page that was requested before the sign-in. */
  async open(): Promise<void> {
    // The service's root address opens the first page.
    const isFront = location.href.startsWith(this.service) && !location.pathname.startsWith(this.base);
    if (isFront) history.replaceState(null, '', this.base);
    const here = location.pathname + location.search + location.hash;
    this.state.value = { at: 'loading' };
    const isAnswer = location.pathname === `${this.base}callback`;
    if (isAnswer && (await answerFromWindow())) {
      close();
      this.state.value = { at: 'signed in elsewhere' };
      return;
    }
    const config = await this.readConfig();
    if (config === null) {
      this.state.value = { at: 'unavailable' };
      return;
    }
    const session = new StaffSession(config, () => this.language.value);
    this.session.value = session;
    if (isAnswer) {
      const { outcome, returnTo } = await session.arrive();
      if (outcome !== 'leaving') history.replaceState(null, '', returnAddress(this.base, returnTo));
      await this.show(outcome);
      return;
    }
    const asked = config.development ? askedAs(here) : null;
    if (asked === null) await this.show(await session.resume(here));
    else await this.signInAs(session, asked);
  }

  /** Signs in as any person, without a further page, by the development issuer. */
  signInAsAnybody(email: string): Promise<void> {
    return this.signIn(asAnybody(email));
  }

  /** Navigates to the provider, which returns to the page that is shown. */
  async signIn(parameters: Readonly<Record<string, string>> = {}): Promise<void> {
    const here = location.pathname + location.search + location.hash;
    await this.session.value?.leave(here, parameters).catch(() => {
      if (this.state.value.at !== 'in') this.state.value = { at: 'unavailable' };
    });
  }

  /** Signs the same person in again in a separate window, so that the page keeps what was typed. */
  async signInAgain(): Promise<void> {
    if ((await this.session.value?.signInAgain()) === 'blocked') await this.signIn();
  }

  /** Signs out here and, if the provider has a page for that, at the provider. */
  async signOut(): Promise<void> {
    const home = new URL(this.base, location.href).href;
    const ending = this.session.value?.end(home);
    this.state.value = { at: 'signed out', because: 'left' };
    const elsewhere = await ending;
    if (elsewhere) location.assign(elsewhere);
  }

  /** Reads the person and their memberships again. @throws {AssayError} */
  async readMe(): Promise<void> {
    const me = await this.client.get('/me');
    if (this.session.value?.isSignedIn === true) this.state.value = { at: 'in', me };
  }

  /** Makes an organisation whose owner the reader becomes, in development. @returns its id @throws {AssayError} */
  async createOrganisation(name: string): Promise<string> {
    // The contract lacks this path, which exists only in development.
    const post = this.client.post.bind(this.client) as unknown as (
      path: string,
      call: { readonly body: object },
    ) => Promise<{ readonly id: string }>;
    const { id } = await post('/console/organisations', { body: { name } });
    await this.readMe();
    return id;
  }

  /** Shows the console in this language from now on, in this browser. */
  chooseLanguage(language: Language): void {
    this.language.value = language;
    browserStorage.set('language', language);
  }

  /** The address of an organisation's page. @param page such as `roles`, with its query */
  address(orgId: string, page = ''): string {
    return `${this.base}${orgId}${page === '' ? '' : `/${page}`}`;
  }

  /** The organisation that `/console/` leads to: the one that was open last, else the first. */
  firstOf({ memberships }: Me): Membership | undefined {
    const last = browserStorage.get(ORGANISATION);
    return memberships.find(({ organisationId }) => organisationId === last) ?? memberships[0];
  }

  /** Keeps the organisation for `firstOf`. */
  remember(orgId: string): void {
    browserStorage.set(ORGANISATION, orgId);
  }

  /** Signs in as a link asks. */
  private async signInAs(
    session: StaffSession,
    { email, address }: { readonly email: string; readonly address: string },
  ): Promise<void> {
    history.replaceState(null, '', address);
    await session.leave(address, asAnybody(email)).catch(() => {
      this.state.value = { at: 'unavailable' };
    });
  }

  private async show(outcome: Outcome): Promise<void> {
    if (outcome === 'leaving') return;
    if (outcome !== 'in') {
      this.state.value = { at: 'signed out', because: outcome === 'out' ? 'new' : 'failed' };
      return;
    }
    await this.readMe().catch(() => {
      this.state.value = { at: 'unavailable' };
    });
  }

  private async readConfig(): Promise<SignInConfig | null> {
    const read = () => request(`${this.service}console/config.json`);
    const answer = await withRetries(read, { tries: CONFIG_TRIES }).catch(() => null);
    return answer?.ok === true ? (JSON.parse(answer.text) as SignInConfig) : null;
  }
}

/** A page of the console, loaded when it is opened. */
export interface PageRoute {
  /** The path below the organisation's address; parameters as `:roleId`. */
  readonly path: string;
  readonly component: FunctionComponent;
  /** Its name in the navigation; pages without one are reached from others. */
  readonly nav?: keyof ConsoleTexts['nav'];
  /** Its name among the tabs of the settings; pages without one are not there. */
  readonly tab?: keyof ConsoleTexts['settings']['pages'];
  /** Who may open it, if not every member. */
  readonly permission?: Permission;
}

/** The organisation that a page is about, and what its reader may do there. */
export interface Place {
  readonly console: Console;
  readonly membership: Membership;
  /** The pages that the reader may open. */
  readonly pages: readonly PageRoute[];
}

/** Set around every page below an organisation; read by `usePlace`. */
export const PlaceContext = createContext<Place | null>(null);

/** The context of every page of an organisation. */
export const usePlace = () => {
  const place = useContext(PlaceContext);
  if (place === null) throw new Error('The page is outside an organisation.');
  const { console, membership, pages } = place;
  const orgId = membership.organisationId;
  return {
    console,
    client: console.client,
    t: console.t.value,
    language: console.language.value,
    orgId,
    membership,
    pages,
    /** Whether the reader has a permission: a button whose command would be answered by 403 is not shown. */
    may: (permission: Permission): boolean => membership.permissions.includes(permission),
    /** The address of a page of this organisation. @param page such as `roles`, with its query */
    to: (page = ''): string => console.address(orgId, page),
  };
};
