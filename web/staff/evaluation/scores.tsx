import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type {
  DimensionTerm,
  Evaluation,
  EvidenceEvent,
  ExplainedDimension,
  Explanation,
  QuotedEvidence,
  Score,
} from '../../../packages/client/src/index.js';
import type { EvaluationTexts } from '../../../src/languages/en/console-evaluation.js';
import { usePlace } from '../console.js';
import { Badge } from '../parts/layout.js';
import { Contributions } from './contributions.js';
import { isCut, quotedAs } from './evidence.js';
import { labelOf, ENGLISH, useFigures, useTexts } from './texts.js';
import { EventWords } from './transcript.js';

/** How many quotes of a term are shown until the reader opens the rest. */
const FIRST_QUOTES = 5;

interface Props {
  readonly evaluation: Evaluation;
  readonly explanation: Explanation;
  /** The address of an event's place in the transcript. */
  readonly placeOf: (eventId: string) => string;
}

/** The address of each piece of evidence in the transcript, and its event. */
interface Places {
  readonly events: ReadonlyMap<string, EvidenceEvent>;
  readonly addressOf: (eventId: string) => string;
}

/** The scores: how the overall one is composed, and each dimension down to its evidence. */
export const Scores = ({ evaluation, explanation, placeOf }: Props) => {
  const e = useTexts();
  const { scoredBy } = explanation;
  const events = new Map(evaluation.evidence.events.map((event) => [event.id, event]));
  const place = { events, addressOf: placeOf };
  return (
    <>
      {explanation.overall.score === null ? (
        <p class="note">{e.scores.none}</p>
      ) : (
        <Contributions evaluation={evaluation} overall={explanation.overall} />
      )}
      {evaluation.scores.map((score) => (
        <DimensionCard
          key={score.dimensionId}
          score={score}
          explained={explanation.dimensions.find(({ dimensionId }) => dimensionId === score.dimensionId)}
          place={place}
        />
      ))}
      <section class="soft small">
        <h2>{e.scores.scoredBy}</h2>
        <InWords of={e.scores.scorers[scoredBy.scorer]} english={scoredBy.description}>
          {e.scores.ruleSet(explanation.ruleSet)}
        </InWords>
      </section>
    </>
  );
};

/**
 * What a sentence of the service says, in the page's language, with the sentence itself to be opened.
 * @param of `undefined`: the page has no words for it, or is English, and shows the sentence
 */
const InWords = ({
  of,
  english,
  before,
  children,
}: {
  readonly of: string | undefined;
  readonly english: string;
  readonly before?: string;
  readonly children?: ComponentChildren;
}) => {
  const e = useTexts();
  const begin = before === undefined ? '' : <strong>{before} </strong>;
  return of === undefined ? (
    <p>
      {begin}
      <span lang={ENGLISH}>{english}</span> {children}
    </p>
  ) : (
    <>
      <p>
        {begin}
        {of} {children}
      </p>
      <details>
        <summary>{e.scores.wording}</summary>
        <p lang={ENGLISH}>{english}</p>
      </details>
    </>
  );
};

/** What a caveat says, in the page's language; `''`: the page has no words for it, or is English. */
const caveatIn = (
  words: EvaluationTexts['scores']['caveats'],
  { unchecked, terms }: ExplainedDimension,
  category: string,
  figure: (value: number) => string,
): string => {
  if (words === null) return '';
  const isChecked = terms.some(({ sources }) => sources.includes('checker'));
  const tickets = new Set(unchecked?.checks.flatMap((one) => one.tickets)).size;
  return [
    ...(unchecked ? [words.unchecked(tickets, figure(unchecked.points))] : []),
    ...(category === 'correctness' && terms.length > 0 && !isChecked ? [words.notChecked] : []),
    // Without a check that failed, nothing else is left that a caveat says of checked work.
    ...(isChecked && !unchecked ? [words.shared] : []),
  ].join(' ');
};

