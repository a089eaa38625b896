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
import { messageOf } from '../../core/errors.js';
import { withoutCredentials } from './url.js';

/** The server did not answer within our own deadline; the call may still take effect. */
export class MongoDeadlineExceeded extends Error {
  override readonly name = 'MongoDeadlineExceeded';
  constructor(readonly milliseconds: number) {
    super(`MongoDB did not answer within ${milliseconds / 1_000} s.`);
  }
}

/** The codes and messages of an error and its causes. */
interface Failure {
  readonly errors: readonly unknown[];
  readonly codes: ReadonlySet<string | number>;
  readonly text: string;
}

/** A kind of failure. `temporary`: a retry may succeed; otherwise the server refuses until an operator acts. */
interface FailureKind {
  readonly temporary: boolean;
  readonly sentence: string;
  /** A failure is of this kind if one of its errors has one of these codes, classes, texts or properties. */
  readonly codes?: readonly (string | number)[];
  readonly classes?: readonly (abstract new (...args: never[]) => Error)[];
  readonly text?: RegExp;
  readonly is?: (error: unknown) => boolean;
}

/** The server's code for a command that the user may not run. */
const UNAUTHORIZED = 13;

/** The first kind that matches counts: the more certain ones come first. */
const KINDS: readonly FailureKind[] = [
  {
    temporary: true,
    sentence: 'the connection was closed by this process',
    classes: [MongoClientClosedError, MongoNotConnectedError, MongoTopologyClosedError],
  },
  {
    temporary: false,
    sentence:
      'MongoDB refused the user name or password: correct them in the URL (and authSource, if the user is defined in another database)',
    codes: [18, 8000],
    text: /Authentication failed|bad auth/i,
  },
  {
    temporary: false,
    sentence: 'the MongoDB user may not do this: grant it readWrite on the database',
    codes: [UNAUTHORIZED],
  },
  {
    temporary: false,
    sentence: 'the MongoDB server has a version that this service cannot use: it needs MongoDB 4.4 or newer',
    classes: [MongoCompatibilityError],
    text: /maximum wire version|minimum wire version/,
  },
  {
    temporary: false,
    sentence:
      "the server's certificate is not trusted: name its authority by tlsCAFile in the URL, or renew the certificate",
    codes: [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'SELF_SIGNED_CERT_IN_CHAIN',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'CERT_HAS_EXPIRED',
      'CERT_NOT_YET_VALID',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
    text: /self.signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate|certificate has expired|certificate is not yet valid|ERR_TLS_CERT_ALTNAME_INVALID|does not match certificate's altnames/i,
  },
  {
    temporary: false,
    sentence:
      'the server refused the TLS connection: it may want a client certificate (tlsCertificateKeyFile in the URL)',
    text: /alert (?:certificate required|bad certificate|unknown ca|handshake failure)/i,
  },
  {
    temporary: false,
    sentence: 'the server does not speak TLS there: remove tls=true from the URL, or name the right port',
    codes: ['ERR_SSL_WRONG_VERSION_NUMBER', 'ERR_SSL_PACKET_LENGTH_TOO_LONG'],
    text: /wrong version number|packet length too long/i,
  },
  {
    temporary: true,
    sentence:
      'the connection broke off before TLS was agreed on (if this goes on, the server does not speak TLS there)',
    text: /before secure TLS connection was established/i,
  },
  {
    temporary: false,
    sentence: 'the MongoDB URL or one of its options is not valid',
    classes: [MongoParseError],
  },
  {
    temporary: true,
    sentence: 'the MongoDB server is not the primary now, or is shutting down',
    codes: [10107, 13435, 11602, 11600, 189, 91],
  },
  {
    temporary: true,
    sentence: "the MongoDB server's host name is unknown",
    codes: ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA'],
  },
  {
    temporary: true,
    sentence: 'nothing answers at that address: the connection was refused',
    codes: ['ECONNREFUSED'],
    text: /ECONNREFUSED/,
  },
  {
    temporary: true,
    sentence: 'the network does not reach the MongoDB server',
    codes: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN'],
  },
  {
    temporary: true,
    sentence: 'the replica set has no primary now',
    is: (error) => (error as { reason?: Topology }).reason?.type === 'ReplicaSetNoPrimary',
  },
  {
    temporary: true,
    sentence: 'MongoDB did not answer in time',
    codes: [50, 64, 262, 'ETIMEDOUT'],
    classes: [MongoDeadlineExceeded, MongoNetworkTimeoutError, MongoOperationTimeoutError],
    text: /timed out/,
  },
  {
    temporary: true,
    sentence:
      'the connection to MongoDB broke off (if this goes on, the server may want TLS: tls=true in the URL)',
    codes: ['ECONNRESET', 'EPIPE'],
    classes: [MongoNetworkError, MongoExpiredSessionError, MongoUnexpectedServerResponseError],
    is: isOfTheConnection,
    // A batch's error has only the text of its cause.
    text: /^connection \S+ to \S+ (?:closed|interrupted)/im,
  },
  {
    temporary: true,
    sentence: 'no MongoDB server could be reached',
    classes: [MongoServerSelectionError],
  },
];

const matches = (
  { codes = [], classes = [], text, is }: FailureKind,
  { errors, codes: found, text: message }: Failure,
): boolean =>
  codes.some((code) => found.has(code)) ||
  errors.some((error) => is?.(error) || classes.some((made) => error instanceof made)) ||
  text?.test(message) === true;

/** Whether the server denied this user a command. */
export const isUnauthorized = (error: unknown): boolean => inspect(error).codes.has(UNAUTHORIZED);

/** NotWritablePrimary and NotPrimaryNoSecondaryOk: the server did nothing. */
const NOT_PRIMARY = [10_107, 13_435];

/** Whether the server did nothing because it is not the primary: another one is, or soon will be. */
export const isNotPrimary = (error: unknown): boolean => {
  const { codes } = inspect(error);
  return NOT_PRIMARY.some((code) => codes.has(code));
};

/** One sentence, without its full stop: why MongoDB did not answer, or why it refuses. It has no credentials. */
export function describeMongoFailure(error: unknown): string {
  const failure = inspect(error);
  const kind = kindOf(failure);
  if (kind) return kind.sentence;
  const how = error instanceof MongoServerError ? 'MongoDB answered with an error' : 'the call failed';
  return `${how} (${withoutCredentials(messageOf(error))})`;
}

/**
 * Whether the server is unreachable for now, so that a retry may succeed. False if it refuses until an operator acts.
 * True for an unknown error of the server.
 */
export const isUnavailable = (error: unknown): boolean =>
  kindOf(inspect(error))?.temporary ?? error instanceof MongoServerError;

/** Whether the error is of MongoDB, its driver or the network. */
export const isMongoFailure = (error: unknown): boolean =>
  error instanceof MongoDeadlineExceeded || error instanceof MongoError || isOfTheConnection(error);

/** Codes of the system, since an EPIPE of a socket that the other side has closed names no system call, and of streams. */
const OF_SOCKETS = /^(?:E(?!RR_)[A-Z0-9]+|ERR_(?:STREAM|SOCKET|SSL|TLS|BUFFER_OUT_OF_BOUNDS).*)$/;

/**
 * Errors of the connection that the driver throws unchanged: the system's own if a socket breaks under a large command,
 * an `AbortError` if the driver closes a connection, and the decoder's for an answer that was cut off.
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

const kindOf = (failure: Failure): FailureKind | undefined => KINDS.find((kind) => matches(kind, failure));

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

/** Collects the error with its causes, its parts, and the last error of each server's monitor. */
function collect(error: unknown, into: unknown[]): void {
  if (typeof error !== 'object' || error === null || into.includes(error)) return;
  into.push(error);
  const { cause, errors, reason } = error as { cause?: unknown; errors?: unknown; reason?: Topology };
  collect(cause, into);
  if (Array.isArray(errors)) for (const part of errors) collect(part, into);
  if (!(reason?.servers instanceof Map)) return;
  for (const server of reason.servers.values()) collect((server as { error?: unknown }).error, into);
}
