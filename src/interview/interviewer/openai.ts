import { LRUCache } from 'lru-cache';
import { ChatModel, type ChatModelOptions, estimatedTokens } from '../../clients/openai/chat.js';
import { Cutoff, OpenAiFailed, staffSentence } from '../../clients/openai/failure.js';
import { type EngineLog, RepeatedWarnings } from '../../engine/log.js';
import type { Interviewer, InterviewSoFar, Proposal } from './interviewer.js';
import { type Move, type Moves, movesOf, planSizeOf, scriptedProposal } from './moves.js';
import { answerSchema, moveFrom, promptFor } from './openai-prompt.js';

/** Version of the prompt and of how answers are read; it is stored with each question. */
const OPENAI_VERSION = 3;

/** The first answer, and one attempt to have it put right. */
const MAX_ATTEMPTS = 2;

/** Time for a question with all retries, in milliseconds: a candidate waits. */
const QUESTION_MS = 8_000;

export interface OpenAiInterviewerOptions extends ChatModelOptions {
  readonly log: EngineLog;
  readonly questionMs?: number;
  readonly budget?: Budget;
}

/**
 * Lets a model choose and word the next question within the rules of the script (`movesOf`): the plan, the bounds and
 * the end are never the model's. If it fails, is slow, gives two unusable answers or exhausts the interview's budget,
 * the script asks instead, and the question records why.
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
      // A request costs, whether or not its answer arrives.
      this.#budgets.used(trialSessionId, estimatedTokens(messages));
      throw error;
    }
  }

  #warn(error: unknown, instead: string): void {
    // Either of two time-outs may come first: the log has one sentence for both.
    const hasDetail = error instanceof OpenAiFailed && error.code !== 'aborted' && error.code !== 'timed_out';
    const detail = hasDetail ? error.message : instead;
    this.#warnings.warn(
      'interviewer',
      { reason: detail },
      'The scripted interviewer asks in place of the model.',
    );
  }
}

/** What the model answered, or would cost, rules it out; the message is kept with the question. */
class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Kept with the question for everyone who reads the evidence: nothing of an address, a key or an answer. */
const reasonOf = (error: unknown, cutOff: 'aborted' | 'timed_out' | null): string => {
  if (cutOff === 'timed_out') return 'The model did not answer in time.';
  if (error instanceof Unusable) return error.message;
  if (!(error instanceof OpenAiFailed)) return 'The model could not be asked.';
  return error.code === 'aborted'
    ? 'The interview went on without waiting for the model.'
    : staffSentence(error.code);
};

/** What one interview may spend on a model: enough for an hour of questions, too little to be worth an attack. */
export interface Budget {
  readonly calls: number;
  readonly tokens: number;
}

const BUDGET: Budget = { calls: 120, tokens: 400_000 };

/** Interviews that one process remembers; the one longest untouched starts anew. */
const REMEMBERED = 10_000;

/** What each interview has spent, in this process's memory: after a move or a restart an interview starts anew. */
class Budgets {
  readonly #spent = new LRUCache<string, Budget>({ max: REMEMBERED });

  constructor(private readonly budget: Budget) {}

  /** Takes one call out of the interview's budget. False: it is exhausted, and the model is not to be asked. */
  call(trialSessionId: string): boolean {
    const spent = this.#of(trialSessionId);
    if (spent.calls >= this.budget.calls || spent.tokens >= this.budget.tokens) return false;
    this.#spent.set(trialSessionId, { ...spent, calls: spent.calls + 1 });
    return true;
  }

  /** Books what a call has cost. */
  used(trialSessionId: string, tokens: number): void {
    const spent = this.#of(trialSessionId);
    this.#spent.set(trialSessionId, { ...spent, tokens: spent.tokens + tokens });
  }

  #of(trialSessionId: string): Budget {
    return this.#spent.get(trialSessionId) ?? { calls: 0, tokens: 0 };
  }
}
