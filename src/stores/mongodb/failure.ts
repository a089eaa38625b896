import {
  BSON,
  MongoClientClosedError,
  MongoCompatibilityError,
  MongoError,
  MongoExpiredSessionError,
  MongoNetworkError,
  MongoNetworkTimeoutError,
  MongoNotConnectedError,
  MongoOperationTimeoutError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
  MongoTopologyClosedError,
  MongoUnexpectedServerResponseError,
} from 'mongodb';
import { withoutCredentials } from './url.js';

/** The server did not answer within our own deadline; what was sent may still take effect. */
export class MongoDeadlineExceeded extends Error {
  override readonly name = 'MongoDeadlineExceeded';
  constructor(readonly milliseconds: number) {
    super(`MongoDB did not answer within ${milliseconds / 1_000} s.`);
  }
}

/** One way a server can be away (it may come back by itself) or refuse (somebody must act). */
interface Way {
  readonly away: boolean;
  readonly matches: (failure: Failure) => boolean;
  readonly sentence: string;
}

/** What an error and its causes say. */
interface Failure {
  readonly errors: readonly unknown[];
  readonly codes: ReadonlySet<string | number>;
  readonly text: string;
}

const oneOf =
  (...codes: readonly (string | number)[]) =>
  ({ codes: found }: Failure): boolean =>
    codes.some((code) => found.has(code));

const says =
  (pattern: RegExp) =>
  ({ text }: Failure): boolean =>
    pattern.test(text);

const either =
  (...matches: readonly Way['matches'][]) =>
  (failure: Failure): boolean =>
    matches.some((match) => match(failure));

const isA =
  (...classes: readonly (abstract new (...args: never[]) => Error)[]) =>
  ({ errors }: Failure): boolean =>
    errors.some((error) => classes.some((made) => error instanceof made));

const CERTIFICATE =
  /self.signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate|certificate has expired|certificate is not yet valid|ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/i;

/** In this order: the more certain first. */
const WAYS: readonly Way[] = [
  {
    away: true,
    matches: isA(MongoClientClosedError, MongoNotConnectedError, MongoTopologyClosedError),
    sentence: 'the connection was closed by this process',
  },
  {
    away: false,
    matches: either(oneOf(18, 8000), says(/Authentication failed|bad auth/i)),
    sentence:
      'MongoDB refused the user name or password: correct them in the URL (and authSource, if the user is defined in another database)',
  },
  {
    away: false,
    matches: oneOf(13),
    sentence: 'the MongoDB user may not do this: grant it readWrite on the database',
  },
  {
    away: false,
    matches: either(isA(MongoCompatibilityError), says(/maximum wire version|minimum wire version/)),
    sentence: 'the MongoDB server has a version that this service cannot use: it needs MongoDB 4.4 or newer',
  },
  {
    away: false,
    matches: either(
      oneOf(
        'DEPTH_ZERO_SELF_SIGNED_CERT',
        'SELF_SIGNED_CERT_IN_CHAIN',
        'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
        'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
        'CERT_HAS_EXPIRED',
        'CERT_NOT_YET_VALID',
        'ERR_TLS_CERT_ALTNAME_INVALID',
      ),
      says(CERTIFICATE),
    ),
    sentence:
      "the server's certificate is not trusted: name its authority by tlsCAFile in the URL, or renew the certificate",
  },
  {
    away: false,
    matches: says(/alert (?:certificate required|bad certificate|unknown ca|handshake failure)/i),
    sentence:
      'the server refused the TLS connection: it may want a client certificate (tlsCertificateKeyFile in the URL)',
  },
  {
    away: false,
    matches: either(
      oneOf('ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'),
      says(/wrong version number|packet length too long/i),
    ),
    sentence: 'the server does not speak TLS there: remove tls=true from the URL, or name the right port',
  },
  {
    away: true,
    matches: says(/before secure TLS connection was established/i),
    sentence:
      'the connection broke off before TLS was agreed on (if this goes on, the server does not speak TLS there)',
  },
  {
    away: false,
    matches: isA(MongoParseError),
    sentence: 'the MongoDB URL or one of its options is not valid',
  },
  {
    away: true,
    matches: oneOf(10107, 13435, 11602, 11600, 189, 91),
    sentence: 'the MongoDB server is not the primary now, or is shutting down',
  },
  {
    away: true,
    matches: oneOf('ENOTFOUND', 'EAI_AGAIN', 'ENODATA'),
    sentence: "the MongoDB server's host name is unknown",
  },
  {
    away: true,
    matches: either(oneOf('ECONNREFUSED'), says(/ECONNREFUSED/)),
    sentence: 'nothing answers at that address: the connection was refused',
  },
  {
    away: true,
    matches: oneOf('EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'),
    sentence: 'the network does not reach the MongoDB server',
  },
  {
    away: true,
    matches: ({ errors }) => errors.some(hasNoPrimary),
    sentence: 'the replica set has no primary now',
  },
  {
    away: true,
    matches: either(
      oneOf(50, 64, 262, 'ETIMEDOUT'),
      isA(MongoDeadlineExceeded, MongoNetworkTimeoutError, MongoOperationTimeoutError),
      says(/timed out/),
    ),
    sentence: 'MongoDB did not answer in time',
  },
  {
    away: true,
    // A batch's error keeps of its cause only the text.
    matches: either(
      oneOf('ECONNRESET', 'EPIPE'),
      isA(MongoNetworkError, MongoExpiredSessionError, MongoUnexpectedServerResponseError),
      ({ errors }) => errors.some(isOfTheConnection),
      says(/^connection \S+ to \S+ (?:closed|interrupted)/im),
    ),
    sentence:
      'the connection to MongoDB broke off (if this goes on, the server may want TLS: tls=true in the URL)',
  },
  {
    away: true,
    matches: isA(MongoServerSelectionError),
    sentence: 'no MongoDB server could be reached',
  },
];

