#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { beginWork, readLink } from './begin.js';
import { Changes } from './changes.js';
import { packHandIn, pendingHandIns, sendHandIn, sendPendingHandIns } from './hand-in.js';
import { type Work, type WorkTicket, workAt } from './places.js';
import { logOf, Queue } from './queue.js';
import { sendWaiting, describeEvent } from './sending.js';
import { Offline, Refused, Service } from './service.js';
import { SignIn } from './sign-in.js';
import { isSystemError, oneLine, Stop, type Terminal, terminalOf } from './terminal.js';
import { runTests } from './wrapped-tests.js';

const HELP = `Usage:
  assay-work <link> [--folder DIR]   sign in, show the tickets, fetch the starters, then watch the folder
  assay-work watch                   watch the folder again
  assay-work test [--junit FILE] -- COMMAND …
                                     run your tests and report how many passed
  assay-work hand-in [TICKET]        hand in the work on a ticket, by its number
  assay-work send                    send what waits
  assay-work status                  show what waits and where the log of all that was sent is
  assay-work sign-out                delete the sign-in from this computer

Options:
  --yes, -y   send without asking; everything that is sent is shown all the same
  --every N   seconds between checks of the folder (default 15)
  --once      with watch and <link>: check once, then exit

<link> is the link of your invitation. Only files in the folder are read, never .git, node_modules, links, or what a
.gitignore leaves out. While you work, the names of changed files and counts of lines are sent; their content is sent by
hand-in alone.`;

const OPTIONS = {
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  once: { type: 'boolean' },
  folder: { type: 'string' },
  every: { type: 'string' },
  junit: { type: 'string' },
} as const;

/** A command's arguments. */
interface Arguments {
  readonly words: readonly string[];
  /** The arguments after `--`. */
  readonly command: readonly string[];
  readonly once: boolean;
  readonly folder: string | null;
  readonly everyMs: number;
  readonly junit: string | null;
}

