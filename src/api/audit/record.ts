import type { AuditDocument, AuditSubject } from '../../../projections/audit.js';
import { component, instant, type JsonSchema, objectOf, oneOf, text, uuid } from '../../core/json-schema.js';
import type { Actor } from '../../core/event.js';

/** One entry of an organisation's audit trail. */
export interface AuditRecord {
  /** The id of the event that it tells of. */
  readonly id: string;
  readonly at: string;
  readonly actor: Actor;
  readonly action: string;
  readonly subject: AuditSubject;
}

export const auditRecord = ({ at, actor, action, subject }: AuditDocument, id: string): AuditRecord => ({
  id,
  at,
  actor,
  action,
  subject,
});

export const auditSchema = (): JsonSchema =>
  component(
    'AuditEntry',
    objectOf({
      id: uuid,
      at: instant,
      actor: objectOf({ type: oneOf('staff', 'candidate', 'operator', 'share_link', 'system'), id: text }),
      action: text,
      subject: objectOf({
        type: oneOf(
          'organisation',
          'member',
          'role',
          'candidate',
          'application',
          'trial_session',
          'evaluation',
          'share_link',
          'webhook',
          'delivery',
        ),
        id: uuid,
      }),
    }),
  );
