import { connect } from 'node:net';
import { StoreUnavailable, StoreUnusable } from '../../core/errors.js';

/** Why a call failed. */
export interface Fault {
  /** One sentence; names the server, never a password. */
  readonly sentence: string;
  /** A retry is useless: an operator must change something first. */
  readonly final: boolean;
}

/** A call that was not answered before its deadline. */
export class TimedOut extends Error {
  override readonly name = 'TimedOut';
  constructor(readonly milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/** The fields of a client's error. A plain gRPC error has no `type`, and an error of another kind no `code` either. */
export interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}

/** The thrown value, with the `type` and `code` that the clients set. */
export const asClientError = (error: unknown): ClientError =>
  error instanceof Error ? error : { message: String(error) };

/** A call whose caller no longer waits for it. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

const final = (sentence: string): Fault => ({ sentence, final: true });
const again = (sentence: string): Fault => ({ sentence, final: false });

// Status codes of gRPC.
const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;
const DEADLINE = 4;

/** Oldest server whose reads return only committed events, as `[major, minor]`. */
const OLDEST = [23, 10] as const;

const tooOld = (version = 'too old'): Fault =>
  final(
    `EventStoreDB at {at} is ${version}: it must be ${OLDEST.join('.')} or newer, best 23.10.2 or newer.`,
  );
const LATE = again('EventStoreDB at {at} did not answer in time: is it overloaded or stopped?');
const WRONG_CREDENTIALS = final(
  'EventStoreDB at {at} does not accept these credentials: check user and password in the URL.',
);
const NO_ACCESS = final(
  "EventStoreDB at {at} gives this user no access to $all and the log's streams: let it read and write them.",
);

/** KurrentDB's client reports wrong credentials and missing permissions by the same error. */
const REFUSED = final(
  "EventStoreDB at {at} refuses this user: check user and password in the URL, and that the user may read and write $all and the log's streams (a member of $admins).",
);

/** Faults by the client's type of error. */
const BY_TYPE: Readonly<Record<string, Fault>> = {
  'access-denied': REFUSED,
  'not-leader': again(
    'EventStoreDB at {at} has no leader that can be reached: an election takes a few seconds. If it lasts, has the cluster lost its majority?',
  ),
  'stream-deleted': final(
    'A stream of the log at {at} was deleted for good (tombstoned): put the log back from a backup.',
  ),
  'deadline-exceeded': LATE,
  timeout: again('EventStoreDB at {at} could not commit in time: has its cluster lost its majority?'),
  unsupported: tooOld(),
};

const BY_CODE: Readonly<Record<number, Fault>> = {
  [UNAUTHENTICATED]: WRONG_CREDENTIALS,
  [PERMISSION_DENIED]: NO_ACCESS,
  [UNIMPLEMENTED]: tooOld(),
  [DEADLINE]: LATE,
};

/** Faults by the message of the connection's error; the first match counts. */
const BY_MESSAGE: readonly (readonly [RegExp, Fault])[] = [
  [
    /wrong version number|EPROTO|packet length too long|tls_validate_record_header/i,
    final(
      'EventStoreDB at {at} does not speak TLS: add ?tls=false to the URL, or give the server a certificate.',
    ),
  ],
  [
    /self[- ]signed|unable to (?:verify|get)|CERT_|UNABLE_TO|issuer certificate/i,
    final(
      'The certificate of EventStoreDB at {at} is not trusted: name its authority with tlsCAFile in the URL.',
    ),
  ],
  [
    /altnames|ERR_TLS_CERT|does not match certificate/i,
    final('The certificate of EventStoreDB at {at} is for another host: use the name that it was made for.'),
  ],
  [
    /certificate has expired|certificate is not yet valid/i,
    final('The certificate of EventStoreDB at {at} is not valid today.'),
  ],
  [
    /ENOTFOUND|EAI_AGAIN|Name resolution failed/i,
    again('The host of EventStoreDB at {at} is not known: check the name in the URL.'),
  ],
  [/ECONNREFUSED/i, again('Nothing listens at {at}: is EventStoreDB running there?')],
  [/Failed to discover/i, again('No node of the EventStoreDB cluster at {at} could be found.')],
  [/keepalive/i, again('EventStoreDB at {at} no longer answers: is it stopped, or the network cut?')],
  [
    /ECONNRESET|socket hang up|Connection dropped|closed before|Protocol error|ERR_HTTP2|Failed to connect/i,
    again(
      'The connection to EventStoreDB at {at} broke off; if it never comes about, does the server want TLS (tls=true)?',
    ),
  ],
];

/**
 * Whether a call that failed may succeed after a moment: after an election, or a restart.
 * @param unreachable whether that is assumed of a server that cannot be reached
 */
export function isTemporary(error: unknown, unreachable: boolean): boolean {
  const { type, code, message } = asClientError(error);
  if (type === 'not-leader') return true;
  if (!unreachable || describeFault(error, '').final) return false;
  return code === UNAVAILABLE || type === 'unavailable' || /Failed to discover/i.test(message);
}

/** The fault for any failed call. @param at the server's address */
export function describeFault(error: unknown, at: string): Fault {
  if (error instanceof TimedOut)
    return again(
      `EventStoreDB at ${at} did not answer within ${error.milliseconds} ms: is it overloaded or stopped?`,
    );
  const { type = '', code = NaN, message } = asClientError(error);
  const [, node] = /ECONNREFUSED (\S+:\d+)/.exec(message) ?? [];
  if (node !== undefined && at.includes(','))
    return again(`Of the EventStoreDB nodes at ${at}, nothing listens at ${node}: is it running there?`);
  const known =
    type === 'access-denied' && BY_CODE[code] !== undefined
      ? BY_CODE[code]
      : (BY_TYPE[type] ?? BY_CODE[code] ?? BY_MESSAGE.find(([pattern]) => pattern.test(message))?.[1]);
  if (known) return withAddress(known, at);
  const what = message.split('\n')[0] ?? '';
  return again(
    code === UNAVAILABLE || type === 'unavailable'
      ? `EventStoreDB at ${at} cannot be reached (${what}).`
      : `EventStoreDB at ${at} failed (${what}).`,
  );
}

const withAddress = ({ sentence, final }: Fault, at: string): Fault => ({
  sentence: sentence.replace('{at}', () => at),
  final,
});

/** `null` if the server is new enough or does not report its version. */
export function describeVersion(version: string, at: string): Fault | null {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  // A build from source calls itself 0.0.
  if (major === undefined || minor === undefined || Number(major) === 0) return null;
  const [oldestMajor, oldestMinor] = OLDEST;
  const old = Number(major) - oldestMajor || Number(minor) - oldestMinor;
  return old < 0 ? withAddress(tooOld(version), at) : null;
}

/** Which nodes of a cluster can be reached, if not all of them; `null`: all, or there is only one. */
export async function describeNodes(at: string): Promise<string | null> {
  const nodes = at.split(',');
  const answers = await Promise.all(nodes.map(listens));
  const [up, down] = [true, false].map((is) =>
    nodes.filter((_, index) => answers[index] === is).join(' and '),
  );
  if (nodes.length < 2 || !down) return null;
  return up
    ? `Of the EventStoreDB nodes, nothing answers at ${down}; ${up} can be reached, but no leader was found there yet.`
    : `None of the EventStoreDB nodes at ${at} can be reached: are they running there?`;
}

const CONNECT_TIMEOUT_MS = 1_000;

function listens(node: string): Promise<boolean> {
  const [, host = node, port = '2113'] = /^(.+?)(?::(\d+))?$/.exec(node) ?? [];
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), timeout: CONNECT_TIMEOUT_MS });
    const end = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
  });
}

/** The error of a call after `close`. */
export const closedError = (address: string): StoreUnavailable =>
  new StoreUnavailable(`The event store at ${address} was closed.`);

/**
 * A failed call of an open store as one of the port's errors. A fault that is final at the start may be temporary while
 * the store runs, so it counts as unavailable; only a deleted stream never comes back.
 */
export function storeFault(
  { address, closing }: { readonly address: string; readonly closing: AbortSignal },
  error: unknown,
): Error {
  if (error instanceof StoreUnavailable || error instanceof StoreUnusable || error instanceof RangeError) {
    return error;
  }
  if (closing.aborted) return closedError(address);
  const { sentence } = describeFault(error, address);
  return asClientError(error).type === 'stream-deleted'
    ? new StoreUnusable(sentence, { cause: error })
    : new StoreUnavailable(sentence, { cause: error });
}
