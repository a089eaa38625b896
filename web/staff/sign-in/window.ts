import { pendingHere } from '../../shared/oidc.js';
import { itemKeyOf } from '../../shared/storage.js';

/** How long a window waits for the page that opened it. */
const TAKEN_MS = 2_000;

/** A message of the channel, with one of these fields. */
interface Message {
  /** The address to which the provider returned in the window. */
  readonly url?: string;
  /** The state of the sign-in whose answer a page has taken. */
  readonly taken?: string;
}

/**
 * Opens a channel between the windows of this origin. It is needed because a provider's headers may remove `opener` from the
 * window.
 */
const openChannel = (): BroadcastChannel => new BroadcastChannel(itemKeyOf('sign-in-answers'));

/** An empty window for a sign-in; `null`: the browser refuses. It opens one only while it handles a press. */
export const openWindow = (): Window | null => open('about:blank', '_blank', 'popup,width=480,height=640');

/** @returns the address to which the provider returned in the window @throws {Error} `abandoned` was aborted */
export const answerInWindow = (state: string, abandoned: AbortSignal): Promise<string> =>
  new Promise((answered, failed) => {
    const channel = openChannel();
    const leave = (): void => {
      channel.close();
      failed(new Error('The sign-in was abandoned.'));
    };
    abandoned.addEventListener('abort', leave);
    channel.onmessage = ({ data: { url } }: MessageEvent<Message>) => {
      if (url === undefined || new URL(url).searchParams.get('state') !== state) return;
      channel.postMessage({ taken: state } satisfies Message);
      channel.close();
      answered(url);
    };
    // Another sign-in may have begun while the address of this one was made.
    if (abandoned.aborted) leave();
  });

/** Gives the page that opened this window the provider's answer. @returns `false`: no other page waits for it */
export const answerFromWindow = async (): Promise<boolean> => {
  const state = new URL(location.href).searchParams.get('state');
  if (state === null || pendingHere()?.state === state) return false;
  const channel = openChannel();
  const taken = new Promise<boolean>((answered) => {
    channel.onmessage = ({ data }: MessageEvent<Message>) => {
      if (data.taken === state) answered(true);
    };
    setTimeout(() => answered(false), TAKEN_MS);
  });
  channel.postMessage({ url: location.href } satisfies Message);
  return taken.finally(() => channel.close());
};
