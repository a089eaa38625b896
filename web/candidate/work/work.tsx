import { useState } from 'preact/hooks';
import type { BriefingTicket, TicketProgress } from '../../../packages/client/src/contract.js';
import { dateTime } from '../../shared/clock.js';
import { Card, Confirm, minutesOf, Screen, Status, useMillisecondsUntil } from '../../shared/components.js';
import { Markdown } from '../../shared/markdown-view.js';
import type { App } from '../app.js';
import { HandInPart, loadHandIns } from '../hand-in/load.js';
import { Withdraw } from '../leaving.js';
import { interviewMinutes, timeFactorOf, type Visit } from '../state.js';
import { TicketBody, ticketName } from './ticket.js';

/** The tickets, each of which is started and finished by the candidate. */
export const Work = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const { briefing } = visit;
  const { tickets } = briefing;
  const progress = app.recording.progress;
  /** Sentences about what is not handed in, while the page asks whether to continue; `null`: it does not ask. */
  const [unsent, setUnsent] = useState<string | null>(null);
  const [failed, setFailed] = useState(false);
  const mark = (ticketId: string, to: TicketProgress) => app.recording.did(`ticket.${to}`, { ticketId });
  const hasBegun = app.hasBegun(visit.session);
  const unfinished = tickets.filter(({ id }) => progress.get(id) !== 'finished').length;
  /** What is not handed in, if a ticket has a `kind`; `null`: it could not be found out. */
  const unsentSentences = async (): Promise<string | null> => {
    if (!tickets.some(({ kind }) => kind)) return '';
    const handIns = await loadHandIns(app);
    const named = tickets.map((ticket, at) => ({ ticket, title: ticketName({ t, ticket, number: at + 1 }) }));
    return handIns?.unsentSentences(named) ?? null;
  };
  /** Asks whether to continue to the interview; if that has begun, only if something is not handed in. */
  const toRoom = async () => {
    const sentences = await unsentSentences();
    setFailed(sentences === null);
    if (hasBegun && sentences === '') app.go('room');
    else setUnsent(sentences);
  };
  return (
    <Screen title={t.work.title}>
      <TimeLeft app={app} visit={visit} />
      {briefing.instructions && (
        <details class="card">
          <summary>{t.before.instructionsTitle}</summary>
          <Markdown text={briefing.instructions} />
        </details>
      )}
      {tickets.length === 0 && <p>{t.work.none}</p>}
      {tickets.map((ticket, at) => (
        <TicketCard
          key={ticket.id}
          app={app}
          sessionId={visit.session.id}
          ticket={ticket}
          number={at + 1}
          progress={progress.get(ticket.id) ?? null}
          mark={(to) => mark(ticket.id, to)}
        />
      ))}
      <Card title={t.step.room}>
        <p>
          {hasBegun
            ? `${t.work.begun} ${t.work.confirmText}`
            : t.work.toRoomText(t.minutes(interviewMinutes(visit)))}
        </p>
        <button class="button large" type="button" onClick={() => void toRoom()}>
          {t.work.toRoom}
        </button>
        {failed && <Status tone="bad">{t.work.notRead}</Status>}
      </Card>
      <Withdraw app={app} session={visit.session} />
      {unsent !== null && (
        <Confirm
          title={t.work.confirmTitle}
          text={`${unsent} ${unfinished > 0 ? t.work.confirmOpen(unfinished) : ''} ${t.work.confirmText}`.trim()}
          yes={t.work.confirm}
          no={t.work.notYet}
          close={() => setUnsent(null)}
          confirm={() => app.go('room')}
        />
      )}
    </Screen>
  );
};

/** When the work began, and how much of the planned time is left. */
const TimeLeft = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const { startedAt } = visit.session;
  const timeFrameMinutes = visit.briefing.timeFrameMinutes;
  const planned =
    startedAt && timeFrameMinutes
      ? Date.parse(startedAt) + timeFrameMinutes * 60_000 * timeFactorOf(visit)
      : null;
  const left = useMillisecondsUntil(planned);
  if (startedAt === null) return null;
  return (
    <p class="soft">
      {t.work.since(dateTime(app.language.value, startedAt))}{' '}
      {left !== null && (left > 0 ? t.work.left(minutesOf(t, left)) : t.work.over)}
    </p>
  );
};

interface TicketProps {
  readonly app: App;
  readonly sessionId: string;
  readonly ticket: BriefingTicket;
  readonly number: number;
  readonly progress: TicketProgress | null;
  readonly mark: (to: TicketProgress) => void;
}

/** One ticket with its work, and the button that starts, finishes or reopens it. */
const TicketCard = ({ app, sessionId, ticket, number, progress, mark }: TicketProps) => {
  const t = app.t.value;
  const title = ticketName({ t, ticket, number });
  const action = progress === null ? t.work.start : progress === 'started' ? t.work.finish : t.work.reopen;
  return (
    <section class="card" aria-label={title}>
      <div class="row">
        <h2>{title}</h2>
        <span role="status" class={progress === 'finished' ? 'badge good' : 'badge'}>
          {progress && t.work[progress]}
        </span>
      </div>
      {ticket.estimatedMinutes !== null && (
        <p class="soft">{t.work.estimated(t.minutes(ticket.estimatedMinutes))}</p>
      )}
      <TicketBody app={app} sessionId={sessionId} ticket={ticket} />
      <HandInPart app={app} ticket={ticket} title={title} />
      <div class="actions">
        <button
          class={progress === 'finished' ? 'button quiet' : 'button'}
          type="button"
          aria-label={`${action}: ${title}`}
          onClick={() => mark(progress === 'started' ? 'finished' : 'started')}
        >
          {action}
        </button>
      </div>
    </section>
  );
};
