import { isLoopback } from './issuer-mode.js';
import { urlOf } from '../core/text.js';
import type { VariableName } from './variables.js';

/** A model behind an OpenAI-compatible API. */
export interface OpenAiModel {
  readonly kind: 'openai';
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `null`: a server on this machine that needs none. */
  readonly apiKey: string | null;
  readonly model: string;
}

/** A command line of the operator's, for `sh -c`. */
export interface LocalCommand {
  readonly kind: 'command';
  readonly command: string;
}

/** Interviewer, scorer, transcriber, synthesiser, and detector of generated texts. */
export interface Providers {
  readonly interviewer: { readonly kind: 'scripted' } | OpenAiModel;
  readonly scorer: { readonly kind: 'rubric' } | OpenAiModel;
  readonly transcriber: { readonly kind: 'browser' } | LocalCommand | OpenAiModel;
  readonly synthesiser:
    { readonly kind: 'browser' } | LocalCommand | (OpenAiModel & { readonly voice: string });
  readonly detector: { readonly kind: 'none' } | LocalCommand;
}

/** What reads single variables; an empty one counts as unset. */
export interface Variables {
  text(name: VariableName): string | null;
  oneOf<T extends string>(name: VariableName, values: readonly T[], otherwise: T): T;
  /** Stops the start with the variable's name and the rest of a sentence about it. */
  wrong(name: VariableName, sentence: string): never;
}

const USUAL_BASE_URL = 'https://api.openai.com/v1';

/** Secrets are never repeated in what is said about a wrong variable. */
export const providersOf = (read: Variables): Providers => {
  return {
    interviewer: interviewerOf(read),
    scorer: scorerOf(read),
    transcriber: transcriberOf(read),
    synthesiser: synthesiserOf(read),
    detector: detectorOf(read),
  };
};

const interviewerOf = (read: Variables): Providers['interviewer'] => {
  const kind = read.oneOf('INTERVIEWER', ['scripted', 'openai'], 'scripted');
  if (kind === 'scripted') return { kind };
  return chatModel(read, 'INTERVIEWER');
};

const scorerOf = (read: Variables): Providers['scorer'] => {
  const kind = read.oneOf('SCORER', ['rubric', 'openai'], 'rubric');
  return kind === 'rubric' ? { kind } : chatModel(read, 'SCORER');
};

const chatModel = (read: Variables, user: string): OpenAiModel => {
  const model = nameOf(read, 'OPENAI_MODEL');
  if (model === null) return read.wrong('OPENAI_MODEL', `must name a model while ${user} is openai.`);
  return openAiModel(read, user, model);
};

const KINDS = ['browser', 'command', 'openai'] as const;

const transcriberOf = (read: Variables): Providers['transcriber'] => {
  const kind = read.oneOf('TRANSCRIBER', KINDS, 'browser');
  const command = commandOf(read, 'TRANSCRIBER', kind);
  if (command !== null) return command;
  if (kind !== 'openai') return { kind: 'browser' };
  return openAiModel(read, 'TRANSCRIBER', nameOf(read, 'OPENAI_TRANSCRIPTION_MODEL') ?? 'whisper-1');
};

const synthesiserOf = (read: Variables): Providers['synthesiser'] => {
  const kind = read.oneOf('SYNTHESISER', KINDS, 'browser');
  const command = commandOf(read, 'SYNTHESISER', kind);
  if (command !== null) return command;
  if (kind !== 'openai') return { kind: 'browser' };
  const model = openAiModel(read, 'SYNTHESISER', nameOf(read, 'OPENAI_SPEECH_MODEL') ?? 'tts-1');
  return { ...model, voice: nameOf(read, 'OPENAI_VOICE') ?? 'alloy' };
};

const detectorOf = (read: Variables): Providers['detector'] => {
  const kind = read.oneOf('DETECTOR', ['none', 'command'], 'none');
  return commandOf(read, 'DETECTOR', kind) ?? { kind: 'none' };
};

/** A command that is set but not used is a mistake too. */
const commandOf = (
  read: Variables,
  name: 'TRANSCRIBER' | 'SYNTHESISER' | 'DETECTOR',
  kind: string,
): LocalCommand | null => {
  const variable = `${name}_COMMAND` as const;
  const command = read.text(variable);
  if (kind !== 'command') {
    return command === null ? null : read.wrong(variable, `is used only while ${name} is command.`);
  }
  if (command === null) return read.wrong(variable, `must be a command line while ${name} is command.`);
  if (command.includes('\0')) return read.wrong(variable, 'must be a command line without NUL characters.');
  return { kind, command };
};

const openAiModel = (read: Variables, user: string, model: string): OpenAiModel => {
  const url = baseUrlOf(read);
  const apiKey = read.text('OPENAI_API_KEY');
  if (apiKey === null && !isLoopback(url.hostname)) {
    return read.wrong('OPENAI_API_KEY', `must be set while ${user} is openai.`);
  }
  // It travels in a header.
  if (apiKey !== null && !/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
    return read.wrong('OPENAI_API_KEY', 'must be printable ASCII characters without blanks.');
  }
  return { kind: 'openai', baseUrl: url.href.replace(/\/+$/, ''), apiKey, model };
};

/** A query is kept: some servers want their version there. */
const baseUrlOf = (read: Variables): URL => {
  const text = read.text('OPENAI_BASE_URL') ?? USUAL_BASE_URL;
  const url = urlOf(text);
  const plain = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!url || !plain || text.includes('#') || url.username !== '' || url.password !== '') {
    return read.wrong('OPENAI_BASE_URL', 'must be an https URL without credentials or fragment.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    return read.wrong('OPENAI_BASE_URL', 'must be an https URL unless it is on this machine.');
  }
  return url;
};

const nameOf = (read: Variables, variable: VariableName): string | null => {
  const name = read.text(variable);
  if (name === null || /^[\x21-\x7e]{1,200}$/.test(name)) return name;
  return read.wrong(variable, 'must be a name of at most 200 printable ASCII characters without blanks.');
};
