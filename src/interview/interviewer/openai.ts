import { LRUCache } from 'lru-cache';
import { ChatModel, type ChatModelOptions, estimatedTokens } from '../../clients/openai/chat.js';
import { Cutoff, OpenAiFailed, staffSentence } from '../../clients/openai/failure.js';
import { type EngineLog, RepeatedWarnings } from '../../engine/log.js';
import type { Interviewer, InterviewSoFar, Proposal } from './interviewer.js';
import { type Move, type Moves, movesOf, planSizeOf, scriptedProposal } from './moves.js';
import { answerSchema, moveFrom, promptFor } from './openai-prompt.js';

/** Version of the prompt and of the reading of answers. Stored with each question. */
const OPENAI_VERSION = 3;

/** Two: if the first answer cannot be used, the model is asked once more. */
const MAX_ATTEMPTS = 2;

/** Time limit for a question with all retries, in milliseconds: the candidate waits for it. */
const QUESTION_MS = 8_000;

export interface OpenAiInterviewerOptions extends ChatModelOptions {
  readonly log: EngineLog;
  /** Time limit for a question with all retries, in milliseconds. Default: `QUESTION_MS`. */
  readonly questionMs?: number;
  /** What each interview may spend. Default: `BUDGET`. */
  readonly budget?: Budget;
}

/**
 * Lets a model choose and word the next question within the rules of the script (`movesOf`), which decide on the plan,
 * the limits and the end. The script asks instead, and the question records why, if the model fails, is slow, gives two
 * unusable answers or has spent the interview's budget.
 */
export class OpenAiInterviewer implements Interviewer {
  readonly #model: ChatModel;
  readonly #budgets: Budgets;
  readonly #warnings: RepeatedWarnings;
  readonly #questionMs: number;

  /** @throws {Error} the base URL or the key cannot be used */
  constructor(options: OpenAiInterviewerOptions) {
    this.#questionMs = options.questionMs ?? QUESTION_MS;
    this.#model = new ChatModel({
      ...options,
      limits: { deadlineMs: this.#questionMs, ...options.limits },
    });
    this.#budgets = new Budgets(options.budget ?? BUDGET);
    this.#warnings = new RepeatedWarnings(options.log);
  }

  async next(soFar: InterviewSoFar, signal: AbortSignal): Promise<Proposal | 'finished'> {
    const moves = movesOf(soFar);
    if (moves === 'finished') return moves;
    const cutoff = new Cutoff(signal, this.#questionMs);
    try {
      const move = await this.#choose(soFar, moves, cutoff.signal);
      const { kind, preface, text, dimensionIds, planned } = move;
      this.#warnings.resolved('interviewer');
      const { name: model } = this.#model;
      const askedBy = { interviewer: 'openai', version: OPENAI_VERSION, model, instead: null } as const;
      const asked = { kind, preface, text, dimensionIds, planned };
      return { ...asked, planSize: planSizeOf(soFar), askedBy };
    } catch (error) {
      const instead = reasonOf(error, cutoff.reason);
      if (cutoff.reason !== 'aborted') this.#warn(error, instead);
      return scriptedProposal(soFar, instead);
    } finally {
      cutoff.close();
    }
  }

  async #choose(soFar: InterviewSoFar, moves: Moves, signal: AbortSignal): Promise<Move> {
    let wrong: string | null = null;
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const move = moveFrom(await this.#ask(soFar, moves, wrong, signal), moves, soFar);
      if (typeof move !== 'string') return move;
      wrong = move;
    }
    throw new Unusable('The model answered no question that may be asked next.');
  }

  async #ask(
    soFar: InterviewSoFar,
    moves: Moves,
    wrong: string | null,
    signal: AbortSignal,
  ): Promise<string> {
    const { trialSessionId } = soFar;
    if (!this.#budgets.call(trialSessionId))
      throw new Unusable('This interview has used up what it may spend on the model.');
    const messages = promptFor(soFar, moves, wrong);
    const format = { name: 'next_question', schema: answerSchema(moves) };
    try {
      const { content, tokens } = await this.#model.complete(messages, format, signal);
      this.#budgets.used(trialSessionId, tokens);
      return content;
    } catch (error) {
      // A request may cost also if it fails.
      this.#budgets.used(trialSessionId, estimatedTokens(messages));
      throw error;
    }
  }

  #warn(error: unknown, instead: string): void {
    // Either of two timeouts may come first: the log has one sentence for both.
    const hasDetail = error instanceof OpenAiFailed && error.code !== 'aborted' && error.code !== 'timed_out';
    const detail = hasDetail ? error.message : instead;
    this.#warnings.warn(
      'interviewer',
      { reason: detail },
      'The scripted interviewer asks in place of the model.',
    );
  }
}

/** The model's answer cannot be used, or its budget is spent. The message is stored with the question. */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Why the script asks. Stored with the question as evidence, so it contains no address, key or answer of a model. */
const reasonOf = (error: unknown, cutOff: 'aborted' | 'timed_out' | null): string => {
  if (cutOff === 'timed_out') return 'The model did not answer in time.';
  if (error instanceof Unusable) return error.message;
  if (!(error instanceof OpenAiFailed)) return 'The model could not be asked.';
  return error.code === 'aborted'
    ? 'The interview went on without waiting for the model.'
    : staffSentence(error.code);
};

/** What one interview may spend on a model. The default is enough for an hour of questions, and too little to abuse. */
export interface Budget {
  readonly calls: number;
  readonly tokens: number;
}

const BUDGET: Budget = { calls: 120, tokens: 400_000 };

/** How many interviews' spending is kept. The least recently used is dropped, and starts again from 0. */
const REMEMBERED = 10_000;

/** What each interview has spent. Kept in memory: an interview starts from 0 on another process or after a restart. */
class Budgets {
  readonly #spent = new LRUCache<string, Budget>({ max: REMEMBERED });

  constructor(private readonly budget: Budget) {}

  /** Books one call. @returns false: the interview's budget is spent, and the model must not be called */
  call(trialSessionId: string): boolean {
    const spent = this.#of(trialSessionId);
    if (spent.calls >= this.budget.calls || spent.tokens >= this.budget.tokens) return false;
    this.#spent.set(trialSessionId, { ...spent, calls: spent.calls + 1 });
    return true;
  }

  /** Books the tokens of a call. */
  used(trialSessionId: string, tokens: number): void {
    const spent = this.#of(trialSessionId);
    this.#spent.set(trialSessionId, { ...spent, tokens: spent.tokens + tokens });
  }

  #of(trialSessionId: string): Budget {
    return this.#spent.get(trialSessionId) ?? { calls: 0, tokens: 0 };
  }
}
