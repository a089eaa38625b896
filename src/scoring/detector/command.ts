import { text as readText } from 'node:stream/consumers';
import pMap from 'p-map';
import type { Logger } from '../../process/log.js';
import { joined } from '../../core/signals.js';
import { ShellCommand } from '../../clients/shell.js';
import { ProviderFailed } from '../../clients/speech.js';
import type { Detection } from '../../domain/evaluation/events.js';
import { type DetectableText, type Detector, isLikelihood } from './detector.js';

/** Of these lines between the service and the command. A change of how it is asked is a new version. */
const VERSION = 1;
const OUTPUT_BYTES = 1_024;
/** Texts of one session. */
const AT_ONCE = 4;
/** Decimal, as programs write numbers: `0.93`, `1`, `.5`, `8.1e-05`. */
const NUMBER = /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;

/** How long it may take, in milliseconds. */
export interface DetectorLimits {
  readonly perTextMs: number;
  /** Of a whole session: what is not answered by then is left out. */
  readonly inAllMs: number;
}

const LIMITS: DetectorLimits = { perTextMs: 15_000, inAllMs: 60_000 };

/**
 * A local program that gets one text on standard input and writes how likely it is generated, a number from 0 to 1, on
 * standard output. What it says of its failures is not written down: it may repeat the text.
 */
export class CommandDetector implements Detector {
  private readonly command: ShellCommand;

  constructor(
    command: string,
    private readonly log: Pick<Logger, 'warn'>,
    private readonly limits: DetectorLimits = LIMITS,
  ) {
    this.command = new ShellCommand("The detector's command", command, { debug: () => undefined });
  }

  async detect(texts: readonly DetectableText[], signal?: AbortSignal): Promise<readonly Detection[]> {
    const failures: string[] = [];
    const enough = joined(AbortSignal.timeout(this.limits.inAllMs), signal);
    const detections: Detection[] = [];
    const ask = async ({ eventId, text }: DetectableText): Promise<void> => {
      try {
        const likelihood = await this.likelihoodOf(text, enough.signal);
        detections.push({ eventId, detector: 'command', version: VERSION, likelihood });
      } catch (error) {
        failures.push(reasonOf(error));
      }
    };
    await pMap(texts, ask, { concurrency: AT_ONCE });
    enough.end();
    if (failures.length > 0 && signal?.aborted !== true)
      this.log.warn(
        { texts: texts.length, failed: failures.length, first: failures[0] },
        'Some texts could not be shown to the detector: nothing is suspected of them.',
      );
    return detections;
  }

  private async likelihoodOf(text: string, enough: AbortSignal): Promise<number> {
    const limits = { timeoutMs: this.limits.perTextMs, mostBytes: OUTPUT_BYTES };
    const written = (await readText(this.command.run(text, limits, enough))).trim();
    const likelihood = NUMBER.test(written) ? Number(written) : NaN;
    if (!isLikelihood(likelihood))
      throw new ProviderFailed(`${this.command.title} wrote no number from 0 to 1.`);
    return likelihood;
  }
}

/** Its own sentences say nothing of the text; another fault's might. */
const reasonOf = (error: unknown): string =>
  error instanceof ProviderFailed ? error.message : `An unexpected fault (${(error as Error).name}).`;
