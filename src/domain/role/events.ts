import type { EventOf } from '../../core/event.js';

/** Stored names and latest shapes of a role's stream (`role-<id>`): the storage contract. */

export interface Dimension {
  readonly id: string;
  readonly name: string;
  readonly weight: number;
  readonly category: string;
  readonly threshold: number | null;
  readonly rubric: string | null;
}

export interface PlannedQuestion {
  readonly text: string;
  readonly dimensionName: string | null;
}

export interface RoleDefinition {
  readonly name: string;
  readonly overallThreshold: number;
  readonly dimensions: readonly Dimension[];
  readonly ticketIds: readonly string[];
  readonly questions: readonly PlannedQuestion[];
}

/** `ready` once the definition satisfies the update rules: only then can candidates be invited. */
export type RoleStatus = 'draft' | 'ready';

interface RoleData {
  readonly organisationId: string;
  readonly roleId: string;
  readonly definition: RoleDefinition;
  readonly status: RoleStatus;
}

export type RoleCreated = EventOf<'role.created', RoleData>;
export type RoleUpdated = EventOf<'role.updated', RoleData>;

export type RoleEvent = RoleCreated | RoleUpdated;
