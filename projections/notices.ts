import type { EventOf } from '../src/core/event.js';
import type { View, ViewDocument } from '../src/engine/view.js';
import {
  type DeliveryRequested,
  type Notice,
  type NoticeIdName,
  type NoticeIds,
  NOTICE_OF,
  NOTICES,
  type NoticeType,
  type ToldType,
  type WebhookCreated,
  type WebhookDeleted,
} from '../src/domain/webhook/events.js';

/** An organisation's webhooks, and what they are to be told and no delivery is requested for yet, by its id. */
export interface NoticesDocument extends ViewDocument {
  readonly organisationId: string;
  /** Those that there are by now. */
  readonly webhooks: readonly { readonly webhookId: string; readonly events: readonly NoticeType[] }[];
  /** Oldest first. */
  readonly pending: readonly PendingNotice[];
}

/** Something that happened, and which webhooks are still to be told of it. */
export interface PendingNotice {
  readonly type: NoticeType;
  /** The id of the event that it tells of. */
  readonly causedBy: string;
  readonly timestamp: string;
  readonly correlationId: string;
  readonly ids: NoticeIds;
  /** Of the webhooks that wanted it when it happened: one made later hears nothing of it. */
  readonly webhookIds: readonly string[];
}

/** What a notice takes from the event that it tells of. */
type Told = EventOf<
  ToldType,
  Readonly<Partial<Record<NoticeIdName, string>>> & {
    readonly organisationId: string;
    readonly withdrawn?: boolean;
  }
>;
type NoticesEvent = Told | WebhookCreated | WebhookDeleted | DeliveryRequested;

export const notices: View<NoticesDocument, NoticesEvent> = {
  name: 'notices',
  version: 2,
  handles: [
    'webhook.created',
    'webhook.deleted',
    'delivery.requested',
    ...(Object.keys(NOTICE_OF) as ToldType[]),
  ],
  uses: [NOTICES, NOTICE_OF],
  documentId: (event) => event.data.organisationId,
  initial: (organisationId) => ({ organisationId, webhooks: [], pending: [] }),
  evolve(document, event) {
    switch (event.type) {
      case 'webhook.created': {
        const { webhookId, events } = event.data;
        return { ...document, webhooks: [...document.webhooks, { webhookId, events }] };
      }
      case 'webhook.deleted': {
        const { webhookId } = event.data;
        return {
          ...document,
          webhooks: document.webhooks.filter((one) => one.webhookId !== webhookId),
          pending: document.pending.flatMap((notice) => without(notice, webhookId)),
        };
      }
      case 'delivery.requested': {
        const { webhookId, causedBy } = event.data;
        const pending = document.pending.flatMap((notice) =>
          notice.causedBy === causedBy ? without(notice, webhookId) : [notice],
        );
        return { ...document, pending };
      }
      default: {
        const type = noticeTypeOf(event);
        const wanting = document.webhooks.filter(({ events }) => type !== null && events.includes(type));
        if (type === null || wanting.length === 0) return document;
        const { recordedAt: timestamp, correlationId } = event.metadata;
        const webhookIds = wanting.map(({ webhookId }) => webhookId);
        const ids = idsOf(event.data, NOTICES[type]);
        const notice = { type, causedBy: event.id, timestamp, correlationId, ids, webhookIds };
        return { ...document, pending: [...document.pending, notice] };
      }
    }
  },
  indexes: { byOldest: ({ pending }) => (pending[0] ? [pending[0].timestamp] : null) },
};

/** The notice with one webhook less; nothing where that was the last. */
const without = (notice: PendingNotice, webhookId: string): readonly PendingNotice[] => {
  const webhookIds = notice.webhookIds.filter((one) => one !== webhookId);
  return webhookIds.length === 0 ? [] : [{ ...notice, webhookIds }];
};

/** `null`: no notice tells of it. */
const noticeTypeOf = ({ type, data }: Told): NoticeType | null =>
  data.withdrawn === false ? null : NOTICE_OF[type];

const idsOf = (data: Readonly<Partial<Record<NoticeIdName, string>>>, { ids }: Notice): NoticeIds =>
  Object.fromEntries(ids.flatMap((name) => (data[name] === undefined ? [] : [[name, data[name]]])));
