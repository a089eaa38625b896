/**
 * What both clients can do and keep to themselves: the server's version, closing a connection, which `dispose`
 * leaves open, and what they do about an error. Where a later client has moved them, the version is unknown and the connection closes with the process.
 */
interface Internals {
  readonly capabilities?: Promise<{ readonly serverVersion?: string }>;
  readonly getChannel?: () => Promise<{ close(): void }>;
  handleError?: (...given: readonly unknown[]) => Promise<void>;
}

/**
 * After a failed call the client sees to its connection in a promise that nobody waits for. That fails where meanwhile
 * no node of a cluster is found, and would end the process; whoever called has the error already.
 */
export function calmed<C extends object>(client: C): C {
  const internals = client as Internals;
  const { handleError } = internals;
  if (handleError) internals.handleError = (...given) => handleError(...given).catch(() => undefined);
  return client;
}

export async function versionOf(client: object): Promise<string> {
  const features = await (client as Internals).capabilities;
  return features?.serverVersion ?? 'unknown';
}

export async function letGo(client: { dispose(): Promise<void> }): Promise<void> {
  await client.dispose();
  const channel = await (client as Internals).getChannel?.();
  channel?.close();
}
