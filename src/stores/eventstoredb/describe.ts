/** Why a call failed, for whoever must act. */
export interface Fault {
  /** One sentence; names the server, never a password. */
  readonly sentence: string;
  /** Trying again does not help: somebody has to change something first. */
  readonly final: boolean;
}

/** A call that was not answered within its time. */
export class Late extends Error {
  override readonly name = 'Late';
  constructor(readonly milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/** How the clients mark their errors. Below a class of theirs it may be a plain error of gRPC, or any other. */
export interface ClientError {
  readonly type?: string;
  readonly code?: number;
  readonly message: string;
}

export const asClientError = (error: unknown): ClientError =>
  error instanceof Error ? error : { message: String(error) };

const UNIMPLEMENTED = 12;
const UNAVAILABLE = 14;
const UNAUTHENTICATED = 16;
const PERMISSION_DENIED = 7;
const DEADLINE = 4;

/** By the client's own name for the error. */
const BY_TYPE: Readonly<Record<string, (at: string, error: ClientError) => Fault>> = {
  'access-denied': (at, { code }) => (code === UNAUTHENTICATED ? wrongCredentials(at) : noAccess(at)),
  'not-leader': (at) =>
    again(`The EventStoreDB node at ${at} is not the leader; the client goes on with the one that is.`),
  'stream-deleted': (at) =>
    final(`A stream of the log at ${at} was deleted for good (tombstoned): put the log back from a backup.`),
  'deadline-exceeded': (at) => late(at),
  timeout: (at) =>
    again(`EventStoreDB at ${at} could not commit in time: has its cluster lost its majority?`),
  unsupported: (at) => tooOld(at),
};

/** By what the connection said; the first that matches. */
const BY_MESSAGE: readonly (readonly [RegExp, (at: string) => Fault])[] = [
  [
    /wrong version number|EPROTO|packet length too long|tls_validate_record_header/i,
    (at) =>
      final(
        `EventStoreDB at ${at} does not speak TLS: add ?tls=false to the URL, or give the server a certificate.`,
      ),
  ],
  [
    /self[- ]signed|unable to (?:verify|get)|CERT_|UNABLE_TO|issuer certificate/i,
    (at) =>
      final(
        `The certificate of EventStoreDB at ${at} is not trusted: name its authority with tlsCAFile in the URL.`,
      ),
  ],
  [
    /altnames|ERR_TLS_CERT|does not match certificate/i,
    (at) =>
      final(
        `The certificate of EventStoreDB at ${at} is for another host: use the name that it was made for.`,
      ),
  ],
  [
    /certificate has expired|certificate is not yet valid/i,
    (at) => final(`The certificate of EventStoreDB at ${at} is not valid today.`),
  ],
  [
    /ENOTFOUND|EAI_AGAIN|Name resolution failed/i,
    (at) => again(`The host of EventStoreDB at ${at} is not known: check the name in the URL.`),
  ],
  [/ECONNREFUSED/i, (at) => again(`Nothing listens at ${at}: is EventStoreDB running there?`)],
  [/Failed to discover/i, (at) => again(`No node of the EventStoreDB cluster at ${at} could be found.`)],
  [
    /keepalive/i,
    (at) => again(`EventStoreDB at ${at} no longer answers: is it stopped, or the network cut?`),
  ],
  [
    /ECONNRESET|socket hang up|Connection dropped|closed before|Protocol error|ERR_HTTP2|Failed to connect/i,
    (at) =>
      again(
        `The connection to EventStoreDB at ${at} broke off; if it never comes about, does the server want TLS (tls=true)?`,
      ),
  ],
];

/** Puts any failed call into words. @param at the server's address */
export function describeFault(error: unknown, at: string): Fault {
  if (error instanceof Late) {
    return again(
      `EventStoreDB at ${at} did not answer within ${error.milliseconds} ms: is it overloaded or stopped?`,
    );
  }
  const client = asClientError(error);
  const known = BY_TYPE[client.type ?? ''];
  if (known) return known(at, client);
  if (client.code === UNAUTHENTICATED) return wrongCredentials(at);
  if (client.code === PERMISSION_DENIED) return noAccess(at);
  if (client.code === UNIMPLEMENTED) return tooOld(at);
  if (client.code === DEADLINE) return late(at);
  const heard = BY_MESSAGE.find(([pattern]) => pattern.test(client.message))?.[1];
  if (heard) return heard(at);
  const what = client.message.split('\n')[0] ?? '';
  return again(
    client.code === UNAVAILABLE || client.type === 'unavailable'
      ? `EventStoreDB at ${at} cannot be reached (${what}).`
      : `EventStoreDB at ${at} failed (${what}).`,
  );
}

/** Oldest server whose reads show nothing that could still be lost, as `[major, minor]`. */
const OLDEST = [23, 10] as const;

/** `null` where the server is new enough or does not say how old it is. */
export function describeVersion(version: string, at: string): Fault | null {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version) ?? [];
  // A build of somebody's own calls itself 0.0.
  if (major === undefined || minor === undefined || Number(major) === 0) return null;
  const [oldestMajor, oldestMinor] = OLDEST;
  const old = Number(major) - oldestMajor || Number(minor) - oldestMinor;
  return old < 0 ? tooOld(at, version) : null;
}

const tooOld = (at: string, version = 'too old'): Fault =>
  final(
    `EventStoreDB at ${at} is ${version}: it must be ${OLDEST.join('.')} or newer, best 23.10.2 or newer.`,
  );

const late = (at: string): Fault =>
  again(`EventStoreDB at ${at} did not answer in time: is it overloaded or stopped?`);

const wrongCredentials = (at: string): Fault =>
  final(`EventStoreDB at ${at} does not accept these credentials: check user and password in the URL.`);

const noAccess = (at: string): Fault =>
  final(
    `EventStoreDB at ${at} gives this user no access to $all and the log's streams: let it read and write them.`,
  );

const final = (sentence: string): Fault => ({ sentence, final: true });
const again = (sentence: string): Fault => ({ sentence, final: false });
