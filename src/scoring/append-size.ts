import type { AnyEvent } from '../core/event.js';
import { MAX_APPEND_BYTES } from '../core/event-store.js';

/** More than an event's metadata, chain link, signature and the wrapping of its sealed part take. */
const ENVELOPE_BYTES = 2 * 1024;

/** Whether one append takes them all, sealed parts (base64) included. Estimated upwards: what fits here is not refused. */
export const fitOneAppend = (events: readonly AnyEvent[]): boolean =>
  events.reduce((sum, event) => sum + mostBytes(event), 0) <= MAX_APPEND_BYTES;

const mostBytes = ({ data, personal }: AnyEvent): number =>
  ENVELOPE_BYTES + jsonBytes(data) + (personal === null ? 0 : Math.ceil((jsonBytes(personal) * 4) / 3));

const jsonBytes = (value: object): number => Buffer.byteLength(JSON.stringify(value));
