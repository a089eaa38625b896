import { useEffect, useState } from 'preact/hooks';
import type { Console } from '../console.js';
import { NotSent } from '../parts/layout.js';

/** Shown while signed out: why, and how to sign in. The requested page is opened afterwards. */
export const SignedOut = ({
  console,
  because,
}: {
  readonly console: Console;
  readonly because: 'new' | 'failed' | 'left' | 'unavailable';
}) => {
  const t = console.t.value;
  const [leaving, setLeaving] = useState(false);
  const [email, setEmail] = useState('');
  const config = console.session.value?.config;
  const isDevelopment = config?.development === true;
  useEffect(() => {
    document.title = `${t.signIn.title} · Assay`;
  }, [t]);
  const leave = (by: () => Promise<void>): void => {
    if (leaving) return;
    setLeaving(true);
    void by().finally(() => setLeaving(false));
  };
  return (
    <section class="card">
      <h1>{t.signIn.title}</h1>
      {because !== 'new' && (
        <p class={because === 'left' ? 'note' : 'note bad'} role="alert">
          {t.signIn.because[because]}
        </p>
      )}
      {because === 'unavailable' ? (
        <div class="actions">
          <button class="button" type="button" onClick={() => void console.open()}>
            {t.failure.retry}
          </button>
        </div>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            leave(() => (isDevelopment && email !== '' ? console.signInAsAnybody(email) : console.signIn()));
          }}
        >
          <p>{t.signIn.what}</p>
          <p>{t.signIn.text}</p>
          {isDevelopment && config.people.length > 0 && (
            <ul class="people" aria-label={t.signIn.people}>
              {config.people.map(({ name, email: address, role }) => (
                <li key={address}>
                  <button
                    class="button quiet"
                    type="button"
                    onClick={() => leave(() => console.signInAsAnybody(address))}
                  >
                    {name} <span class="soft">{t.memberRole[role]}</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {isDevelopment && (
            <div class="form-field">
              <label for="development-email">{t.signIn.developmentEmail}</label>
              <input
                class="field"
                id="development-email"
                type="email"
                autocomplete="email"
                value={email}
                aria-describedby="development-hint"
                onInput={({ currentTarget }) => setEmail(currentTarget.value)}
              />
              <p class="hint" id="development-hint">
                {t.signIn.development}
              </p>
            </div>
          )}
          <div class="actions">
            <button class="button" type="submit" aria-disabled={leaving}>
              {leaving ? t.signIn.leaving : t.signIn.button}
            </button>
          </div>
          <p class="soft small">{t.signIn.candidates}</p>
          <NotSent console={console} />
        </form>
      )}
    </section>
  );
};
