/**
 * What both clients can do and keep to themselves: the server's version, and closing a connection, which `dispose`
 * leaves open. Where a later client has moved them, the version is unknown and the connection closes with the process.
 */
interface Internals {
  readonly capabilities?: Promise<{ readonly serverVersion?: string }>;
  readonly getChannel?: () => Promise<{ close(): void }>;
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
