import type { Configuration } from '../process/config.js';
import type { RateLimits } from '../api/http/rate-limits.js';
import { CommandContexts } from '../core/command-context.js';
import type { Logger } from '../process/log.js';
import { ownName } from '../process/owner.js';
import type { Stores } from '../process/stores.js';
import { createInterviewer } from './interviewer/create.js';
import { Closing } from './session/closing.js';
import { InterviewCommands } from './session/commands.js';
import { LiveInterviews } from './session/interviews.js';
import { createSpeech } from './speech/create.js';
import { InterviewHost } from './watch/host.js';

/** What ends interviews that no connection ends: all that a process needs which holds none. */
export const createClosing = (stores: Stores, configuration: Configuration, log: Logger): Closing => {
  const { streams, hasher, vault } = stores;
  return new Closing({
    commands: new InterviewCommands(streams, new CommandContexts(hasher)),
    audio: vault.audio,
    speech: createSpeech(configuration, log),
    log,
  });
};

/** The interviews of an API process, and what lets others see that it lives. */
export const createInterviews = (
  stores: Stores,
  configuration: Configuration,
  limits: RateLimits,
  log: Logger,
): { readonly interviews: LiveInterviews; readonly host: InterviewHost } => {
  const { streams, hasher, eventStore, readStore, vault } = stores;
  const host = new InterviewHost({ leases: readStore.leases, owner: ownName(), log });
  const interviews = new LiveInterviews({
    streams,
    contexts: new CommandContexts(hasher),
    eventStore,
    audio: vault.audio,
    interviewer: createInterviewer(configuration.interviewer, log),
    speech: createSpeech(configuration, log),
    host,
    tokenOf: (position) => stores.tokens.of(position),
    limits,
    log,
  });
  return { interviews, host };
};
