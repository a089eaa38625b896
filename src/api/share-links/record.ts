import {
  component,
  instant,
  integer,
  type JsonSchema,
  nullable,
  objectOf,
  text,
  uuid,
} from '../../core/json-schema.js';

/** A share link as staff see it. */
export interface ShareLinkRecord {
  readonly id: string;
  readonly createdAt: string;
  /** The subject of whoever made it. */
  readonly createdBy: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  readonly views: number;
}

/** As its creation answers it: the only place where the token is shown. */
export interface NewShareLinkRecord extends ShareLinkRecord {
  readonly token: string;
  /** Where the report is read. */
  readonly url: string;
}

export const shareLinkRecord = (link: Omit<ShareLinkRecord, 'id'>, id: string): ShareLinkRecord => ({
  id,
  createdAt: link.createdAt,
  createdBy: link.createdBy,
  expiresAt: link.expiresAt,
  revokedAt: link.revokedAt,
  views: link.views,
});

const record = {
  id: uuid,
  createdAt: instant,
  createdBy: text,
  expiresAt: instant,
  revokedAt: nullable(instant),
  views: integer,
};

export const shareLinkSchema = (): JsonSchema => component('ShareLink', objectOf(record));

export const newShareLinkSchema = (): JsonSchema =>
  component('NewShareLink', objectOf({ ...record, token: text, url: text }));
