import { useEffect, useRef, useState } from 'preact/hooks';
import {
  type AccommodationRequest,
  type OwnTrialSession,
  requestAccommodationLimits,
} from '../../../packages/client/src/contract.js';
import { dateTime, deadline } from '../../shared/clock.js';
import { Card, LimitedField, Screen, Status, textOf } from '../../shared/components.js';
import { Markdown } from '../../shared/markdown-view.js';
import type { App } from '../app.js';
import { Withdraw } from '../leaving.js';
import { interviewMinutes, timeFactorOf, type Visit } from '../state.js';
import { TicketDetails } from '../work/ticket.js';

/** How often the page reads whether a request was answered. */
const POLL_MS = 30_000;

interface Props {
  readonly app: App;
  readonly visit: Visit;
}

/** Shows who invites to what, what is recorded and why, and asks for consent. */
export const Before = ({ app, visit }: Props) => {
  const t = app.t.value;
  const language = app.language.value;
  const { session, briefing } = visit;
  const typed = app.typedOnly.value;
  return (
    <Screen title={t.before.title(briefing.roleName)}>
      <Card title={t.before.expectTitle}>
        {briefing.candidateName && <p>{t.before.hello(briefing.candidateName)},</p>}
        <p>{t.before.from(briefing.organisationName)}</p>
        <ul class="plain">
          <li>{t.before.open(deadline(language, session.expiresAt, briefing.timeZone))}</li>
          {briefing.timeFrameMinutes && (
            <li>{t.before.frame(t.minutes(Math.round(briefing.timeFrameMinutes * timeFactorOf(visit))))}</li>
          )}
          <li>
            {t.before.interview} {typed ? t.before.byTyping : t.before.byEither}{' '}
            {t.before.interviewTime(t.minutes(interviewMinutes(visit)))}
          </li>
          <li>{t.before.stay}</li>
        </ul>
      </Card>
      {briefing.instructions && (
        <Card title={t.before.instructionsTitle}>
          <Markdown text={briefing.instructions} />
        </Card>
      )}
      {briefing.tickets.length > 0 && (
        <Card title={t.before.tasksTitle}>
          <p>{t.before.tasksCount(briefing.tickets.length)}</p>
          {briefing.tickets.map((ticket, at) => (
            <TicketDetails key={ticket.id} app={app} sessionId={session.id} ticket={ticket} number={at + 1} />
          ))}
        </Card>
      )}
      <Accommodation app={app} visit={visit} />
      <Card title={t.before.noticeTitle}>
        <Markdown text={briefing.notice.text} />
      </Card>
      <section class="card quiet">
        <p>{typed ? t.before.prepareTyping : t.before.prepare}</p>
        <div class="actions">
          <button class="button quiet" type="button" onClick={() => app.go('check')}>
            {typed ? t.before.toCheckTyping : t.before.toCheck}
          </button>
          <button class="button quiet" type="button" onClick={() => app.go('practice')}>
            {t.before.toPractice}
          </button>
        </div>
      </section>
      <Consent app={app} visit={visit} />
      <Withdraw app={app} session={session} />
    </Screen>
  );
};

/**
 * Starts the session with the candidate's consent to the notice that was read.
 * @returns `null`: it started; `changed`: there is another notice, which is shown now; `failed`
 */
const start = async (app: App, { session, briefing }: Visit): Promise<'changed' | 'failed' | null> => {
  const body = { consent: true, noticeVersion: briefing.notice.version };
  const started = await app.attempt('start', (signal) =>
    app.api.post<OwnTrialSession>(`trial-sessions/${session.id}/start`, body, { signal }),
  );
  if ('done' in started) {
    app.change({ type: 'session', session: started.done });
    return null;
  }
  if (started.failure.status !== 409) return 'failed';
  if (started.failure.code !== 'notice_changed') {
    // Another tab has started or ended it.
    await app.load();
    return null;
  }
  const current = await app.briefingOf(session.id).catch(() => null);
  if (current) app.change({ type: 'briefing', briefing: current });
  return 'changed';
};

