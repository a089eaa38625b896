import type { Configuration } from '../../process/config.js';
import type { Logger } from '../../process/log.js';
import { ShellCommand } from '../../clients/command/shell.js';
import { CommandSynthesiser } from './command/synthesiser.js';
import { CommandTranscriber } from './command/transcriber.js';
import { OpenAiSynthesiser } from './openai/synthesiser.js';
import { OpenAiTranscriber } from './openai/transcriber.js';
import type { Speech } from '../../clients/speech.js';

/** Who transcribes and who speaks, as the configuration says. What fails later is thrown by them and logged by whoever asks. */
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
