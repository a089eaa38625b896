import pMap from 'p-map';
import { type ChatMessage, ChatModel, type ChatModelOptions } from '../../clients/openai/chat.js';
import { Cutoff, OpenAiFailed, staffSentence } from '../../clients/openai/failure.js';
import type { ScoredBy } from '../../domain/evaluation/events.js';
import type { Dimension } from '../../domain/role/events.js';
import { type EngineLog, RepeatedWarnings } from '../../engine/log.js';
import type { ModelAnswer, Scorer, Scoring, ScoringInput } from '../scores/scorer.js';
import { answerSchema, noUsableAnswer, readAnswer, scoringFromAnswers, truncateAnswer } from './answer.js';
import { PROMPT_VERSION, promptFor, SHOWN_CHARACTERS, shownEvidence } from './prompt.js';

/** Maximum number of dimensions of one role: each has a request of its own, and all answers are stored in one append. */
export const MAX_DIMENSIONS = 32;
/** Maximum number of requests for dimensions of one evaluation at the same time. */
export const CONCURRENCY = 4;
/** The first answer, and one request to correct it. */
const MAX_ATTEMPTS = 2;
/** Time for one evaluation with all retries, in milliseconds. */
const EVALUATION_MS = 300_000;

/** Limits of a call. No candidate waits for it, so a server has time to restart. */
const LIMITS = { attemptMs: 60_000, deadlineMs: 120_000, attempts: 100 };

const FORMAT = { name: 'dimension_score', schema: answerSchema };
/** The parameters for the most repeatable answers. If a model refuses them, the request is sent without. */
const SAMPLING: ModelAnswer['parameters'] = { temperature: 0 };

export interface ModelScorerOptions extends ChatModelOptions {
  readonly log: EngineLog;
  /** Time for one evaluation with all retries, in milliseconds. Default: 300,000. */
  readonly evaluationMs?: number;
}

/**
 * Lets a model score each dimension in a request of its own, with the same excerpt of the evidence in each. An answer is
 * used only if it has the form of `answerSchema` and cites what the evidence says; else the model may correct it once.
 * All answers are returned, with the scores or with the failure. The scores follow from them, the role and the evidence.
 */
export class ModelScorer implements Scorer {
  readonly #model: ChatModel;
  readonly #warnings: RepeatedWarnings;
  readonly readsWork = true;
  #sampling = SAMPLING;

  /** @throws {Error} the base URL or the key cannot be used */
  constructor(private readonly options: ModelScorerOptions) {
    this.#model = new ChatModel({ ...options, limits: { ...LIMITS, ...options.limits } });
    this.#warnings = new RepeatedWarnings(options.log);
  }

  describe(): ScoredBy {
    return {
      scorer: 'openai',
      version: PROMPT_VERSION,
      description:
        `The model ${this.#model.name}, asked once for each dimension, with its rubric. It is shown at most ` +
        `${SHOWN_CHARACTERS} characters of the session: of the interview, of messages, of hand-ins and their ` +
        'checks, of test runs and tickets, and of reported changes, each the newest first, and, if the candidate agreed to a ' +
        'notice that says so, how the last hand-in of each ticket differs from what the ticket began with; texts are taken for data, never for instructions. What ' +
        'it cites was checked against the evidence, its judgement was not. It is no fixed rule: asked anew it may score otherwise, and its ' +
        'figures are not a verdict on a person.',
    };
  }

