import { randomUUID } from 'node:crypto';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Access } from './access.js';
import { asRpcError } from './streams/rpc-errors.js';

const STREAMS = 'event_store.client.streams.streams';
const METHODS: Readonly<Record<string, readonly string[]>> = {
  read: ['position', 'events'],
  append: [],
  delete: [],
  tombstone: [],
  batchappend: ['deadline_duration'],
};

type Answer<Response> = (
  call: ServerUnaryCall<shared.Empty, Response>,
  callback: sendUnaryData<Response>,
) => void;

/** What the server says that it can do; a method that is not named is not called. */
export function featuresService(
  access: Access,
  version: string,
): { getSupportedMethods: Answer<features.SupportedMethods> } {
  const supported = new features.SupportedMethods().setEventStoreServerVersion(version);
  for (const [name, list] of Object.entries(METHODS)) {
    const method = new features.SupportedMethod().setServiceName(STREAMS).setMethodName(name);
    supported.addMethods(method.setFeaturesList([...list]));
  }
  return { getSupportedMethods: (_call, callback) => answerAnybody(access, callback, () => supported) };
}

/** A cluster of one node, which is its own leader. */
export function gossipService(
  access: Access,
  host: string,
  port: () => number,
): { read: Answer<gossip.ClusterInfo> } {
  const instance = new shared.UUID().setString(randomUUID());
  return {
    read: (_call, callback) => {
      const member = new gossip.MemberInfo()
        .setInstanceId(instance)
        .setTimeStamp(`${BigInt(Date.now()) * 10_000n}`)
        .setState(gossip.MemberInfo.VNodeState.LEADER)
        .setIsAlive(true)
        .setHttpEndPoint(new gossip.EndPoint().setAddress(host).setPort(port()));
      const info = new gossip.ClusterInfo().setMembersList([member]);
      answerAnybody(access, callback, () => info);
    },
  };
}

function answerAnybody<Response>(
  access: Access,
  callback: sendUnaryData<Response>,
  answer: () => Response,
): void {
  access.admitAnybody().then(
    () => callback(null, answer()),
    (error: unknown) => callback(asRpcError(error)),
  );
}
