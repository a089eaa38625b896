import { messageOf } from '../../core/errors.js';
import type { ComponentHealth } from '../../process/health.js';
import { OperatorError } from '../cli/program.js';

const ANSWER_TIMEOUT_MS = 10_000;

/** The health that a running service or projector reports. */
export interface RemoteHealth {
  readonly ready: boolean;
  /** All parts on HEALTH_PORT; on the API's PORT one, `service`, for the whole. */
  readonly components: readonly ComponentHealth[];
}

/**
 * Asks `/health/ready` of a running service or projector.
 * @throws {OperatorError} there is no answer, or not one of this service
 */
export const remoteHealth = async (address: URL): Promise<RemoteHealth> => {
  const page = new URL('health/ready', address.href.endsWith('/') ? address : `${address.href}/`);
  const { status, body } = await ask(page);
  const components = body && (list(body['components'], component) ?? publicAnswer(status, body));
  if (components === null || (status !== 200 && status !== 503))
    throw new OperatorError(
      `${page.href} answered ${status}, but not as this service does: check the address.`,
    );
  return { ready: status === 200, components };
};

type Members = Readonly<Record<string, unknown>>;

const ask = async (page: URL): Promise<{ readonly status: number; readonly body: Members | null }> => {
  try {
    const response = await fetch(page, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    const body: unknown = await response.json().catch((error: unknown) => {
      if ((error as Error).name !== 'SyntaxError') throw error;
      return null;
    });
    return { status: response.status, body: isMembers(body) ? body : null };
  } catch (error) {
    throw new OperatorError(`No answer from ${page.href} (${reasonOf(error)}).`, { cause: error });
  }
};

/** The reason of a failed `fetch` is only in the error's cause. */
const reasonOf = (error: unknown): string => {
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Error && cause.message !== '') return cause.message;
  if (isMembers(cause) && typeof cause['code'] === 'string') return cause['code'];
  return messageOf(error);
};

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null;

const list = <T>(value: unknown, read: (item: Members) => T | null): readonly T[] | null => {
  if (!Array.isArray(value)) return null;
  const items = value.map((item: unknown) => (isMembers(item) ? read(item) : null));
  return items.every((item) => item !== null) ? items : null;
};

const component = ({ name, ready, problem, figures }: Members): ComponentHealth | null => {
  if (typeof name !== 'string' || typeof ready !== 'boolean') return null;
  return {
    name,
    ready,
    ...(typeof problem === 'string' && { problem }),
    ...(isMembers(figures) && { figures: figures as NonNullable<ComponentHealth['figures']> }),
  };
};

/** The API's PORT reports only whether it is ready. */
const publicAnswer = (status: number, body: Members): readonly ComponentHealth[] | null => {
  if ('components' in body) return null;
  if (status === 200 && body['status'] === 'ready') return [{ name: 'service', ready: true }];
  if (status !== 503 || body['code'] !== 'unavailable') return null;
  const problem = 'The service is not ready for requests. Ask its HEALTH_PORT for the reason.';
  return [{ name: 'service', ready: false, problem }];
};
