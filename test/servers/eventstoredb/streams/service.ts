import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  type Metadata,
  type sendUnaryData,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Access } from '../access.js';
import type { Faults } from '../faults/faults.js';
import type { Outcome } from '../log/entry.js';
import type { EventLog } from '../log/event-log.js';
import { type AppendCall, appendResponse, receiveAppend } from './append.js';
import { type BatchCall, serveBatches } from './batch-append.js';
import { Outlet } from './outlet.js';
import { readAll, readStream } from './read.js';
import { expectation, streamName } from './requests.js';
import { asRpcError, commitTimeout, streamDeleted, wrongExpectedVersion } from './rpc-errors.js';
import { subscribeToAll, subscribeToStream } from './subscribe.js';

/** Answers with events are already encoded. */
export const streamsDefinition = {
  ...StreamsService,
  read: { ...StreamsService.read, responseSerialize: (bytes: Buffer) => bytes },
};

interface StreamsContext {
  readonly log: EventLog;
  readonly access: Access;
  readonly faults: Faults;
  /** Resets the connection of a call. */
  readonly reset: (peer: string) => void;
  /** Called after every written append. */
  readonly appended: () => void;
}

/** After how long the real server ends a write as timed out: its default, plus the interval of its check. */
const COMMIT_TIMEOUT_MS = 2_500;

type Delete = streams.DeleteReq | streams.TombstoneReq;

export function streamsService(context: StreamsContext) {
  const { log, access, faults } = context;
  return {
    read: (call: ServerWritableStream<streams.ReadReq, Buffer>) => {
      const outlet = new Outlet(call, log);
      const options = call.request.getOptions() ?? new streams.ReadReq.Options();
      access
        .admit(call.metadata)
        .then(() => answer(options, outlet))
        .then(
          () => call.end(),
          (error: unknown) => call.emit('error', asRpcError(error)),
        );
    },

    append: (
      call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
      callback: sendUnaryData<streams.AppendResp>,
    ) => {
      unary(callback, () => append(call));
    },

    batchAppend: (call: BatchCall) =>
      serveBatches(call, async (batch) => {
        await access.admit(call.metadata);
        return write(batch, call.getPeer());
      }),

    delete: (
      call: ServerUnaryCall<streams.DeleteReq, streams.DeleteResp>,
      callback: sendUnaryData<streams.DeleteResp>,
    ) =>
      unary(callback, async () => {
        const position = await remove(call.metadata, call.request, (name, expected) =>
          log.delete(name, expected),
        );
        const at = new streams.DeleteResp.Position().setCommitPosition(position).setPreparePosition(position);
        return new streams.DeleteResp().setPosition(at);
      }),

    tombstone: (
      call: ServerUnaryCall<streams.TombstoneReq, streams.TombstoneResp>,
      callback: sendUnaryData<streams.TombstoneResp>,
    ) =>
      unary(callback, async () => {
        const position = await remove(call.metadata, call.request, (name, expected) =>
          log.tombstone(name, expected),
        );
        const at = new streams.TombstoneResp.Position()
          .setCommitPosition(position)
          .setPreparePosition(position);
        return new streams.TombstoneResp().setPosition(at);
      }),
  };

  async function answer(options: streams.ReadReq.Options, outlet: Outlet): Promise<void> {
    const patience = () => faults.settings.patience;
    if (options.hasSubscription()) {
      const subscription = options.hasStream()
        ? subscribeToStream(log, options, outlet, patience)
        : subscribeToAll(log, options, outlet, patience, () => faults.settings.muted, faults.settings.repeat);
      await Promise.race([subscription, faults.dropped(outlet.signal)]);
    } else {
      await (options.hasStream()
        ? readStream(log, options, outlet)
        : readAll(log, options, outlet, log.visible - faults.settings.stale));
    }
  }

  async function append(
    call: ServerReadableStream<streams.AppendReq, streams.AppendResp>,
  ): Promise<streams.AppendResp> {
    const received = await receiveAppend(call);
    await access.admit(call.metadata);
    const outcome = await write(received, call.getPeer());
    return outcome ? appendResponse(received, outcome) : new Promise<never>(() => undefined);
  }

  /** @returns `null` if the writer must not learn the outcome */
  async function write({ stream, expected, proposal }: AppendCall, peer: string): Promise<Outcome | null> {
    const fault = faults.nextAppend();
    let outcome: Outcome | null = null;
    if (!fault?.startsWith('lost-')) outcome = await log.append(stream, expected, proposal.events);
    if (outcome?.kind === 'written') context.appended();
    if (outcome?.kind === 'not-ready') await sleep(COMMIT_TIMEOUT_MS);
    if (!fault) return outcome;
    if (fault.endsWith('-timeout')) throw commitTimeout();
    if (fault.endsWith('-stale'))
      return {
        kind: 'wrong-expected-version',
        current: typeof expected === 'bigint' ? Number(expected) : -1,
      };
    if (fault.endsWith('-reset')) context.reset(peer);
    return null;
  }

  async function remove(
    metadata: Metadata,
    request: Delete,
    run: (name: string, expected: ReturnType<typeof expectation>) => Promise<Outcome>,
  ): Promise<string> {
    await access.admit(metadata);
    const options = request.getOptions() ?? new streams.DeleteReq.Options();
    const name = streamName(options.getStreamIdentifier());
    const expected = expectation(options);
    const outcome = await run(name, expected);
    if (outcome.kind === 'stream-deleted') throw streamDeleted(name);
    if (outcome.kind === 'not-ready') throw commitTimeout();
    if (outcome.kind === 'wrong-expected-version') {
      throw wrongExpectedVersion('Delete', name, expected, outcome.current);
    }
    return `${outcome.position}`;
  }
}

function unary<Response>(callback: sendUnaryData<Response>, run: () => Promise<Response>): void {
  run().then(
    (response) => callback(null, response),
    (error: unknown) => callback(asRpcError(error)),
  );
}
