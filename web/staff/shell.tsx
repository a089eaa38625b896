import { useEffect, useRef, useState } from 'preact/hooks';
import { LocationProvider, Router, useLocation } from 'preact-iso/router';
import type { Me, Membership } from '../../packages/client/src/index.js';
import { type Language, LANGUAGES, CONSOLE_TEXTS } from '../../src/languages/languages.js';
import { placeOf, samePageOf } from './addresses.js';
import { type Console, type PageRoute, PlaceContext, usePlace } from './console.js';
import { Page } from './parts/layout.js';
import { sentenceOf } from './parts/sentences.js';
import { mayLeave } from './parts/unsaved.js';
import { ROUTES } from './routes.js';
import { SignedOut } from './sign-in/signed-out.js';

interface Props {
  readonly console: Console;
}

/** The whole console: the sign-in, or the page of the address in its frame. */
export const Shell = ({ console }: Props) => {
  const t = console.t.value;
  const state = console.state.value;
  if (state.at === 'in')
    return (
      <LocationProvider scope={console.base}>
        <SignedIn console={console} me={state.me} />
      </LocationProvider>
    );
  return (
    <div class="gate">
      <header class="gate-head">
        <span class="brand">Assay</span>
        <Languages console={console} />
      </header>
      <main>
        {state.at === 'loading' || state.at === 'signed in elsewhere' ? (
          <p class="soft" role="status">
            {state.at === 'loading' ? t.signIn.loading : t.signIn.elsewhere}
          </p>
        ) : (
          <SignedOut console={console} because={state.at === 'unavailable' ? 'unavailable' : state.because} />
        )}
      </main>
    </div>
  );
};

/** The page of the address, if the reader is a member of its organisation. */
const SignedIn = ({ console, me }: Props & { readonly me: Me }) => {
  const { path, route } = useLocation();
  const { orgId, page } = placeOf(console.base, `${path}/`);
  const first = orgId === '' ? console.firstOf(me) : undefined;
  const membership = me.memberships.find(({ organisationId }) => organisationId === orgId);
  useEffect(() => {
    if (first) route(console.address(first.organisationId), true);
    if (membership) console.remember(orgId);
  }, [first, membership]);
  if (first) return null;
  if (!membership) return <NoMember console={console} me={me} isAsked={orgId !== ''} />;
  const pages = ROUTES.filter(
    ({ permission }) => permission === undefined || membership.permissions.includes(permission),
  );
  return (
    <PlaceContext.Provider value={{ console, membership, pages }}>
      <Frame page={page} me={me} key={orgId} />
    </PlaceContext.Provider>
  );
};

/** The navigation around a page. */
const Frame = ({ page, me }: { readonly page: string; readonly me: Me }) => {
  const { console, t, to, orgId, membership, pages } = usePlace();
  const [loading, setLoading] = useState(false);
  const menu = useRef<HTMLDetailsElement>(null);
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <div class="frame">
        <header class="side">
          <div class="side-head">
            <a class="brand" href={to()}>
              Assay
            </a>
            {membership.organisationLogo && <img class="logo" src={membership.organisationLogo.url} alt="" />}
            <Organisations me={me} current={membership} page={page} />
          </div>
          <nav aria-label={t.nav.label} class="main-nav">
            <ul>
              {pages.map(
                ({ path, nav }) =>
                  nav && (
                    <li key={path}>
                      <a href={to(path)} aria-current={samePageOf(page) === path ? 'page' : undefined}>
                        {t.nav[nav]}
                      </a>
                    </li>
                  ),
              )}
            </ul>
          </nav>
          <details class="account" ref={menu}>
            <summary>
              <span class="who">{me.email ?? me.subject}</span>
              <span class="soft small">{t.memberRole[membership.role]}</span>
            </summary>
            <div class="account-menu">
              <Languages console={console} />
              <button
                class="button quiet small"
                type="button"
                onClick={() => {
                  if (mayLeave()) void console.signOut();
                }}
              >
                {t.signOut}
              </button>
            </div>
          </details>
        </header>
        <main id="content" tabIndex={-1} aria-busy={loading}>
          <Banners console={console} />
          <Router
            onLoadStart={() => setLoading(true)}
            onLoadEnd={() => setLoading(false)}
            onRouteChange={() => menu.current?.removeAttribute('open')}
          >
            {[
              // A page that the reader may not open has its route too, so that its name does not match another's parameter.
              ...ROUTES.map((one) => (
                <Shown
                  key={one.path}
                  path={`${console.address(orgId)}/${one.path}`}
                  component={pages.includes(one) ? one.component : Unknown}
                />
              )),
              <Shown key="unknown" default component={Unknown} />,
            ]}
          </Router>
        </main>
      </div>
    </>
  );
};

/**
 * A page. It is mounted again for each record that its address names, so that what was read, typed or chosen for one is not
 * taken for another's, and its heading gets the focus. The router sets `params`.
 */
