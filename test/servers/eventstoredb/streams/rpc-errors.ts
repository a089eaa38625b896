import { Metadata, status, type StatusObject } from '@grpc/grpc-js';
import type { Expectation } from '../log/entry.js';

/** An error on the wire. From the trailer `exception` the client takes the class of its error. */
export class RpcError extends Error implements StatusObject {
  override readonly name = 'RpcError';
  readonly metadata = new Metadata();

  constructor(
    readonly code: status,
    readonly details: string,
    trailers: Readonly<Record<string, string>> = {},
  ) {
    super(details);
    for (const [key, value] of Object.entries(trailers)) this.metadata.set(key, value);
  }
}

/** A trailer holds ASCII only; what does not fit is left out, as the real server's library does not send it. */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?');

export const accessDenied = (): RpcError =>
  new RpcError(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });

export const unauthenticated = (): RpcError =>
  new RpcError(status.UNAUTHENTICATED, 'Bad gRPC response. HTTP status code: 401');

export const notReady = (): RpcError => new RpcError(status.UNAVAILABLE, 'Server Is Not Ready');

export const notLeader = (host: string, port: number): RpcError =>
  new RpcError(status.NOT_FOUND, 'Leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': host,
    'leader-endpoint-port': `${port}`,
  });

const timeout = (message: string): RpcError =>
  new RpcError(status.ABORTED, `Operation timed out: ${message}`);

export const commitTimeout = (): RpcError => timeout('Commit phase timeout.');

export const consumerTooSlow = (): RpcError =>
  timeout('Consumer too slow to handle event while live. Client resubscription required.');

export const streamDeleted = (stream: string): RpcError =>
  new RpcError(status.FAILED_PRECONDITION, `Event stream '${stream}' is deleted.`, {
    exception: 'stream-deleted',
    'stream-name': ascii(stream),
  });

/** The server's names of the expectations that are no revision. */
const asNumber = (expected: Expectation): bigint =>
  typeof expected === 'bigint' ? expected : { no_stream: -1n, any: -2n, stream_exists: -4n }[expected];

export const wrongExpectedVersion = (
  operation: string,
  stream: string,
  expected: Expectation,
  actual: number,
): RpcError =>
  new RpcError(
    status.FAILED_PRECONDITION,
    `${operation} failed due to WrongExpectedVersion. Stream: ${stream}, Expected version: ${asNumber(expected)}, Actual version: ${actual}`,
    {
      exception: 'wrong-expected-version',
      'stream-name': ascii(stream),
      'expected-version': `${asNumber(expected)}`,
      'actual-version': `${actual}`,
    },
  );

export const maxAppendSizeExceeded = (limit: number): RpcError =>
  new RpcError(status.INVALID_ARGUMENT, `Maximum Append Size of ${limit} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${limit}`,
  });

export const metadataMissing = (property: string): RpcError =>
  new RpcError(status.INVALID_ARGUMENT, `Required Metadata Property '${property}' is missing`, {
    exception: 'missing-required-metadata-property',
    'required-metadata-properties': 'type,content-type',
  });

/** The answer of a read of $all for a position without a record. */
export const notOnARecord = (): RpcError => new RpcError(status.UNKNOWN, 'Unexpected ReadAllResult: Error');

export const invalidArgument = (sentence: string): RpcError =>
  new RpcError(status.INVALID_ARGUMENT, sentence);

/** The client is gone: this answer is never received. */
export const brokenOff = (): RpcError => new RpcError(status.CANCELLED, 'The call broke off.');

/** Any error that is not of the protocol is a fault of this server, and is named so. */
export const asRpcError = (error: unknown): RpcError =>
  error instanceof RpcError
    ? error
    : new RpcError(status.UNKNOWN, error instanceof Error ? error.message : String(error));
