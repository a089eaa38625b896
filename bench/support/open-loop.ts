import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OpenLoop {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
}

/**
 * Sends at fixed times, whatever became of the requests before.
 * @returns milliseconds from the time at which each was to be sent to the end of its answer; an answer that is no
 * success is an error
 */
export async function openLoop({ url, headers, rate, seconds }: OpenLoop): Promise<readonly number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const count = Math.round(rate * seconds);
  const begin = performance.now() + 20;
  const answers: Promise<number>[] = [];
  try {
    for (let n = 0; n < count; n++) {
      const due = begin + (n * 1000) / rate;
      const ahead = due - performance.now();
      if (ahead > 1) await sleep(ahead);
      answers.push(answered(agent, url, headers, due));
    }
    return await Promise.all(answers);
  } finally {
    agent.destroy();
  }
}

const answered = (agent: Agent, url: string, headers: OpenLoop['headers'], due: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - due);
        else reject(new Error(`${url} answered ${response.statusCode ?? 'nothing'}.`));
      });
      response.resume();
    });
    request.on('error', reject);
  });

/** @param share between 0 and 1 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
