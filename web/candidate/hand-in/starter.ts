import type { BriefingTicket } from '../../../packages/client/src/contract.js';
import { FILE_SET_LIMITS } from '../../../src/work/limits.js';
import type { Api } from '../../shared/api.js';
import { sha256Of, unpacked, type WorkFile } from '../../shared/packing.js';
import type { FileKeeper } from './keeping.js';

/** The files of a ticket's starter with their content: read once, then kept on this device for use without network. */
export class Starter {
  private reading: Promise<readonly WorkFile[]> | null = null;

  constructor(
    private readonly api: Pick<Api, 'getBytes'>,
    private readonly files: FileKeeper,
    private readonly sessionId: string,
    private readonly ticket: BriefingTicket,
  ) {}

  /** @throws {ApiFailure | Error} the files cannot be read */
  read(): Promise<readonly WorkFile[]> {
    this.reading ??= this.load().catch((error: unknown) => {
      this.reading = null;
      throw error;
    });
    return this.reading;
  }

  /** The starter as one file. @throws {ApiFailure} */
  archive(format: 'zip' | 'tar'): Promise<Uint8Array> {
    return this.api.getBytes(
      `trial-sessions/${this.sessionId}/tickets/${this.ticket.id}/starter?format=${format}`,
    );
  }

  private async load(): Promise<readonly WorkFile[]> {
    const { starter, id } = this.ticket;
    if (!starter) return [];
    const key = `starter/${this.sessionId}/${id}`;
    const kept = await this.files.get(key).catch(() => null);
    const content = kept?.name === starter.sha256 ? kept.content : await this.archive('zip');
    const files = unpacked(content, FILE_SET_LIMITS);
    if (files === null) throw new Error('The starter cannot be read.');
    // With the starter's hash, so that the files of another version are not used for this one.
    await this.files.set(key, { name: starter.sha256, sha256: await sha256Of(content), content });
    return files;
  }
}
