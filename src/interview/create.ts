import { ShellCommand } from '../clients/shell.js';
import type { Speech } from '../clients/speech.js';
import { CommandContexts } from '../core/command-context.js';
import type { EngineLog } from '../engine/log.js';
import type { RateLimits } from '../http/rate-limits.js';
import type { Configuration } from '../process/config.js';
import type { Logger } from '../process/log.js';
import { processName } from '../process/owner.js';
import type { Stores } from '../process/stores.js';
import type { Interviewer } from './interviewer/interviewer.js';
import { ScriptedInterviewer } from './interviewer/moves.js';
import { OpenAiInterviewer } from './interviewer/openai.js';
import { InterviewCommands } from './session/commands.js';
import { InterviewCloser, type InterviewCloserOptions } from './session/interview-closer.js';
import { LiveInterviews } from './session/interviews.js';
import { SessionFeed } from './session/session-feed.js';
import { CommandSynthesiser, CommandTranscriber } from './speech/command.js';
import { OpenAiSynthesiser, OpenAiTranscriber } from './speech/openai.js';
import { InterviewHost } from './watch/host.js';

const closerOptionsOf = (
  stores: Stores,
  configuration: Configuration,
  log: Logger,
  speech: Speech = createSpeech(configuration, log),
): InterviewCloserOptions => {
  const { streams, hasher, vault } = stores;
  return {
    commands: new InterviewCommands(streams, new CommandContexts(hasher)),
    audio: vault.audio,
    speech,
    log,
  };
};

/** Ends interviews without a connection, for processes that have no connections themselves. */
export const createInterviewCloser = (
  stores: Stores,
  configuration: Configuration,
  log: Logger,
): InterviewCloser => new InterviewCloser(closerOptionsOf(stores, configuration, log));

/**
 * The interviews of an API process, and the host whose lease shows other processes that this one is alive.
 * @param speech default: the configured transcriber and synthesiser
 */
export const createInterviews = (
  stores: Stores,
  configuration: Configuration,
  limits: RateLimits,
  log: Logger,
  speech?: Speech,
): { readonly interviews: LiveInterviews; readonly host: InterviewHost } => {
  const { eventStore, readStore, tokens } = stores;
  const host = new InterviewHost({ leases: readStore.leases, owner: processName(), log });
  const shared = closerOptionsOf(stores, configuration, log, speech);
  const interviews = new LiveInterviews({
    ...shared,
    closer: new InterviewCloser(shared),
    interviewer: createInterviewer(configuration.interviewer, log),
    host,
    feed: new SessionFeed(eventStore, log),
    tokenOf: (position) => tokens.encode(position),
    limits,
  });
  return { interviews, host };
};

/**
 * The configured interviewer. Repeated failures of a model are logged once.
 * @throws {Error} the base URL or the key cannot be used
 */
export const createInterviewer = (choice: Configuration['interviewer'], log: EngineLog): Interviewer => {
  if (choice.kind === 'scripted') return new ScriptedInterviewer();
  const { baseUrl, apiKey, model } = choice;
  return new OpenAiInterviewer({ baseUrl, apiKey, model, log });
};

/** The configured transcriber and synthesiser. */
export const createSpeech = (
  configuration: Pick<Configuration, 'transcriber' | 'synthesiser'>,
  log: Pick<Logger, 'debug'>,
): Speech => ({
  transcriber: transcriberOf(configuration.transcriber, log),
  synthesiser: synthesiserOf(configuration.synthesiser, log),
});

const transcriberOf = (
  choice: Configuration['transcriber'],
  log: Pick<Logger, 'debug'>,
): Speech['transcriber'] => {
  switch (choice.kind) {
    case 'browser':
      return 'client';
    case 'command':
      return new CommandTranscriber(new ShellCommand("The transcriber's command", choice.command, log));
    case 'openai':
      return new OpenAiTranscriber(choice, choice.model);
  }
};

const synthesiserOf = (
  choice: Configuration['synthesiser'],
  log: Pick<Logger, 'debug'>,
): Speech['synthesiser'] => {
  switch (choice.kind) {
    case 'browser':
      return 'client';
    case 'command':
      return new CommandSynthesiser(new ShellCommand("The synthesiser's command", choice.command, log));
    case 'openai':
      return new OpenAiSynthesiser(choice, choice.model, choice.voice);
  }
};
