import { type Language, PAGE_TEXTS } from '../../src/languages/languages.js';
import { Confirm, minutesOf, Screen, Status, useMillisecondsUntil } from '../shared/components.js';
import { After } from './after/after.js';
import type { App } from './app.js';
import { Before } from './before/before.js';
import { Check, Practice } from './before/rehearsal.js';
import { Room } from './interview/room.js';
import { SignedOut } from './sign-in/signed-out.js';
import { type State, type Step, stepsOf, type Visit } from './state.js';
import { Work } from './work/work.js';

interface Props {
  readonly app: App;
}

/** The whole page: its frame, the banners, and the screen of the state. */
export const Page = ({ app }: Props) => {
  const t = app.t.value;
  const state = app.state.value;
  return (
    <>
      <a class="skip" href="#content">
        {t.skip}
      </a>
      <header class="top">
        <Brand state={state} />
        <Languages app={app} />
      </header>
      {state.at === 'in' && <Steps app={app} visit={state.visit} current={state.step} />}
      <main id="content" tabIndex={-1}>
        <div role="status" class={app.online.value ? 'hidden' : 'note offline'}>
          {app.online.value ? '' : t.offline}
        </div>
        <Banners app={app} />
        <CurrentScreen app={app} state={state} />
      </main>
      {state.at === 'in' && <WaitingBar app={app} />}
      {app.account.email.value && (
        <footer>
          <span>{t.signedInAs(app.account.email.value)}</span>
          <button class="link" type="button" onClick={() => void app.account.signOut()}>
            {t.signOut}
          </button>
        </footer>
      )}
    </>
  );
};

/** The logo of the organisation that invites, if it has one. */
const Brand = ({ state }: { readonly state: State }) => {
  const briefing = state.at === 'in' ? state.visit.briefing : null;
  return briefing?.organisationLogo ? (
    <img class="logo" src={briefing.organisationLogo.url} alt={briefing.organisationName} />
  ) : (
    <span class="brand" aria-hidden="true">
      Assay
    </span>
  );
};

/** Notes above every screen, such as that there is no connection. */
const Banners = ({ app }: Props) => {
  const t = app.t.value;
  const lost = app.recording.lost.value;
  const unsent = app.account.unsent.value;
  const left = useMillisecondsUntil(app.account.leavesAt.value);
  return (
    <>
      {left !== null && (
        <section class="note" aria-label={t.signIn.renewal}>
          <p role="status">{t.signIn.leaves(minutesOf(t, left))}</p>
          <button class="button quiet" type="button" onClick={() => void app.account.leave('renewal')}>
            {t.signIn.leaveNow}
          </button>
        </section>
      )}
      {app.outdated.value && (
        <section class="note" role="alert">
          <p>{t.outdated}</p>
          <button class="button quiet" type="button" onClick={() => location.reload()}>
            {t.loadAgain}
          </button>
        </section>
      )}
      {lost && (
        <p class="note bad" role="alert">
          {t.lost[lost.why](lost.count)}
        </p>
      )}
      {unsent !== null && (
        <Confirm
          title={t.unsent.title(unsent)}
          text={t.unsent.text}
          yes={t.unsent.lose}
          no={t.unsent.stay}
          dangerous
          confirm={() => void app.account.signOut(true)}
          close={() => {
            app.account.unsent.value = null;
          }}
        />
      )}
    </>
  );
};

/** Shown during a long wait: what it is for, and a button that cancels it. */
const WaitingBar = ({ app }: Props) => {
  const t = app.t.value;
  const waiting = app.waits.shown.value;
  return (
    <div class={waiting ? 'waiting' : 'hidden'} role="status">
      {waiting && (
        <>
          <span>{t.waiting[waiting.what]}</span>{' '}
          <button class="button quiet" type="button" onClick={waiting.leave}>
            {t.waiting.leave}
          </button>
        </>
      )}
    </div>
  );
};

/** The screen of the state. Each has a key of its own, so that the heading of the next one gets the focus. */
const CurrentScreen = ({ app, state }: Props & { readonly state: State }) => {
  switch (state.at) {
    case 'loading':
      return <Loading app={app} />;
    case 'signed-out':
      return <SignedOut key="signed-out" app={app} because={state.because} />;
    case 'unknown':
      return <Unknown app={app} />;
    case 'unavailable':
      return <Unavailable app={app} />;
    case 'in':
      return <StepScreen key={state.step} app={app} visit={state.visit} step={state.step} />;
  }
};

/** The screen of a step. */
const StepScreen = ({ app, visit, step }: Props & { readonly visit: Visit; readonly step: Step }) => {
  switch (step) {
    case 'before':
      return <Before app={app} visit={visit} />;
    case 'check':
      return <Check app={app} visit={visit} />;
    case 'practice':
      return <Practice app={app} visit={visit} />;
    case 'work':
      return <Work app={app} visit={visit} />;
    case 'room':
      return <Room app={app} visit={visit} />;
    case 'after':
      return <After app={app} visit={visit} />;
  }
};

/** The link names no application of the person who is signed in. */
const Unknown = ({ app }: Props) => {
  const t = app.t.value.unknown;
  return (
    <Screen title={t.title}>
      <section class="card">
        <p>{t.text}</p>
        <p>{t.todo}</p>
        <button class="button" type="button" onClick={() => void app.account.signOut()}>
          {t.other}
        </button>
      </section>
    </Screen>
  );
};

/** The application could not be read. */
const Unavailable = ({ app }: Props) => {
  const t = app.t.value;
  return (
    <Screen title={t.unavailable.title}>
      <section class="card">
        <p>{t.unavailable.text}</p>
        <button class="button" type="button" onClick={() => void app.account.tryAgain()}>
          {t.tryAgain}
        </button>
      </section>
    </Screen>
  );
};

/** Shows what it waits for if that takes long. */
const Loading = ({ app }: Props) => {
  const t = app.t.value;
  const waiting = app.waits.shown.value;
  return (
    <>
      <Status>{waiting ? t.waiting[waiting.what] : t.loading}</Status>
      {waiting && (
        <div class="actions">
          <button class="button" type="button" onClick={() => void app.account.tryAgain()}>
            {t.tryAgain}
          </button>
        </div>
      )}
    </>
  );
};

/** The steps, with the current one marked. They can be chosen until the interview runs. */
const Steps = ({ app, visit, current }: Props & { readonly visit: Visit; readonly current: Step }) => {
  const t = app.t.value;
  const steps = stepsOf(visit);
  if (steps.length < 2 || current === 'room') return null;
  return (
    <nav class="steps" aria-label={t.steps}>
      {steps
        .filter((step) => step !== 'room')
        .map((step) => (
          <button
            key={step}
            type="button"
            aria-current={step === current ? 'step' : undefined}
            onClick={() => app.go(step)}
          >
            {t.step[step]}
          </button>
        ))}
    </nav>
  );
};

const Languages = ({ app }: Props) => (
  <label class="languages">
    <span class="hidden">{app.t.value.language}</span>
    <select
      value={app.language.value}
      onChange={({ currentTarget }) => app.chooseLanguage(currentTarget.value as Language)}
    >
      {Object.entries(PAGE_TEXTS).map(([language, { name }]) => (
        <option key={language} value={language} lang={language}>
          {name}
        </option>
      ))}
    </select>
  </label>
);
