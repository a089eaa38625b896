import { Inject, Injectable } from '@nestjs/common';
import { shareLinks } from '../../../projections/share-links.js';
import { CommandStreams } from '../../core/handle.js';
import { isOpen, shareLink } from '../../domain/share-link/decider.js';
import type { Found } from '../../engine/reads/reads.js';
import type { DocumentOf } from '../../engine/view.js';
import type { Vault } from '../../vault/port.js';
import { isErased } from '../applications/erased.js';
import { type Freshness, Reads } from '../reads.js';
import { VAULT } from '../tokens.js';
import { isToken, tokenHash } from './tokens.js';

/** A share link as its view shows it. */
export type FoundLink = Found<DocumentOf<typeof shareLinks>>;

/** Share links by the tokens that their holders have. */
@Injectable()
export class HeldLinks {
  constructor(
    private readonly reads: Reads,
    private readonly streams: CommandStreams,
    @Inject(VAULT) private readonly vault: Pick<Vault, 'keys'>,
  ) {}

  /** The link of a token; `null`: there is none, also once the view has reached the log's end as of the call. */
  async find(token: string, freshness: Freshness): Promise<FoundLink | null> {
    if (!isToken(token)) return null;
    const key = [tokenHash(token)];
    return this.reads.findCaughtUp([shareLinks], () =>
      this.reads.only(shareLinks, 'byToken', key, freshness),
    );
  }

  /** Whether the link shows its report at a time, by its stream and by the candidate's key. */
  async isOpen({ id, document }: FoundLink, now: Date): Promise<boolean> {
    const { state } = await this.streams.read(shareLink, id);
    return isOpen(state, now) && !(await isErased(this.vault, document.candidateId));
  }
}
