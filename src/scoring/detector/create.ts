import type { Configuration } from '../../process/config.js';
import type { Logger } from '../../process/log.js';
import { CommandDetector } from './command.js';
import { type Detector, noDetector } from './detector.js';

/** Who tells generated texts from others, as the configuration says. */
export const createDetector = (
  { detector }: Pick<Configuration, 'detector'>,
  log: Pick<Logger, 'warn'>,
): Detector => (detector.kind === 'command' ? new CommandDetector(detector.command, log) : noDetector);
