import { useEffect, useState } from 'preact/hooks';
import type {
  OwnEvaluation,
  OwnEvaluations,
  ReleasedDimension,
} from '../../../packages/client/src/contract.js';
import type { PageTexts as Texts } from '../../../src/languages/en/page.js';
import { ApiFailure } from '../../shared/api.js';
import { Card } from '../../shared/components.js';
import type { App } from '../app.js';

/** Waits between reads: the evaluation may follow some time after the session's end. */
const WAITS_MS = [0, 2_000, 10_000];

/** @returns `null` if nothing is released, or it cannot be read at the moment */
const readEvaluation = async (app: App, applicationId: string): Promise<OwnEvaluation | null> => {
  try {
    const { items } = await app.api.get<OwnEvaluations>('me/evaluations');
    const own = items.find((one) => one.applicationId === applicationId);
    return own ? await app.api.get<OwnEvaluation>(`me/evaluations/${own.evaluationId}`) : null;
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401) app.account.refused(error);
    return null;
  }
};

/** What is released of the evaluation. It is read again when the page comes back into sight: staff act meanwhile. */
export const useEvaluation = (
  app: App,
  applicationId: string,
  isCompleted: boolean,
): readonly [OwnEvaluation | null, (evaluation: OwnEvaluation) => void] => {
  const [evaluation, setEvaluation] = useState<OwnEvaluation | null>(null);
  useEffect(() => {
    if (!isCompleted) return;
    let open = true;
    const read = async (waits: readonly number[]) => {
      for (const ms of waits) {
        await new Promise((resolve) => setTimeout(resolve, ms));
        const found = open ? await readEvaluation(app, applicationId) : null;
        if (!open) return;
        if (found) {
          setEvaluation(found);
          return;
        }
      }
    };
    const shown = () => document.visibilityState === 'visible' && void read([0]);
    void read(WAITS_MS);
    document.addEventListener('visibilitychange', shown);
    return () => {
      open = false;
      document.removeEventListener('visibilitychange', shown);
    };
  }, [isCompleted]);
  return [evaluation, setEvaluation];
};

/** The result as far as the organisation shows it, with how it came about. */
export const Result = ({
  app,
  result,
  explanation,
}: { readonly app: App; readonly result: NonNullable<OwnEvaluation['result']> } & Pick<
  OwnEvaluation,
  'explanation'
>) => {
  const t = app.t.value.result;
  return (
    <Card title={t.title}>
      {result.overallScore !== null && (
        <p class="question">{t.score(result.overallScore, result.overallThreshold)}</p>
      )}
      {result.passed !== null && <p>{result.passed ? t.passed : t.failed}</p>}
      <p class="soft">{t.decided}</p>
      {explanation && (
        <>
          <h3>{t.dimensionsTitle}</h3>
          {explanation.dimensions.map((dimension) => (
            <Explained key={dimension.dimensionId} {...{ t, dimension, language: app.language.value }} />
          ))}
        </>
      )}
    </Card>
  );
};

const Explained = ({
  t,
  dimension,
  language,
}: {
  readonly t: Texts['result'];
  readonly dimension: ReleasedDimension;
  readonly language: string;
}) => (
  <details class="explained">
    <summary>
      {dimension.dimensionName} · {t.points(dimension.score)}
      {dimension.uncheckedPoints !== null && (
        <span class="soft">
          {t.unchecked(dimension.uncheckedPoints.toLocaleString(language, { maximumFractionDigits: 6 }))}
        </span>
      )}
    </summary>
    {dimension.threshold !== null && <p>{t.threshold(dimension.threshold)}</p>}
    {dimension.rationale && <p class="answer">{dimension.rationale}</p>}
    {dimension.quotes.length > 0 && <p>{t.quotes}</p>}
    {dimension.quotes.map(({ eventId, quote }) => (
      <blockquote key={eventId + quote}>{quote}</blockquote>
    ))}
  </details>
);
