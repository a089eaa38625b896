/** Where notices may go. */
export interface WebhookTargets {
  /** Also into private networks, and without TLS. */
  readonly allowPrivate: boolean;
}

/** Injection token of the process's `WebhookTargets`. */
export const WEBHOOK_TARGETS = Symbol('webhook targets');