/** One sentence, without its full stop, that says how MongoDB is away or why it refuses. It holds no credentials. */
export function describeMongoFailure(error: unknown): string {
  const failure = inspect(error);
  const way = wayOf(failure);
  if (way) return way.sentence;
  const said = error instanceof Error ? error.message : String(error);
  const how = error instanceof MongoServerError ? 'MongoDB answered with an error' : 'the call failed';
  return `${how} (${withoutCredentials(said)})`;
}

/** The server is away, so that trying again may help. False where it refuses until somebody acts. */
export const isUnavailable = (error: unknown): boolean => wayOf(inspect(error))?.away ?? isTransient(error);

/** The failure is MongoDB's, its driver's or the network's. */
export const isMongoFailure = (error: unknown): boolean =>
  error instanceof MongoDeadlineExceeded || error instanceof MongoError || isOfTheConnection(error);

/** Of the system (a socket that the other side has ended fails with EPIPE and names no system call), and of streams. */
const OF_SOCKETS = /^(?:E(?!RR_)[A-Z0-9]+|ERR_(?:STREAM|SOCKET|SSL|TLS|BUFFER_OUT_OF_BOUNDS).*)$/;

/**
 * What the driver passes on as it came: a socket that breaks under a large command fails with the system's own error,
 * a connection that is given up with an abort, an answer that was cut off with one of its decoder.
 */
function isOfTheConnection(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { name, code, syscall } = error as { name?: unknown; code?: unknown; syscall?: unknown };
  return (
    typeof syscall === 'string' ||
    name === 'AbortError' ||
    BSON.BSONError.isBSONError(error) ||
    (typeof code === 'string' && OF_SOCKETS.test(code))
  );
}

const wayOf = (failure: Failure): Way | undefined => WAYS.find(({ matches }) => matches(failure));

/** A refusal that nobody foresaw comes from a server that is there. */
const isTransient = (error: unknown): boolean => error instanceof MongoServerError;

function inspect(error: unknown): Failure {
  const errors: unknown[] = [];
  collect(error, errors);
  const codes = new Set<string | number>();
  const texts: string[] = [];
  for (const found of errors) {
    const { code, message } = found as { code?: unknown; message?: unknown };
    if (typeof code === 'string' || typeof code === 'number') codes.add(code);
    if (typeof message === 'string') texts.push(message);
  }
  return { errors, codes, text: texts.join('\n') };
}

interface Topology {
  readonly type?: string;
  readonly servers?: unknown;
}

/** The error with all that brought it about: causes, parts, and what the monitors saw of each server. */
function collect(error: unknown, into: unknown[]): void {
  if (typeof error !== 'object' || error === null || into.includes(error)) return;
  into.push(error);
  const { cause, errors, reason } = error as { cause?: unknown; errors?: unknown; reason?: Topology };
  collect(cause, into);
  if (Array.isArray(errors)) for (const part of errors) collect(part, into);
  if (!(reason?.servers instanceof Map)) return;
  for (const server of reason.servers.values()) collect((server as { error?: unknown }).error, into);
}

const hasNoPrimary = (error: unknown): boolean =>
  (error as { reason?: Topology }).reason?.type === 'ReplicaSetNoPrimary';
