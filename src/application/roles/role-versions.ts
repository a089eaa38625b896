import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Actor } from '../../core/event.js';
import { CommandStreams } from '../../core/handle.js';
import { changesBetween, type RoleChange } from '../../domain/role/changes.js';
import { type Role, role, type RoleState } from '../../domain/role/decider.js';
import type { RoleEvent } from '../../domain/role/events.js';
import { MAX_PAGE_BYTES } from '../reads.js';
import type { RoleOf } from './on-role.js';

/** A version of a role, and what led to it. */
export interface RoleVersion {
  readonly version: number;
  readonly at: string;
  readonly actor: Actor;
  /** The stored name of its event. */
  readonly action: RoleEvent['type'];
  /** The changes from the version before; none in the first version. */
  readonly changes: readonly RoleChange[];
}

/** A version as it is read: with the definitions before and after it. */
interface Step extends Omit<RoleVersion, 'changes'> {
  readonly before: RoleState;
  readonly after: Role;
}

/** The former versions of roles, from their streams: each event of a role's stream makes a version. */
@Injectable()
export class RoleVersions {
  constructor(private readonly streams: CommandStreams) {}

  /** The role as that version had it; `null` if the organisation has no such role, or the role no such version. */
  async roleAt(of: RoleOf, version: number): Promise<Role | null> {
    let last: Role | null = null;
    for await (const { after } of this.steps(of, version)) last = after;
    return last?.version === version ? last : null;
  }

  /**
   * Versions, newest first: at most `limit`, and fewer if their changes are large, but one at least.
   * @param before only those before that version
   * @returns `null`: the organisation has no such role
   */
  async newest(
    of: RoleOf,
    limit: number,
    before = Infinity,
  ): Promise<{ readonly versions: readonly RoleVersion[]; readonly hasMore: boolean } | null> {
    const last: Step[] = [];
    for await (const step of this.steps(of, before - 1)) {
      last.push(step);
      if (last.length > limit) last.shift();
    }
    if (last.length === 0) return null;
    const versions: RoleVersion[] = [];
    let bytes = 0;
    for (const { before: former, after, ...step } of last.reverse()) {
      const changes = former === null ? [] : changesBetween(former.definition, after.definition);
      bytes += JSON.stringify(changes).length;
      if (versions.length > 0 && bytes > MAX_PAGE_BYTES) break;
      versions.push({ ...step, changes });
    }
    return { versions, hasMore: (versions.at(-1)?.version ?? 1) > 1 };
  }

  private async *steps({ organisationId, roleId }: RoleOf, upTo: number): AsyncGenerator<Step> {
    // Only an id may go into a stream's name.
    if (!isUuid(roleId)) return;
    let before: RoleState = null;
    for await (const event of this.streams.each(role, roleId)) {
      const after: RoleState = role.evolve(before, event);
      if (after?.organisationId !== organisationId || after.version > upTo) return;
      const { recordedAt, actor } = event.metadata;
      yield { version: after.version, at: recordedAt, actor, action: event.type, before, after };
      before = after;
    }
  }
}
