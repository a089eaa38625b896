import { lookup, Resolver } from 'node:dns/promises';
import { isPublicAddress } from '../../domain/webhook/target.js';

/** The IP addresses of a host's name, in the order in which they are to be tried; empty: it has none. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_MS = 3_000;

/**
 * Asks name servers alone, and in the background: the system's own look-up waits on one of few threads, which names that
 * nobody answers for would take from everything else.
 */
export const resolveByDns: Resolve = async (host, signal) => {
  const resolver = new Resolver({ timeout: DNS_MS, tries: 2 });
  const cancel = (): void => resolver.cancel();
  signal.addEventListener('abort', cancel);
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As the system resolves names, those of its own networks included. */
export const resolveBySystem: Resolve = async (host) => {
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
};

/** The host's name has no address, or none that notices may go to. */
export class NoAddress extends Error {
  override readonly name = 'NoAddress';

  constructor(readonly fault: 'unresolved' | 'private_address') {
    super(fault);
  }
}

/**
 * The addresses of which one may be connected to. What is checked here is what is connected to: a name that is
 * answered otherwise the next time gains nothing.
 * @throws {NoAddress}
 */
export const addressesOf = async (
  host: string,
  resolve: Resolve,
  allowPrivate: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const found = await resolve(host, signal);
  if (found.length === 0) throw new NoAddress('unresolved');
  const allowed = allowPrivate ? found : found.filter(isPublicAddress);
  if (allowed.length === 0) throw new NoAddress('private_address');
  return allowed;
};