  async score(input: ScoringInput, signal: AbortSignal = new AbortController().signal): Promise<Scoring> {
    const { dimensions } = input.role;
    if (dimensions.length > MAX_DIMENSIONS) {
      const reason = `A model scores at most ${MAX_DIMENSIONS} dimensions; this role has ${dimensions.length}.`;
      return { kind: 'failed', reason };
    }
    const answers: ModelAnswer[] = [];
    const work = input.evidence.flatMap((event) => event.work ?? []);
    // The first answer alone has the shown work, of which one copy in the log is enough.
    const stored = () =>
      inOrder(answers, dimensions).map((one, place) =>
        place === 0 && work.length > 0 ? { ...one, work } : one,
      );
    const cutoff = new Cutoff(signal, this.options.evaluationMs ?? EVALUATION_MS);
    try {
      await this.#askForAll(input, answers, cutoff.signal);
    } catch (error) {
      signal.throwIfAborted();
      const reason = this.#failure(error, cutoff);
      return { kind: 'failed', reason, answers: stored() };
    } finally {
      cutoff.close();
    }
    this.#warnings.resolved('scorer');
    return { ...scoringFromAnswers({ ...input, answers }), answers: stored() };
  }

  /**
   * Adds each answer to `answers`, also an unusable one. The first dimension that fails ends it: without that dimension
   * there is no score.
   */
  async #askForAll(input: ScoringInput, answers: ModelAnswer[], signal: AbortSignal): Promise<void> {
    const byId = new Map(input.evidence.map((event) => [event.id, event]));
    const shown = shownEvidence(input.evidence);
    const ask = async (dimension: Dimension): Promise<void> => {
      let problem: string | null = null;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const reply = await this.#ask(promptFor(input.role, dimension, shown, problem), signal);
        const answer = truncateAnswer(reply.content);
        const { parameters } = reply;
        answers.push({
          dimensionId: dimension.id,
          attempt,
          model: this.#model.name,
          promptVersion: PROMPT_VERSION,
          parameters,
          answer,
        });
        const read = readAnswer(answer, dimension.id, byId);
        if (typeof read !== 'string') return;
        problem = read;
      }
      throw new NoUsableAnswer(noUsableAnswer(dimension, problem));
    };
    await pMap(input.role.dimensions, ask, { concurrency: CONCURRENCY });
  }

  /** Requests one answer of the model. If the model refuses the parameters, it is asked without them, from then on. */
  async #ask(
    messages: readonly ChatMessage[],
    signal: AbortSignal,
  ): Promise<{ readonly content: string; readonly parameters: ModelAnswer['parameters'] }> {
    const parameters = this.#sampling;
    const complete = async (given: ModelAnswer['parameters']) => ({
      content: (await this.#model.complete(messages, FORMAT, signal, given)).content,
      parameters: given,
    });
    try {
      return await complete(parameters);
    } catch (error) {
      const refused = error instanceof OpenAiFailed && error.code === 'refused';
      if (!refused || Object.keys(parameters).length === 0) throw error;
      const answer = await complete({});
      this.#sampling = {};
      return answer;
    }
  }

  /** Why there is no score, for staff; the log gets details for operators. */
  #failure(error: unknown, cutoff: Cutoff): string {
    if (error instanceof NoUsableAnswer) {
      this.#warn('The model gave no usable answer.');
      return error.message;
    }
    if (!(error instanceof OpenAiFailed)) throw error;
    const code = cutoff.reason === 'timed_out' || error.code === 'aborted' ? 'timed_out' : error.code;
    this.#warn(code === 'timed_out' ? staffSentence(code) : error.message);
    const next =
      code === 'timed_out' || error.isTemporary
        ? 'Ask for a new generation once it works again.'
        : 'The service’s operator can find the cause in its log.';
    return `${staffSentence(code)} ${next}`;
  }

  #warn(reason: string): void {
    this.#warnings.warn('scorer', { reason }, 'The model did not score an evaluation: it has failed.');
  }
}

/** The message is for staff. */
class NoUsableAnswer extends Error {
  override readonly name = 'NoUsableAnswer';
}

/** The answers in the order of the role's dimensions. */
const inOrder = (
  answers: readonly ModelAnswer[],
  dimensions: readonly Dimension[],
): readonly ModelAnswer[] => {
  const place = new Map(dimensions.map(({ id }, index) => [id, index]));
  const placeOf = ({ dimensionId }: ModelAnswer): number => place.get(dimensionId) ?? 0;
  return [...answers].sort((a, b) => placeOf(a) - placeOf(b) || a.attempt - b.attempt);
};
