import { type AddressInfo, createServer, type Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail that a server has received. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The raw message. */
  readonly raw: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
}

/** A mail server on a free port of this machine. */
export interface MailServer {
  /** `smtp://127.0.0.1:<port>`. */
  readonly url: string;
  readonly port: number;
  /** The acknowledged mails, in the order of arrival. */
  readonly received: readonly ReceivedMail[];
  /** The number of mails that arrived completely, acknowledged or not. */
  readonly delivered: number;
  close(): Promise<void>;
}

export interface MailServerOptions extends SMTPServerOptions {
  /**
   * Called with the n-th mail, from 1, before it is acknowledged. If it throws, the mail is refused with the error's
   * `responseCode`.
   */
  readonly onMail?: (mail: ReceivedMail, count: number, destroy: () => void) => void | Promise<void>;
}

/** A refusal with this code and a text that contains the recipient, as of some servers. */
export const smtpError = (responseCode: number): Error =>
  Object.assign(new Error('<carol@example.org>: not now, not here'), { responseCode });

/** Opens a mail server that records its mails. Close it. */
export async function openMailServer({ onMail, ...options }: MailServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const sockets = new Map<string, { destroy(): void }>();
  let delivered = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: options.key ? [] : ['STARTTLS'],
    hideENHANCEDSTATUSCODES: false,
    closeTimeout: 100,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = Buffer.concat(chunks).toString('utf8');
        const from = mailFrom ? mailFrom.address : '';
        const mail = { from, to: rcptTo.map(({ address }) => address), ...parsed(raw) };
        delivered++;
        const destroy = (): void => {
          for (const socket of sockets.values()) socket.destroy();
        };
        Promise.resolve()
          .then(() => onMail?.(mail, delivered, destroy))
          .then(
            () => {
              received.push(mail);
              done(null, 'taken');
            },
            (error: unknown) => done(error as Error),
          );
      });
    },
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket) => {
    const name = `${socket.remotePort}`;
    sockets.set(name, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(name));
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    received,
    get delivered() {
      return delivered;
    },
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

/** A mail server that answers with the texts of a script, and accepts commands that the script leaves out. */
interface ScriptedServer {
  readonly port: number;
  /** The received lines, without the mails' contents. */
  readonly lines: readonly string[];
  /** Whether everything that was received is ASCII. */
  readonly isAscii: boolean;
  close(): Promise<void>;
}

interface Script {
  readonly port?: number;
  /** The answer to EHLO. */
  readonly extensions?: readonly string[];
  /** Answers by command; that of `DATA` comes after the content. */
  readonly replies?: Readonly<Record<string, string>>;
}

/** Opens a mail server that answers by a script. Close it. */
export async function openScriptedServer({
  port = 0,
  extensions = [],
  replies = {},
}: Script = {}): Promise<ScriptedServer> {
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  let isAscii = true;
  const ehlo = ['here', ...extensions];
  const well: Readonly<Record<string, string>> = {
    EHLO: ehlo.map((line, n) => `250${n < ehlo.length - 1 ? '-' : ' '}${line}`).join('\r\n'),
    QUIT: '221 bye',
  };
  const replyTo = (command: string): string => replies[command] ?? well[command] ?? '250 taken';
  const server = createServer((socket) => {
    let [rest, inContent] = ['', false];
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      isAscii &&= chunk.every((byte) => byte < 0x80);
      rest += chunk.toString('utf8');
      for (let end = rest.indexOf('\r\n'); end !== -1; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 2);
        if (inContent) {
          if (line !== '.') continue;
          inContent = false;
          socket.write(`${replyTo('DATA')}\r\n`);
          continue;
        }
        lines.push(line);
        inContent = line === 'DATA';
        const command = /^(?:MAIL FROM|RCPT TO|[A-Z]+)/.exec(line)?.[0] ?? '';
        socket.write(`${inContent ? '354 go on' : replyTo(command)}\r\n`);
      }
    });
    socket.write(`${replies.greeting ?? '220 here'}\r\n`);
  });
  await new Promise<void>((ready) => server.listen(port, '127.0.0.1', ready));
  return {
    port: (server.address() as AddressInfo).port,
    lines,
    get isAscii() {
      return isAscii;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

const parsed = (raw: string): Omit<ReceivedMail, 'from' | 'to'> => {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r?\n/, '')));
  const part = (type: string): string => {
    const found = parts.find((one) => one.headers.get('content-type')?.startsWith(type));
    return found ? decoded(found.body, found.headers.get('content-transfer-encoding')).trimEnd() : '';
  };
  return { raw, headers, text: part('text/plain'), html: part('text/html') };
};

const split = (text: string): { headers: Map<string, string>; body: string } => {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = new Map(
    lines.map((line) => [line.split(':', 1)[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  return { headers, body: rest.join('\r\n\r\n') };
};

const decoded = (text: string, encoding: string | undefined): string => {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
};
