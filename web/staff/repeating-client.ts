import {
  type Answer,
  AssayClient,
  AssayError,
  type Call,
  type Method,
} from '../../packages/client/src/index.js';

/** Whether the service may have done the command all the same. */
const isUnknown = (error: unknown): boolean =>
  !(error instanceof AssayError) || error.status === 0 || error.status === 408 || error.status >= 500;

/** A client for people: a button that is pressed again after a failure repeats its command, which is done once. */
export class RepeatingClient extends AssayClient {
  /** Keys of commands whose outcome is unknown, by what they were sent with. */
  private readonly keys = new Map<string, string>();

  protected override async tried<T>(method: Method, path: string, given: Call): Promise<Answer<T>> {
    if (method !== 'post' || given.idempotencyKey !== undefined) return super.tried(method, path, given);
    const command = JSON.stringify([path, given.params, given.body, given.ifMatch]);
    const idempotencyKey = this.keys.get(command) ?? crypto.randomUUID();
    try {
      const answer = await super.tried<T>(method, path, { ...given, idempotencyKey });
      this.keys.delete(command);
      return answer;
    } catch (error) {
      if (isUnknown(error)) this.keys.set(command, idempotencyKey);
      else this.keys.delete(command);
      throw error;
    }
  }
}
