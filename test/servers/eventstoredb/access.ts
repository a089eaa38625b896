import type { Metadata } from '@grpc/grpc-js';
import type { Faults } from './faults/faults.js';
import { accessDenied, notLeader, notReady, unauthenticated } from './streams/rpc-errors.js';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Whether a call is allowed. */
export class Access {
  constructor(
    private readonly faults: Faults,
    private readonly credentials: Credentials | null,
  ) {}

  /** @throws {RpcError} as the real server refuses it */
  async admit(metadata: Metadata): Promise<void> {
    await this.faults.admit();
    const { unavailable, accessDenied: denied, leader } = this.faults.settings;
    if (unavailable) throw notReady();
    if (denied) throw accessDenied();
    this.#assertKnown(metadata);
    if (leader && metadata.get('requires-leader')[0] === 'true') throw notLeader(leader.host, leader.port);
  }

  /** Calls about the node itself need no credentials, so that every client can discover it. */
  async admitAnybody(): Promise<void> {
    await this.faults.admit();
    if (this.faults.settings.unavailable) throw notReady();
  }

  #assertKnown(metadata: Metadata): void {
    if (!this.credentials) return;
    const [given] = metadata.get('authorization');
    // As the real server: without credentials access is denied, with wrong ones the answer is HTTP 401.
    if (given === undefined) throw accessDenied();
    const { username, password } = this.credentials;
    const right = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    if (given.toString() !== right) throw unauthenticated();
  }
}
