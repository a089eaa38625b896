import { urlOf } from '../core/text.js';
import { isLoopback } from './issuer-mode.js';
import type { VariableReader } from './variable-reader.js';

/** A model behind an OpenAI-compatible API. */
export interface OpenAiModel {
  readonly kind: 'openai';
  /** Without a slash at the end. */
  readonly baseUrl: string;
  /** `null`: none is needed, for a server on this machine. */
  readonly apiKey: string | null;
  readonly model: string;
}

/** An operator's command line, run by `sh -c`. */
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

/**
 * Reads the settings of the providers. A wrong one does not throw: it is noted in `read`, whose `assertRight` throws all
 * problems together. Their messages never contain secrets.
 */
export const providersOf = (read: VariableReader): Providers => {
  return {
    interviewer: read.part(() => interviewerOf(read), { kind: 'scripted' }),
    scorer: read.part(() => scorerOf(read), { kind: 'rubric' }),
    transcriber: read.part(() => transcriberOf(read), { kind: 'browser' }),
    synthesiser: read.part(() => synthesiserOf(read), { kind: 'browser' }),
    detector: read.part(() => detectorOf(read), { kind: 'none' }),
  };
};

const interviewerOf = (read: VariableReader): Providers['interviewer'] => {
  const kind = read.get('INTERVIEWER');
  if (kind === 'scripted') return { kind };
  return chatModel(read, 'INTERVIEWER');
};

const scorerOf = (read: VariableReader): Providers['scorer'] => {
  const kind = read.get('SCORER');
  return kind === 'rubric' ? { kind } : chatModel(read, 'SCORER');
};

const chatModel = (read: VariableReader, setting: string): OpenAiModel => {
  const model = read.get('OPENAI_MODEL');
  if (model === null) return read.wrong('OPENAI_MODEL', `must name a model while ${setting} is openai.`);
  return openAiModel(read, setting, model);
};

const transcriberOf = (read: VariableReader): Providers['transcriber'] => {
  const kind = read.get('TRANSCRIBER');
  const command = commandOf(read, 'TRANSCRIBER', kind);
  if (command !== null) return command;
  if (kind !== 'openai') return { kind: 'browser' };
  return openAiModel(read, 'TRANSCRIBER', read.get('OPENAI_TRANSCRIPTION_MODEL'));
};

const synthesiserOf = (read: VariableReader): Providers['synthesiser'] => {
  const kind = read.get('SYNTHESISER');
  const command = commandOf(read, 'SYNTHESISER', kind);
  if (command !== null) return command;
  if (kind !== 'openai') return { kind: 'browser' };
  const model = openAiModel(read, 'SYNTHESISER', read.get('OPENAI_SPEECH_MODEL'));
  return { ...model, voice: read.get('OPENAI_VOICE') };
};

const detectorOf = (read: VariableReader): Providers['detector'] => {
  const kind = read.get('DETECTOR');
  return commandOf(read, 'DETECTOR', kind) ?? { kind: 'none' };
};

/**
 * Reads a setting's command line.
 * @param kind the setting's value
 * @returns `null`: the setting is not `command`
 * @throws {ConfigurationProblem} the command line is missing, unusable, or set while the setting is not `command`
 */
export const commandOf = (
  read: VariableReader,
  name: 'TRANSCRIBER' | 'SYNTHESISER' | 'DETECTOR' | 'CHECKER',
  kind: string,
): LocalCommand | null => {
  const variable = `${name}_COMMAND` as const;
  const command = read.get(variable);
  if (kind !== 'command') {
    return command === null ? null : read.wrong(variable, `is used only while ${name} is command.`);
  }
  if (command === null) return read.wrong(variable, `must be a command line while ${name} is command.`);
  if (command.includes('\0')) return read.wrong(variable, 'must be a command line without NUL characters.');
  return { kind, command };
};

const openAiModel = (read: VariableReader, setting: string, model: string): OpenAiModel => {
  const url = baseUrlOf(read);
  const apiKey = read.get('OPENAI_API_KEY');
  if (apiKey === null && !isLoopback(url.hostname)) {
    return read.wrong('OPENAI_API_KEY', `must be set while ${setting} is openai.`);
  }
  // It is sent in a header, which cannot hold other characters.
  if (apiKey !== null && !/^[\x21-\x7e]{1,4096}$/.test(apiKey)) {
    return read.wrong('OPENAI_API_KEY', 'must be printable ASCII characters without blanks.');
  }
  return { kind: 'openai', baseUrl: url.href.replace(/(?<!\/)\/+$/, ''), apiKey, model };
};

/** Reads the base URL. Its query stays: some servers require a version in it. */
const baseUrlOf = (read: VariableReader): URL => {
  const text = read.get('OPENAI_BASE_URL');
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