const readArguments = (
  argv: readonly string[],
): Arguments & { readonly yes: boolean; readonly help: boolean } => {
  const end = argv.indexOf('--');
  const own = end === -1 ? argv : argv.slice(0, end);
  let parsed;
  try {
    parsed = parseArgs({ args: [...own], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Stop(`${error instanceof Error ? error.message : 'Wrong arguments.'}\n\n${HELP}`, 2);
  }
  const { values, positionals } = parsed;
  const every = Number(values.every ?? 15);
  if (!(every >= 1 && every <= 3_600)) throw new Stop('--every takes seconds from 1 to 3600.', 2);
  return {
    words: positionals,
    command: end === -1 ? [] : argv.slice(end + 1),
    yes: values.yes === true,
    help: values.help === true,
    once: values.once === true,
    folder: values.folder ?? null,
    everyMs: every * 1_000,
    junit: values.junit ?? null,
  };
};

const serviceOf = (url: string, terminal: Terminal): Service => {
  const signIn = new SignIn(url, terminal);
  return new Service(url, (isRefused) => signIn.token(isRefused));
};

/** `done`: all that waited is sent. */
type Outcome = 'done' | 'declined' | 'offline';

/** Sends what waits. */
const sendAll = async (work: Work, terminal: Terminal): Promise<Outcome> => {
  const service = serviceOf(work.service, terminal);
  const sent = await sendWaiting(work, new Queue(work), service, terminal);
  if (sent.kind === 'offline') return sent.kind;
  // Also after the session has ended: the service still takes hand-ins that were begun in time.
  const isSent = await sendPendingHandIns(work, service, terminal);
  if (sent.kind === 'over') throw new Stop(`Nothing more can be sent: ${sent.why}`);
  if (!isSent) return 'offline';
  return sent.kind === 'declined' ? sent.kind : 'done';
};

/** Checks the folder, once or until the program is ended, and sends what changed. */
const watch = async (work: Work, { once, everyMs }: Arguments, terminal: Terminal): Promise<number> => {
  const changes = new Changes(work);
  const queue = new Queue(work);
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  if (!once) terminal.say(`Watching ${work.folder}. Stop with Ctrl-C.`);
  let isDue = true;
  for (;;) {
    const found = await changes.find();
    for (const { path, linesAdded, linesRemoved } of found.changes)
      await queue.add('file.changed', { path, linesAdded, linesRemoved });
    await found.keep();
    // If the candidate declines, the program asks again after the next change.
    const sent: Outcome | null = isDue || found.changes.length > 0 ? await sendAll(work, terminal) : null;
    isDue = sent === 'offline';
    if (once) return sent === 'done' ? 0 : 1;
    try {
      await sleep(everyMs, undefined, { signal: stopping.signal });
    } catch {
      return 0;
    }
  }
};

const chosenTicket = (work: Work, word: string | undefined): WorkTicket => {
  const open = work.tickets.filter(({ takesWork }) => takesWork);
  const number = Number(word);
  const ticket = word === undefined ? (open.length === 1 ? open[0] : undefined) : work.tickets[number - 1];
  if (ticket?.takesWork === true) return ticket;
  if (open.length === 0) throw new Stop('No ticket of this assessment takes work here.');
  const list = work.tickets.flatMap((one, at) =>
    one.takesWork ? [`  ${at + 1}  ${oneLine(one.title)}`] : [],
  );
  throw new Stop(`Which ticket? Name its number:\n${list.join('\n')}`, 2);
};

const test = async (work: Work, { command, junit }: Arguments, terminal: Terminal): Promise<number> => {
  if (command.length === 0)
    throw new Stop('Name the command after --, such as: assay-work test -- npm test', 2);
  const { exitCode, results, by, durationMs } = await runTests(command, junit);
  const { passed, failed } = results;
  await new Queue(work).add('test.run', { passed, failed, durationMs });
  terminal.say(`${passed} passed, ${failed} failed (by ${by})`);
  // The exit code is that of the command, also if the report cannot be sent.
  await sendAll(work, terminal).catch((error: unknown) => {
    if (!(error instanceof Stop || error instanceof Offline || error instanceof Refused)) throw error;
    terminal.say(`${error.message} What was not sent waits.`);
  });
  return exitCode;
};

const status = async (work: Work, terminal: Terminal): Promise<number> => {
  terminal.say(`Folder   ${work.folder}`);
  terminal.say(`Service  ${work.service}`);
  for (const [at, { title, takesWork, folder }] of work.tickets.entries())
    terminal.say(`Ticket   ${at + 1}  ${oneLine(title)}${takesWork ? `  (${folder})` : ''}`);
  const waiting = await new Queue(work).waiting();
  const handIns = await pendingHandIns(work);
  terminal.say(`Waiting  ${waiting.length} events, ${handIns.length} hand-ins`);
  for (const { event } of waiting) terminal.say(describeEvent(event));
  for (const { title, sha256 } of handIns) terminal.say(`  hand-in  ${oneLine(title)}  ${sha256}`);
  terminal.say(`Log      ${logOf(work)}`);
  return 0;
};

/** How long `hand-in` waits for the result of the checks. */
const CHECKS_WAIT_MS = 120_000;

const handIn = async (work: Work, given: Arguments, terminal: Terminal): Promise<number> => {
  const packed = await packHandIn(work, chosenTicket(work, given.words[1]), terminal);
  if (!packed) return 1;
  const service = serviceOf(work.service, terminal);
  const isSent = await sendHandIn(work, packed, service, terminal, CHECKS_WAIT_MS);
  return isSent ? 0 : 1;
};

const run = async (argv: readonly string[]): Promise<number> => {
  const given = readArguments(argv);
  const [word] = given.words;
  const terminal = terminalOf(given.yes);
  if (given.help || word === undefined) {
    process.stdout.write(`${HELP}\n`);
    return given.help ? 0 : 2;
  }
  if (/^https?:/i.test(word)) {
    const link = readLink(word);
    terminal.say(`Service: ${link.service}`);
    const work = await beginWork(link, given.folder, serviceOf(link.service, terminal), terminal);
    return watch(work, given, terminal);
  }
  const here = (): Promise<Work> => workAt(process.cwd());
  switch (word) {
    case 'watch':
      return watch(await here(), given, terminal);
    case 'test':
      return test(await here(), given, terminal);
    case 'hand-in':
      return handIn(await here(), given, terminal);
    case 'send':
      return (await sendAll(await here(), terminal)) === 'done' ? 0 : 1;
    case 'status':
      return status(await here(), terminal);
    case 'sign-out':
      await new SignIn((await here()).service, terminal).signOut();
      terminal.say('Signed out on this computer. The page in your browser has a sign-out of its own.');
      return 0;
    default:
      throw new Stop(`Unknown command: ${oneLine(word)}\n\n${HELP}`, 2);
  }
};

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isExpected = error instanceof Stop || error instanceof Offline || error instanceof Refused;
  if (!isExpected && !isSystemError(error)) throw error;
  process.stderr.write(isExpected ? `${error.message}\n` : `Not done: ${error.message}\n`);
  process.exitCode = error instanceof Stop ? error.exitCode : 1;
}
