import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerReadableStream } from '@grpc/grpc-js';
import type { ServerHttp2Stream } from 'node:http2';
import type { Expectation, Outcome } from '../log/entry.js';
import { expectation, Proposal, streamName } from './requests.js';
import { asRpcError, brokenOff, commitTimeout, invalidArgument, streamDeleted } from './rpc-errors.js';

/** A received append. */
export interface AppendCall {
  readonly stream: string;
  readonly expected: Expectation;
  readonly proposal: Proposal;
}

type Requests = ServerReadableStream<streams.AppendReq, streams.AppendResp>;

/** @throws {RpcError} the request is no append, is too large, or broke off */
export function receiveAppend(requests: Requests): Promise<AppendCall> {
  const endedByClient = endsByClient(requests);
  return new Promise((resolve, reject) => {
    let call: AppendCall | null = null;
    // No `for await` over the stream: that destroys it at its end, which makes an error each time.
    requests.on('data', (request: streams.AppendReq) => {
      try {
        call = taken(call, request);
      } catch (error) {
        reject(asRpcError(error));
      }
    });
    requests.on('end', () => {
      if (!endedByClient()) reject(brokenOff());
      else if (call) resolve(call);
      else reject(invalidArgument('An append begins with its options.'));
    });
    requests.on('error', reject);
  });
}

/**
 * Whether the client has ended its requests. Call it once they have ended: this library also ends the requests of a
 * broken connection, and the beginning of an append must not be taken for the whole.
 */
function endsByClient(requests: Requests): () => boolean {
  const { stream } = (requests as unknown as { call: { stream: ServerHttp2Stream } }).call;
  let ended = false;
  stream.once('end', () => {
    ended = !stream.aborted;
  });
  return () => ended;
}

function taken(call: AppendCall | null, request: streams.AppendReq): AppendCall | null {
  const options = request.getOptions();
  const message = request.getProposedMessage();
  if (options) {
    const stream = streamName(options.getStreamIdentifier());
    return { stream, expected: expectation(options), proposal: new Proposal() };
  }
  if (message) call?.proposal.add(message);
  return call;
}

/** @throws {RpcError} the stream was deleted permanently, or the append was not committed in time */
export function appendResponse({ stream, expected }: AppendCall, outcome: Outcome): streams.AppendResp {
  switch (outcome.kind) {
    case 'written':
      return new streams.AppendResp().setSuccess(success(outcome.revision, outcome.position));
    case 'wrong-expected-version':
      return new streams.AppendResp().setWrongExpectedVersion(wrong(expected, outcome.current));
    case 'stream-deleted':
      throw streamDeleted(stream);
    case 'not-ready':
      throw commitTimeout();
  }
}

function success(revision: number, position: number): streams.AppendResp.Success {
  const answer = new streams.AppendResp.Success();
  if (revision < 0) answer.setNoStream(new shared.Empty());
  else answer.setCurrentRevision(`${revision}`);
  if (position < 0) return answer.setNoPosition(new shared.Empty());
  const at = new streams.AppendResp.Position();
  return answer.setPosition(at.setCommitPosition(`${position}`).setPreparePosition(`${position}`));
}

function wrong(expected: Expectation, current: number): streams.AppendResp.WrongExpectedVersion {
  const answer = new streams.AppendResp.WrongExpectedVersion();
  if (expected === 'any') answer.setExpectedAny(new shared.Empty());
  else if (expected === 'stream_exists') answer.setExpectedStreamExists(new shared.Empty());
  else if (expected === 'no_stream') answer.setExpectedNoStream(new shared.Empty());
  else answer.setExpectedRevision(`${expected}`);
  if (current < 0) return answer.setCurrentNoStream(new shared.Empty());
  return answer.setCurrentRevision(`${current}`);
}