const Shown = ({
  component: Component,
  params = {},
}: {
  readonly component: PageRoute['component'];
  readonly params?: Readonly<Record<string, string>>;
  /** For the router. */
  readonly path?: string;
  readonly default?: boolean;
}) => <Component key={Object.values(params).join('/')} />;

/** Notes above every page, such as that there is no connection. */
const Banners = ({ console }: Props) => {
  const t = console.t.value;
  const ended = console.session.value?.ended.value ?? null;
  return (
    <>
      <div role="status" class={console.online.value ? 'hidden' : 'note'}>
        {console.online.value ? '' : t.offline}
      </div>
      {ended !== null && (
        <section class="note failure" aria-label={t.signIn.ended} role="alert">
          <p>{t.signIn.endedBecause[ended]}</p>
          <button class="button small" type="button" onClick={() => void console.signInAgain()}>
            {t.failure.signInAgain}
          </button>
        </section>
      )}
    </>
  );
};

/** The organisation that is open, and links to the reader's others. */
const Organisations = ({
  me,
  current,
  page,
}: {
  readonly me: Me;
  readonly current: Membership;
  readonly page: string;
}) => {
  const { console, t } = usePlace();
  const { route } = useLocation();
  if (me.memberships.length < 2) return <span class="organisation">{current.organisationName}</span>;
  return (
    <label class="organisation">
      <span class="hidden">{t.organisation}</span>
      <select
        value={current.organisationId}
        onChange={({ currentTarget }) => {
          const { value } = currentTarget;
          if (mayLeave()) route(console.address(value, samePageOf(page)));
          else currentTarget.value = current.organisationId;
        }}
      >
        {me.memberships.map(({ organisationId, organisationName }) => (
          <option key={organisationId} value={organisationId}>
            {organisationName}
          </option>
        ))}
      </select>
    </label>
  );
};

const Languages = ({ console }: Props) => (
  <label class="language">
    <span class="hidden">{console.t.value.language}</span>
    <select
      value={console.language.value}
      onChange={({ currentTarget }) => console.chooseLanguage(currentTarget.value as Language)}
    >
      {LANGUAGES.map((language) => (
        <option key={language} value={language} lang={language}>
          {CONSOLE_TEXTS[language].name}
        </option>
      ))}
    </select>
  </label>
);

/** For an address that names no page, or one that is not for this reader. */
const Unknown = () => {
  const { t, to } = usePlace();
  return (
    <Page title={t.unknown.title}>
      <p>{t.unknown.text}</p>
      <p>
        <a href={to()}>{t.unknown.home}</a>
      </p>
    </Page>
  );
};

/** Signed in, but no member of the organisation of the address, or of any. */
const NoMember = ({ console, me, isAsked }: Props & { readonly me: Me; readonly isAsked: boolean }) => {
  const t = console.t.value;
  const email = me.email ?? '';
  return (
    <div class="gate">
      <header class="gate-head">
        <span class="brand">Assay</span>
        <Languages console={console} />
      </header>
      <main>
        <section class="card">
          <h1>{isAsked ? t.noMember.title : t.noMember.none}</h1>
          <p>{isAsked ? t.noMember.text(email) : t.noMember.noneText(email)}</p>
          {me.memberships.length > 0 && (
            <ul class="links">
              {me.memberships.map(({ organisationId, organisationName }) => (
                <li key={organisationId}>
                  <a href={console.address(organisationId)}>{organisationName}</a>
                </li>
              ))}
            </ul>
          )}
          {me.memberships.length === 0 &&
            (console.session.value?.config.development === true ? (
              <NewOrganisation console={console} />
            ) : (
              <p class="soft">
                {t.noMember.operator}{' '}
                <code>assay organisations create --name NAME --owner-email {email}</code>
              </p>
            ))}
          <div class="actions">
            <button class="button quiet" type="button" onClick={() => void console.signOut()}>
              {t.noMember.other}
            </button>
          </div>
        </section>
      </main>
    </div>
  );
};

/** In development: a form for somebody without an organisation to make one. */
const NewOrganisation = ({ console }: Props) => {
  const t = console.t.value;
  const { route } = useLocation();
  const [name, setName] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);
  const send = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    setWrong(null);
    try {
      const id = await console.createOrganisation(name.trim());
      route(console.address(id), true);
    } catch (error) {
      setWrong(sentenceOf(error, t.failure));
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <div class="form-field">
        <label for="organisation-name">{t.noMember.make}</label>
        <input
          class="field"
          id="organisation-name"
          required
          maxLength={200}
          value={name}
          aria-describedby="organisation-hint"
          aria-invalid={wrong !== null}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <p class={wrong === null ? 'hint' : 'hint bad'} id="organisation-hint" role="status">
          {wrong ?? t.noMember.makeHint}
        </p>
      </div>
      <div class="actions">
        <button class="button" type="submit" aria-disabled={isSending}>
          {isSending ? t.form.sending : t.noMember.makeButton}
        </button>
      </div>
    </form>
  );
};
