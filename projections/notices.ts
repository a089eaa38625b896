import type { EventOf, Stored } from '../src/core/event.js';
import {
  type Notice,
  NOTICE_OF,
  type NoticeIdName,
  type NoticeIds,
  NOTICES,
  type NoticeType,
  type CausingType,
} from '../src/domain/webhook/events.js';
import type { ViewDocument } from '../src/engine/view.js';
import { defineView, onEach } from './view.js';

/** An organisation's webhooks, and the notices for which deliveries are still to be requested, by organisation id. */
export interface NoticesDocument extends ViewDocument {
  readonly organisationId: string;
  /** Without the deleted ones. */
  readonly webhooks: readonly { readonly webhookId: string; readonly events: readonly NoticeType[] }[];
  /** Oldest first. */
  readonly pending: readonly PendingNotice[];
}

/** A notice, and the webhooks to which no delivery of it is requested yet. */
export interface PendingNotice {
  readonly type: NoticeType;
  /** The id of the event that it is about. */
  readonly causedBy: string;
  /** When that event was recorded. */
  readonly timestamp: string;
  readonly correlationId: string;
  readonly ids: NoticeIds;
  /** Of the webhooks that were subscribed when it happened, those without a requested delivery. */
  readonly webhookIds: readonly string[];
}

/** What a notice takes from the event that it is about. */
type CausingEvent = EventOf<
  CausingType,
  Readonly<Partial<Record<NoticeIdName, string>>> & {
    readonly organisationId: string;
    /** Of `trial.erased`: whether the erasure withdrew an open session; `false` causes no notice. */
    readonly withdrawn?: boolean;
  },
  object | null
>;

export const notices = defineView<NoticesDocument>()({
  name: 'notices',
  version: 4,
  documentId: (event) => event.data.organisationId,
  initial: (organisationId) => ({ organisationId, webhooks: [], pending: [] }),
  on: {
    'webhook.created': (document, { data: { webhookId, events } }) => ({
      ...document,
      webhooks: [...document.webhooks, { webhookId, events }],
    }),
    'webhook.deleted': (document, { data: { webhookId } }) => ({
      ...document,
      webhooks: document.webhooks.filter((one) => one.webhookId !== webhookId),
      pending: document.pending.flatMap((notice) => without(notice, webhookId)),
    }),
    'delivery.requested': (document, { data: { webhookId, causedBy } }) => ({
      ...document,
      pending: document.pending.flatMap((notice) =>
        notice.causedBy === causedBy ? without(notice, webhookId) : [notice],
      ),
    }),
    ...onEach(
      Object.keys(NOTICE_OF) as CausingType[],
      (document: NoticesDocument, event: Stored<CausingEvent>) => {
        const type = noticeTypeOf(event);
        const subscribed = document.webhooks.filter(({ events }) => type !== null && events.includes(type));
        if (type === null || subscribed.length === 0) return document;
        const { recordedAt: timestamp, correlationId } = event.metadata;
        const webhookIds = subscribed.map(({ webhookId }) => webhookId);
        const ids = idsOf(event.data, NOTICES[type]);
        const notice = { type, causedBy: event.id, timestamp, correlationId, ids, webhookIds };
        return { ...document, pending: [...document.pending, notice] };
      },
    ),
  },
  keys: { oldest: ({ pending }) => pending[0]?.timestamp ?? null },
  indexes: { byOldest: ['oldest'] },
});

/** The notice without one of its webhooks; empty if that was the last. */
const without = (notice: PendingNotice, webhookId: string): readonly PendingNotice[] => {
  const webhookIds = notice.webhookIds.filter((one) => one !== webhookId);
  return webhookIds.length === 0 ? [] : [{ ...notice, webhookIds }];
};

/** `null`: the event causes no notice. */
const noticeTypeOf = ({ type, data }: CausingEvent): NoticeType | null =>
  data.withdrawn === false ? null : NOTICE_OF[type];

const idsOf = (data: Readonly<Partial<Record<NoticeIdName, string>>>, { ids }: Notice): NoticeIds =>
  Object.fromEntries(ids.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