/** The form that starts the session. It sends nothing without the consent. */
const Consent = ({ app, visit }: Props) => {
  const t = app.t.value.before;
  const box = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<'idle' | 'missing' | 'starting' | 'changed' | 'failed'>('idle');
  const submit = async (event: Event) => {
    event.preventDefault();
    if (!box.current?.checked) {
      setState('missing');
      box.current?.focus();
      return;
    }
    setState('starting');
    const hindered = await start(app, visit);
    if (hindered === 'changed') box.current.checked = false;
    setState(hindered ?? 'idle');
  };
  const wrong = { idle: '', starting: '', missing: t.consentFirst, changed: t.changed, failed: t.failed }[
    state
  ];
  return (
    <Card title={t.startTitle}>
      <form noValidate onSubmit={(event) => void submit(event)}>
        <label class="check">
          <input
            ref={box}
            type="checkbox"
            aria-describedby={wrong ? 'consent-problem' : undefined}
            aria-invalid={state === 'missing'}
            onInput={() => setState('idle')}
          />
          <span>{t.consent}</span>
        </label>
        <p class="wrong" id="consent-problem" role="alert">
          {wrong}
        </p>
        <button class="button large" type="submit" aria-disabled={state === 'starting'}>
          {state === 'starting' ? t.starting : t.start}
        </button>
      </form>
    </Card>
  );
};

/** @returns whether it was sent */
const askForAccommodation = async (app: App, applicationId: string, text: string): Promise<boolean> => {
  const asked = await app.attempt('sending', (signal) =>
    app.api.post<AccommodationRequest>(
      `applications/${applicationId}/accommodation-requests`,
      { text },
      { signal },
    ),
  );
  if ('done' in asked) app.changeBriefing(() => ({ accommodationRequest: asked.done }));
  return 'done' in asked;
};

/** What is granted, what was asked for, or a form to ask. While a request is open, the briefing is read again. */
const Accommodation = ({ app, visit }: Props) => {
  const t = app.t.value.before;
  const [failed, setFailed] = useState(false);
  const { briefing } = visit;
  const { timeFactor, typedOnly, captions } = briefing.accommodations;
  const granted = [
    ...(timeFactor > 1 ? [t.moreTime(timeFactor.toLocaleString(app.language.value))] : []),
    ...(typedOnly ? [t.typedOnly] : []),
    ...(captions ? [t.captions] : []),
  ];
  const request = briefing.accommodationRequest;
  const waits = request !== null;
  useEffect(() => {
    if (!waits) return undefined;
    const timer = setInterval(() => void app.readBriefing(), POLL_MS);
    return () => clearInterval(timer);
  }, [waits]);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const text = textOf(new FormData(event.currentTarget as HTMLFormElement), 'text');
    if (text === '') return;
    const sent = await askForAccommodation(app, visit.application.id, text);
    setFailed(!sent);
  };
  return (
    <section class="card">
      <h2>{t.accommodationTitle}</h2>
      <Status>{granted.length > 0 && `${t.accommodationGranted} ${granted.join(', ')}.`}</Status>
      {request ? (
        <Status tone="good">{t.accommodationSent(dateTime(app.language.value, request.requestedAt))}</Status>
      ) : (
        <details>
          <summary>{t.accommodationLabel}</summary>
          <form onSubmit={(event) => void submit(event)}>
            <p>{t.accommodationText}</p>
            <LimitedField
              t={app.t.value}
              label={t.accommodationLabel}
              limit={requestAccommodationLimits.text}
              name="text"
              rows={4}
              required
            />
            <button class="button quiet" type="submit">
              {t.accommodationSend}
            </button>
            {failed && <Status tone="bad">{t.accommodationFailed}</Status>}
          </form>
        </details>
      )}
    </section>
  );
};
