import { useState } from 'preact/hooks';
import type { App } from '../app.js';
import { Markdown } from '../text.js';
import { timeOfDay } from '../clock.js';
import { Card, Confirm, minutesOf, Screen, useMillisecondsUntil } from '../parts.js';
import type { BriefingTicket, TicketProgress } from '../../packages/client/src/contract.js';
import { interviewMinutes, timeFactorOf, type Visit } from '../state.js';
import { TicketBody, ticketName } from './ticket.js';
import { Withdraw } from './leaving.js';

const NONE: ReadonlyMap<string, TicketProgress> = new Map();

/** The tickets, each of which is started and finished by the candidate. */
export const Work = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const { briefing } = visit;
  const tickets = briefing?.tickets ?? [];
  const progress = app.activity.value?.progress.value ?? NONE;
  const [asking, setAsking] = useState(false);
  const mark = (ticketId: string, to: TicketProgress) =>
    app.did(to === 'started' ? 'ticket.started' : 'ticket.finished', { ticketId });
  const unfinished = tickets.filter(({ id }) => progress.get(id) !== 'finished').length;
  return (
    <Screen title={t.work.title}>
      <Frame app={app} visit={visit} />
      {briefing?.instructions && (
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
          ticket={ticket}
          number={at + 1}
          progress={progress.get(ticket.id) ?? null}
          mark={(to) => mark(ticket.id, to)}
        />
      ))}
      <Card title={t.step.room}>
        <p>{t.work.toRoomText(t.minutes(interviewMinutes(visit)))}</p>
        <button class="button large" type="button" onClick={() => setAsking(true)}>
          {t.work.toRoom}
        </button>
      </Card>
      <Withdraw app={app} />
      {asking && (
        <Confirm
          title={t.work.confirmTitle}
          text={
            unfinished > 0 ? `${t.work.confirmOpen(unfinished)} ${t.work.confirmText}` : t.work.confirmText
          }
          yes={t.work.confirm}
          no={t.work.notYet}
          close={() => setAsking(false)}
          confirm={() => app.go('room')}
        />
      )}
    </Screen>
  );
};

const Frame = ({ app, visit }: { readonly app: App; readonly visit: Visit }) => {
  const t = app.t.value;
  const { startedAt } = visit.session;
  const timeFrameMinutes = visit.briefing?.timeFrameMinutes ?? null;
  const planned =
    startedAt && timeFrameMinutes
      ? Date.parse(startedAt) + timeFrameMinutes * 60_000 * timeFactorOf(visit)
      : null;
  const left = useMillisecondsUntil(planned);
  if (startedAt === null) return null;
  return (
    <p class="soft">
      {t.work.since(timeOfDay(app.language.value, startedAt))}{' '}
      {left !== null && (left > 0 ? t.work.left(minutesOf(t, left)) : t.work.over)}
    </p>
  );
};

interface TicketProps {
  readonly app: App;
  readonly ticket: BriefingTicket;
  readonly number: number;
  readonly progress: TicketProgress | null;
  readonly mark: (to: TicketProgress) => void;
}

const TicketCard = ({ app, ticket, number, progress, mark }: TicketProps) => {
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
      <TicketBody app={app} ticket={ticket} />
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
