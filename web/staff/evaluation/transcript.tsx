import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Evaluation, EvidenceEvent } from '../../../packages/client/src/index.js';
import { usePlace } from '../console.js';
import { factsOf, type Line, eventOfPlace, lineOf, placeId, transcriptOf } from './evidence.js';
import { PlayLine } from './play-line.js';
import { labelOf, useFigures, useTexts } from './texts.js';

/** Everything that was recorded: the conversation, with the other events in between. */
export const Transcript = ({ evaluation }: { readonly evaluation: Evaluation }) => {
  const e = useTexts();
  const lines = transcriptOf(evaluation.evidence.events);
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const show = (): void => showPlace(list.current, lines);
    show();
    addEventListener('hashchange', show);
    return () => removeEventListener('hashchange', show);
  }, [evaluation.id, lines.length]);
  return (
    <section>
      <h2>{e.transcript.title}</h2>
      <p class="soft">{lines.length === 0 ? e.transcript.empty : e.transcript.text}</p>
      <ol class="transcript" ref={list}>
        {lines.map((line) => (
          <TranscriptLine key={line.id} line={line} evaluation={evaluation} />
        ))}
      </ol>
    </section>
  );
};

/** Marks the event that the address's fragment names, opens the parts around it, and scrolls to it. */
const showPlace = (list: HTMLElement | null, lines: readonly Line[]): void => {
  const eventId = eventOfPlace(location.hash);
  if (list === null || eventId === null || lineOf(lines, eventId) === null) return;
  const target = list.querySelector<HTMLElement>(`#${placeId(eventId)}`);
  target?.closest('details')?.setAttribute('open', '');
  for (const marked of list.querySelectorAll('[aria-current]')) marked.removeAttribute('aria-current');
  target?.setAttribute('aria-current', 'true');
  target?.scrollIntoView({ block: 'center' });
  target?.focus({ preventScroll: true });
};

/** A shorter gap before an answer is not shown, since it has no meaning. */
const MIN_GAP_MS = 100;

/** A question, an answer, a skipped question, a message, or the events between them. */
const TranscriptLine = ({ line, evaluation }: { readonly line: Line; readonly evaluation: Evaluation }) => {
  const e = useTexts();
  const figure = useFigures();
  const unreadable = <em class="soft">{e.transcript.unreadable}</em>;
  switch (line.kind) {
    case 'question':
      return (
        <Said
          line={line}
          who={e.transcript.interviewer}
          notes={[
            ...(line.question === null ? [] : [e.transcript.question(line.question)]),
            labelOf(e.transcript.kinds, line.asked),
            ...dimensionNames(line.dimensionIds, evaluation),
          ]}
        >
          {line.preface !== null && <p class="soft">{line.preface}</p>}
          <p class="pre">{line.text ?? unreadable}</p>
        </Said>
      );
    case 'answer':
      return (
        <Said
          line={line}
          who={e.transcript.candidate}
          notes={[
            labelOf(e.transcript.answered, line.source),
            ...(line.gapMs === null || line.gapMs < MIN_GAP_MS
              ? []
              : [e.transcript.gap(figure(secondsOf(line.gapMs)))]),
            ...(line.isLate ? [e.transcript.late] : []),
            ...(line.asksAgain ? [e.transcript.asksAgain] : []),
          ]}
        >
          <p class="pre">{line.text ?? unreadable}</p>
          <PlayLine spoken={line.spoken} question={line.question} sessionId={evaluation.trialSessionId} />
        </Said>
      );
    case 'skipped':
      return (
        <Said
          line={line}
          who={e.transcript.candidate}
          notes={line.question === null ? [] : [e.transcript.question(line.question)]}
        >
          <p>{e.transcript.skipped}</p>
          <PlayLine spoken={line.spoken} question={line.question} sessionId={evaluation.trialSessionId} />
        </Said>
      );
    case 'message':
      return (
        <Said line={line} who={e.transcript.candidate} notes={[e.transcript.message(line.to)]}>
          <p class="pre">{line.text ?? unreadable}</p>
        </Said>
      );
    case 'events':
      return <Events events={line.events} />;
  }
};

/** With one decimal place. */
const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

const dimensionNames = (ids: readonly string[], { scores }: Evaluation): readonly string[] =>
  scores.filter(({ dimensionId }) => ids.includes(dimensionId)).map(({ dimensionName }) => dimensionName);

/** A line of the conversation: who, when, notes about it, and the words. */
const Said = ({
  line,
  who,
  notes,
  children,
}: {
  readonly line: Line;
  readonly who: string;
  readonly notes: readonly string[];
  readonly children: ComponentChildren;
}) => (
  <li class={`said ${line.kind}`} id={placeId(line.id)} tabIndex={-1}>
    <p class="said-by">
      <strong>{who}</strong>{' '}
      <span class="soft small">
        {notes.map((note) => `${note} · `)}
        <Clock at={line.at} />
      </span>
    </p>
    {children}
  </li>
);

/** More events in a row are hidden until the reader opens them. */
const FEW = 3;

const Events = ({ events }: { readonly events: readonly EvidenceEvent[] }) => {
  const e = useTexts();
  const rows = (
    <ul class="events">
      {events.map((event) => (
        <EventRow key={event.id} event={event} />
      ))}
    </ul>
  );
  return (
    <li class="between">
      {events.length <= FEW ? (
        rows
      ) : (
        <details>
          <summary class="plain soft">{e.events.count(events.length)}</summary>
          {rows}
        </details>
      )}
    </li>
  );
};

const EventRow = ({ event }: { readonly event: EvidenceEvent }) => {
  const e = useTexts();
  return (
    <li id={placeId(event.id)} tabIndex={-1}>
      <Clock at={event.occurredAt} /> <EventWords event={event} />{' '}
      <span class="soft small">({labelOf(e.transcript.sources, event.source)})</span>
    </li>
  );
};

/** The titles of the organisation's tickets, by id, as far as they are loaded. */
export const TicketTitles = createContext<ReadonlyMap<string, string>>(new Map());

/** An event's label and its facts. */
export const EventWords = ({ event }: { readonly event: EvidenceEvent }) => {
  const e = useTexts();
  const facts = factsOf(event, e.events, useContext(TicketTitles));
  return (
    <>
      {labelOf(e.events.types, event.eventType)}
      {facts.length > 0 && `: ${facts.join(', ')}`}
    </>
  );
};

/** The time of day, to the second; with the date as a tooltip. */
const Clock = ({ at }: { readonly at: string }) => {
  const { language } = usePlace();
  const date = new Date(at);
  return (
    <time
      class="soft"
      dateTime={at}
      title={date.toLocaleString(language, { dateStyle: 'full', timeStyle: 'long' })}
    >
      {date.toLocaleTimeString(language)}
    </time>
  );
};