const DimensionCard = ({
  score,
  explained,
  place,
}: {
  readonly score: Score;
  readonly explained: ExplainedDimension | undefined;
  readonly place: Places;
}) => {
  const { t } = usePlace();
  const e = useTexts();
  const figure = useFigures();
  const { dimensionId, dimensionName, dimensionCategory, threshold, passed } = score;
  const caveat = explained && caveatIn(e.scores.caveats, explained, dimensionCategory, figure);
  return (
    <section class="card dimension" id={`d-${dimensionId}`} tabIndex={-1}>
      <div class="row">
        <h2>
          {dimensionName}{' '}
          <span class="soft small plain">{labelOf(t.role.categories, dimensionCategory)}</span>
        </h2>
        <p class="facts">
          <strong class="figure">{score.score}</strong>
          <span class="soft">{threshold === null ? e.scores.noThreshold : e.scores.passesAt(threshold)}</span>
          {passed !== null && (
            <Badge tone={passed ? 'good' : ''}>{passed ? e.scores.passed : e.scores.notPassed}</Badge>
          )}
        </p>
      </div>
      <meter
        class="score-bar"
        min={0}
        max={100}
        value={score.score}
        low={threshold ?? 0}
        optimum={100}
        aria-label={`${dimensionName}: ${score.score}`}
      />
      {explained && explained.caveat !== null && (
        <div class="note">
          <InWords of={caveat || undefined} english={explained.caveat} before={`${e.scores.caveat}:`} />
        </div>
      )}
      {explained?.terms.map((term) => (
        <Term key={term.signal} term={term} place={place} />
      ))}
      {explained && explained.leftOut.length > 0 && (
        <details>
          <summary class="plain soft">{e.scores.leftOut(explained.leftOut.length)}</summary>
          <dl>
            {explained.leftOut.map(({ signal, reasonCode }) => (
              <div key={signal}>
                <dt>{labelOf(e.scores.signals, signal)}</dt>
                <dd>{e.scores.leftOutBecause[reasonCode]}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
      {score.rationale !== null && (
        <details>
          <summary class="plain soft">{e.scores.rationale}</summary>
          <p class="pre" lang={ENGLISH}>
            {score.rationale}
          </p>
        </details>
      )}
    </section>
  );
};

/** A term of the explanation, which can be opened to show its evidence. */
const Term = ({ term, place }: { readonly term: DimensionTerm; readonly place: Places }) => {
  const { language } = usePlace();
  const e = useTexts();
  const figure = useFigures();
  const { signal, contribution, weight, sources, vouchedBy, evidence } = term;
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? evidence : evidence.slice(0, FIRST_QUOTES);
  return (
    <details class="term">
      <summary>
        <span class="term-name">{labelOf(e.scores.signals, signal)}</span>{' '}
        <span class="soft plain">{e.scores.of(figure(contribution), figure(weight))}</span>
      </summary>
      <p>
        <span class="soft">{e.scores.vouched}: </span>
        {language !== ENGLISH && `${sources.map((source) => labelOf(e.scores.sources, source)).join(', ')}. `}
        {(language === ENGLISH || sources.includes('checker')) && <span lang={ENGLISH}>{vouchedBy}</span>}
      </p>
      {evidence.length === 0 ? (
        <p class="soft">{e.scores.noQuotes}</p>
      ) : (
        <ul class="quotes">
          {shown.map((quoted, index) => (
            <li key={index}>
              <Quote {...quoted} place={place} />
            </li>
          ))}
        </ul>
      )}
      {shown.length < evidence.length && (
        <button class="button quiet small" type="button" onClick={() => setWhole(true)}>
          {e.scores.more(evidence.length - shown.length)}
        </button>
      )}
    </details>
  );
};

const Quote = ({ eventId, quote, place }: QuotedEvidence & { readonly place: Places }) => {
  const e = useTexts();
  const event = place.events.get(eventId);
  const shown = quotedAs(quote, event);
  return (
    <a href={place.addressOf(eventId)}>
      {shown === 'words' && quote !== null && e.scores.quoted(isCut(quote, event) ? `${quote} …` : quote)}
      {shown === 'line' && <code>{quote}</code>}
      {shown === 'event' && (event ? <EventWords event={event} /> : e.scores.noText)}
    </a>
  );
};
