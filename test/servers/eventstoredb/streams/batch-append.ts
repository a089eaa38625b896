import codes from '@eventstore/db-client/generated/code_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statuses from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { Expectation, Outcome } from '../log/entry.js';
import type { AppendCall } from './append.js';
import { expectation, MAX_APPEND_BYTES, Proposal, streamName } from './requests.js';
import { commitTimeout, RpcError } from './rpc-errors.js';

type Request = streams.BatchAppendReq;
type Response = streams.BatchAppendResp;
export type BatchCall = ServerDuplexStream<Request, Response>;

interface Pending extends AppendCall {
  readonly correlation: shared.UUID;
  readonly identifier: shared.StreamIdentifier | undefined;
}

/**
 * Serves the BatchAppend call: many appends over one stream of requests, identified by their correlation ids. An append
 * may have several requests and is written with its final one.
 * @param write performs an append, and throws a refusal; `null`: no answer is sent, as if it was lost
 */
export function serveBatches(call: BatchCall, write: (append: AppendCall) => Promise<Outcome | null>): void {
  const pending = new Map<string, Pending>();
  let running = 0;
  let ended = false;
  const endIfDone = (): void => {
    if (ended && running === 0) call.end();
  };

  const run = (append: Pending): void => {
    const response = responseTo(append.correlation, append.identifier);
    running++;
    write(append)
      .then(
        (outcome) => outcome && call.write(answer(response, append.expected, outcome)),
        (error: unknown) => call.write(response.setError(refusal(error))),
      )
      .finally(() => {
        running--;
        endIfDone();
      });
  };

  call.on('data', (request: Request) => {
    const correlation = request.getCorrelationId() ?? new shared.UUID();
    const key = correlation.getString();
    const name = request.getOptions()?.getStreamIdentifier();
    let append: Pending | null;
    try {
      append = extended(pending.get(key), request);
    } catch (error) {
      pending.delete(key);
      call.write(responseTo(correlation, name).setError(refusal(error)));
      return;
    }
    if (append && !request.getIsFinal()) pending.set(key, append);
    else pending.delete(key);
    if (append && request.getIsFinal()) run(append);
  });
  call.on('end', () => {
    ended = true;
    endIfDone();
  });
  call.on('error', () => undefined);
}

/**
 * Adds a request to its append; `null`: there is no append that the request continues.
 * @throws {RpcError} the request is no append, or the append becomes too large
 */
function extended(before: Pending | undefined, request: Request): Pending | null {
  const options = request.getOptions();
  const append = options ? newAppend(request.getCorrelationId() ?? new shared.UUID(), options) : before;
  for (const message of request.getProposedMessagesList()) append?.proposal.add(message);
  return append ?? null;
}

const newAppend = (correlation: shared.UUID, options: streams.BatchAppendReq.Options): Pending => ({
  correlation,
  identifier: options.getStreamIdentifier(),
  stream: streamName(options.getStreamIdentifier()),
  expected: expectation({
    hasRevision: () => options.hasStreamPosition(),
    getRevision: () => options.getStreamPosition(),
    hasNoStream: () => options.hasNoStream(),
    hasAny: () => options.hasAny(),
    hasStreamExists: () => options.hasStreamExists(),
  }),
  proposal: new Proposal(),
});

const responseTo = (correlation: shared.UUID, stream: shared.StreamIdentifier | undefined): Response =>
  new streams.BatchAppendResp().setCorrelationId(correlation).setStreamIdentifier(stream);

function answer(response: Response, expected: Expectation, outcome: Outcome): Response {
  switch (outcome.kind) {
    case 'written':
      return response.setSuccess(success(outcome.revision, outcome.position));
    case 'wrong-expected-version':
      return response.setError(wrongExpectedVersion(expected, outcome.current));
    case 'stream-deleted':
      return response.setError(
        failure(codes.Code.NOT_FOUND, 'StreamDeleted', new shared.StreamDeleted().serializeBinary()),
      );
    case 'not-ready':
      return response.setError(refusal(commitTimeout()));
  }
}

/** @param revision negative: the stream is empty @param position negative: nothing was written */
function success(revision: number, position: number): streams.BatchAppendResp.Success {
  const done = new streams.BatchAppendResp.Success();
  if (revision < 0) done.setNoStream(new empty.Empty());
  else done.setCurrentRevision(`${revision}`);
  if (position < 0) return done.setNoPosition(new empty.Empty());
  const at = new shared.AllStreamPosition();
  return done.setPosition(at.setCommitPosition(`${position}`).setPreparePosition(`${position}`));
}

/** @param current the stream's last revision, negative if it is empty */
function wrongExpectedVersion(expected: Expectation, current: number): statuses.Status {
  const wrong = new shared.WrongExpectedVersion();
  if (expected === 'any') wrong.setExpectedAny(new empty.Empty());
  else if (expected === 'stream_exists') wrong.setExpectedStreamExists(new empty.Empty());
  else if (expected === 'no_stream') wrong.setExpectedNoStream(new empty.Empty());
  else wrong.setExpectedStreamPosition(`${expected}`);
  if (current < 0) wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(`${current}`);
  return failure(codes.Code.ALREADY_EXISTS, 'WrongExpectedVersion', wrong.serializeBinary());
}

/** A refusal as a status in the response. The Append call, in contrast, ends with an error. */
function refusal(error: unknown): statuses.Status {
  const exception = error instanceof RpcError ? error.metadata.get('exception')[0] : undefined;
  if (exception === 'maximum-append-size-exceeded') {
    const exceeded = new shared.MaximumAppendSizeExceeded().setMaxappendsize(MAX_APPEND_BYTES);
    return failure(codes.Code.INVALID_ARGUMENT, 'MaximumAppendSizeExceeded', exceeded.serializeBinary());
  }
  if (exception === 'access-denied') {
    return failure(codes.Code.PERMISSION_DENIED, 'AccessDenied', new shared.AccessDenied().serializeBinary());
  }
  if (error instanceof RpcError && error.details.startsWith('Operation timed out')) {
    return failure(codes.Code.DEADLINE_EXCEEDED, 'Timeout', new shared.Timeout().serializeBinary());
  }
  const bad = new shared.BadRequest().setMessage(error instanceof Error ? error.message : String(error));
  return failure(codes.Code.INVALID_ARGUMENT, 'BadRequest', bad.serializeBinary());
}

function failure(code: statuses.Status.AsObject['code'], type: string, details: Uint8Array): statuses.Status {
  const packed = new any.Any();
  packed.pack(details, `event_store.client.${type}`);
  return new statuses.Status().setCode(code).setMessage(type).setDetails(packed);
}
